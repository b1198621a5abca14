/**
 * Where a circular path of translations leaves or meets an obstacle.
 *
 * Method: every crossing of the path's circle with the lines and circles that bound the obstacle, and of those the first that
 * is on the boundary itself.
 * Frame: as the obstacle's.
 */
import { vectorLength } from '../../numeric/vector-length.ts'
import { type CObstacle, coreDistance, distanceAlong, endHeight } from './c-obstacle.ts'

/** A circle about (cx, cy), gone along from the unit direction (dx, dy) counter-clockwise (`turn` 1) or clockwise (−1). */
export interface Arc {
  cx: number
  cy: number
  radius: number
  dx: number
  dy: number
  turn: number
}

/** Direction of the last crossing. */
let crossX = 0
let crossY = 0

/** Angle along the arc to the direction that is arccos(cosine) to the left (`side` 1) or right (−1) of (nx, ny). */
function angleTo({ dx, dy, turn }: Arc, nx: number, ny: number, cosine: number, side: number): number {
  const sine = side * Math.sqrt((1 - cosine) * (1 + cosine))
  crossX = cosine * nx - sine * ny
  crossY = cosine * ny + sine * nx
  const angle = Math.atan2(turn * (dx * crossY - dy * crossX), dx * crossX + dy * crossY)
  return angle < 0 ? angle + 2 * Math.PI : angle
}

/**
 * The first angle, `from` or more, at which the arc, which begins within the obstacle, leaves it; Infinity when it does not.
 * `share`: see `endAlongLine`.
 */
export function endAlongArc(o: CObstacle, arc: Arc, from: number, tolerance: number, share: number): number {
  const { cx, cy, radius } = arc
  const reach = o.radius - (share * tolerance) / 2
  let end = Infinity
  for (let k = 0; k < o.count; k++) {
    const nx = o.nx[k]
    const ny = o.ny[k]
    const bound = endHeight(o, k, arc.dx, arc.dy, tolerance)
    const slack = o.radius > 0 ? reach : share * (bound > 0 ? 2 * bound : bound / 2)
    const cosine = (o.height[k] + slack - (nx * cx + ny * cy)) / radius
    if (Math.abs(cosine) > 1) continue
    for (let side = -1; side <= 1; side += 2) {
      const angle = angleTo(arc, nx, ny, cosine, side)
      if (angle >= from && angle < end && (o.radius === 0 || isOnSkin(o, arc, reach, tolerance))) end = angle
    }
  }
  return o.radius > 0 ? firstCornerCrossing(o, arc, from, reach, tolerance, end) : end
}

/** Whether the last crossing is as far from the core as the skin reaches: elsewhere the whole line or circle is no boundary. */
function isOnSkin(o: CObstacle, { cx, cy, radius }: Arc, reach: number, tolerance: number): boolean {
  return Math.abs(coreDistance(o, cx + radius * crossX, cy + radius * crossY) - reach) <= 4 * tolerance
}

/** The first crossing, at `from` or more and less than `end`, with the skins of the corners; else `end`. */
function firstCornerCrossing(
  o: CObstacle,
  arc: Arc,
  from: number,
  reach: number,
  tolerance: number,
  end: number,
): number {
  const { cx, cy, radius } = arc
  let first = end
  for (let k = 0; k < Math.max(o.count, 1); k++) {
    const ox = o.x[k] - cx
    const oy = o.y[k] - cy
    const apart = vectorLength(ox, oy)
    const cosine = (apart * apart + (radius - reach) * (radius + reach)) / (2 * apart * radius)
    if (!(Math.abs(cosine) <= 1)) continue
    for (let side = -1; side <= 1; side += 2) {
      const angle = angleTo(arc, ox / apart, oy / apart, cosine, side)
      if (angle >= from && angle < first && isOnSkin(o, arc, reach, tolerance)) first = angle
    }
  }
  return first
}

/** The angle, more than `from`, at which the arc first meets the obstacle's boundary; Infinity when it does not. */
export function startAlongArc(o: CObstacle, arc: Arc, from: number, tolerance: number): number {
  const { cx, cy, radius } = arc
  let start = Infinity
  for (let k = 0; k < o.count; k++) {
    const nx = o.nx[k]
    const ny = o.ny[k]
    const cosine = (o.height[k] + o.radius - (nx * cx + ny * cy)) / radius
    if (Math.abs(cosine) > 1) continue
    for (let side = -1; side <= 1; side += 2) {
      const angle = angleTo(arc, nx, ny, cosine, side)
      if (angle <= from || angle >= start) continue
      if (distanceAlong(o, k, cx + radius * crossX, cy + radius * crossY) <= tolerance) start = angle
    }
  }
  return o.radius > 0 ? firstCornerCrossing(o, arc, from, o.radius, tolerance, start) : start
}
