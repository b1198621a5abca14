import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createItemList } from '../../../src/containers/item-list.ts'
import { boxInTree } from '../../../src/scene/state/body-cache.ts'
import type { Entry, Operation } from '../../../src/scene/state/operation.ts'
import { apply, applyInSlices, check, type Scene, takesLong, validateScene } from '../../../src/scene/state/scene.ts'
import { encodeScene, SceneDecoder, SnapshotFault } from '../../../src/scene/state/scene-snapshot.ts'
import { canonicalText } from '../../../src/scene/state/shape-text.ts'
import {
  bodiesInBox,
  boundsOfScene,
  boxAt,
  closeView,
  findBody,
  hasBody,
  idAt,
  openView,
  presentView,
  sceneBodyAt,
  slotLimit,
  type View,
} from '../../../src/scene/state/view.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { runs } from '../../support/runs.ts'
import {
  applyToModel,
  bodyId,
  CREATE,
  entriesOf,
  type Model,
  operation,
  PREPARES,
  sceneBody,
  sceneOf,
} from './scene-model.ts'

const IDS = bodyId(12)
const batches = fc.array(fc.array(operation(IDS), { maxLength: 8 }), { maxLength: 12 })

/** What JSON leaves of a body: that is how it came, and how it goes. */
const json = (value: unknown) => JSON.parse(canonicalText(value))

function expectModel(view: View, model: Model): void {
  const slots = Array.from({ length: slotLimit(view) }, (_, slot) => slot).filter((slot) => hasBody(view, slot))
  expect(slots.map((slot) => idAt(view, slot)).sort()).toEqual([...model.keys()].sort())
  for (const [id, body] of model) {
    const slot = findBody(view, id)
    expect(idAt(view, slot)).toBe(id)
    expect(json(sceneBodyAt(view, slot))).toEqual(json(body))
  }
  expect(findBody(view, 'nobody')).toBe(-1)
  // The tree gives every body at least, each once, and boxes that meet the one asked for.
  const found = createItemList()
  bodiesInBox(view, Float64Array.of(-Infinity, -Infinity, Infinity, Infinity), found)
  expect([...found.items.subarray(0, found.count)].sort((a, b) => a - b)).toEqual(slots)
  const box = new Float64Array(4)
  const meeting = slots.filter((slot) => {
    boxAt(view, slot, box)
    return (box[0] <= 3 && box[2] >= -2 && box[1] <= 5 && box[3] >= 1) || box.some((side) => !Number.isFinite(side))
  })
  bodiesInBox(view, Float64Array.of(-2, 1, 3, 5), found)
  expect([...found.items.subarray(0, found.count)].sort((a, b) => a - b)).toEqual(meeting)
}

function bytesOf(scene: Scene, extra: unknown = null): Uint8Array {
  return Buffer.concat([...encodeScene(scene, extra)])
}

function decode(chunks: Iterable<Uint8Array>) {
  const decoder = new SceneDecoder(PREPARES)
  for (const chunk of chunks) decoder.push(chunk)
  return decoder.finish()
}

