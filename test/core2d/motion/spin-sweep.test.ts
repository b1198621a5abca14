import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { createSpinExit, exitSpin } from '../../../src/core2d/motion/spin-exit.ts'
import { createSpinHit, type SpinHit, sweepSpin } from '../../../src/core2d/motion/spin-sweep.ts'
import { separate } from '../../../src/core2d/narrow-phase/dispatch.ts'
import { createSeparation } from '../../../src/core2d/narrow-phase/separation.ts'
import { HALFPLANE } from '../../../src/core2d/shape/body.ts'
import {
  AT_REST,
  advanced,
  type MovingPair,
  motionOf,
  scaledMotion,
  swappedPair,
} from '../../support/answers/impact-answers.ts'
import { prepare } from '../../support/answers/slots.ts'
import { anyBody, BOUNDED_TYPES, mixedBody } from '../../support/families/arbitraries.ts'
import { pairExtent } from '../../support/families/extent.ts'
import { lawPairs } from '../../support/families/pair-families.ts'
import { runs } from '../../support/runs.ts'

/** How far from touching a pair may be at a time of impact, relative to its extent: half-planes swing what is far away. */
const TOUCH_RATIO = 1e-11
const COORDINATE_RATIO = 2 ** -50
const SAMPLES = 100

function sweepOf({ a, b, duration }: MovingPair, from = 0, leaving = false): SpinHit | null {
  const out = createSpinHit()
  const slotA = prepare(a)
  const slotB = prepare(b)
  const hit = sweepSpin(slotA, motionOf(a), slotA, slotB, motionOf(b), slotB, from, duration, leaving, out)
  return hit ? out : null
}

/** Infinity when they do not part. */
function exitOf({ a, b, duration }: MovingPair, from: number): number {
  const out = createSpinExit()
  const slotA = prepare(a)
  const slotB = prepare(b)
  const parts = exitSpin(slotA, motionOf(a), slotA, slotB, motionOf(b), slotB, from, duration, out)
  if (parts && !out.converged) {
    // Only what slides along, within rounding of touching, may go on for longer than is looked at.
    expect(Math.abs(separationAt({ a, b, duration }, out.time))).toBeLessThanOrEqual(toleranceOf({ a, b, duration }))
  }
  return parts ? out.time : Infinity
}

const separation = createSeparation()

function separationAt({ a, b }: MovingPair, t: number): number {
  separate(prepare(advanced(a, t)), prepare(advanced(b, t)), separation)
  return separation.value
}

/** How far from touching is still touching; far from the origin, coordinates themselves are only so precise. */
function toleranceOf({ a, b, duration }: MovingPair): number {
  const bodies = [a, b, advanced(a, duration), advanced(b, duration)]
  const far = Math.max(...bodies.flatMap(({ position: p = AT_REST }) => [Math.abs(p.x), Math.abs(p.y)]))
  return TOUCH_RATIO * (pairExtent(a, b) + pairExtent(bodies[2], bodies[3])) + COORDINATE_RATIO * far
}

function isSpinning({ angularVelocity = 0 }: MovingBody2d): boolean {
  return Math.abs(angularVelocity) > 1e-3
}

const real = (size: number) => fc.double({ min: -size, max: size, noNaN: true })

function moving(bodies: Arbitrary<Body2d>): Arbitrary<MovingBody2d> {
  return fc
    .record({ body: bodies, x: real(8), y: real(8), spin: real(6), still: fc.nat(4) })
    .map(({ body, x, y, spin, still }): MovingBody2d => {
      if (body.shape.type === 'aabb') return { ...body, velocity: { x, y } }
      return { ...body, velocity: { x, y }, angularVelocity: still === 0 ? 0 : spin }
    })
}

const randomPairs: Arbitrary<MovingPair> = fc.record({
  a: moving(anyBody()),
  b: moving(mixedBody(BOUNDED_TYPES)),
  duration: fc.double({ min: 0.1, max: 4, noNaN: true }),
})

