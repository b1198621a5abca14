/**
 * A point that surely lies inside both bodies of a convex pair, found and proven in doubles: no exact arithmetic.
 *
 * Method: half-way between the surfaces where they are deepest in each other; the middle of what the line across the normal there has in
 * common with both bodies; the middle of either body. Each is tested against edges, skins and curves.
 * Bound: heights over edges and distances from core points are within the error of the pair's frame, and rounding the point to the world
 * moves it by two roundoffs of its coordinates. What lies inside by more than both lies inside.
 * Frame: world axes, from the anchor of the first body; the point found is in the world. Cost O(vertices).
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  CENTER_X,
  CENTER_Y,
  CIRCLE,
  COS,
  ELLIPSE,
  following,
  HALFPLANE,
  LOCAL,
  OFFSET,
  RADIUS,
  RX,
  RY,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  Y,
} from '../shape/body.ts'
import { ellipseHolds } from '../shape/ellipse.ts'
import { SMALLEST_PIERCED_EXTENT } from '../tolerances.ts'
import { certify, commonPoint, type Point } from './common-point.ts'
import { type PairFrame, toWorld } from './dispatch.ts'
import type { Separation } from './separation.ts'

/** Whether a pair is so small that a point proven at another scale may lie outside of it once it is scaled back. */
export function isTooSmallToPierce(extent: number): boolean {
  return extent < SMALLEST_PIERCED_EXTENT
}

/**
 * Sets `out` to a point of both bodies of a pair, in the dispatcher's order, that meets by the separation `s`: one inside both if it is
 * found, else one that is tested exactly. `isMinute`: the pair was too small to pierce before it was scaled.
 */
export function findSharedPoint(frame: PairFrame, s: Separation, isMinute: boolean, out: Point): void {
  if (s.relation < 0 && !isMinute && findInnerPoint(frame, s, out)) return
  const { first, second, dx, dy, error, extent } = frame
  commonPoint(first, second, dx, dy, error, s, out)
  out.x = toWorld(first.numbers[X], first.numbers[ANCHOR_X], out.x)
  out.y = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], out.y)
  certify(first, second, extent, s, out)
}

/**
 * Sets `out` to a point inside both bodies; false where none is found whose proof rounding leaves standing. The pair, in the
 * dispatcher's order and of a size whose products stay in range, overlaps by the separation `s`.
 */
export function findInnerPoint(frame: PairFrame, s: Separation, out: Point): boolean {
  const { first, second, dx, dy } = frame
  const x = (s.ax + s.bx) / 2
  const y = (s.ay + s.by) / 2
  if (first.numbers[RADIUS] + second.numbers[RADIUS] > 0 && take(frame, x, y, out)) return true
  low = -Infinity
  high = Infinity
  clip(first, x, y, -s.ny, s.nx)
  clip(second, x - dx, y - dy, -s.ny, s.nx)
  const middle = (low + high) / 2
  // Infinite where nothing clips the line, NaN where a body lies beside it.
  if (Number.isFinite(middle) && take(frame, x - middle * s.ny, y + middle * s.nx, out)) return true
  if (
    first.kind !== HALFPLANE &&
    take(frame, middleOf(first, first.numbers[CENTER_X]), middleOf(first, first.numbers[CENTER_Y]), out)
  ) {
    return true
  }
  if (second.kind === HALFPLANE) return false
  return take(
    frame,
    dx + middleOf(second, second.numbers[CENTER_X]),
    dy + middleOf(second, second.numbers[CENTER_Y]),
    out,
  )
}

/** Relative to the anchor; of a curve that is its middle. */
function middleOf({ count }: Body, center: number): number {
  return count === 0 ? 0 : center
}

function take({ first, second, dx, dy, error }: PairFrame, x: number, y: number, out: Point): boolean {
  const px = toWorld(first.numbers[X], first.numbers[ANCHOR_X], x)
  const py = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], y)
  const size = Math.abs(px) + Math.abs(py) + Math.abs(first.numbers[X]) + Math.abs(first.numbers[Y])
  const margin = error + 4 * UNIT_ROUNDOFF * size
  if (!holds(first, x, y, margin) || !holds(second, x - dx, y - dy, margin)) return false
  // + 0: no negative zeros.
  out.x = px + 0
  out.y = py + 0
  return true
}

