/**
 * How long a moving point certainly stays within a circle about the origin.
 *
 * Method: its distance at τ is at most |p + v·τ| + ½·bend·τ², a convex function of τ: Newton's method closes in on the
 * root from above, and the chord from 0 to any point above the root ends below it.
 */
import { vectorLength } from '../../numeric/vector-length.ts'

/** Newton steps at most: they halve the way to a root that is nearly double, down to rounding. */
const NEWTON_COUNT = 64

/**
 * Longest proven τ ≤ limit; 0 when the point, at (px, py) with velocity (vx, vy) and acceleration of at most `bend`, is
 * outside `radius` already.
 */
export function pointsStayWithin(
  px: number,
  py: number,
  vx: number,
  vy: number,
  bend: number,
  radius: number,
  limit: number,
): number {
  const start = vectorLength(px, py)
  if (start >= radius) return 0
  const speed = vectorLength(vx, vy)
  let high = limit
  if (speed > 0) high = Math.min(high, (radius + start) / speed)
  if (bend > 0) high = Math.min(high, Math.sqrt(2 * radius) / Math.sqrt(bend))
  // At rest for good.
  if (!(high < Infinity)) return limit
  let far = 0
  for (let round = 0; round <= NEWTON_COUNT; round++) {
    const x = px + vx * high
    const y = py + vy * high
    const distance = vectorLength(x, y)
    far = distance + 0.5 * bend * high * high
    if (far <= radius) return high
    // The chord then reaches half of the way at least.
    if (round === NEWTON_COUNT || far - radius <= radius - start) break
    const slope = (distance > 0 ? (x * vx + y * vy) / distance : speed) + bend * high
    const next = high - (far - radius) / slope
    if (!(next > 0 && next < high)) break
    high = next
  }
  return (high * (radius - start)) / (far - start)
}
