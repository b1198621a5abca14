// Sweeps of balls and capsules in closed form: against exact answers of how the pair lies, and against rays at rounded boxes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movingPair } from '../../../src/core3d/motion/moving-pair.ts'
import { createSweepInterval } from '../../../src/core3d/motion/sweep-interval.ts'
import { sweepRound } from '../../../src/core3d/motion/sweep-round.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { meets } from '../../../src/core3d/narrow-phase/separate.ts'
import { createRay, createRayHit, rayCast } from '../../../src/core3d/ray/ray-cast.ts'
import { HIT, MISS, setDirection, UNSURE, type Verdict } from '../../../src/core3d/ray/ray-line.ts'
import { createMotion } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { runCount, runs } from '../../support/runs.ts'

const out = createSweepInterval()

/** In the caller's order, whichever the pair's is. */
function sweep(a: CaseBody, b: CaseBody, [vx, vy, vz]: Triple, duration: number): Verdict {
  const frame = orderPair(bodyOf(a), bodyOf(b))
  const verdict = sweepRound(movingPair(frame, createMotion(), { ...createMotion(), vx, vy, vz }), duration, true, out)
  const side = frame.swapped ? -1 : 1
  out.nx = side * out.nx + 0
  out.ny = side * out.ny + 0
  out.nz = side * out.nz + 0
  return verdict
}

function movedBy({ position, ...rest }: CaseBody, velocity: Triple, time: number): CaseBody {
  return { ...rest, position: position.map((x, k) => x + time * velocity[k]) as Triple }
}

const real = (most: number): fc.Arbitrary<number> => fc.double({ min: -most, max: most, noNaN: true })
const either = (most: number): fc.Arbitrary<number> => fc.oneof(real(most), fc.integer({ min: -most, max: most }))
const triple = (most: number): fc.Arbitrary<Triple> => fc.tuple(either(most), either(most), either(most))
const length = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.double({ min: 1e-3, max: 4, noNaN: true }))
const skin = fc.oneof(fc.constantFrom(0.25, 0.5, 1, 2), fc.double({ min: 1e-4, max: 2, noNaN: true }))
const orientation = fc
  .oneof(
    fc.constantFrom<[number, number, number, number]>([0, 0, 0, 1], [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]),
    fc.tuple(real(1), real(1), real(1), real(1)),
  )
  .filter((q) => Math.hypot(...q) > 0.1)
const round = fc.oneof(
  skin.map((radius): CaseShape => ({ type: 'sphere', radius })),
  fc.tuple(triple(3), triple(3), skin).map(([a, b, radius]): CaseShape => ({ type: 'capsule', a, b, radius })),
)
const box = fc
  .tuple(length, length, length, fc.constantFrom(0, 0.5))
  .map(([x, y, z, radius]): CaseShape => ({ type: 'box', size: [x, y, z], radius }))
const segment = fc.tuple(triple(3), triple(3)).map(([a, b]): CaseShape => ({ type: 'segment', a, b }))
const target = fc.oneof(box, box, round, segment)
/** Two seconds before they come near each other, mostly. */
const scene = fc
  .record({ near: triple(4), velocity: triple(5), turnA: orientation, turnB: orientation, a: round, b: target })
  .filter(({ velocity }) => Math.hypot(...velocity) > 1e-3)
  .map(({ near, velocity, turnA, turnB, a, b }) => {
    const position = near.map((x, k) => x - 2 * velocity[k]) as Triple
    const one: CaseBody = { shape: a, position: [0, 0, 0], orientation: turnA }
    const other: CaseBody = { shape: b, position, orientation: turnB }
    return { one, other, velocity }
  })

const meetAt = (a: CaseBody, b: CaseBody, velocity: Triple, time: number): boolean =>
  meets(orderPair(bodyOf(a), bodyOf(movedBy(b, velocity, time))))

