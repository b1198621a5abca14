// Somebody deletes, moves or replaces the files of a store that is open: it says so, and acknowledges nothing that would be lost.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, type TestContext, vi } from 'vitest'
import { type FileStoreOptions, openFileStore } from '../../../src/scene/store/file-store.ts'
import { type SceneStore, StoreFailed } from '../../../src/scene/store/store.ts'
import { lifeOf, plainAppend, plainDrop } from '../../support/services/plain-append.ts'

interface Place {
  readonly around: string
  readonly directory: string
  readonly failures: string[]
  open(options?: Partial<FileStoreOptions>): Promise<SceneStore>
}

/** Of tests that run beside each other, only its context knows which one a place is of. */
function newPlace({ onTestFinished }: TestContext): Place {
  const around = mkdtempSync(join(tmpdir(), 'tangent-watch-'))
  const directory = join(around, 'data')
  const failures: string[] = []
  let store: SceneStore | null = null
  onTestFinished(async () => {
    await store?.close()
    for (const path of [around, `${around}-moved`]) rmSync(path, { recursive: true, force: true })
  })
  const open = async (options: Partial<FileStoreOptions> = {}) => {
    await store?.close()
    store = await openFileStore({ ...options, directory, onFailure: ({ message }) => failures.push(message) })
    return store
  }
  return { around, directory, failures, open }
}

const block = (version: number) => Buffer.alloc(100, version)
/** What a commit has looked at is taken for known for less long. */
const idle = () => setTimeout(400)
const noticed = (store: SceneStore) => vi.waitFor(() => expect(store.failure).not.toBe(null), 3000)

const DIRECTORY = 'The data directory has been deleted, moved or replaced; nothing is written until the next start'
const LOG = 'log-1 has been deleted, moved or replaced in the data directory; nothing is written until the next start'

const deeds: [string, string, (place: Place) => void][] = [
  ['the log is deleted', LOG, ({ directory }) => rmSync(join(directory, 'log-1'))],
  ['the log is renamed', LOG, ({ directory }) => renameSync(join(directory, 'log-1'), join(directory, 'log-1.bak'))],
  [
    'the log is moved away',
    LOG,
    ({ directory, around }) => renameSync(join(directory, 'log-1'), join(around, 'log-1')),
  ],
  [
    'all files are deleted',
    LOG,
    ({ directory }) => {
      for (const name of readdirSync(directory)) rmSync(join(directory, name))
    },
  ],
  ['the directory is deleted', DIRECTORY, ({ directory }) => rmSync(directory, { recursive: true })],
  ['the directory is moved', DIRECTORY, ({ directory, around }) => renameSync(directory, join(around, 'other'))],
  ['what is around the directory is moved', DIRECTORY, ({ around }) => renameSync(around, `${around}-moved`)],
  [
    'the directory is deleted and made anew',
    DIRECTORY,
    ({ directory }) => {
      rmSync(directory, { recursive: true })
      mkdirSync(directory)
    },
  ],
  [
    'the directory is replaced by a copy',
    DIRECTORY,
    ({ directory, around }) => {
      renameSync(directory, join(around, 'other'))
      mkdirSync(directory)
      cpSync(join(around, 'other', 'log-1'), join(directory, 'log-1'))
    },
  ],
  [
    'the directory is replaced by a file',
    DIRECTORY,
    ({ directory }) => {
      rmSync(directory, { recursive: true })
      writeFileSync(directory, '')
    },
  ],
]
const replaced: typeof deeds = [
  [
    'the log is replaced by a copy',
    LOG,
    ({ directory, around }) => {
      cpSync(join(directory, 'log-1'), join(around, 'copy'))
      renameSync(join(around, 'copy'), join(directory, 'log-1'))
    },
  ],
  [
    'the log is deleted and another made',
    LOG,
    ({ directory }) => {
      rmSync(join(directory, 'log-1'))
      writeFileSync(join(directory, 'log-1'), '')
    },
  ],
]

