/**
 * Which of many lines cuts a part so that the hulls of what lies on its two sides have the least area together.
 *
 * Method: the points of the part are sorted once; for every line, one pass builds the hulls on both sides (A. M. Andrew's
 * chains). Plain floating point: scores only choose.
 * Frame: relative to an origin, in units of a power of two near the size of the outline, so that scores do not depend on
 * where it lies or how large it is.
 */
import { spend } from '../containers/budget.ts'
import type { ConvexRing, Cut } from './approximation-cut.ts'
import { orderOfKeys } from './key-order.ts'

export interface Scale {
  originX: number
  originY: number
  unit: number
}

/** The points of a part, sorted and each once, and its rings as chains of them. */
export interface ScoredPart {
  scale: Scale
  count: number
  x: Float64Array
  y: Float64Array
  /** Of each edge of each ring, the points at its ends. */
  from: Int32Array
  to: Int32Array
}

/** Areas of the two hulls, in square units; 0 where nothing lies on that side. */
export interface Score {
  left: number
  right: number
}

export function scoredPart(rings: readonly ConvexRing[], scale: Scale): ScoredPart {
  let size = 0
  for (const ring of rings) size += ring.length / 2
  const { originX, originY, unit } = scale
  const rawX = new Float64Array(size)
  const rawY = new Float64Array(size)
  let at = 0
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      rawX[at] = (ring[i] - originX) / unit
      rawY[at++] = (ring[i + 1] - originY) / unit
    }
  }
  const order = orderOfKeys(rawX, (i, j) => rawY[i] - rawY[j] || i - j)
  const x = new Float64Array(size)
  const y = new Float64Array(size)
  const names = new Int32Array(size)
  let count = 0
  for (const i of order) {
    if (count === 0 || x[count - 1] !== rawX[i] || y[count - 1] !== rawY[i]) {
      x[count] = rawX[i]
      y[count++] = rawY[i]
    }
    names[i] = count - 1
  }
  const from = new Int32Array(size)
  const to = new Int32Array(size)
  at = 0
  for (const ring of rings) {
    const vertexCount = ring.length / 2
    for (let k = 0; k < vertexCount; k++) {
      from[at + k] = names[at + k]
      to[at + k] = names[at + (k + 1 === vertexCount ? 0 : k + 1)]
    }
    at += vertexCount
  }
  return { scale, count, x, y, from, to }
}

/** A hull that is being built from left to right: its lower and its upper chain. */
interface Chains {
  lowerX: Float64Array
  lowerY: Float64Array
  lowerSize: number
  upperX: Float64Array
  upperY: Float64Array
  upperSize: number
}

function createHull(capacity: number): Chains {
  const lowerX = new Float64Array(capacity)
  const lowerY = new Float64Array(capacity)
  const upperX = new Float64Array(capacity)
  const upperY = new Float64Array(capacity)
  return { lowerX, lowerY, lowerSize: 0, upperX, upperY, upperSize: 0 }
}

let leftHull = createHull(64)
let rightHull = createHull(64)
let heights = new Float64Array(64)
/** The ends of the stretch in which the line meets the part, from left to right. */
const endX = [0, 0]
const endY = [0, 0]
let endCount = 0

/** The area of the hull of everything. */
export function hullArea({ count, x, y }: ScoredPart): number {
  reserve(count)
  beginHulls()
  for (let i = 0; i < count; i++) put(leftHull, x[i], y[i])
  return areaOf(leftHull)
}

/** Fills `out` for one line. */
export function scoreCut(part: ScoredPart, cut: Cut, out: Score): void {
  const { count, x, y } = part
  spend(2 * count)
  reserve(count)
  setHeights(part, cut)
  findEnds(part)
  beginHulls()
  let end = 0
  for (let i = 0; i < count; i++) {
    for (; end < endCount && endX[end] <= x[i]; end++) putEnd(end)
    if (heights[i] >= 0) put(leftHull, x[i], y[i])
    if (heights[i] <= 0) put(rightHull, x[i], y[i])
  }
  for (; end < endCount; end++) putEnd(end)
  out.left = areaOf(leftHull)
  out.right = areaOf(rightHull)
}

