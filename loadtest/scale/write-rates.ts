// Writes a second, of one replica and of two, to one scene and to 32.

import { box, type Cluster, sceneUrl, send, sendWell } from './cluster.ts'

async function rate(cluster: Cluster, replicaCount: number, sceneCount: number, writers: number, seconds: number) {
  const replicas = cluster.replicas.slice(0, replicaCount)
  const ids = Array.from({ length: sceneCount }, (_, k) => `rate-${sceneCount}-${k}`)
  for (const id of ids) await sendWell(sceneUrl(replicas[0]!, id), 'PUT', {})
  for (const replica of replicas) for (const id of ids) await sendWell(sceneUrl(replica, id))
  const until = performance.now() + 1000 * seconds
  let count = 0
  const write = async (writer: number) => {
    for (let k = 0; performance.now() < until; k++) {
      const url = sceneUrl(replicas[writer % replicas.length]!, ids[(writer + k) % ids.length]!)
      const { status } = await send(`${url}/operations`, 'POST', {
        operations: [box(`w${writer}-${k % 20}`, k, writer)],
      })
      if (status !== 200) throw new Error(`a write was answered ${status}`)
      count++
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return count / seconds
}

/** In turns, so that a busy neighbour meets all alike. */
export async function measureWriteRates(cluster: Cluster, { rounds, seconds, writers }: Record<string, number>) {
  for (const sceneCount of [1, 32]) {
    const one: number[] = []
    const two: number[] = []
    for (let k = 0; k < rounds!; k++) {
      const turns = [
        async () => one.push(await rate(cluster, 1, sceneCount, writers!, seconds!)),
        async () => two.push(await rate(cluster, 2, sceneCount, writers!, seconds!)),
      ]
      for (const turn of k % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    const middle = (rates: number[]) => rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)]!
    const ratio = (middle(two) / middle(one)).toFixed(2)
    console.log(
      `${sceneCount} scenes, ${writers} writers: one replica ${middle(one).toFixed(0)}/s, two ${middle(two).toFixed(0)}/s: ${ratio}`,
    )
  }
}