/** A pair in a chosen position at time `at`, put back along its motion. */
const aimedPairs: Arbitrary<MovingPair> = fc
  .record({
    pair: lawPairs(),
    x: real(4),
    y: real(4),
    spinA: real(3),
    spinB: real(3),
    at: fc.double({ min: 0.1, max: 2, noNaN: true }),
  })
  .map(({ pair: { a, b }, x, y, spinA, spinB, at }) => {
    const back = (body: Body2d, sign: number, spin: number): MovingBody2d => {
      const turn = body.shape.type === 'aabb' ? 0 : spin
      const start = { ...body, velocity: { x: -sign * x, y: -sign * y }, angularVelocity: -turn }
      return { ...advanced(start, at), velocity: { x: sign * x, y: sign * y }, angularVelocity: turn }
    }
    return { a: back(a, 1, spinA), b: back(b, -1, spinB), duration: at * 1.5 }
  })

function checkHit(pair: MovingPair): void {
  const tolerance = toleranceOf(pair)
  const found = sweepOf(pair)
  const end = found?.time ?? pair.duration
  for (let i = 0; i < SAMPLES; i++) {
    expect(separationAt(pair, (end * i) / SAMPLES), `apart at sample ${i}`).toBeGreaterThan(-tolerance)
  }
  if (found === null) return
  expect(found.converged).toBe(true)
  expect(found.time).toBeLessThanOrEqual(pair.duration)
  if (separationAt(pair, 0) > tolerance) expect(Math.abs(separationAt(pair, end))).toBeLessThanOrEqual(tolerance)
  expect(Math.hypot(found.nx, found.ny)).toBeCloseTo(1, 12)
  const gap = Math.hypot(found.bx - found.ax, found.by - found.ay)
  if (found.time > 0) expect(gap).toBeLessThanOrEqual(2 * tolerance)
}

describe('contacts of spinning bodies', () => {
  it('are never passed, and are contacts', () => {
    fc.assert(
      fc.property(randomPairs, (pair) => {
        fc.pre(separationAt(pair, 0) > 0)
        checkHit(pair)
      }),
      runs(600),
    )
  })

  it('are found where they are aimed', () => {
    fc.assert(
      fc.property(aimedPairs, (pair) => {
        fc.pre(separationAt(pair, 0) > 0)
        checkHit(pair)
      }),
      runs(600),
    )
  })

  it('swap with the bodies', () => {
    fc.assert(
      fc.property(fc.oneof(randomPairs, aimedPairs), (pair) => {
        fc.pre(separationAt(pair, 0) > 0)
        const there = sweepOf(pair)
        const back = sweepOf(swappedPair(pair))
        expect(back === null).toBe(there === null)
        if (there === null || back === null) return
        expect(back.time).toBe(there.time)
        expect([0 - back.nx, 0 - back.ny]).toEqual([there.nx + 0, there.ny + 0])
        expect([back.bx, back.by, back.ax, back.ay]).toEqual([there.ax, there.ay, there.bx, there.by])
        expect([back.featureB, back.featureA]).toEqual([there.featureA, there.featureB])
      }),
      runs(1000),
    )
  })

  it('come sooner by the time that has passed', () => {
    fc.assert(
      fc.property(randomPairs, fc.double({ min: 0, max: 1, noNaN: true }), (pair, share) => {
        fc.pre(separationAt(pair, 0) > 0)
        const whole = sweepOf(pair)
        fc.pre(whole !== null)
        const { time } = whole as SpinHit
        const passed = share * time
        const { a, b, duration } = pair
        const rest = sweepOf({
          a: { ...a, ...advanced(a, passed) },
          b: { ...b, ...advanced(b, passed) },
          duration: duration - passed,
        })
        const later = sweepOf(pair, passed)
        // A graze may be lost to rounding; a clear meeting not.
        const clear = separationAt(pair, Math.min(duration, time + 1e-6)) < -1e-9
        if (clear) {
          expect((rest?.time ?? Infinity) + passed).toBeCloseTo(time, 7)
          expect(later?.time ?? Infinity).toBeCloseTo(time, 7)
        }
      }),
      runs(500),
    )
  })
})

