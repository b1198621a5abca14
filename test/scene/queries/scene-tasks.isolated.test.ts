// What is handed elsewhere comes back as it would have come out in place, to the last bit and the sign of every zero.
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadConfig, sceneQueryLimits } from '../../../src/config.ts'
import { FarCall } from '../../../src/containers/far-call.ts'
import { doFarTask } from '../../../src/queries/ask/worker-tasks.ts'
import { sceneQueries, sceneQueries3d } from '../../../src/queries/scenes/all.ts'
import { decodeOperations } from '../../../src/routes/scene-operations.ts'
import { apply, createScene } from '../../../src/scene/state/scene.ts'
import { onView, onViewAtOnce } from '../../../src/scene/state/view.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { askElsewhere } from '../../support/answers/ask-elsewhere.ts'
import { answerCall, finished } from '../../support/answers/finished.ts'
import { GRID, mixedBody, vec2 } from '../../support/families/arbitraries.ts'
import { mixedComposite } from '../../support/families/composite-arbitraries.ts'
import { runCount, unshrunk } from '../../support/runs.ts'
import { bodies, sceneCase } from '../state/scene-cases.ts'
import { CREATE, sceneOf } from '../state/scene-model.ts'

vi.mock(import('../../../src/scene/queries/thresholds.ts'), async (original) => {
  const { switchable } = await import('../../support/answers/ask-elsewhere.ts')
  return switchable(await original())
})

const limits = sceneQueryLimits(loadConfig({ SCENE_STORE: 'memory' }))
const checks = { ...limits, maxParts: 1, maxOperations: 9 }
const SQUARE = [
  { x: 0, y: 0 },
  { x: 4, y: 0 },
  { x: 4, y: 4 },
  { x: 0, y: 4 },
]

afterEach(() => {
  askElsewhere(false)
})

const queryOf = (op: string) => sceneQueries.find((each) => each.op === op)!

/** The answer with every question asked elsewhere, and how many of each kind were. */
function askedFar(ask: () => Generator<FarCall | undefined, object, undefined>) {
  const kinds: Record<string, number> = {}
  askElsewhere(true)
  const slices = ask()
  for (;;) {
    const { done, value } = slices.next()
    if (done) {
      askElsewhere(false)
      return { answer: value, kinds }
    }
    if (value === undefined) continue
    kinds[value.task.kind] = (kinds[value.task.kind] ?? 0) + 1
    // where the task is done, and where it came from, others have asked and changed shared scratch meanwhile
    askElsewhere(false)
    answerCall(value)
    finished(queryOf('pairs').answer(other, { contacts: true }, limits))
    askElsewhere(true)
  }
}

/** The answers to questions that are all under way at once: each goes on a step in its turn, with every question asked elsewhere. */
function askedInTurns(asks: (() => Generator<FarCall | undefined, object, undefined>)[]): object[] {
  const answers: object[] = []
  let underWay = asks.map((ask, at) => ({ at, slices: ask() }))
  while (underWay.length > 0) {
    askElsewhere(true)
    const steps = underWay.map(({ at, slices }) => ({ at, slices, step: slices.next() }))
    askElsewhere(false)
    for (const { at, step } of steps) {
      if (step.done) answers[at] = step.value
      else answerCall(step.value)
    }
    underWay = steps.filter(({ step }) => !step.done)
  }
  return answers
}

const other = (() => {
  const scene = sceneOf([CREATE])
  const put = Array.from({ length: 6 }, (_, i) => {
    const shape =
      i % 2 === 0
        ? { type: 'circle', radius: 2 }
        : {
            type: 'chain',
            vertices: [
              { x: 0, y: 0 },
              { x: 3, y: i },
            ],
          }
    return { op: 'put' as const, body: { id: `b${i}`, shape, position: { x: i, y: 0 } } }
  })
  apply(scene, { version: 2, at: 0, operations: put })
  return {
    version: 2,
    digest: scene.digest,
    table: scene.table,
    limit: scene.table.used,
    changed: new Map(),
    old: null,
    oldSlots: [],
    count: 6,
    idBytes: 0,
    holders: 0,
  }
})()

const point = vec2(GRID)
const body = fc.oneof(mixedBody(), mixedComposite())
const bounded = { radius: 1, type: 'circle' }
const velocity = fc.record({ x: fc.integer({ min: -9, max: 9 }), y: fc.integer({ min: -9, max: 9 }) })

