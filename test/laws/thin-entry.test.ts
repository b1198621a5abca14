// What touches a region at the start and goes in hits it then, however thin it is: points and ends that slip in through a vertex,
// segments that go in lengthwise or flat. What slides along or leaves does not. On whole numbers, where such starts are common.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { contactAnswer } from '../support/answers/answers.ts'
import {
  advancedPair,
  type ImpactAnswer,
  impactAnswer,
  type MovingPair,
  swappedPair,
} from '../support/answers/impact-answers.ts'
import { outlineOf } from '../support/families/random-regions.ts'
import { runCount, runs } from '../support/runs.ts'

const TRIANGLE: Vec2[] = [
  { x: 0, y: 0 },
  { x: 2, y: -1 },
  { x: 2, y: 1 },
]
const AT_ORIGIN: Vec2 = { x: 0, y: 0 }
const region = (outer: Vec2[]): Shape2d => ({ type: 'region', outer })
const polygon = (vertices: Vec2[]): Shape2d => ({ type: 'polygon', vertices })
const segment = (ax: number, ay: number, bx: number, by: number): Shape2d => ({
  type: 'segment',
  a: { x: ax, y: ay },
  b: { x: bx, y: by },
})
const chain = (...xs: number[]): Shape2d => ({ type: 'chain', vertices: xs.map((x) => ({ x, y: 0 })) })
const square = (x: number): Vec2[] => [
  { x, y: 0 },
  { x: x + 1, y: 0 },
  { x: x + 1, y: 1 },
  { x, y: 1 },
]
const POINT: Shape2d = { type: 'point' }

/** A guest at `position`, its velocity and spin; whether it goes into the triangle. */
type Row = [name: string, shape: Shape2d, position: Vec2, velocity: Vec2, spin: number, goesIn: boolean]
const ROWS: Row[] = [
  ['a point through an edge', POINT, { x: 2, y: 0 }, { x: -1, y: 0 }, 0, true],
  ['a point through a vertex', POINT, { x: 0, y: 0 }, { x: 1, y: 0 }, 0, true],
  ['a point along an edge', POINT, { x: 2, y: -0.5 }, { x: 0, y: 1 }, 0, false],
  ['a point from a vertex along an edge', POINT, { x: 0, y: 0 }, { x: 2, y: 1 }, 0, false],
  ['a point away', POINT, { x: 2, y: 0 }, { x: 1, y: 0 }, 0, false],
  ['a segment through a vertex', segment(-2, 0, 0, 0), AT_ORIGIN, { x: 1, y: 0 }, 0, true],
  ['a segment through an edge', segment(2, 0, 3, 0), AT_ORIGIN, { x: -1, y: 0 }, 0, true],
  ['a segment out through a vertex', segment(-2, 0, 0, 0), AT_ORIGIN, { x: -1, y: 0 }, 0, false],
  ['an edge flat', segment(2, -1, 2, 1), AT_ORIGIN, { x: -1, y: 0 }, 0, true],
  ['an edge flat, away', segment(2, -1, 2, 1), AT_ORIGIN, { x: 1, y: 0 }, 0, false],
  ['an edge along an edge', segment(2, -1, 2, 1), AT_ORIGIN, { x: 0, y: 1 }, 0, false],
  ['the end of a chain', chain(-2, -1, 0), AT_ORIGIN, { x: 1, y: 0 }, 0, true],
  ['a region flat', region(square(2)), AT_ORIGIN, { x: -1, y: 0 }, 0, true],
  ['a region along an edge', region(square(2)), AT_ORIGIN, { x: 0, y: 0.5 }, 0, false],
]

