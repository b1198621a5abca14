/**
 * What the exact ray predicates share: the ray as exact numbers, where it crosses a boundary, and how far it reaches.
 *
 * The ray is the set origin + t·d with 0 ≤ t·|d| ≤ maxDistance. A crossing is t = (p + c·√D)/w, w > 0: with planes and quadrics no other
 * roots come up, and with a skin's planes none of a higher degree. Since |d| is irrational in general, a limit is compared as
 * t·√(d·d) ≤ maxDistance, by squaring (`numeric/exact-ring.ts`). A direction is first multiplied by a power of two that brings it near
 * the coordinates' magnitude, which keeps the arithmetic short.
 * Frame: world axes; the origin counts from the body's position.
 */

import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { ANCHOR, type Body, POSITION } from '../shape/body.ts'
import { dot, type Exact, exactTriple, includeBody, minus } from '../shape/exact-points.ts'
import type { Ray } from './ray-line.ts'
import type { RaySpan, SpanEnd } from './ray-span.ts'

export interface ExactRay<T> {
  ring: Ring<T>
  /** Relative to the body's position. */
  origin: Exact<T>
  direction: Exact<T>
  /** d·d. */
  square: T
  /** |d| as a double: t·length is a world length. */
  length: number
  /** d·(anchor − origin): the anchor's foot lies at that over d·d. */
  foot: T
  /** World length; null where there is no limit. */
  maxDistance: T | null
}

/** t = (p + c·√D)/w, w > 0. */
export interface Crossing<T> {
  p: T
  c: T
  d: T
  w: T
}

/**
 * Runs `predicate` where polynomials up to `degree` in the numbers of the ray and the body are exact. `more`: further numbers that the
 * predicate will pass to the ring.
 */
export function exactRay<R>(
  ray: Ray,
  body: Body,
  more: readonly number[],
  degree: number,
  predicate: <T>(ray: ExactRay<T>) => R,
): R {
  const range = createInputRange()
  includeBody(range, body)
  const { ox, oy, oz, maxDistance } = ray
  for (const value of [ox, oy, oz, ...more]) includeInput(range, value)
  const limited = maxDistance < Infinity
  if (limited) includeInput(range, maxDistance)
  const given = scaledDirection(ray, range.largest)
  for (const value of given) includeInput(range, value)
  return exactly(range, degree, (ring) => {
    const { of } = ring
    const place = exactTriple(ring, body, POSITION)
    const origin = minus(ring, [of(ox), of(oy), of(oz)], place)
    const direction: Exact<ReturnType<typeof of>> = [of(given[0]), of(given[1]), of(given[2])]
    return predicate({
      ring,
      origin,
      direction,
      square: dot(ring, direction, direction),
      length: Math.hypot(given[0], given[1], given[2]),
      foot: dot(ring, direction, minus(ring, exactTriple(ring, body, ANCHOR), origin)),
      maxDistance: limited ? of(maxDistance) : null,
    })
  })
}

/** The direction times the power of two that brings it near `magnitude`, where that loses no bit. */
function scaledDirection({ dx, dy, dz }: Ray, magnitude: number): readonly [number, number, number] {
  if (magnitude === 0) return [dx, dy, dz]
  const size = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz))
  const exponent = binaryExponent(magnitude) - binaryExponent(size)
  const x = scaleBy(dx, exponent)
  const y = scaleBy(dy, exponent)
  const z = scaleBy(dz, exponent)
  const isLossless = scaleBy(x, -exponent) === dx && scaleBy(y, -exponent) === dy && scaleBy(z, -exponent) === dz
  return isLossless && Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < Infinity ? [x, y, z] : [dx, dy, dz]
}

/** over/under, under ≠ 0. */
export function rationalCrossing<T>({ ring }: ExactRay<T>, over: T, under: T): Crossing<T> {
  const zero = ring.integer(0)
  const turned = ring.sign(under) < 0
  return {
    p: turned ? ring.sub(zero, over) : over,
    c: zero,
    d: zero,
    w: turned ? ring.sub(zero, under) : under,
  }
}

/** Sign of a − b. */
export function compareCrossings<T>({ ring }: ExactRay<T>, a: Crossing<T>, b: Crossing<T>): Sign {
  const { sub, mul } = ring
  const rational = sub(mul(a.p, b.w), mul(b.p, a.w))
  const back = sub(ring.integer(0), mul(b.c, a.w))
  return signOfTwoRootSum(ring, rational, mul(a.c, b.w), a.d, back, b.d)
}

/** Sign of the crossing's parameter: −1 before the origin. */
export function signFromOrigin<T>({ ring }: ExactRay<T>, { p, c, d }: Crossing<T>): Sign {
  return signOfRootSum(ring, p, c, d)
}

/** Sign of the crossing's distance against the ray's limit: 1 when it lies beyond the end; −1 when the ray has none. */
export function signPastEnd<T>({ ring, square, maxDistance }: ExactRay<T>, { p, c, d, w }: Crossing<T>): Sign {
  if (maxDistance === null) return -1
  const limit = ring.sub(ring.integer(0), ring.mul(maxDistance, w))
  return signOfTwoRootSum(ring, limit, p, square, c, ring.mul(d, square))
}

/** Distance of the crossing from the anchor's foot, to nearly full precision. */
export function fromFoot<T>({ ring, square, length, foot }: ExactRay<T>, { p, c, d, w }: Crossing<T>): number {
  const { sub, mul, ratio, sign } = ring
  const rational = ratio(sub(mul(p, square), mul(foot, w)), mul(w, square))
  const root = sign(c) === 0 || sign(d) === 0 ? 0 : sign(c) * Math.sqrt(ratio(mul(mul(c, c), d), mul(w, w)))
  return length * (rational + root)
}

export function setCrossing<T>(exact: ExactRay<T>, end: SpanEnd, crossing: Crossing<T>): void {
  end.at = fromFoot(exact, crossing)
  end.low = end.at
  end.high = end.at
}

/** Records where a body that the line meets lies from the origin; false when the ray does not reach it. */
export function settleExactly<T>(exact: ExactRay<T>, span: RaySpan, enter: Crossing<T>, leave: Crossing<T>): boolean {
  if (signFromOrigin(exact, leave) < 0) return false
  span.inside = signFromOrigin(exact, enter) <= 0
  if (!span.inside && signPastEnd(exact, enter) > 0) return false
  span.exits = signPastEnd(exact, leave) <= 0
  return true
}
