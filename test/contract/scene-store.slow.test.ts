// What every store of scenes promises, asked of each of them; and what those promise that several processes write to, with two handles.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../src/scene/postgres/postgres-store.ts'
import { openFileStore } from '../../src/scene/store/file-store.ts'
import { MemoryStore } from '../../src/scene/store/memory-store.ts'
import { type SceneStore, StoreClosed, StoreFull } from '../../src/scene/store/store.ts'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { missingDebianServer, startDebianServer } from '../support/databases/debian-server.ts'
import { startServer } from '../support/databases/embedded-server.ts'
import { missingPgbouncer, startPgbouncer } from '../support/databases/pgbouncer.ts'
import { databaseUrl, emptySceneDatabase } from '../support/databases/scene-databases.ts'
import { runCount } from '../support/runs.ts'
import {
  appendTo,
  begin,
  dropOf,
  grow,
  lifeOf,
  type Stand,
  standAfter,
  standOf,
  textOf,
  unbegun,
} from '../support/services/written-scenes.ts'

type Options = { maxBytes?: number }
interface Adapter {
  name: string
  /** Why it cannot be tried here, for people; null: it can. */
  missing?: () => Promise<string | null>
  start?: () => Promise<void>
  stop?: () => Promise<void>
  open(options?: Options): Promise<SceneStore>
  /** Opens again what `open` opened last; absent where nothing lasts. */
  reopen?(options?: Options): Promise<SceneStore>
  /** Whether it is kept small by itself, and knows its size. */
  isMeasured: boolean
}

type Front = (server: DatabaseServer) => Promise<{ url: string; dispose(): Promise<void> }>

const directories: string[] = []
const opened: SceneStore[] = []
let directory = ''
const keep = (store: SceneStore) => {
  opened.push(store)
  return store
}

/** What `writer` writes, and all the rest by `other`: as two processes would. */
function splitStore(writer: SceneStore, other: SceneStore): SceneStore {
  return {
    shared: other.shared,
    append: (append) => writer.append(append),
    drop: (life, last) => writer.drop(life, last),
    list: () => other.list(),
    head: (id) => other.head(id),
    read: (life, from, to) => other.read(life, from, to),
    writeSnapshot: (life, version, chunks) => other.writeSnapshot(life, version, chunks),
    readSnapshot: (life, version) => writer.readSnapshot(life, version),
    trim: (life, first, snapshots) => writer.trim(life, first, snapshots),
    usage: () => other.usage(),
    close: async () => {
      await Promise.all([writer.close(), other.close()])
    },
  }
}

/** On a server of its own. `front`: what stands between. */
function postgres(
  name: string,
  missing: () => Promise<string | null>,
  start: () => Promise<DatabaseServer>,
  { front, isSplit = false }: { front?: Front; isSplit?: boolean } = {},
): Adapter {
  let server: DatabaseServer
  let pooler: { url: string; dispose(): Promise<void> } | undefined
  let database = ''
  const handle = () => {
    const url = databaseUrl((pooler ?? server).url, database)
    return openPostgresStore({ connection: { url }, logRetentionMs: 0, hasPooler: pooler !== undefined })
  }
  const reopen = async () => keep(isSplit ? splitStore(await handle(), await handle()) : await handle())
  return {
    name,
    missing,
    start: async () => {
      server = await start()
      pooler = await front?.(server)
    },
    stop: async () => {
      await pooler?.dispose()
      await server?.dispose()
    },
    open: async () => {
      database = await emptySceneDatabase(server)
      return reopen()
    },
    reopen,
    isMeasured: false,
  }
}

const adapters: Adapter[] = [
  { name: 'memory', open: async (options) => keep(new MemoryStore(options)), isMeasured: true },
  {
    name: 'file',
    async open(options) {
      directory = mkdtempSync(join(tmpdir(), 'tangent-store-'))
      directories.push(directory)
      return keep(await openFileStore({ directory, ...options }))
    },
    reopen: async (options) => keep(await openFileStore({ directory, ...options })),
    isMeasured: true,
  },
  postgres('PostgreSQL 18', async () => null, startServer),
  postgres('PostgreSQL 15', missingDebianServer, startDebianServer),
  postgres('PostgreSQL through pgbouncer', missingPgbouncer, startServer, {
    front: ({ port }) => startPgbouncer(port),
  }),
  postgres('PostgreSQL by two handles', async () => null, startServer, { isSplit: true }),
]

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

async function entriesOf(store: SceneStore, id: string, from = 1, to?: number) {
  const entries: [number, string | null][] = []
  const life = (await store.head(id)) ?? { id, incarnation: 0 }
  for await (const entry of store.read(life, from, to)) entries.push([entry.version, textOf(entry.bytes)])
  return entries
}

