// Sweeps over faces against an exact oracle of small whole numbers, and against how the pair lies just before and after.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFaceSweep, sweepFaces } from '../../../src/core3d/motion/sweep-faces.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { meets } from '../../../src/core3d/narrow-phase/separate.ts'
import { HIT, MISS, UNSURE } from '../../../src/core3d/ray/ray-line.ts'
import { compareTimes, type ExactSweep, exactSweep } from '../../oracle/exact-sweep-3d.ts'
import { bodyOf, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { runCount, runs } from '../../support/runs.ts'

const whole = (most: number): fc.Arbitrary<number> => fc.integer({ min: -most, max: most })
const triple = (most: number): fc.Arbitrary<Triple> => fc.tuple(whole(most), whole(most), whole(most))
const even = fc.integer({ min: 1, max: 3 }).map((half) => 2 * half)
const box = fc.tuple(even, even, even).map((size): CaseShape => ({ type: 'box', size }))
const hull = fc.array(triple(4), { minLength: 1, maxLength: 5 }).map((points): CaseShape => ({ type: 'hull', points }))
const bare = fc.oneof(box, hull)
const ball = fc.integer({ min: 1, max: 8 }).map((eighths): CaseShape => ({ type: 'sphere', radius: eighths / 8 }))
/** Two seconds before they come near each other, mostly. */
const motion = fc
  .record({ near: triple(3), velocity: triple(5), duration: fc.integer({ min: 0, max: 4 }) })
  .map((way) => {
    const place = way.near.map((x, k) => x - 2 * way.velocity[k]) as unknown as Triple
    return { place, velocity: way.velocity, duration: way.duration }
  })
const out = createFaceSweep()

/** The corners of a bare shape. */
function cornersOf(shape: CaseShape): Triple[] {
  if (shape.points !== undefined) return shape.points
  const [x, y, z] = (shape.size as Triple).map((side) => side / 2)
  return [-1, 1].flatMap((i) => [-1, 1].flatMap((j) => [-1, 1].map((k): Triple => [i * x, j * y, k * z])))
}

/** In the caller's order, whichever the pair's is. */
function sweep(a: CaseShape, b: CaseShape, place: Triple, velocity: Triple, duration: number): number {
  const frame = orderPair(bodyOf({ shape: a, position: [0, 0, 0] }), bodyOf({ shape: b, position: place }))
  const side = frame.swapped ? -1 : 1
  const verdict = sweepFaces(frame, [side * velocity[0], side * velocity[1], side * velocity[2]], duration, true, out)
  out.nx = side * out.nx + 0
  out.ny = side * out.ny + 0
  out.nz = side * out.nz + 0
  return verdict
}

function meetAt(a: CaseShape, b: CaseShape, place: Triple, velocity: Triple, time: number): boolean {
  const position = place.map((p, k) => p + time * velocity[k]) as unknown as Triple
  return meets(orderPair(bodyOf({ shape: a, position: [0, 0, 0] }), bodyOf({ shape: b, position })))
}

describe('sweeps over faces', () => {
  it('say of bare bodies what exact arithmetic says, or nothing', () => {
    let decided = 0
    let all = 0
    fc.assert(
      fc.property(bare, bare, motion, (a, b, { place, velocity, duration }) => {
        const verdict = sweep(a, b, place, velocity, duration)
        all++
        if (verdict === UNSURE) return
        decided++
        const exact: ExactSweep | null = exactSweep(cornersOf(a), cornersOf(b), place, velocity)
        const isHit = exact !== null && compareTimes(exact.leave, 0) >= 0 && compareTimes(exact.enter, duration) <= 0
        expect(verdict).toBe(isHit ? HIT : MISS)
        if (exact === null || verdict === MISS) return
        expect(out.meetsAtStart).toBe(compareTimes(exact.enter, 0) <= 0)
        expect(out.enter).toBeCloseTo(Math.max(Number(exact.enter) / 2 ** 300, 0), 11)
        if (!Number.isNaN(out.leave)) expect(out.leave).toBeCloseTo(Number(exact.leave) / 2 ** 300, 11)
      }),
      runs(200),
    )
    expect(decided).toBeGreaterThan(all / 2)
  })

  it('part times of meeting from others', () => {
    let hits = 0
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(bare, bare), fc.tuple(ball, ball)),
        motion,
        ([a, b], { place, velocity, duration }) => {
          const verdict = sweep(a, b, place, velocity, duration)
          if (verdict === MISS) {
            for (let i = 0; i <= 16; i++) expect(meetAt(a, b, place, velocity, (duration * i) / 16)).toBe(false)
          }
          if (verdict !== HIT) return
          hits++
          const { enter, leave, meetsAtStart } = out
          const moment = 1e-9
          // What is flat may be gone through in an instant.
          if (leave - enter < 2 * moment) return
          expect(meetAt(a, b, place, velocity, enter + moment)).toBe(true)
          // Left open.
          if (!Number.isNaN(leave)) {
            expect(meetAt(a, b, place, velocity, leave - moment)).toBe(true)
            expect(meetAt(a, b, place, velocity, leave + moment)).toBe(false)
          }
          expect(meetAt(a, b, place, velocity, 0)).toBe(meetsAtStart)
          if (meetsAtStart) return
          expect(enter).toBeLessThanOrEqual(duration)
          expect(meetAt(a, b, place, velocity, enter - moment)).toBe(false)
          expect(Math.hypot(out.nx, out.ny, out.nz)).toBeCloseTo(1, 12)
          expect(out.nx * velocity[0] + out.ny * velocity[1] + out.nz * velocity[2]).toBeLessThan(0)
        },
      ),
      runs(1200),
    )
    expect(hits).toBeGreaterThan(runCount(40))
  })

  it('answer head-on pairs, whose line goes through the edge between two triangles of a face', () => {
    const unit: CaseShape = { type: 'box', size: [2, 2, 2] }
    expect(sweep(unit, unit, [10, 0, 0], [-2, 0, 0], 100)).toBe(HIT)
    expect(out).toEqual({ meetsAtStart: false, enter: 4, leave: 6, hasNormal: true, nx: 1, ny: 0, nz: 0 })
    const ball: CaseShape = { type: 'sphere', radius: 1 }
    expect(sweep(ball, ball, [0, 0, -8], [0, 0, 3], 100)).toBe(HIT)
    expect(out).toEqual({ meetsAtStart: false, enter: 2, leave: 10 / 3, hasNormal: true, nx: 0, ny: 0, nz: -1 })
  })

  it('do not tunnel', () => {
    const wall: CaseShape = { type: 'box', size: [1e-3, 10, 10] }
    const bullet: CaseShape = { type: 'box', size: [1e-3, 1e-3, 1e-3] }
    expect(sweep(wall, bullet, [1e3, 0.25, 0.5], [-1e6, 0, 0], 1)).toBe(HIT)
    expect(out.enter).toBeCloseTo((1e3 - 1e-3) / 1e6, 12)
    expect(out.leave).toBeCloseTo((1e3 + 1e-3) / 1e6, 12)
  })

  it('leave to others what rounding could turn', () => {
    const unit: CaseShape = { type: 'box', size: [2, 2, 2] }
    // Along a common plane, to a touch at the end, apart from a touch, without moving, out of range.
    expect(sweep(unit, unit, [10, 2, 0], [-1, 0, 0], 100)).toBe(UNSURE)
    expect(sweep(unit, unit, [10, 0, 0], [-1, 0, 0], 8)).toBe(UNSURE)
    expect(sweep(unit, unit, [2, 0, 0], [1, 0, 0], 8)).toBe(UNSURE)
    expect(sweep(unit, unit, [5, 0, 0], [0, 0, 0], 8)).toBe(UNSURE)
    expect(sweep(unit, unit, [5, 0, 0], [1e-300, 0, 0], 8)).toBe(UNSURE)
    expect(sweep(unit, unit, [1e200, 0, 0], [1, 0, 0], 8)).toBe(UNSURE)
  })
})
