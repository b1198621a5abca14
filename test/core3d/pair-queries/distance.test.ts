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
