// Distances of curved bodies where iterations creep: rim to mantle, rim to rim, cap to corner.
import { expect, it } from 'vitest'
import { createDistance, distance } from '../../../src/core3d/pair-queries/distance.ts'
import { bodyOf, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'

const out = createDistance()

function apart(a: CaseShape, at: Triple, b: CaseShape, place: Triple): number {
  distance(bodyOf({ shape: a, position: at }), bodyOf({ shape: b, position: place }), out)
  return out.distance
}

it('from the rim of a disc to the mantle of a cylinder', () => {
  const disc: CaseShape = { type: 'cylinder', radius: 1, height: 0, axis: 'z' }
  const cylinder: CaseShape = { type: 'cylinder', radius: 4, height: 4 }
  expect(apart(disc, [2, 0, -4], cylinder, [-1, -2, 2])).toBeCloseTo(2 * Math.sqrt(10) - 4, 13)
})

it('from an end of a capsule to the corner between mantle and cap', () => {
  const capsule: CaseShape = { type: 'capsule', a: [-2, -3, 0], b: [0, 0, 0], radius: 1.25 }
  const post: CaseShape = { type: 'cylinder', radius: 1.875, height: 1.25 }
  expect(apart(capsule, [0, 0, 0], post, [1.875, 0.625, 2.75])).toBeCloseTo(Math.hypot(1.875, 2.75) - 3.125, 13)
})

it('from the apex of a cone to an ellipsoid', () => {
  const cone: CaseShape = { type: 'cone', radius: 2, height: 2 }
  expect(apart(cone, [0, -4, 0], { type: 'ellipsoid', radii: [3, 1, 2] }, [0, 0, 0])).toBeCloseTo(2, 14)
})

it('of what is nearer than its square is a number', () => {
  const slab: CaseShape = { type: 'aabb', min: [1e-200, 0, 0], max: [1e-100, 1e-109, 4e-38] }
  expect(apart(slab, [0, 0, 2e-320], { type: 'point' }, [1e-150, 0, 0])).toBe(2e-320)
  expect([out.nx, out.ny, out.nz, out.az]).toEqual([0, 0, -1, 2e-320])
  const long: CaseShape = { type: 'capsule', a: [-4.5e18, -1, 1e100], b: [0, 3.5e-158, 0], radius: 1.4e-33 }
  expect(apart({ type: 'point' }, [0, 0, 0], long, [0, 0, 0])).toBe(0)
  expect([out.ax, out.ay, out.az].every(Number.isFinite)).toBe(true)
})

it('of an ellipsoid that is too thin for doubles is a number', () => {
  const needle: CaseShape = { type: 'ellipsoid', radii: [1e100, 1.7e-192, 3.5e-323] }
  expect(apart(needle, [0, 0, 1e99], { type: 'segment', a: [-3, 2, -2], b: [-3, 0, 1] }, [0, 0, 0])).toBeCloseTo(
    1e99,
    -86,
  )
})
