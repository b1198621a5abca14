/**
 * A quick look at two edges of outlines before they are measured: most of those whose boxes are near each other are farther
 * apart than the nearest ones found so far.
 *
 * Method: two segments that do not cross are nearest at an end of one of them. In doubles, with a bound on the rounding error.
 * Frame: world axes, origin at the position of the first edge's part.
 */

import { spend } from '../../containers/budget.ts'
import type { Composite } from '../shape/body.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

/** Ends of the two edges. */
let ax = 0
let ay = 0
let bx = 0
let by = 0
let px = 0
let py = 0
let qx = 0
let qy = 0

/** True only when both leaves are edges and more than `distance` apart for certain, the second one moved by (tx, ty). */
export function edgesApart(
  a: Composite,
  leafA: number,
  b: Composite,
  leafB: number,
  distance: number,
  tx: number,
  ty: number,
): boolean {
  if (distance === Infinity) return false
  const partA = a.parts[a.leafPart[leafA]]
  const partB = b.parts[b.leafPart[leafB]]
  if (partA.outline === null || partB.outline === null) return false
  spend(1)
  const dx = partB.body.x - partA.body.x + tx
  const dy = partB.body.y - partA.body.y + ty
  const lowX = partB.body.xLow - partA.body.xLow
  const lowY = partB.body.yLow - partA.body.yLow
  const edgeA = a.leafEdge[leafA]
  const edgeB = b.leafEdge[leafB]
  const endA = partA.outline.edgeEnd[edgeA]
  const endB = partB.outline.edgeEnd[edgeB]
  const fromA = partA.outline.vertices
  const fromB = partB.outline.vertices
  ax = fromA[2 * edgeA]
  ay = fromA[2 * edgeA + 1]
  bx = fromA[2 * endA]
  by = fromA[2 * endA + 1]
  px = fromB[2 * edgeB] + (dx + lowX)
  py = fromB[2 * edgeB + 1] + (dy + lowY)
  qx = fromB[2 * endB] + (dx + lowX)
  qy = fromB[2 * endB + 1] + (dy + lowY)
  const size =
    Math.abs(dx) +
    Math.abs(dy) +
    Math.abs(ax) +
    Math.abs(ay) +
    Math.abs(bx) +
    Math.abs(by) +
    Math.abs(px - dx) +
    Math.abs(py - dy) +
    Math.abs(qx - dx) +
    Math.abs(qy - dy)
  const least = distance + SEPARATION_ERROR_RATIO * size
  const square = least * least
  return (
    !cross() &&
    squareToEdge(ax, ay, px, py, qx, qy) > square &&
    squareToEdge(bx, by, px, py, qx, qy) > square &&
    squareToEdge(px, py, ax, ay, bx, by) > square &&
    squareToEdge(qx, qy, ax, ay, bx, by) > square
  )
}

/** Whether the edges cross; rounding may say no where an end of one is as good as on the other. */
function cross(): boolean {
  const ex = bx - ax
  const ey = by - ay
  const fx = qx - px
  const fy = qy - py
  const sideP = ex * (py - ay) - ey * (px - ax)
  const sideQ = ex * (qy - ay) - ey * (qx - ax)
  if (sideP > 0 === sideQ > 0) return false
  const sideA = fx * (ay - py) - fy * (ax - px)
  const sideB = fx * (by - py) - fy * (bx - px)
  return sideA > 0 !== sideB > 0
}

/** Square of the distance from (x, y) to the segment from (ux, uy) to (vx, vy). */
function squareToEdge(x: number, y: number, ux: number, uy: number, vx: number, vy: number): number {
  const ex = vx - ux
  const ey = vy - uy
  const dx = x - ux
  const dy = y - uy
  const along = dx * ex + dy * ey
  const length = ex * ex + ey * ey
  if (!(along > 0)) return dx * dx + dy * dy
  if (along >= length) return (x - vx) * (x - vx) + (y - vy) * (y - vy)
  const t = along / length
  const ox = dx - t * ex
  const oy = dy - t * ey
  return ox * ox + oy * oy
}
