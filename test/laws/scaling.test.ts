// Scaling every length by 2^n, n = −40 … 40, scales the lengths of the answer by 2^n and changes no boolean; for pairs to the bit.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Vec2 } from '../../schemas/vector.ts'
import type { StartInside } from '../../src/core2d/ray/ray-cast.ts'
import { contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { type RayAnswer, rayAnswer } from '../support/answers/ray-answers.ts'
import { GRID, mixedBody, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { lawPairs, scaledPair } from '../support/families/pair-families.ts'
import { scaled, scaledRay } from '../support/families/transform.ts'
import { runs } from '../support/runs.ts'

const power = fc.integer({ min: -40, max: 40 }).map((n) => 2 ** n)
const times = (v: Vec2, k: number): Vec2 => ({ x: v.x * k, y: v.y * k })

it('overlap', () => {
  fc.assert(
    fc.property(lawPairs(), power, (pair, k) => {
      const { relation, axis, point } = overlapAnswer(pair)
      const expected = {
        relation,
        axis: axis && { normal: axis.normal, gap: axis.gap * k },
        point: point && times(point, k),
      }
      expect(overlapAnswer(scaledPair(pair, k))).toEqual(expected)
    }),
    runs(3000),
  )
})

it('distance', () => {
  fc.assert(
    fc.property(lawPairs(), power, (pair, k) => {
      const { distance, pointA, pointB, normal } = distanceAnswer(pair)
      const expected = { distance: distance * k, pointA: times(pointA, k), pointB: times(pointB, k), normal }
      expect(distanceAnswer(scaledPair(pair, k))).toEqual(expected)
    }),
    runs(3000),
  )
})

it('contact', () => {
  fc.assert(
    fc.property(lawPairs(), power, (pair, k) => {
      const answer = contactAnswer(pair, 0.5)
      fc.pre(answer.separation > -1e100)
      const expected = {
        ...answer,
        separation: answer.separation * k,
        translation: times(answer.translation, k),
        points: answer.points.map((p) => ({ ...p, position: times(p.position, k), separation: p.separation * k })),
      }
      expect(contactAnswer(scaledPair(pair, k), 0.5 * k)).toEqual(expected)
    }),
    runs(3000),
  )
})

it('ray-cast, to 1e-12', () => {
  const source = fc.constantFrom(GRID, UNIFORM)
  const rays = source.chain((s) =>
    fc.record({ origin: vec2(s), direction: vec2(s), maxDistance: fc.constantFrom(3, 1e3) }),
  )
  const mode = fc.constantFrom<StartInside[]>('hit', 'ignore', 'exit')
  fc.assert(
    fc.property(rays, mixedBody(), power, mode, (ray, target, k, startInside) => {
      fc.pre(Math.hypot(ray.direction.x, ray.direction.y) > 0)
      const answer = rayAnswer(ray, target, startInside)
      const after = rayAnswer(scaledRay(ray, k), scaled(target, k), startInside)
      expect(after !== null).toBe(answer !== null)
      if (answer === null || after === null) return
      const { startedInside, exit } = answer
      expect([after.startedInside, after.exit !== null]).toEqual([startedInside, exit !== null])
      const lengths = ({ distance, fraction, point, exit }: RayAnswer): number[] => [
        ...[distance, fraction, point.x, point.y],
        ...(exit === null ? [] : [exit.distance, exit.point.x, exit.point.y]),
      ]
      const scale = 1e-12 * (10 + answer.distance + answer.fraction)
      const before = lengths(answer)
      lengths(after).forEach((length, i) => {
        expect(Math.abs(length / k - before[i])).toBeLessThanOrEqual(scale)
      })
    }),
    runs(4000),
  )
})
