// Kills, stops and cuts off replicas of the service and their database a thousand times while clients write and read, and looks whether
// anything was lost, doubled or told wrong.
// npm run torture:scale [-- FAULTS [SEED [MS]]]: MS is how long most faults last at most.
// npm run torture:scale -- failover [KILLS [SEED]]: kills the server that is written to, and a standby that is waited for takes over.

import { failovers } from '../../test/scale/failover.ts'
import { torture } from '../../test/scale/torture.ts'

const words = process.argv.slice(2)
const isFailover = words[0] === 'failover'
const [count = isFailover ? '200' : '1000', seed = String(Date.now() % 2 ** 31), ms = '800'] = isFailover
  ? words.slice(1)
  : words
console.log(`${count} ${isFailover ? 'failovers' : 'faults'}, seed ${seed}`)
const started = performance.now()
const { findings, ...report } = await (isFailover
  ? failovers({ killCount: Number(count), seed: Number(seed) })
  : torture({ faultCount: Number(count), seed: Number(seed), holdMs: Number(ms) }))
console.log({ ...report, seconds: Math.round((performance.now() - started) / 1000) })
for (const finding of findings.slice(0, 50)) console.log(finding)
console.log(findings.length === 0 ? 'nothing lost, nothing doubled' : `${findings.length} findings`)
process.exitCode = findings.length === 0 ? 0 : 1