describe('a scene', () => {
  it('is what a naive model says, after every entry, and valid', () => {
    fc.assert(
      fc.property(batches, (given) => {
        const model: Model = new Map()
        const scene = sceneOf([CREATE])
        given.forEach((batch, k) => {
          const [entry] = entriesOf([batch], 2 + k, model)
          expect(check(scene, entry.operations)).toBe(null)
          apply(scene, entry)
          expect(validateScene(scene)).toBe(null)
          expectModel(presentView(scene), model)
          expect(scene.version).toBe(2 + k)
        })
      }),
      runs(150),
    )
  })

  it('keeps the settings it was given', () => {
    const scene = sceneOf([CREATE])
    expect(scene).toMatchObject({ id: 'level-1', name: 'Level 1', ttl: null, margin: 0.5, version: 1, createdAt: 1000 })
    apply(scene, { version: 2, at: 2000, operations: [{ op: 'configure', name: null, ttl: 60, at: 2000 }] })
    expect(scene).toMatchObject({ name: null, ttl: 60, margin: 0.5, version: 2, createdAt: 1000, updatedAt: 2000 })
  })

  it('names the first operation about a body that is not there', () => {
    const scene = sceneOf([CREATE])
    const body = { id: 'a', shape: { type: 'point' } }
    const put = { op: 'put' as const, body }
    const remove = { op: 'remove' as const, id: 'a' }
    const move = { op: 'move' as const, id: 'a' }
    expect(check(scene, [put, move, remove, put, move])).toBe(null)
    expect(check(scene, [put, remove, move])).toEqual({ code: 'unknown-body', index: 2, id: 'a' })
    expect(check(scene, [put, { op: 'clear' }, { op: 'patch', id: 'a', fields: {} }])).toMatchObject({ index: 2 })
    apply(scene, { version: 2, at: 0, operations: [put] })
    expect(check(scene, [move, remove, remove])).toMatchObject({ index: 2 })
    expect(check(scene, [{ op: 'clear' }, remove])).toMatchObject({ index: 1 })
  })

  it('finds what is wrong with a random list of operations exactly when the model refuses one', () => {
    fc.assert(
      fc.property(
        fc.array(operation(IDS), { maxLength: 6 }),
        fc.array(operation(IDS), { maxLength: 6 }),
        (first, then) => {
          const model: Model = new Map()
          const scene = sceneOf([CREATE, ...entriesOf([first], 2, model)])
          const refused = then.findIndex((each) => !applyToModel(model, each))
          expect(check(scene, then)?.index ?? -1).toBe(refused)
        },
      ),
      runs(300),
    )
  })

  it('stores equal shapes once, and forgets them with their last body', () => {
    const put = (id: string, shape: object) => ({ op: 'put' as const, body: { id, shape } })
    const scene = sceneOf([CREATE])
    apply(scene, {
      version: 2,
      at: 0,
      operations: [
        put('a', { type: 'box', width: 1, height: 2 }),
        put('b', { height: 2, width: 1, type: 'box' }),
        put('c', { type: 'circle', radius: 1 }),
      ],
    })
    expect(scene.table.shapes.count).toBe(2)
    apply(scene, { version: 3, at: 0, operations: ['a', 'b'].map((id) => ({ op: 'remove' as const, id })) })
    expect(scene.table.shapes.count).toBe(1)
    expect(validateScene(scene)).toBe(null)
  })

  it('takes many bodies at once, among others and over gaps', () => {
    const many = (count: number, at: number, name: string) =>
      Array.from({ length: count }, (_, i) => ({
        op: 'put' as const,
        body: {
          id: `${name}-${i}`,
          shape: i % 7 === 0 ? { type: 'halfplane', normal: { x: 1, y: i }, offset: 1 } : { type: 'circle', radius: 1 },
          position: { x: at + (i % 50), y: i / 50 },
        },
      }))
    const scene = sceneOf([CREATE])
    apply(scene, { version: 2, at: 0, operations: many(1200, 0, 'a') })
    expect(validateScene(scene)).toBe(null)
    const view = openView(scene)
    const removals = Array.from({ length: 900 }, (_, i) => ({ op: 'remove' as const, id: `a-${i}` }))
    apply(scene, { version: 3, at: 0, operations: [...removals, ...many(1100, 30, 'b'), ...many(40, 7, 'a')] })
    expect(validateScene(scene)).toBe(null)
    expect(scene.table.count).toBe(1440)
    expectModel(view, new Map(many(1200, 0, 'a').map(({ body }) => [body.id, body])))
    apply(scene, { version: 4, at: 0, operations: [{ op: 'clear' }, ...many(1500, -5, 'c')] })
    expect(validateScene(scene)).toBe(null)
    expectModel(view, new Map(many(1200, 0, 'a').map(({ body }) => [body.id, body])))
    closeView(scene, view)
    expectModel(presentView(scene), new Map(many(1500, -5, 'c').map(({ body }) => [body.id, body])))
  })

  it('leaves the boxes of a view alone when much is put after a clear', () => {
    const many = (count: number, name: string, x: number) =>
      Array.from({ length: count }, (_, i) => ({
        op: 'put' as const,
        body: { id: `${name}-${i}`, shape: { type: 'circle', radius: 1 + (i % 3) }, position: { x: x + i, y: 0 } },
      }))
    const scene = sceneOf([CREATE])
    apply(scene, { version: 2, at: 0, operations: many(2100, 'a', 0) })
    const removals = Array.from({ length: 2000 }, (_, i) => ({ op: 'remove' as const, id: `a-${i}` }))
    apply(scene, { version: 3, at: 0, operations: removals })
    const view = openView(scene)
    apply(scene, { version: 4, at: 0, operations: [...many(1500, 'b', 7), { op: 'clear' }, ...many(1100, 'c', -9000)] })
    expect(validateScene(scene)).toBe(null)
    expectModel(
      view,
      new Map(
        many(2100, 'a', 0)
          .map(({ body }) => [body.id, body] as const)
          .slice(2000),
      ),
    )
    closeView(scene, view)
    expectModel(presentView(scene), new Map(many(1100, 'c', -9000).map(({ body }) => [body.id, body])))
  })

  it('finds ids and shapes while many come and go', () => {
    const random = seededRandom(5)
    const scene = sceneOf([CREATE])
    const model: Model = new Map()
    for (let version = 2; version < 40; version++) {
      const operations: Operation[] = []
      for (let k = 0; k < 400; k++) {
        const id = `${Math.floor(1500 * random())}${'x'.repeat(Math.floor(40 * random() ** 4))}`
        const length = 1 + Math.floor(12 * random())
        const shape = { type: 'chain', vertices: Array.from({ length }, (_, i) => ({ x: i % 3, y: version % 2 })) }
        const put: Operation = { op: 'put', body: { id, shape: length > 1 ? shape : { type: 'circle', radius: k } } }
        const operation: Operation = random() < 0.4 ? { op: 'remove', id } : put
        if (applyToModel(model, operation)) operations.push(operation)
      }
      apply(scene, { version, at: 0, operations })
      expect(validateScene(scene)).toBe(null)
    }
    const view = presentView(scene)
    expect(scene.table.count).toBe(model.size)
    for (const [id, body] of model) expect(json(sceneBodyAt(view, findBody(view, id)))).toEqual(json(body))
    expect(Buffer.compare(bytesOf(scene), bytesOf(decode(encodeScene(scene)).scene))).toBe(0)
  })

  it('keeps half-planes beside the tree of boxes, whatever side of them is bounded', () => {
    const scene = sceneOf([CREATE])
    const normals = [1, -1].flatMap((k) => [
      { x: k, y: 0 },
      { x: 0, y: k },
      { x: 0.6 * k, y: 0.8 },
    ])
    const operations = normals.map((normal, i) => {
      return { op: 'put' as const, body: { id: `${i}`, shape: { type: 'halfplane' as const, normal, offset: 1 } } }
    })
    apply(scene, { version: 2, at: 0, operations })
    const view = presentView(scene)
    for (const i of normals.keys()) expect(boxInTree(scene.table, findBody(view, `${i}`))).toBe(null)
    expect(validateScene(scene)).toBe(null)
  })

  it('has the box around its bodies as bounds', () => {
    const scene = sceneOf([CREATE])
    expect(boundsOfScene(scene)).toBe(null)
    const body = (id: string, x: number) => ({ id, shape: { type: 'box', width: 2, height: 4 }, position: { x, y: 0 } })
    const operations = ['a', 'b'].map((id, i) => ({ op: 'put' as const, body: body(id, 10 * i) }))
    apply(scene, { version: 2, at: 0, operations })
    expect(boundsOfScene(scene)).toEqual(Float64Array.of(-1, -2, 11, 2))
  })
})

