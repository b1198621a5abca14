// A time of impact with spin is the same when vertices are put into straight edges: of regions, polygons, chains, compounds.

import fc, { type Arbitrary } from 'fast-check'
import { expect, it } from 'vitest'
import type { MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { contactAnswer } from '../support/answers/answers.ts'
import { advancedPair, type ImpactAnswer, impactAnswer, type MovingPair } from '../support/answers/impact-answers.ts'
import { pairExtent } from '../support/families/extent.ts'
import { outlineOf } from '../support/families/random-regions.ts'
import { unshrunk } from '../support/runs.ts'

interface Case {
  pair: MovingPair
  /** The same sets, with vertices in some edges. */
  other: MovingPair
  ignoreSeparating: boolean
}

/** Where vertices are put into an edge: exact for the short coordinates here, so that they lie on it. */
const SHARES = [[], [0.5], [0.25], [0.25, 0.75], [0.5, 0.625]]

function withMore(vertices: readonly Vec2[], closed: boolean, choices: readonly number[]): Vec2[] {
  return vertices.flatMap((p, i) => {
    const q = vertices[(i + 1) % vertices.length]
    if (!closed && i === vertices.length - 1) return [p]
    const shares = SHARES[choices[i % choices.length]]
    return [p, ...shares.map((share) => ({ x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share }))]
  })
}

function rewritten(shape: Shape2d, choices: readonly number[]): Shape2d {
  switch (shape.type) {
    case 'region':
      return { ...shape, outer: withMore(shape.outer, true, choices) }
    case 'polygon':
      return { ...shape, vertices: withMore(shape.vertices, true, choices) }
    case 'chain':
      return { ...shape, vertices: withMore(shape.vertices, shape.loop === true, choices) }
    case 'compound':
      return {
        ...shape,
        children: shape.children.map((child) => ({ ...child, shape: rewritten(child.shape, choices) })),
      }
    default:
      return shape
  }
}

/** Multiples of 1/`parts`: of whole numbers bodies touch at the start all the time. */
const coordinate = (size: number, parts: number): Arbitrary<number> =>
  fc.integer({ min: -size * parts, max: size * parts }).map((n) => n / parts)
const place = (size: number, parts: number): Arbitrary<Vec2> =>
  fc.record({ x: coordinate(size, parts), y: coordinate(size, parts) })

const differing = (p: Vec2, i: number, all: readonly Vec2[]): boolean =>
  i === 0 || p.x !== all[i - 1].x || p.y !== all[i - 1].y

/** Vertices all around the origin. */
const star = (parts: number): Arbitrary<Shape2d> =>
  fc
    .record({ reaches: fc.array(fc.integer({ min: 4, max: 20 }), { minLength: 4, maxLength: 9 }), turn: fc.nat(62) })
    .map(({ reaches, turn }) =>
      reaches.map((r, i): Vec2 => {
        const angle = turn / 10 + (2 * Math.PI * i) / reaches.length
        const at = (value: number): number => Math.round((parts * r * value) / 8) / parts + 0
        return { x: at(Math.cos(angle)), y: at(Math.sin(angle)) }
      }),
    )
    .filter((outer) => outlineOf([outer]) !== null)
    .map((outer) => ({ type: 'region', outer }))

const chain = (parts: number): Arbitrary<Shape2d> =>
  fc
    .array(place(2, parts), { minLength: 2, maxLength: 5 })
    .map((vertices) => vertices.filter(differing))
    .filter((vertices) => vertices.length > 1)
    .map((vertices) => ({ type: 'chain', vertices }))

const convex = (parts: number): Arbitrary<Shape2d> =>
  fc.record({ x: coordinate(2, parts), y: coordinate(2, parts), width: fc.integer({ min: 1, max: 3 }) }).map(
    ({ x, y, width }): Shape2d => ({
      type: 'polygon',
      vertices: [
        { x, y },
        { x: x + width, y },
        { x: x + width, y: y + 2 },
        { x, y: y + 1 },
      ],
    }),
  )

const simple = (parts: number): Arbitrary<Shape2d> => fc.oneof(star(parts), chain(parts), convex(parts))

const compound = (parts: number): Arbitrary<Shape2d> =>
  fc
    .array(fc.record({ shape: simple(parts), position: place(2, parts) }), { minLength: 1, maxLength: 3 })
    .map((children) => ({ type: 'compound', children }))

const QUARTERS = [0, 0, 1, 2, 3].map((n) => (n * Math.PI) / 2)

const moving = (parts: number): Arbitrary<MovingBody2d> =>
  fc.record({
    shape: fc.oneof({ weight: 4, arbitrary: simple(parts) }, { weight: 1, arbitrary: compound(parts) }),
    position: place(5, parts),
    rotation: fc.constantFrom(...QUARTERS, Math.PI / 4, 1.3),
    velocity: fc.oneof(fc.constant({ x: 0, y: 0 }), place(4, parts)),
    angularVelocity: fc.constantFrom(0, Math.PI / 2, -Math.PI / 2, Math.PI, 1, -2, 0.7),
  })

const cases = (parts: number): Arbitrary<Case> =>
  fc
    .record({
      a: moving(parts),
      b: moving(parts),
      duration: fc.constantFrom(0.5, 1, 3, 10),
      ignoreSeparating: fc.boolean(),
      choices: fc.array(fc.nat(SHARES.length - 1), { minLength: 3, maxLength: 12 }),
    })
    .map(({ a, b, duration, ignoreSeparating, choices }) => {
      const more = (body: MovingBody2d): MovingBody2d => ({ ...body, shape: rewritten(body.shape, choices) })
      return { pair: { a, b, duration }, other: { a: more(a), b: more(b), duration }, ignoreSeparating }
    })
    .filter(({ pair: { a, b } }) => a.angularVelocity !== 0 || b.angularVelocity !== 0)

/** A path may keep within rounding of a contact for so long before it goes in: the root of rounding. */
const SHORT = 1e-6
const SAMPLES = 100

function separationAt(pair: MovingPair, t: number): number {
  return contactAnswer(advancedPair(pair, t)).separation
}

/** Whether nothing goes in between the two times by more than rounding, so that only a graze tells them apart. */
function grazes({ pair }: Case, from: number, to: number): boolean {
  const depth = 1e-12 * pairExtent(pair.a, pair.b)
  for (let i = 0; i < SAMPLES; i++) {
    if (separationAt(pair, from + ((to - from) * (i + 0.5)) / SAMPLES) < -depth) return false
  }
  return true
}

/** What is apart is hit at the start only if it goes in. */
function checkStart(answer: ImpactAnswer | null): void {
  if (answer === null || answer.startedOverlapping || answer.time > 1e-12) return
  expect(answer.exitTime ?? 1).toBeGreaterThan(1e-9)
}

function check(given: Case): void {
  const { pair, other, ignoreSeparating } = given
  const one = impactAnswer(pair, ignoreSeparating)
  const two = impactAnswer(other, ignoreSeparating)
  checkStart(one)
  checkStart(two)
  const first = one?.time ?? pair.duration
  const second = two?.time ?? pair.duration
  if ((one === null) === (two === null) && Math.abs(first - second) <= 1e-9 * (1 + first)) return
  // Rotated vertices are rounded, and what touches may be a unit in the last place apart then; whatever else is found
  // earlier by one of them has to be a touch that goes nowhere.
  const earlier = Math.min(first, second)
  const later = Math.max(first, second)
  expect(Math.abs(separationAt(pair, earlier))).toBeLessThanOrEqual(1e-12 * pairExtent(pair.a, pair.b))
  if (later - earlier > SHORT || (one === null) !== (two === null)) expect(grazes(given, earlier, later)).toBe(true)
}

it('on whole numbers, where much touches at the start', () => {
  fc.assert(fc.property(cases(1), check), unshrunk(2000))
})

it('anywhere', () => {
  fc.assert(fc.property(cases(8), check), unshrunk(800))
})

const QUARTER = Math.PI / 2
const ring = (...numbers: number[]): Vec2[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))

