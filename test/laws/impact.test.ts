// Times of impact: apart before, touching at the time, the same from every frame, in every order and at every scale.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { isUnrotated } from '../oracle/exact-sweep.ts'
import { apart, contactAnswer, distanceAnswer, negated, overlapAnswer } from '../support/answers/answers.ts'
import {
  AT_REST,
  advancedPair,
  boosted,
  impactAnswer,
  type MovingPair,
  swappedPair,
  translatedMotion,
  turnedMotion,
} from '../support/answers/impact-answers.ts'
import { rayAnswer } from '../support/answers/ray-answers.ts'
import {
  anyBody,
  BOUNDED_TYPES,
  EXACT_TYPES,
  GRID,
  mixedBody,
  SHAPE_TYPES,
  UNIFORM,
  unrotatedBody,
  vec2,
} from '../support/families/arbitraries.ts'
import {
  hasAabb,
  mixedComposite,
  rotatedComposite,
  unrotatedComposite,
} from '../support/families/composite-arbitraries.ts'
import { ACCURACY_RATIO, pairExtent, pairTolerance, reach } from '../support/families/extent.ts'
import { motionFamilies, scaledMovingPair } from '../support/families/motion-families.ts'
import { positionOf } from '../support/families/transform.ts'
import { unshrunk } from '../support/runs.ts'

/** Most that the distance of the pair changes in a second. */
function speedBound({ a, b }: MovingPair): number {
  const { x, y } = relativeVelocity(a, b)
  const turning = [a, b].map((body) => (body.angularVelocity ? Math.abs(body.angularVelocity) * reach(body) : 0))
  return Math.hypot(x, y) + turning[0] + turning[1]
}

function relativeVelocity(a: MovingBody2d, b: MovingBody2d): Vec2 {
  const { velocity: v = AT_REST } = a
  const { velocity: w = AT_REST } = b
  return { x: w.x - v.x, y: w.y - v.y }
}

/** Allowed error of lengths anywhere along the motion. */
function lengthTolerance(pair: MovingPair): number {
  const end = advancedPair(pair, pair.duration)
  return pairTolerance(pair.a, pair.b) + pairTolerance(end.a, end.b)
}

function distanceAt(pair: MovingPair, t: number): number {
  return distanceAnswer(advancedPair(pair, t)).distance
}

const SAMPLES = 24

function checkImpact(pair: MovingPair): void {
  const answer = impactAnswer(pair)
  const tolerance = lengthTolerance(pair)
  const started = overlapAnswer(pair).relation <= 0
  expect(answer?.startedOverlapping ?? false).toBe(started)
  if (answer !== null && !started) {
    // At `time` they touch, …
    expect(distanceAt(pair, answer.time)).toBeLessThanOrEqual(2 * tolerance)
    expect(contactAnswer(advancedPair(pair, answer.time)).separation).toBeGreaterThanOrEqual(
      -4 * tolerance - deepening(pair, answer.time),
    )
    expect(apart(answer.pointA, answer.pointB)).toBeLessThanOrEqual(4 * tolerance)
    expect(Math.abs(Math.hypot(answer.normal?.x ?? 0, answer.normal?.y ?? 0) - 1)).toBeLessThanOrEqual(1e-12)
  }
  if (answer !== null && started) expect(answer.time).toBe(0)
  // … and before it they are apart.
  const until = answer?.time ?? pair.duration
  const step = until / SAMPLES
  for (let i = 0; i < SAMPLES && until > 0; i++) {
    const t = i * step
    const margin = speedBound(pair) * (until - t)
    if (answer === null || margin > 4 * tolerance) {
      expect(distanceAt(pair, t) > 0 || contactAnswer(advancedPair(pair, t)).separation >= -4 * tolerance).toBe(true)
    }
  }
  if (answer?.converged) checkExit(pair, answer.time, answer.exitTime, tolerance)
}

/** A vertex of a slender part may be deeper than any tolerance a rounding of time later: only lines, which have no depth. */
function deepening(pair: MovingPair, t: number): number {
  return speedBound(pair) * t * 2 ** -50
}

