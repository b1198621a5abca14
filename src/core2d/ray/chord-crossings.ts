/**
 * When a ray enters and leaves a circle, as twofold numbers: what `circleTime` of `closed-forms/closed-time.ts` finds, to the last
 * bit, for the usual ray.
 *
 * Method: `chordTime` of that file with all that is 0 for a ray left out, and both ends from one root and one set of halves; in
 * one function, since engines keep its numbers in registers, and allocate none. Whatever is not usual is left to the general way.
 * Frame: the origin of the ray as seen from the centre.
 */

import { halvesError, leadingHalf, squareError, sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT } from '../../numeric/roundoff.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import type { Velocity } from '../closed-forms/closed-time.ts'
import type { Body } from '../shape/body.ts'
import { NEWTON_ERROR_RATIO, SLOPE_ERROR_RATIO, TWOFOLD_ERROR_RATIO, UNCANCELLED_RATIO } from '../tolerances.ts'
import type { Ray } from './ray-line.ts'

/**
 * Sets `enter` and `leave` to the times, in the unit of `v`, the ray's direction; false where these are to be found in the general
 * way. Precondition: the body is a circle with a radius > 0, and the line of the ray meets it. Cost O(1), no allocation.
 */
export function usualChordTimes(ray: Ray, v: Velocity, body: Body, enter: Twofold, leave: Twofold): boolean {
  const { vertices, radius } = body
  const centerX = vertices[0]
  const centerY = vertices[1]
  const px = ray.ox - body.x
  let x = px - centerX
  const xFirst = sumError(px, -centerX, x) + sumError(ray.ox, -body.x, px)
  let xLow = xFirst - body.xLow
  if (!(Math.abs(x) > UNCANCELLED_RATIO * (Math.abs(px) + Math.abs(centerX)))) {
    const high = x + xFirst
    const rest = xFirst - (high - x) - body.xLow
    x = high + rest
    xLow = sumError(high, rest, x)
  }
  const py = ray.oy - body.y
  let y = py - centerY
  const yFirst = sumError(py, -centerY, y) + sumError(ray.oy, -body.y, py)
  let yLow = yFirst - body.yLow
  if (!(Math.abs(y) > UNCANCELLED_RATIO * (Math.abs(py) + Math.abs(centerY)))) {
    const high = y + yFirst
    const rest = yFirst - (high - y) - body.yLow
    y = high + rest
    yLow = sumError(high, rest, y)
  }
  const extent = Math.abs(x) + Math.abs(y)
  if (!(extent > SMALLEST_SAFE_EXTENT && extent < LARGEST_SAFE_EXTENT)) return false
  if (!(radius > SMALLEST_SAFE_EXTENT && radius < LARGEST_SAFE_EXTENT)) return false
  const { x: vx, y: vy } = v
  const rr = radius * radius
  const speed = vx * vx + vy * vy
  const along = -(vx * x + vy * y)
  const side = vx * y - vy * x
  const square = rr * speed - side * side
  if (!(square > 0)) return false
  const hand = along > 0 ? 1 : -1
  const sum = along + hand * Math.sqrt(square)
  const far = sum / speed
  const near = (x * x + y * y - rr) / sum
  const vxHigh = leadingHalf(vx)
  const vyHigh = leadingHalf(vy)
  const vxRest = vx - vxHigh
  const vyRest = vy - vyHigh
  const radiusHigh = leadingHalf(radius)
  const radiusError = squareError(radiusHigh, radius - radiusHigh, rr)
  for (let end = -1; end <= 1; end += 2) {
    const t = hand === end ? far : near
    // Where that is, and by how much it misses the circle.
    const tHigh = leadingHalf(t)
    const tRest = t - tHigh
    const wayX = vx * t
    const wayY = vy * t
    const wx = x + wayX
    const wy = y + wayY
    const wxLow = sumError(x, wayX, wx) + (halvesError(vxHigh, vxRest, tHigh, tRest, wayX) + xLow)
    const wyLow = sumError(y, wayY, wy) + (halvesError(vyHigh, vyRest, tHigh, tRest, wayY) + yLow)
    const xx = wx * wx
    const yy = wy * wy
    const wxHigh = leadingHalf(wx)
    const wyHigh = leadingHalf(wy)
    const squareErrors = squareError(wxHigh, wx - wxHigh, xx) + squareError(wyHigh, wy - wyHigh, yy)
    const errors = squareErrors - radiusError
    const distance = xx + yy
    const lows = 2 * (wx * wxLow + wy * wyLow)
    const excess = distance - rr + (sumError(xx, yy, distance) + (errors + lows))
    const slope = vx * wx + vy * wy
    const step = -excess / (2 * slope)
    const size = Math.abs(step)
    const second = size * (size * speed + SLOPE_ERROR_RATIO * (Math.abs(vx * wx) + Math.abs(vy * wy)))
    const lost = TWOFOLD_ERROR_RATIO * radius * (radius + extent + Math.abs(wayX) + Math.abs(wayY))
    if (!(end * slope > 0 && second + lost <= NEWTON_ERROR_RATIO * Math.abs(t * slope))) return false
    const out = end < 0 ? enter : leave
    const high = t + step
    out.high = high
    out.low = step - (high - t)
  }
  return true
}
