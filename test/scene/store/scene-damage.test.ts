// Damage to what is stored: found wherever it is, told, and never half loaded.

import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { Keeper, type KeeperEvent } from '../../../src/scene/keeper/keeper.ts'
import { encodeEntry, packSnapshot } from '../../../src/scene/keeper/stored-forms.ts'
import type { Entry } from '../../../src/scene/state/operation.ts'
import { apply, createScene, type Scene } from '../../../src/scene/state/scene.ts'
import { encodeScene } from '../../../src/scene/state/scene-snapshot.ts'
import {
  FRAME_KINDS,
  FrameDamage,
  framed,
  framedDeflated,
  keyedWriteId,
  nextDigest,
  shownDigest,
  unframed,
  WRITE_ID_BYTE_COUNT,
} from '../../../src/scene/store/checksum-frame.ts'
import { DirectoryDisk } from '../../../src/scene/store/disk.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { encodeFileHeader, FILE_KINDS, RECORD_KINDS, scanRecords } from '../../../src/scene/store/record.ts'
import { StoreTooNew, StoreTooOld } from '../../../src/scene/store/store.ts'
import { circle, contentOf, creation, prepare, putting } from '../../support/services/kept-scenes.ts'
import { lifeOf, plainAppend } from '../../support/services/plain-append.ts'

