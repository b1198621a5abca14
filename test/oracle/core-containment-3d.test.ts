// Points, segments, triangles, boxes and hulls, with skins or without, contain each other as integers say.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contains } from '../../src/core3d/queries/containment.ts'
import { bodyOf, type CaseBody, type CaseShape } from '../support/convex-cases-3d.ts'
import { coredBodies } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'
import { isWithinFacets, squaredDistance } from './exact-cores-3d.ts'

/** Points in half units. */
function cornersOf({ shape, position }: CaseBody): number[][] {
  return localPoints(shape).map((point) => point.map((x, k) => 2 * (x + position[k])))
}

function localPoints(shape: CaseShape): number[][] {
  if (shape.points !== undefined) return shape.points
  const ends = [shape.a, shape.b, shape.c].filter((end) => end !== undefined)
  if (ends.length > 0) return ends
  const [x, y, z] = shape.size ?? [0, 0, 0]
  const halves = (size: number): number[] => [-size / 2, size / 2]
  return halves(x).flatMap((p) => halves(y).flatMap((q) => halves(z).map((r) => [p, q, r])))
}

function isContained(holder: CaseBody, guest: CaseBody): boolean {
  const rest = 2 * ((holder.shape.radius ?? 0) - (guest.shape.radius ?? 0))
  const core = cornersOf(holder)
  if (rest < 0) return isWithinFacets(core, cornersOf(guest), -rest)
  return cornersOf(guest).every((corner) => {
    const { over, under } = squaredDistance(core, [corner])
    return over <= BigInt(rest) ** 2n * under
  })
}

/** Larger ones, so that they hold others. */
const holders = coredBodies.map(({ shape, position }): CaseBody => {
  const grown: CaseShape = { ...shape }
  if (shape.size !== undefined) grown.size = [shape.size[0] + 4, shape.size[1] + 4, shape.size[2] + 4]
  if (shape.points !== undefined) grown.points = shape.points.map(([x, y, z]) => [2 * x, 2 * y, 2 * z])
  return { shape: grown, position: [position[0] / 2, position[1] / 2, position[2] / 2] }
})

it('cored bodies on a grid', () => {
  let held = 0
  fc.assert(
    fc.property(holders, coredBodies, (holder, guest) => {
      const near: CaseBody = {
        ...guest,
        position: [guest.position[0] / 2, guest.position[1] / 2, guest.position[2] / 2],
      }
      const expected = isContained(holder, near)
      if (expected) held++
      expect(contains(bodyOf(holder), bodyOf(near))).toBe(expected)
      expect(contains(bodyOf(near), bodyOf(holder))).toBe(isContained(near, holder))
    }),
    runs(1500),
  )
  expect(held).toBeGreaterThan(0)
})