/** They stay together until they part; right at `exitTime` they still touch. */
function checkExit(pair: MovingPair, time: number, exitTime: number | null, tolerance: number): void {
  const end = exitTime ?? pair.duration
  for (let i = 1; i < SAMPLES; i++) {
    expect(distanceAt(pair, time + ((end - time) * i) / SAMPLES)).toBeLessThanOrEqual(2 * tolerance)
  }
  if (exitTime === null) return
  expect(exitTime).toBeGreaterThanOrEqual(time)
  expect(exitTime).toBeLessThanOrEqual(pair.duration)
  expect(distanceAt(pair, exitTime)).toBeLessThanOrEqual(2 * tolerance)
}

const velocity = fc.constantFrom(GRID, UNIFORM).chain((source) => vec2(source))
const duration = fc.constantFrom(0.5, 1, 3)

export function moving(bodies: Arbitrary<Body2d>, spins: Arbitrary<number>): Arbitrary<MovingBody2d> {
  return fc.record({ body: bodies, velocity, angularVelocity: spins }).map(({ body, velocity: v, angularVelocity }) => {
    const spin = hasAabb(body.shape) ? 0 : angularVelocity
    return spin === 0 ? { ...body, velocity: v } : { ...body, velocity: v, angularVelocity: spin }
  })
}

const NO_SPIN = fc.constant(0)
const SPIN = fc.oneof(fc.constantFrom(0, 1, -Math.PI, 12), UNIFORM.coordinate)

function pairs(bodies: Arbitrary<Body2d>, spins: Arbitrary<number>): Arbitrary<MovingPair> {
  return fc.record({ a: moving(bodies, spins), b: moving(bodies, spins), duration })
}

describe('apart before, touching at the time, together until the exit', () => {
  it('convex bodies', () => {
    fc.assert(fc.property(pairs(mixedBody(), NO_SPIN), checkImpact), unshrunk(1200))
  })

  it('composite bodies', () => {
    fc.assert(fc.property(pairs(mixedComposite(), NO_SPIN), checkImpact), unshrunk(400))
  })

  it('with spin', () => {
    fc.assert(fc.property(pairs(anyBody(BOUNDED_TYPES), SPIN), checkImpact), unshrunk(400))
  })

  it('with spin, half-planes too', () => {
    fc.assert(fc.property(pairs(anyBody(SHAPE_TYPES), SPIN), checkImpact), unshrunk(200))
  })

  it('composite bodies with spin', () => {
    fc.assert(fc.property(pairs(rotatedComposite(), SPIN), checkImpact), unshrunk(100))
  })
})

/** Every kind of motion, for laws that compare two answers. */
const anyMotion: Arbitrary<MovingPair> = fc.oneof(
  { weight: 4, arbitrary: pairs(mixedBody(), NO_SPIN) },
  { weight: 2, arbitrary: pairs(mixedComposite(), NO_SPIN) },
  { weight: 2, arbitrary: pairs(anyBody(BOUNDED_TYPES), SPIN) },
  { weight: 1, arbitrary: pairs(rotatedComposite(), SPIN) },
  {
    weight: 4,
    arbitrary: fc.oneof(
      ...Object.values(motionFamilies((source) => unrotatedComposite(source))).slice(0, 5),
      ...Object.values(motionFamilies((source) => unrotatedBody(source))).slice(0, 5),
    ),
  },
)

/** Grazing and nearly simultaneous contacts come out either way when input is rounded. */
function isDelicate(pair: MovingPair): boolean {
  const { a, b } = pair
  const steps = 64
  const margin = 1e-6 * pairExtent(a, b)
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i <= steps; i++) {
    const s = contactAnswer(advancedPair(pair, (pair.duration * i) / steps)).separation
    least = Math.min(least, s)
  }
  return Math.abs(least) <= margin + (speedBound(pair) * pair.duration) / steps
}