describe('a view', () => {
  it('answers as the scene was when it was opened, whatever is written', () => {
    const step = fc.record({
      batch: fc.array(operation(IDS), { maxLength: 8 }),
      opens: fc.boolean(),
      closes: fc.nat(6),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const model: Model = new Map()
        const scene = sceneOf([CREATE])
        const views: { view: View; model: Model }[] = []
        steps.forEach(({ batch, opens, closes }, k) => {
          if (opens) views.push({ view: openView(scene), model: new Map(model) })
          apply(scene, entriesOf([batch], 2 + k, model)[0])
          for (const opened of views) expectModel(opened.view, opened.model)
          expectModel(presentView(scene), model)
          expect(validateScene(scene)).toBe(null)
          if (closes < views.length) closeView(scene, views.splice(closes, 1)[0].view)
        })
        for (const { view } of views) closeView(scene, view)
        expect(scene.views.size).toBe(0)
        expect(validateScene(scene)).toBe(null)
      }),
      runs(150),
    )
  })
})

describe('an entry that is applied in slices', () => {
  const many = bodyId(400)
  const random = seededRandom(17)
  const circleAt = (id: string): Operation => {
    const shape = { type: 'circle', radius: Math.ceil(9 * random()) }
    return { op: 'put', body: { id, shape, position: { x: 50 * random(), y: 50 * random() }, tags: ['a'] } }
  }

  const textOf = (view: View) => {
    const slots = Array.from({ length: slotLimit(view) }, (_, slot) => slot).filter((slot) => hasBody(view, slot))
    const found = createItemList()
    bodiesInBox(view, Float64Array.of(-Infinity, -Infinity, Infinity, Infinity), found)
    const near = [...found.items.subarray(0, found.count)].sort((a, b) => a - b)
    return `${near} ${slots.map((slot) => canonicalText(sceneBodyAt(view, slot))).sort()}`
  }

  /** Applies it with a look at some of the pauses; how many there were. */
  function applied(scene: Scene, entry: Entry, { size }: Model): number {
    const before = textOf(presentView(scene))
    const view = openView(scene)
    const slices = applyInSlices(scene, entry)
    const opened: View[] = []
    let pauses = 0
    while (slices.next().done !== true) {
      if (pauses++ % 7 > 0) continue
      const { version, count } = presentView(scene)
      expect([version, count]).toEqual([entry.version - 1, size])
      expect(textOf(presentView(scene)) === before).toBe(true)
      opened.push(openView(scene))
    }
    for (const each of opened) {
      expect(textOf(each) === before).toBe(true)
      closeView(scene, each)
    }
    expect(textOf(view) === before).toBe(true)
    closeView(scene, view)
    expect([scene.views.size, scene.front, scene.version]).toEqual([0, null, entry.version])
    return pauses
  }

  it('leaves the same scene, and readers see the one before until it is whole', () => {
    const batch = fc.array(operation(many), { minLength: 150, maxLength: 400 })
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 3 }), (batches) => {
        const model: Model = new Map()
        const start = Array.from({ length: 200 }, (_, i) => circleAt(`body-${2 * i}`))
        const entries = entriesOf([start], 2, model)
        const scene = sceneOf([CREATE, ...entries])
        batches.forEach((operations, k) => {
          const before = new Map(model)
          const [entry] = entriesOf([operations], 3 + k, model)
          entries.push(entry)
          applied(scene, entry, before)
          expect(validateScene(scene)).toBe(null)
        })
        expectModel(presentView(scene), model)
        expect(Buffer.compare(bytesOf(scene), bytesOf(sceneOf([CREATE, ...entries])))).toBe(0)
      }),
      runs(15),
    )
  })

  it.each([
    ['many that are new', 100, 1500, 0, false],
    ['many in place of others', 1500, 1500, 0, false],
    ['among many that go', 1500, 1100, 1400, false],
    ['few that stay', 6000, 1030, 5900, false],
    ['after a clear', 1500, 1200, 0, true],
  ])('makes the tree anew: %s', (_name, first, puts, removed, clears) => {
    const model: Model = new Map()
    const named = (count: number) => Array.from({ length: count }, (_, i) => circleAt(`body-${i}`))
    const gone = Array.from({ length: removed }, (_, i): Operation => ({ op: 'remove', id: `body-${i}` }))
    const entries = entriesOf([named(first)], 2, model)
    const scene = sceneOf([CREATE, ...entries])
    const before = new Map(model)
    const [entry] = entriesOf([[...(clears ? [{ op: 'clear' as const }] : []), ...named(puts), ...gone]], 3, model)
    expect(takesLong(scene, entry)).toBe(true)
    expect(applied(scene, entry, before)).toBeGreaterThan(15)
    expectModel(presentView(scene), model)
    expect(validateScene(scene)).toBe(null)
    expect(Buffer.compare(bytesOf(scene), bytesOf(sceneOf([CREATE, ...entries, entry])))).toBe(0)
  })
})

