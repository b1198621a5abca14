// Turning and moving both bodies changes no length, and no boolean that rounding cannot change.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RayDefinition } from '../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { gapAlong, measuredBody, sweptSeparation } from '../oracle/measured-bodies.ts'
import { contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { rayAnswer } from '../support/answers/ray-answers.ts'
import { BOUNDED_TYPES, mixedBody, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { lawPairs } from '../support/families/pair-families.ts'
import { translated, translatedRay, turned, turnedRay, turnedVector } from '../support/families/transform.ts'
import { runs } from '../support/runs.ts'

const motion = fc.record({
  angle: fc.oneof(fc.constantFrom(Math.PI / 2, Math.PI, 1e-9), fc.double({ min: -7, max: 7, noNaN: true })),
  dx: fc.constantFrom(0, 0.1, -3, 1e3, 1e6),
  dy: fc.constantFrom(0, 0.7, 1e3, -1e6),
})

it('pairs', () => {
  fc.assert(
    fc.property(lawPairs(), motion, ({ a, b }, { angle, dx, dy }) => {
      const move = (body: Body2d): Body2d => translated(turned(body, angle), dx, dy)
      const before = { a, b }
      const after = { a: move(a), b: move(b) }
      const tolerance = 2 * (pairTolerance(a, b) + pairTolerance(after.a, after.b))
      expect(Math.abs(distanceAnswer(before).distance - distanceAnswer(after).distance)).toBeLessThanOrEqual(tolerance)
      const contact = contactAnswer(before)
      const moved = contactAnswer(after)
      // Half-planes whose normals are opposite but for rounding may be endlessly deep before or after.
      const endless = contact.separation < -1e100 || moved.separation < -1e100
      if (!endless) expect(Math.abs(contact.separation - moved.separation)).toBeLessThanOrEqual(tolerance)
      if (Math.abs(contact.separation) > tolerance && !endless) {
        expect(overlapAnswer(after).relation).toBe(overlapAnswer(before).relation)
      }
      // The old normal, turned, is as good as the new one.
      if (contact.normal !== null && moved.normal !== null && !endless) {
        const { x, y } = turnedVector(contact.normal, angle)
        const reference = after.a.position
        const gap = gapAlong(measuredBody(after.a, reference), measuredBody(after.b, reference), x, y)
        if (Number.isFinite(gap)) expect(Math.abs(gap - moved.separation)).toBeLessThanOrEqual(2 * tolerance)
      }
    }),
    runs(3000),
  )
})

const LONG = 100

it('rays', () => {
  const rays = fc.record({ origin: vec2(UNIFORM), direction: vec2(UNIFORM) })
  fc.assert(
    fc.property(rays, mixedBody(BOUNDED_TYPES), motion, ({ origin, direction }, target, { angle, dx, dy }) => {
      const length = Math.hypot(direction.x, direction.y)
      fc.pre(length > 1e-3)
      const ray: RayDefinition = { origin, direction, maxDistance: LONG }
      const after = rayAnswer(translatedRay(turnedRay(ray, angle), dx, dy), translated(turned(target, angle), dx, dy))
      const before = rayAnswer(ray, target)
      const end = { x: origin.x + (direction.x / length) * LONG, y: origin.y + (direction.y / length) * LONG }
      const path: Body2d = { shape: { type: 'segment', a: origin, b: end } }
      const depth = sweptSeparation(measuredBody(path), measuredBody(target))
      // Grazing rays may come out either way.
      if (Math.abs(depth) < 1e-6) return
      expect(before !== null).toBe(depth < 0)
      expect(after !== null).toBe(depth < 0)
      if (before === null || after === null) return
      expect(Math.abs(before.distance - after.distance)).toBeLessThanOrEqual(1e-5)
    }),
    runs(3000),
  )
})