it('a corner that rounding leaves in contact with an edge, of which it turns away, is no hit', () => {
  const pair = (more: boolean): MovingPair => ({
    a: {
      shape: {
        type: 'region',
        outer: more
          ? ring(1, 0, 0, 2, -0.25, 1.75, -0.75, 1.25, -1, 1, -1.5, 0.5, -2, 0, -1, -1, -0.75, -1.25, 0, -2, 1, -1)
          : ring(1, 0, 0, 2, -2, 0, 0, -2, 1, -1),
      },
      position: { x: 3.5, y: -5 },
      rotation: QUARTER,
      angularVelocity: -QUARTER,
    },
    b: {
      shape: { type: 'region', outer: ring(-1, -1, 1, -1, 1, 0, 0, 1, -2, 1) },
      position: { x: 5, y: -3 },
      angularVelocity: -QUARTER,
    },
    duration: 10,
  })
  for (const ignored of [false, true]) {
    for (const more of [false, true]) {
      const answer = impactAnswer(pair(more), ignored)
      expect(answer?.startedOverlapping).toBe(false)
      expect(answer?.time).toBeCloseTo(1, 9)
    }
  }
})

it('an end of a chain that rounding leaves in contact, and that moves away, is no hit', () => {
  const pair = (vertices: Vec2[]): MovingPair => ({
    a: {
      shape: { type: 'chain', vertices },
      position: { x: 2, y: -1 },
      rotation: 3 * QUARTER,
      velocity: { x: 2, y: 2.5 },
      angularVelocity: -QUARTER,
    },
    b: {
      shape: { type: 'region', outer: ring(2, 1, 0, 1, -1, 0, -1, -2, 1, -1) },
      position: { x: -1, y: 1 },
      rotation: 3 * QUARTER,
      angularVelocity: 1,
    },
    duration: 0.5,
  })
  expect(impactAnswer(pair(ring(-1, -2, 1, 0)))).toBeNull()
  expect(impactAnswer(pair(ring(-1, -2, -0.5, -1.5, 0.5, -0.5, 1, 0)))).toBeNull()
})
