// What every store of scenes promises, asked of each of them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openFileStore } from '../../src/scene/store/file-store.ts'
import { MemoryStore } from '../../src/scene/store/memory-store.ts'
import { type SceneStore, StoreClosed, StoreFull } from '../../src/scene/store/store.ts'

type Options = { maxBytes?: number }
interface Adapter {
  name: string
  open(options?: Options): Promise<SceneStore>
  /** Opens again what `open` opened last; absent where nothing lasts. */
  reopen?(options?: Options): Promise<SceneStore>
}

const directories: string[] = []
const opened: SceneStore[] = []
let directory = ''
const keep = (store: SceneStore) => {
  opened.push(store)
  return store
}

const adapters: Adapter[] = [
  { name: 'memory', open: async (options) => keep(new MemoryStore(options)) },
  {
    name: 'file',
    async open(options) {
      directory = mkdtempSync(join(tmpdir(), 'tangent-store-'))
      directories.push(directory)
      return keep(await openFileStore({ directory, ...options }))
    },
    reopen: async (options) => keep(await openFileStore({ directory, ...options })),
  },
]

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const text = (value: Uint8Array | null) => (value === null ? null : Buffer.from(value).toString())

async function entriesOf(store: SceneStore, scene: string, from = 1) {
  const entries: [number, string | null][] = []
  for await (const entry of store.read(scene, from)) entries.push([entry.version, text(entry.bytes)])
  return entries
}

async function* pieces(...chunks: Uint8Array[]) {
  for (const chunk of chunks) {
    await new Promise((resolve) => setImmediate(resolve))
    yield chunk
  }
}

async function chunksOf(store: SceneStore, scene: string, version: number) {
  const chunks: (string | null)[] = []
  for await (const chunk of store.readSnapshot(scene, version)) chunks.push(text(chunk))
  return chunks
}