function putEnd(end: number): void {
  put(leftHull, endX[end], endY[end])
  put(rightHull, endX[end], endY[end])
}

function setHeights({ scale, count, x, y }: ScoredPart, { axis, px, py, qx, qy }: Cut): void {
  const { originX, originY, unit } = scale
  const fromX = (px - originX) / unit
  const fromY = (py - originY) / unit
  const alongX = axis < 0 ? (qx - px) / unit : axis
  const alongY = axis < 0 ? (qy - py) / unit : 1 - axis
  for (let i = 0; i < count; i++) heights[i] = alongX * (y[i] - fromY) - alongY * (x[i] - fromX)
}

/** Of all points in which the line crosses an edge, only the outermost two can be corners of a hull. */
function findEnds({ from, to, x, y }: ScoredPart): void {
  endCount = 0
  for (let k = 0; k < from.length; k++) {
    const a = from[k]
    const b = to[k]
    if (heights[a] * heights[b] >= 0) continue
    const t = heights[a] / (heights[a] - heights[b])
    const atX = x[a] + t * (x[b] - x[a])
    const atY = y[a] + t * (y[b] - y[a])
    if (endCount === 0) {
      endCount = 2
      endX.fill(atX)
      endY.fill(atY)
    } else if (atX < endX[0] || (atX === endX[0] && atY < endY[0])) {
      endX[0] = atX
      endY[0] = atY
    } else if (atX > endX[1] || (atX === endX[1] && atY > endY[1])) {
      endX[1] = atX
      endY[1] = atY
    }
  }
}

function reserve(count: number): void {
  if (heights.length >= count + 2) return
  const capacity = 2 ** Math.ceil(Math.log2(count + 2))
  leftHull = createHull(capacity)
  rightHull = createHull(capacity)
  heights = new Float64Array(capacity)
}

function beginHulls(): void {
  leftHull.lowerSize = 0
  leftHull.upperSize = 0
  rightHull.lowerSize = 0
  rightHull.upperSize = 0
}

/** Adds a point to the right of all that were put before. */
function put(hull: Chains, px: number, py: number): void {
  const { lowerX, lowerY, upperX, upperY } = hull
  let size = hull.lowerSize
  for (; size > 1; size--) {
    const ax = lowerX[size - 2]
    const ay = lowerY[size - 2]
    if ((lowerX[size - 1] - ax) * (py - ay) > (lowerY[size - 1] - ay) * (px - ax)) break
  }
  lowerX[size] = px
  lowerY[size] = py
  hull.lowerSize = size + 1
  size = hull.upperSize
  for (; size > 1; size--) {
    const ax = upperX[size - 2]
    const ay = upperY[size - 2]
    if ((upperX[size - 1] - ax) * (py - ay) < (upperY[size - 1] - ay) * (px - ax)) break
  }
  upperX[size] = px
  upperY[size] = py
  hull.upperSize = size + 1
}

function areaOf({ lowerX, lowerY, lowerSize, upperX, upperY, upperSize }: Chains): number {
  if (lowerSize < 2) return 0
  const ox = lowerX[0]
  const oy = lowerY[0]
  let doubled = 0
  for (let i = 1; i < lowerSize; i++) {
    doubled += (lowerX[i - 1] - ox) * (lowerY[i] - oy) - (lowerY[i - 1] - oy) * (lowerX[i] - ox)
  }
  for (let i = 1; i < upperSize; i++) {
    doubled -= (upperX[i - 1] - ox) * (upperY[i] - oy) - (upperY[i - 1] - oy) * (upperX[i] - ox)
  }
  return Math.max(0, doubled / 2)
}