describe.concurrent('a store', () => {
  it.for([...deeds, ...replaced])(
    'acknowledges nothing after an idle time in which %s',
    async ([, message, deed], context) => {
      const place = newPlace(context)
      const store = await place.open()
      await plainAppend(store, 'a', 0, [block(1)])
      await idle()
      deed(place)
      expect(store.failure).toBe(null)
      await expect(plainAppend(store, 'a', 1, [block(2)])).rejects.toThrow(message)
      await expect(plainAppend(store, 'b', 0, [block(1)])).rejects.toThrow(StoreFailed)
      await expect(plainDrop(store, 'a')).rejects.toThrow(StoreFailed)
      expect(store.failure?.message).toBe(message)
      expect(place.failures).toEqual([message])
      expect((await store.list()).map(({ id, version }) => [id, version])).toEqual([['a', 1]])
    },
  )

  it.for([...deeds, ...replaced])('notices without any write that %s', async ([, message, deed], context) => {
    const place = newPlace(context)
    const store = await place.open()
    await plainAppend(store, 'a', 0, [block(1)])
    deed(place)
    await noticed(store)
    expect(place.failures).toEqual([message])
  })

  it.for(deeds)('notices before it writes anything at all that %s', async ([, message, deed], context) => {
    const place = newPlace(context)
    const first = await place.open()
    await plainAppend(first, 'a', 0, [block(1)])
    const store = await place.open()
    await store.list()
    deed(place)
    await expect(plainAppend(store, 'a', 1, [block(2)])).rejects.toThrow(message)
    expect(existsSync(join(place.directory, 'log-2'))).toBe(false)
  })

  it('notices a loss between writes that follow each other', async (context) => {
    const { directory, failures, open } = newPlace(context)
    const store = await open()
    await plainAppend(store, 'a', 0, [block(1)])
    rmSync(directory, { recursive: true })
    const begun = performance.now()
    let version = 1
    const write = async () => {
      for (; ; version++) await plainAppend(store, 'a', version, [block(1)])
    }
    await expect(write()).rejects.toThrow(DIRECTORY)
    expect(performance.now() - begun).toBeLessThan(1000)
    expect(failures).toEqual([DIRECTORY])
  })

  it('reads on from files that are open, wherever their names have gone', async (context) => {
    const { directory, open } = newPlace(context)
    const store = await open()
    for (let version = 0; version < 5; version++) await plainAppend(store, 'a', version, [block(version + 1)])
    rmSync(directory, { recursive: true })
    await noticed(store)
    const found: (Uint8Array | null)[] = []
    for await (const { bytes } of store.read(await lifeOf(store, 'a'), 1)) found.push(bytes && new Uint8Array(bytes))
    expect(found).toEqual([1, 2, 3, 4, 5].map((version) => new Uint8Array(block(version))))
  })

  it('keeps no snapshot in a directory that has taken the place of its own', async (context) => {
    const { directory, open } = newPlace(context)
    const store = await open()
    await plainAppend(store, 'a', 0, [block(1)])
    rmSync(directory, { recursive: true })
    mkdirSync(directory)
    await noticed(store)
    const chunks = (async function* () {
      yield block(1)
    })()
    await expect(store.writeSnapshot(await lifeOf(store, 'a'), 1, chunks)).rejects.toThrow(StoreFailed)
    expect(readdirSync(directory)).toEqual([])
  })

  it('takes files that it begins, writes anew and removes itself for no loss', async (context) => {
    const { directory, failures, open } = newPlace(context)
    const store = await open({ fileByteCount: 4096 })
    const until = performance.now() + 2200
    for (let turn = 0; performance.now() < until; turn++) {
      for (let version = 0; version < 20; version++) await plainAppend(store, `s${turn}`, version, [Buffer.alloc(500)])
      if (turn > 2) await plainDrop(store, `s${turn - 3}`)
      if (turn % 3 === 0) await setTimeout(260)
    }
    expect(readdirSync(directory)).not.toContain('log-2')
    expect(failures).toEqual([])
  })

  it('writes on in a directory that has come back before it looked, and after other files have come and gone', async (context) => {
    const { around, directory, failures, open } = newPlace(context)
    const store = await open()
    await plainAppend(store, 'a', 0, [block(1)])
    writeFileSync(join(directory, 'notes'), '')
    await idle()
    rmSync(join(directory, 'notes'))
    renameSync(directory, join(around, 'other'))
    renameSync(join(around, 'other'), directory)
    expect(await plainAppend(store, 'a', 1, [block(2)])).toMatchObject({ version: 2, conflict: false })
    expect(failures).toEqual([])
  })
})
