// A ray's point is the first one on the target's boundary, its normals support the target, its exit is the last point.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RayDefinition } from '../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { measuredBody, support, sweptSeparation } from '../oracle/measured-bodies.ts'
import { signedDistance } from '../oracle/point-distance.ts'
import { overlapAnswer } from '../support/answers/answers.ts'
import { type RayAnswer, rayAnswer } from '../support/answers/ray-answers.ts'
import { BOUNDED_TYPES, GRID, mixedBody, UNIFORM, unrotatedBody, vec2 } from '../support/families/arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { runs } from '../support/runs.ts'

const rays = fc.constantFrom(GRID, UNIFORM).chain((source) =>
  fc.record(
    {
      origin: vec2(source),
      direction: vec2(source).map((d) => (d.x === 0 && d.y === 0 ? { x: 0, y: -1 } : d)),
      maxDistance: fc.constantFrom(1, 2.5, 1e3),
    },
    { requiredKeys: ['origin', 'direction'] },
  ),
) as fc.Arbitrary<RayDefinition>

const unitOf = ({ x, y }: Vec2): Vec2 => ({ x: x / Math.hypot(x, y), y: y / Math.hypot(x, y) })

function toleranceOf(ray: RayDefinition, target: Body2d): number {
  return 4 * pairTolerance({ shape: { type: 'point' }, position: ray.origin }, target)
}

function expectSupporting(target: Body2d, point: Vec2, normal: Vec2, tolerance: number): void {
  expect(Math.abs(Math.hypot(normal.x, normal.y) - 1)).toBeLessThanOrEqual(1e-12)
  const reach = support(measuredBody(target), normal.x, normal.y)
  expect(Math.abs(reach - normal.x * point.x - normal.y * point.y)).toBeLessThanOrEqual(tolerance)
}

function expectOnRay(ray: RayDefinition, hit: RayAnswer, tolerance: number): void {
  const { origin, direction, maxDistance = Number.POSITIVE_INFINITY } = ray
  const { x, y } = unitOf(direction)
  expect(hit.distance).toBeGreaterThanOrEqual(0)
  expect(hit.distance).toBeLessThanOrEqual(maxDistance)
  expect(Math.abs(origin.x + hit.distance * x - hit.point.x)).toBeLessThanOrEqual(tolerance)
  expect(Math.abs(origin.y + hit.distance * y - hit.point.y)).toBeLessThanOrEqual(tolerance)
  const length = Math.hypot(direction.x, direction.y)
  expect(Math.abs(hit.fraction * length - hit.distance)).toBeLessThanOrEqual(tolerance)
}

describe('a hit from outside', () => {
  it('is the first point of the boundary, with an outward normal against the ray', () => {
    fc.assert(
      fc.property(rays, mixedBody(), (ray, target) => {
        const hit = rayAnswer(ray, target)
        fc.pre(hit !== null && !hit.startedInside)
        if (hit === null) return
        const tolerance = toleranceOf(ray, target)
        const body = measuredBody(target)
        expectOnRay(ray, hit, tolerance)
        expect(Math.abs(signedDistance(body, hit.point))).toBeLessThanOrEqual(tolerance)
        const path = measuredBody({ shape: { type: 'segment', a: ray.origin, b: hit.point } })
        expect(sweptSeparation(path, body)).toBeGreaterThanOrEqual(-tolerance)
        expect(hit.feature).toMatch(/^(vertex|edge|surface) \d+$/)
        const normal = hit.normal as Vec2
        const { x, y } = unitOf(ray.direction)
        expect(normal.x * x + normal.y * y).toBeLessThanOrEqual(1e-9)
        expectSupporting(target, hit.point, normal, tolerance)
      }),
      runs(6000),
    )
  })
})

describe('the exit', () => {
  it('is the last point of the target, with an outward normal along the ray', () => {
    fc.assert(
      fc.property(rays, mixedBody(), (ray, target) => {
        const hit = rayAnswer(ray, target)
        fc.pre(hit !== null)
        if (hit === null || hit.exit === null) return
        const tolerance = toleranceOf(ray, target)
        const { distance, point, normal } = hit.exit
        expect(distance).toBeGreaterThanOrEqual(hit.distance)
        expect(distance).toBeLessThanOrEqual(ray.maxDistance ?? Number.POSITIVE_INFINITY)
        expect(Math.abs(signedDistance(measuredBody(target), point))).toBeLessThanOrEqual(tolerance)
        const { x, y } = unitOf(ray.direction)
        expect(normal.x * x + normal.y * y).toBeGreaterThanOrEqual(-1e-9)
        expectSupporting(target, point, normal, tolerance)
        const beyond = { x: point.x + x, y: point.y + y }
        expect(signedDistance(measuredBody(target), beyond)).toBeGreaterThanOrEqual(-tolerance)
      }),
      runs(4000),
    )
  })

  it('is what startInside "exit" answers, and "ignore" leaves out', () => {
    fc.assert(
      fc.property(rays, mixedBody(), (ray, target) => {
        const hit = rayAnswer(ray, target)
        const out = rayAnswer(ray, target, 'exit')
        const ignored = rayAnswer(ray, target, 'ignore')
        if (hit === null || !hit.startedInside) {
          expect(out).toEqual(hit)
          expect(ignored).toEqual(hit)
          return
        }
        expect(ignored).toBeNull()
        expect(hit).toMatchObject({ distance: 0, fraction: 0, point: ray.origin, normal: null })
        expect(out !== null).toBe(hit.exit !== null)
        if (out === null || hit.exit === null) return
        const { distance, point, normal } = hit.exit
        expect(out).toMatchObject({ distance, point, normal, startedInside: true })
      }),
      runs(4000),
    )
  })
})

it('starts inside exactly when the origin overlaps the target', () => {
  fc.assert(
    fc.property(rays, mixedBody(), (ray, target) => {
      const inside = overlapAnswer({ a: { shape: { type: 'point' }, position: ray.origin }, b: target }).relation <= 0
      expect(rayAnswer(ray, target)?.startedInside ?? false).toBe(inside)
    }),
    runs(4000),
  )
})

it('hits exactly when the segment that it covers overlaps the target', () => {
  const limited = fc.record({
    origin: vec2(GRID),
    step: fc.constantFrom<[number, number][]>([3, 4], [4, -3], [1, 0], [0, -1], [-8, 6], [-5, -12]),
    count: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(limited, unrotatedBody(GRID, BOUNDED_TYPES), ({ origin, step: [x, y], count }, target) => {
      const ray = { origin, direction: { x, y }, maxDistance: count * Math.hypot(x, y) }
      const end = { x: origin.x + count * x, y: origin.y + count * y }
      const path: Body2d = { shape: { type: 'segment', a: origin, b: end } }
      expect(rayAnswer(ray, target) !== null).toBe(overlapAnswer({ a: path, b: target }).relation <= 0)
    }),
    runs(5000),
  )
})
