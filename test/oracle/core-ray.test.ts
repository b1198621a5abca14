// Ray hits of the core on unrotated bodies are the exact ones: grazing, ending on the boundary, starting inside.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRayHit, rayCast } from '../../src/core2d/ray/ray-cast.ts'
import { prepareRay } from '../support/answers/ray-slots.ts'
import { prepare } from '../support/answers/slots.ts'
import { EXACT_TYPES } from '../support/families/arbitraries.ts'
import { unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { type RayCase, rayFamilies, rayFamiliesOf } from '../support/families/ray-families.ts'
import { runs, unshrunk } from '../support/runs.ts'
import { exactRayCast } from './exact-ray.ts'

function check({ ray, target }: RayCase): void {
  const expected = exactRayCast(ray, target)
  const out = createRayHit()
  const hit = rayCast(prepareRay(ray), prepare(target), 'hit', out)
  expect(hit).toBe(expected.hit)
  if (!hit) return
  expect(out.startedInside).toBe(expected.startedInside)
  if (expected.distance === null) return
  const tolerance = pairTolerance({ shape: { type: 'point' }, position: ray.origin }, target)
  expect(Math.abs(out.distance - expected.distance)).toBeLessThanOrEqual(tolerance)
}

describe('points, segments, boxes, polygons, circles, capsules', () => {
  it.each(Object.entries(rayFamilies(EXACT_TYPES)))('%s', (_name, cases) => {
    fc.assert(fc.property(cases, check), runs(2000))
  })
})

describe('ellipses and half-planes on the grid', () => {
  it.each(Object.entries(rayFamilies(['ellipse', 'halfplane'])).slice(0, 1))('%s', (_name, cases) => {
    fc.assert(fc.property(cases, check), runs(1500))
  })
})

describe('chains, regions, compounds', () => {
  const families = rayFamiliesOf((source) => unrotatedComposite(source, EXACT_TYPES))
  it.each(Object.entries(families))('%s', (_name, cases) => {
    fc.assert(fc.property(cases, check), unshrunk(500))
  })
})