describe.each(adapters)('$name', ({ open, reopen }) => {
  it('begins empty', async () => {
    const store = await open()
    expect(await store.list()).toEqual([])
    expect(await entriesOf(store, 'none')).toEqual([])
    expect(await chunksOf(store, 'none', 1)).toEqual([])
    expect(await store.drop('none')).toBe(false)
  })

  it('numbers entries from 1 and reads them back from any version', async () => {
    const store = await open()
    expect(await store.append('a', 0, [bytes('one')])).toEqual({ version: 1, conflict: false })
    expect(await store.append('a', 1, [bytes('two'), bytes('three')])).toEqual({ version: 3, conflict: false })
    expect(await entriesOf(store, 'a')).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ])
    expect(await entriesOf(store, 'a', 3)).toEqual([[3, 'three']])
    expect(await entriesOf(store, 'a', 4)).toEqual([])
    expect(await store.list()).toEqual([{ id: 'a', version: 3, first: 1, snapshots: [] }])
  })

  it('reads a part of the log, and tells of one scene', async () => {
    const store = await open()
    expect(await store.head('a')).toBeNull()
    await store.append('a', 0, ['one', 'two', 'three', 'four'].map(bytes))
    await store.append('b', 0, [bytes('other')])
    const read = async (from: number, to: number) => {
      const versions: number[] = []
      for await (const { version } of store.read('a', from, to)) versions.push(version)
      return versions
    }
    expect(await read(2, 3)).toEqual([2, 3])
    expect(await read(3, 9)).toEqual([3, 4])
    expect(await read(3, 2)).toEqual([])
    await store.writeSnapshot('a', 3, pieces(bytes('three')))
    await store.trim('a', 3, [3])
    expect(await store.head('a')).toEqual({ id: 'a', version: 4, first: 3, snapshots: [3] })
    expect((await store.list()).find(({ id }) => id === 'a')).toEqual(await store.head('a'))
    for await (const { version, bytes: left } of store.read('a', 2, 3)) expect(left === null).toBe(version === 2)
    await store.drop('a')
    expect(await store.head('a')).toBeNull()
  })

  it('writes nothing when the version is another', async () => {
    const store = await open()
    expect(await store.append('a', 1, [bytes('x')])).toEqual({ version: 0, conflict: true })
    expect(await store.list()).toEqual([])
    await store.append('a', 0, [bytes('one')])
    expect(await store.append('a', 0, [bytes('x')])).toEqual({ version: 1, conflict: true })
    expect(await store.append('a', 2, [bytes('x')])).toEqual({ version: 1, conflict: true })
    expect(await entriesOf(store, 'a')).toEqual([[1, 'one']])
  })

  it('takes an append before the one it builds on has resolved', async () => {
    const store = await open()
    const answers = await Promise.all([0, 1, 2, 3, 5, 4].map((version) => store.append('a', version, [bytes('x')])))
    expect(answers.map(({ version, conflict }) => [version, conflict])).toEqual([
      [1, false],
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
    await Promise.all(
      Array.from({ length: 50 }, async (_, writer) => {
        for (let version = 0; version < 20; ) {
          const entry = `${version + 1} by ${writer}`
          const answer = await store.append('a', version, [bytes(entry)])
          if (!answer.conflict) won.add(entry)
          version = answer.version
        }
      }),
    )
    const entries = await entriesOf(store, 'a')
    expect(entries.map(([version]) => version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(new Set(entries.map(([, entry]) => entry))).toEqual(won)
  })

  it('keeps scenes apart, whatever they are called', async () => {
    const store = await open()
    const ids = ['a', 'a:1', 'a.1', 'A', '1', 'meta', 'log', 'scene', '-', '_'.repeat(128)]
    await Promise.all(ids.map((id) => store.append(id, 0, [bytes(`of ${id}`)])))
    for (const id of ids) expect(await entriesOf(store, id)).toEqual([[1, `of ${id}`]])
    expect((await store.list()).map(({ id }) => id)).toEqual([...ids].sort())
  })

  it('hands every byte back', async () => {
    const store = await open()
    const every = Uint8Array.from({ length: 256 }, (_, value) => value)
    const large = new Uint8Array(3_000_001).map((_, index) => index * 31)
    const inside = new Uint8Array(large.buffer, 1000, 2000)
    await store.append('a', 0, [new Uint8Array(0), every, large, inside])
    const read: Uint8Array[] = []
    for await (const entry of store.read('a', 1)) read.push(entry.bytes!)
    expect(read.map(({ length }) => length)).toEqual([0, 256, large.length, 2000])
    expect([every, large, inside].every((given, index) => Buffer.compare(given, read[index + 1]) === 0)).toBe(true)
  })

  it('keeps snapshots whole, newest first', async () => {
    const store = await open()
    await store.append('a', 0, ['1', '2', '3', '4'].map(bytes))
    expect(await store.writeSnapshot('a', 2, pieces(bytes('x'), bytes('y')))).toBe(true)
    expect(await store.writeSnapshot('a', 4, pieces())).toBe(true)
    expect(await store.writeSnapshot('a', 3, pieces(bytes('z')))).toBe(true)
    expect((await store.list())[0].snapshots).toEqual([4, 3, 2])
    expect(await chunksOf(store, 'a', 2)).toEqual(['x', 'y'])
    expect(await chunksOf(store, 'a', 4)).toEqual([])
    await store.writeSnapshot('a', 2, pieces(bytes('w')))
    expect(await chunksOf(store, 'a', 2)).toEqual(['w'])
    expect((await store.list())[0].snapshots).toEqual([4, 3, 2])
    expect(await store.writeSnapshot('none', 1, pieces(bytes('x')))).toBe(false)
  })

  it('keeps nothing of a snapshot that was not finished', async () => {
    const store = await open()
    await store.append('a', 0, [bytes('1')])
    async function* broken() {
      yield bytes('x')
      throw new Error('no more')
    }
    await expect(store.writeSnapshot('a', 1, broken())).rejects.toThrow('no more')
    expect((await store.list())[0].snapshots).toEqual([])
    expect(await chunksOf(store, 'a', 1)).toEqual([])
  })

  it('trims the log and drops the snapshots that are not named', async () => {
    const store = await open()
    await store.append(
      'a',
      0,
      Array.from({ length: 3000 }, (_, index) => bytes(`${index + 1}`)),
    )
    for (const version of [1000, 2000, 3000]) await store.writeSnapshot('a', version, pieces(bytes(`at ${version}`)))
    const before = store.usage().bytes
    await store.trim('a', 2001, [3000, 2000])
    expect(await store.list()).toEqual([{ id: 'a', version: 3000, first: 2001, snapshots: [3000, 2000] }])
    expect(await entriesOf(store, 'a', 2999)).toEqual([
      [2999, '2999'],
      [3000, '3000'],
    ])
    expect(await entriesOf(store, 'a', 2000)).toMatchObject({ 0: [2000, null], 1: [2001, '2001'] })
    expect(await chunksOf(store, 'a', 1000)).toEqual([])
    expect(await chunksOf(store, 'a', 2000)).toEqual(['at 2000'])
    expect(store.usage().bytes).toBeLessThan(before)
    expect(await store.append('a', 3000, [bytes('next')])).toEqual({ version: 3001, conflict: false })
  })

  it('forgets a scene that is dropped, and begins it anew', async () => {
    const store = await open()
    await store.append('a', 0, ['1', '2'].map(bytes))
    await store.append('b', 0, [bytes('b')])
    await store.writeSnapshot('a', 2, pieces(bytes('x')))
    expect(await store.drop('a')).toBe(true)
    expect(await store.drop('a')).toBe(false)
    expect((await store.list()).map(({ id }) => id)).toEqual(['b'])
    expect(await entriesOf(store, 'a')).toEqual([])
    expect(await store.append('a', 2, [bytes('x')])).toEqual({ version: 0, conflict: true })
    expect(await store.append('a', 0, [bytes('anew')])).toEqual({ version: 1, conflict: false })
    expect(await entriesOf(store, 'a')).toEqual([[1, 'anew']])
    expect(await chunksOf(store, 'a', 2)).toEqual([])
  })

  it('gives up a snapshot whose scene is dropped meanwhile', async () => {
    const store = await open()
    await store.append('a', 0, [bytes('1')])
    async function* meanwhile() {
      yield bytes('x')
      await store.drop('a')
      await store.append('a', 0, [bytes('anew')])
      yield bytes('y')
    }
    expect(await store.writeSnapshot('a', 1, meanwhile())).toBe(false)
    expect(await store.list()).toEqual([{ id: 'a', version: 1, first: 1, snapshots: [] }])
  })

  it('says when it is full, loses nothing, and works on once there is room', async () => {
    const store = await open({ maxBytes: 420_000 })
    const block = new Uint8Array(50_000).fill(7)
    let version = 0
    const refused = async () => {
      for (;;) {
        try {
          await store.append('a', version, [block])
          version++
        } catch (error) {
          return error
        }
      }
    }
    const error = (await refused()) as Error
    expect(error).toBeInstanceOf(StoreFull)
    expect(error.name).toBe('StoreFull')
    expect(version).toBeGreaterThanOrEqual(5)
    expect((await entriesOf(store, 'a')).length).toBe(version)
    // What is small enough still goes in, also beside something that is not.
    const mixed = await Promise.allSettled([
      store.append('a', version, [block, block]),
      store.append('b', 0, [bytes('small')]),
      store.append('a', version + 2, [block]),
    ])
    expect(mixed.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(mixed[2]).toMatchObject({ value: { version, conflict: true } })
    await store.writeSnapshot('a', version, pieces(bytes('all')))
    await store.trim('a', version + 1, [version])
    expect(await store.append('a', version, [block])).toEqual({ version: version + 1, conflict: false })
    expect(store.usage().maxBytes).toBe(420_000)
  })

  it('holds 10,000 entries, written by many at once', async () => {
    const store = await open()
    await Promise.all(
      Array.from({ length: 20 }, async (_, scene) => {
        for (let version = 0; version < 500; version++) {
          await store.append(`scene-${scene}`, version, [bytes(`${scene}/${version + 1}`)])
        }
      }),
    )
    for (let scene = 0; scene < 20; scene++) {
      const entries = await entriesOf(store, `scene-${scene}`)
      expect(entries).toEqual(Array.from({ length: 500 }, (_, index) => [index + 1, `${scene}/${index + 1}`]))
    }
  })

  it('finishes what was begun when it closes, and takes nothing afterwards', async () => {
    const store = await open()
    const begun = store.append('a', 0, [bytes('1')])
    await store.close()
    expect(await begun).toEqual({ version: 1, conflict: false })
    await expect(store.append('a', 1, [bytes('2')])).rejects.toThrow(StoreClosed)
    await expect(store.drop('a')).rejects.toThrow(StoreClosed)
    await expect(entriesOf(store, 'a')).rejects.toThrow(StoreClosed)
    await expect(chunksOf(store, 'a', 1)).rejects.toThrow(StoreClosed)
    await expect(store.list()).rejects.toThrow(StoreClosed)
    await store.close()
  })

  if (reopen !== undefined) {
    it('finds everything again', async () => {
      const first = await open()
      await first.append('a', 0, ['1', '2', '3'].map(bytes))
      await first.append('b', 0, [bytes('b')])
      await first.append('c', 0, [bytes('c')])
      await first.writeSnapshot('a', 2, pieces(bytes('x'), bytes('y')))
      await first.trim('a', 3, [2])
      await first.drop('b')
      const listed = await first.list()
      await first.close()
      const second = await reopen()
      expect(await second.list()).toEqual(listed)
      expect(await entriesOf(second, 'a', 3)).toEqual([[3, '3']])
      expect(await chunksOf(second, 'a', 2)).toEqual(['x', 'y'])
      expect(await entriesOf(second, 'b')).toEqual([])
      expect(await second.append('b', 0, [bytes('anew')])).toEqual({ version: 1, conflict: false })
      expect(await entriesOf(second, 'b')).toEqual([[1, 'anew']])
      expect(await entriesOf(second, 'c')).toEqual([[1, 'c']])
    })

    it('clears away what a dropped scene and half a snapshot left behind', async () => {
      const first = await open()
      const block = new Uint8Array(20_000)
      await first.append('a', 0, [bytes('1')])
      const small = first.usage().bytes
      await first.append('b', 0, Array(50).fill(block))
      async function* broken() {
        for (let count = 0; count < 50; count++) yield block
        throw new Error('no more')
      }
      await expect(first.writeSnapshot('a', 1, broken())).rejects.toThrow('no more')
      const dropped = first.drop('b')
      await first.close()
      expect(await dropped).toBe(true)
      const second = await reopen()
      await expect.poll(() => second.usage().bytes, { timeout: 5000 }).toBeLessThanOrEqual(2 * small)
      expect(await entriesOf(second, 'a')).toEqual([[1, '1']])
    })
  }
})