/** Whether the point, relative to the body's anchor, lies in the body by more than `margin`, which covers rounding. */
function holds(body: Body, x: number, y: number, margin: number): boolean {
  const { kind, normals, offsets, count, numbers } = body
  const radius = numbers[RADIUS]
  if (kind === ELLIPSE) return ellipseHolds(body, x, y, margin)
  if (kind === HALFPLANE) return body.numbers[UNIT_X] * x + body.numbers[UNIT_Y] * y - body.numbers[OFFSET] < -margin
  const skin = radius - margin
  if (kind === CIRCLE) return skin > 0 && x * x + y * y < skin * skin
  let highest = count > 2 ? -Infinity : 0
  for (let i = 0; i < count && count > 2; i++) {
    const height = numbers[normals + 2 * i] * x + numbers[normals + 2 * i + 1] * y - numbers[offsets + i]
    if (height > highest) highest = height
  }
  if (highest < -margin) return true
  return skin > 0 && highest < skin && squareFromCore(body, x, y) < skin * skin
}

/** Squared distance of a point from the nearest edge of the core. */
function squareFromCore(body: Body, x: number, y: number): number {
  const { count, numbers } = body
  let least = Infinity
  for (let i = 0; i < count; i++) {
    const j = following(body, i)
    const px = x - numbers[LOCAL + 2 * i]
    const py = y - numbers[LOCAL + 2 * i + 1]
    const ex = numbers[LOCAL + 2 * j] - numbers[LOCAL + 2 * i]
    const ey = numbers[LOCAL + 2 * j + 1] - numbers[LOCAL + 2 * i + 1]
    const share = Math.min(Math.max((px * ex + py * ey) / (ex * ex + ey * ey), 0), 1)
    const restX = px - share * ex
    const restY = py - share * ey
    least = Math.min(least, restX * restX + restY * restY)
  }
  return least
}

/** What is left of the line, as multiples of its direction. */
let low = 0
let high = 0

/** Clips the line from (x, y), relative to the body's anchor, along a unit vector to the body. Corners of a skin count as sharp. */
function clip(body: Body, x: number, y: number, ux: number, uy: number): void {
  const { kind, normals, offsets, count, numbers } = body
  const radius = numbers[RADIUS]
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  if (kind === HALFPLANE)
    cut(
      body.numbers[UNIT_X] * ux + body.numbers[UNIT_Y] * uy,
      body.numbers[UNIT_X] * x + body.numbers[UNIT_Y] * y - body.numbers[OFFSET],
    )
  else if (kind === CIRCLE) chord(ux, uy, x, y, radius)
  else if (kind === ELLIPSE) {
    const scale = Math.max(rx, ry)
    const along = scale / rx
    const across = scale / ry
    chord(
      (cos * ux + sin * uy) * along,
      (cos * uy - sin * ux) * across,
      (cos * x + sin * y) * along,
      (cos * y - sin * x) * across,
      scale,
    )
  } else {
    for (let i = 0; i < count; i++) {
      const nx = numbers[normals + 2 * i]
      const ny = numbers[normals + 2 * i + 1]
      cut(nx * ux + ny * uy, nx * x + ny * y - numbers[offsets + i] - radius)
      // A segment also ends.
      if (count > 2) continue
      const j = following(body, i)
      const end = -ny * numbers[LOCAL + 2 * j] + nx * numbers[LOCAL + 2 * j + 1] + radius
      cut(-ny * ux + nx * uy, -ny * x + nx * y - end)
    }
  }
}

/** By a straight side: `rise` and `height` of the line's direction and start over it. */
function cut(rise: number, height: number): void {
  const at = -height / rise
  if (rise > 0) high = Math.min(high, at)
  else if (rise < 0) low = Math.max(low, at)
  else if (height > 0) low = Number.NaN
}

/** By a circle about the origin: of the line from (x, y) along (ux, uy). */
function chord(ux: number, uy: number, x: number, y: number, radius: number): void {
  const square = ux * ux + uy * uy
  const nearest = -(ux * x + uy * y) / square
  const side = (ux * y - uy * x) ** 2 / square
  // NaN where the line goes by.
  const half = Math.sqrt((radius * radius - side) / square)
  low = Math.max(low, nearest - half)
  high = Math.min(high, nearest + half)
}
