/**
 * How an axis-aligned box stands to a segment of the plane or a triangle of space, where that is clear.
 *
 * Method: separating axes (T. Akenine-Möller, "Fast 3D triangle-box overlap testing", Journal of Graphics Tools 6 (2001)) in doubles. Along the
 * sides of the box, corners that are doubles are compared exactly. Otherwise coordinates are taken from the middle of the box; each is off by at most `error`, and
 * R bounds them. A height along the cross product of a side of the box and an edge is then off by less than 20 R · error + 8 h · error for half
 * sides up to h, one along the normal of the triangle by less than 200 R (R + h) · error. What is nearer to touching than that stays open.
 * Frame: world. Cost: some tens of nanoseconds.
 */

import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'

/** Corners of a segment or triangle, three coordinates each, and what bounds their error. */
export interface Corners {
  /** 2 for a segment of the plane, 3 for a triangle of space, 0 for anything else. */
  count: number
  places: Float64Array
  /** Whether no coordinate was rounded. */
  areExact: boolean
  /** Greatest sum of the absolute values that a coordinate was added up from. */
  size: number
}

export function createCorners(): Corners {
  return { count: 0, places: new Float64Array(9), areExact: true, size: 0 }
}

export const APART = 1
export const TOUCHING = 0
export const OVERLAPPING = -1
/** Nearer to touching than doubles tell, or nothing that is looked at here. */
export const OPEN = 2
type ClearRelation = typeof APART | typeof TOUCHING | typeof OVERLAPPING | typeof OPEN

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

/** How the two stand to each other. `box`: least, then greatest coordinates. */
export function clearRelation(corners: Corners, box: Float64Array): ClearRelation {
  const { count, places, areExact, size } = corners
  if (count === 0) return OPEN
  const axes = count === 2 ? 2 : 3
  let far = size
  for (let k = 0; k < axes; k++) far = Math.max(far, -box[k], box[k + 3])
  const error = ERROR_RATIO * far
  let relation: ClearRelation = OVERLAPPING
  let reach = 0
  for (let k = 0; k < axes; k++) {
    const first = places[k]
    const second = places[k + 3]
    const third = places[3 * count - 3 + k]
    const gap = Math.max(Math.min(first, second, third) - box[k + 3], box[k] - Math.max(first, second, third))
    // The sign of a difference of doubles is exact.
    if (gap > (areExact ? 0 : error)) return APART
    if (areExact ? gap === 0 : gap >= -error) relation = areExact ? TOUCHING : OPEN
    const middle = box[k] / 2 + box[k + 3] / 2
    half[k] = box[k + 3] / 2 - box[k] / 2
    for (let at = k; at < 3 * count; at += 3) {
      from[at] = places[at] - middle
      reach = Math.max(reach, from[at], -from[at])
    }
  }
  const most = Math.max(half[0], half[1], axes > 2 ? half[2] : 0)
  const across = count === 2 ? alongNormal(corners, error, reach + most) : alongEdges(corners, error, reach, most)
  return across === OVERLAPPING ? relation : across
}

/** Whether the coordinate of two corners is the same, so that an axis across it is a side of the box, which is looked at already. */
function isLevel({ places, areExact }: Corners, i: number, j: number): boolean {
  return areExact && places[i] === places[j]
}

/** Of a segment: the line and the corners of the box on both sides of it. */
function alongNormal(corners: Corners, error: number, size: number): ClearRelation {
  if (isLevel(corners, 0, 3) || isLevel(corners, 1, 4)) return OVERLAPPING
  const ex = from[3] - from[0]
  const ey = from[4] - from[1]
  const height = ex * from[1] - ey * from[0]
  const gap = Math.abs(height) - (half[0] * Math.abs(ey) + half[1] * Math.abs(ex))
  const margin = CROSS_ERROR_COUNT * error * size
  return gap > margin ? APART : gap < -margin ? OVERLAPPING : OPEN
}

function alongEdges(corners: Corners, error: number, reach: number, most: number): ClearRelation {
  const margin = CROSS_ERROR_COUNT * error * (reach + most)
  let relation: ClearRelation = OVERLAPPING
  let isUpright = false
  for (let k = 0; k < 3; k++) {
    const u = k === 2 ? 0 : k + 1
    const v = k === 0 ? 2 : k - 1
    if (isLevel(corners, k, k + 3) && isLevel(corners, k, k + 6)) isUpright = true
    for (let i = 0; i < 9; i += 3) {
      // across side k of the box and edge i–j: both ends of the edge are at one height
      const j = i === 6 ? 0 : i + 3
      const o = i === 0 ? 6 : i - 3
      if (isLevel(corners, i + u, j + u) || isLevel(corners, i + v, j + v)) continue
      const eu = from[j + u] - from[i + u]
      const ev = from[j + v] - from[i + v]
      const p = eu * from[i + v] - ev * from[i + u]
      const q = eu * from[o + v] - ev * from[o + u]
      const gap = Math.max(Math.min(p, q), -Math.max(p, q)) - (half[v] * Math.abs(eu) + half[u] * Math.abs(ev))
      if (gap > margin) return APART
      if (gap >= -margin) relation = OPEN
    }
  }
  // The normal is a side of the box.
  if (isUpright) return relation
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
  if (gap > slack) return APART
  return gap < -slack ? relation : OPEN
}
