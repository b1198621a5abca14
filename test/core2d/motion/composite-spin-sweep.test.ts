import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { exitSpinComposite, sweepSpinComposite } from '../../../src/core2d/motion/composite-spin-sweep.ts'
import { createSpinExit } from '../../../src/core2d/motion/spin-exit.ts'
import { createSpinHit, type SpinHit } from '../../../src/core2d/motion/spin-sweep.ts'
import { createLeafPair, nearestLeaves } from '../../../src/core2d/narrow-phase/leaf-pairs.ts'
import { advanced, type MovingPair, motionOf, swappedPair } from '../../support/answers/impact-answers.ts'
import { prepare } from '../../support/answers/slots.ts'
import { BOUNDED_TYPES, mixedBody, UNIFORM } from '../../support/families/arbitraries.ts'
import { hasAabb, rotatedComposite, unrotatedComposite } from '../../support/families/composite-arbitraries.ts'
import { pairExtent } from '../../support/families/extent.ts'
import { runs } from '../../support/runs.ts'
import { casesPresent, readCases } from '../../support/shared-cases.ts'

const TOUCH_RATIO = 1e-10
const SAMPLES = 60

function sweepOf({ a, b, duration }: MovingPair, leaving = false): SpinHit | null {
  const out = createSpinHit()
  return sweepSpinComposite(prepare(a), motionOf(a), prepare(b), motionOf(b), 0, duration, leaving, out) ? out : null
}

/** Infinity when they do not part. */
function exitOf({ a, b, duration }: MovingPair, from: number): number {
  const out = createSpinExit()
  if (!exitSpinComposite(prepare(a), motionOf(a), prepare(b), motionOf(b), from, duration, out)) return Infinity
  expect(out.converged).toBe(true)
  return out.time
}

/** Distance of the two at time t; −1 when they overlap. */
function distanceAt({ a, b }: MovingPair, t: number): number {
  const found = createLeafPair()
  nearestLeaves(prepare(advanced(a, t)), prepare(advanced(b, t)), found)
  return found.relation < 0 ? -1 : found.distance
}

function toleranceOf({ a, b, duration }: MovingPair): number {
  return TOUCH_RATIO * (pairExtent(a, b) + pairExtent(advanced(a, duration), advanced(b, duration)))
}

function isSpinning({ angularVelocity = 0 }: MovingBody2d): boolean {
  return Math.abs(angularVelocity) > 1e-3
}

const real = (size: number) => fc.double({ min: -size, max: size, noNaN: true })

function moving(bodies: Arbitrary<Body2d>, far: number): Arbitrary<MovingBody2d> {
  return fc
    .record({ body: bodies, x: real(far), y: real(far), vx: real(4), vy: real(4), spin: real(4), still: fc.nat(4) })
    .map(({ body, x, y, vx, vy, spin, still }): MovingBody2d => {
      const turns = still > 0 && !hasAabb(body.shape)
      const { x: px, y: py } = body.position ?? { x: 0, y: 0 }
      // Back along where it is going, so that it comes near.
      const velocity = { x: vx - x / 2, y: vy - y / 2 }
      return { ...body, position: { x: px + x, y: py + y }, velocity, angularVelocity: turns ? spin : 0 }
    })
}

const composites = fc.oneof(rotatedComposite(), unrotatedComposite(UNIFORM))
const pairs: Arbitrary<MovingPair> = fc.record({
  a: moving(composites, 0),
  b: moving(fc.oneof(composites, mixedBody(BOUNDED_TYPES)), 12),
  duration: fc.double({ min: 0.5, max: 4, noNaN: true }),
})

describe('contacts of spinning composites', () => {
  it('are never passed, and are contacts', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        fc.pre(distanceAt(pair, 0) > 0)
        const tolerance = toleranceOf(pair)
        const found = sweepOf(pair)
        const end = found?.time ?? pair.duration
        for (let i = 0; i < SAMPLES; i++) {
          expect(distanceAt(pair, (end * i) / SAMPLES), `apart at sample ${i}`).toBeGreaterThanOrEqual(0)
        }
        if (found === null || distanceAt(pair, 0) < tolerance) return
        expect(found.converged).toBe(true)
        expect(distanceAt(pair, end)).toBeLessThanOrEqual(tolerance)
        expect(Math.hypot(found.bx - found.ax, found.by - found.ay)).toBeLessThanOrEqual(2 * tolerance)
        expect(Math.hypot(found.nx, found.ny)).toBeCloseTo(1, 12)
      }),
      runs(400),
    )
  })

  it('swap with the bodies', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        fc.pre(distanceAt(pair, 0) > 0)
        const there = sweepOf(pair)
        const back = sweepOf(swappedPair(pair))
        expect(back === null).toBe(there === null)
        if (there === null || back === null) return
        expect(back.time).toBe(there.time)
        expect([0 - back.nx, 0 - back.ny, back.leafB, back.leafA]).toEqual([
          there.nx + 0,
          there.ny + 0,
          there.leafA,
          there.leafB,
        ])
      }),
      runs(300),
    )
  })
})

