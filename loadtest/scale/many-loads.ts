// Many replicas that come at once, as after a roll-out, and read the same scene: each modelled by what it asks of the database, its
// connections and its reading, without the bodies.

import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresStore } from '../../src/scene/postgres/postgres-store.ts'
import type { SceneStore } from '../../src/scene/store/store.ts'
import { type Cluster, described, type Replica, sceneUrl, send } from './cluster.ts'
import { writeLargeScene } from './large-scene.ts'

interface Loaded {
  ms: number
  byteCount: number
  entryCount: number
}

async function loaded(store: SceneStore, id: string): Promise<Loaded> {
  const begun = performance.now()
  const stored = await store.head(id)
  if (stored === null) throw new Error('there is no such scene')
  let byteCount = 0
  let entryCount = 0
  const [snapshot = 0] = stored.snapshots
  if (snapshot > 0) for await (const chunk of store.readSnapshot(stored, snapshot)) byteCount += chunk.length
  for await (const { bytes } of store.read(stored, snapshot + 1)) {
    if (bytes === null) throw new Error('an entry is missing')
    byteCount += bytes.length
    entryCount++
  }
  return { ms: performance.now() - begun, byteCount, entryCount }
}

export async function loadByMany(cluster: Cluster, replicaCount: number, bodies: number, entries: number) {
  const [first] = cluster.replicas as [Replica]
  await writeLargeScene(first, bodies, entries)
  // one after the other: that one process works out 800 passwords at a time says nothing about 200 processes
  const stores: SceneStore[] = []
  for (let k = 0; k < replicaCount; k++) {
    stores.push(await openPostgresStore({ connection: { url: cluster.databaseUrl }, openTimeoutMs: 60_000 }))
  }
  const writes: number[] = []
  const refusals = new Map<string, number>()
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const operations = [{ op: 'move', id: 'b0', position: { x: writes.length, y: 1 } }]
      const { status, ms, text } = await send(`${sceneUrl(first, 'large')}/operations`, 'POST', { operations })
      if (status === 200) writes.push(ms)
      else {
        const { code } = JSON.parse(text)
        refusals.set(code, (refusals.get(code) ?? 0) + 1)
        await sleep(100)
      }
    }
  }
  const writing = write()
  const begun = performance.now()
  const all = await Promise.all(stores.map((store) => loaded(store, 'large')))
  const seconds = (performance.now() - begun) / 1000
  isOver = true
  await writing
  const least = Math.min(...all.map(({ entryCount }) => entryCount))
  const mebibytes = all.reduce((sum, { byteCount }) => sum + byteCount, 0) / 2 ** 20
  console.log(
    `${replicaCount} at once: all done after ${seconds.toFixed(1)} s, ${(mebibytes / replicaCount).toFixed(1)} MiB and at least ${least} entries each, ${(mebibytes / seconds).toFixed(0)} MiB/s in all`,
  )
  console.log(
    `each ${described(all.map(({ ms }) => ms))}; writes meanwhile ${described(writes)}, refused: ${JSON.stringify(Object.fromEntries(refusals))}`,
  )
  await Promise.all(stores.map((store) => store.close()))
}