const directories: string[] = []
afterEach(() => {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

const at = 1_700_000_000_000
const LAST = 30
/** What the scene is, and how it came to be so. */
const stateOf = (scene: Scene) => `${shownDigest(scene.digest)} ${contentOf(scene)}`

type Damage = (directory: string) => Promise<void> | void

const entryAt = (id: string, version: number): Entry => ({
  version,
  at: id === 'a' ? at : at + 1,
  operations: version === 1 ? [creation(id)] : putting(circle(`x${version % 7}`, version)),
  // Earlier releases have written some of them.
  ...(version % 3 > 0 && { writeId: keyedWriteId(id, `${version}`) }),
})

function modelAt(id: string, last: number) {
  const scene = createScene(prepare)
  for (let version = 1; version <= last; version++) {
    const entry = entryAt(id, version)
    const { writeId = new Uint8Array(WRITE_ID_BYTE_COUNT) } = entry
    apply(scene, { ...entry, digest: nextDigest(scene.digest, writeId, encodeEntry(entry)) })
  }
  return scene
}

/** The scenes `a` and `b` with 30 entries and snapshots at 10 and 20, the log as long as `first` says. */
async function prepared(first: number) {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-damage-'))
  directories.push(directory)
  const store = await openFileStore({ directory })
  for (const id of ['a', 'b']) {
    await plainAppend(
      store,
      id,
      0,
      Array.from({ length: LAST }, (_, index) => encodeEntry(entryAt(id, index + 1))),
    )
    for (const version of [10, 20]) {
      await store.writeSnapshot(
        await lifeOf(store, id),
        version,
        packSnapshot(version, encodeScene(modelAt(id, version), [])),
      )
    }
    await store.trim(await lifeOf(store, id), first, [20, 10])
  }
  await store.close()
  return directory
}

async function damage(directory: string, ...damages: Damage[]) {
  for (const each of damages) await each(directory)
}

/** Where the records of scene `a` lie: of its entries by version, and of the chunks of a file. */
async function places(directory: string, name: string) {
  const file = await new DirectoryDisk(directory).open(name)
  const found: { kind: number; version: number; offset: number; byteCount: number }[] = []
  const record = ({ kind, version, offset, byteCount, id }: (typeof found)[0] & { id: string | null }) => {
    if (id === 'a') found.push({ kind, version, offset, byteCount })
  }
  await scanRecords(file, await file.size(), { record, lost: () => undefined })
  await file.close()
  return found
}

const change = (path: string, edit: (bytes: Buffer) => void) => {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}

/** Flips a bit of an entry of `a`: at 48 its id begins, behind that its payload. */
const flip =
  (version: number, at: number): Damage =>
  async (directory) => {
    const found = (await places(directory, 'log-1')).find((each) => {
      return each.kind === RECORD_KINDS.entry && each.version === version
    })
    change(join(directory, 'log-1'), (bytes) => {
      bytes[found!.offset + at] ^= 4
    })
  }

const snapshotFile = (directory: string, version: number) => {
  // The incarnation of `a` is the lesser one.
  const names = readdirSync(directory).filter((name) => name.endsWith(`-${version}`))
  return names.sort((x, y) => Number(x.split('-')[1]) - Number(y.split('-')[1]))[0]
}
const flipChunk =
  (version: number, index: number, at: number): Damage =>
  async (directory) => {
    const name = snapshotFile(directory, version)
    const { offset } = (await places(directory, name))[index]
    change(join(directory, name), (bytes) => {
      bytes[offset + at] ^= 4
    })
  }
const cutSnapshot =
  (version: number, byteCount: number): Damage =>
  (directory) => {
    const path = join(directory, snapshotFile(directory, version))
    truncateSync(path, readFileSync(path).length - byteCount)
  }
const exchange =
  (one: number, other: number): Damage =>
  (directory) => {
    const [a, b] = [one, other].map((version) => join(directory, snapshotFile(directory, version)))
    renameSync(a, `${a}.aside`)
    renameSync(b, a)
    renameSync(`${a}.aside`, b)
  }

async function recovered(directory: string, other = LAST) {
  const events: KeeperEvent[] = []
  const store = await openFileStore({ directory })
  const onEvent = (event: KeeperEvent) => events.push(event)
  const keeper = await Keeper.open({ store, prepare, tailByteCount: 1e9, onEvent })
  const found = await keeper.find('a')
  // Whatever happened to one scene, the other one is whole.
  const b = (await keeper.find('b'))?.scene
  if (other === LAST) expect(b && stateOf(b)).toBe(stateOf(modelAt('b', LAST)))
  expect(b?.version).toBe(other)
  const { scene, damage } = found ?? {}
  return { keeper, events, damage, scene, content: scene && stateOf(scene) }
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
    ['with a flipped bit in its first chunk', 'empty', flipChunk(20, 0, 100)],
    ['with a flipped bit in its rows', 'of kind 3', flipChunk(20, 1, 130)],
    ['with a flipped bit in a header', 'of kind 3', flipChunk(20, 1, 5)],
    ['with a flipped bit in its last chunk', 'of kind 3', flipChunk(20, 2, 60)],
    ['that is torn', 'of kind 3', cutSnapshot(20, 150)],
    ['that is empty', 'empty', (directory) => truncateSync(join(directory, snapshotFile(directory, 20)), 0)],
  ]
  it.each(damages)('%s is passed over for the older one', async (_, reason, each) => {
    const directory = await prepared(11)
    await damage(directory, each)
    const first = await recovered(directory)
    expect(first.events).toEqual([{ event: 'snapshot-damaged', scene: 'a', version: 20, reason }])
    expect(first.content).toBe(stateOf(modelAt('a', LAST)))
    await first.keeper.close()
    const second = await recovered(directory)
    expect(second.events).toEqual([])
    expect(second.content).toBe(first.content)
    await second.keeper.close()
  })

  it('in the place of another is none', async () => {
    const directory = await prepared(11)
    await damage(directory, exchange(20, 10))
    const { events, damage: told, keeper } = await recovered(directory)
    expect(events.map(({ event }) => event)).toEqual(['snapshot-damaged', 'snapshot-damaged', 'scene-damaged'])
    expect(told).toBe('its log begins at 11 and no snapshot before that is whole')
    await keeper.close()
  })

  it('is not missed as long as the log goes back to the beginning', async () => {
    const directory = await prepared(1)
    await damage(directory, flipChunk(20, 0, 100), flipChunk(10, 1, 100))
    const { events, content, keeper } = await recovered(directory)
    expect(events.map((event) => 'version' in event && event.version)).toEqual([20, 10])
    expect(content).toBe(stateOf(modelAt('a', LAST)))
    await keeper.close()
  })
})