function compareTimes(pair: MovingPair, before: ReturnType<typeof impactAnswer>, after: typeof before): void {
  if ((before === null) !== (after === null)) {
    expect(isDelicate(pair)).toBe(true)
    return
  }
  if (before === null || after === null) return
  // How far off a contact may be that comes a little sooner or later.
  const length = 8 * lengthTolerance(pair)
  const slip = Math.abs(after.time - before.time)
  const { x, y } = relativeVelocity(pair.a, pair.b)
  const facing = before.normal ? Math.abs(before.normal.x * x + before.normal.y * y) : 0
  const spins = (pair.a.angularVelocity ?? 0) !== 0 || (pair.b.angularVelocity ?? 0) !== 0
  if (slip === 0 || (facing > 1e-3 * Math.hypot(x, y) && !spins && slip * facing <= length)) return
  // Else one of them has found a graze: until the later time they are hardly in each other.
  const first = Math.min(before.time, after.time)
  const depth = Math.max(length, 1e-6 * pairExtent(pair.a, pair.b))
  for (let i = 0; i <= 16; i++) {
    const { separation } = contactAnswer(advancedPair(pair, first + (slip * i) / 16))
    expect(separation).toBeGreaterThanOrEqual(-depth)
  }
}

describe('the same answer', () => {
  it('with A and B swapped', () => {
    fc.assert(
      fc.property(anyMotion, (pair) => {
        const answer = impactAnswer(pair)
        const swapped = impactAnswer(swappedPair(pair))
        expect(swapped === null).toBe(answer === null)
        if (answer === null || swapped === null) return
        const tolerance = lengthTolerance(pair)
        expect(swapped.startedOverlapping).toBe(answer.startedOverlapping)
        expect(swapped.exitTime === null).toBe(answer.exitTime === null)
        expect(Math.abs(swapped.time - answer.time) * speedBound(pair)).toBeLessThanOrEqual(tolerance)
        if (swapped.exitTime !== null && answer.exitTime !== null) {
          expect(Math.abs(swapped.exitTime - answer.exitTime) * speedBound(pair)).toBeLessThanOrEqual(tolerance)
        }
        if (answer.startedOverlapping) return
        expect(apart(negated(swapped.normal as Vec2), answer.normal as Vec2)).toBeLessThanOrEqual(1e-6)
      }),
      unshrunk(1500),
    )
  })

  it('seen from a moving frame', () => {
    const exactly = fc.record({ x: fc.integer({ min: -3, max: 3 }), y: fc.integer({ min: -3, max: 3 }) })
    fc.assert(
      fc.property(anyMotion, exactly, (pair, boost) => {
        const other = { ...pair, a: boosted(pair.a, boost), b: boosted(pair.b, boost) }
        const [before, after] = [impactAnswer(pair), impactAnswer(other)]
        compareTimes(pair, before, after)
        if (before === null || after === null || before.startedOverlapping) return
        const { time } = after
        if (Math.abs(before.time - time) > 1e-9) return
        const moved = { x: after.pointA.x - boost.x * time, y: after.pointA.y - boost.y * time }
        // Along parallel edges any common point is right.
        const along = { x: moved.x - before.pointA.x, y: moved.y - before.pointA.y }
        const normal = before.normal as Vec2
        expect(Math.abs(along.x * normal.x + along.y * normal.y)).toBeLessThanOrEqual(
          1e-6 * (1 + pairExtent(pair.a, pair.b)),
        )
      }),
      unshrunk(1200),
    )
  })

  it('turned and moved', () => {
    const motion = fc.record({ angle: fc.constantFrom(Math.PI / 2, 0.7, -2.1), dx: fc.constantFrom(0, 1e3, -1e6) })
    fc.assert(
      fc.property(anyMotion, motion, (pair, { angle, dx }) => {
        const move = (body: MovingBody2d): MovingBody2d => translatedMotion(turnedMotion(body, angle), dx, -dx)
        const other = { ...pair, a: move(pair.a), b: move(pair.b) }
        const [before, after] = [impactAnswer(pair), impactAnswer(other)]
        compareTimes(other, after, before)
        if (!before?.normal || !after?.normal || before.startedOverlapping || isDelicate(pair)) return
        expect(Math.abs(Math.hypot(after.normal.x, after.normal.y) - 1)).toBeLessThanOrEqual(1e-12)
      }),
      unshrunk(800),
    )
  })

  it('at every scale', () => {
    const power = fc.integer({ min: -40, max: 40 }).map((n) => 2 ** n)
    fc.assert(
      fc.property(anyMotion, power, (pair, k) => {
        const before = impactAnswer(pair)
        const after = impactAnswer(scaledMovingPair(pair, k))
        expect(after === null).toBe(before === null)
        if (before === null || after === null) return
        const tolerance = 1e-12 * (1 + pair.duration)
        expect(after.startedOverlapping).toBe(before.startedOverlapping)
        expect(Math.abs(after.time - before.time)).toBeLessThanOrEqual(tolerance)
        expect(after.exitTime === null).toBe(before.exitTime === null)
        if (before.exitTime !== null && after.exitTime !== null) {
          expect(Math.abs(after.exitTime - before.exitTime)).toBeLessThanOrEqual(tolerance)
        }
      }),
      unshrunk(800),
    )
  })

  it('at every speed', () => {
    const power = fc.integer({ min: -40, max: 40 }).map((n) => 2 ** n)
    const faster = ({ a, b, duration: t }: MovingPair, k: number): MovingPair => {
      const speed = ({ velocity: v, angularVelocity: w, ...body }: MovingBody2d): MovingBody2d => ({
        ...body,
        ...(v === undefined ? {} : { velocity: { x: v.x * k, y: v.y * k } }),
        ...(w === undefined ? {} : { angularVelocity: w * k }),
      })
      return { a: speed(a), b: speed(b), duration: t / k }
    }
    fc.assert(
      fc.property(anyMotion, power, (pair, k) => {
        const before = impactAnswer(pair)
        const after = impactAnswer(faster(pair, k))
        expect(after === null).toBe(before === null)
        if (before === null || after === null) return
        expect(Math.abs(after.time * k - before.time)).toBeLessThanOrEqual(1e-12 * (1 + pair.duration))
      }),
      unshrunk(800),
    )
  })
})

