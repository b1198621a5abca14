/**
 * What the exact ray predicates share: the ray as exact numbers, and how far it reaches.
 *
 * The ray is the set origin + t·d with 0 ≤ t·|d| ≤ maxDistance. Since |d| is irrational in general, a limit is compared
 * as t·√(d·d) ≤ maxDistance, by squaring (`exact-ring.ts`). The path of a moving body ends at t ≤ maxFraction instead. Vectors of which only the direction counts are first
 * multiplied by a power of two that brings them near the coordinates' magnitude, which keeps the arithmetic short.
 */
import { type Body, edgeLength } from './body.ts'
import { includeBody } from './exact-points.ts'
import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from './exact-ring.ts'
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
  /** Multiple of d; null when that is not what limits the ray. */
  maxFraction: T | null
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
  const { ox, oy, maxDistance, maxFraction } = ray
  includeBody(range, body)
  for (const value of [ox, oy, ...more]) includeInput(range, value)
  const byFraction = maxFraction < Infinity
  const byDistance = !byFraction && maxDistance < Infinity
  if (byDistance) includeInput(range, maxDistance)
  let scale = directionScale(ray.dx, ray.dy, range.largest)
  if (!scalesExactly(ray.dxLow, scale) || !scalesExactly(ray.dyLow, scale)) scale = 1
  if (byFraction && !scalesExactly(maxFraction, 1 / scale)) scale = 1
  const dx = ray.dx * scale
  const dy = ray.dy * scale
  const dxLow = ray.dxLow * scale
  const dyLow = ray.dyLow * scale
  const fraction = maxFraction / scale
  for (const value of [dx, dy, dxLow, dyLow]) includeInput(range, value)
  if (byFraction) includeInput(range, fraction)
  return exactly(range, degree, (ring) => {
    const { of, add, mul } = ring
    const x = dxLow === 0 ? of(dx) : add(of(dx), of(dxLow))
    const y = dyLow === 0 ? of(dy) : add(of(dy), of(dyLow))
    return predicate({
      ring,
      ox: of(ox),
      oy: of(oy),
      dx: x,
      dy: y,
      square: add(mul(x, x), mul(y, y)),
      length: edgeLength(dx, dy),
      maxDistance: byDistance ? of(maxDistance) : null,
      maxFraction: byFraction ? of(fraction) : null,
    })
  })
}

/** Power of two by which (x, y) comes near `magnitude` without losing a bit; 1 where there is none. */
export function directionScale(x: number, y: number, magnitude: number): number {
  if (magnitude === 0) return 1
  const scale = 2 ** (binaryExponent(magnitude) - binaryExponent(Math.max(Math.abs(x), Math.abs(y))))
  return scalesExactly(x, scale) && scalesExactly(y, scale) ? scale : 1
}

function scalesExactly(value: number, scale: number): boolean {
  return Number.isFinite(scale) && (value * scale) / scale === value
}

/**
 * Sign of the ray's parameter (along + root·√p)/d·d against its limit: 1 when that lies beyond its end; −1 when the ray has
 * none. `along` is a product with d.
 */
export function signPastEnd<T>(exact: ExactRay<T>, along: T, root: T, p: T): Sign {
  const { ring, square, maxDistance, maxFraction } = exact
  if (maxFraction !== null) return signOfRootSum(ring, ring.sub(along, ring.mul(maxFraction, square)), root, p)
  if (maxDistance === null) return -1
  return signOfTwoRootSum(ring, along, ring.sub(ring.integer(0), maxDistance), square, root, p)
}
