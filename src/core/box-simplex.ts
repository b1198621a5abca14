/**
 * Whether an axis-aligned box and a segment of the plane, or a triangle of space, clearly overlap or are clearly apart.
 *
 * Method: separating axes (T. Akenine-Möller, "Fast 3D triangle-box overlap testing", Journal of Graphics Tools 6 (2001)) in doubles. Coordinates
 * are taken from the middle of the box; each is off by at most `error`, and R bounds them. A height along the cross product of a side of the box
 * and an edge is then off by less than 20 R · error + 8 h · error for half sides up to h, one along the normal of the triangle by less than 200 times
 * R (R + h) · error. What is nearer to touching than that, and what is flat, is left open: 0.
 * Frame: world. Cost: some tens of nanoseconds.
 */

import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'

/** Corners of a segment or triangle, three coordinates each, and what bounds their error. */
export interface Corners {
  /** 2 for a segment of the plane, 3 for a triangle of space, 0 for anything else. */
  count: number
  places: Float64Array
  /** Greatest sum of the absolute values that a coordinate was added up from. */
  size: number
}

export function createCorners(): Corners {
  return { count: 0, places: new Float64Array(9), size: 0 }
}

/** No coordinate is off by more, relative to `size`: two sums and a middle, with room. */
const ERROR_RATIO = 16 * UNIT_ROUNDOFF
const CROSS_ERROR_COUNT = 32
const NORMAL_ERROR_COUNT = 256

const half = new Float64Array(3)
/** Corners from the middle of the box. */
const from = new Float64Array(9)

/** The box about the corners, rounded outward: least, then greatest coordinates. */
export function setBoxOfCorners({ count, places, size }: Corners, box: Float64Array): void {
  const error = ERROR_RATIO * size
  for (let k = 0; k < 3; k++) {
    let low = places[k]
    let high = low
    for (let at = k + 3; at < 3 * count; at += 3) {
      if (places[at] < low) low = places[at]
      if (places[at] > high) high = places[at]
    }
    box[k] = low - error
    box[k + 3] = high + error
  }
}

/** 1 where they are apart, −1 where they overlap by more than rounding, 0 where that is open. `box`: least, then greatest coordinates. */
export function clearSide({ count, places, size }: Corners, box: Float64Array): -1 | 0 | 1 {
  if (count === 0) return 0
  const axes = count === 2 ? 2 : 3
  let far = size
  let reach = 0
  for (let k = 0; k < axes; k++) {
    far = Math.max(far, -box[k], box[k + 3])
    const middle = box[k] / 2 + box[k + 3] / 2
    half[k] = box[k + 3] / 2 - box[k] / 2
    for (let at = k; at < 3 * count; at += 3) {
      const value = places[at] - middle
      from[at] = value
      reach = Math.max(reach, value, -value)
    }
  }
  const error = ERROR_RATIO * far
  let isOpen = false
  for (let k = 0; k < axes; k++) {
    const least = Math.min(from[k], from[k + 3], from[3 * count - 3 + k])
    const greatest = Math.max(from[k], from[k + 3], from[3 * count - 3 + k])
    const gap = Math.max(least, -greatest) - half[k]
    if (gap > error) return 1
    if (gap >= -error) isOpen = true
  }
  const most = Math.max(half[0], half[1], axes > 2 ? half[2] : 0)
  const side = count === 2 ? alongNormal(error, reach + most) : alongEdges(error, reach, most)
  if (side > 0) return 1
  return isOpen ? 0 : side
}

/** Of a segment: the line and the corners of the box on both sides of it. */
function alongNormal(error: number, size: number): -1 | 0 | 1 {
  const ex = from[3] - from[0]
  const ey = from[4] - from[1]
  const height = ex * from[1] - ey * from[0]
  const gap = Math.abs(height) - (half[0] * Math.abs(ey) + half[1] * Math.abs(ex))
  const margin = CROSS_ERROR_COUNT * error * size
  return gap > margin ? 1 : gap < -margin ? -1 : 0
}

function alongEdges(error: number, reach: number, most: number): -1 | 0 | 1 {
  const margin = CROSS_ERROR_COUNT * error * (reach + most)
  let isOpen = false
  for (let i = 0; i < 9; i += 3) {
    const j = i === 6 ? 0 : i + 3
    const o = i === 0 ? 6 : i - 3
    for (let k = 0; k < 3; k++) {
      // across side k of the box and edge i–j: both ends of the edge are at one height
      const u = k === 2 ? 0 : k + 1
      const v = k === 0 ? 2 : k - 1
      const eu = from[j + u] - from[i + u]
      const ev = from[j + v] - from[i + v]
      const p = eu * from[i + v] - ev * from[i + u]
      const q = eu * from[o + v] - ev * from[o + u]
      const gap = Math.max(Math.min(p, q), -Math.max(p, q)) - (half[v] * Math.abs(eu) + half[u] * Math.abs(ev))
      if (gap > margin) return 1
      if (gap >= -margin) isOpen = true
    }
  }
  const ax = from[3] - from[0]
  const ay = from[4] - from[1]
  const az = from[5] - from[2]
  const bx = from[6] - from[0]
  const by = from[7] - from[1]
  const bz = from[8] - from[2]
  const nx = ay * bz - az * by
  const ny = az * bx - ax * bz
  const nz = ax * by - ay * bx
  const height = nx * from[0] + ny * from[1] + nz * from[2]
  const gap = Math.abs(height) - (half[0] * Math.abs(nx) + half[1] * Math.abs(ny) + half[2] * Math.abs(nz))
  const slack = NORMAL_ERROR_COUNT * error * reach * (reach + most)
  if (gap > slack) return 1
  return isOpen || gap >= -slack ? 0 : -1
}
