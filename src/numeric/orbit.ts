/**
 * Heights over time: the greatest one of a point that turns about a pivot while the pivot travels, and the time at which a height that
 * falls ever faster comes to zero.
 *
 * Method: height(t) = speed·t + r·cos(φ + spin·t). Its local maxima lie at sin(φ + spin·t) = speed/(r·spin), cos > 0, one
 * per turn, each higher than the one before it by the travel of a turn; so only the last one within the time counts, or
 * the first if the pivot travels downwards, and the ends.
 * Frame: heights along a fixed direction, counted from the pivot at time 0.
 */

import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE } from './roundoff.ts'
import { vectorLength } from './safe-range.ts'

export interface Orbit {
  /** The point from the pivot at time 0: along the direction, and across it (to the left). */
  along: number
  across: number
  /** Of the pivot, along the direction. */
  speed: number
  /** Radians per second, counter-clockwise. */
  spin: number
  duration: number
  /** Cosine and sine of the whole turn, spin · duration. */
  cos: number
  sin: number
}

/** Greatest height over [0, duration]. */
export function highestOnOrbit({ along, across, speed, spin, duration, cos, sin }: Orbit): number {
  const end = speed * duration + (cos * along - sin * across)
  const highest = Math.max(along, end)
  const radius = Math.hypot(along, across)
  const rate = radius * Math.abs(spin)
  // The travel wins over the turning: no local maximum. (It is not a number when both are beyond all measure.)
  if (!(Math.abs(speed) < rate)) return highest
  const slope = speed / (radius * spin)
  const peak = Math.asin(slope)
  const period = (2 * Math.PI) / Math.abs(spin)
  let angle = (peak - Math.atan2(across, along)) * Math.sign(spin)
  if (angle < 0) angle += 2 * Math.PI
  if (angle < 0) angle += 2 * Math.PI
  const first = angle / Math.abs(spin)
  if (first > duration) return highest
  const turns = speed > 0 ? Math.floor((duration - first) / period) : 0
  const time = Math.min(duration, first + turns * period)
  return Math.max(highest, speed * time + radius * Math.sqrt((1 - slope) * (1 + slope)))
}

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
