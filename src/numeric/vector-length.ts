/** The length of a vector, whatever its size. */

import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE } from './roundoff.ts'

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
