// What a scene answers is what the stateless queries answer about the same bodies, to the last bit: 10,000 random queries.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import { sceneQueries } from '../../src/queries/scenes/all.ts'
import type { SceneBody } from '../../src/scene/state/operation.ts'
import { apply, check } from '../../src/scene/state/scene.ts'
import { onView, type View } from '../../src/scene/state/view.ts'
import { anyFilter, bodies } from '../scene/state/scene-cases.ts'
import { CREATE, operation, sceneOf } from '../scene/state/scene-model.ts'
import { finished } from '../support/answers/finished.ts'
import {
  asked,
  checkCast,
  checkImpacts,
  checkNearest,
  checkOverlap,
  checkRays,
  checkTrajectory,
  type Found,
  passing,
  sameText,
  sceneLimits,
  stateless as statelessOf,
  still as stillOf,
  subject,
  viewOf as viewOfScene,
} from '../support/answers/scene-answers.ts'
import { BOUNDED_TYPES, EXACT_TYPES, GRID, mixedBody, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'
import { unshrunk } from '../support/runs.ts'

const stateless = (op: string, request: object): Found => statelessOf(2, op, request)
const still = (body: SceneBody) => stillOf<MovingBody2d>(body)
const viewOf = (list: readonly SceneBody[]): View => viewOfScene(sceneOf([CREATE]), list)

const someBodies = bodies(true).filter((list) => list.length > 0)
const want = fc.constantFrom('time', 'contact', 'exit')
const filter = fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyFilter })
const point = fc.oneof(
  vec2(GRID),
  vec2(UNIFORM),
  fc.record({ x: fc.integer({ min: -9, max: 9 }), y: fc.integer({ min: -9, max: 9 }) }),
)
const probe = fc.oneof(mixedBody(), mixedComposite())
/** A body of its own, or the n-th of the scene. */
const about = fc.oneof({ weight: 3, arbitrary: probe }, { weight: 1, arbitrary: fc.nat(20) })
const many = <Query>(query: fc.Arbitrary<Query>, count: number) =>
  fc.array(query, { minLength: count, maxLength: count })

describe('a scene answers as the stateless queries do', () => {
  it('overlap, and contact: 2,000', () => {
    const query = fc.record({ given: about, filter, contacts: fc.boolean() })
    fc.assert(
      fc.property(someBodies, many(query, 20), (list, asks) => {
        const view = viewOf(list)
        for (const { given, filter: passes, contacts } of asks) {
          checkOverlap(view, list, subject(list, given), passes, contacts)
        }
      }),
      unshrunk(100),
    )
  })

  it('ray-cast: 2,500', () => {
    const ray = fc.record({
      origin: point,
      direction: point.filter(({ x, y }) => x !== 0 || y !== 0),
      maxDistance: fc.constantFrom(1e300, 4, 0),
    })
    const options = fc.record({
      mode: fc.constantFrom('closest', 'all'),
      startInside: fc.constantFrom('hit', 'ignore', 'exit'),
      filter,
    })
    fc.assert(
      fc.property(someBodies, many(ray, 25), options, (list, rays, { filter: passes, ...how }) =>
        checkRays(viewOf(list), list, rays, how, passes),
      ),
      unshrunk(100),
    )
  })

  it('shape-cast: 1,500', () => {
    const query = fc.record({
      given: fc.oneof({ weight: 3, arbitrary: mixedBody(BOUNDED_TYPES) }, { weight: 1, arbitrary: fc.nat(20) }),
      translation: point,
      rotation: fc.constantFrom(0, 0, 0, 0, 1.5),
      ignoreSeparating: fc.boolean(),
      want,
      mode: fc.constantFrom('closest', 'all'),
      filter,
    })
    fc.assert(
      fc.property(someBodies, many(query, 15), (list, asks) => {
        const view = viewOf(list)
        for (const { given, filter: passes, ...cast } of asks) {
          checkCast(view, list, subject(list, given), cast, passes)
        }
      }),
      unshrunk(100),
    )
  })

  it('nearest, and distance: 2,000', () => {
    const query = fc.record({ given: about, count: fc.integer({ min: 1, max: 16 }), filter })
    fc.assert(
      fc.property(someBodies, many(query, 20), (list, asks) => {
        const view = viewOf(list)
        for (const { given, count, filter: passes } of asks) {
          checkNearest(view, list, subject(list, given), count, passes)
        }
      }),
      unshrunk(100),
    )
  })

  it('pairs: 800', () => {
    fc.assert(
      fc.property(someBodies, filter, (list, passes) => {
        const listed = passing(list, passes)
        const expected = stateless('pairs', { bodies: listed.map(still) }).pairs.map(([i, j]: number[]) => {
          return { a: listed[i].id, b: listed[j].id }
        })
        sameText(asked(viewOf(list), 'pairs', { filter: passes }).pairs, expected)
      }),
      unshrunk(800),
    )
  })

  it('time-of-impact: 700', () => {
    const options = fc.record({ duration: fc.constantFrom(0, 0.5, 2, 10), ignoreSeparating: fc.boolean(), want })
    fc.assert(
      fc.property(someBodies, options, filter, (list, how, passes) => checkImpacts(viewOf(list), list, how, passes)),
      unshrunk(700),
    )
  })

  it('trajectory: 500', () => {
    const options = fc.record({ restitution: fc.constantFrom(1, 0.5), maxBounces: fc.constantFrom(100, 3) })
    const motion = fc.record({ body: mixedBody(EXACT_TYPES), velocity: point })
    const resting = bodies(false).filter((list) => list.length > 0)
    fc.assert(
      fc.property(resting, motion, options, filter, (list, { body, velocity }, how, passes) => {
        checkTrajectory(viewOf(list), list, subject(list, body), velocity, { duration: 3, ...how }, passes)
      }),
      unshrunk(500),
    )
  })
})