/** With spin; what turns about the touch is let in or kept out by the sense alone. */
const SPIN_ROWS: Row[] = [
  ['a point through an edge, spinning', POINT, { x: 2, y: 0 }, { x: -1, y: 0 }, 1, true],
  ['a segment through a vertex, turning very slowly', segment(-2, 0, 0, 0), AT_ORIGIN, { x: 1, y: 0 }, 1e-12, true],
  ['a segment through a vertex, turning', segment(-2, 0, 0, 0), AT_ORIGIN, { x: 1, y: 0 }, 1, true],
  ['the end of a chain, turning', chain(-2, -1, 0), AT_ORIGIN, { x: 1, y: 0 }, 1e-3, true],
  ['a segment flat about its end, in', segment(0, 0, 0, 1), { x: 2, y: 0 }, AT_ORIGIN, 1, true],
  ['a segment flat about its end, out', segment(0, 0, 0, 1), { x: 2, y: 0 }, AT_ORIGIN, -1, false],
  ['a segment flat about its end, shorter than the edge', segment(0, 0, 0, 0.5), { x: 2, y: 0 }, AT_ORIGIN, 1, true],
  ['a segment out through a vertex, turning', segment(-2, 0, 0, 0), AT_ORIGIN, { x: -1, y: 0 }, 1, false],
  ['an edge flat, turning slowly', segment(0, -1, 0, 1), { x: 2, y: 0 }, { x: -1, y: 0 }, 1e-9, true],
]

const QUARTER_TURNS = [0, 1, 2, 3]

/** (x, y) turned by so many right angles, exactly. */
function turned({ x, y }: Vec2, quarters: number): Vec2 {
  let p = { x, y }
  for (let k = 0; k < quarters; k++) p = { x: 0 - p.y, y: p.x }
  return p
}

function turnedShape(shape: Shape2d, quarters: number): Shape2d {
  const turn = (p: Vec2): Vec2 => turned(p, quarters)
  if (shape.type === 'region') return region(shape.outer.map(turn))
  if (shape.type === 'polygon') return polygon(shape.vertices.map(turn))
  if (shape.type === 'chain') return { ...shape, vertices: shape.vertices.map(turn) }
  return shape.type === 'segment' ? { ...shape, a: turn(shape.a), b: turn(shape.b) } : shape
}

describe('into a triangle', () => {
  it.each([...ROWS, ...SPIN_ROWS])('%s', (_, shape, position, velocity, spin, goesIn) => {
    for (const quarters of QUARTER_TURNS) {
      for (const shift of [AT_ORIGIN, { x: 5, y: -3 }, { x: 0.125, y: 0.75 }]) {
        const at = turned(position, quarters)
        const guest: MovingBody2d = {
          shape: turnedShape(shape, quarters),
          position: { x: at.x + shift.x, y: at.y + shift.y },
          velocity: turned(velocity, quarters),
          angularVelocity: spin,
        }
        for (const holder of [region, polygon]) {
          const pair = { a: guest, b: { shape: turnedShape(holder(TRIANGLE), quarters), position: shift }, duration: 1 }
          for (const answer of [impactAnswer(pair, true), impactAnswer(swappedPair(pair), true)]) {
            expect(answer === null).toBe(!goesIn)
            expect(answer?.time ?? 0).toBeLessThan(1e-14)
          }
        }
      }
    }
  })
})

it('a door that is hinged at a vertex hits where it closes', () => {
  const door: MovingBody2d = { shape: segment(0, 0, 1, 0), rotation: 1.5, angularVelocity: -1 }
  const pair = (holder: Shape2d): MovingPair => ({ a: door, b: { shape: holder }, duration: 3 })
  const closed = 1.5 - Math.atan(0.5)
  expect(impactAnswer(pair(polygon(TRIANGLE)), true)?.time).toBeCloseTo(closed, 14)
  const answer = impactAnswer(pair(region(TRIANGLE)), true)
  expect(answer?.time).toBeCloseTo(closed, 14)
  expect(answer?.a).toBe('vertex 1')
  expect(answer?.b).toBe('edge 2')
  expect(answer?.normal?.x).toBeCloseTo(Math.sqrt(0.2), 12)
  expect(answer?.normal?.y).toBeCloseTo(-Math.sqrt(0.8), 12)
})

it('a point that goes in along the edge of a narrow corner which turns hits there', () => {
  const corners = [
    { x: -1, y: -1 },
    { x: 1, y: 0 },
    { x: -1, y: -2 },
    { x: -3, y: -3 },
  ]
  const a: MovingBody2d = { shape: POINT, position: { x: 1, y: 0 }, velocity: { x: -2, y: -1 } }
  const answer = impactAnswer({ a, b: { shape: region(corners), angularVelocity: 1 }, duration: 0.3 }, true)
  expect(answer?.time).toBeLessThan(1e-6)
})

