// Kept shapes in scenes: the log and the snapshots have the content of each once, whoever names it and however writes race, and none that
// nobody names for long.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Keeper, type KeeperOptions } from '../../../src/scene/keeper/keeper.ts'
import { decodeEntry, openEntry, packEntry, Repacking } from '../../../src/scene/keeper/stored-forms.ts'
import { type KeptContent, keptContent, noteContents } from '../../../src/scene/state/kept-content.ts'
import type { Entry, Operation } from '../../../src/scene/state/operation.ts'
import { apply, createScene, type Scene, validateScene } from '../../../src/scene/state/scene.ts'
import { encodeScene, SceneDecoder } from '../../../src/scene/state/scene-snapshot.ts'
import { heldContents, unusedContents } from '../../../src/scene/state/shape-pool.ts'
import { PackedShape, shownShape } from '../../../src/scene/state/shape-text.ts'
import { findBody, presentView, sceneBodyAt, shapeAt } from '../../../src/scene/state/view.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { MemoryStore } from '../../../src/scene/store/memory-store.ts'
import type { SceneStore } from '../../../src/scene/store/store.ts'
import { runCount } from '../../support/runs.ts'
import { contentOf, creation, prepare, seeded } from '../../support/services/kept-scenes.ts'
import { lifeOf } from '../../support/services/plain-append.ts'
import { SharedDatabase, SharedMemoryStore, type Weather } from '../../support/services/shared-memory-store.ts'

const keepers: Keeper[] = []
const directories: string[] = []
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()))
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

const at = 1_700_000_000_000

/** A sheet of so many squares a side, which lies at a height of its own. */
function sheet(height: number, side = 12): object {
  const vertices: number[] = []
  const triangles: number[] = []
  for (let y = 0; y <= side; y++)
    for (let x = 0; x <= side; x++) vertices.push(x / 4, height + ((x * y) % 3) / 8, y / 4)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const a = y * (side + 1) + x
      triangles.push(a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2)
    }
  }
  return { triangles, type: 'mesh', vertices }
}

function kept(k: number): KeptContent {
  const id = `sha256-${`${k}`.padStart(64, '0')}`
  return keptContent(id, JSON.stringify(sheet(k)))
}

/** As it is noted when a request was checked. */
function reference(...contents: KeptContent[]): object {
  const [{ id }] = contents
  const shape =
    contents.length === 1
      ? { type: 'ref', id }
      : {
          type: 'compound',
          children: contents.map((content, k) => ({
            shape: { type: 'ref', id: content.id },
            position: { x: 3.5 * k, y: 0, z: 0 },
          })),
        }
  noteContents(shape, contents)
  return shape
}

const put = (id: string, shape: object, x = 0): Operation => ({
  op: 'put',
  body: { id, shape, position: { x, y: 0, z: 0 } },
})

async function open(store: SceneStore, options: Partial<KeeperOptions> = {}): Promise<Keeper> {
  const keeper = await Keeper.open({ store, prepare, ...options })
  keepers.push(keeper)
  return keeper
}

/** The kept shapes that the entries bring and let go of, in the order of the log. */
async function loggedIn(store: SceneStore): Promise<{ kept: string[]; letGo: string[]; bytes: number }> {
  const logged = { kept: [] as string[], letGo: [] as string[], bytes: 0 }
  for await (const { version, bytes } of store.read(await lifeOf(store, 'a'), 1)) {
    const entry = decodeEntry(version, bytes as Uint8Array)
    logged.kept.push(...(entry.kept ?? []).map(({ id }) => id))
    logged.letGo.push(...(entry.letGo ?? []))
    logged.bytes += (bytes as Uint8Array).length
  }
  return logged
}

const sceneOf = (keeper: Keeper) => keeper.loaded('a') as Scene

