/** When a falling quadratic comes to zero. */

import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE } from './roundoff.ts'
import { vectorLength } from './vector-length.ts'

/** First τ ≥ 0 at which height + rate·τ − ½·bend·τ² = 0; height ≥ 0, bend ≥ 0; Infinity when there is none. */
export function fallTime(height: number, rate: number, bend: number): number {
  const square = rate * rate + 2 * bend * height
  const root =
    square < LARGEST_SAFE_SQUARE && square > SMALLEST_SAFE_SQUARE
      ? Math.sqrt(square)
      : vectorLength(rate, Math.sqrt(2 * bend) * Math.sqrt(height))
  if (rate > 0) return bend > 0 ? (rate + root) / bend : Infinity
  const fall = root - rate
  return fall > 0 ? (2 * height) / fall : Infinity
}
