// The core's relation of unrotated pairs is the exact one: touching, one ulp off, far away, tiny and huge.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { createOverlap, overlap, relate } from '../../src/core2d/queries/overlap.ts'
import { prepare } from '../support/answers/slots.ts'
import { EXACT_TYPES, GRID, SHAPE_TYPES } from '../support/families/arbitraries.ts'
import { compositeFamilies, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { manyVertexPairs, type Pair, pairFamilies } from '../support/families/pair-families.ts'
import { scaled } from '../support/families/transform.ts'
import { runs, unshrunk } from '../support/runs.ts'
import { exactRelation } from './exact-relation.ts'
import { measuredBody, sweptSeparation } from './measured-bodies.ts'

function answers({ a, b }: Pair): Record<string, number> {
  const slotA = prepare(a)
  const slotB = prepare(b)
  const out = createOverlap()
  overlap(slotA, slotB, out)
  // + 0: −0 is no other relation than 0.
  return { relate: relate(slotA, slotB) + 0, swapped: relate(slotB, slotA) + 0, overlap: out.relation + 0 }
}

function alike(relation: number): Record<string, number> {
  return { relate: relation, swapped: relation, overlap: relation }
}

describe('points, segments, boxes, polygons, circles, capsules', () => {
  it.each(Object.entries(pairFamilies(EXACT_TYPES)))('%s', (_name, pairs) => {
    fc.assert(
      fc.property(pairs, (pair) => {
        expect(answers(pair)).toEqual(alike(exactRelation(pair.a, pair.b) as number))
      }),
      runs(600),
    )
  })
})

it('polygons of many vertices', () => {
  fc.assert(
    fc.property(manyVertexPairs(EXACT_TYPES), (pair) => {
      expect(answers(pair)).toEqual(alike(exactRelation(pair.a, pair.b) as number))
    }),
    runs(300),
  )
})

describe('with ellipses and half-planes', () => {
  const families = pairFamilies(SHAPE_TYPES)
  const uses = ({ a, b }: Pair): boolean => [a, b].some(({ shape }) => /ellipse|halfplane/.test(shape.type))

  it.each(Object.entries(families).slice(0, -2))('%s: right, or within rounding of touching', (_name, pairs) => {
    fc.assert(
      fc.property(pairs.filter(uses), (pair) => {
        const { a, b } = pair
        const got = answers(pair)
        expect(got).toEqual(alike(got.relate))
        const reference = a.position ?? { x: 0, y: 0 }
        const separation = sweptSeparation(measuredBody(a, reference), measuredBody(b, reference))
        if (Math.abs(separation) > pairTolerance(a, b)) expect(got).toEqual(alike(Math.sign(separation)))
      }),
      runs(400),
    )
  })

  it.each(['grid', 'touching on the grid'])('%s: exact where the oracle is', (name) => {
    fc.assert(
      fc.property(families[name].filter(uses), (pair) => {
        const relation = exactRelation(pair.a, pair.b)
        if (relation !== null) expect(answers(pair)).toEqual(alike(relation))
      }),
      runs(450),
    )
  })
})

/** Sizes apart, so that one may lie within the other or in a hole of it. */
const nestedPairs = fc
  .record({ outer: unrotatedComposite(GRID, EXACT_TYPES), inner: unrotatedComposite(GRID, EXACT_TYPES), k: fc.nat(3) })
  .map(({ outer, inner, k }): Pair => ({ a: outer, b: scaled(inner, 2 ** -k) }))

describe('chains, regions, compounds', () => {
  const families = { ...compositeFamilies(EXACT_TYPES), 'one within the other': nestedPairs }
  it.each(Object.entries(families))('%s', (_name, pairs) => {
    fc.assert(
      fc.property(pairs, (pair) => {
        expect(answers(pair)).toEqual(alike(exactRelation(pair.a, pair.b) as number))
      }),
      unshrunk(400),
    )
  })
})

/** Nested compounds whose positions add up to sums that are no doubles. */
describe('nested positions, by exact sums', () => {
  const offset = fc.constantFrom(2 ** 20, 2 ** 40, 1e6, 0.1, -1 / 3)
  const wrapped = (body: Body2d, x: number, y: number): Body2d => ({
    shape: { type: 'compound', children: [{ shape: { type: 'compound', children: [body] }, position: { x, y } }] },
    position: { x: -x, y: -y },
  })
  const families = pairFamilies(EXACT_TYPES)
  it.each(Object.entries(families).slice(1, 7))('%s', (_name, pairs) => {
    fc.assert(
      fc.property(pairs, offset, offset, ({ a, b }, x, y) => {
        const relation = exactRelation(a, b) as number
        expect(answers({ a: wrapped(a, x, y), b })).toEqual(alike(relation))
        expect(answers({ a: wrapped(a, x, y), b: wrapped(b, y, x) })).toEqual(alike(relation))
      }),
      unshrunk(300),
    )
  })
})
