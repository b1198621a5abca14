// Features of chains, regions and compounds are the caller's own, found by path and index, never a seam of a decomposition.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { contactAnswer } from '../support/answers/answers.ts'
import { advanced, impactAnswer } from '../support/answers/impact-answers.ts'
import { rayAnswer } from '../support/answers/ray-answers.ts'
import { UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { compositeLawPairs, mixedComposite, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { childAt, featureError } from '../support/families/feature-place.ts'
import { unshrunk } from '../support/runs.ts'

it('of the deepest contact point', () => {
  fc.assert(
    fc.property(compositeLawPairs(), fc.constantFrom(0, 100), ({ a, b }, maxDistance) => {
      const { normal, points, separation } = contactAnswer({ a, b }, maxDistance)
      const tolerance = 8 * pairTolerance(a, b)
      const deepest = points.filter((point) => Math.abs(point.separation - separation) <= tolerance)
      if (normal === null || deepest.length === 0) return
      const errors = deepest.map(({ position: { x, y }, separation: s, a: featureA, b: featureB, pathA, pathB }) => {
        const onA = { x: x - (normal.x * s) / 2, y: y - (normal.y * s) / 2 }
        const onB = { x: x + (normal.x * s) / 2, y: y + (normal.y * s) / 2 }
        return Math.max(featureError(childAt(a, pathA), featureA, onA), featureError(childAt(b, pathB), featureB, onB))
      })
      expect(Math.min(...errors)).toBeLessThanOrEqual(tolerance)
    }),
    unshrunk(300),
  )
})

it('of a ray hit', () => {
  const rays = fc.record({ origin: vec2(UNIFORM), direction: vec2(UNIFORM) })
  fc.assert(
    fc.property(rays, mixedComposite(), (ray, target) => {
      const hit = rayAnswer(ray, target)
      fc.pre(hit !== null && !hit.startedInside)
      if (hit === null) return
      const from: Body2d = { shape: { type: 'point' }, position: ray.origin }
      const child = childAt(target, hit.path)
      expect(featureError(child, hit.feature, hit.point)).toBeLessThanOrEqual(4 * pairTolerance(from, target))
    }),
    unshrunk(800),
  )
})

it('of an impact', () => {
  fc.assert(
    fc.property(unrotatedComposite(UNIFORM), unrotatedComposite(UNIFORM), vec2(UNIFORM), (a, b, velocity) => {
      const moving = { ...b, velocity }
      const hit = impactAnswer({ a, b: moving, duration: 4 })
      fc.pre(hit !== null && !hit.startedOverlapping)
      if (hit === null) return
      const there = advanced(moving, hit.time)
      const tolerance = 16 * (pairTolerance(a, b) + pairTolerance(a, there))
      expect(featureError(childAt(a, hit.pathA), hit.a, hit.pointA)).toBeLessThanOrEqual(tolerance)
      expect(featureError(childAt(there, hit.pathB), hit.b, hit.pointB)).toBeLessThanOrEqual(tolerance)
    }),
    unshrunk(300),
  )
})
