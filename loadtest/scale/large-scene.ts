// A scene of many bodies with many entries behind its snapshot is loaded by a replica that has never seen it, while that answers /livez.

import { setTimeout as sleep } from 'node:timers/promises'
import { endService } from '../measuring/service-process.ts'
import { box, type Cluster, described, type Replica, sceneUrl, send, sendWell } from './cluster.ts'

const PART = 50_000
const ROUNDS = 5

/** Makes the scene `large`: bodies, their snapshot, and entries behind it. */
export async function writeLargeScene(replica: Replica, bodies: number, entries: number): Promise<void> {
  const url = sceneUrl(replica, 'large')
  await sendWell(url, 'PUT', {})
  for (let start = 0; start < bodies; start += PART) {
    const part = Array.from({ length: Math.min(PART, bodies - start) }, (_, k) => start + k)
    await sendWell(`${url}/operations`, 'POST', {
      operations: part.map((k) => box(`b${k}`, (k % 1000) * 2, Math.floor(k / 1000) * 2)),
    })
  }
  // the snapshot is written meanwhile
  await sleep(20_000)
  let next = 0
  const write = async () => {
    while (next < entries) {
      const k = next++
      await sendWell(`${url}/operations`, 'POST', {
        operations: [{ op: 'move', id: `b${(k * 7919) % bodies}`, position: { x: k, y: 1 } }],
      })
    }
  }
  await Promise.all(Array.from({ length: 64 }, write))
}

export async function loadLargeScene(cluster: Cluster, bodies: number, entries: number) {
  const [first] = cluster.replicas as [Replica]
  await writeLargeScene(first, bodies, entries)
  // those that were used last are read before anybody asks: this one is not to be among them
  for (let k = 0; k < 1000; k++) await sendWell(sceneUrl(first, `small-${k}`), 'PUT', {})
  for (let round = 0; round < ROUNDS; round++) await loadOnce(cluster, bodies, entries)
}

async function loadOnce(cluster: Cluster, bodies: number, entries: number): Promise<void> {
  // not through this process, which asks
  const late = await cluster.add({ SCENE_MEMORY_MB: '4096', DATABASE_URL: cluster.databaseUrl })
  const probes: number[] = []
  let isLoaded = false
  const probe = async () => {
    while (!isLoaded) {
      probes.push((await send(`${late.url}/livez`)).ms)
      await sleep(5)
    }
  }
  const probing = probe()
  const { ms, text } = await sendWell(sceneUrl(late, 'large'))
  isLoaded = true
  await probing
  console.log(
    `${bodies} bodies and ${entries} entries: loaded in ${(ms / 1000).toFixed(2)} s, version ${(JSON.parse(text) as { version: number }).version}; /livez ${described(probes)}`,
  )
  // it does not come to report that it has used the scene, or the next one would load that before it is asked
  await endService(late, 'SIGKILL')
}