describe.each(['memory', 'files', 'shared'])('the log: %s', (kind) => {
  const directory = () => {
    directories.push(mkdtempSync(join(tmpdir(), 'tangent-kept-')))
    return directories.at(-1) as string
  }
  const where = kind === 'files' ? directory() : ''
  const database = new SharedDatabase()
  const memory = new MemoryStore()
  const storeOf = (): SceneStore | Promise<SceneStore> => {
    if (kind === 'files') return openFileStore({ directory: where })
    return kind === 'memory' ? memory : new SharedMemoryStore(database)
  }

  it('has each once, and again once it was let go of', async () => {
    const store = await storeOf()
    const keeper = await open(store, { tailByteCount: 1e9 })
    await keeper.create(creation('a', { dimension: 3 }))
    const [first, second, third] = [kept(1), kept(2), kept(3)]
    const write = (...operations: Operation[]) => keeper.write('a', { operations, at })
    // all in flight before the first is durable
    await Promise.all(
      Array.from({ length: 40 }, (_, k) =>
        write(put(`b${k}`, k % 4 === 3 ? reference(first, second) : reference(k % 2 === 0 ? first : second), k)),
      ),
    )
    expect((await loggedIn(store)).kept).toEqual([first.id, second.id])
    expect((await loggedIn(store)).bytes).toBeLessThan(40 * first.text.length)
    const scene = sceneOf(keeper)
    expect(validateScene(scene)).toBeNull()
    expect([...heldContents(scene.table.shapes).keys()]).toEqual([first.id, second.id])
    const view = presentView(scene)
    const shapes = ['b0', 'b2'].map((id) => shapeAt(view, findBody(view, id)))
    expect(shapes[0]).toEqual(JSON.parse(first.text))
    // one value for all, and with it one tree
    expect(shapes[1]).toBe(shapes[0])
    expect(sceneBodyAt(view, findBody(view, 'b3'))).toEqual({
      id: 'b3',
      shape: reference(first, second),
      position: { x: 3, y: 0, z: 0 },
    })
    // the last body that names it goes while another that does is in flight
    const drops = Array.from({ length: 39 }, (_, k): Operation => ({ op: 'remove', id: `b${k}` }))
    await Promise.all([
      write(...drops),
      write(put('again', reference(first))),
      write({ op: 'patch', id: 'b39', fields: { shape: reference(third) } }),
    ])
    await write(put('point', { type: 'point' }))
    expect(await loggedIn(store)).toMatchObject({ kept: [first.id, second.id, third.id], letGo: [second.id] })
    await write({ op: 'clear' }, put('c', reference(third)))
    await write(put('d', reference(second)))
    const logged = await loggedIn(store)
    expect(logged.kept).toEqual([first.id, second.id, third.id, second.id])
    expect(logged.letGo).toEqual([second.id, first.id])
    expect(validateScene(sceneOf(keeper))).toBeNull()
    const before = contentOf(sceneOf(keeper))
    if (kind === 'memory') return
    await keeper.close()
    keepers.length = 0
    const again = await open(await storeOf())
    await again.find('a')
    expect(contentOf(sceneOf(again))).toBe(before)
    const found = presentView(sceneOf(again))
    expect(shapeAt(found, findBody(found, 'd'))).toEqual(JSON.parse(second.text))
  })
})

describe('snapshots', () => {
  it('have each once, however they are cut, and scenes that hold none are as before', () => {
    const scene = createScene(prepare)
    const contents = [kept(4), keptContent(`sha256-${'f'.repeat(64)}`, JSON.stringify(sheet(5, 120)))]
    apply(scene, { version: 1, at, operations: [creation('a', { dimension: 3 })] })
    const empty = [...encodeScene(scene)]
    expect(Buffer.concat(empty).readUInt32LE(4)).toBe(2)
    const operations = Array.from({ length: 90 }, (_, k) =>
      put(`b${k}`, k % 3 === 2 ? reference(...contents) : reference(contents[k % 3]), k),
    )
    apply(scene, { version: 2, at, operations, kept: contents })
    const bytes = Buffer.concat([...encodeScene(scene)])
    const length = contents.reduce((sum, { text }) => sum + text.length, 0)
    expect(bytes.length).toBeGreaterThan(length)
    expect(bytes.length).toBeLessThan(length + 40_000)
    for (const size of [997, 2 ** 18, bytes.length]) {
      const decoder = new SceneDecoder(prepare)
      for (let start = 0; start < bytes.length; start += size) decoder.push(bytes.subarray(start, start + size))
      const again = decoder.finish().scene
      expect(validateScene(again)).toBeNull()
      expect(contentOf(again)).toBe(contentOf(scene))
    }
    expect(() => {
      const decoder = new SceneDecoder(prepare)
      decoder.push(bytes.subarray(0, 5000))
      decoder.finish()
    }).toThrow('ends before')
    apply(scene, { version: 3, at, operations: [{ op: 'clear' }] })
    apply(scene, { version: 4, at, operations: [], letGo: contents.map(({ id }) => id) })
    expect(Buffer.concat([...encodeScene(scene)]).readUInt32LE(4)).toBe(2)
  })
})

it('files with kept shapes that are damaged give the scene as it was, or say so', async () => {
  directories.push(mkdtempSync(join(tmpdir(), 'tangent-kept-')))
  const directory = directories.at(-1) as string
  const first = await open(await openFileStore({ directory }), { tailByteCount: 2000 })
  await first.create(creation('a', { dimension: 3 }))
  for (let k = 0; k < 30; k++) {
    const shape = k % 2 === 0 ? reference(kept(30 + (k % 3))) : reference(kept(30), kept(31))
    await first.write('a', { operations: [put(`b${k % 9}`, shape, k)], at })
  }
  const before = contentOf(sceneOf(first))
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()))
  const random = seeded(5)
  const names = readdirSync(directory).filter((name) => /^(log|snapshot)-/.test(name))
  expect(names.some((name) => name.startsWith('snapshot'))).toBe(true)
  let asBefore = 0
  for (let trial = 0; trial < 24; trial++) {
    const copy = mkdtempSync(join(tmpdir(), 'tangent-kept-'))
    directories.push(copy)
    for (const name of readdirSync(directory))
      if (!name.startsWith('owner')) cpSync(join(directory, name), join(copy, name))
    const path = join(copy, names[trial % names.length])
    const bytes = readFileSync(path)
    for (let flips = 0; flips < 8; flips++) bytes[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8)
    writeFileSync(path, bytes)
    const keeper = await open(await openFileStore({ directory: copy, onFinding: () => undefined }), {
      onEvent: () => undefined,
    })
    const scene = keeper.loaded('a')
    if (scene !== null) {
      expect(contentOf(scene)).toBe(before)
      asBefore++
    }
    await Promise.all(keepers.splice(0).map((each) => each.close()))
  }
  expect(asBefore).toBeGreaterThan(4)
})

