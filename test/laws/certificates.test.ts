// What `explain` and `contact` hand out can be checked in O(n): axes separate, common points are common,
// the translation leaves the pair touching, and contact points lie on both surfaces.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Vec2 } from '../../schemas/vector.ts'
import { gapAlong, sweptSeparation } from '../oracle/measured-bodies.ts'
import { signedDistance } from '../oracle/point-distance.ts'
import { contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { frameOf, meetFarAway } from '../support/families/normalised.ts'
import { lawPairs } from '../support/families/pair-families.ts'
import { translated } from '../support/families/transform.ts'
import { runs } from '../support/runs.ts'

const along = (p: Vec2, n: Vec2, t: number): Vec2 => ({ x: p.x + n.x * t, y: p.y + n.y * t })

it('a separating axis separates, a common point is in both', () => {
  fc.assert(
    fc.property(lawPairs(), (pair) => {
      const frame = frameOf(pair)
      const { a, b, k, tolerance, toFrame } = frame
      const { relation, axis, point } = overlapAnswer(pair)
      expect(axis !== null).toBe(relation === 1)
      if (axis !== null) {
        const { normal, gap } = axis
        expect(Math.abs(Math.hypot(normal.x, normal.y) - 1)).toBeLessThanOrEqual(1e-12)
        expect(gap).toBeGreaterThanOrEqual(0)
        expect(gapAlong(a, b, normal.x, normal.y)).toBeGreaterThanOrEqual(gap * k - tolerance)
      }
      if (point !== null && !meetFarAway(frame)) {
        const { x, y } = toFrame(point.x, point.y)
        expect(signedDistance(a, { x, y })).toBeLessThanOrEqual(tolerance)
        expect(signedDistance(b, { x, y })).toBeLessThanOrEqual(tolerance)
      }
    }),
    runs(4000),
  )
})

it('distance points are on both bodies', () => {
  fc.assert(
    fc.property(lawPairs(), (pair) => {
      const frame = frameOf(pair)
      const { a, b, tolerance, toFrame } = frame
      if (meetFarAway(frame)) return
      const { pointA, pointB, distance } = distanceAnswer(pair)
      const onA = signedDistance(a, toFrame(pointA.x, pointA.y))
      const onB = signedDistance(b, toFrame(pointB.x, pointB.y))
      if (distance > 0) {
        expect(Math.abs(onA)).toBeLessThanOrEqual(tolerance)
        expect(Math.abs(onB)).toBeLessThanOrEqual(tolerance)
      } else {
        expect(Math.max(onA, onB)).toBeLessThanOrEqual(tolerance)
      }
    }),
    runs(3000),
  )
})

it('translation applied to B leaves them touching', () => {
  fc.assert(
    fc.property(lawPairs(), (pair) => {
      const { relation, separation, translation } = contactAnswer(pair)
      fc.pre(relation <= 0 && separation > -1e100)
      const parted = { a: pair.a, b: translated(pair.b, translation.x, translation.y) }
      const { a, b, tolerance } = frameOf(parted)
      expect(Math.abs(sweptSeparation(a, b))).toBeLessThanOrEqual(2 * tolerance)
      expect(Math.abs(contactAnswer(parted).separation)).toBeLessThanOrEqual((2 * tolerance) / frameOf(parted).k)
    }),
    runs(3000),
  )
})

it('contact points lie midway between the two surfaces, the deepest at the separation', () => {
  fc.assert(
    fc.property(lawPairs(), fc.constantFrom(0, 0.25, 100), (pair, maxDistance) => {
      const { a, b, k, tolerance, toFrame } = frameOf(pair)
      const { separation, normal, points } = contactAnswer(pair, maxDistance)
      fc.pre(separation > -1e100)
      expect(points.length > 0).toBe(separation <= maxDistance)
      if (points.length === 0) return
      const least = Math.min(...points.map((point) => point.separation))
      expect(Math.abs(least - separation) * k).toBeLessThanOrEqual(2 * tolerance)
      for (const point of points) {
        expect(point.separation).toBeLessThanOrEqual(maxDistance + tolerance / k)
        expect(point.a).toMatch(/^(vertex|edge|surface) \d+$/)
        expect(point.b).toMatch(/^(vertex|edge|surface) \d+$/)
        if (normal === null) continue
        const middle = toFrame(point.position.x, point.position.y)
        const half = (point.separation * k) / 2
        const onA = signedDistance(a, along(middle, normal, -half))
        const onB = signedDistance(b, along(middle, normal, half))
        // A second point of a tilted rounded shape is taken under its corner, a little inside the surface.
        const inner = point.separation > separation + tolerance / k ? Number.NEGATIVE_INFINITY : -2 * tolerance
        expect(Math.max(onA, onB)).toBeLessThanOrEqual(2 * tolerance)
        expect(Math.min(onA, onB)).toBeGreaterThanOrEqual(inner)
      }
    }),
    runs(4000),
  )
})