const asks: [op: string, kinds: string[], request: fc.Arbitrary<object>][] = [
  ['overlap', ['relate', 'contact'], fc.record({ body, contacts: fc.constant(true) })],
  ['overlap', ['relate', 'contact'], fc.record({ point, contacts: fc.constant(true) })],
  ['nearest', ['distance'], fc.record({ body, count: fc.integer({ min: 1, max: 5 }) })],
  ['pairs', ['meet', 'contact'], fc.record({ contacts: fc.constant(true) })],
  ['time-of-impact', ['impact'], fc.record({ duration: fc.constant(2) })],
  [
    'shape-cast',
    ['impact'],
    fc.record({
      body,
      translation: velocity,
      rotation: fc.constantFrom(0, 1),
      mode: fc.constantFrom('closest', 'all'),
    }),
  ],
  [
    'ray-cast',
    ['ray'],
    fc.record({ ray: fc.record({ origin: point, direction: velocity }), mode: fc.constant('all') }),
  ],
  [
    'line-of-sight',
    ['ray'],
    fc.record({ point, targets: fc.array(fc.record({ point }), { minLength: 1, maxLength: 3 }) }),
  ],
  [
    'sectors',
    ['sectors'],
    fc.record({
      grid: point.map((origin) => ({ origin, cellSize: 1.5, columns: 8, rows: 8 })),
    }),
  ],
  ['separate', ['relate', 'escape'], fc.record({ body })],
  ['place', ['relate', 'escape'], fc.record({ body })],
  [
    'drop',
    ['relate'],
    fc.record({ body, direction: fc.constant({ x: 0, y: -1 }), align: fc.constantFrom('face', 'normal') }),
  ],
  [
    'move',
    ['relate', 'escape'],
    fc.record({ body: point.map((position) => ({ shape: bounded, position })), translation: velocity }),
  ],
]