describe('partings of spinning bodies', () => {
  it('are the first after the contact', () => {
    fc.assert(
      fc.property(fc.oneof(randomPairs, aimedPairs), (pair) => {
        // Without spin a contact can slide on for ever; that is another function's business.
        fc.pre(isSpinning(pair.a) || isSpinning(pair.b))
        const tolerance = toleranceOf(pair)
        const found = separationAt(pair, 0) > 0 ? sweepOf(pair) : { time: 0 }
        if (found === null) return
        const { time } = found
        fc.pre(Number.isFinite(separationAt(pair, time)))
        const exit = exitOf(pair, time)
        expect(exit).toBeGreaterThanOrEqual(time)
        const end = Math.min(exit, pair.duration)
        for (let i = 1; i < SAMPLES; i++) {
          const t = time + ((end - time) * i) / SAMPLES
          expect(separationAt(pair, t), `together at sample ${i}`).toBeLessThanOrEqual(tolerance)
        }
        if (exit === Infinity) return
        expect(exit).toBeLessThanOrEqual(pair.duration)
        expect(Math.abs(separationAt(pair, exit))).toBeLessThanOrEqual(2 * tolerance)
      }),
      runs(600),
    )
  })
})

const at = (shape: Shape2d, x: number, y: number, vx = 0, vy = 0, spin = 0): MovingBody2d => ({
  shape,
  position: { x, y },
  velocity: { x: vx, y: vy },
  angularVelocity: spin,
})
const segment = (ax: number, ay: number, bx: number, by: number): Shape2d => ({
  type: 'segment',
  a: { x: ax, y: ay },
  b: { x: bx, y: by },
})
const point: Shape2d = { type: 'point' }
const bar = segment(-1, 0, 1, 0)
const wall = segment(0, -5, 0, 5)
const floor: Shape2d = { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }
const ceiling: Shape2d = { type: 'halfplane', normal: { x: 0, y: -1 }, offset: 0 }
const box: Shape2d = { type: 'box', width: 1, height: 1 }

describe('contacts worked out by hand', () => {
  it.each<[string, MovingBody2d, MovingBody2d, number, number | null, [number, number] | null]>([
    ['a bar sweeps over a point', at(bar, 0, 0, 0, 0, 2), at(point, 0, 0.5), 4, Math.PI / 4, [-1, 0]],
    ['a bar sweeps over a point, backwards', at(bar, 0, 0, 0, 0, -2), at(point, 0, 0.5), 4, Math.PI / 4, [1, 0]],
    ['a point beyond the reach of a bar', at(bar, 0, 0, 0, 0, 2), at(point, 0, 1.0000001), 400, null, null],
    [
      'a floor swings up to a box',
      at(box, 3, 4),
      at(floor, 0, 0, 0, 0, 1),
      7,
      Math.PI / 4,
      [Math.SQRT1_2, -Math.SQRT1_2],
    ],
    ['half-planes that turn alike', at(floor, 0, 0, 0, 1, 2), at(ceiling, 0, 2, 0, 0, 2), 7, Math.PI / 4, [-1, 0]],
    ['half-planes that turn apart', at(floor, 0, 0, 0, 0, 2), at(ceiling, 0, 2, 0, 0, 1), 7, 0, null],
    [
      'a box dropped while it spins',
      at({ type: 'box', width: 2, height: 2 }, 0, 3, 0, -1, 1e-9),
      at(floor, 0, 0),
      7,
      2,
      [0, -1],
    ],
    ['a bar beside a wall, a thousand turns', at(bar, 1.000001, 0, 0, 0, 6), at(wall, 0, 0), 1e6, null, null],
  ])('%s', (_name, a, b, duration, time, normal) => {
    for (const [pair, sign] of [
      [{ a, b, duration }, 1],
      [{ a: b, b: a, duration }, -1],
    ] as const) {
      const found = sweepOf(pair)
      if (time === null) {
        expect(found).toBeNull()
        continue
      }
      expect(found?.converged).toBe(true)
      expect(found?.time).toBeCloseTo(time, 8)
      if (normal === null) continue
      expect(sign * (found?.nx ?? 0)).toBeCloseTo(normal[0], 8)
      expect(sign * (found?.ny ?? 0)).toBeCloseTo(normal[1], 8)
    }
  })

  it('counts the grazing tip of a bar', () => {
    const found = sweepOf({
      a: at(bar, 1, 0, 0, 0, 1),
      b: at(segment(0, -5, 0, 5), -1e-3, 0, 1e-3 / Math.PI),
      duration: 6,
    })
    // The wall arrives where the tip turns back: tip at 1 − cos(t) from x = 0, wall there at π.
    expect(found?.time).toBeCloseTo(Math.PI, 2)
    expect(
      separationAt({ a: at(bar, 1, 0, 0, 0, 1), b: at(wall, -1e-3, 0, 1e-3 / Math.PI), duration: 6 }, found?.time ?? 0),
    ).toBeCloseTo(0, 11)
  })
})

