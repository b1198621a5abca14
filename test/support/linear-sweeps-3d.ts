// Sweeps without spin in space, asked of one method alone: random pairs on their way, and how such a pair lies at a time.

import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { type MovingPair, movingPair } from '../../src/core3d/motion/moving-pair.ts'
import { createSweepInterval, type SweepInterval } from '../../src/core3d/motion/sweep-interval.ts'
import { orderPair } from '../../src/core3d/narrow-phase/pair-frame.ts'
import { meets } from '../../src/core3d/narrow-phase/separate.ts'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { HIT, MISS, setDirection, UNSURE, type Verdict } from '../../src/core3d/ray/ray-line.ts'
import { createMotion } from '../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from './convex-cases-3d.ts'
import { runCount, runs } from './runs.ts'

type Method = (pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval) => Verdict

/** The result of the last sweep. */
export const out = createSweepInterval()

/** The second body moves. The normal in `out` is in the caller's order, whichever the pair's is. */
export type Sweep = (a: CaseBody, b: CaseBody, velocity: Triple, duration: number) => Verdict

export function sweepBy(method: Method): Sweep {
  return (a, b, [vx, vy, vz], duration) => {
    const frame = orderPair(bodyOf(a), bodyOf(b))
    const verdict = method(movingPair(frame, createMotion(), { ...createMotion(), vx, vy, vz }), duration, true, out)
    const side = frame.swapped ? -1 : 1
    out.nx = side * out.nx + 0
    out.ny = side * out.ny + 0
    out.nz = side * out.nz + 0
    return verdict
  }
}

export function movedBy({ position, ...rest }: CaseBody, velocity: Triple, time: number): CaseBody {
  return { ...rest, position: position.map((x, k) => x + time * velocity[k]) as Triple }
}

function meetAt(a: CaseBody, b: CaseBody, velocity: Triple, time: number): boolean {
  return meets(orderPair(bodyOf(a), bodyOf(movedBy(b, velocity, time))))
}

const real = (most: number): Arbitrary<number> => fc.double({ min: -most, max: most, noNaN: true })
const either = (most: number): Arbitrary<number> => fc.oneof(real(most), fc.integer({ min: -most, max: most }))
export const triple = (most: number): Arbitrary<Triple> => fc.tuple(either(most), either(most), either(most))
const orientation = fc
  .oneof(
    fc.constantFrom<[number, number, number, number]>([0, 0, 0, 1], [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]),
    fc.tuple(real(1), real(1), real(1), real(1)),
  )
  .filter((q) => Math.hypot(...q) > 0.1)

export interface Passing {
  one: CaseBody
  other: CaseBody
  /** Of the other. */
  velocity: Triple
}

/** Two seconds before they come near each other, mostly. */
export function passing(shapes: Arbitrary<[CaseShape, CaseShape]>): Arbitrary<Passing> {
  return fc
    .record({ near: triple(4), velocity: triple(5), turnA: orientation, turnB: orientation, shapes })
    .filter(({ velocity }) => Math.hypot(...velocity) > 1e-3)
    .map(({ near, velocity, turnA, turnB, shapes: [a, b] }) => {
      const position = near.map((x, k) => x - 2 * velocity[k]) as Triple
      const one: CaseBody = { shape: a, position: [0, 0, 0], orientation: turnA }
      const other: CaseBody = { shape: b, position, orientation: turnB }
      return { one, other, velocity }
    })
}

interface Leeway {
  /** Seconds before and after a time, at which the pair lies clearly otherwise. */
  moment: number
  /** Of 2,000 pairs the method may leave so many to others. */
  mostUnsure: number
  /** Whether a hit may be without a normal. */
  mayLackNormal: boolean
}

/** The pair meets from `enter` to `leave` and at no other time, by the exact test. */
export function expectTimesParted(sweep: Sweep, pairs: Arbitrary<Passing>, leeway: Leeway): void {
  const { moment, mostUnsure, mayLackNormal } = leeway
  let hits = 0
  let unsure = 0
  fc.assert(
    fc.property(pairs, fc.integer({ min: 1, max: 4 }), ({ one, other, velocity }, duration) => {
      const verdict = sweep(one, other, velocity, duration)
      if (verdict === UNSURE) unsure++
      if (verdict === MISS) {
        for (let i = 0; i <= 16; i++) expect(meetAt(one, other, velocity, (duration * i) / 16)).toBe(false)
      }
      if (verdict !== HIT) return
      hits++
      const { enter, leave, meetsAtStart, hasNormal, nx, ny, nz } = out
      expect(meetAt(one, other, velocity, enter + moment)).toBe(true)
      // Left open.
      if (!Number.isNaN(leave)) {
        expect(meetAt(one, other, velocity, leave - moment)).toBe(true)
        expect(meetAt(one, other, velocity, leave + moment)).toBe(false)
      }
      expect(meetAt(one, other, velocity, 0)).toBe(meetsAtStart)
      if (meetsAtStart) return
      expect(enter).toBeLessThanOrEqual(duration)
      expect(meetAt(one, other, velocity, enter - moment)).toBe(false)
      if (mayLackNormal && !hasNormal) return
      expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 12)
      expect(nx * velocity[0] + ny * velocity[1] + nz * velocity[2]).toBeLessThan(0)
    }),
    runs(2000),
  )
  expect(hits).toBeGreaterThan(runCount(300))
  // Little is left to others.
  expect(unsure).toBeLessThan(runCount(mostUnsure))
}

const hit = createRayHit()

/** The verdict is that of the ray along which a point moves at a target, and so are time and normal, to so many decimal places. */
export function expectAsRay(
  verdict: Verdict,
  position: Triple,
  velocity: Triple,
  target: CaseBody,
  { distancePlaces, normalPlaces }: { distancePlaces: number; normalPlaces: number },
): void {
  if (verdict === UNSURE) return
  const speed = Math.hypot(...velocity)
  const ray = createRay()
  setDirection(ray, ...velocity)
  ray.ox = position[0]
  ray.oy = position[1]
  ray.oz = position[2]
  ray.maxDistance = 4 * speed
  const isHit = rayCast(ray, bodyOf(target), 'hit', hit)
  expect(verdict).toBe(isHit ? HIT : MISS)
  if (!isHit || out.meetsAtStart) return
  expect(out.enter * speed).toBeCloseTo(hit.distance, distancePlaces)
  if (out.hasNormal) expect(out.nx * hit.nx + out.ny * hit.ny + out.nz * hit.nz).toBeCloseTo(1, normalPlaces)
}

/** A place, moved. */
export function beside(place: Triple, offset: Triple): Triple {
  return place.map((x, k) => x + offset[k]) as Triple
}