describe('partings of spinning composites', () => {
  it('are the first after the contact', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        // Without spin a contact can slide on for ever; that is another function's business.
        fc.pre(isSpinning(pair.a) || isSpinning(pair.b))
        const tolerance = toleranceOf(pair)
        const found = distanceAt(pair, 0) > 0 ? sweepOf(pair) : { time: 0 }
        if (found === null) return
        const { time } = found
        const exit = exitOf(pair, time)
        const end = Math.min(exit, pair.duration)
        for (let i = 1; i < SAMPLES; i++) {
          const t = time + ((end - time) * i) / SAMPLES
          expect(distanceAt(pair, t), `together at sample ${i}`).toBeLessThanOrEqual(tolerance)
        }
        if (exit < Infinity) expect(Math.abs(distanceAt(pair, exit + 1e-9))).toBeLessThanOrEqual(1e-7 + tolerance)
      }),
      runs(400),
    )
  })
})

const box = (minX: number, minY: number, maxX: number, maxY: number) => [
  { x: minX, y: minY },
  { x: maxX, y: minY },
  { x: maxX, y: maxY },
  { x: minX, y: maxY },
]
const frame: Shape2d = { type: 'region', outer: box(-3, -3, 3, 3), holes: [box(-2, -2, 2, 2)] }
const solid: Shape2d = { type: 'region', outer: box(-3, -3, 3, 3) }
const bar: Shape2d = { type: 'segment', a: { x: -1, y: 0 }, b: { x: 1, y: 0 } }
const halfplane: Shape2d = { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }
const at = (shape: Shape2d, x: number, y: number, vx = 0, vy = 0, spin = 0): MovingBody2d => ({
  shape,
  position: { x, y },
  velocity: { x: vx, y: vy },
  angularVelocity: spin,
})

describe('worked out by hand', () => {
  it('a bar turns in a hole that is wide enough, for any number of turns', () => {
    expect(sweepOf({ a: at(frame, 0, 0), b: at(bar, 0.9, 0.9, 0, 0, 7), duration: 1000 })).toBeNull()
    const corner = sweepOf({ a: at(frame, 0, 0), b: at(bar, 1.5, 0, 0, 0, 1), duration: 9 })
    expect(corner?.time).toBe(0)
  })

  it('a bar turns against the side of a hole', () => {
    const pair = { a: at(frame, 0, 0), b: { ...at(bar, 1.5, 0, 0, 0, 1), rotation: Math.PI / 2 }, duration: 9 }
    const found = sweepOf(pair)
    expect(found?.time).toBeCloseTo(Math.PI / 2 - Math.acos(0.5), 12)
    // Outward from the region, into its hole.
    expect(found?.nx).toBeCloseTo(-1, 12)
    expect(found?.ny).toBeCloseTo(0, 12)
  })

  it('a bar inside a solid region stays until it has come out', () => {
    const pair = { a: at(solid, 0, 0), b: at(bar, 0, 0, 1, 0, 2), duration: 20 }
    expect(sweepOf(pair)).not.toBeNull()
    const exit = exitOf(pair, 0)
    // The bar's tail passes x = 3.
    expect(exit - Math.abs(Math.cos(2 * exit))).toBeCloseTo(3, 9)
    expect(exitOf({ ...pair, duration: 2 }, 0)).toBe(Infinity)
  })

  it('a half-plane within a compound swings up to a body', () => {
    const compound: Shape2d = {
      type: 'compound',
      children: [{ shape: halfplane }, { shape: { type: 'circle', radius: 0.1 }, position: { x: 0, y: 1 } }],
    }
    const found = sweepOf({
      a: at({ type: 'circle', radius: 1 }, 4, 5),
      b: at(compound, 0, 0, 0, 0, 1),
      duration: 3,
    })
    // The boundary at angle t is 1 from the centre.
    expect(found?.time).toBeCloseTo(Math.atan2(5, 4) - Math.asin(1 / Math.hypot(4, 5)), 12)
  })

  it('what touches at the start may leave and come again', () => {
    const chain: Shape2d = {
      type: 'chain',
      vertices: [
        { x: 0, y: -5 },
        { x: 0, y: 1 },
        { x: -4, y: 5 },
      ],
    }
    const pair = { a: at(bar, 1, 0, 0, 0, 1), b: at(chain, 0, 0), duration: 6 }
    expect(sweepOf(pair)?.time).toBe(0)
    expect(sweepOf(pair, true)?.time).toBeCloseTo(Math.PI, 6)
    expect(sweepOf({ ...pair, duration: 3 }, true)).toBeNull()
  })

  it('follows a large region that turns', () => {
    const count = 10_000
    const outer = Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count
      const radius = 10 + Math.cos(25 * angle) + (i % 2) / 1000
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
    })
    const pair = {
      a: at({ type: 'region', outer }, 0, 0, 0, 0, 0.3),
      b: at({ type: 'box', width: 1, height: 0.5 }, 14, 0, -0.5, 0, 2),
      duration: 20,
    }
    const found = sweepOf(pair)
    expect(found?.converged).toBe(true)
    expect(distanceAt(pair, found?.time ?? 0)).toBeLessThan(1e-9)
    expect(distanceAt(pair, (found?.time ?? 0) - 1e-6)).toBeGreaterThan(0)
  })
})

describe.runIf(casesPresent)('shared cases', () => {
  it.each(casesPresent ? readCases('sweep-rotating').map((given) => [given.id, given] as const) : [])(
    '%s',
    (_id, { a, b, maxTime, expect: expected, tol }) => {
      const found = sweepOf({ a, b, duration: maxTime })
      expect(found !== null).toBe(expected.hit)
      if (found === null) return
      expect(Math.abs(found.time - (expected.time as number))).toBeLessThanOrEqual(tol.time as number)
      const [nx, ny] = expected.normal as [number, number]
      expect(Math.hypot(found.nx - nx, found.ny - ny)).toBeLessThanOrEqual(tol.normal as number)
    },
  )
})
