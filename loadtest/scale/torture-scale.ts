// Kills, stops and cuts off replicas of the service and their database a thousand times while clients write and read, and looks whether
// anything was lost, doubled or told wrong.
// npm run torture:scale [-- FAULTS [SEED [MS]]]: MS is how long most faults last at most.
// npm run torture:scale -- failover [KILLS [SEED]]: kills the server that is written to, and a standby that is waited for takes over.
// npm run torture:scale -- races [ROUNDS [REQUESTS]]: fifty writers name the same version, round after round; requests go to three
// replicas at once with one key; in a scene of each dimension.

import { Cluster } from '../../test/scale/cluster.ts'
import { failovers } from '../../test/scale/failover.ts'
import { raceForVersions, raceWithKeys } from '../../test/scale/races.ts'
import { torture } from '../../test/scale/torture.ts'

const newSeed = () => String(Date.now() % 2 ** 31)

/** Of what was asked for in words. */
function count(word: string): number {
  if (/^\d+$/.test(word)) return Number(word)
  console.error(`Not a number: ${word}`)
  process.exit(2)
}

async function tormented(faults = '1000', seed = newSeed(), ms = '800'): Promise<readonly string[]> {
  console.log(`${faults} faults, seed ${seed}`)
  const { findings, ...report } = await torture({ faultCount: count(faults), seed: count(seed), holdMs: count(ms) })
  console.log(report)
  return findings
}

async function failedOver(kills = '200', seed = newSeed()): Promise<readonly string[]> {
  console.log(`${kills} failovers, seed ${seed}`)
  const { findings, ...report } = await failovers({ killCount: count(kills), seed: count(seed) })
  console.log(report)
  return findings
}

async function raced(rounds = '100', requests = '1000'): Promise<readonly string[]> {
  console.log(`${rounds} rounds of 50 writers, ${requests} requests to three replicas each, in 2D and in 3D at once`)
  const [roundCount, requestCount] = [count(rounds), count(requests)]
  const cluster = await Cluster.start({})
  try {
    const asks = cluster.replicas.map((replica) => replica.send.bind(replica))
    const findings = (['2d', '3d'] as const).map(async (dimension) => [
      ...(await raceForVersions(asks, roundCount, 50, dimension)),
      ...(await raceWithKeys(asks, requestCount, 32, dimension)),
    ])
    return (await Promise.all(findings)).flat()
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
