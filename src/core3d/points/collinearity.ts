/**
 * Whether three points lie on a line, and how the plane through them lies, decided exactly for any finite doubles.
 *
 * Method: the three shadows of the points along the axes, each a turn in two dimensions (`core2d/points/orientation.ts`), which are
 * the signs of the coordinates of the plane's normal.
 */

import { orientation } from '../../core2d/points/orientation.ts'
import type { Sign } from '../../numeric/exact-ring.ts'

/** The sign of the coordinate `axis` of (b − a) × (c − a), for points of a list x0, y0, z0, x1, … */
export function normalSignAt(points: Float64Array, a: number, b: number, c: number, axis: number): Sign {
  const u = axis === 2 ? 0 : axis + 1
  const v = axis === 0 ? 2 : axis - 1
  return orientation(
    points[3 * a + u],
    points[3 * a + v],
    points[3 * b + u],
    points[3 * b + v],
    points[3 * c + u],
    points[3 * c + v],
  )
}

/** Whether the points lie on one line, or are two, or one. */
export function areCollinearAt(points: Float64Array, a: number, b: number, c: number): boolean {
  return (
    normalSignAt(points, a, b, c, 0) === 0 &&
    normalSignAt(points, a, b, c, 1) === 0 &&
    normalSignAt(points, a, b, c, 2) === 0
  )
}
