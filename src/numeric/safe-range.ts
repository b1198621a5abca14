/**
 * Lengths at any scale, and numbers times powers of two.
 *
 * A pair whose lengths are too small or too large for products of them is measured at another scale, and the lengths of the answer
 * are scaled back.
 *
 * Scaling rounds nothing, neither way, unless a result lies below the normal doubles. So an answer does not depend on whether its
 * pair was scaled. Exponents are even: roots of products of roots round alike then.
 */

import { binaryExponent } from './exact-ring.ts'
import { LARGEST_SAFE_EXTENT, LARGEST_SAFE_SQUARE, SMALLEST_SAFE_EXTENT, SMALLEST_SAFE_SQUARE } from './roundoff.ts'

/** Largest binary exponent of a scaled coordinate. */
export const LARGEST_EXPONENT = 1000

/** Whether products of lengths up to `extent` neither under- nor overflow. Hot: test it before you look for an exponent. */
export function isSafeExtent(extent: number): boolean {
  return extent >= SMALLEST_SAFE_EXTENT && extent <= LARGEST_SAFE_EXTENT
}

/** The greatest even exponent e with 2^e ≤ |value|. */
export function evenExponent(value: number): number {
  return 2 * Math.floor(binaryExponent(value) / 2)
}

/** value · 2^exponent, for any exponent that the result allows. */
export function scaleBy(value: number, exponent: number): number {
  if (Math.abs(exponent) <= LARGEST_EXPONENT) return value * 2 ** exponent
  // The number in between is normal where the result is not, so nothing is rounded twice.
  const half = Math.trunc(exponent / 2)
  return scaleBy(scaleBy(value, half), exponent - half)
}

/** limit / 2^exponent; a limit beyond all doubles stays beyond all lengths. */
export function scaleLimit(limit: number, exponent: number): number {
  return Math.min(scaleBy(limit, -exponent), Number.MAX_VALUE)
}

/** value · 2^exponent; a result below the smallest double keeps its sign. */
export function scaleSigned(value: number, exponent: number): number {
  const scaled = scaleBy(value, exponent)
  return scaled === 0 ? Math.sign(value) * Number.MIN_VALUE : scaled
}

/** Multiplies the named numbers of a record by 2^exponent. */
export function scaleNumbers<Name extends string>(
  record: Record<Name, number>,
  names: readonly Name[],
  exponent: number,
): void {
  for (const name of names) record[name] = scaleBy(record[name], exponent) as Record<Name, number>[Name]
}

/** Halfway between two numbers, also where their sum leaves the range of doubles. */
export function midway(a: number, b: number): number {
  return a / 2 + b / 2
}

/** √(x² + y²) at any scale; Math.hypot only where the squares would not do, because it is many times slower. */
export function vectorLength(x: number, y: number): number {
  const square = x * x + y * y
  return square < LARGEST_SAFE_SQUARE && square > SMALLEST_SAFE_SQUARE ? Math.sqrt(square) : Math.hypot(x, y)
}

/** √(x² + y² + z²), likewise. */
export function vectorLength3d(x: number, y: number, z: number): number {
  const square = x * x + y * y + z * z
  return square < LARGEST_SAFE_SQUARE && square > SMALLEST_SAFE_SQUARE ? Math.sqrt(square) : Math.hypot(x, y, z)
}

/** √(xy) of x, y ≥ 0, also where the product leaves the range of doubles. Lengths that are scaled by a power of two scale it exactly. */
export function rootOfProduct(x: number, y: number): number {
  const square = x * y
  return square < LARGEST_SAFE_SQUARE && square > SMALLEST_SAFE_SQUARE ? Math.sqrt(square) : Math.sqrt(x) * Math.sqrt(y)
}

/** Points near 1 in size, counted from the first of them, and the exponent of the power of two that they were multiplied by. */
interface NearPoints {
  near: Float64Array
  power: number
}

/** Of at least one point, `dimension` coordinates each, and of a length beside them that is to be near 1 likewise. */
export function nearPoints(coordinates: Float64Array, dimension: number, length: number): NearPoints {
  const fromFirst = coordinates.map((value, i) => value - coordinates[i % dimension])
  const largest = fromFirst.reduce((most, value) => Math.max(most, Math.abs(value)), length)
  const power = largest === 0 ? 0 : -binaryExponent(largest)
  return { near: fromFirst.map((value) => scaleBy(value, power)), power }
}