describe('an entry', () => {
  const contents = [kept(6), kept(7)]
  const operations = [put('a', reference(contents[0])), put('b', reference(contents[1], contents[0]))]

  it('brings the contents that are new', async () => {
    const entry: Entry = { version: 3, at, operations, kept: contents, letGo: [kept(8).id] }
    for (const bytes of [await packEntry(entry), await new Repacking().pack(entry)]) {
      expect(decodeEntry(3, bytes)).toEqual(entry)
      const { head } = await openEntry(3, bytes)
      expect(head.kept).toEqual(contents)
    }
  })

  it('that names what nobody brought cannot be applied', () => {
    const scene = createScene(prepare)
    apply(scene, { version: 1, at, operations: [creation('a', { dimension: 3 })] })
    const plain = [put('a', { type: 'ref', id: contents[0].id })]
    expect(() => apply(scene, { version: 2, at, operations: plain })).toThrow('is missing')
  })

  it('has a long shape of many bodies once', async () => {
    const form = JSON.stringify(sheet(9, 20))
    const shared = sheet(10)
    const bodies = Array.from({ length: 60 }, (_, k) =>
      put(`b${k}`, k % 2 === 0 ? new PackedShape(form, 9999) : shared, k),
    )
    const entry: Entry = { version: 2, at, operations: bodies }
    const repacking = new Repacking()
    const all = [await packEntry(entry), await repacking.pack(entry), await repacking.pack(entry)]
    for (const bytes of all) {
      expect(bytes.length).toBeLessThan(form.length)
      const decoded = decodeEntry(2, bytes).operations
      expect(JSON.parse(JSON.stringify(decoded))).toEqual(JSON.parse(JSON.stringify(bodies)))
    }
  })
})

it('writes that race in several processes never name what the scene does not hold', async () => {
  for (let run = 0; run < runCount(20); run++) {
    const random = seeded(run + 1)
    const database = new SharedDatabase()
    const weathers: Weather[] = ['fair', 'fair', 'fair', 'done-unknown', 'not-done-unknown', 'late']
    const weather = () => weathers[Math.floor(random() * weathers.length)]
    const handles = [0, 1, 2].map(() => new SharedMemoryStore(database, { weather, latency: () => random() }))
    const racers = await Promise.all(handles.map((store) => open(store, { tailByteCount: 20_000 })))
    await racers[0].create(creation('a', { dimension: 3 }))
    const operationsOf = (): Operation[] => {
      const id = `b${Math.floor(random() * 5)}`
      const [one, two] = [kept(20 + Math.floor(random() * 3)), kept(20 + Math.floor(random() * 3))]
      const choice = random()
      if (choice < 0.5) return [put(id, one === two ? reference(one) : reference(one, two), random())]
      if (choice < 0.6) return [{ op: 'clear' }, put(id, reference(two))]
      if (choice < 0.8) return [put(id, { type: 'point' }), put('p', reference(one))]
      return [
        put(id, reference(one)),
        { op: 'patch', id, fields: { shape: reference(two) } },
        { op: 'remove', id: 'p' },
      ]
    }
    const writes = Array.from({ length: 60 }, (_, k) =>
      racers[k % 3].write('a', { operations: operationsOf(), at }).catch(() => null),
    )
    await Promise.all(writes)
    await racers[1].write('a', { operations: [put('last', { type: 'point' })], at }).catch(() => null)
    const found = (await racers[2].find('a'))?.scene as Scene
    const living = database.living('a')
    await racers[2].reach('a', living?.version as number, performance.now() + 5000)
    expect(validateScene(found)).toBeNull()
    // as the entries alone give it, where none was trimmed
    if (living?.entries.has(1)) {
      const scene = createScene(prepare)
      for (const [version, { bytes }] of living.entries) apply(scene, decodeEntry(version, bytes))
      expect(contentOf(scene)).toBe(contentOf(found))
    }
    expect([...unusedContents(found.table.shapes)].length).toBeLessThanOrEqual(3)
    const view = presentView(found)
    for (const id of ['b0', 'b1', 'b2', 'p']) {
      const slot = findBody(view, id)
      if (slot < 0) continue
      const { shape } = sceneBodyAt(view, slot)
      expect(JSON.stringify(shownShape(shape))).not.toContain('"ref"')
    }
    await Promise.all(keepers.splice(0).map((keeper) => keeper.close()))
  }
})
