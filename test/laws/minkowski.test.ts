// Minkowski sums: supports add up, corners are those of all pairs of corners, and the difference tells how far apart two bodies are.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { orientation } from '../../src/core2d/outline/orientation.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { createMinkowskiSum, minkowskiDifference, minkowskiSum } from '../../src/core2d/shape/minkowski-difference.ts'
import { type MeasuredHull, measuredBody, support } from '../oracle/measured-bodies.ts'
import { prepare } from '../support/answers/slots.ts'
import {
  anyBody,
  EXACT_TYPES,
  GRID,
  hullOf,
  mixedBody,
  PYTHAGOREAN,
  type ShapeType,
  unrotatedBody,
} from '../support/families/arbitraries.ts'
import { reach } from '../support/families/extent.ts'
import { positionOf, translated } from '../support/families/transform.ts'
import { runs } from '../support/runs.ts'

interface Sum {
  vertices: Vec2[]
  radius: number
}

const found = createMinkowskiSum()

function combined(a: Body2d, b: Body2d, combine: typeof minkowskiSum): Sum {
  combine(prepare(a), prepare(b), found)
  const { vertices, count, radius } = found
  return { vertices: Array.from({ length: count }, (_, i) => ({ x: vertices[2 * i], y: vertices[2 * i + 1] })), radius }
}

const TYPES: readonly ShapeType[] = EXACT_TYPES
const far = fc.constantFrom(0, 0, 0, 1e6, 2 ** 40)
const bodies: Arbitrary<Body2d> = fc.oneof(
  mixedBody(TYPES),
  fc.tuple(anyBody(TYPES), far, far).map(([body, dx, dy]) => translated(body, dx, dy)),
)
const directions = fc.oneof(
  fc.constantFrom(...PYTHAGOREAN),
  fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }).map((t) => ({ x: Math.cos(t), y: Math.sin(t) })),
)

function shapeOfSum({ vertices, radius }: Sum): Shape2d {
  if (vertices.length > 2) return { type: 'polygon', vertices, radius }
  return { type: 'capsule', a: vertices[0], b: vertices[vertices.length - 1], radius }
}

const apart = createDistance()
const size = (body: Body2d): number => reach(body) + Math.abs(positionOf(body).x) + Math.abs(positionOf(body).y)
const heightOf = (body: Body2d, { x, y }: Vec2): number => support(measuredBody(body), x, y)
const heightOfSum = ({ vertices, radius }: Sum, { x, y }: Vec2): number =>
  radius + Math.max(...vertices.map((v) => v.x * x + v.y * y))

describe('a Minkowski sum', () => {
  it('reaches as far as its terms together, in every direction', () => {
    fc.assert(
      fc.property(bodies, bodies, directions, (a, b, n) => {
        const tolerance = 1e-12 * (size(a) + size(b))
        const sum = heightOfSum(combined(a, b, minkowskiSum), n)
        expect(Math.abs(sum - heightOf(a, n) - heightOf(b, n))).toBeLessThanOrEqual(tolerance)
        const difference = heightOfSum(combined(a, b, minkowskiDifference), n)
        const opposite = heightOf(b, { x: -n.x, y: -n.y })
        expect(Math.abs(difference - heightOf(a, n) - opposite)).toBeLessThanOrEqual(tolerance)
      }),
      runs(3000),
    )
  })

  it('is as far from the origin, as a difference, as its terms are from each other', () => {
    const near = fc.oneof(mixedBody(TYPES), unrotatedBody(GRID, TYPES))
    const origin = prepare({ shape: { type: 'point' } })
    fc.assert(
      fc.property(near, near, (a, b) => {
        const difference = prepare({ shape: shapeOfSum(combined(a, b, minkowskiDifference)) })
        distance(prepare(a), prepare(b), apart)
        const expected = apart.distance
        distance(difference, origin, apart)
        expect(Math.abs(apart.distance - expected)).toBeLessThanOrEqual(1e-9 * (size(a) + size(b)))
      }),
      runs(2000),
    )
  })

  it('is strictly convex as rounded, and the same in either order', () => {
    fc.assert(
      fc.property(bodies, bodies, (a, b) => {
        const { vertices } = combined(a, b, minkowskiSum)
        expect(combined(b, a, minkowskiSum).vertices).toEqual(vertices)
        expect(vertices.length).toBeGreaterThan(0)
        if (vertices.length < 3) return
        vertices.forEach((p, i) => {
          const q = vertices[(i + 1) % vertices.length]
          const r = vertices[(i + 2) % vertices.length]
          expect(orientation(p.x, p.y, q.x, q.y, r.x, r.y)).toBe(1)
        })
      }),
      runs(2000),
    )
  })

  it('has the corners of the hull of all pairs of corners', () => {
    const grid = unrotatedBody(GRID, TYPES)
    const cornersOf = (body: Body2d): Vec2[] => (measuredBody(body) as MeasuredHull).points
    fc.assert(
      fc.property(grid, grid, (a, b) => {
        for (const sign of [1, -1]) {
          const pairs = cornersOf(a).flatMap((p) =>
            cornersOf(b).map((q) => ({ x: p.x + sign * q.x, y: p.y + sign * q.y })),
          )
          const { vertices, radius } = combined(a, b, sign > 0 ? minkowskiSum : minkowskiDifference)
          const order = (p: Vec2, q: Vec2): number => p.x - q.x || p.y - q.y
          const plain = ({ x, y }: Vec2): Vec2 => ({ x: x + 0, y: y + 0 })
          expect(vertices.map(plain).sort(order)).toEqual(hullOf(pairs).map(plain).sort(order))
          expect(radius).toBe((measuredBody(a) as MeasuredHull).radius + (measuredBody(b) as MeasuredHull).radius)
        }
      }),
      runs(2000),
    )
  })
})
