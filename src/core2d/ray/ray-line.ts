/**
 * A ray as a body sees it: unit direction, and the body's anchor in the frame of the ray.
 *
 * Method: the anchor's offset from the ray's origin and its cross product with the direction are summed without rounding
 * the terms (two-sum and two-product, T. J. Dekker, "A floating-point technique for extending the available precision",
 * Numerische Mathematik 18 (1971)). So the distance `side` from the anchor to the ray's line is right to a few roundoffs
 * of itself, however far away the origin is, and everything that follows is done near the body.
 * Frame: anchor = origin + along·u + side·(−uy, ux). A point of the line is named by its distance from the origin, or by
 * its distance τ from the anchor's foot on the line: distance = along + τ.
 */

import { binaryExponent } from '../../numeric/exact-ring.ts'
import { halvesError, leadingHalf, sumError } from '../../numeric/expansion.ts'
import { COMPENSATED_ERROR_RATIO, UNDERFLOW_LENGTH } from '../../numeric/roundoff.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { losslessExponent } from '../closed-forms/closed-time.ts'
import type { Body } from '../shape/body.ts'
import type { RelativeMotion } from '../shape/displacement.ts'
import { isCored } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

export interface Ray {
  ox: number
  oy: number
  /** Direction, times 2^-exponent: `setDirection` brings a very long or short one near 1. */
  dx: number
  dy: number
  exponent: number
  /** World length; Infinity when unlimited. */
  maxDistance: number
  /** Of a ray that is the path of a moving body: what direction and maxDistance are rounded from; null for other rays. */
  motion: RelativeMotion | null
}

export function createRay(): Ray {
  return { ox: 0, oy: 0, dx: 1, dy: 0, exponent: 0, maxDistance: Infinity, motion: null }
}

/** The anchor of what has no core points. */
const ORIGIN = new Float64Array(2)

/** Directions between these need no scaling: their products with coordinates up to 1e100 stay normal. */
const LARGEST_DIRECTION = 2 ** 64
const SMALLEST_DIRECTION = 1 / LARGEST_DIRECTION

/** Sets the direction to (x, y), of any length from the least to the greatest double, without rounding. */
export function setDirection(ray: Ray, x: number, y: number): void {
  const size = Math.max(Math.abs(x), Math.abs(y))
  const isNear1 = size === 0 || (size <= LARGEST_DIRECTION && size >= SMALLEST_DIRECTION)
  const exponent = isNear1 ? 0 : losslessExponent(x, y, size)
  ray.dx = scaleBy(x, -exponent)
  ray.dy = scaleBy(y, -exponent)
  ray.exponent = exponent
}

export interface RayLine {
  ox: number
  oy: number
  /** The direction as given, times a power of two when that is very large or small; and its length. */
  dx: number
  dy: number
  length: number
  /** The direction as given to the ray is (dx, dy) · 2^exponent. */
  exponent: number
  ux: number
  uy: number
  maxDistance: number
  /** The anchor in the ray's frame. */
  along: number
  side: number
  /** Foot of the anchor on the line, relative to the anchor. */
  qx: number
  qy: number
  /** Bound on the error of `side` beyond a few roundoffs of itself. */
  floor: number
  /** Bound on the rounding error of heights and sides of the body's features near the line. */
  error: number
  /** The last point given to `locate`, in the ray's frame. */
  pointAlong: number
  pointSide: number
}

export function createRayLine(): RayLine {
  return {
    ox: 0,
    oy: 0,
    dx: 1,
    dy: 0,
    length: 1,
    exponent: 0,
    ux: 1,
    uy: 0,
    maxDistance: 0,
    along: 0,
    side: 0,
    qx: 0,
    qy: 0,
    floor: 0,
    error: 0,
    pointAlong: 0,
    pointSide: 0,
  }
}

/** Fills `line` with `ray` as seen from `body`. */
export function aim(line: RayLine, ray: Ray, body: Body): void {
  let { dx, dy } = ray
  const size = Math.max(Math.abs(dx), Math.abs(dy))
  let { exponent } = ray
  if (size > LARGEST_DIRECTION || size < SMALLEST_DIRECTION) {
    const own = binaryExponent(size)
    exponent += own
    dx = scaleBy(dx, -own)
    dy = scaleBy(dy, -own)
  }
  const length = Math.sqrt(dx * dx + dy * dy)
  line.ox = ray.ox
  line.oy = ray.oy
  line.dx = dx
  line.dy = dy
  line.length = length
  line.exponent = exponent
  line.ux = dx / length
  line.uy = dy / length
  line.maxDistance = ray.maxDistance
  const { x, y, anchorX, anchorY } = body
  locate(line, body, isCored(body) ? body.vertices : ORIGIN, 0)
  const side = line.pointSide
  line.along = line.pointAlong
  line.side = side
  line.qx = side * line.uy
  line.qy = -side * line.ux
  const coordinates =
    Math.abs(x) + Math.abs(y) + Math.abs(anchorX) + Math.abs(anchorY) + Math.abs(ray.ox) + Math.abs(ray.oy)
  line.floor = COMPENSATED_ERROR_RATIO * coordinates + UNDERFLOW_LENGTH + (body.difference?.error ?? 0)
  line.error = SEPARATION_ERROR_RATIO * body.reach + line.floor
}

/**
 * Sets `pointAlong` and `pointSide` of point `i` of those given relative to the position of `body`. The sign of a side of 0 is not
 * kept. The point comes in an array so that it is not boxed.
 */
export function locate(line: RayLine, body: Body, points: Float64Array, i: number): void {
  const { dx, dy, length } = line
  const vx = points[2 * i]
  const vy = points[2 * i + 1]
  const sx = body.x + vx
  const tx = sx - line.ox
  const ex = sumError(body.x, vx, sx) + sumError(sx, -line.ox, tx) + body.xLow
  const px = tx + ex
  const sy = body.y + vy
  const ty = sy - line.oy
  const ey = sumError(body.y, vy, sy) + sumError(sy, -line.oy, ty) + body.yLow
  const py = ty + ey
  const dxHigh = leadingHalf(dx)
  const dyHigh = leadingHalf(dy)
  const pxHigh = leadingHalf(px)
  const pyHigh = leadingHalf(py)
  const left = dx * py
  const right = dy * px
  const cross = left - right
  const rest =
    sumError(left, -right, cross) +
    (halvesError(dxHigh, dx - dxHigh, pyHigh, py - pyHigh, left) -
      halvesError(dyHigh, dy - dyHigh, pxHigh, px - pxHigh, right)) +
    (dx * sumError(ty, ey, py) - dy * sumError(tx, ex, px))
  line.pointSide = (cross + rest) / length
  line.pointAlong = (dx * px + dy * py) / length
}
