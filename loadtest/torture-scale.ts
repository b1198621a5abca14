// Kills, stops and cuts off replicas of the service and their database a thousand times while clients write and read, and looks whether
// anything was lost, doubled or told wrong.
// npm run torture:scale [-- FAULTS [SEED [MS]]]: MS is how long most faults last at most.

import { torture } from '../test/scale/torture.ts'

const [faults = '1000', seed = String(Date.now() % 2 ** 31), ms = '1500'] = process.argv.slice(2)
console.log(`${faults} faults, seed ${seed}`)
const started = performance.now()
const { findings, ...report } = await torture({ faultCount: Number(faults), seed: Number(seed), holdMs: Number(ms) })
console.log({ ...report, seconds: Math.round((performance.now() - started) / 1000) })
for (const finding of findings.slice(0, 50)) console.log(finding)
console.log(findings.length === 0 ? 'nothing lost, nothing doubled' : `${findings.length} findings`)
process.exitCode = findings.length === 0 ? 0 : 1
