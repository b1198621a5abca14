// Points that may all lie on a line, exactly or as rounding has left them.

import type { Vec2 } from '../../schemas/vector.ts'
import { orientation } from '../core2d/points/orientation.ts'
import { hullOf } from '../pictures/marks/shape-parts.ts'

/** The ends of the line that they lie on, one point of points that are all the same; null where they have an area around. */
export function flatEnds(points: readonly Vec2[]): Vec2[] | null {
  return isFlat(points) ? hullOf(points) : null
}

function isFlat(points: readonly Vec2[]): boolean {
  const p = points[0]
  const q = points.find(({ x, y }) => x !== p.x || y !== p.y)
  return q === undefined || points.every(({ x, y }) => orientation(p.x, p.y, q.x, q.y, x, y) === 0)
}
