// Sweeps of cylinders, cones and ellipsoids, and of whatever has a skin: against how the pair lies before and after, and against the paths of rays and planes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sweepCurved } from '../../../src/core3d/motion/sweep-faces.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { HIT, UNSURE } from '../../../src/core3d/ray/ray-line.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import {
  beside,
  expectAsRay,
  expectTimesParted,
  movedBy,
  out,
  passing,
  sweepBy,
  triple,
} from '../../support/linear-sweeps-3d.ts'
import { runCount, runs } from '../../support/runs.ts'

const sweep = sweepBy(sweepCurved)

const length = fc.oneof(fc.constantFrom(0.5, 1, 2, 4), fc.double({ min: 1e-2, max: 4, noNaN: true }))
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
const scene = passing(fc.oneof(fc.tuple(curved, fc.oneof(flat, curved)), fc.tuple(skinned, flat)))

describe('sweeps of curved bodies', () => {
  it('part times of meeting from others', () => {
    expectTimesParted(sweep, scene, { moment: 1e-8, mostUnsure: 300, mayLackNormal: false })
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
    fc.assert(
      fc.property(scene, curved, fc.constantFrom(0, 1e3, 1e6), ({ one, other, velocity }, shape, far) => {
        const target: CaseBody = { ...one, shape, position: [far, -far, 0] }
        const position = beside(other.position, target.position)
        const verdict = sweep(target, { shape: { type: 'point' }, position }, velocity, 4)
        expectAsRay(verdict, position, velocity, target, { distancePlaces: 7, normalPlaces: 7 })
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
