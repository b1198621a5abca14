// Damage to what is stored: found wherever it is, told, and never half loaded.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { afterEach, describe, expect, it } from 'vitest'
import { FRAME_KINDS, FrameDamage, framed, framedDeflated, unframed } from '../../src/scene/frame.ts'
import { Keeper, type KeeperEvent } from '../../src/scene/keeper.ts'
import { openLmdbStore } from '../../src/scene/lmdb-store.ts'
import { encodeEntry } from '../../src/scene/log-entry.ts'
import type { Entry } from '../../src/scene/operation.ts'
import { apply, createScene } from '../../src/scene/scene.ts'
import { encodeScene } from '../../src/scene/scene-snapshot.ts'
import { packSnapshot } from '../../src/scene/snapshot-container.ts'
import { StoreDamaged, StoreTooNew } from '../../src/scene/store.ts'
import { circle, contentOf, creation, prepare, putting } from '../support/kept-scenes.ts'

const directories: string[] = []
afterEach(() => {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

const at = 1_700_000_000_000
const LAST = 30
type Key = (string | number)[]
type Damage = (database: RootDatabase<Buffer>) => void

const entryAt = (id: string, version: number): Entry => ({
  version,
  at: id === 'a' ? at : at + 1,
  operations: version === 1 ? [creation(id)] : putting(circle(`x${version % 7}`, version)),
})

function modelAt(id: string, last: number) {
  const scene = createScene(prepare)
  for (let version = 1; version <= last; version++) apply(scene, entryAt(id, version))
  return scene
}

/** The scenes `a` (incarnation 1) and `b` with 30 entries and snapshots at 10 and 20, the log as long as `first` says. */
async function prepared(first: number) {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-damage-'))
  directories.push(directory)
  const store = await openLmdbStore({ directory })
  for (const id of ['a', 'b']) {
    await store.append(
      id,
      0,
      Array.from({ length: LAST }, (_, index) => encodeEntry(entryAt(id, index + 1))),
    )
    for (const version of [10, 20]) {
      await store.writeSnapshot(id, version, packSnapshot(version, encodeScene(modelAt(id, version), [])))
    }
    await store.trim(id, first, [20, 10])
  }
  await store.close()
  return directory
}

async function damage(directory: string, ...damages: Damage[]) {
  const path = join(directory, 'scenes.lmdb')
  const database: RootDatabase<Buffer> = open({ path, noSubdir: true, encoding: 'binary', overlappingSync: false })
  database.transactionSync(() => {
    for (const each of damages) each(database)
  })
  await database.close()
}

/** Flips a bit of a value; `at` counts from its end when negative. */
const flip =
  (key: Key, at: number): Damage =>
  (database) => {
    const value = Buffer.from(database.get(key)!)
    value[at < 0 ? value.length + at : at] ^= 4
    database.put(key, value)
  }
const lose =
  (key: Key): Damage =>
  (database) =>
    void database.remove(key)
const exchange =
  (one: Key, other: Key): Damage =>
  (database) => {
    const values = [database.get(one)!, database.get(other)!].map((value) => Buffer.from(value))
    database.put(one, values[1])
    database.put(other, values[0])
  }
const shorten =
  (key: Key): Damage =>
  (database) =>
    void database.put(key, Buffer.from(database.get(key)!).subarray(0, -1))

const entry = (version: number): Key => ['log', 1, version]
const chunk = (version: number, index: number): Key => ['snapshot', 1, version, index]

async function recovered(directory: string) {
  const events: KeeperEvent[] = []
  const store = await openLmdbStore({ directory })
  const onEvent = (event: KeeperEvent) => events.push(event)
  const keeper = await Keeper.open({ store, prepare, tailByteCount: 1e9, onEvent })
  const found = keeper.find('a')
  const other = keeper.find('b')?.scene
  // Whatever happened to one scene, the other one is whole.
  expect(other && contentOf(other)).toBe(contentOf(modelAt('b', LAST)))
  return { keeper, events, damage: found?.damage, content: found?.scene && contentOf(found.scene) }
}

describe('frames', () => {
  const frame = { kind: FRAME_KINDS.entry, version: 7, ordinal: 3 }

  it.each([
    ['as they are', async (payload: Uint8Array) => framed(frame, payload)],
    ['deflated', (payload: Uint8Array) => framedDeflated(frame, payload)],
  ])('%s: hand back what was put in, and no flipped bit, lost byte or other place goes unnoticed', async (_, make) => {
    const payload = new Uint8Array(Buffer.from('{"operations":[{"op":"clear"},{"op":"clear"},{"op":"clear"}]}'))
    const bytes = await make(payload)
    expect(Buffer.from(unframed(frame, bytes)).toString()).toBe(Buffer.from(payload).toString())
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = bytes.slice()
      flipped[bit >> 3] ^= 1 << (bit & 7)
      expect(() => unframed(frame, flipped), `bit ${bit}`).toThrow(FrameDamage)
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(() => unframed(frame, bytes.subarray(0, length)), `${length} bytes`).toThrow(FrameDamage)
    }
    expect(() => unframed(frame, Buffer.concat([bytes, bytes]))).toThrow(FrameDamage)
    for (const other of [{ kind: FRAME_KINDS.snapshotPart }, { version: 8 }, { ordinal: 4 }]) {
      expect(() => unframed({ ...frame, ...other }, bytes)).toThrow(FrameDamage)
    }
  })
})

describe('a snapshot', () => {
  const damages: [name: string, reason: string, damage: Damage][] = [
    ['with a flipped bit in its first chunk', 'the checksum does not fit', flip(chunk(20, 0), -1)],
    ['with a flipped bit in its rows', 'the checksum does not fit', flip(chunk(20, 1), 40)],
    ['with a flipped bit in a header', 'the header is damaged', flip(chunk(20, 1), 5)],
    ['with a flipped bit in its last frame', 'the header is damaged', flip(chunk(20, 2), 12)],
    ['without its first chunk', 'out of order', lose(chunk(20, 0))],
    ['without its last frame', 'of kind 3', lose(chunk(20, 2))],
    ['with chunks in another order', 'out of order', exchange(chunk(20, 0), chunk(20, 1))],
    ['with chunks of an older one', 'of version 10', exchange(chunk(20, 1), chunk(10, 1))],
    ['that is torn', 'the length does not fit', shorten(chunk(20, 1))],
  ]
  it.each(damages)('%s is passed over for the older one', async (name, reason, each) => {
    const directory = await prepared(11)
    await damage(directory, each)
    // One that took a chunk of the older snapshot has damaged both.
    if (name.includes('older')) {
      const { events, damage, keeper } = await recovered(directory)
      expect(events.map(({ event }) => event)).toEqual(['snapshot-damaged', 'snapshot-damaged', 'scene-damaged'])
      expect(damage).toBe('its log begins at 11 and no snapshot before that is whole')
      return keeper.close()
    }
    const first = await recovered(directory)
    expect(first.events).toEqual([{ event: 'snapshot-damaged', scene: 'a', version: 20, reason }])
    expect(first.content).toBe(contentOf(modelAt('a', LAST)))
    await first.keeper.close()
    const second = await recovered(directory)
    expect(second.events).toEqual([])
    expect(second.content).toBe(first.content)
    await second.keeper.close()
  })

  it('is not missed as long as the log goes back to the beginning', async () => {
    const directory = await prepared(1)
    await damage(directory, flip(chunk(20, 0), 50), flip(chunk(10, 1), 50))
    const { events, content, keeper } = await recovered(directory)
    expect(events.map((event) => 'version' in event && event.version)).toEqual([20, 10])
    expect(content).toBe(contentOf(modelAt('a', LAST)))
    await keeper.close()
  })
})

describe('the last entry', () => {
  it.each([
    ['with a flipped bit', 'the checksum does not fit', flip(entry(LAST), -1)],
    ['that is torn', 'the length does not fit', shorten(entry(LAST))],
    ['that is lost', 'it is missing', lose(entry(LAST))],
  ])('%s is cut off, and the scene goes on from the one before', async (_, reason, each) => {
    const directory = await prepared(11)
    await damage(directory, each)
    const first = await recovered(directory)
    expect(first.events).toEqual([{ event: 'tail-dropped', scene: 'a', version: LAST, reason }])
    expect(first.content).toBe(contentOf(modelAt('a', LAST - 1)))
    expect(await first.keeper.write('a', entryAt('a', LAST))).toEqual({ version: LAST, isRepeated: false })
    await first.keeper.close()
    const second = await recovered(directory)
    expect(second.events).toEqual([])
    expect(second.content).toBe(contentOf(modelAt('a', LAST)))
    await second.keeper.close()
  })
})

describe('a scene', () => {
  const damages: [name: string, reason: RegExp, damages: Damage[]][] = [
    ['an entry', /its entry 25 is damaged: the checksum does not fit/, [flip(entry(25), 60)]],
    ['the header of an entry', /its entry 25 is damaged: the header is damaged/, [flip(entry(25), 2)]],
    ['an entry that is lost', /its entry 25 is damaged: it is missing/, [lose(entry(25))]],
    ['entries in another order', /its entry 26 is damaged: of version 27/, [exchange(entry(26), entry(27))]],
    ['an entry of another scene', /its entry 21 .*of version 22/, [exchange(entry(21), ['log', 1, 22])]],
    ['its record', /its record is damaged: the checksum does not fit/, [flip(['scene', 'a'], -3)]],
    [
      'a snapshot and an entry behind the one before',
      /its entry 15 is damaged/,
      [flip(chunk(20, 1), 60), flip(entry(15), 60)],
    ],
    ['all snapshots of a trimmed log', /its log begins at 11/, [flip(chunk(20, 0), 60), flip(chunk(10, 0), 60)]],
  ]
  it.each(damages)('with damage to %s is not served and not deleted', async (_, reason, all) => {
    const directory = await prepared(11)
    const path = join(directory, 'scenes.lmdb')
    copyFileSync(path, `${path}.whole`)
    await damage(directory, ...all)
    const { keeper, events, damage: told } = await recovered(directory)
    expect(told).toMatch(reason)
    expect(events.at(-1)).toEqual({ event: 'scene-damaged', scene: 'a', reason: told })
    expect([...keeper.damages()]).toEqual([['a', told]])
    expect(keeper.scenes().map(({ id }) => id)).toEqual(['b'])
    const refusal = { refusal: 'scene-damaged', damage: told }
    expect(await keeper.write('a', { at, operations: [] })).toEqual(refusal)
    expect(await keeper.create(creation('a'))).toEqual(refusal)
    expect(await keeper.write('b', { at, operations: [] })).toEqual({ version: LAST + 1, isRepeated: false })
    await keeper.close()
    // Nothing of it was touched: with the byte put right it is back.
    const again = await openLmdbStore({ directory })
    expect((await again.list()).map(({ id }) => id)).toEqual(['a', 'b'])
    await again.close()
    copyFileSync(`${path}.whole`, path)
    const restored = await recovered(directory)
    expect(restored.events).toEqual([])
    expect(restored.content).toBe(contentOf(modelAt('a', LAST)))
    await restored.keeper.close()
  })

  it('whose last entry is whole and cannot be applied is not served, and the entry stays', async () => {
    const directory = await prepared(11)
    const store = await openLmdbStore({ directory })
    await store.append('a', LAST, [
      encodeEntry({ version: LAST + 1, at, operations: [{ op: 'move', id: 'nobody', rotation: 1 }] }),
    ])
    await store.close()
    for (let turn = 0; turn < 2; turn++) {
      const { keeper, damage } = await recovered(directory)
      expect(damage).toBe('its entry 31 cannot be applied: the body nobody is not there')
      await keeper.close()
    }
  })

  it('that is damaged can be dropped and begun anew', async () => {
    for (const each of [flip(entry(25), 60), flip(['scene', 'a'], -3)]) {
      const directory = await prepared(11)
      await damage(directory, each)
      const { keeper } = await recovered(directory)
      expect(await keeper.drop('a')).toBe(true)
      expect(keeper.find('a')).toBeNull()
      expect(await keeper.create(creation('a'))).toEqual({ version: 1, isRepeated: false })
      await keeper.close()
      const { keeper: next, events, content } = await recovered(directory)
      expect(events).toEqual([])
      expect(content).toBe(contentOf(modelAt('a', 1)))
      await next.close()
    }
  })

  it('with a flipped bit in the file itself is found out', async () => {
    const directory = await prepared(11)
    const path = join(directory, 'scenes.lmdb')
    const file = readFileSync(path)
    // Deleted and superseded pages may hold the same bytes: flip them all.
    const bytes = encodeEntry(entryAt('a', LAST))
    let found = 0
    for (let from = file.indexOf(bytes); from >= 0; from = file.indexOf(bytes, from + 1)) {
      file[from + 100] ^= 1
      found++
    }
    expect(found).toBeGreaterThan(0)
    writeFileSync(path, file)
    const { keeper, events } = await recovered(directory)
    expect(events.map(({ event }) => event)).toEqual(['tail-dropped'])
    await keeper.close()
  })
})

describe('a data directory', () => {
  const meta =
    (text: string): Damage =>
    (database) =>
      void database.put(['meta'], Buffer.from(text))

  it('of a later version is refused with a clear line', async () => {
    const directory = await prepared(11)
    await damage(directory, meta('{"format":2,"createdBy":"9.0.0"}'))
    await expect(openLmdbStore({ directory })).rejects.toThrow(StoreTooNew)
    await expect(openLmdbStore({ directory })).rejects.toThrow(
      `The data in ${directory} have format 2; this version reads up to format 1`,
    )
    await damage(directory, meta('{"format":1}'))
    const { keeper, events } = await recovered(directory)
    expect(events).toEqual([])
    await keeper.close()
  })

  it.each([
    ['nonsense', '{"form'],
    ['another thing', '{"name":"x"}'],
  ])('whose format is %s is refused', async (_, text) => {
    const directory = await prepared(11)
    await damage(directory, meta(text))
    await expect(openLmdbStore({ directory })).rejects.toThrow(StoreDamaged)
    await damage(directory, lose(['meta']))
    await expect(openLmdbStore({ directory })).rejects.toThrow('do not say which format they have')
  })

  it.each([0, 100, 4096, 5000, 8192, 12_000, 20_000, 60_000])(
    'whose file has only %i bytes left is refused',
    async (length) => {
      const directory = await prepared(11)
      const path = join(directory, 'scenes.lmdb')
      truncateSync(path, length)
      // Nothing is left of an empty one: that is a new one.
      if (length === 0) await (await openLmdbStore({ directory })).close()
      else await expect(openLmdbStore({ directory })).rejects.toThrow(StoreDamaged)
    },
  )

  it('whose file is something else is refused and left alone', async () => {
    const directory = await prepared(11)
    const path = join(directory, 'scenes.lmdb')
    const other = Buffer.alloc(20_000, 'something else ')
    writeFileSync(path, other)
    await expect(openLmdbStore({ directory })).rejects.toThrow('the file is not a database of this store')
    expect(readFileSync(path).equals(other)).toBe(true)
  })

  it('whose file says that its trees begin where nothing is, is refused', async () => {
    for (const at of [0x18, 0x1c, 0x30, 0x5c, 0x8c, 0x96]) {
      const directory = await prepared(11)
      const path = join(directory, 'scenes.lmdb')
      const file = readFileSync(path)
      for (const page of [0, 4096]) file[page + at] ^= 0x40
      writeFileSync(path, file)
      await expect(openLmdbStore({ directory }), `byte ${at}`).rejects.toThrow(StoreDamaged)
    }
  })
})