it('a point that slides off an edge into the inside hits there', () => {
  const corner = region([
    { x: 0, y: 0 },
    { x: 4, y: 0 },
    { x: 4, y: 4 },
    { x: 2, y: 4 },
    { x: 2, y: 2 },
    { x: 0, y: 2 },
  ])
  const sliding = (shape: Shape2d): MovingPair => ({
    a: { shape, position: { x: 0.5, y: 2 }, velocity: { x: 2, y: 0 } },
    b: { shape: corner },
    duration: 3,
  })
  for (const shape of [POINT, segment(-0.25, 0, 0, 0), chain(-0.5, -0.25, 0)]) {
    const answer = impactAnswer(sliding(shape), true)
    expect(answer?.time).toBe(0.75)
    expect(answer?.pointA).toEqual({ x: 2, y: 2 })
    expect(impactAnswer({ ...sliding(shape), duration: 0.5 }, true)).toBeNull()
  }
})

const whole = (size: number): Arbitrary<number> => fc.integer({ min: -size, max: size })
const place = (size: number): Arbitrary<Vec2> => fc.record({ x: whole(size), y: whole(size) })
const differing = (p: Vec2, i: number, all: readonly Vec2[]): boolean =>
  i === 0 || p.x !== all[i - 1].x || p.y !== all[i - 1].y

const simpleRing = fc
  .array(place(3), { minLength: 3, maxLength: 7 })
  .map((outer) => outer.filter(differing))
  .filter((outer) => outer.length > 2 && outlineOf([outer])?.solid === true)

/** Both ways round a convex corner is no turn to the right. */
function isConvex(ring: readonly Vec2[]): boolean {
  const turns = ring.map((p, i) => {
    const q = ring[(i + 1) % ring.length]
    const r = ring[(i + 2) % ring.length]
    return Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x))
  })
  return turns.every((turn) => turn === turns[0] && turn !== 0)
}

const convexRing = fc
  .array(place(3), { minLength: 3, maxLength: 5 })
  .filter((ring) => isConvex(ring) && outlineOf([ring])?.solid === true)

const guest: Arbitrary<Shape2d> = fc.oneof(
  fc.constant(POINT),
  place(2).map((b): Shape2d => (b.x === 0 && b.y === 0 ? POINT : { type: 'segment', a: AT_ORIGIN, b })),
  fc
    .array(place(2), { minLength: 2, maxLength: 4 })
    .map((vertices) => vertices.filter(differing))
    .filter((vertices) => vertices.length > 1)
    .map((vertices): Shape2d => ({ type: 'chain', vertices })),
  fc
    .array(place(2), { minLength: 2, maxLength: 3 })
    .map((spots): Shape2d => ({ type: 'compound', children: spots.map((position) => ({ shape: POINT, position })) })),
  convexRing.map(region),
)

interface Case {
  shape: Shape2d
  position: Vec2
  velocity: Vec2
  velocityB: Vec2
  ignored: boolean
}

const common = {
  shape: guest,
  position: place(3),
  velocity: place(3),
  velocityB: fc.oneof(fc.constant(AT_ORIGIN), place(2)),
  ignored: fc.boolean(),
}

function pairOf({ shape, position, velocity, velocityB }: Case, holder: Shape2d): MovingPair {
  return { a: { shape, position, velocity }, b: { shape: holder, velocity: velocityB }, duration: 2 }
}

it('a convex region answers as the polygon does', () => {
  fc.assert(
    fc.property(fc.record(common), convexRing, (given, ring) => {
      const asPolygon = impactAnswer(pairOf(given, polygon(ring)), given.ignored)
      for (const pair of [pairOf(given, region(ring)), swappedPair(pairOf(given, region(ring)))]) {
        const answer = impactAnswer(pair, given.ignored)
        expect(answer === null).toBe(asPolygon === null)
        expect(answer?.startedOverlapping).toBe(asPolygon?.startedOverlapping)
        expect(Math.abs((answer?.time ?? 0) - (asPolygon?.time ?? 0))).toBeLessThanOrEqual(1e-14)
      }
    }),
    runs(2000),
  )
})

