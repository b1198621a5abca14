// Mass properties: those of a fine polygon, of the pieces of a region, and what moving, turning, scaling and joining do to them.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { convexHull } from '../../src/core2d/outline/convex-hull.ts'
import { createMass, type Mass, mass } from '../../src/core2d/queries/mass.ts'
import { measuredBody } from '../oracle/measured-bodies.ts'
import { prepare } from '../support/answers/slots.ts'
import { anyRotation, anyShape, BOUNDED_TYPES, GRID, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { hasAabb, mixedComposite, regionCase } from '../support/families/composite-arbitraries.ts'
import { reach } from '../support/families/extent.ts'
import { scaled, turnedVector } from '../support/families/transform.ts'
import { unshrunk } from '../support/runs.ts'

function massOf(shape: Shape2d, density = 1): Mass {
  const out = createMass()
  mass(prepare({ shape }), density, out)
  return out
}

const SIDES = 1000

/** Points on the boundary, the corners among them, close enough that their hull is nearly the shape. */
function boundaryOf(shape: Shape2d): Vec2[] {
  const measured = measuredBody({ shape })
  const circle = Array.from({ length: SIDES }, (_, i) => (2 * Math.PI * i) / SIDES)
  if (measured.kind === 'ellipse') {
    return circle.map((t) => ({ x: measured.rx * Math.cos(t), y: measured.ry * Math.sin(t) }))
  }
  if (measured.kind === 'halfplane') throw new Error('a half-plane has no mass')
  const { points, radius } = measured
  if (radius === 0) return points
  return points.flatMap(({ x, y }) => circle.map((t) => ({ x: x + radius * Math.cos(t), y: y + radius * Math.sin(t) })))
}

/** By the shoelace formula from the first corner. */
function massOfHull(points: readonly Vec2[]): Mass {
  const out = new Int32Array(points.length)
  const size = convexHull(Float64Array.from(points.flatMap(({ x, y }) => [x, y])), points.length, out)
  const origin = points[out[0]]
  const ring = Array.from(out.subarray(0, size), (i) => ({ x: points[i].x - origin.x, y: points[i].y - origin.y }))
  let [area, mx, my, polar] = [0, 0, 0, 0]
  ring.forEach((p, i) => {
    const q = ring[(i + 1) % size]
    const cross = p.x * q.y - p.y * q.x
    area += cross / 2
    mx += (cross * (p.x + q.x)) / 6
    my += (cross * (p.y + q.y)) / 6
    polar += (cross * (p.x ** 2 + p.x * q.x + q.x ** 2 + p.y ** 2 + p.y * q.y + q.y ** 2)) / 12
  })
  const x = mx / area
  const y = my / area
  return { area, mass: area, x: origin.x + x, y: origin.y + y, inertia: polar - area * (x * x + y * y) }
}

/** `ratio`: of the extent; areas and inertias have its square and fourth power for a unit. */
function expectAlike(got: Mass, expected: Mass, extent: number, ratio: number, offset = 0): void {
  const close = (p: number, q: number, unit: number): void => {
    expect(Math.abs(p - q)).toBeLessThanOrEqual(ratio * unit)
  }
  close(got.area, expected.area, extent ** 2)
  close(got.mass, expected.mass, extent ** 2)
  close(got.inertia, expected.inertia, extent ** 4)
  if (expected.area === 0) return
  // The centroid of a sliver is as uncertain as its area.
  const slender = extent ** 2 / expected.area
  close(got.x, expected.x, extent * slender + offset)
  close(got.y, expected.y, extent * slender + offset)
}

const convex: Arbitrary<Shape2d> = fc.oneof(anyShape(GRID, BOUNDED_TYPES), anyShape(UNIFORM, BOUNDED_TYPES))
const composite: Arbitrary<Shape2d> = mixedComposite().map(({ shape }) => shape)
const bounded = fc.oneof(
  convex,
  composite.filter((shape) => !hasHalfplane(shape)),
)

function hasHalfplane(shape: Shape2d): boolean {
  return shape.type === 'halfplane' || (shape.type === 'compound' && shape.children.some((c) => hasHalfplane(c.shape)))
}

const compound = (...children: Body2d[]): Shape2d => ({ type: 'compound', children })

describe('the mass of a shape', () => {
  it('is that of a fine polygon', () => {
    fc.assert(
      fc.property(convex, (shape) => {
        const got = massOf(shape)
        const expected = massOfHull(boundaryOf(shape))
        if (!(expected.area > 1e-9 * reach({ shape }) ** 2)) return
        expectAlike(got, expected, 2 * reach({ shape }), 1e-4)
        // An inscribed polygon has less of everything, by less than one part in a hundred thousand.
        expect(got.area).toBeGreaterThanOrEqual(expected.area * (1 - 1e-12))
        expect(got.area).toBeLessThanOrEqual(expected.area * (1 + 1e-5))
        expect(got.inertia).toBeGreaterThanOrEqual(expected.inertia * (1 - 1e-6))
        expect(got.inertia).toBeLessThanOrEqual(expected.inertia * (1 + 1e-4))
      }),
      unshrunk(400),
    )
  })

  it('is that of the pieces of a region', () => {
    fc.assert(
      fc.property(fc.oneof(regionCase(GRID), regionCase(UNIFORM)), ({ region, pieces }) => {
        const together = massOf(compound(...pieces.map((shape) => ({ shape }))))
        expectAlike(massOf(region), together, 2 * reach({ shape: region }), 1e-12)
      }),
      unshrunk(1000),
    )
  })

  it('moves and turns with the shape', () => {
    fc.assert(
      fc.property(bounded, vec2(UNIFORM), fc.constantFrom(1, 1, 1e6), anyRotation, (shape, by, far, angle) => {
        const rotation = hasAabb(shape) ? 0 : angle
        const position = { x: by.x * far, y: by.y * far }
        const still = massOf(shape)
        const centroid = turnedVector(still, rotation)
        const expected = { ...still, x: centroid.x + position.x, y: centroid.y + position.y }
        const moved = massOf(compound({ shape, position, rotation }))
        expectAlike(moved, expected, 2 * reach({ shape }), 1e-12, Math.hypot(position.x, position.y))
      }),
      unshrunk(1500),
    )
  })

  it('adds up, by the parallel axis theorem', () => {
    fc.assert(
      fc.property(bounded, bounded, vec2(UNIFORM), (p, q, position) => {
        const a = massOf(p)
        const b = massOf(q)
        const area = a.area + b.area
        if (a.area === 0 || b.area === 0) return
        const x = (a.area * a.x + b.area * (b.x + position.x)) / area
        const y = (a.area * a.y + b.area * (b.y + position.y)) / area
        const inertia =
          a.inertia +
          b.inertia +
          a.area * ((a.x - x) ** 2 + (a.y - y) ** 2) +
          b.area * ((b.x + position.x - x) ** 2 + (b.y + position.y - y) ** 2)
        const shape = compound({ shape: p }, { shape: q, position })
        expectAlike(massOf(shape), { area, mass: area, x, y, inertia }, 2 * reach({ shape }), 1e-12)
      }),
      unshrunk(1000),
    )
  })

  it('scales to the last bit', () => {
    fc.assert(
      fc.property(bounded, fc.integer({ min: -40, max: 40 }), fc.constantFrom(1, 3, 0.1), (shape, n, density) => {
        const k = 2 ** n
        const small = massOf(shape, density)
        expect(massOf(scaled({ shape }, k).shape, density)).toEqual({
          area: small.area * k ** 2,
          mass: small.mass * k ** 2,
          x: small.x * k,
          y: small.y * k,
          inertia: small.inertia * k ** 4,
        })
      }),
      unshrunk(1000),
    )
  })
})

describe('precision', () => {
  const polygon = (...numbers: number[]): Shape2d => ({
    type: 'polygon',
    vertices: Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] })),
  })
  const relative = (got: number, expected: number): number => Math.abs(got / expected - 1)

  it('does not suffer far from the origin', () => {
    const far = 2 ** 40
    const { area, x, y, inertia } = massOf(polygon(far, -far, far + 6, -far, far, 3 - far))
    expect(area).toBe(9)
    expect(x).toBe(far + 2)
    expect(y).toBe(1 - far)
    // Of a right triangle: area · (w² + h²) / 18.
    expect(relative(inertia, (9 * (36 + 9)) / 18)).toBeLessThan(1e-14)
  })

  it('does not suffer from slenderness', () => {
    const thin = 2 ** -45
    const { area, inertia } = massOf(polygon(0, 0, 3, 3, 3, 3 + thin))
    expect(relative(area, (3 * thin) / 2)).toBeLessThan(1e-14)
    // Of any triangle: area · (sum of the squared sides) / 36.
    expect(relative(inertia, (area * 2 * 18) / 36)).toBeLessThan(1e-12)
  })

  it('does not suffer from a long corridor', () => {
    const far = 2 ** 30
    const h = 2 ** -60
    const [outer] = [[0, 0, far, 0, far, -1, far + 2, -1, far + 2, 1, far, 1, far, h, 0, h]].map((n) =>
      Array.from({ length: n.length / 2 }, (_, i) => ({ x: n[2 * i], y: n[2 * i + 1] })),
    )
    const got = massOf({ type: 'region', outer })
    const corridor = far * h
    const offset = (far / 2 + 1) ** 2
    const expected = (4 * 8) / 12 + (corridor * far * far) / 12 + (4 * corridor * offset) / (4 + corridor)
    expect(relative(got.area, 4 + corridor)).toBeLessThan(1e-14)
    expect(relative(got.inertia, expected)).toBeLessThan(1e-9)
  })

  it('reaches from the least to the largest lengths', () => {
    for (const k of [2 ** -240, 2 ** 240]) {
      const { area, inertia } = massOf({ type: 'box', width: 2 * k, height: 2 * k })
      expect(area).toBe(4 * k * k)
      expect(relative(inertia / k / k / k / k, 8 / 3)).toBeLessThan(1e-14)
    }
    const giant = massOf({ type: 'circle', radius: 1e100 }, 1e-200)
    expect(relative(giant.inertia, (Math.PI / 2) * 1e200)).toBeLessThan(1e-12)
  })
})
