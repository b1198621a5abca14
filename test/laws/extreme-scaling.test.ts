// Scaling every length by a power of two, and every time by another, scales the answer by them to the bit: to where squares
// of lengths are no doubles any more, for convex and composite pairs, at rest and on their way. On their way by powers of four:
// by others, products of roots round differently.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { type ImpactAnswer, impactAnswer, type MovingPair, scaledMotion } from '../support/answers/impact-answers.ts'
import { mixedBody, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { compositeLawPairs, mixedComposite } from '../support/families/composite-arbitraries.ts'
import { lawPairs, type Pair, scaledPair } from '../support/families/pair-families.ts'
import { times } from '../support/families/transform.ts'
import { unshrunk } from '../support/runs.ts'

/** Exponents of lengths, near both ends of what requests may hold. */
const lengthPower = fc
  .oneof(fc.integer({ min: -900, max: -200 }), fc.integer({ min: 200, max: 280 }))
  .map((n) => 2 ** n)
const fourPower = lengthPower.map((k) => 4 ** Math.floor(Math.log2(k) / 2))
const timePower = fc.oneof(fc.constant(0), fc.integer({ min: -150, max: 150 })).map((n) => 4 ** n)

const pairs: Record<string, Arbitrary<Pair>> = { convex: lawPairs(), composite: compositeLawPairs() }

const ORDINARY = 2 ** 45

/** Whether every number, scaled and squared error terms of it included, keeps all its digits. */
function isOrdinary(value: unknown): boolean {
  if (typeof value === 'number') return value === 0 || (Math.abs(value) < ORDINARY && Math.abs(value) > 1 / ORDINARY)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isOrdinary)
}

describe.each(Object.entries(pairs))('%s pairs', (_, family) => {
  const given = family.filter(isOrdinary)

  it('overlap', () => {
    fc.assert(
      fc.property(given, lengthPower, (pair, k) => {
        const { relation, axis, point } = overlapAnswer(pair)
        const scaledAxis = axis && { normal: axis.normal, gap: axis.gap * k }
        const expected = { relation, axis: scaledAxis, point: point && times(point, k) }
        expect(overlapAnswer(scaledPair(pair, k))).toEqual(expected)
      }),
      unshrunk(300),
    )
  })

  it('distance', () => {
    fc.assert(
      fc.property(given, lengthPower, (pair, k) => {
        const { distance, pointA, pointB, normal } = distanceAnswer(pair)
        const expected = { distance: distance * k, pointA: times(pointA, k), pointB: times(pointB, k), normal }
        expect(distanceAnswer(scaledPair(pair, k))).toEqual(expected)
      }),
      unshrunk(300),
    )
  })

  it('contact', () => {
    fc.assert(
      fc.property(given, lengthPower, (pair, k) => {
        const answer = contactAnswer(pair, 0.5)
        const expected = {
          ...answer,
          separation: answer.separation > -1e100 ? answer.separation * k : answer.separation,
          translation: times(answer.translation, k),
          points: answer.points.map((p) => ({ ...p, position: times(p.position, k), separation: p.separation * k })),
        }
        expect(contactAnswer(scaledPair(pair, k), 0.5 * k)).toEqual(expected)
      }),
      unshrunk(300),
    )
  })
})

function movingOf(body: Arbitrary<Body2d>): Arbitrary<MovingBody2d> {
  const spin = fc.oneof(fc.constant(0), fc.double({ min: -4, max: 4, noNaN: true }))
  return fc
    .tuple(body, vec2(UNIFORM), spin)
    .map(([still, velocity, angularVelocity]) => ({ ...still, velocity, angularVelocity }))
}

function inTime(body: MovingBody2d, t: number): MovingBody2d {
  const { velocity = { x: 0, y: 0 }, angularVelocity = 0 } = body
  return { ...body, velocity: times(velocity, 1 / t), angularVelocity: angularVelocity / t }
}

function scaledAnswer(answer: ImpactAnswer | null, k: number, t: number): ImpactAnswer | null {
  if (answer === null) return null
  const { time, exitTime, pointA, pointB } = answer
  const place = (p: Vec2): Vec2 => times(p, k)
  const exit = exitTime === null ? null : exitTime * t
  return { ...answer, time: time * t, exitTime: exit, pointA: place(pointA), pointB: place(pointB) }
}

describe.each([
  ['convex', mixedBody()],
  ['composite', mixedComposite()],
] as [string, Arbitrary<Body2d>][])('%s pairs on their way', (_, bodies) => {
  it.each([false, true])('time of impact, ignoreSeparating %s', (ignoreSeparating) => {
    const moving: Arbitrary<MovingPair> = fc
      .record({ a: movingOf(bodies), b: movingOf(fc.oneof(mixedBody(), bodies)), duration: fc.constantFrom(0, 1, 8) })
      .filter(isOrdinary)
    fc.assert(
      fc.property(moving, fourPower, timePower, ({ a, b, duration }, k, t) => {
        // Speeds, too, keep all their digits.
        fc.pre(k / t > 2 ** -950 && k / t < 2 ** 280)
        const answer = impactAnswer({ a, b, duration }, ignoreSeparating)
        const change = (body: MovingBody2d): MovingBody2d => inTime(scaledMotion(body, k), t)
        const scaled = { a: change(a), b: change(b), duration: duration * t }
        expect(impactAnswer(scaled, ignoreSeparating)).toEqual(scaledAnswer(answer, k, t))
      }),
      unshrunk(250),
    )
  })
})
