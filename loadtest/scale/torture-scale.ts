// Kills, stops and cuts off replicas of the service and their database a thousand times while clients write and read, and looks whether
// anything was lost, doubled or told wrong.
// npm run torture:scale [-- FAULTS [SEED [MS]]]: MS is how long most faults last at most.
// npm run torture:scale -- failover [KILLS [SEED]]: kills the server that is written to, and a standby that is waited for takes over.
// npm run torture:scale -- races [ROUNDS [REQUESTS]]: fifty writers name the same version, round after round; requests go to three
// replicas at once with one key.

import { Cluster } from '../../test/scale/cluster.ts'
import { failovers } from '../../test/scale/failover.ts'
import { raceForVersions, raceWithKeys } from '../../test/scale/races.ts'
import { torture } from '../../test/scale/torture.ts'

const newSeed = () => String(Date.now() % 2 ** 31)

async function tormented(count = '1000', seed = newSeed(), ms = '800'): Promise<readonly string[]> {
  console.log(`${count} faults, seed ${seed}`)
  const { findings, ...report } = await torture({ faultCount: Number(count), seed: Number(seed), holdMs: Number(ms) })
  console.log(report)
  return findings
}

async function failedOver(count = '200', seed = newSeed()): Promise<readonly string[]> {
  console.log(`${count} failovers, seed ${seed}`)
  const { findings, ...report } = await failovers({ killCount: Number(count), seed: Number(seed) })
  console.log(report)
  return findings
}

async function raced(rounds = '100', requests = '1000'): Promise<readonly string[]> {
  console.log(`${rounds} rounds of 50 writers, ${requests} requests to three replicas each`)
  const cluster = await Cluster.start({})
  try {
    const asks = cluster.replicas.map((replica) => replica.send.bind(replica))
    return [...(await raceForVersions(asks, Number(rounds), 50)), ...(await raceWithKeys(asks, Number(requests), 32))]
  } finally {
    await cluster.dispose()
  }
}

const [first, ...words] = process.argv.slice(2)
const started = performance.now()
let findings: readonly string[]
if (first === 'failover') findings = await failedOver(...words)
else if (first === 'races') findings = await raced(...words)
else findings = await tormented(first, ...words)
console.log(`${Math.round((performance.now() - started) / 1000)} s`)
for (const finding of findings.slice(0, 50)) console.log(finding)
console.log(findings.length === 0 ? 'nothing lost, nothing doubled' : `${findings.length} findings`)
process.exitCode = findings.length === 0 ? 0 : 1
