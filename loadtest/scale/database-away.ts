// The database is gone for a while under load: reads go on, writes are refused at once, all is well soon after its return. And a replica
// is cut off alone: others go on.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  box,
  type Cluster,
  described,
  quantile,
  type Replica,
  sceneUrl,
  send,
  sendWell,
} from './cluster.ts'

interface Sample extends Answer {
  at: number
}

/** Until `isOver`; a read is always under way, and a write each 50 ms. */
function load(replica: Replica, id: string, isOver: () => boolean) {
  const reads: Sample[] = []
  const writes: Sample[] = []
  const read = async () => {
    while (!isOver()) {
      const at = performance.now()
      const asked = { origin: { x: -5, y: 5.5 }, direction: { x: 1, y: 0 }, maxDistance: 1000 }
      reads.push({ ...(await send(`${sceneUrl(replica, id)}/ray-cast`, 'POST', { ray: asked })), at })
      await sleep(2)
    }
  }
  const write = async () => {
    for (let k = 0; !isOver(); k++) {
      const at = performance.now()
      const url = `${sceneUrl(replica, id)}/operations`
      writes.push({ ...(await send(url, 'POST', { operations: [box(`x${k % 9}`, 500, k)] })), at })
      await sleep(50)
    }
  }
  return { reads, writes, done: Promise.all([read(), read(), write()]) }
}

const stateOf = ({ text, status }: Sample) =>
  status < 300 ? `${status}` : `${status} ${/"code":"([a-z-]+)"/.exec(text)?.[1]}`

function countsOf(samples: readonly Sample[]): string {
  const counts = new Map<string, number>()
  for (const sample of samples) counts.set(stateOf(sample), (counts.get(stateOf(sample)) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} × ${state}`).join(', ')
}

export async function goWithoutDatabase(cluster: Cluster, seconds: number) {
  const replica = cluster.replicas[0]!
  await sendWell(sceneUrl(replica, 'away'), 'PUT', {})
  const bodies = Array.from({ length: 2000 }, (_, k) => box(`b${k}`, (k % 50) * 3, Math.floor(k / 50) * 3))
  await sendWell(`${sceneUrl(replica, 'away')}/operations`, 'POST', { operations: bodies })
  let isOver = false
  const { reads, writes, done } = load(replica, 'away', () => isOver)
  await sleep(1000 * Math.min(10, seconds))
  const gone = performance.now()
  await cluster.database.stop('immediate')
  await sleep(1000 * seconds)
  const back = performance.now()
  await cluster.database.start()
  await sleep(5000)
  isOver = true
  await done
  const before = reads.filter(({ at }) => at > gone - 8000 && at < gone)
  const during = reads.filter(({ at }) => at > gone && at < back)
  const stale = during.filter(({ headers }) => headers['tangent-stale'] !== undefined)
  const refused = writes.filter(({ at }) => at > gone + 1000 && at < back)
  const firstGood = writes.find(({ at, status }) => at > back && status === 200)
  const p99 = (samples: Sample[]) =>
    quantile(
      samples.map(({ ms }) => ms),
      0.99,
    )
  console.log(`reads before: ${described(before.map(({ ms }) => ms))}; ${countsOf(before)}`)
  console.log(
    `reads meanwhile: ${described(during.map(({ ms }) => ms))}; ${countsOf(during)}; ${stale.length} marked stale`,
  )
  console.log(
    `p99 ${(p99(during) / p99(before)).toFixed(2)} times as long; first marked ${((stale[0]?.at ?? Number.NaN) - gone).toFixed(0)} ms after`,
  )
  console.log(`writes from 1 s on: ${described(refused.map(({ ms }) => ms))}; ${countsOf(refused)}`)
  console.log(
    `first write done ${((firstGood?.at ?? Number.NaN) - back + (firstGood?.ms ?? 0)).toFixed(0)} ms after the server was told to start`,
  )
}

export async function cutOneOff(cluster: Cluster, seconds: number) {
  const [cut, other] = cluster.replicas as [Replica, Replica]
  await sendWell(sceneUrl(other, 'cut'), 'PUT', {})
  await sendWell(sceneUrl(cut, 'cut'))
  let isOver = false
  const own = load(cut, 'cut', () => isOver)
  const others = load(other, 'cut', () => isOver)
  await sleep(3000)
  const from = performance.now()
  await cut.proxy.become('blackHole')
  await sleep(1000 * seconds)
  const until = performance.now()
  await cut.proxy.become('pass')
  await sleep(4000)
  isOver = true
  await Promise.all([own.done, others.done])
  const within = (samples: Sample[]) => samples.filter(({ at }) => at > from && at < until)
  const times = others.writes.filter(({ status }) => status === 200).map(({ at, ms }) => at + ms)
  const gaps = times.slice(1).map((at, k) => at - times[k]! - 50)
  console.log(`cut off: writes ${countsOf(within(own.writes))}; reads ${countsOf(within(own.reads))}`)
  console.log(
    `others meanwhile: writes ${countsOf(within(others.writes))}; longest pause between two ${Math.max(...gaps).toFixed(0)} ms`,
  )
}