async function* pieces(...chunks: string[]) {
  for (const chunk of chunks) {
    await new Promise((resolve) => setImmediate(resolve))
    yield new Uint8Array(Buffer.from(chunk))
  }
}

async function chunksOf(store: SceneStore, id: string, version: number) {
  const chunks: (string | null)[] = []
  const life = (await store.head(id)) ?? { id, incarnation: 0 }
  for await (const chunk of store.readSnapshot(life, version)) chunks.push(textOf(chunk))
  return chunks
}

const settled = ({ version, conflict }: { version: number; conflict: boolean }) => [version, conflict]

/** What is told of scenes, but for what stores need not have. */
const told = (scenes: Awaited<ReturnType<SceneStore['list']>>) =>
  scenes.map(({ id, version, first, snapshots }) => ({ id, version, first, snapshots }))

// asked before tests are named, so that those that cannot be had say why
const reasons = new Map<string, string>()
for (const { name, missing } of adapters) {
  const reason = await missing?.()
  if (reason) reasons.set(name, reason)
}
const isHere = ({ name }: Adapter) => !reasons.has(name)

describe.skipIf(reasons.size === 0)('cannot be had here', () => {
  it.skip.each([...reasons])('%s: %s', () => {})
})

describe.each(adapters.filter(isHere))('$name', ({ start, stop, open, reopen, isMeasured }) => {
  beforeAll(async () => start?.())
  afterAll(async () => stop?.())

  it('begins empty', async () => {
    const store = await open()
    expect(await store.list()).toEqual([])
    expect(await entriesOf(store, 'none')).toEqual([])
    expect(await chunksOf(store, 'none', 1)).toEqual([])
    expect(settled(await dropOf(store, { ...unbegun('none'), incarnation: 1 }))).toEqual([0, true])
  })

  it('numbers entries from 1 and reads them back from any version', async () => {
    const store = await open()
    const first = appendTo(unbegun('a'), ['one'])
    const begun = await store.append(first)
    expect(settled(begun)).toEqual([1, false])
    expect((await grow(store, standAfter(first, begun), 'two', 'three')).version).toBe(3)
    expect(await entriesOf(store, 'a')).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ])
    expect(await entriesOf(store, 'a', 3)).toEqual([[3, 'three']])
    expect(await entriesOf(store, 'a', 4)).toEqual([])
    expect(told(await store.list())).toEqual([{ id: 'a', version: 3, first: 1, snapshots: [] }])
  })

  it('reads a part of the log, and tells of one scene', async () => {
    const store = await open()
    expect(await store.head('a')).toBeNull()
    const a = await begin(store, 'a', 'one', 'two', 'three', 'four')
    await begin(store, 'b', 'other')
    const read = async (from: number, to: number) => (await entriesOf(store, 'a', from, to)).map(([version]) => version)
    expect(await read(2, 3)).toEqual([2, 3])
    expect(await read(3, 9)).toEqual([3, 4])
    expect(await read(3, 2)).toEqual([])
    await store.writeSnapshot(lifeOf(a), 3, pieces('three'))
    await store.trim(lifeOf(a), 3, [3])
    expect(await store.head('a')).toMatchObject({ id: 'a', version: 4, first: 3, snapshots: [3] })
    expect((await store.list()).find(({ id }) => id === 'a')).toEqual(await store.head('a'))
    for (const [version, left] of await entriesOf(store, 'a', 2, 3)) expect(left === null).toBe(version === 2)
    await dropOf(store, a)
    expect(await store.head('a')).toBeNull()
  })

  it('writes nothing when the version is another', async () => {
    const store = await open()
    const at = async (stand: Stand, version: number) =>
      settled(await store.append(appendTo({ ...stand, version }, ['x'])))
    expect(await at({ ...unbegun('a'), incarnation: 1 }, 1)).toEqual([0, true])
    expect(await store.list()).toEqual([])
    const a = await begin(store, 'a', 'one')
    expect(await at(unbegun('a'), 0)).toEqual([1, true])
    expect(await at(a, 2)).toEqual([1, true])
    expect(await at(a, 0)).toEqual([1, true])
    expect(await entriesOf(store, 'a')).toEqual([[1, 'one']])
  })

  it('takes an append before the one it builds on has resolved', async () => {
    const store = await open()
    const a = await begin(store, 'a', 'x')
    const chain: Stand[] = [a]
    const appends = [0, 1, 2, 3, 4].map((k) => {
      const append = appendTo(chain[k], ['x'])
      chain.push({ ...chain[k], version: chain[k].version + 1, digest: append.entries[0].digest })
      return append
    })
    const order = [0, 1, 2, 4, 3]
    const answers = await Promise.all(order.map((k) => store.append(appends[k])))
    expect(answers.map(settled)).toEqual([
      [2, false],
      [3, false],
      [4, false],
      [4, true],
      [5, false],
    ])
  })

  it('lets one of many win, and versions stay dense', async () => {
    const store = await open()
    const won = new Set<string>()
    const first = await begin(store, 'a', '1 by all')
    won.add('1 by all')
    await Promise.all(
      Array.from({ length: 50 }, async (_, writer) => {
        for (let stand = first; stand.version < 20; ) {
          const entry = `${stand.version + 1} by ${writer}`
          const append = appendTo(stand, [entry])
          const answer = await store.append(append)
          if (!answer.conflict) won.add(entry)
          stand = answer.conflict ? await standOf(store, 'a') : standAfter(append, answer)
        }
      }),
    )
    const entries = await entriesOf(store, 'a')
    expect(entries.map(([version]) => version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(new Set(entries.map(([, entry]) => entry))).toEqual(won)
  })

  it('lets one of many begin a scene', async () => {
    const store = await open()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, k) => store.append(appendTo(unbegun('a'), [`by ${k}`]))),
    )
    expect(answers.filter(({ conflict }) => !conflict)).toHaveLength(1)
    expect(answers.map(({ version }) => version)).toEqual(Array(20).fill(1))
    expect(await entriesOf(store, 'a')).toHaveLength(1)
  })

  it('keeps scenes apart, whatever they are called', async () => {
    const store = await open()
    const ids = ['a', 'a:1', 'a.1', 'A', '1', 'meta', 'log', 'scene', 'null', '-', '_'.repeat(128)]
    await Promise.all(ids.map((id) => begin(store, id, `of ${id}`)))
    for (const id of ids) expect(await entriesOf(store, id)).toEqual([[1, `of ${id}`]])
    expect((await store.list()).map(({ id }) => id)).toEqual([...ids].sort())
  })

  it('hands every byte back', async () => {
    const store = await open()
    const every = Uint8Array.from({ length: 256 }, (_, value) => value)
    const large = new Uint8Array(3_000_001).map((_, index) => index * 31)
    const inside = new Uint8Array(large.buffer, 1000, 2000)
    const a = await begin(store, 'a', new Uint8Array(0), every, large, inside)
    const read: Uint8Array[] = []
    for await (const entry of store.read(lifeOf(a), 1)) read.push(entry.bytes!)
    expect(read.map(({ length }) => length)).toEqual([0, 256, large.length, 2000])
    expect([every, large, inside].every((given, index) => Buffer.compare(given, read[index + 1]) === 0)).toBe(true)
  })

  it('keeps snapshots whole, newest first', async () => {
    const store = await open()
    const a = lifeOf(await begin(store, 'a', '1', '2', '3', '4'))
    expect(await store.writeSnapshot(a, 2, pieces('x', 'y'))).toBe(true)
    expect(await store.writeSnapshot(a, 4, pieces())).toBe(true)
    expect(await store.writeSnapshot(a, 3, pieces('z'))).toBe(true)
    expect((await store.list())[0].snapshots).toEqual([4, 3, 2])
    expect(await chunksOf(store, 'a', 2)).toEqual(['x', 'y'])
    expect(await chunksOf(store, 'a', 4)).toEqual([])
    await store.writeSnapshot(a, 2, pieces('w'))
    expect(await chunksOf(store, 'a', 2)).toEqual(['w'])
    expect((await store.list())[0].snapshots).toEqual([4, 3, 2])
    expect(await store.writeSnapshot({ id: 'none', incarnation: 99 }, 1, pieces('x'))).toBe(false)
  })

  it('keeps nothing of a snapshot that was not finished', async () => {
    const store = await open()
    const a = lifeOf(await begin(store, 'a', '1'))
    async function* broken() {
      yield new Uint8Array(10)
      throw new Error('no more')
    }
    await expect(store.writeSnapshot(a, 1, broken())).rejects.toThrow('no more')
    expect((await store.list())[0].snapshots).toEqual([])
    expect(await chunksOf(store, 'a', 1)).toEqual([])
    expect(await store.writeSnapshot(a, 1, pieces('x'))).toBe(true)
    expect(await chunksOf(store, 'a', 1)).toEqual(['x'])
  })

  it('trims the log and drops the snapshots that are not named', async () => {
    const store = await open()
    const a = await begin(store, 'a', ...Array.from({ length: 3000 }, (_, index) => `${index + 1}`))
    for (const version of [1000, 2000, 3000]) await store.writeSnapshot(lifeOf(a), version, pieces(`at ${version}`))
    const before = store.usage().bytes
    await store.trim(lifeOf(a), 2001, [3000, 2000])
    expect(told(await store.list())).toEqual([{ id: 'a', version: 3000, first: 2001, snapshots: [3000, 2000] }])
    expect(await entriesOf(store, 'a', 2999)).toEqual([
      [2999, '2999'],
      [3000, '3000'],
    ])
    expect(await entriesOf(store, 'a', 2000)).toMatchObject({ 0: [2000, null], 1: [2001, '2001'] })
    expect(await chunksOf(store, 'a', 1000)).toEqual([])
    expect(await chunksOf(store, 'a', 2000)).toEqual(['at 2000'])
    if (isMeasured) expect(store.usage().bytes).toBeLessThan(before)
    expect((await grow(store, a, 'next')).version).toBe(3001)
  })

  it('forgets a scene that is dropped, and begins it anew', async () => {
    const store = await open()
    const a = await begin(store, 'a', '1', '2')
    await begin(store, 'b', 'b')
    await store.writeSnapshot(lifeOf(a), 2, pieces('x'))
    expect((await dropOf(store, a)).conflict).toBe(false)
    expect(settled(await dropOf(store, a))).toEqual([0, true])
    expect((await store.list()).map(({ id }) => id)).toEqual(['b'])
    expect(await entriesOf(store, 'a')).toEqual([])
    expect(settled(await store.append(appendTo(a, ['x'])))).toEqual([0, true])
    const anew = await begin(store, 'a', 'anew')
    expect(anew.version).toBe(1)
    expect(anew.incarnation).toBeGreaterThan(a.incarnation!)
    expect(await entriesOf(store, 'a')).toEqual([[1, 'anew']])
    expect(await chunksOf(store, 'a', 2)).toEqual([])
    // what was meant for the life before does not reach this one
    expect((await store.append(appendTo({ ...anew, incarnation: a.incarnation }, ['x']))).conflict).toBe(true)
    expect((await dropOf(store, { ...anew, incarnation: a.incarnation })).conflict).toBe(true)
    expect(await entriesOf(store, 'a')).toEqual([[1, 'anew']])
  })

  it('gives up a snapshot whose scene is dropped meanwhile', async () => {
    const store = await open()
    const a = await begin(store, 'a', '1')
    async function* meanwhile() {
      yield new Uint8Array(1)
      await dropOf(store, a)
      await begin(store, 'a', 'anew')
      yield new Uint8Array(1)
    }
    expect(await store.writeSnapshot(lifeOf(a), 1, meanwhile())).toBe(false)
    expect(told(await store.list())).toEqual([{ id: 'a', version: 1, first: 1, snapshots: [] }])
  })

  it.runIf(isMeasured)('says when it is full, loses nothing, and works on once there is room', async () => {
    const store = await open({ maxBytes: 420_000 })
    const block = new Uint8Array(50_000).fill(7)
    let a = unbegun('a')
    const refused = async () => {
      for (;;) {
        try {
          a = await grow(store, a, block)
        } catch (error) {
          return error
        }
      }
    }
    const error = (await refused()) as Error
    expect(error).toBeInstanceOf(StoreFull)
    expect(error.name).toBe('StoreFull')
    expect(a.version).toBeGreaterThanOrEqual(5)
    expect((await entriesOf(store, 'a')).length).toBe(a.version)
    // What is small enough still goes in, also beside something that is not.
    const mixed = await Promise.allSettled([
      store.append(appendTo(a, [block, block])),
      begin(store, 'b', 'small'),
      store.append(appendTo({ ...a, version: a.version + 2 }, [block])),
    ])
    expect(mixed.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(mixed[2]).toMatchObject({ value: { version: a.version, conflict: true } })
    await store.writeSnapshot(lifeOf(a), a.version, pieces('all'))
    await store.trim(lifeOf(a), a.version + 1, [a.version])
    expect((await grow(store, a, block)).version).toBe(a.version + 1)
    expect(store.usage().maxBytes).toBe(420_000)
  })

  it('holds thousands of entries, written by many at once', async () => {
    const store = await open()
    const count = runCount(500)
    await Promise.all(
      Array.from({ length: 20 }, async (_, scene) => {
        let stand = unbegun(`scene-${scene}`)
        while (stand.version < count) stand = await grow(store, stand, `${scene}/${stand.version + 1}`)
      }),
    )
    for (let scene = 0; scene < 20; scene++) {
      const entries = await entriesOf(store, `scene-${scene}`)
      expect(entries).toEqual(Array.from({ length: count }, (_, index) => [index + 1, `${scene}/${index + 1}`]))
    }
  })

  it('hands out small entries and large ones alike, from any version', async () => {
    const store = await open()
    const sizes = [10, 70_000, 10, 40_000, 40_000, 0, 200_000, ...Array<number>(100).fill(3), 65_536, 1]
    const a = await begin(store, 'a', ...sizes.map((size) => 'x'.repeat(size)))
    const all = sizes.map((size, index) => [index + 1, size])
    for (const from of [1, 2, 3, 4, 7, 8, 44, 108, 109, 110]) {
      for (const to of [from - 1, from, from + 1, from + 63, from + 64, Infinity]) {
        const read: [number, number | undefined][] = []
        for await (const { version, bytes } of store.read(lifeOf(a), from, to)) read.push([version, bytes?.length])
        expect(read).toEqual(all.slice(from - 1, Math.max(to, 0)))
      }
    }
  })

  it('hands out a long log, and no more of it than is wanted', async () => {
    const store = await open()
    const payload = 'x'.repeat(700)
    let a = await begin(store, 'a', payload)
    for (let part = 0; part < runCount(20); part++) a = await grow(store, a, ...Array<string>(1000).fill(payload))
    let expected = 1
    for await (const { version, bytes } of store.read(lifeOf(a), 1)) {
      if (version !== expected++ || bytes?.length !== 700) throw new Error(`${version} is out of order`)
    }
    expect(expected).toBe(a.version + 1)
    for await (const { version } of store.read(lifeOf(a), 1)) if (version === 1500) break
    await store.close()
  })

  it('finishes what was begun when it closes, and takes nothing afterwards', async () => {
    const store = await open()
    const begun = store.append(appendTo(unbegun('a'), ['1']))
    await store.close()
    expect(settled(await begun)).toEqual([1, false])
    const a = { ...unbegun('a'), incarnation: 1, version: 1 }
    await expect(store.append(appendTo(a, ['2']))).rejects.toThrow(StoreClosed)
    await expect(dropOf(store, a)).rejects.toThrow(StoreClosed)
    const everything = async (from: AsyncIterable<unknown>) => {
      for await (const _ of from);
    }
    await expect(everything(store.read(lifeOf(a), 1))).rejects.toThrow(StoreClosed)
    await expect(everything(store.readSnapshot(lifeOf(a), 1))).rejects.toThrow(StoreClosed)
    await expect(store.list()).rejects.toThrow(StoreClosed)
    await expect(store.head('a')).rejects.toThrow(StoreClosed)
    await store.close()
  })

  if (reopen !== undefined) {
    it('finds everything again', async () => {
      const first = await open()
      const a = await begin(first, 'a', '1', '2', '3')
      const b = await begin(first, 'b', 'b')
      await begin(first, 'c', 'c')
      await first.writeSnapshot(lifeOf(a), 2, pieces('x', 'y'))
      await first.trim(lifeOf(a), 3, [2])
      await dropOf(first, b)
      const listed = await first.list()
      await first.close()
      const second = await reopen()
      expect(await second.list()).toEqual(listed)
      expect(await entriesOf(second, 'a', 3)).toEqual([[3, '3']])
      expect(await chunksOf(second, 'a', 2)).toEqual(['x', 'y'])
      expect(await entriesOf(second, 'b')).toEqual([])
      expect((await begin(second, 'b', 'anew')).version).toBe(1)
      expect(await entriesOf(second, 'b')).toEqual([[1, 'anew']])
      expect(await entriesOf(second, 'c')).toEqual([[1, 'c']])
    })

    it.runIf(isMeasured)('clears away what a dropped scene and half a snapshot left behind', async () => {
      const first = await open()
      const block = new Uint8Array(20_000)
      const a = await begin(first, 'a', '1')
      const small = first.usage().bytes
      const b = await begin(first, 'b', ...Array<Uint8Array>(50).fill(block))
      async function* broken() {
        for (let count = 0; count < 50; count++) yield block
        throw new Error('no more')
      }
      await expect(first.writeSnapshot(lifeOf(a), 1, broken())).rejects.toThrow('no more')
      const dropped = dropOf(first, b)
      await first.close()
      expect((await dropped).conflict).toBe(false)
      const second = await reopen()
      await expect.poll(() => second.usage().bytes, { timeout: 30_000 }).toBeLessThanOrEqual(2 * small)
      expect(await entriesOf(second, 'a')).toEqual([[1, '1']])
    })
  }
})
