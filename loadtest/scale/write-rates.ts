// Writes a second, of one replica and of two, to one scene and to 32.

import { box, type Cluster, quantile, sceneUrl, send, sendWell } from './cluster.ts'

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

/**
 * In short turns, each of which is held against its neighbour: a processor may be twice as fast a moment later. The first round does not
 * count: validators are being compiled.
 */
export async function measureWriteRates(cluster: Cluster, { rounds, seconds, writers }: Record<string, number>) {
  for (const sceneCount of [1, 32]) {
    const rates = { one: [] as number[], two: [] as number[] }
    for (let k = 0; k <= rounds!; k++) {
      const turns = [
        async () => rates.one.push(await rate(cluster, 1, sceneCount, writers!, seconds!)),
        async () => rates.two.push(await rate(cluster, 2, sceneCount, writers!, seconds!)),
      ]
      for (const turn of k % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    const [one, two] = [rates.one.slice(1), rates.two.slice(1)]
    const ratios = two.map((of, k) => of / one[k]!)
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
    console.log(
      `${sceneCount} scenes, ${writers} writers: one replica ${quantile(one, 0.5).toFixed(0)}/s, two ${quantile(two, 0.5).toFixed(0)}/s: ${middle} (half of them ${low} to ${high})`,
    )
  }
}
