// Scenes that move from a data directory to a database and back are what they were, and none is ever half there.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import { historyOf, IdsTaken, type MovedScene, moveScenes } from '../../../src/scene/keeper/move-scenes.ts'
import { foldScene } from '../../../src/scene/keeper/recovery.ts'
import { encodeEntry, packSnapshot } from '../../../src/scene/keeper/stored-forms.ts'
import type { Entry } from '../../../src/scene/state/operation.ts'
import { encodeScene } from '../../../src/scene/state/scene-snapshot.ts'
import { firstDigest, nextDigest } from '../../../src/scene/store/checksum-frame.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import type { Adopting, NewEntry, SceneStore, StoredScene } from '../../../src/scene/store/store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { sqlOn } from '../../support/databases/sql-on.ts'
import { closeStores, type Opened, openStore } from '../../support/databases/stores.ts'
import { circle, creation, prepare, putting, randomOperations, seeded } from '../../support/services/kept-scenes.ts'
import { begin, grow, standOf } from '../../support/services/written-scenes.ts'

type Store = SceneStore & Adopting

let server: DatabaseServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.dispose())

const directories: string[] = []
const opened: SceneStore[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  await closeStores()
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-move-'))
  directories.push(directory)
  return directory
}

async function fileStore(directory = newDirectory()): Promise<Store> {
  const store = await openFileStore({ directory })
  opened.push(store)
  return store
}

const newDatabase = async () => databaseUrl(server.url, await newSceneDatabase(server))
const postgresStore = async (url?: string) => (await openStore(url ?? (await newDatabase()))) as Opened & Adopting

/** Writes scenes of random bodies into a data directory, some so long that their logs are trimmed. */
async function writeScenes(directory: string, ids: readonly string[], seed = 1): Promise<void> {
  const keeper = await Keeper.open({ store: await openFileStore({ directory }), prepare, tailByteCount: 3000 })
  const random = seeded(seed)
  for (const [k, id] of ids.entries()) {
    await keeper.create(creation(id, { name: `scene ${id}`, ...(k % 2 === 0 && { ttl: 3600 }) }))
    const bodies = new Set<string>()
    const writing: Promise<unknown>[] = []
    for (let n = 0; n < 5 + 60 * (k % 3); n++) {
      const key = n % 4 === 0 ? { key: `key ${n}`, fingerprint: `${n}` } : null
      writing.push(
        keeper.write(id, { operations: randomOperations(random, bodies), at: 1e12 + n, ...(key && { key }) }),
      )
      if (writing.length === 8) await Promise.all(writing.splice(0))
    }
    await Promise.all(writing)
  }
  await keeper.close()
}

/** Writes to the scene until its log begins behind a snapshot: those are written beside, when they are ready. */
async function writeUntilTrimmed(directory: string, id: string): Promise<void> {
  const store = await openFileStore({ directory })
  const keeper = await Keeper.open({ store, prepare, tailByteCount: 3000 })
  for (let n = 0; n < 500 && (await store.head(id))!.first <= 2; n++) {
    await keeper.write(id, { operations: putting(circle(`more ${n % 9}`)), at: 2e12 + n })
  }
  await keeper.close()
}

const move = async (from: SceneStore, to: Store, isFolded = true): Promise<MovedScene[]> => {
  const moved: MovedScene[] = []
  for await (const each of moveScenes(from, to, { prepare, isFolded })) moved.push(each)
  return moved
}
const resultsOf = (moved: readonly MovedScene[]) => moved.map(({ id, outcome }) => `${id} ${outcome.result}`)

const hex = (bytes: Uint8Array | null | undefined) => (bytes ? Buffer.from(bytes).toString('hex') : null)

/** All that a store has of a scene, but for its incarnation. */
async function contentOf(store: SceneStore, stored: StoredScene) {
  const entries: (string | null)[] = []
  for await (const { bytes } of store.read(stored, stored.first)) entries.push(hex(bytes))
  const snapshots: [number, ...(string | null)[]][] = []
  for (const version of stored.snapshots) {
    const chunks: (string | null)[] = []
    for await (const chunk of store.readSnapshot(stored, version)) chunks.push(hex(chunk))
    snapshots.push([version, ...chunks])
  }
  const history = await historyOf(store, stored)
  const digest = typeof history === 'string' ? history : hex(history.digest)
  const { id, version, first } = stored
  return { id, version, first, digest, entries, snapshots }
}

