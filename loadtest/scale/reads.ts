// Reads of scenes by one replica and by two, each on a core of its own, while the database has nothing to do. Where there are two cores,
// the load has none of its own: so that it takes little of theirs, what is asked for costs milliseconds and has a short answer.

import { execFileSync } from 'node:child_process'
import type { Service } from '../measuring/service-process.ts'
import { quantile, scenePath, sceneUrl, sendWell, spread } from './cluster.ts'
import { load, sum } from './load.ts'

interface Question {
  readonly name: string
  /** Of the scene: slats side by side, in rows of so many. */
  readonly bodies: number
  readonly row: number
  readonly angularVelocity: number
  readonly body: object
}

/** The slats lie in a direction that passes between all of them: the bounds of neighbours overlap, the slats do not. */
const questions: readonly Question[] = [
  { name: 'time-of-impact', bodies: 200, row: 14, angularVelocity: 0.01, body: { duration: 1 } },
  // goes through megabytes for an answer, and cores share caches
  { name: 'pairs', bodies: 4000, row: 64, angularVelocity: 0, body: { contacts: true } },
]

const slat = (k: number, { row, angularVelocity }: Question) => ({
  op: 'put',
  body: {
    id: `slat-${k}`,
    shape: { type: 'box', width: 8, height: 0.04 },
    position: { x: k % row, y: Math.floor(k / row) },
    rotation: Math.atan((Math.sqrt(5) - 1) / 2),
    angularVelocity,
  },
})

type Two = readonly [Service, Service]

async function rate(services: readonly Service[], { name, body }: Question, seconds: number): Promise<number> {
  const asked = [{ path: `${scenePath(name)}/${name}`, body }]
  return sum(await Promise.all(services.map(({ url }) => load(url, [asked, asked], seconds))))
}

async function measure(question: Question, replicas: Two, strangers: Two, rounds: number, seconds: number) {
  const { name, bodies, body } = question
  const operations = Array.from({ length: bodies }, (_, k) => slat(k, question))
  for (const service of [replicas[0], ...strangers]) {
    await sendWell(sceneUrl(service, name), 'PUT', {})
    await sendWell(`${sceneUrl(service, name)}/operations`, 'POST', { operations })
  }
  for (const two of [replicas, strangers]) await rate(two, question, 2)
  const alone: number[] = []
  const ofLinear = async (two: Two) => {
    const first = await rate([two[0]], question, seconds)
    const both = await rate(two, question, seconds)
    const second = await rate([two[1]], question, seconds)
    alone.push(first, second)
    return both / (first + second)
  }
  const compared = { replicas: [] as number[], strangers: [] as number[] }
  for (let k = 0; k < rounds; k++) {
    compared.replicas.push(await ofLinear(replicas))
    compared.strangers.push(await ofLinear(strangers))
  }
  const { text } = await sendWell(`${sceneUrl(replicas[0], name)}/${name}`, 'POST', body)
  console.log(`${name}, of ${text.length} bytes: one service ${quantile(alone, 0.5).toFixed(0)}/s`)
  console.log(`  two replicas ${spread(compared.replicas)} of linear`)
  console.log(`  two services with nothing in common ${spread(compared.strangers)}`)
}

/**
 * In short turns: a core may be twice as fast a moment later, and as its neighbour. Two services that know nothing of each other do the same
 * beside the replicas: what they come to is what the machine has.
 */
export async function measureReads(replicas: Two, strangers: Two, rounds: number, seconds: number) {
  for (const two of [replicas, strangers]) {
    for (const [k, { child }] of two.entries()) execFileSync('taskset', ['-apc', String(k), String(child.pid)])
  }
  for (const question of questions) await measure(question, replicas, strangers, rounds, seconds)
}
