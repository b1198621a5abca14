/**
 * The convex hull of points.
 *
 * Method: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information Processing Letters 9
 * (1979): sort by x and y, then one chain from left to right below and one back above. Turns are exact, so the hull is that
 * of the given doubles, to the last bit.
 * Frame: that of the points.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { orientation } from './orientation.ts'

/** Scratch: the points from left to right, and the chain so far. */
let sorted = new Int32Array(64)
let chain = new Int32Array(65)

/**
 * Writes the indices of the hull's vertices to `out` (room for `count`) and returns how many they are: counter-clockwise from
 * the leftmost (the lowest of these), none repeated, none collinear; two for points on one line, one for points that are all
 * the same, none for none. Of equal points the one with the lowest index is taken. `points`: x0, y0, x1, y1, … Cost
 * O(n log n).
 */
export function convexHull(points: Float64Array, count: number, out: Int32Array): number {
  if (count === 0) return 0
  if (sorted.length < count) {
    sorted = new Int32Array(2 * count)
    chain = new Int32Array(2 * count + 1)
  }
  spend(sortingSteps(count) + 2 * count)
  const size = findHull(points, count, out)
  if (sorted.length > KEPT_ENTRIES) {
    sorted = new Int32Array(64)
    chain = new Int32Array(65)
  }
  return size
}

/** The corners of the hull of points x0, y0, x1, …, likewise, in the order of `convexHull`. Cost O(n log n). */
export function hullCorners(points: Float64Array): Float64Array {
  const indices = new Int32Array(points.length / 2)
  const size = convexHull(points, indices.length, indices)
  const corners = new Float64Array(2 * size)
  for (let k = 0; k < size; k++) {
    corners[2 * k] = points[2 * indices[k]]
    corners[2 * k + 1] = points[2 * indices[k] + 1]
  }
  return corners
}

function findHull(points: Float64Array, count: number, out: Int32Array): number {
  for (let i = 0; i < count; i++) sorted[i] = i
  sorted
    .subarray(0, count)
    .sort((i, j) => points[2 * i] - points[2 * j] || points[2 * i + 1] - points[2 * j + 1] || i - j)
  let size = 0
  for (let k = 0; k < count; k++) size = extend(points, size, 1, sorted[k])
  const lowerSize = size
  for (let k = count - 2; k >= 0; k--) size = extend(points, size, lowerSize, sorted[k])
  // The upper chain ends where the lower one began.
  if (size > 1) size--
  out.set(chain.subarray(0, size))
  return size
}

/** Puts `point` at the end of the chain, of which `least` vertices stay, after taking off those that it makes reflex. */
function extend(points: Float64Array, size: number, least: number, point: number): number {
  const px = points[2 * point]
  const py = points[2 * point + 1]
  let last = size
  while (last > 0) {
    const i = 2 * chain[last - 1]
    if (points[i] === px && points[i + 1] === py) {
      chain[last - 1] = Math.min(chain[last - 1], point)
      return last
    }
    if (last <= least) break
    const h = 2 * chain[last - 2]
    if (orientation(points[h], points[h + 1], points[i], points[i + 1], px, py) > 0) break
    last--
  }
  chain[last] = point
  return last + 1
}