describe('a pair that touches at the start', () => {
  it.each<[string, MovingBody2d, MovingBody2d, number, number | null]>([
    ['leaves on a curve and grazes the wall half a turn later', at(bar, 1, 0, 0, 0, 1), at(wall, 0, 0), 6, Math.PI],
    ['leaves on a curve for less than half a turn', at(bar, 1, 0, 0, 0, 1), at(wall, 0, 0), 3, null],
    ['leaves and drifts off', at(bar, 1, 0, 0.01, 0, 1), at(wall, 0, 0), 6, null],
    ['drifts in', at(bar, 1, 0, -0.01, 0, 1), at(wall, 0, 0), 6, 0],
    ['leaves, and comes back', at(bar, 1, 0, 0.1, 0, 1), at(wall, 0, 0, 0.2), 20, 0],
    ['sinks its corner in', at(box, 0, 0.5, 0, 0, 1), at(floor, 0, 0), 1, 0],
    ['jumps while it spins', at(box, 0, 0.5, 0, 2, 1), at(floor, 0, 0), 20, null],
    [
      'rolls about the end of a capsule until it lies down',
      at({ type: 'capsule', a: { x: 0, y: 0 }, b: { x: 2, y: 0 }, radius: 0.5 }, 0, 0.5, 0, 0, 1),
      at(floor, 0, 0),
      9,
      Math.PI,
    ],
  ])('%s', (_name, a, b, duration, time) => {
    expect(sweepOf({ a, b, duration })?.time).toBe(0)
    for (const pair of [
      { a, b, duration },
      { a: b, b: a, duration },
    ]) {
      const found = sweepOf(pair, 0, true)
      if (time === null) expect(found).toBeNull()
      else expect(found?.time).toBeCloseTo(time, 6)
    }
  })

  it('is let go by an exit at once', () => {
    expect(exitOf({ a: at(bar, 1, 0, 0, 0, 1), b: at(wall, 0, 0), duration: 3 }, 0)).toBeLessThan(1e-6)
    expect(exitOf({ a: at(bar, 1, 0, 0.5, 0, 1), b: at(wall, 0, 0), duration: 3 }, 0)).toBeCloseTo(0, 12)
  })
})

