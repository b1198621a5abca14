// Sweeps of cylinders, cones and ellipsoids, and of whatever has a skin: against how the pair lies before and after, and against the paths of rays and planes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movingPair } from '../../../src/core3d/motion/moving-pair.ts'
import { sweepCurved } from '../../../src/core3d/motion/sweep-faces.ts'
import { createSweepInterval } from '../../../src/core3d/motion/sweep-interval.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { meets } from '../../../src/core3d/narrow-phase/separate.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { createRay, createRayHit, rayCast } from '../../../src/core3d/ray/ray-cast.ts'
import { HIT, MISS, setDirection, UNSURE, type Verdict } from '../../../src/core3d/ray/ray-line.ts'
import { createMotion } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { runCount, runs } from '../../support/runs.ts'

const out = createSweepInterval()

/** In the caller's order, whichever the pair's is. */
function sweep(a: CaseBody, b: CaseBody, [vx, vy, vz]: Triple, duration: number): Verdict {
  const frame = orderPair(bodyOf(a), bodyOf(b))
  const verdict = sweepCurved(movingPair(frame, createMotion(), { ...createMotion(), vx, vy, vz }), duration, true, out)
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
const length = fc.oneof(fc.constantFrom(0.5, 1, 2, 4), fc.double({ min: 1e-2, max: 4, noNaN: true }))
const orientation = fc
  .oneof(
    fc.constantFrom<[number, number, number, number]>([0, 0, 0, 1], [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]),
    fc.tuple(real(1), real(1), real(1), real(1)),
  )
  .filter((q) => Math.hypot(...q) > 0.1)
const curved = fc.oneof(
  fc.tuple(length, length).map(([radius, height]): CaseShape => ({ type: 'cylinder', radius, height, axis: 'y' })),
  fc.tuple(length, length).map(([radius, height]): CaseShape => ({ type: 'cone', radius, height, axis: 'z' })),
  fc.tuple(length, length, length).map((radii): CaseShape => ({ type: 'ellipsoid', radii })),
)
const flat = fc.oneof(
  fc.tuple(length, length, length).map((size): CaseShape => ({ type: 'box', size })),
  fc.array(triple(3), { minLength: 1, maxLength: 8 }).map((points): CaseShape => ({ type: 'hull', points })),
  fc.tuple(triple(3), triple(3), length).map(([a, b, radius]): CaseShape => ({ type: 'capsule', a, b, radius })),
  length.map((radius): CaseShape => ({ type: 'sphere', radius })),
)
const skinned = fc.oneof(
  fc
    .tuple(length, length, length, length)
    .map(([x, y, z, radius]): CaseShape => ({ type: 'box', size: [x, y, z], radius })),
  fc
    .tuple(fc.array(triple(3), { minLength: 1, maxLength: 8 }), length)
    .map(([points, radius]): CaseShape => ({ type: 'hull', points, radius })),
)
/** Two seconds before they come near each other, mostly. */
const scene = fc
  .record({
    near: triple(4),
    velocity: triple(5),
    turnA: orientation,
    turnB: orientation,
    shapes: fc.oneof(fc.tuple(curved, fc.oneof(flat, curved)), fc.tuple(skinned, flat)),
  })
  .filter(({ velocity }) => Math.hypot(...velocity) > 1e-3)
  .map(({ near, velocity, turnA, turnB, shapes: [a, b] }) => {
    const position = near.map((x, k) => x - 2 * velocity[k]) as Triple
    const one: CaseBody = { shape: a, position: [0, 0, 0], orientation: turnA }
    const other: CaseBody = { shape: b, position, orientation: turnB }
    return { one, other, velocity }
  })

const meetAt = (a: CaseBody, b: CaseBody, velocity: Triple, time: number): boolean =>
  meets(orderPair(bodyOf(a), bodyOf(movedBy(b, velocity, time))))

describe('sweeps of curved bodies', () => {
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
        const { enter, leave, meetsAtStart, nx, ny, nz } = out
        const moment = 1e-8
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
        expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 12)
        expect(nx * velocity[0] + ny * velocity[1] + nz * velocity[2]).toBeLessThan(0)
      }),
      runs(2000),
    )
    expect(hits).toBeGreaterThan(runCount(300))
    // Little is left to others.
    expect(unsure).toBeLessThan(runCount(300))
  })

  it('know the normal that the pair has a little before it meets', () => {
    const found = createContact()
    let known = 0
    fc.assert(
      fc.property(scene, ({ one, other, velocity }) => {
        if (sweep(one, other, velocity, 4) !== HIT || !out.hasNormal) return
        const { enter, nx, ny, nz } = out
        known++
        contact(bodyOf(one), bodyOf(movedBy(other, velocity, enter - 1e-7)), found)
        if (found.touching) return
        expect(found.nx * nx + found.ny * ny + found.nz * nz).toBeGreaterThan(1 - 1e-6)
      }),
      runs(1000),
    )
    expect(known).toBeGreaterThan(runCount(150))
  })

  it('meet a point when its ray does', () => {
    const hit = createRayHit()
    fc.assert(
      fc.property(scene, curved, fc.constantFrom(0, 1e3, 1e6), ({ one, other, velocity }, shape, far) => {
        const target: CaseBody = { ...one, shape, position: [far, -far, 0] }
        const position = other.position.map((x, k) => x + target.position[k]) as Triple
        const verdict = sweep(target, { shape: { type: 'point' }, position }, velocity, 4)
        if (verdict === UNSURE) return
        const ray = createRay()
        setDirection(ray, ...velocity)
        ray.ox = position[0]
        ray.oy = position[1]
        ray.oz = position[2]
        ray.maxDistance = 4 * Math.hypot(...velocity)
        const isHit = rayCast(ray, bodyOf(target), 'hit', hit)
        expect(verdict).toBe(isHit ? HIT : MISS)
        if (!isHit || out.meetsAtStart) return
        expect(out.enter * Math.hypot(...velocity)).toBeCloseTo(hit.distance, 7)
        if (out.hasNormal) expect(out.nx * hit.nx + out.ny * hit.ny + out.nz * hit.nz).toBeCloseTo(1, 7)
      }),
      runs(1000),
    )
  })

  it('come down flat, on a side, on a rim', () => {
    const floor: CaseBody = { shape: { type: 'box', size: [20, 2, 20] }, position: [0, -1, 0] }
    const shape: CaseShape = { type: 'cylinder', radius: 1, height: 2, axis: 'y' }
    const half = Math.SQRT1_2
    for (const [orientation, height] of [
      [[0, 0, 0, 1], 1],
      [[half, 0, 0, half], 1],
      [[0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)], Math.SQRT2],
    ] as const) {
      const body: CaseBody = { shape, position: [0.25, 9, 0.5], orientation: [...orientation] }
      const verdict = sweep(floor, body, [0, -2, 0], 100)
      expect(verdict).toBe(HIT)
      expect(out.enter).toBeCloseTo((9 - height) / 2, 13)
      expect(out.ny).toBeCloseTo(1, 13)
    }
  })

  it('do not tunnel', () => {
    const wall: CaseBody = { shape: { type: 'cylinder', radius: 10, height: 1e-3, axis: 'x' }, position: [0, 0, 0] }
    const bullet: CaseBody = { shape: { type: 'ellipsoid', radii: [1e-3, 2e-3, 3e-3] }, position: [1e3, 0.25, 0.5] }
    expect(sweep(wall, bullet, [-1e6, 0, 0], 1)).toBe(HIT)
    expect(out.enter).toBeCloseTo((1e3 - 1.5e-3) / 1e6, 12)
    expect(out.leave).toBeCloseTo((1e3 + 1.5e-3) / 1e6, 12)
  })

  it('leave to others what rounding could turn', () => {
    const can: CaseBody = { shape: { type: 'cylinder', radius: 1, height: 2, axis: 'y' }, position: [0, 0, 0] }
    const ball = (position: Triple): CaseBody => ({ shape: { type: 'sphere', radius: 1 }, position })
    // Along the cap, along the side, to a touch at the end, apart from a touch, without moving, out of range.
    expect(sweep(can, ball([9, 2, 0]), [-1, 0, 0], 100)).toBe(UNSURE)
    expect(sweep(can, ball([9, 0, 2]), [-1, 0, 0], 100)).toBe(UNSURE)
    expect(sweep(can, ball([9, 0, 0]), [-1, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(can, ball([2, 0, 0]), [1, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(can, ball([5, 0, 0]), [0, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(can, ball([5, 0, 0]), [1e-300, 0, 0], 7)).toBe(UNSURE)
    expect(sweep(can, ball([1e200, 0, 0]), [1, 0, 0], 7)).toBe(UNSURE)
  })
})