describe('a scene', () => {
  const damages: [name: string, reason: RegExp, damages: Damage[]][] = [
    ['an entry', /its entry 25 is damaged: it is missing/, [flip(25, 90)]],
    ['the header of an entry', /its entry 25 is damaged: it is missing/, [flip(25, 2)]],
    ['its last entry', /its entry 30 is damaged: it is missing/, [flip(LAST, 90)]],
    ['a snapshot and an entry behind the one before', /its entry 15 is damaged/, [flipChunk(20, 1, 100), flip(15, 90)]],
    ['all snapshots of a trimmed log', /its log begins at 11/, [flipChunk(20, 0, 100), flipChunk(10, 0, 100)]],
  ]
  it.each(damages)('with damage to %s is not served and not deleted', async (_, reason, all) => {
    const directory = await prepared(11)
    const aside = mkdtempSync(join(tmpdir(), 'tangent-whole-'))
    directories.push(aside)
    cpSync(directory, aside, { recursive: true, filter: (path) => !path.includes('owner.') })
    const names = readdirSync(aside)
    await damage(directory, ...all)
    const { keeper, events, damage: told } = await recovered(directory)
    expect(told).toMatch(reason)
    expect(events.at(-1)).toEqual({ event: 'scene-damaged', scene: 'a', reason: told })
    expect([...keeper.damages()]).toEqual([['a', told]])
    expect(keeper.scenes().map(({ id }) => id)).toEqual(['b'])
    const refusal = { refusal: 'scene-damaged', damage: told }
    expect(await keeper.write('a', { at, operations: [] })).toEqual(refusal)
    expect(await keeper.create(creation('a'))).toEqual(refusal)
    expect(await keeper.write('b', { at, operations: [] })).toMatchObject({ version: LAST + 1, isRepeated: false })
    await keeper.close()
    // Nothing of it was touched: with the byte put right it is back.
    const again = await openFileStore({ directory })
    expect((await again.list()).map(({ id }) => id)).toEqual(['a', 'b'])
    await again.close()
    // What was damaged has been left alone, beside what was written meanwhile.
    for (const name of names) if (name !== 'ledger') cpSync(join(aside, name), join(directory, name))
    const restored = await recovered(directory, LAST + 1)
    expect(restored.events).toEqual([])
    expect(restored.content).toBe(stateOf(modelAt('a', LAST)))
    await restored.keeper.close()
  })

  it('whose last entry is whole and cannot be applied is not served, and the entry stays', async () => {
    const directory = await prepared(11)
    const store = await openFileStore({ directory })
    await plainAppend(store, 'a', LAST, [
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
    for (const each of [flip(25, 90), flip(LAST, 3)]) {
      const directory = await prepared(11)
      await damage(directory, each)
      const { keeper } = await recovered(directory)
      expect(await keeper.drop('a')).toEqual({ version: LAST + 1, digest: null, isRepeated: false })
      expect(await keeper.find('a')).toBeNull()
      expect(await keeper.create(creation('a'))).toMatchObject({ version: 1, isRepeated: false })
      await keeper.close()
      const { keeper: next, events, scene } = await recovered(directory)
      expect(events).toEqual([])
      expect(scene && contentOf(scene)).toBe(contentOf(modelAt('a', 1)))
      await next.close()
    }
  })
})

describe('a data directory', () => {
  const files = (directory: string) => readdirSync(directory).filter((name) => !name.startsWith('owner.'))

  it.each(['log-1', 'ledger'])('whose %s is of a later version is refused with a clear line', async (name) => {
    const directory = await prepared(11)
    change(join(directory, name), (bytes) => {
      const header = encodeFileHeader({ kind: FILE_KINDS.log, number: 1, createdAt: 0, createdBy: 'later' })
      header.writeUInt32LE(3, 8)
      header.writeUInt32LE(crc32(header.subarray(0, 60)), 60)
      bytes.set(header)
    })
    await expect(openFileStore({ directory })).rejects.toThrow(StoreTooNew)
    await expect(openFileStore({ directory })).rejects.toThrow(
      `The data in ${directory} have format 3; this version reads up to format 2`,
    )
  })

  it('of an earlier version is refused with a clear line, and left alone', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tangent-older-'))
    directories.push(directory)
    writeFileSync(join(directory, 'scenes.lmdb'), 'scenes')
    await expect(openFileStore({ directory })).rejects.toThrow(StoreTooOld)
    await expect(openFileStore({ directory })).rejects.toThrow(
      /have an older format \(scenes\.lmdb\).*another DATA_DIR$/,
    )
    expect(files(directory)).toEqual(['scenes.lmdb'])
  })

  it('with files that are something else tells what it misses, and takes them for nothing', async () => {
    const directory = await prepared(11)
    for (const name of files(directory)) writeFileSync(join(directory, name), Buffer.alloc(20_000, 'something else '))
    const findings: object[] = []
    const store = await openFileStore({ directory, onFinding: (finding) => findings.push(finding) })
    expect(await store.list()).toEqual([])
    expect(findings).toEqual([
      { file: 'ledger', at: 0, byteCount: 20_000 },
      { file: 'log-1', at: 0, byteCount: 20_000 },
    ])
    expect(await plainAppend(store, 'new', 0, [Buffer.from('x')])).toMatchObject({ version: 1, conflict: false })
    await store.close()
    expect(files(directory)).toContain('log-1')
  })

  it('without its log says so of every scene', async () => {
    const directory = await prepared(11)
    rmSync(join(directory, 'log-1'))
    const store = await openFileStore({ directory })
    const keeper = await Keeper.open({ store, prepare })
    expect([...keeper.damages()]).toEqual([
      ['a', 'its entry 21 is damaged: it is missing'],
      ['b', 'its entry 21 is damaged: it is missing'],
    ])
    await keeper.close()
  })
})
