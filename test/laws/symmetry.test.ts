// Swapping A and B gives the same answer with the roles swapped: booleans and counts exactly, lengths and points to rounding.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Vec2 } from '../../schemas/vector.ts'
import { gapAlong } from '../oracle/measured-bodies.ts'
import { apart, contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { ACCURACY_RATIO, pairTolerance } from '../support/families/extent.ts'
import { frameOf } from '../support/families/normalised.ts'
import { lawPairs, type Pair } from '../support/families/pair-families.ts'
import { runs } from '../support/runs.ts'

const swap = ({ a, b }: Pair): Pair => ({ a: b, b: a })

function expectNear(p: Vec2 | null, q: Vec2 | null, tolerance: number): void {
  expect(p === null).toBe(q === null)
  if (p !== null && q !== null) expect(Math.hypot(p.x - q.x, p.y - q.y)).toBeLessThanOrEqual(tolerance)
}

function expectOpposite(p: Vec2 | null, q: Vec2 | null, tolerance: number): void {
  expectNear(p, q && { x: -q.x, y: -q.y }, tolerance)
}

/** Parallel edges meet at an edge of the one and a corner of the other, and rounding says which is which. */
function sameFeatures(before: string[], after: (string | undefined)[]): boolean {
  if (after[0] === before[1] && after[1] === before[0]) return true
  const kinds = (features: (string | undefined)[]): string =>
    features
      .map((name) => name?.split(' ')[0])
      .sort()
      .join()
  return kinds(before) === 'edge,vertex' && kinds(after) === 'edge,vertex'
}

it('overlap', () => {
  fc.assert(
    fc.property(lawPairs(), (pair) => {
      const { relation, axis, point } = overlapAnswer(pair)
      const swapped = overlapAnswer(swap(pair))
      const tolerance = pairTolerance(pair.a, pair.b)
      expect(swapped.relation + 0).toBe(relation + 0)
      expectNear(point, swapped.point, tolerance)
      expectOpposite(axis?.normal ?? null, swapped.axis?.normal ?? null, ACCURACY_RATIO)
      if (axis && swapped.axis) expect(Math.abs(swapped.axis.gap - axis.gap)).toBeLessThanOrEqual(tolerance)
    }),
    runs(4000),
  )
})

it('distance', () => {
  fc.assert(
    fc.property(lawPairs(), (pair) => {
      const { distance, pointA, pointB, normal } = distanceAnswer(pair)
      const swapped = distanceAnswer(swap(pair))
      const tolerance = pairTolerance(pair.a, pair.b)
      expect(Math.abs(swapped.distance - distance)).toBeLessThanOrEqual(tolerance)
      expectNear(pointA, swapped.pointB, tolerance)
      expectNear(pointB, swapped.pointA, tolerance)
      expectOpposite(normal, swapped.normal, ACCURACY_RATIO)
    }),
    runs(4000),
  )
})

it('contact', () => {
  fc.assert(
    fc.property(lawPairs(), (pair) => {
      const answer = contactAnswer(pair, 1)
      const swapped = contactAnswer(swap(pair), 1)
      const tolerance = pairTolerance(pair.a, pair.b)
      expect(swapped.relation + 0).toBe(answer.relation + 0)
      const bothEndless = answer.separation === swapped.separation
      if (!bothEndless) expect(Math.abs(swapped.separation - answer.separation)).toBeLessThanOrEqual(tolerance)
      expect(swapped.normal === null).toBe(answer.normal === null)
      if (answer.normal === null || swapped.normal === null) return
      const { x, y } = swapped.normal
      if (Math.hypot(answer.normal.x + x, answer.normal.y + y) > ACCURACY_RATIO) {
        // Two bodies that are one and the same have no opposite answers: of equally good normals each order has its own.
        const { a, b, k } = frameOf(pair)
        expect(Math.abs(gapAlong(a, b, -x, -y) - answer.separation * k)).toBeLessThanOrEqual(2 * tolerance * k)
        return
      }
      expectOpposite(answer.translation, swapped.translation, tolerance)
      expect(swapped.points.length).toBe(answer.points.length)
      for (const { position, separation, a, b } of answer.points) {
        const match = swapped.points.find((q) => apart(q.position, position) <= tolerance)
        if (!sameFeatures([a, b], [match?.a, match?.b])) expect([match?.a, match?.b]).toEqual([b, a])
        expect(Math.abs((match?.separation as number) - separation)).toBeLessThanOrEqual(tolerance)
      }
    }),
    runs(4000),
  )
})
