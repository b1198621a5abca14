/**
 * When a ray crosses the line of an edge of a sharp polygon, as a twofold number: what `edgeTime` of `crossing-time.ts` finds,
 * to the last bit, for the usual ray.
 *
 * Method: `lineTime` of `closed-forms/closed-time.ts` with all that is 0 for a ray left out, written out in one function:
 * engines keep its numbers in registers, and allocate none. That the crossing lies well between the ends of the edge is
 * asked of doubles, more strictly than twofold numbers would be. Whatever is not usual is left to the general way.
 * Frame: the origin of the ray as seen from the start of the edge.
 */

import { halvesError, leadingHalf, sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT, SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import type { Velocity } from '../closed-forms/closed-time.ts'
import type { Body } from '../shape/body.ts'
import { CANCELLED_RATIO, FOOT_MARGIN_RATIO, UNCANCELLED_RATIO } from '../tolerances.ts'
import type { Ray } from './ray-line.ts'

/**
 * Sets `out` to the time, in the unit of `v`, the ray's direction; false where that is to be found in the general way.
 * Precondition: the body has no skin. Cost O(1), no allocation.
 */
export function usualEdgeTime(ray: Ray, v: Velocity, body: Body, edge: number, out: Twofold): boolean {
  const { vertices } = body
  const i = 2 * edge
  const j = edge + 1 === body.count ? 0 : i + 2
  const startX = vertices[i]
  const startY = vertices[i + 1]
  const endX = vertices[j]
  const endY = vertices[j + 1]
  const ex = endX - startX
  const ey = endY - startY
  const exLow = sumError(endX, -startX, ex)
  const eyLow = sumError(endY, -startY, ey)
  const { x: vx, y: vy } = v

  const px = ray.ox - body.x
  let x = px - startX
  const xFirst = sumError(px, -startX, x) + sumError(ray.ox, -body.x, px)
  let xLow = xFirst - body.xLow
  if (!(Math.abs(x) > UNCANCELLED_RATIO * (Math.abs(px) + Math.abs(startX)))) {
    const high = x + xFirst
    const rest = xFirst - (high - x) - body.xLow
    x = high + rest
    xLow = sumError(high, rest, x)
  }
  const py = ray.oy - body.y
  let y = py - startY
  const yFirst = sumError(py, -startY, y) + sumError(ray.oy, -body.y, py)
  let yLow = yFirst - body.yLow
  if (!(Math.abs(y) > UNCANCELLED_RATIO * (Math.abs(py) + Math.abs(startY)))) {
    const high = y + yFirst
    const rest = yFirst - (high - y) - body.yLow
    y = high + rest
    yLow = sumError(high, rest, y)
  }

  let slope: number
  let slopeLow: number
  let top: number
  let topLow: number
  if (ex === 0 || ey === 0) {
    // Along an axis, heights are differences.
    const isUpright = ex === 0
    const side = (isUpright ? ey : -ex) > 0 ? 1 : -1
    slope = side * (isUpright ? vx : vy)
    slopeLow = 0
    top = -side * (isUpright ? x : y)
    topLow = -side * (isUpright ? xLow : yLow)
    if (!(Math.abs(top) > SMALLEST_SAFE_SQUARE && Math.abs(slope) > SMALLEST_SAFE_EXTENT)) return false
  } else {
    const left = ey * vx
    const right = ex * vy
    slope = left - right
    const slopeSize = Math.abs(left) + Math.abs(right)
    const above = ey * x
    const below = ex * y
    const cross = above - below
    const size = Math.abs(above) + Math.abs(below)
    if (!(Math.abs(slope) >= CANCELLED_RATIO * slopeSize && slopeSize > SMALLEST_SAFE_SQUARE)) return false
    if (!(Math.abs(cross) >= CANCELLED_RATIO * size && size > SMALLEST_SAFE_SQUARE)) return false
    const exHigh = leadingHalf(ex)
    const exRest = ex - exHigh
    const eyHigh = leadingHalf(ey)
    const eyRest = ey - eyHigh
    const vxHigh = leadingHalf(vx)
    const vyHigh = leadingHalf(vy)
    const slopeErrors =
      halvesError(eyHigh, eyRest, vxHigh, vx - vxHigh, left) - halvesError(exHigh, exRest, vyHigh, vy - vyHigh, right)
    slopeLow = sumError(left, -right, slope) + (slopeErrors + (eyLow * vx - exLow * vy))
    const xHigh = leadingHalf(x)
    const yHigh = leadingHalf(y)
    const crossErrors =
      halvesError(eyHigh, eyRest, xHigh, x - xHigh, above) - halvesError(exHigh, exRest, yHigh, y - yHigh, below)
    top = -cross
    topLow = -(sumError(above, -below, cross) + (crossErrors + (ey * xLow + eyLow * x - (ex * yLow + exLow * y))))
  }

  const quotient = top / slope
  // Between these, errors of products do not underflow.
  if (!(quotient > SMALLEST_SAFE_EXTENT && quotient < LARGEST_SAFE_EXTENT)) return false
  // Well between the ends of the edge.
  const wayX = quotient * vx
  const wayY = quotient * vy
  const past = ex * (x + wayX) + ey * (y + wayY)
  const margin =
    FOOT_MARGIN_RATIO *
    (Math.abs(ex) * (Math.abs(x) + Math.abs(wayX) + Math.abs(ex)) +
      Math.abs(ey) * (Math.abs(y) + Math.abs(wayY) + Math.abs(ey)))
  if (!(past > margin && ex * ex + ey * ey - past > margin)) return false

  const product = quotient * slope
  const quotientHigh = leadingHalf(quotient)
  const slopeHigh = leadingHalf(slope)
  const rest = top - product - halvesError(quotientHigh, quotient - quotientHigh, slopeHigh, slope - slopeHigh, product)
  const low = (rest + (topLow - quotient * slopeLow)) / slope
  const high = quotient + low
  if (!(high > 0)) return false
  out.high = high
  out.low = low - (high - quotient)
  return true
}
