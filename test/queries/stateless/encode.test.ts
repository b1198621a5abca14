import { describe, expect, it } from 'vitest'
import { edgeFeature, NO_FEATURE, SURFACE_FEATURE, vertexFeature } from '../../../src/core2d/feature.ts'
import { createContact } from '../../../src/core2d/queries/contact.ts'
import { createDistance } from '../../../src/core2d/queries/distance.ts'
import { createOverlap } from '../../../src/core2d/queries/overlap.ts'
import { createRayHit } from '../../../src/core2d/ray/ray-cast.ts'
import { createBody, setCircle } from '../../../src/core2d/shape/body.ts'
import { encodeContact } from '../../../src/queries/stateless/contact.ts'
import { encodeDistance } from '../../../src/queries/stateless/distance.ts'
import { encodeOverlap, encodeRelation } from '../../../src/queries/stateless/overlap.ts'
import { encodeRayHit } from '../../../src/queries/stateless/ray-cast.ts'
import { encodeFeature, encodeVec2, finite } from '../../../src/wire/encode.ts'

describe('finite', () => {
  it('lets finite numbers through', () => {
    for (const value of [0, -0, 1e308, -5e-324]) expect(finite(value)).toBe(value)
  })

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY]])('stops %d', (value) => {
    expect(() => finite(value)).toThrow(RangeError)
  })
})

const circle = createBody()
setCircle(circle, 1)

it('encodes features', () => {
  expect(encodeFeature(NO_FEATURE, circle, 0)).toBeNull()
  expect(encodeFeature(vertexFeature(1023), circle, 0)).toEqual({ kind: 'vertex', index: 1023 })
  expect(encodeFeature(edgeFeature(0), circle, 0)).toEqual({ kind: 'edge', index: 0 })
  expect(encodeFeature(SURFACE_FEATURE, circle, 0)).toEqual({ kind: 'surface', index: 0 })
})

it('encodes relations', () => {
  expect(encodeRelation(-1)).toEqual({ overlap: true, relation: 'overlapping' })
  expect(encodeRelation(0)).toEqual({ overlap: true, relation: 'touching' })
  expect(encodeRelation(1)).toEqual({ overlap: false, relation: 'separated' })
})

it('encodes certificates by what they are', () => {
  const found = { ...createOverlap(), hasAxis: true, nx: 0, ny: 1, gap: 2, px: 3, py: 4 }
  const apart = { aContainsB: false, bContainsA: false }
  expect(encodeOverlap({ ...found, relation: 1 }, apart, encodeVec2).certificate).toEqual({
    kind: 'separating-axis',
    normal: { x: 0, y: 1 },
    gap: 2,
  })
  expect(encodeOverlap({ ...found, hasAxis: false, relation: 0 }, apart, encodeVec2).certificate).toEqual({
    kind: 'common-point',
    point: { x: 3, y: 4 },
  })
  // concave bodies that are apart but interlocked
  expect(encodeOverlap({ ...found, hasAxis: false, relation: 1 }, apart, encodeVec2)).toEqual({
    overlap: false,
    relation: 'separated',
    aContainsB: false,
    bContainsA: false,
  })
})

it('gives no normal where there is none', () => {
  expect(encodeDistance({ ...createDistance(), nx: 1 }, encodeVec2).normal).toBeNull()
  expect(encodeContact({ ...createContact(), nx: 1 }, circle, circle).normal).toBeNull()
  expect(encodeRayHit({ target: 0 }, { ...createRayHit(), hasNormal: false, nx: 1 }, circle).normal).toBeNull()
})

it('gives as many contact points as there are', () => {
  for (const count of [0, 1, 2])
    expect(encodeContact({ ...createContact(), count }, circle, circle).points).toHaveLength(count)
})

it('gives no exit where there is none', () => {
  expect(encodeRayHit({ target: 0 }, { ...createRayHit(), hasExit: false }, circle).exit).toBeNull()
  const hit = { ...createRayHit(), hasExit: true, exitDistance: 2, exitX: 3, exitY: 4, exitNx: 1, exitNy: 0 }
  expect(encodeRayHit({ target: 7 }, hit, circle)).toMatchObject({
    target: 7,
    exit: { distance: 2, point: { x: 3, y: 4 }, normal: { x: 1, y: 0 } },
  })
})

it('never lets a number out that is not finite', () => {
  expect(() => encodeDistance({ ...createDistance(), ax: Number.NaN }, encodeVec2)).toThrow(RangeError)
  expect(() => encodeContact({ ...createContact(), tx: Number.POSITIVE_INFINITY }, circle, circle)).toThrow(RangeError)
})