describe('sectors of a scene', () => {
  const whole = fc.integer({ min: -9, max: 6 })
  const grid = fc.record({
    origin: fc.oneof(fc.record({ x: whole, y: whole }), vec2(UNIFORM)),
    cellSize: fc.constantFrom(0.5, 1, 2, 3, 0.7),
    columns: fc.integer({ min: 1, max: 9 }),
    rows: fc.integer({ min: 1, max: 9 }),
  })

  it('are those of the same bodies in the order of their ids, and cut short the first cells: 2,000', () => {
    let cut = 0
    fc.assert(
      fc.property(someBodies, many(fc.record({ grid, filter, limit: fc.nat(9) }), 10), (list, asks) => {
        const view = viewOf(list)
        for (const { grid: cells, filter: passes, limit } of asks) {
          const found = asked(view, 'sectors', { grid: cells, filter: passes })
          const passed = passing(list, passes)
          const expected = stateless('sectors', { bodies: passed.map(still), grid: cells }).cells.map((cell: Found) => [
            cell[0],
            cell[1],
            cell[2].map(({ body, ...passage }: Found) => ({ id: passed[body].id, ...passage })),
          ])
          sameText(found.cells, expected)
          const few = finished(
            sceneQueries
              .find(({ op }) => op === 'sectors')!
              .answer(view, { grid: cells, filter: passes, limit }, sceneLimits),
          ) as Found
          sameText(few.cells, expected.slice(0, limit))
          expect(few.truncated).toBe(expected.length > limit)
          if (few.truncated) cut++
        }
      }),
      unshrunk(200),
    )
    expect(cut).toBeGreaterThan(0)
  })

  it('are refused where the grid is too large, or reaches too far, and where bodies pass too many', () => {
    const view = viewOf([{ id: 'a', shape: { type: 'circle', radius: 3 }, position: { x: 0, y: 0 } } as SceneBody])
    const origin = { x: -5, y: -5 }
    const query = sceneQueries.find(({ op }) => op === 'sectors')!
    const ask = (request: object, most = sceneLimits.maxPairs) =>
      finished(query.answer(view, { grid: request }, { ...sceneLimits, maxPairs: most })) as Found
    expect(ask({ origin, cellSize: 1, columns: 1e6, rows: 11 })).toMatchObject({ code: 'too-many-cells' })
    expect(ask({ origin, cellSize: 1e100, columns: 9, rows: 1 })).toMatchObject({ code: 'coordinate-out-of-range' })
    const grid = { origin, cellSize: 1, columns: 10, rows: 10 }
    expect(ask(grid, 10)).toMatchObject({ code: 'too-many-cells' })
    expect(ask(grid).cells.length).toBeGreaterThan(10)
  })
})

describe('a query that pauses', () => {
  it('sees one version, whatever is written in its pauses', () => {
    const heap = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        id: `body-${i}`,
        shape: { type: 'circle', radius: 1 },
        position: { x: i % 50, y: Math.floor(i / 50) },
        velocity: { x: (i % 3) - 1, y: 0 },
      }))
    const asks: [string, object][] = [
      ['pairs', { contacts: true }],
      ['time-of-impact', { duration: 1 }],
      ['sectors', { grid: { origin: { x: -1, y: -1 }, cellSize: 1, columns: 60, rows: 60 } }],
      ['nearest', { point: { x: 3, y: 3 }, count: 2000 }],
      ['overlap', { aabb: { min: { x: -9, y: -9 }, max: { x: 99, y: 99 } }, contacts: true }],
      [
        'line-of-sight',
        {
          point: { x: -5, y: -5 },
          targets: Array.from({ length: 500 }, (_, i) => ({ point: { x: i % 50, y: i / 10 } })),
        },
      ],
      [
        'ray-cast',
        { rays: Array.from({ length: 2000 }, (_, i) => ({ origin: { x: -9, y: i / 40 }, direction: { x: 1, y: 0 } })) },
      ],
    ]
    const write = fc.array(operation(fc.nat(2499).map((n) => `body-${n}`)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.array(write, { minLength: 20, maxLength: 60 }),
        fc.constantFrom(...asks),
        (writes, [op, request]) => {
          const scene = sceneOf([CREATE])
          apply(scene, { version: 2, at: 0, operations: heap(2500).map((body) => ({ op: 'put', body })) })
          const query = sceneQueries.find((each) => each.op === op)
          const ask = () => onView(scene, (view) => query!.answer(view, request as never, sceneLimits))
          const expected = finished(ask())
          const slices = ask()
          let pauses = 0
          for (;;) {
            const { done, value } = slices.next()
            if (done) {
              sameText(value, expected)
              break
            }
            for (const each of writes[pauses++ % writes.length]) {
              if (check(scene, [each]) !== null) continue
              apply(scene, { version: scene.version + 1, at: 0, operations: [each] })
            }
          }
          expect(pauses).toBeGreaterThan(1)
          expect(scene.views.size).toBe(0)
        },
      ),
      unshrunk(18),
    )
  })

  it('lets go of the version when it is given up', () => {
    const scene = sceneOf([CREATE])
    const put = Array.from({ length: 3000 }, (_, i) => {
      return { op: 'put' as const, body: { id: `b${i}`, shape: { type: 'point' }, position: { x: i, y: 0 } } }
    })
    apply(scene, { version: 2, at: 0, operations: put })
    const pairs = sceneQueries.find(({ op }) => op === 'pairs')
    const slices = onView(scene, (view) => pairs!.answer(view, {}, sceneLimits))
    expect(slices.next().done).toBe(false)
    expect(scene.views.size).toBe(1)
    slices.return(null as never)
    expect(scene.views.size).toBe(0)
  })
})
