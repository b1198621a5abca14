/**
 * What the exact ray predicates share: the ray as exact numbers, and how far it reaches.
 *
 * The ray is the set origin + t·d with 0 ≤ t·|d| ≤ maxDistance. Since |d| is irrational in general, a limit is compared
 * as t·√(d·d) ≤ maxDistance, by squaring (`numeric/exact-ring.ts`). The path of a moving body is the
 * segment 0 ≤ t ≤ 1 instead, its d an exact sum. Vectors of which only the direction counts are first
 * multiplied by a power of two that brings them near the coordinates' magnitude, which keeps the arithmetic short.
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
import { vectorLength } from '../../numeric/vector-length.ts'
import type { Body } from '../shape/body.ts'
import {
  type Displacement,
  displacementOf,
  exactSum,
  includeDisplacement,
  scaleDisplacement,
} from '../shape/displacement.ts'
import { includeBody } from '../shape/exact-points.ts'
import type { Ray } from './ray-line.ts'

export interface ExactRay<T> {
  ring: Ring<T>
  ox: T
  oy: T
  dx: T
  dy: T
  /** d·d. */
  square: T
  /** |d| as a double: t·length is a world length. */
  length: number
  /** World length; null when that is not what limits the ray. */
  maxDistance: T | null
  /** The ray is the segment of length |d|: the path of a moving body. */
  wholeOnly: boolean
}

/**
 * Runs `predicate` where polynomials up to `degree` in the numbers of the ray and the body are exact.
 * `more`: further numbers that the predicate will pass to the ring.
 */
export function exactRay<R>(
  ray: Ray,
  body: Body,
  more: number[],
  degree: number,
  predicate: <T>(ray: ExactRay<T>) => R,
): R {
  const range = createInputRange()
  const { ox, oy, maxDistance, motion } = ray
  includeBody(range, body)
  for (const value of [ox, oy, ...more]) includeInput(range, value)
  const limited = motion === null && maxDistance < Infinity
  if (limited) includeInput(range, maxDistance)
  // Of a plain ray only the direction counts, so its length may come near the coordinates'.
  const direction = motion === null ? scaledDirection(ray, range.largest) : displacementOf(motion)
  includeDisplacement(range, direction)
  return exactly(range, degree, (ring) => {
    const { of, add, mul } = ring
    const x = exactSum(ring, direction.x)
    const y = exactSum(ring, direction.y)
    return predicate({
      ring,
      ox: of(ox),
      oy: of(oy),
      dx: x,
      dy: y,
      square: add(mul(x, x), mul(y, y)),
      length: vectorLength(direction.x[0] ?? 0, direction.y[0] ?? 0),
      maxDistance: limited ? of(maxDistance) : null,
      wholeOnly: motion !== null,
    })
  })
}

/** The direction times the power of two that brings it near `magnitude`, where that loses no bit. */
function scaledDirection({ dx, dy }: Ray, magnitude: number): Displacement {
  const given = { x: [dx], y: [dy] }
  if (magnitude === 0) return given
  const exponent = binaryExponent(magnitude) - binaryExponent(Math.max(Math.abs(dx), Math.abs(dy)))
  return scaleDisplacement(given, exponent) ?? given
}

/**
 * Sign of the ray's parameter (along + root·√p)/d·d against its limit: 1 when that lies beyond its end; −1 when the ray has
 * none. `along` is a product with d.
 */
export function signPastEnd<T>(exact: ExactRay<T>, along: T, root: T, p: T): Sign {
  const { ring, square, maxDistance, wholeOnly } = exact
  if (wholeOnly) return signOfRootSum(ring, ring.sub(along, square), root, p)
  if (maxDistance === null) return -1
  return signOfTwoRootSum(ring, along, ring.sub(ring.integer(0), maxDistance), square, root, p)
}
