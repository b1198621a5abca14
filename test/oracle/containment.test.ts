// Containment of bodies with straight edges against an oracle that takes their pieces away from each other in fractions.

import fc, { type Arbitrary } from 'fast-check'
import { expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import { contains } from '../../src/core2d/queries/containment.ts'
import { prepare } from '../support/answers/slots.ts'
import { GRID, type ShapeType, UNIFORM } from '../support/families/arbitraries.ts'
import { regionCase, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { nudged } from '../support/families/pair-families.ts'
import { positionOf, scaled, translated } from '../support/families/transform.ts'
import { runCount, runs, unshrunk } from '../support/runs.ts'
import { exactlyContains } from './exact-containment.ts'

const STRAIGHT: ShapeType[] = ['point', 'segment', 'box', 'aabb', 'polygon']

function withoutSkin(body: Body2d): Body2d {
  const { shape } = body
  if (shape.type === 'compound') return { ...body, shape: { ...shape, children: shape.children.map(withoutSkin) } }
  if (shape.type !== 'box' && shape.type !== 'polygon') return body
  const { radius: _, ...straight } = shape
  return { ...body, shape: straight as Shape2d }
}

const straight = (source = GRID): Arbitrary<Body2d> => unrotatedComposite(source, STRAIGHT).map(withoutSkin)

/** A guest that has a chance to be inside: small, or made of what the holder is made of. */
function partOf(holder: Body2d, which: number): Body2d {
  const { shape } = holder
  const at = positionOf(holder)
  if (shape.type === 'compound') {
    const child = shape.children[which % shape.children.length]
    return translated(which % 3 === 0 ? child : partOf(child, which >> 1), at.x, at.y)
  }
  if (shape.type === 'region') {
    const rings = [shape.outer, ...(shape.holes ?? [])]
    const ring = rings[which % rings.length]
    return which % 2 === 0
      ? { shape: { type: 'chain', vertices: ring, loop: true }, position: at }
      : { shape: { type: 'region', outer: shape.outer }, position: at }
  }
  return holder
}

const pairs: Arbitrary<{ a: Body2d; b: Body2d }> = fc.oneof(
  fc.record({ a: straight(), b: straight() }),
  fc.record({ a: straight(), b: straight().map((body) => scaled(body, 0.25)) }),
  fc.tuple(straight(), fc.nat(63)).map(([a, which]) => ({ a, b: partOf(a, which) })),
  fc.tuple(straight(), fc.nat(63)).map(([a, which]) => ({ a: partOf(a, which), b: a })),
)

function check({ a, b }: { a: Body2d; b: Body2d }): void {
  expect(contains(prepare(a), prepare(b))).toBe(exactlyContains(a, b))
  expect(contains(prepare(b), prepare(a))).toBe(exactlyContains(b, a))
}

it('is what is left of no piece', () => {
  let held = 0
  fc.assert(
    fc.property(pairs, (pair) => {
      check(pair)
      if (exactlyContains(pair.a, pair.b)) held++
    }),
    runs(1000),
  )
  expect(held).toBeGreaterThan(runCount(300))
})

it('is told to one unit in the last place', () => {
  fc.assert(
    fc.property(pairs, fc.nat(40), fc.constantFrom(-1, 1), fc.boolean(), ({ a, b }, which, ulps, onB) => {
      check(onB ? { a, b: nudged(b, which, ulps) } : { a: nudged(a, which, ulps), b })
    }),
    runs(700),
  )
})

it('holds for full-precision doubles', () => {
  fc.assert(
    fc.property(fc.tuple(straight(UNIFORM), fc.nat(63)), ([a, which]) => check({ a, b: partOf(a, which) })),
    runs(200),
  )
})

it('takes regions and the pieces that they are the union of for one set', () => {
  const source = fc.constantFrom(GRID, UNIFORM)
  const cases = source.chain((numbers) => fc.tuple(regionCase(numbers), regionCase(numbers)))
  fc.assert(
    fc.property(cases, ([{ region, pieces }, other]) => {
      const whole = prepare({ shape: region })
      const union = prepare({ shape: { type: 'compound', children: pieces.map((shape) => ({ shape })) } })
      expect(contains(whole, union)).toBe(true)
      expect(contains(union, whole)).toBe(true)
      const third = prepare({ shape: other.region })
      expect(contains(whole, third)).toBe(contains(union, third))
      expect(contains(third, whole)).toBe(contains(third, union))
    }),
    unshrunk(800),
  )
})
