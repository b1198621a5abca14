// A region is the union of its convex pieces: the same relation, distance, rays and impacts as the compound of them.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { impactAnswer } from '../support/answers/impact-answers.ts'
import { rayAnswer } from '../support/answers/ray-answers.ts'
import { anyRotation, GRID, mixedBody, UNIFORM, unrotatedBody, vec2 } from '../support/families/arbitraries.ts'
import { mixedComposite, regionCase, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { unshrunk } from '../support/runs.ts'

interface Case {
  region: Body2d
  union: Body2d
  other: Body2d
}

const source = fc.constantFrom(GRID, UNIFORM)
const cases: Arbitrary<Case> = source.chain((numbers) =>
  fc
    .record({
      made: regionCase(numbers),
      position: vec2(numbers),
      rotation: fc.oneof(fc.constant(0), anyRotation),
      other: fc.oneof(unrotatedBody(numbers), mixedBody(), unrotatedComposite(numbers), mixedComposite()),
    })
    .map(({ made: { region, pieces }, position, rotation, other }) => {
      const children = pieces.map((shape) => ({ shape }))
      return {
        region: { shape: region, position, rotation },
        union: { shape: { type: 'compound' as const, children }, position, rotation },
        other,
      }
    }),
)

it('relation and distance', () => {
  fc.assert(
    fc.property(cases, ({ region, union, other }) => {
      const tolerance = pairTolerance(region, other)
      const whole = overlapAnswer({ a: region, b: other })
      const parts = overlapAnswer({ a: union, b: other })
      const { distance } = distanceAnswer({ a: region, b: other })
      const separation = Math.abs(distance - distanceAnswer({ a: union, b: other }).distance)
      expect(separation).toBeLessThanOrEqual(tolerance)
      const turned = (region.rotation ?? 0) !== 0
      // Rotated corners of pieces are the rotated corners of the region, so the sets stay the same to rounding only.
      if (!turned || distance > tolerance) expect(whole.relation <= 0).toBe(parts.relation <= 0)
      // What lies along a seam only touches the pieces on both sides of it.
      if (!turned && parts.relation < 0) expect(whole.relation).toBe(-1)
    }),
    unshrunk(600),
  )
})

it('a convex region is a polygon', () => {
  const convex = source.chain((numbers) =>
    fc.record({
      polygon: unrotatedBody(numbers, ['polygon']),
      rotation: fc.oneof(fc.constant(0), anyRotation),
      other: fc.oneof(unrotatedBody(numbers), mixedBody()),
    }),
  )
  fc.assert(
    fc.property(convex, ({ polygon, rotation, other }) => {
      if (polygon.shape.type !== 'polygon') return
      const { vertices } = polygon.shape
      const { position = { x: 0, y: 0 } } = polygon
      const a: Body2d = { shape: { type: 'polygon', vertices }, position, rotation }
      const region: Body2d = { shape: { type: 'region', outer: vertices }, position, rotation }
      const tolerance = pairTolerance(a, other)
      const [first, second] = [a, region].map((body) => contactAnswer({ a: body, b: other }))
      expect(second.relation + 0).toBe(first.relation + 0)
      if (first.separation !== second.separation) {
        expect(Math.abs(first.separation - second.separation)).toBeLessThanOrEqual(tolerance)
      }
      const [near, far] = [a, region].map((body) => distanceAnswer({ a: body, b: other }))
      expect(Math.abs(near.distance - far.distance)).toBeLessThanOrEqual(tolerance)
    }),
    unshrunk(600),
  )
})

describe('rays', () => {
  const rays = source.chain((numbers) =>
    fc.record({ origin: vec2(numbers), direction: vec2(numbers), maxDistance: fc.constantFrom(2, 1e3) }),
  )

  it('hit both at the same place, and leave both there', () => {
    fc.assert(
      fc.property(cases, rays, ({ region, union }, ray) => {
        fc.pre(ray.direction.x !== 0 || ray.direction.y !== 0)
        const whole = rayAnswer(ray, region)
        const parts = rayAnswer(ray, union)
        if ((region.rotation ?? 0) !== 0 && (whole === null) !== (parts === null)) return
        expect(whole === null).toBe(parts === null)
        if (whole === null || parts === null) return
        const tolerance = 4 * pairTolerance({ shape: { type: 'point' }, position: ray.origin }, region)
        expect(whole.startedInside).toBe(parts.startedInside)
        expect(Math.abs(whole.distance - parts.distance)).toBeLessThanOrEqual(tolerance)
        expect(whole.exit === null).toBe(parts.exit === null)
        if (whole.exit && parts.exit) {
          expect(Math.abs(whole.exit.distance - parts.exit.distance)).toBeLessThanOrEqual(tolerance)
        }
      }),
      unshrunk(600),
    )
  })
})

it('impacts', () => {
  const motions = source.chain((numbers) => fc.record({ velocity: vec2(numbers), duration: fc.constantFrom(1, 4) }))
  fc.assert(
    fc.property(cases, motions, ({ region, union, other }, { velocity, duration }) => {
      const tolerance = pairTolerance(region, other)
      const speed = Math.hypot(velocity.x, velocity.y)
      const along = (body: Body2d): ReturnType<typeof impactAnswer> =>
        impactAnswer({ a: { ...body, velocity }, b: other, duration })
      const whole = along(region)
      const parts = along(union)
      const turned = (region.rotation ?? 0) !== 0 || !isPlain(other)
      if (turned && (whole === null) !== (parts === null)) return
      expect(whole === null).toBe(parts === null)
      if (whole === null || parts === null) return
      expect(Math.abs(whole.time - parts.time) * speed).toBeLessThanOrEqual(
        grazing(parts.normal, velocity) ? 1e-4 : 4 * tolerance,
      )
    }),
    unshrunk(400),
  )
})

function isPlain({ rotation, shape }: Body2d): boolean {
  return (rotation ?? 0) === 0 && shape.type !== 'ellipse' && shape.type !== 'compound'
}

function grazing(normal: Vec2 | null, velocity: Vec2): boolean {
  const speed = Math.hypot(velocity.x, velocity.y)
  return normal !== null && Math.abs(normal.x * velocity.x + normal.y * velocity.y) < 1e-3 * speed
}
