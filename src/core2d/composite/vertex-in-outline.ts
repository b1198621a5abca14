/**
 * Whether a core point of a body lies inside an outline that stands elsewhere, on it, or outside, decided exactly.
 *
 * Method: that of `outline/point-in-outline.ts`, with the point's coordinates as sums.
 */

import type { Sign } from '../../numeric/exact-ring.ts'
import { type Expansion, expansionOf, expansionSum } from '../../numeric/expansion.ts'
import type { Outline } from '../outline/outline.ts'
import { pointInOutline, sumInOutline } from '../outline/point-in-outline.ts'
import type { Body } from '../shape/body.ts'
import { isCurved } from '../shape/kinds.ts'

/**
 * As `pointInOutline`, for core point `vertex` of `other` (of a curve its centre), of which position + vertex counts as an exact
 * number, against an outline at the position of `pose`.
 */
export function vertexInOutline(outline: Outline, pose: Body, other: Body, vertex: number): Sign {
  const centred = isCurved(other)
  const vx = centred ? 0 : other.vertices[2 * vertex]
  const vy = centred ? 0 : other.vertices[2 * vertex + 1]
  if (pose.x === other.x && pose.y === other.y && pose.xLow === other.xLow && pose.yLow === other.yLow) {
    return pointInOutline(outline, vx, vy)
  }
  const x = relative(pose.x, pose.xLow, other.x, other.xLow, vx)
  const y = relative(pose.y, pose.yLow, other.y, other.yLow, vy)
  return sumInOutline(outline, x, y)
}

/** vertex + position − origin, exactly. */
function relative(origin: number, originLow: number, position: number, positionLow: number, vertex: number): Expansion {
  const shift = expansionSum(expansionOf(position), expansionOf(-origin))
  const sum = expansionSum(shift, expansionOf(vertex))
  if (positionLow === originLow) return sum
  return expansionSum(sum, expansionSum(expansionOf(positionLow), expansionOf(-originLow)))
}
