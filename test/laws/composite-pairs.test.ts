// The laws of pairs for chains, regions and compounds: the queries agree, swap, scale and certify as they do for convex bodies.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../schemas/vector.ts'
import { gapAlong } from '../oracle/measured-bodies.ts'
import {
  coreOf,
  isWithin,
  leafSeparation,
  type MeasuredParts,
  measuredParts,
  partsDistance,
} from '../oracle/measured-parts.ts'
import { apart, contactAnswer, distanceAnswer, negated, overlapAnswer } from '../support/answers/answers.ts'
import { compositeLawPairs } from '../support/families/composite-arbitraries.ts'
import { pairExtent, pairTolerance } from '../support/families/extent.ts'
import { type Pair, scaledPair } from '../support/families/pair-families.ts'
import { positionOf, times, translated, turned, turnedVector } from '../support/families/transform.ts'
import { unshrunk } from '../support/runs.ts'

/** Both seen from A's position. */
function measured({ a, b }: Pair): [MeasuredParts, MeasuredParts] {
  return [measuredParts(a, positionOf(a)), measuredParts(b, positionOf(a))]
}

function toFrame({ a }: Pair, { x, y }: Vec2): Vec2 {
  return { x: x - positionOf(a).x, y: y - positionOf(a).y }
}

/** Half-planes whose normals are nearly opposite meet at the far end of a wedge. */
function hasHalfplanes({ a, b }: Pair): boolean {
  return [a, b].every((body) => measuredParts(body).leaves.some(({ kind }) => kind === 'halfplane'))
}

describe('overlap', () => {
  it('agrees with distance and contact', () => {
    fc.assert(
      fc.property(compositeLawPairs(), (pair) => {
        const { relation } = overlapAnswer(pair)
        const { distance, normal } = distanceAnswer(pair)
        const contact = contactAnswer(pair)
        expect(contact.relation + 0).toBe(relation + 0)
        expect(Math.sign(contact.separation) + 0).toBe(relation + 0)
        expect(Math.sign(distance)).toBe(Math.max(0, relation))
        expect(normal !== null).toBe(relation > 0)
        if (relation > 0) {
          expect([contact.points.length, contact.translation]).toEqual([0, { x: 0, y: 0 }])
          expect(Math.abs(contact.separation / distance - 1)).toBeLessThanOrEqual(1e-6)
        } else if (contact.separation !== Number.NEGATIVE_INFINITY && contact.exact) {
          expect(contact.points.length).toBeGreaterThan(0)
        }
      }),
      unshrunk(1500),
    )
  })

  it('hands out an axis that separates every leaf, or a common point', () => {
    fc.assert(
      fc.property(compositeLawPairs(), (pair) => {
        const tolerance = pairTolerance(pair.a, pair.b)
        const [a, b] = measured(pair)
        const { axis, point } = overlapAnswer(pair)
        if (axis !== null) {
          const { normal, gap } = axis
          expect(Math.abs(Math.hypot(normal.x, normal.y) - 1)).toBeLessThanOrEqual(1e-12)
          for (const p of a.leaves) {
            for (const q of b.leaves) {
              expect(gapAlong(p, q, normal.x, normal.y)).toBeGreaterThanOrEqual(gap - tolerance)
            }
          }
        }
        if (point !== null && !hasHalfplanes(pair)) {
          expect(partsDistance(a, toFrame(pair, point))).toBeLessThanOrEqual(tolerance)
          expect(partsDistance(b, toFrame(pair, point))).toBeLessThanOrEqual(tolerance)
        }
      }),
      unshrunk(1200),
    )
  })
})

describe('distance', () => {
  it('is the least of all leaves, between points of both bodies', () => {
    fc.assert(
      fc.property(compositeLawPairs(), (pair) => {
        const tolerance = pairTolerance(pair.a, pair.b)
        const [a, b] = measured(pair)
        const { distance, pointA, pointB, normal } = distanceAnswer(pair)
        if (distance > 0) {
          const least = Math.min(...a.leaves.flatMap((p) => b.leaves.map((q) => leafSeparation(p, q))))
          expect(Math.abs(distance - least)).toBeLessThanOrEqual(2 * tolerance)
          const within = a.regions.some((rings) => b.leaves.some((leaf) => isWithin(rings, coreOf(leaf))))
          expect(within && distance > tolerance).toBe(false)
          expect(Math.abs(Math.hypot(pointB.x - pointA.x, pointB.y - pointA.y) - distance)).toBeLessThanOrEqual(
            2 * tolerance,
          )
          const { x, y } = normal as Vec2
          const reached = { x: pointA.x + distance * x, y: pointA.y + distance * y }
          expect(apart(reached, pointB)).toBeLessThanOrEqual(2 * tolerance)
        } else {
          expect(pointA).toEqual(pointB)
        }
        if (hasHalfplanes(pair)) return
        expect(partsDistance(a, toFrame(pair, pointA))).toBeLessThanOrEqual(tolerance)
        expect(partsDistance(b, toFrame(pair, pointB))).toBeLessThanOrEqual(tolerance)
      }),
      unshrunk(1200),
    )
  })
})