describe('tunnelling', () => {
  const shot = fc.record({
    angle: real(Math.PI),
    aim: real(0.9),
    spin: real(5),
    turn: real(3),
    distance: fc.constantFrom(1, 1e3, 1e6),
  })

  it('is impossible: a bullet through a spinning segment', () => {
    fc.assert(
      fc.property(shot, ({ angle, aim, spin, turn, distance }) => {
        const time = distance / 1e6
        // It meets the segment's line, a share of the half length from the middle, at `time`.
        const along = { x: Math.cos(turn + spin * time), y: Math.sin(turn + spin * time) }
        const way = { x: Math.cos(angle), y: Math.sin(angle) }
        fc.pre(Math.abs(way.x * along.y - way.y * along.x) > 0.01)
        const bullet: MovingBody2d = {
          shape: { type: 'circle', radius: 1e-6 },
          position: { x: aim * along.x - distance * way.x, y: aim * along.y - distance * way.y },
          velocity: { x: 1e6 * way.x, y: 1e6 * way.y },
          angularVelocity: 100,
        }
        const target = { ...at(bar, 0, 0, 0, 0, spin), rotation: turn }
        const found = sweepOf({ a: bullet, b: target, duration: 2 * time + 1 })
        expect(found?.converged).toBe(true)
        expect(Math.abs((found?.time ?? Infinity) - time)).toBeLessThan(1e-9)
      }),
      runs(1000),
    )
  })
})

describe('extreme magnitudes', () => {
  const wild = fc.oneof(
    fc.constant(0),
    real(1e3),
    fc.tuple(real(10), fc.integer({ min: -99, max: 99 })).map(([x, e]) => x * 10 ** e),
  )
  const size = wild.map((x) => Math.abs(x) || 1)
  const vector = fc.record({ x: wild, y: wild })
  const shape: Arbitrary<Shape2d> = fc.oneof(
    fc.record({ type: fc.constant('box' as const), width: size, height: size }),
    fc.record({ type: fc.constant('circle' as const), radius: size }),
    fc.record({ type: fc.constant('capsule' as const), a: vector, b: vector, radius: size }),
    fc.record({ type: fc.constant('ellipse' as const), rx: size, ry: size }),
    fc.record({ type: fc.constant('halfplane' as const), normal: fc.record({ x: size, y: wild }), offset: wild }),
  )
  const body: Arbitrary<MovingBody2d> = fc.record({
    shape,
    position: vector,
    rotation: real(3),
    velocity: vector,
    angularVelocity: wild,
  })

  it('give finite times within the duration', () => {
    fc.assert(
      fc.property(body, body, size, (a, b, duration) => {
        fc.pre(separationAt({ a, b, duration }, 0) > 0)
        const found = sweepOf({ a, b, duration })
        if (found === null) return
        for (const value of [found.time, found.nx, found.ny, found.ax, found.ay, found.bx, found.by]) {
          expect(Number.isFinite(value)).toBe(true)
        }
        expect(found.time).toBeGreaterThanOrEqual(0)
        expect(found.time).toBeLessThanOrEqual(duration * (1 + 1e-15))
        const out = createSpinExit()
        const slotA = prepare(a)
        const slotB = prepare(b)
        if (slotA.kind === HALFPLANE && slotB.kind === HALFPLANE) return
        if (!exitSpin(slotA, motionOf(a), slotA, slotB, motionOf(b), slotB, found.time, duration, out)) return
        expect(out.time).toBeGreaterThanOrEqual(found.time)
        expect(out.time).toBeLessThanOrEqual(duration * (1 + 1e-15))
      }),
      runs(300),
    )
  })

  it('scale with the input', () => {
    fc.assert(
      fc.property(randomPairs, fc.integer({ min: -40, max: 40 }), (pair, exponent) => {
        fc.pre(separationAt(pair, 0) > 0)
        const k = 2 ** exponent
        const found = sweepOf(pair)
        const grown = sweepOf({ a: scaledMotion(pair.a, k), b: scaledMotion(pair.b, k), duration: pair.duration })
        expect(grown === null).toBe(found === null)
        if (found === null || grown === null) return
        expect(grown.time).toBe(found.time)
        expect([grown.nx, grown.ny, grown.ax, grown.by]).toEqual([found.nx, found.ny, k * found.ax, k * found.by])
      }),
      runs(500),
    )
  })
})
