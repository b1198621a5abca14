/**
 * What the exact ray predicates share: the ray as exact numbers, and how far it reaches.
 *
 * The ray is the set origin + t·d with 0 ≤ t·|d| ≤ maxDistance. Since |d| is irrational in general, a limit is compared
 * as t·√(d·d) ≤ maxDistance, by squaring (`exact-ring.ts`). Vectors of which only the direction counts are first
 * multiplied by a power of two that brings them near the coordinates' magnitude, which keeps the arithmetic short.
 */
import { type Body, edgeLength } from './body.ts'
import { binaryExponent, createInputRange, exactly, includeInput, type Ring } from './exact-ring.ts'
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
  /** World length; null when unlimited. */
  maxDistance: T | null
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
  const { ox, oy, maxDistance } = ray
  const limited = maxDistance < Infinity
  for (const value of [body.x, body.y, body.radius, ox, oy, ...more]) includeInput(range, value)
  if (limited) includeInput(range, maxDistance)
  for (let i = 0; i < 2 * body.count; i++) includeInput(range, body.vertices[i])
  const scale = directionScale(ray.dx, ray.dy, range.largest)
  const dx = ray.dx * scale
  const dy = ray.dy * scale
  includeInput(range, dx)
  includeInput(range, dy)
  return exactly(range, degree, (ring) => {
    const { of, add, mul } = ring
    const x = of(dx)
    const y = of(dy)
    return predicate({
      ring,
      ox: of(ox),
      oy: of(oy),
      dx: x,
      dy: y,
      square: add(mul(x, x), mul(y, y)),
      length: edgeLength(dx, dy),
      maxDistance: limited ? of(maxDistance) : null,
    })
  })
}

/** Power of two by which (x, y) comes near `magnitude` without losing a bit; 1 where there is none. */
export function directionScale(x: number, y: number, magnitude: number): number {
  if (magnitude === 0) return 1
  const scale = 2 ** (binaryExponent(magnitude) - binaryExponent(Math.max(Math.abs(x), Math.abs(y))))
  return Number.isFinite(scale) && (x * scale) / scale === x && (y * scale) / scale === y ? scale : 1
}
