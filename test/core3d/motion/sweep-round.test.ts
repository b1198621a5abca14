// Sweeps of balls and capsules in closed form: against exact answers of how the pair lies, and against rays at rounded boxes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sweepRound } from '../../../src/core3d/motion/sweep-round.ts'
import { HIT, UNSURE } from '../../../src/core3d/ray/ray-line.ts'
import type { CaseBody, CaseShape, Triple } from '../../support/convex-cases-3d.ts'
import {
  beside,
  expectAsRay,
  expectTimesParted,
  out,
  passing,
  sweepBy,
  triple,
} from '../../support/linear-sweeps-3d.ts'
import { runs } from '../../support/runs.ts'

const sweep = sweepBy(sweepRound)

const length = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.double({ min: 1e-3, max: 4, noNaN: true }))
const skin = fc.oneof(fc.constantFrom(0.25, 0.5, 1, 2), fc.double({ min: 1e-4, max: 2, noNaN: true }))
const round = fc.oneof(
  skin.map((radius): CaseShape => ({ type: 'sphere', radius })),
  fc.tuple(triple(3), triple(3), skin).map(([a, b, radius]): CaseShape => ({ type: 'capsule', a, b, radius })),
)
const box = fc
  .tuple(length, length, length, fc.constantFrom(0, 0.5))
  .map(([x, y, z, radius]): CaseShape => ({ type: 'box', size: [x, y, z], radius }))
const segment = fc.tuple(triple(3), triple(3)).map(([a, b]): CaseShape => ({ type: 'segment', a, b }))
const target = fc.oneof(box, box, round, segment)
const scene = passing(fc.tuple(round, target))

describe('sweeps of round bodies', () => {
  it('part times of meeting from others', () => {
    expectTimesParted(sweep, scene, { moment: 1e-9, mostUnsure: 200, mayLackNormal: true })
  })

  it('meet a box when the ray of the ball’s middle meets the rounded box', () => {
    fc.assert(
      fc.property(scene, box, skin, fc.constantFrom(0, 1e3, 1e6, 1e9), ({ other, velocity }, shape, radius, far) => {
        const target: CaseBody = { shape, position: [far, -far, 0], orientation: other.orientation }
        const position = beside(other.position, target.position)
        const verdict = sweep(target, { shape: { type: 'sphere', radius }, position }, velocity, 4)
        const rounded: CaseBody = { ...target, shape: { ...shape, radius: radius + (shape.radius ?? 0) } }
        expectAsRay(verdict, position, velocity, rounded, { distancePlaces: 11, normalPlaces: 9 })
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
