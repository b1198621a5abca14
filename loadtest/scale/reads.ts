// Reads of scenes by one replica and by two, each on a core of its own, while the database has nothing to do. Where there are two cores,
// the load has none of its own: so that it takes little of theirs, what is asked for costs milliseconds and has a short answer.

import { execFileSync } from 'node:child_process'
import type { Service } from '../measuring/service-process.ts'
import { quantile, sceneUrl, sendWell, spread } from './cluster.ts'

const BODIES = 4000

/** Slats side by side, in a direction that passes between all of them: the bounds of neighbours overlap, the slats do not. */
const slat = (k: number) => ({
  op: 'put',
  body: {
    id: `slat-${k}`,
    shape: { type: 'box', width: 8, height: 0.04 },
    position: { x: k % 64, y: Math.floor(k / 64) },
    rotation: Math.atan((Math.sqrt(5) - 1) / 2),
  },
})

const askForPairs = (service: Service) => sendWell(`${sceneUrl(service, 'reads')}/pairs`, 'POST', { contacts: true })

async function rate(services: readonly Service[], seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds
  let count = 0
  const ask = async (service: Service) => {
    for (; performance.now() < until; count++) await askForPairs(service)
  }
  await Promise.all(services.flatMap((service) => [ask(service), ask(service)]))
  return count / seconds
}

type Two = readonly [Service, Service]

const rates = async ([first, second]: Two, seconds: number) => ({
  first: await rate([first], seconds),
  both: await rate([first, second], seconds),
  second: await rate([second], seconds),
})

/**
 * In short turns: a core may be twice as fast a moment later, and as its neighbour. Two services that know nothing of each other do the same
 * beside the replicas: what they come to is what the machine has, for cores share caches.
 */
export async function measureReads(replicas: Two, strangers: Two, rounds: number, seconds: number) {
  const operations = Array.from({ length: BODIES }, (_, k) => slat(k))
  for (const service of [replicas[0], ...strangers]) {
    await sendWell(sceneUrl(service, 'reads'), 'PUT', {})
    await sendWell(`${sceneUrl(service, 'reads')}/operations`, 'POST', { operations })
  }
  for (const two of [replicas, strangers]) {
    for (const [k, { child }] of two.entries()) execFileSync('taskset', ['-apc', String(k), String(child.pid)])
    await rate(two, 2)
  }
  const alone: number[] = []
  const ofLinear = async (two: Two) => {
    const { first, both, second } = await rates(two, seconds)
    alone.push(first, second)
    return both / (first + second)
  }
  const compared = { replicas: [] as number[], strangers: [] as number[] }
  for (let k = 0; k < rounds; k++) {
    compared.replicas.push(await ofLinear(replicas))
    compared.strangers.push(await ofLinear(strangers))
  }
  const { text } = await askForPairs(replicas[0])
  console.log(`reads of ${text.length} bytes: one service ${quantile(alone, 0.5).toFixed(0)}/s`)
  console.log(`two replicas ${spread(compared.replicas)} of linear`)
  console.log(`two services with nothing in common ${spread(compared.strangers)}`)
}