async function allOf(store: SceneStore) {
  const all: Awaited<ReturnType<typeof contentOf>>[] = []
  for (const stored of await store.list()) all.push(await contentOf(store, stored))
  return all
}

const IDS = ['a', 'b_b', 'cellar', 'z-z']

describe('a round trip', () => {
  it('keeps entries, versions, digests and snapshots, of trimmed logs too', async () => {
    const directory = newDirectory()
    await writeScenes(directory, IDS)
    const from = await fileStore(directory)
    const before = await allOf(from)
    expect(before.some(({ first, snapshots }) => first > 1 && snapshots.length === 2)).toBe(true)
    expect(before.some(({ first }) => first === 1)).toBe(true)
    const database = await postgresStore()
    expect(resultsOf(await move(from, database))).toEqual(IDS.map((id) => `${id} moved`))
    expect(await allOf(database)).toEqual(before)
    for (const { id, digest } of before) expect(hex((await database.head(id))?.digest)).toBe(digest)
    const back = newDirectory()
    expect(resultsOf(await move(database, await fileStore(back)))).toEqual(IDS.map((id) => `${id} moved`))
    await opened.pop()?.close()
    const again = await fileStore(back)
    expect(await allOf(again)).toEqual(before)
    // and what has come so is written to, and read, like any other
    await again.close()
    const keeper = await Keeper.open({ store: await openFileStore({ directory: back }), prepare })
    for (const { id, version } of before) {
      expect(await keeper.write(id, { operations: putting(circle('more')), at: 2e12 })).toMatchObject({
        version: version + 1,
      })
    }
    await keeper.close()
    const last = await fileStore(back)
    expect((await last.list()).map(({ version }) => version)).toEqual(before.map(({ version }) => version + 1))
  })

  it('keeps what lists say, and the time to live from now on', async () => {
    const directory = newDirectory()
    await writeScenes(directory, IDS)
    const from = await fileStore(directory)
    const database = await postgresStore()
    await move(from, database)
    const page = await database.shared.page('', 100)
    expect(page.map(({ id, name }) => [id, name])).toEqual(IDS.map((id) => [id, `scene ${id}`]))
    for (const { id, ttl, version, bodyCount } of page) {
      const head = (await from.head(id)) as StoredScene
      const folded = await foldScene(from, head, prepare, { passOver: () => undefined })
      if (typeof folded === 'string') throw new Error(folded)
      expect([ttl, version, bodyCount]).toEqual([folded.scene.ttl, head.version, folded.scene.table.count])
    }
    expect(page.some(({ ttl }) => ttl === 3600)).toBe(true)
    expect(await database.shared.expired(100)).toEqual([])
  })

  it('lets a request that is repeated find its old version', async () => {
    const directory = newDirectory()
    await writeScenes(directory, ['a', 'b', 'c'])
    await writeUntilTrimmed(directory, 'c')
    const database = await postgresStore()
    await move(await fileStore(directory), database)
    const { first, version } = (await database.head('c')) as StoredScene
    expect(first).toBeGreaterThan(2)
    const keeper = await Keeper.open({ store: database, prepare })
    // the first of them is in no entry any more
    for (const n of [0, 4, 64, 120]) {
      const write = { operations: putting(circle('x')), at: 1e12 + 500, key: { key: `key ${n}`, fingerprint: `${n}` } }
      expect(await keeper.write('c', write)).toMatchObject({ version: n + 2, isRepeated: true })
    }
    expect((await keeper.find('c'))?.scene?.version).toBe(version)
    await keeper.close()
  })

  it('takes entries that no snapshot leads to back to a directory', async () => {
    const directory = newDirectory()
    await writeScenes(directory, ['a', 'b', 'c'])
    const database = await postgresStore()
    await move(await fileStore(directory), database)
    const head = (await database.head('c')) as StoredScene
    // as a sweep leaves a log that is kept for a while: it begins before its first snapshot
    await database.trim(head, head.snapshots[0] + 1, [head.snapshots[0]])
    const trimmed = (await database.head('c')) as StoredScene
    expect(trimmed.first).toBeLessThan(trimmed.snapshots[0])
    const back = await fileStore()
    expect(resultsOf(await move(database, back))).toEqual(['a moved', 'b moved', 'c moved'])
    const { digest: _, ...there } = await contentOf(database, trimmed)
    expect(await contentOf(back, (await back.head('c')) as StoredScene)).toMatchObject(there)
  })
})