describe('swapping A and B', () => {
  it('swaps the answers of overlap and distance', () => {
    fc.assert(
      fc.property(compositeLawPairs(), (pair) => {
        const tolerance = pairTolerance(pair.a, pair.b)
        const back = { a: pair.b, b: pair.a }
        const overlap = overlapAnswer(pair)
        const swapped = overlapAnswer(back)
        expect(swapped.relation + 0).toBe(overlap.relation + 0)
        expect(swapped.axis === null).toBe(overlap.axis === null)
        const distance = distanceAnswer(pair)
        const other = distanceAnswer(back)
        expect(Math.abs(other.distance - distance.distance)).toBeLessThanOrEqual(tolerance)
        expect(apart(other.pointB, distance.pointA)).toBeLessThanOrEqual(tolerance)
        expect(apart(other.pointA, distance.pointB)).toBeLessThanOrEqual(tolerance)
        if (distance.normal && other.normal) {
          expect(apart(negated(other.normal), distance.normal)).toBeLessThanOrEqual(1e-9)
        }
      }),
      unshrunk(1200),
    )
  })

  it('swaps the separation and the translation', () => {
    fc.assert(
      fc.property(compositeLawPairs(), (pair) => {
        const tolerance = pairTolerance(pair.a, pair.b)
        const answer = contactAnswer(pair, 1)
        const swapped = contactAnswer({ a: pair.b, b: pair.a }, 1)
        if (answer.separation === swapped.separation) return
        expect(Math.abs(swapped.separation - answer.separation)).toBeLessThanOrEqual(tolerance)
        expect(swapped.points.length).toBe(answer.points.length)
      }),
      unshrunk(600),
    )
  })
})

describe('scaling by 2^n', () => {
  const power = fc.integer({ min: -40, max: 40 }).map((n) => 2 ** n)

  it('scales lengths to the bit and changes no boolean', () => {
    fc.assert(
      fc.property(compositeLawPairs(), power, (pair, k) => {
        const large = scaledPair(pair, k)
        const { relation, axis, point } = overlapAnswer(pair)
        expect(overlapAnswer(large)).toEqual({
          relation,
          axis: axis && { normal: axis.normal, gap: axis.gap * k },
          point: point && times(point, k),
        })
        const { distance, pointA, pointB, normal } = distanceAnswer(pair)
        const expected = { distance: distance * k, pointA: times(pointA, k), pointB: times(pointB, k), normal }
        expect(distanceAnswer(large)).toEqual(expected)
      }),
      unshrunk(800),
    )
  })

  it('scales contacts', () => {
    fc.assert(
      fc.property(compositeLawPairs(), power, (pair, k) => {
        const { separation, translation, points } = contactAnswer(pair, 0.5)
        fc.pre(separation > -1e100)
        const large = contactAnswer(scaledPair(pair, k), 0.5 * k)
        const tolerance = pairTolerance(pair.a, pair.b)
        expect(Math.abs(large.separation / k - separation)).toBeLessThanOrEqual(tolerance)
        expect(apart(times(large.translation, 1 / k), translation)).toBeLessThanOrEqual(tolerance)
        expect(large.points.length).toBe(points.length)
      }),
      unshrunk(600),
    )
  })
})

it('turning and moving both changes no length', () => {
  const motion = fc.record({
    angle: fc.constantFrom(Math.PI / 2, Math.PI, 1e-9, 0.7, -2.1),
    dx: fc.constantFrom(0, -3, 1e3, 1e6),
    dy: fc.constantFrom(0, 0.7, -1e6),
  })
  fc.assert(
    fc.property(compositeLawPairs(), motion, ({ a, b }, { angle, dx, dy }) => {
      const [movedA, movedB] = [a, b].map((body) => translated(turned(body, angle), dx, dy))
      const before = distanceAnswer({ a, b })
      const after = distanceAnswer({ a: movedA, b: movedB })
      const tolerance = 2 * (pairTolerance(a, b) + pairTolerance(movedA, movedB))
      expect(Math.abs(before.distance - after.distance)).toBeLessThanOrEqual(tolerance)
      const contact = contactAnswer({ a, b })
      const moved = contactAnswer({ a: movedA, b: movedB })
      if (contact.separation < -1e100 || moved.separation < -1e100 || !contact.exact || !moved.exact) return
      // Lines that meet at a vertex touch; when rounding makes them cross, they are as deep as the nearest way around.
      if (Math.abs(contact.separation) <= tolerance || Math.abs(moved.separation) <= tolerance) return
      expect(Math.abs(contact.separation - moved.separation)).toBeLessThanOrEqual(tolerance)
      const { x, y } = turnedVector(contact.translation, angle)
      const length = Math.hypot(moved.translation.x, moved.translation.y)
      expect(Math.abs(length - Math.hypot(x, y))).toBeLessThanOrEqual(tolerance)
    }),
    unshrunk(600),
  )
})

it('translation applied to B leaves them touching', () => {
  fc.assert(
    fc.property(compositeLawPairs(), (pair) => {
      const { relation, separation, translation, exact } = contactAnswer(pair)
      fc.pre(relation <= 0 && separation > -1e100)
      const parted = { a: pair.a, b: translated(pair.b, translation.x, translation.y) }
      const tolerance = 1e-9 * pairExtent(parted.a, parted.b) + pairTolerance(parted.a, parted.b)
      // A bound may part them farther than need be.
      if (exact) expect(distanceAnswer(parted).distance).toBeLessThanOrEqual(tolerance)
      const rest = contactAnswer(parted)
      expect(rest.separation).toBeGreaterThanOrEqual(-tolerance)
      expect(Math.abs(Math.hypot(translation.x, translation.y) - Math.max(0, -separation))).toBeLessThanOrEqual(
        tolerance,
      )
    }),
    unshrunk(800),
  )
})