const SAMPLES = 20
const SHORT = 2 ** -12
const TOLERANCE = 1e-12

function separationAt(pair: MovingPair, t: number): number {
  return contactAnswer(advancedPair(pair, t)).separation
}

/** Nothing is deep in anything until the hit. */
function check(pair: MovingPair, answer: ImpactAnswer | null): void {
  const until = answer?.time ?? pair.duration
  for (let i = 0; i < SAMPLES && until > 0; i++) {
    expect(separationAt(pair, (until * (i + 0.5)) / SAMPLES)).toBeGreaterThan(-TOLERANCE)
  }
}

it('nothing is inside before the hit, and a hit at the start goes in', () => {
  let entered = 0
  fc.assert(
    fc.property(fc.record(common), simpleRing, (given, ring) => {
      const pair = pairOf(given, region(ring))
      const answer = impactAnswer(pair, given.ignored)
      check(pair, answer)
      if (answer === null || !answer.startedOverlapping || !given.ignored) return
      // Whole numbers as small as these come to nothing else in so short a time.
      const { time } = answer
      const parted = time > 0 && separationAt(pair, time - SHORT) > TOLERANCE
      if (!parted) expect(separationAt(pair, time + SHORT)).toBeLessThan(-TOLERANCE)
      if (!parted && separationAt(pair, 0) >= 0) entered++
    }),
    runs(1200),
  )
  expect(entered).toBeGreaterThan(runCount(15))
})

interface SpinCase extends Case {
  spin: number
  spinB: number
  duration: number
}

const SPINS = [0, 1, -1, 0.7, Math.PI / 2, -2, 1e-6]
const spinning = fc
  .record({
    ...common,
    spin: fc.constantFrom(...SPINS),
    spinB: fc.constantFrom(0, 0, 0, 1, -0.5),
    duration: fc.constantFrom(0.5, 1, 3),
  })
  .filter(({ spin, spinB }) => spin !== 0 || spinB !== 0)

function spinPairOf(given: SpinCase, holder: Shape2d): MovingPair {
  const { a, b } = pairOf(given, holder)
  const { spin, spinB, duration } = given
  return { a: { ...a, angularVelocity: spin }, b: { ...b, angularVelocity: spinB }, duration }
}

/** A curved path may keep within rounding of an edge for so long before it goes in: the root of rounding. */
const SPIN_SHORT = 1e-6

it('with spin nothing is inside before the hit', () => {
  fc.assert(
    fc.property(spinning, simpleRing, (given, ring) => {
      const pair = spinPairOf(given, region(ring))
      const answer = impactAnswer(pair, given.ignored)
      check(pair, answer)
    }),
    runs(600),
  )
})

it('with spin a convex region answers as the polygon does, grazes aside', () => {
  let entered = 0
  fc.assert(
    fc.property(spinning, convexRing, (given, ring) => {
      const times = [polygon(ring), region(ring)].map(
        (holder) => impactAnswer(spinPairOf(given, holder), given.ignored)?.time ?? Infinity,
      )
      const swapped = impactAnswer(swappedPair(spinPairOf(given, region(ring))), given.ignored)?.time ?? Infinity
      if (swapped !== times[1]) expect(Math.abs(swapped - times[1])).toBeLessThanOrEqual(1e-12)
      const earlier = Math.min(...times)
      const later = Math.min(Math.max(...times), given.duration)
      if (later === 0 && given.ignored) entered++
      // What one of them calls a hit before the other does may be a touch that goes nowhere.
      if (!(later - earlier > SPIN_SHORT)) return
      const pair = spinPairOf(given, region(ring))
      for (let i = 0; i < SAMPLES; i++) {
        expect(separationAt(pair, earlier + ((later - earlier) * (i + 0.5)) / SAMPLES)).toBeGreaterThan(-TOLERANCE)
      }
    }),
    runs(2000),
  )
  expect(entered).toBeGreaterThan(runCount(15))
})