describe('what is there already', () => {
  it('is passed over when it is the very same', async () => {
    const directory = newDirectory()
    await writeScenes(directory, IDS)
    const from = await fileStore(directory)
    const database = await postgresStore()
    await move(from, database)
    expect(resultsOf(await move(from, database))).toEqual(IDS.map((id) => `${id} there`))
    const back = await fileStore()
    await move(database, back)
    expect(resultsOf(await move(database, back))).toEqual(IDS.map((id) => `${id} there`))
  })

  it.each(['file', 'postgres'])('keeps everything from being moved when it is at another version: %s', async (kind) => {
    const directory = newDirectory()
    await writeScenes(directory, ['a', 'b'])
    const from = await fileStore(directory)
    const to = kind === 'file' ? await fileStore() : await postgresStore()
    await begin(to, 'b', 'something else')
    await expect(move(from, to)).rejects.toThrow(IdsTaken)
    expect((await to.list()).map(({ id, version }) => [id, version])).toEqual([['b', 1]])
  })

  it('is left alone when it is another at the same version', async () => {
    const [one, other] = [newDirectory(), newDirectory()]
    await writeScenes(one, ['a'], 1)
    await writeScenes(other, ['a'], 2)
    const database = await postgresStore()
    expect(resultsOf(await move(await fileStore(other), database))).toEqual(['a moved'])
    const before = await allOf(database)
    expect(resultsOf(await move(await fileStore(one), database))).toEqual(['a taken'])
    expect(await allOf(database)).toEqual(before)
  })
})

