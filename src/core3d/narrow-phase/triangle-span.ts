/**
 * Between which places on its way a triangle may meet another: bounds that are quick to tell.
 *
 * Method: as seen along any axis the two meet in one stretch of the way, and they meet only where they do so along all. The axes are
 * those that separate triangles: both normals, and the cross products of their edges (S. Gottschalk, "Separating axis theorem", UNC TR96-024,
 * 1996). Any axis gives bounds, so it does not matter how it is rounded itself.
 * Frame: that of the pair; places are lengths along a unit vector, from 0 on.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Body, POINTS, RADIUS, type Vector } from '../shape/body.ts'
import type { PairFrame } from './pair-frame.ts'

/** They meet nowhere before the one and after the other. */
export interface WayBounds {
  enter: number
  leave: number
}

/** Error of a speed along an axis, relative to the axis: three products, with the roundings of the way and of their sum. */
const SPEED_ERROR = 8 * UNIT_ROUNDOFF

export function isTriangle({ kind, count, numbers }: Body): boolean {
  return kind === POINTS && count === 3 && numbers[RADIUS] === 0
}

const edgesA = new Float64Array(9)
const edgesB = new Float64Array(9)

/** Narrows the bounds for two triangles, of which the second goes along the way, or against it where `side` is −1; false where they meet nowhere. */
export function narrowSpan(frame: PairFrame, side: 1 | -1, way: Vector, out: WayBounds): boolean {
  setEdges(frame.first, edgesA)
  setEdges(frame.second, edgesB)
  if (!narrowAcross(frame, side, way, edgesA, 0, edgesA, 3, out)) return false
  if (!narrowAcross(frame, side, way, edgesB, 0, edgesB, 3, out)) return false
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 9; j += 3) if (!narrowAcross(frame, side, way, edgesA, i, edgesB, j, out)) return false
  }
  return true
}

function setEdges({ numbers, local }: Body, edges: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    edges[k] = numbers[local + 3 + k] - numbers[local + k]
    edges[3 + k] = numbers[local + 6 + k] - numbers[local + 3 + k]
    edges[6 + k] = numbers[local + k] - numbers[local + 6 + k]
  }
}

/** Narrows the bounds by the axis across two edges. */
function narrowAcross(
  frame: PairFrame,
  side: 1 | -1,
  way: Vector,
  p: Float64Array,
  i: number,
  q: Float64Array,
  j: number,
  out: WayBounds,
): boolean {
  const { first, second, dx, dy, dz, error } = frame
  const x = p[i + 1] * q[j + 2] - p[i + 2] * q[j + 1]
  const y = p[i + 2] * q[j] - p[i] * q[j + 2]
  const z = p[i] * q[j + 1] - p[i + 1] * q[j]
  const length = Math.sqrt(x * x + y * y + z * z)
  setHeights(first, x, y, z)
  const { low, high } = heights
  setHeights(second, x, y, z)
  const rise = x * dx + y * dy + z * dz
  const margin = error * length
  const speed = side * (x * way[0] + y * way[1] + z * way[2])
  const upper = Math.abs(speed) + SPEED_ERROR * length
  const lower = Math.abs(speed) - SPEED_ERROR * length
  // What the second has to rise by to touch the first from below, and from above.
  const below = low - heights.high - rise - margin
  const above = high - heights.low - rise + margin
  const near = speed > 0 ? below : -above
  const far = speed > 0 ? above : -below
  if (near > 0) out.enter = Math.max(out.enter, near / upper)
  if (lower > 0) out.leave = Math.min(out.leave, far / lower)
  else if (far < 0) out.enter = Math.max(out.enter, -far / upper)
  return out.enter <= out.leave
}

const heights = { low: 0, high: 0 }

/** Of the corners of a triangle, from its first. */
function setHeights({ numbers, local }: Body, x: number, y: number, z: number): void {
  const q = x * numbers[local + 3] + y * numbers[local + 4] + z * numbers[local + 5]
  const r = x * numbers[local + 6] + y * numbers[local + 7] + z * numbers[local + 8]
  heights.low = Math.min(0, q, r)
  heights.high = Math.max(0, q, r)
}
