// Reads of scenes by one replica and by two, each on a core of its own, while the database has nothing to do.

import { execFileSync } from 'node:child_process'
import { box, type Cluster, type Replica, sceneUrl, send, sendWell } from './cluster.ts'

const BODIES = 4000
const ASKED = { contacts: true }

async function rate(replicas: readonly Replica[], seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds
  let count = 0
  const ask = async (replica: Replica) => {
    while (performance.now() < until) {
      const { status } = await send(`${sceneUrl(replica, 'reads')}/pairs`, 'POST', ASKED)
      if (status !== 200) throw new Error(`answered ${status}`)
      count++
    }
  }
  await Promise.all(replicas.flatMap((replica) => [ask(replica), ask(replica)]))
  return count / seconds
}

export async function measureReads({ replicas }: Cluster, rounds: number, seconds: number) {
  const [first] = replicas as [Replica]
  await sendWell(sceneUrl(first, 'reads'), 'PUT', {})
  const operations = Array.from({ length: BODIES }, (_, k) => box(`b${k}`, (k % 60) * 0.98, Math.floor(k / 60) * 2))
  await sendWell(`${sceneUrl(first, 'reads')}/operations`, 'POST', { operations })
  for (const [k, { child }] of replicas.entries()) execFileSync('taskset', ['-apc', String(k % 2), String(child.pid)])
  for (const replica of replicas) await sendWell(sceneUrl(replica, 'reads'))
  await rate(replicas, 2)
  const one: number[] = []
  const two: number[] = []
  for (let k = 0; k < rounds; k++) {
    one.push(await rate(replicas.slice(0, 1), seconds))
    two.push(await rate(replicas.slice(0, 2), seconds))
  }
  const middle = (rates: number[]) => rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)]!
  console.log(
    `reads: one replica ${middle(one).toFixed(1)}/s, two ${middle(two).toFixed(1)}/s: ${(middle(two) / middle(one) / 2).toFixed(3)} of linear`,
  )
}
