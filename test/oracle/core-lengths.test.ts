// Distances, separations, points and translations of the core against the oracle, to 1e-9 of the pair's extent.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { prepare } from '../support/answers/slots.ts'
import { anyBody, SHAPE_TYPES } from '../support/families/arbitraries.ts'
import { frameOf, meetFarAway } from '../support/families/normalised.ts'
import { manyVertexPairs, type Pair, pairFamilies } from '../support/families/pair-families.ts'
import { runs } from '../support/runs.ts'
import { exactSeparation } from './exact-relation.ts'
import { gapAlong, sweptSeparation } from './measured-bodies.ts'
import { signedDistance } from './point-distance.ts'

function expectedSeparation({ a, b }: Pair): number {
  const frame = frameOf({ a, b })
  const rotated = (a.rotation ?? 0) !== 0 || (b.rotation ?? 0) !== 0
  const exact = rotated ? null : exactSeparation(a, b)
  return exact === null ? sweptSeparation(frame.a, frame.b) : exact * frame.k
}

function checkDistance(pair: Pair): void {
  const frame = frameOf(pair)
  const { k, tolerance } = frame
  const out = createDistance()
  distance(prepare(pair.a), prepare(pair.b), out)
  const expected = Math.max(0, expectedSeparation(pair))
  expect(Math.abs(out.distance * k - expected)).toBeLessThanOrEqual(tolerance)
  const pointA = frame.toFrame(out.ax, out.ay)
  const pointB = frame.toFrame(out.bx, out.by)
  const between = Math.hypot(pointB.x - pointA.x, pointB.y - pointA.y)
  expect(Math.abs(between - expected)).toBeLessThanOrEqual(2 * tolerance)
  if (meetFarAway(frame)) return
  expect(signedDistance(frame.a, pointA)).toBeLessThanOrEqual(tolerance)
  expect(signedDistance(frame.b, pointB)).toBeLessThanOrEqual(tolerance)
  expect(out.hasNormal).toBe(out.distance > 0)
  if (!out.hasNormal) {
    expect([out.ax, out.ay]).toEqual([out.bx, out.by])
    return
  }
  expect(Math.abs(Math.hypot(out.nx, out.ny) - 1)).toBeLessThanOrEqual(1e-12)
  expect(gapAlong(frame.a, frame.b, out.nx, out.ny)).toBeGreaterThanOrEqual(expected - 2 * tolerance)
}

function checkContact(pair: Pair): void {
  const frame = frameOf(pair)
  const { k, tolerance } = frame
  const out = createContact()
  contact(prepare(pair.a), prepare(pair.b), Number.MAX_VALUE, out)
  const expected = expectedSeparation(pair)
  if (expected === Number.NEGATIVE_INFINITY) return
  expect(Math.abs(out.separation * k - expected)).toBeLessThanOrEqual(tolerance)
  expect(Math.sign(out.separation)).toBe(out.relation)
  if (out.hasNormal) {
    expect(Math.abs(Math.hypot(out.nx, out.ny) - 1)).toBeLessThanOrEqual(1e-12)
    expect(Math.abs(gapAlong(frame.a, frame.b, out.nx, out.ny) - expected)).toBeLessThanOrEqual(2 * tolerance)
  }
  const moved = Math.hypot(out.tx, out.ty) * k
  expect(Math.abs(moved - Math.max(0, -expected))).toBeLessThanOrEqual(2 * tolerance)
}

describe.each([
  ['distance', checkDistance],
  ['contact', checkContact],
])('%s', (_query, check) => {
  it.each(Object.entries(pairFamilies(SHAPE_TYPES)))('%s', (_name, pairs) => {
    fc.assert(fc.property(pairs, check), runs(300))
  })

  it('polygons of many vertices', () => {
    fc.assert(fc.property(manyVertexPairs(SHAPE_TYPES), check), runs(150))
  })

  it('slender ellipses', () => {
    const slender = fc.tuple(anyBody(['ellipse']), fc.integer({ min: 0, max: 40 })).map(([body, power]): Body2d => {
      return body.shape.type === 'ellipse'
        ? { ...body, shape: { ...body.shape, ry: body.shape.ry * 2 ** -power } }
        : body
    })
    fc.assert(fc.property(fc.record({ a: slender, b: fc.oneof(slender, anyBody()) }), check), runs(600))
  })

  it('rotated pairs', () => {
    fc.assert(fc.property(fc.record({ a: anyBody(), b: anyBody() }), check), runs(1500))
  })
})