describe('sweeps of round bodies', () => {
  it('part times of meeting from others', () => {
    let hits = 0
    let unsure = 0
    fc.assert(
      fc.property(scene, fc.integer({ min: 1, max: 4 }), ({ one, other, velocity }, duration) => {
        const verdict = sweep(one, other, velocity, duration)
        if (verdict === UNSURE) unsure++
        if (verdict === MISS) {
          for (let i = 0; i <= 16; i++) expect(meetAt(one, other, velocity, (duration * i) / 16)).toBe(false)
        }
        if (verdict !== HIT) return
        hits++
        const { enter, leave, meetsAtStart, hasNormal, nx, ny, nz } = out
        const moment = 1e-9
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
        if (!hasNormal) return
        expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 12)
        expect(nx * velocity[0] + ny * velocity[1] + nz * velocity[2]).toBeLessThan(0)
      }),
      runs(2000),
    )
    expect(hits).toBeGreaterThan(runCount(300))
    // Little is left to others.
    expect(unsure).toBeLessThan(runCount(200))
  })

  it('meet a box when the ray of the ball’s middle meets the rounded box', () => {
    const hit = createRayHit()
    fc.assert(
      fc.property(scene, box, skin, fc.constantFrom(0, 1e3, 1e6, 1e9), ({ other, velocity }, shape, radius, far) => {
        const target: CaseBody = { shape, position: [far, -far, 0], orientation: other.orientation }
        const position = other.position.map((x, k) => x + target.position[k]) as Triple
        const verdict = sweep(target, { shape: { type: 'sphere', radius }, position }, velocity, 4)
        if (verdict === UNSURE) return
        const ray = createRay()
        setDirection(ray, ...velocity)
        ray.ox = position[0]
        ray.oy = position[1]
        ray.oz = position[2]
        ray.maxDistance = 4 * Math.hypot(...velocity)
        const rounded = bodyOf({ ...target, shape: { ...shape, radius: radius + (shape.radius ?? 0) } })
        const isHit = rayCast(ray, rounded, 'hit', hit)
        expect(verdict).toBe(isHit ? HIT : MISS)
        if (!isHit || out.meetsAtStart) return
        expect(out.enter * Math.hypot(...velocity)).toBeCloseTo(hit.distance, 11)
        if (out.hasNormal) expect(out.nx * hit.nx + out.ny * hit.ny + out.nz * hit.nz).toBeCloseTo(1, 9)
      }),
      runs(1000),
    )
  })

  it('answer whole numbers in whole numbers', () => {
    const ball: CaseBody = { shape: { type: 'sphere', radius: 1 }, position: [9, 0.5, 0] }
    const cube: CaseBody = { shape: { type: 'box', size: [4, 4, 4] }, position: [0, 0, 0] }
    expect(sweep(cube, ball, [-2, 0, 0], 100)).toBe(HIT)
    expect(out).toMatchObject({ meetsAtStart: false, enter: 3, leave: 6, hasNormal: true, nx: 1, ny: 0, nz: 0 })
    // At a corner: 1, 2, 2 from it when they touch.
    const large: CaseBody = { shape: { type: 'sphere', radius: 3 }, position: [3 + 6, 4 + 6, 4 + 3] }
    expect(sweep(cube, large, [-2, -2, -1], 100)).toBe(HIT)
    expect(out.enter).toBe(3)
    const rod: CaseBody = {
      shape: { type: 'capsule', a: [0, -8, 0], b: [0, 8, 0], radius: 1 },
      position: [0, 0, -13],
    }
    expect(sweep(cube, rod, [0, 0, 2], 100)).toBe(HIT)
    expect(out).toMatchObject({ enter: 5, leave: 8, nx: 0, ny: 0, nz: -1 })
  })

  it('see a capsule whose axis all but lies along a face', () => {
    const block: CaseBody = { shape: { type: 'box', size: [1, 1, 4], radius: 0.5 }, position: [2, 0, 0] }
    for (const tilt of [0, 5e-324, -1.6e-162, 1e-100, -1e-30, 1e-17]) {
      const rod: CaseBody = {
        shape: { type: 'capsule', a: [tilt, 0, 0], b: [0, 0, 3], radius: 0.25 },
        position: [9, 0, 0],
      }
      expect(sweep(block, rod, [-1, 0, 0], 100)).toBe(HIT)
      expect(out).toMatchObject({ enter: 5.75, leave: 8.25, nx: 1 })
    }
  })

  it('do not tunnel', () => {
    const wall: CaseBody = { shape: { type: 'box', size: [1e-3, 10, 10] }, position: [0, 0, 0] }
    const bullet: CaseBody = { shape: { type: 'sphere', radius: 1e-3 }, position: [1e3, 0.25, 0.5] }
    expect(sweep(wall, bullet, [-1e6, 0, 0], 1)).toBe(HIT)
    expect(out.enter).toBeCloseTo((1e3 - 1.5e-3) / 1e6, 14)
    expect(out.leave).toBeCloseTo((1e3 + 1.5e-3) / 1e6, 14)
  })

  it('leave to others what rounding could turn', () => {
    const cube: CaseBody = { shape: { type: 'box', size: [2, 2, 2] }, position: [0, 0, 0] }
    const ball = (position: Triple): CaseBody => ({ shape: { type: 'sphere', radius: 1 }, position })
    // Along a face, an edge, a corner, to a touch at the end, apart from a touch, without moving, out of range.
    expect(sweep(cube, ball([9, 2, 0]), [-1, 0, 0], 100)).toBe(UNSURE)
    expect(sweep(cube, ball([9, 1.6, 1.8]), [-1, 0, 0], 100)).toBe(UNSURE)
    expect(sweep(cube, ball([9, 0, 0]), [-1, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(cube, ball([2, 0, 0]), [1, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(cube, ball([5, 0, 0]), [0, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(cube, ball([5, 0, 0]), [1e-300, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(cube, ball([1e200, 0, 0]), [1, 0, 0], 7)).toBe(UNSURE)
    // Other kinds of bodies.
    const three: CaseBody = {
      shape: { type: 'triangle', a: [0, 0, 0], b: [1, 0, 0], c: [0, 1, 0] },
      position: [0, 0, 0],
    }
    expect(sweep(three, ball([5, 0, 0]), [-1, 0, 0], 7)).toBe(UNSURE)
  })
})