describe('what is asked elsewhere', () => {
  it.each(asks)('%s: %s', (op, kinds, request) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(sceneCase(true), fc.array(request, { minLength: 6, maxLength: 6 }), (open, requests) => {
        const { view } = open()
        for (const each of requests) {
          const ask = () => queryOf(op).answer(view, each as never, limits)
          const near = finished(ask())
          const far = askedFar(ask)
          expect(far.answer).toEqual(near)
          for (const kind of Object.keys(far.kinds)) seen.add(kind)
        }
      }),
      unshrunk(40),
    )
    expect([...seen].sort()).toEqual(expect.arrayContaining([...kinds].sort()))
  })

  it.each(asks)('%s: others of its kind are asked meanwhile', (op, _, request) => {
    fc.assert(
      fc.property(sceneCase(true), fc.array(request, { minLength: 6, maxLength: 6 }), (open, requests) => {
        const { view } = open()
        const asked = requests.map((each) => () => queryOf(op).answer(view, each as never, limits))
        expect(askedInTurns(asked)).toEqual(asked.map((ask) => finished(ask())))
      }),
      unshrunk(20),
    )
  })

  it('trajectory', () => {
    let count = 0
    const request = fc.record({
      body: fc.record({ position: point, velocity }).map((given) => ({ shape: bounded, ...given })),
      duration: fc.constant(3),
    })
    fc.assert(
      fc.property(bodies(true), request, (list, asked) => {
        const scene = sceneOf([CREATE])
        const resting = list.map(({ velocity: _, ...rest }) => ({ op: 'put' as const, body: rest }))
        apply(scene, { version: 2, at: 0, operations: resting })
        const ask = () => onView(scene, (view) => queryOf('trajectory').answer(view, asked as never, limits))
        const far = askedFar(ask)
        expect(far.answer).toEqual(finished(ask()))
        count += far.kinds.trajectory ?? 0
      }),
      unshrunk(100),
    )
    expect(count).toBeGreaterThan(runCount(50))
  })

  it('trajectory in space', () => {
    const wall = (id: string, x: number, y: number) => ({
      op: 'put' as const,
      body: { id, shape: { type: 'box', size: { x: 2, y: 2, z: 2 } }, position: { x, y, z: 0 } },
    })
    const floor = { type: 'mesh', vertices: [-9, -2, -9, 9, -2, -9, 0, -2, 9], triangles: [0, 2, 1] }
    const create = { op: 'create' as const, sceneId: 'attic', name: null, dimension: 3 as const, margin: 0, at: 0 }
    const operations = [create, wall('east', 3, 0.5), wall('west', -3, 0.5), wall('top', 0, 4)]
    const scene = createScene(prepareShape)
    apply(scene, { version: 1, at: 0, operations: [...operations, { op: 'put', body: { id: 'floor', shape: floor } }] })
    const query = sceneQueries3d.find(({ op }) => op === 'trajectory')!
    const body = {
      shape: { type: 'sphere', radius: 0.25 },
      position: { x: 0.125, y: 0.5, z: 0.375 },
      velocity: { x: 3, y: -2, z: -0 },
    }
    const ask = () => onView(scene, (view) => query.answer(view, { body, duration: 9 } as never, limits))
    const far = askedFar(ask)
    const near = finished(ask()) as { status: string; bounces: object[] }
    expect(far.answer).toEqual(near)
    expect([near.status, near.bounces.length]).toEqual(['completed', 6])
    expect(far.kinds.trajectory).toBeGreaterThan(0)
  })

  it.each(['face', 'normal'])('drop in space, turned to a %s', (align) => {
    const create = { op: 'create' as const, sceneId: 'attic', name: null, dimension: 3 as const, margin: 0, at: 0 }
    const slope = { type: 'mesh', vertices: [-9, -2, -9, 9, 1, -9, 0, -1, 9], triangles: [0, 2, 1] }
    const scene = createScene(prepareShape)
    apply(scene, { version: 1, at: 0, operations: [create, { op: 'put', body: { id: 'slope', shape: slope } }] })
    const query = sceneQueries3d.find(({ op }) => op === 'drop')!
    const crate = { type: 'box', size: { x: 1, y: 2, z: 3 } }
    const shapes = [crate, { type: 'compound', children: [{ shape: crate }, { shape: slope }] }, { type: 'point' }]
    for (const shape of shapes) {
      const body = { shape, position: { x: 0.25, y: 9, z: -2 }, orientation: { x: 0.6, y: 0, z: 0, w: 0.8 } }
      const request = { body, direction: { x: 0.125, y: -1, z: 0 }, align }
      const ask = () => onView(scene, (view) => query.answer(view, request as never, limits))
      const far = askedFar(ask)
      expect(far.answer).toEqual(finished(ask()))
      expect(far.answer).toMatchObject({ status: 'landed', aligned: true })
      const kinds = ['relate', 'entry-3d', ...(align === 'face' ? ['resting'] : [])]
      expect(Object.keys(far.kinds)).toEqual(expect.arrayContaining(kinds))
    }
  })

  it.each([
    ['a crossing', { shape: { type: 'region', outer: [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]] } }],
    ['a turned aabb', { shape: { type: 'aabb', min: SQUARE[0], max: SQUARE[2] }, rotation: 1 }],
    ['far away', { shape: { type: 'point' }, position: { x: 1e101, y: 0 } }],
  ])('is whether the body of a request is one: %s', (_name, body) => {
    for (const op of ['overlap', 'separate', 'trajectory']) {
      const ask = () => queryOf(op).answer(other, { body, duration: 1 } as never, limits)
      const near = finished(ask())
      const far = askedFar(ask)
      expect(near).toHaveProperty('places')
      expect(far.answer).toEqual(near)
      expect(far.kinds).toEqual({ check: 1 })
    }
  })

  it('is asked from the first pause on too', () => {
    const scene = sceneOf([CREATE])
    const shape = {
      type: 'chain',
      vertices: [
        { x: -5, y: 0 },
        { x: 5, y: 0 },
      ],
    }
    apply(scene, { version: 2, at: 0, operations: [{ op: 'put', body: { id: 'floor', shape } }] })
    const ask = () => onViewAtOnce(scene, (view) => queryOf('overlap').answer(view, { point: { x: 1, y: 0 } }, limits))
    const near = ask()
    expect(near).toMatchObject({ bodies: [{ id: 'floor', relation: 'touching' }] })
    askElsewhere(true)
    const far = ask() as Generator<FarCall | undefined, object, undefined>
    expect(scene.views.size).toBe(1)
    const { value } = far.next()
    expect(value).toBeInstanceOf(FarCall)
    answerCall(value as FarCall)
    expect(far.next()).toEqual({ done: true, value: near })
    expect(scene.views.size).toBe(0)
  })

  it.each([
    ['a region', { shape: { type: 'region', outer: SQUARE } }],
    ['a crossing', { shape: { type: 'region', outer: [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]] }, data: '{}' }],
    ['a turned aabb', { shape: { type: 'aabb', min: SQUARE[0], max: SQUARE[2] }, rotation: 1 }],
    [
      'too many parts',
      { shape: { type: 'compound', children: [{ shape: { type: 'point' } }, { shape: { type: 'point' } }] } },
    ],
    ['too much data', { shape: { type: 'region', outer: SQUARE }, data: JSON.stringify('x'.repeat(2 ** 20)) }],
    ['both', { shape: { type: 'circle', radius: 1e101 }, data: JSON.stringify('x'.repeat(2 ** 20)) }],
  ])('is whether a body is one: %s', (_name, given) => {
    const ask = () => decodeOperations([{ op: 'put', body: { id: 'a', ...given } }], () => null, checks)
    const near = finished(ask())
    const far = askedFar(ask)
    expect(far.answer).toEqual(near)
    expect(far.kinds).toEqual({ check: 1 })
  })

  it('is one of the kinds that are known', () => {
    expect(() => doFarTask({ kind: 'sort' })).toThrow('There is no task sort')
  })
})
