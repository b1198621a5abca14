// Many who write the same scenes through several stores, while scenes are used, listed, trimmed, dropped and swept: what is acknowledged
// is there once, and nobody waits for anybody in a circle.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isSameDigest } from '../../../src/scene/store/checksum-frame.ts'
import type { SceneSummary } from '../../../src/scene/store/store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { closeStores, type Opened, openStore } from '../../support/databases/stores.ts'
import { runCount } from '../../support/runs.ts'
import {
  appendTo,
  begin,
  lifeOf,
  type Stand,
  standAfter,
  standOf,
  unbegun,
} from '../../support/services/written-scenes.ts'

let server: DatabaseServer
beforeAll(async () => {
  server = await startServer()
})
afterEach(closeStores)
afterAll(() => server.dispose())

const summary = ({ id, version, digest }: Stand): SceneSummary => ({
  id,
  version,
  digest,
  name: `at ${version}`,
  dimension: 2,
  ttl: 3600,
  margin: 0,
  createdAt: 0,
  updatedAt: version,
  bodyCount: version,
  bounds: null,
})

/** Every version that was acknowledged, by scene: its digest. Throws when one is acknowledged twice. */
class Acknowledged {
  readonly scenes = new Map<string, Map<number, Uint8Array>>()
  add(append: ReturnType<typeof appendTo>): void {
    const versions = this.scenes.get(append.id) ?? new Map<number, Uint8Array>()
    this.scenes.set(append.id, versions)
    append.entries.forEach(({ digest }, k) => {
      const version = append.expectedVersion + k + 1
      if (versions.has(version)) throw new Error(`${append.id} has version ${version} twice`)
      versions.set(version, digest)
    })
  }
}

async function write(store: Opened, id: string, count: number, acknowledged: Acknowledged): Promise<void> {
  let stand = await standOf(store, id)
  for (let done = 0; done < count; ) {
    const append = appendTo(stand, done % 7 === 0 ? ['x', 'y', 'z'] : ['x'.repeat(100)])
    const answer = await store.append(done % 3 === 0 ? { ...append, summary: summary(stand) } : append)
    if (!answer.conflict) {
      acknowledged.add(append)
      stand = standAfter(append, answer)
      done++
    } else stand = await standOf(store, id)
  }
}

async function checkLogs(store: Opened, acknowledged: Acknowledged): Promise<void> {
  for (const [id, versions] of acknowledged.scenes) {
    const head = (await store.head(id))!
    let expected = 1
    for await (const { version, digest } of store.read(head, 1)) {
      expect(version).toBe(expected++)
      // the first was not acknowledged to a writer
      if (version > 1) expect(isSameDigest(digest!, versions.get(version)!)).toBe(true)
    }
    expect(head.version).toBe(expected - 1)
    expect(versions.size).toBe(head.version - 1)
    expect(isSameDigest(head.digest!, versions.get(head.version)!)).toBe(true)
  }
}

async function deadlockCount(database: string): Promise<number> {
  const [{ deadlocks }] = await server.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = $1',
    [database],
  )
  return Number(deadlocks)
}

it('gives every version once, and keeps digests in a chain', async () => {
  const database = await newSceneDatabase(server)
  const url = databaseUrl(server.url, database)
  const stores = await Promise.all([1, 2, 1, 1].map((lanes) => openStore(url, { lanes, logRetentionMs: 0 })))
  const ids = Array.from({ length: 6 }, (_, k) => `scene-${k}`)
  for (const id of ids) await begin(stores[0], id, 'first')
  const acknowledged = new Acknowledged()
  let isDone = false
  const beside = stores.map(async (store, k) => {
    while (!isDone) {
      const heads = await store.list()
      // in another order on each
      const shuffled = k % 2 === 0 ? heads : heads.toReversed()
      await store.shared.use(shuffled)
      const digests = shuffled.map((head) => ({ ...head, summary: summary({ ...head, digest: head.digest! }) }))
      await store.shared.summarise(digests)
      await store.shared.expired(10)
      await store.shared.sweep()
      const short = await begin(store, `short-${k}`, 'x')
      await store.drop(lifeOf(short), appendTo(short, ['gone']))
    }
  })
  const writers = stores.flatMap((store) =>
    ids.flatMap((id) => [0, 1].map(() => write(store, id, runCount(10), acknowledged))),
  )
  await Promise.all(writers).finally(() => {
    isDone = true
  })
  await Promise.all(beside)
  await checkLogs(stores[1], acknowledged)
  expect(await deadlockCount(database)).toBe(0)
  for (const { events } of stores) {
    expect(events.filter(({ event }) => event !== 'following-by-notification')).toEqual([])
  }
  // each summary is the newest that was told
  const listed = await stores[2].shared.page('', 100)
  for (const { version, updatedAt, bodyCount } of listed) expect([updatedAt, bodyCount]).toEqual([version, version])
})

it('lets one of fifty begin a scene, and one of fifty win each version', async () => {
  const url = databaseUrl(server.url, await newSceneDatabase(server))
  const stores = await Promise.all([0, 1, 2, 3].map(() => openStore(url)))
  for (let round = 0; round < 5; round++) {
    const appends = Array.from({ length: 50 }, () => appendTo(unbegun(`race-${round}`), ['x']))
    const answers = await Promise.all(appends.map((append, k) => stores[k % 4].append(append)))
    expect(answers.filter(({ conflict }) => !conflict)).toHaveLength(1)
    expect(new Set(answers.map(({ incarnation }) => incarnation)).size).toBe(1)
  }
  let stand = await begin(stores[0], 'a', 'x')
  for (let round = 0; round < 30; round++) {
    const appends = Array.from({ length: 50 }, () => appendTo(stand, ['x']))
    const answers = await Promise.all(appends.map((append, k) => stores[k % 4].append(append)))
    const won = answers.flatMap(({ conflict }, k) => (conflict ? [] : [k]))
    expect(won).toHaveLength(1)
    stand = standAfter(appends[won[0]], answers[won[0]])
    expect(answers.map(({ version }) => version)).toEqual(Array(50).fill(stand.version))
  }
})

it('begins scenes in many orders at once', async () => {
  const database = await newSceneDatabase(server)
  const url = databaseUrl(server.url, database)
  const stores = await Promise.all([0, 1, 2, 3].map(() => openStore(url)))
  for (let round = 0; round < 10; round++) {
    const ids = Array.from({ length: 40 }, (_, k) => `${round}-${k}`)
    const answers = await Promise.all(
      stores.flatMap((store, k) =>
        (k % 2 === 0 ? ids : ids.toReversed()).map((id) => store.append(appendTo(unbegun(id), ['x']))),
      ),
    )
    expect(answers.filter(({ conflict }) => !conflict)).toHaveLength(40)
  }
  expect(await deadlockCount(database)).toBe(0)
})

it('does not let one scene hurt the others of its group', async () => {
  const url = databaseUrl(server.url, await newSceneDatabase(server))
  const store = await openStore(url)
  const stands = await Promise.all(['a', 'b', 'c'].map((id) => begin(store, id, 'x')))
  const [a, b, c] = stands
  const late = { ...b, version: 5 }
  const answers = await Promise.all([a, late, c, unbegun('d')].map((stand) => store.append(appendTo(stand, ['y']))))
  expect(answers.map(({ version, conflict }) => [version, conflict])).toEqual([
    [2, false],
    [1, true],
    [2, false],
    [1, false],
  ])
})
