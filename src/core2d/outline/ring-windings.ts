/**
 * Which way the rings of a region run, for rings that are known to bound one.
 *
 * Method: the sign of the area by the shoelace formula, relative to a vertex of the ring, where that is beyond rounding.
 */

import { spend } from '../../containers/budget.ts'
import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import type { Outline } from './outline.ts'

let windings = new Int8Array(8)

/**
 * The winding of each ring, as `checkRings` gives it, to be read before the next call; null where rounding leaves one open.
 * `ringOf`: the ring of each edge; a ring without edges has no area. Cost O(n).
 */
export function knownWindings(
  { vertices, edgeCount, edgeEnd }: Outline,
  ringOf: Int32Array,
  ringCount: number,
): Int8Array | null {
  spend(edgeCount)
  if (windings.length < ringCount) windings = new Int8Array(2 * ringCount)
  windings.fill(0, 0, ringCount)
  for (let first = 0; first < edgeCount; ) {
    const ring = ringOf[first]
    const originX = vertices[2 * first]
    const originY = vertices[2 * first + 1]
    let area = 0
    let size = 0
    let edge = first
    for (; edge < edgeCount && ringOf[edge] === ring; edge++) {
      const i = 2 * edge
      const j = 2 * edgeEnd[edge]
      const left = (vertices[i] - originX) * (vertices[j + 1] - originY)
      const right = (vertices[i + 1] - originY) * (vertices[j] - originX)
      area += left - right
      size += Math.abs(left) + Math.abs(right)
    }
    // Two roundings of each factor, one of each product and difference, and those of the sum.
    const error = (edge - first + 8) * 2 * UNIT_ROUNDOFF * size
    if (!(size < LARGEST_SAFE_SQUARE && Math.abs(area) > Math.max(error, SMALLEST_SAFE_SQUARE))) return null
    windings[ring] = area > 0 ? 1 : -1
    first = edge
  }
  return windings
}