it('backwards, a linear motion leaves where it came in', () => {
  fc.assert(
    fc.property(pairs(mixedBody(EXACT_TYPES), NO_SPIN), (pair) => {
      const forward = impactAnswer(pair)
      const end = advancedPair(pair, pair.duration)
      const back = (body: Body2d, { velocity: v = AT_REST }: MovingBody2d): MovingBody2d => ({
        ...body,
        velocity: negated(v),
      })
      const backward = impactAnswer({ a: back(end.a, pair.a), b: back(end.b, pair.b), duration: pair.duration })
      if (isDelicate(pair)) return
      expect(backward === null).toBe(forward === null)
      if (forward === null || backward === null) return
      const { x, y } = relativeVelocity(pair.a, pair.b)
      const speed = Math.hypot(x, y)
      const tolerance = 1e-6 * pairExtent(pair.a, pair.b)
      const leave = forward.exitTime ?? pair.duration
      expect(Math.abs(pair.duration - backward.time - leave) * speed).toBeLessThanOrEqual(tolerance)
      const enter = backward.exitTime ?? pair.duration
      expect(Math.abs(pair.duration - enter - forward.time) * speed).toBeLessThanOrEqual(tolerance)
    }),
    unshrunk(1000),
  )
})

describe('ignoreSeparating', () => {
  const touching = motionFamilies((source) => unrotatedBody(source, EXACT_TYPES))[
    'touching on the grid at some instant'
  ]

  it('leaves out a contact that only ends, and no other', () => {
    fc.assert(
      fc.property(touching, pairs(mixedBody(), NO_SPIN), fc.boolean(), (aimed, free, useAimed) => {
        const pair = useAimed ? aimed : free
        const counted = impactAnswer(pair)
        const answer = impactAnswer(pair, true)
        const { relation } = overlapAnswer(pair)
        if (relation !== 0 || counted === null) {
          expect(answer).toEqual(counted)
          return
        }
        // Convex bodies that touch and do not go into each other never meet again.
        const { x, y } = relativeVelocity(pair.a, pair.b)
        const middle = { ...pair, duration: Math.min(pair.duration, counted.exitTime ?? pair.duration) }
        const inner = contactAnswer(advancedPair(middle, middle.duration / 2)).separation
        const tolerance = lengthTolerance(pair)
        if (answer === null) expect(inner >= -tolerance || (x === 0 && y === 0)).toBe(true)
        else expect(answer).toEqual(counted)
        if (inner < -tolerance) expect(answer).not.toBeNull()
      }),
      unshrunk(2500),
    )
  })

  it('finds the next contact of a body that leaves and comes back', () => {
    const wall: Body2d = {
      shape: { type: 'region', outer: [v(0, 0), v(10, 0), v(10, 3), v(6, 3), v(6, 1), v(4, 1), v(4, 3), v(0, 3)] },
    }
    const box: Body2d = { shape: { type: 'box', width: 1, height: 1 }, position: { x: 4.5, y: 1.5 } }
    // From the left wall of the notch to its right one.
    expect(impactAnswer({ a: wall, b: { ...box, velocity: v(1, 0.5) }, duration: 4 })?.time).toBe(0)
    const later = impactAnswer({ a: wall, b: { ...box, velocity: v(1, 0.5) }, duration: 4 }, true)
    expect(later).toMatchObject({ time: 1, normal: { x: -1, y: 0 } })
    // A bar that turns away from the floor and strikes it again with its other end half a turn later.
    const floor: Body2d = { shape: { type: 'halfplane', normal: v(0, 1), offset: 0 } }
    const bar: Body2d = {
      shape: { type: 'segment', a: v(-1, 0), b: v(1, 0) },
      position: v(0, 1),
      rotation: Math.PI / 2,
    }
    const again = impactAnswer({ a: floor, b: { ...bar, angularVelocity: Math.PI }, duration: 3 }, true)
    expect(again?.time ?? Number.NaN).toBeCloseTo(1, 6)
  })
})