describe('a snapshot', () => {
  it('has the same bytes for the same entries, with or without a snapshot on the way', () => {
    fc.assert(
      fc.property(batches, fc.nat(12), (given, at) => {
        const entries = [CREATE, ...entriesOf(given, 2)]
        const whole = bytesOf(sceneOf(entries))
        expect(Buffer.compare(whole, bytesOf(sceneOf(entries)))).toBe(0)
        const { scene } = decode(encodeScene(sceneOf(entries.slice(0, at))))
        for (const entry of entries.slice(at)) apply(scene, entry)
        expect(validateScene(scene)).toBe(null)
        expect(Buffer.compare(whole, bytesOf(scene))).toBe(0)
      }),
      runs(150),
    )
  })

  it('gives the scene back, however the bytes are cut', () => {
    fc.assert(
      fc.property(batches, fc.integer({ min: 1, max: 5000 }), (given, size) => {
        const model: Model = new Map()
        const scene = sceneOf([CREATE, ...entriesOf(given, 2, model)])
        const bytes = bytesOf(scene, { keys: ['k'] })
        const chunks: Uint8Array[] = []
        for (let i = 0; i < bytes.length; i += size) chunks.push(bytes.subarray(i, i + size))
        const read = decode(chunks)
        expect(read.extra).toEqual({ keys: ['k'] })
        expectModel(presentView(read.scene), model)
        const { id, name, ttl, margin, version, createdAt, updatedAt } = scene
        expect(read.scene).toMatchObject({ id, name, ttl, margin, version, createdAt, updatedAt })
      }),
      runs(100),
    )
  })

  it('is of the version at which it was begun', () => {
    fc.assert(
      fc.property(fc.array(sceneBody(bodyId(9000)), { minLength: 20, maxLength: 60 }), batches, (bodies, given) => {
        const model: Model = new Map()
        const filler = Array.from({ length: 9000 }, (_, i) => ({
          op: 'put' as const,
          body: { id: `filler-${i}`, shape: { type: 'point' }, position: { x: i, y: 0 } },
        }))
        const puts = bodies.map((body) => ({ op: 'put' as const, body }))
        const scene = sceneOf([CREATE, ...entriesOf([puts, filler, puts], 2, model)])
        const before = bytesOf(scene)
        const chunks: Uint8Array[] = []
        let version = 5
        for (const chunk of encodeScene(scene)) {
          chunks.push(chunk)
          for (const entry of entriesOf(given, version, model)) apply(scene, entry)
          version += given.length
        }
        expect(chunks.length).toBeGreaterThan(2)
        expect(Buffer.compare(before, Buffer.concat(chunks))).toBe(0)
        expect(scene.views.size).toBe(0)
      }),
      runs(8),
    )
  })

  it('is refused when it is torn, of a later format, or none', () => {
    const scene = sceneOf([CREATE, ...entriesOf([[{ op: 'put', body: { id: 'a', shape: { type: 'point' } } }]], 2)])
    const bytes = bytesOf(scene)
    expect(() => decode([bytes.subarray(0, bytes.length - 1)])).toThrow(SnapshotFault)
    expect(() => decode([])).toThrow(SnapshotFault)
    const later = Uint8Array.from(bytes)
    later[4] = 99
    expect(() => decode([later])).toThrow(/format 99/)
    expect(() => decode([new TextEncoder().encode('not a snapshot at all')])).toThrow(SnapshotFault)
    expect(() => decode([bytes, bytes])).toThrow(SnapshotFault)
  })
})