describe('a move that is cut short', () => {
  const COUNT = 9000
  const all = entriesOf(COUNT)

  function entriesOf(count: number): NewEntry[] {
    let digest = firstDigest()
    return Array.from({ length: count }, (_, k) => {
      const entry: Entry = { version: k + 1, at: k, operations: k === 0 ? [creation('a')] : putting(circle(`b${k}`)) }
      const bytes = encodeEntry(entry)
      digest = nextDigest(digest, firstDigest(), bytes)
      return { bytes, digest }
    })
  }

  /** A scene of many entries with a snapshot; `pause` is called in the middle of either. */
  function adopted(pause: (where: 'entries' | 'snapshot') => Promise<void>) {
    const summary = {
      id: 'a',
      version: COUNT,
      digest: all[COUNT - 1].digest,
      name: null,
      dimension: 2,
      ttl: null,
    } as const
    return {
      id: 'a',
      version: COUNT,
      digest: all[COUNT - 1].digest,
      first: 1,
      summary: { ...summary, margin: 0, createdAt: 0, updatedAt: 0, bodyCount: 0, bounds: null },
      async *entries() {
        yield* all.slice(0, COUNT - 500)
        await pause('entries')
        yield* all.slice(COUNT - 500)
      },
      snapshots: [COUNT - 1],
      async *snapshot() {
        yield new Uint8Array(100_000)
        await pause('snapshot')
        yield new Uint8Array(100_000)
      },
    }
  }

  const failing = (at: string) =>
    adopted(async (where) => {
      if (where === at) throw new Error(`cut off in ${where}`)
    })

  it.each(['entries', 'snapshot'])('leaves nothing in a directory: %s', async (where) => {
    const directory = newDirectory()
    const store = await fileStore(directory)
    await begin(store, 'other', 'one')
    await expect(store.adopt(failing(where))).rejects.toThrow(`cut off in ${where}`)
    expect((await store.list()).map(({ id }) => id)).toEqual(['other'])
    expect(readdirSync(directory).filter((name) => name.startsWith('snapshot'))).toEqual([])
    expect(await store.adopt(adopted(async () => undefined))).toBe(true)
    expect(await store.adopt(adopted(async () => undefined))).toBe(false)
    expect((await store.list()).map(({ id, version }) => [id, version])).toEqual([
      ['a', COUNT],
      ['other', 1],
    ])
  })

  it.each(['entries', 'snapshot'])('leaves nothing in a directory whose process ends: %s', async (where) => {
    const [directory, copy] = [newDirectory(), newDirectory()]
    const store = await fileStore(directory)
    await begin(store, 'other', 'one')
    const scene = adopted(async (at) => {
      if (at === where) cpSync(directory, copy, { recursive: true, filter: (path) => !path.includes('owner.') })
    })
    expect(await store.adopt(scene)).toBe(true)
    const found = await fileStore(copy)
    expect((await found.list()).map(({ id }) => id)).toEqual(['other'])
    expect(readdirSync(copy).filter((name) => name.startsWith('snapshot'))).toEqual([])
    expect(await found.adopt(adopted(async () => undefined))).toBe(true)
    await found.close()
    const again = await fileStore(copy)
    expect(await again.head('a')).toMatchObject({ version: COUNT, first: 1, snapshots: [COUNT - 1] })
  })

  it.each(['entries', 'snapshot'])('shows nothing in a database, and is swept away: %s', async (where) => {
    const url = await newDatabase()
    const store = (await openStore(url, { logRetentionMs: 0 })) as Opened & Adopting
    const rows = async (table: string) => {
      const [{ count }] = await sqlOn<{ count: string }>(url, `select count(*) from tangent.${table}`)
      return Number(count)
    }
    await expect(store.adopt(failing(where))).rejects.toThrow(`cut off in ${where}`)
    expect(await store.list()).toEqual([])
    expect(await store.head('a')).toBeNull()
    expect(await rows('entry')).toBeGreaterThan(0)
    for (let k = 0; k < 20 && (await rows('scene')) > 0; k++) {
      await sqlOn(url, 'update tangent.scene set claimed_at = null')
      await store.shared.sweep()
    }
    expect([await rows('scene'), await rows('entry'), await rows('snapshot'), await rows('chunk')]).toEqual([
      0, 0, 0, 0,
    ])
    // one that is under way is swept by nobody, nor seen
    const seen: unknown[] = []
    const scene = adopted(async () => {
      await store.shared.sweep()
      seen.push(await store.head('a'))
    })
    expect(await store.adopt(scene)).toBe(true)
    expect(seen).toEqual([null, null])
    expect(await store.adopt(adopted(async () => undefined))).toBe(false)
    expect(await store.head('a')).toMatchObject({ version: COUNT, first: 1, snapshots: [COUNT - 1] })
    expect([await rows('scene'), await rows('entry')]).toEqual([1, COUNT])
  })

  it('is not kept beside one that is begun meanwhile', async () => {
    for (const store of [await fileStore(), await postgresStore()]) {
      const scene = adopted(async (where) => {
        if (where === 'snapshot') await begin(store, 'a', 'first')
      })
      expect(await store.adopt(scene)).toBe(false)
      expect((await store.list()).map(({ id, version }) => [id, version])).toEqual([['a', 1]])
    }
  })

  it('goes on where it was', async () => {
    const directory = newDirectory()
    await writeScenes(directory, IDS)
    const from = await fileStore(directory)
    const database = await postgresStore()
    const moving = moveScenes(from, database, { prepare })
    await moving.next()
    await moving.next()
    await moving.return(undefined)
    const results = resultsOf(await move(from, database))
    expect(results).toEqual(IDS.map((id, k) => `${id} ${k < 2 ? 'there' : 'moved'}`))
    expect(await allOf(database)).toEqual(await allOf(from))
  })
})

/** Of the scene `a` there. */
const VERSION = 6

async function fileStoreOfOne(): Promise<Store> {
  const directory = newDirectory()
  await writeScenes(directory, ['a'])
  const store = await fileStore(directory)
  expect(await store.head('a')).toMatchObject({ version: VERSION, first: 1, snapshots: [] })
  return store
}