function v(x: number, y: number): Vec2 {
  return { x, y }
}

it('a ray is the cast of a point', () => {
  fc.assert(
    fc.property(vec2(UNIFORM), vec2(GRID), mixedComposite(), (origin, direction, target) => {
      fc.pre(direction.x !== 0 || direction.y !== 0)
      const length = Math.hypot(direction.x, direction.y)
      const hit = rayAnswer({ origin, direction, maxDistance: length }, target)
      const cast = impactAnswer({
        a: target,
        b: { shape: { type: 'point' }, position: origin, velocity: direction },
        duration: 1,
      })
      const tolerance = 4 * pairTolerance({ shape: { type: 'point' }, position: origin }, target)
      if ((hit === null) !== (cast === null)) {
        // maxDistance is rounded, and a rotated target may be grazed.
        const near = hit?.distance ?? (cast?.time as number) * length
        expect(length - near <= tolerance || !isUnrotated(target)).toBe(true)
        return
      }
      if (hit === null || cast === null) return
      expect(cast.startedOverlapping).toBe(hit.startedInside)
      expect(Math.abs(cast.time * length - hit.distance)).toBeLessThanOrEqual(tolerance)
      if (hit.exit && cast.exitTime !== null) {
        expect(Math.abs(cast.exitTime * length - hit.exit.distance)).toBeLessThanOrEqual(tolerance)
      }
      if (hit.normal && cast.normal)
        expect(cast.normal.x * direction.x + cast.normal.y * direction.y).toBeLessThanOrEqual(1e-9)
    }),
    unshrunk(1500),
  )
})

it('accuracy does not depend on where the pair stands', () => {
  fc.assert(
    fc.property(pairs(mixedBody(EXACT_TYPES), NO_SPIN), fc.constantFrom(2 ** 20, -(2 ** 30)), (pair, offset) => {
      const far = { ...pair, a: shifted(pair.a, offset), b: shifted(pair.b, offset) }
      // What the far coordinates stand for, brought back exactly.
      const near = { ...pair, a: shifted(far.a, -offset), b: shifted(far.b, -offset) }
      const [before, after] = [impactAnswer(near), impactAnswer(far)]
      expect(after === null).toBe(before === null)
      if (before === null || after === null) return
      expect(Math.abs(after.time - before.time) * speedBound(pair)).toBeLessThanOrEqual(
        ACCURACY_RATIO * pairExtent(pair.a, pair.b) * 4,
      )
    }),
    unshrunk(800),
  )
})

function shifted(body: MovingBody2d, offset: number): MovingBody2d {
  const { x, y } = positionOf(body)
  return { ...body, position: { x: x + offset, y: y + offset } }
}
