// The features that contacts and ray hits name are where the answer says: the caller's own vertices and edges.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { contactAnswer } from '../support/answers/answers.ts'
import { rayAnswer } from '../support/answers/ray-answers.ts'
import { mixedBody, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { featureError } from '../support/families/feature-place.ts'
import { lawPairs } from '../support/families/pair-families.ts'
import { runs } from '../support/runs.ts'

it('of the deepest contact point', () => {
  fc.assert(
    fc.property(lawPairs(), fc.constantFrom(0, 100), ({ a, b }, maxDistance) => {
      const { normal, points, separation } = contactAnswer({ a, b }, maxDistance)
      const tolerance = 4 * pairTolerance(a, b)
      const deepest = points.filter((point) => Math.abs(point.separation - separation) <= tolerance)
      if (normal === null || deepest.length === 0) return
      const errors = deepest.map(({ position: { x, y }, separation: s, a: featureA, b: featureB }) => {
        const onA = { x: x - (normal.x * s) / 2, y: y - (normal.y * s) / 2 }
        const onB = { x: x + (normal.x * s) / 2, y: y + (normal.y * s) / 2 }
        return Math.max(featureError(a, featureA, onA), featureError(b, featureB, onB))
      })
      expect(Math.min(...errors)).toBeLessThanOrEqual(tolerance)
    }),
    runs(4000),
  )
})

it('of a ray hit', () => {
  const rays = fc.record({ origin: vec2(UNIFORM), direction: vec2(UNIFORM) })
  fc.assert(
    fc.property(rays, mixedBody(), (ray, target) => {
      const hit = rayAnswer(ray, target)
      fc.pre(hit !== null && !hit.startedInside)
      if (hit === null) return
      const from: Body2d = { shape: { type: 'point' }, position: ray.origin }
      expect(featureError(target, hit.feature, hit.point)).toBeLessThanOrEqual(4 * pairTolerance(from, target))
    }),
    runs(4000),
  )
})