/** A store that does some things in another way. */
function changedStore<S extends SceneStore>(store: S, others: Partial<S>): S {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(name in others ? others : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('a scene that others write to while it is moved', () => {
  it('is said to have changed, and what there was is there', async () => {
    const from = await fileStoreOfOne()
    const to = await postgresStore()
    const writing = changedStore(to, {
      adopt: async (scene) => {
        const isKept = await to.adopt(scene)
        await grow(from, await standOf(from, 'a'), 'more')
        return isKept
      },
    })
    const [{ outcome }] = await move(from, writing)
    expect(outcome).toEqual({
      result: 'changed',
      reason: `it was written to while it was moved, which was as of version ${VERSION}`,
    })
    expect(await to.head('a')).toMatchObject({ version: VERSION })
  })
})

describe('what is read back', () => {
  it.each<[string, (to: Store) => Partial<Store>, string]>([
    ['is not there', () => ({ head: async () => null }), 'it is not there'],
    [
      'stands elsewhere',
      (to) => ({
        head: async (id) => {
          const head = await to.head(id)
          return head && { ...head, version: VERSION + 1 }
        },
      }),
      `it is at version ${VERSION + 1}, not at ${VERSION}`,
    ],
    [
      'is said to be another',
      (to) => ({
        head: async (id) => {
          const head = await to.head(id)
          return head && { ...head, digest: new Uint8Array(16) }
        },
      }),
      'it is said to have another digest',
    ],
    [
      'has an entry that is another',
      (to) => ({
        async *read(scene, first, last) {
          for await (const entry of to.read(scene, first, last)) {
            yield entry.version === 2 && entry.bytes !== null
              ? { ...entry, bytes: entry.bytes.map((byte, k) => (k === 40 ? byte ^ 1 : byte)) }
              : entry
          }
        },
      }),
      'its entry 2',
    ],
    [
      'lacks its first entry',
      (to) => ({
        head: async (id) => {
          const head = await to.head(id)
          return head && { ...head, first: 2 }
        },
      }),
      'something of its log is missing',
    ],
  ])('%s: that is told', async (_, others, reason) => {
    const from = await fileStoreOfOne()
    const to = await postgresStore()
    // asked of before anything is written, it tells the truth
    let isWritten = false
    const changed = others(to)
    const lying = changedStore(to, {
      adopt: async (scene) => {
        isWritten = await to.adopt(scene)
        return isWritten
      },
      head: (id) => (isWritten && changed.head ? changed.head(id) : to.head(id)),
      read: (scene, first, last) => (changed.read ?? to.read.bind(to))(scene, first, last),
    })
    const [{ outcome }] = await move(from, lying)
    expect(outcome).toMatchObject({ result: 'unlike', reason: expect.stringContaining(reason) })
  })
})

describe('damage', () => {
  it('leaves the scene out, and no other', async () => {
    const directory = newDirectory()
    await writeScenes(directory, IDS)
    const log = join(directory, readdirSync(directory).find((name) => name.startsWith('log-')) as string)
    const bytes = readFileSync(log)
    // a byte of the third entry of the first scene, which has few and no snapshot
    let at = 0
    for (let entry = 1; entry <= 3; entry++) at = bytes.indexOf('"operations"', at + 1)
    bytes[at + 20] ^= 1
    writeFileSync(log, bytes)
    const from = await fileStore(directory)
    const database = await postgresStore()
    const moved = await move(from, database)
    const left = moved.filter(({ outcome }) => outcome.result !== 'moved')
    expect(left).toHaveLength(1)
    expect(left[0]).toMatchObject({ outcome: { result: 'damaged', reason: expect.stringContaining('entry') } })
    const there = (await database.list()).map(({ id }) => id)
    expect(there).toEqual(IDS.filter((id) => id !== left[0].id))
  })

  it('of a snapshot lets the older one be moved', async () => {
    const directory = newDirectory()
    await writeScenes(directory, IDS)
    let from = await fileStore(directory)
    const head = (await from.list()).find(({ snapshots }) => snapshots.length === 2) as StoredScene
    await from.close()
    const path = join(directory, `snapshot-${head.incarnation}-${head.snapshots[0]}`)
    const bytes = readFileSync(path)
    bytes[200] ^= 1
    writeFileSync(path, bytes)
    from = await fileStore(directory)
    const database = await postgresStore()
    const moved = (await move(from, database)).find(({ id }) => id === head.id)
    expect(moved?.outcome).toMatchObject({ result: 'moved', notes: [expect.stringContaining('snapshot')] })
    expect(await database.head(head.id)).toMatchObject({ version: head.version, snapshots: [head.snapshots[1]] })
  })
})

describe('scenes of earlier releases', () => {
  /** Entries without ids of their writes; snapshots at 20 and 30 that say no digest, the log from `first` on. */
  async function earlier(first: number) {
    const store = await fileStore()
    let digest = firstDigest()
    const entries = Array.from({ length: 40 }, (_, k): NewEntry => {
      const operations = k === 0 ? [creation('a')] : putting(circle(`b${k}`, k))
      const bytes = encodeEntry({ version: k + 1, at: 1e12 + k, operations })
      digest = nextDigest(digest, firstDigest(), bytes)
      return { bytes, digest }
    })
    const begun = { id: 'a', incarnation: null, expectedVersion: 0, expectedDigest: firstDigest() }
    const { incarnation } = await store.append({ ...begun, entries })
    const life = { id: 'a', incarnation }
    for (const version of [20, 30]) {
      const stored = { ...life, version, first: 1, snapshots: [] }
      const folded = await foldScene(store, stored, prepare, { version, passOver: () => undefined })
      if (typeof folded === 'string') throw new Error(folded)
      await store.writeSnapshot(life, version, packSnapshot(version, withoutDigest([...encodeScene(folded.scene)])))
    }
    if (first > 1) await store.trim(life, first, [30, 20])
    return { store, entries }
  }

  /** As they were written before there were digests. */
  function withoutDigest([first, ...rest]: Uint8Array[]): Uint8Array[] {
    const { digest, ...settings } = JSON.parse(Buffer.from(first.subarray(24)).toString())
    expect(digest).toHaveLength(32)
    const json = Buffer.from(JSON.stringify(settings))
    const header = Buffer.from(first.subarray(0, 24))
    header.writeUInt32LE(json.length, 20)
    return [new Uint8Array(Buffer.concat([header, json])), ...rest]
  }

  it.each([1, 21])('begin at their newest snapshot, so that all replicas load the same: log from %i', async (first) => {
    const { store, entries } = await earlier(first)
    const served = await foldScene(store, (await store.head('a')) as StoredScene, prepare, {
      passOver: () => undefined,
    })
    if (typeof served === 'string') throw new Error(served)
    const url = await newDatabase()
    const database = await postgresStore(url)
    const [moved] = await move(store, database)
    expect(moved.outcome).toMatchObject({ result: 'moved', notes: [expect.stringContaining('before 31')] })
    const head = (await database.head('a')) as StoredScene
    expect(head).toMatchObject({ version: 40, first: 31, snapshots: [30] })
    // what clients know of it is what it was
    expect(hex(head.digest)).toBe(hex(served.scene.digest))
    expect((await contentOf(database, head)).entries).toEqual(entries.slice(30).map(({ bytes }) => hex(bytes)))
    const stores = await Promise.all([0, 1].map(() => openStore(url)))
    const keepers = await Promise.all(stores.map((each) => Keeper.open({ store: each, prepare })))
    const scenes = await Promise.all(keepers.map((keeper) => keeper.find('a')))
    expect(scenes.map((found) => hex(found?.scene?.digest))).toEqual([hex(head.digest), hex(head.digest)])
    await Promise.all(keepers.map((keeper) => keeper.close()))
  })

  it('keep their whole log where they have no snapshot', async () => {
    const { store } = await earlier(1)
    const head = (await store.head('a')) as StoredScene
    await store.trim(head, 1, [])
    const database = await postgresStore()
    expect(resultsOf(await move(store, database))).toEqual(['a moved'])
    expect(await database.head('a')).toMatchObject({ version: 40, first: 1 })
  })
})

it('takes a scene of which no entry is left but a snapshot', async () => {
  const directory = newDirectory()
  await writeScenes(directory, ['a', 'b'])
  const from = await fileStore(directory)
  const head = (await from.head('b')) as StoredScene
  const folded = await foldScene(from, head, prepare, { passOver: () => undefined })
  if (typeof folded === 'string') throw new Error(folded)
  const chunks = encodeScene(folded.scene, folded.writes.packed())
  await from.writeSnapshot(head, head.version, packSnapshot(head.version, chunks))
  await from.trim(head, head.version + 1, [head.version])
  const database = await postgresStore()
  expect(resultsOf(await move(from, database))).toEqual(['a moved', 'b moved'])
  const back = newDirectory()
  await move(database, await fileStore(back))
  await opened.pop()?.close()
  const again = await fileStore(back)
  expect(await again.head('b')).toMatchObject({
    version: head.version,
    first: head.version + 1,
    snapshots: [head.version],
  })
  expect(await allOf(again)).toEqual(await allOf(from))
})
