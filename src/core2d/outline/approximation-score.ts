/**
 * Which of many lines cuts a part so that the hulls of what lies on its two sides have the least area together.
 *
 * Method: only corners of the hulls of what a line leaves whole can be corners of the hull of a side, the few points near the line,
 * and the outermost two points in which the line meets the part. They are marked in the part's order of its points, from left to
 * right, and hulls are built from the marks (A. M. Andrew's chains). Plain floating point: scores only choose.
 * Frame: scaled, so that scores do not depend on where the outline lies or how large it is.
 */

import { spend } from '../../containers/budget.ts'
import {
  type ConvexRing,
  type Cut,
  dropRing,
  type PartPoints,
  type PointNode,
  type PointStore,
  pointsOn,
  type RingPool,
  ringArea,
  sideOfCut,
} from './approximation-cut.ts'
import { type CutRings, createCutRings, cutTree, type RingNode } from './approximation-tree.ts'

/** Areas of the two hulls, in square units; 0 where nothing lies on that side. */
export interface Score {
  left: number
  right: number
}

/** Scores the lines of one part after the other. */
export interface Scorer {
  pool: RingPool
  store: PointStore
  part: CutPart | null
  /** Different places of the part's points, from left to right, upwards at one x; which of them each point is at. */
  count: number
  x: Float64Array
  y: Float64Array
  place: Int32Array
  /** Places on either side, a bit each. */
  left: Uint32Array
  right: Uint32Array
  /** Chains of the hull in hand. */
  lower: Int32Array
  upper: Int32Array
  /** The ends of the stretch in which the line meets the part, from left to right: the last two places. */
  endCount: number
  /** How far along the line, in its own length. */
  endTimes: Float64Array
  /** The line in hand: a point of it, and where it leads. */
  fromX: number
  fromY: number
  alongX: number
  alongY: number
  /** Points looked at so far. */
  work: number
}

export function createScorer(pool: RingPool, store: PointStore): Scorer {
  const words = new Uint32Array(0)
  const ints = new Int32Array(0)
  const reals = new Float64Array(0)
  return {
    pool,
    store,
    part: null,
    count: 0,
    x: reals,
    y: reals,
    place: ints,
    left: words,
    right: words,
    lower: ints,
    upper: ints,
    endCount: 0,
    endTimes: new Float64Array(2),
    fromX: 0,
    fromY: 0,
    alongX: 0,
    alongY: 0,
    work: 0,
  }
}

/** Takes up a part. */
export function beginPart(scorer: Scorer, part: CutPart): void {
  const { store } = scorer
  const { scaledX, scaledY } = store
  const { order } = part.points
  spend(order.length)
  if (scorer.place.length < store.count) scorer.place = new Int32Array(store.x.length)
  if (scorer.x.length < order.length + 2) {
    scorer.x = new Float64Array(order.length + 2)
    scorer.y = new Float64Array(order.length + 2)
    scorer.lower = new Int32Array(order.length + 2)
    scorer.upper = new Int32Array(order.length + 2)
  }
  const { x, y, place } = scorer
  let count = 0
  for (let k = 0; k < order.length; k++) {
    const p = order[k]
    if (count === 0 || x[count - 1] !== scaledX[p] || y[count - 1] !== scaledY[p]) {
      x[count] = scaledX[p]
      y[count++] = scaledY[p]
    }
    place[p] = count - 1
  }
  const words = (count >> 5) + 1
  scorer.left = new Uint32Array(words)
  scorer.right = new Uint32Array(words)
  scorer.part = part
  scorer.count = count
}

/** The area of the hull of everything. */
export function hullArea(scorer: Scorer): number {
  scorer.endCount = 0
  markHull(scorer, (scorer.part as CutPart).points.root, scorer.left)
  return areaOf(scorer, scorer.left)
}

/**
 * Fills `out` for one line. One that leaves more than `most` together is given up as soon as that is known: then `out` has lower
 * bounds.
 */
export function scoreCut(scorer: Scorer, { axis, px, py, qx, qy }: Cut, most: number, out: Score): void {
  const { originX, originY, unit } = scorer.pool.scale
  const { points, root } = scorer.part as CutPart
  scorer.fromX = (px - originX) / unit
  scorer.fromY = (py - originY) / unit
  scorer.alongX = axis < 0 ? (qx - px) / unit : axis
  scorer.alongY = axis < 0 ? (qy - py) / unit : 1 - axis
  scorer.endCount = 0
  const before = scorer.work
  scorer.left.fill(0)
  scorer.right.fill(0)
  markPoints(scorer, points.root)
  out.left = areaOf(scorer, scorer.left)
  out.right = areaOf(scorer, scorer.right)
  // The stretch in which the line meets the part makes the hulls larger, and takes longest to find.
  if (out.left + out.right <= most) {
    findEnds(scorer, root)
    out.left = areaOf(scorer, scorer.left)
    out.right = areaOf(scorer, scorer.right)
  }
  scorer.work += scorer.left.length >> 2
  spend(scorer.work - before)
}

function markHull(scorer: Scorer, { hull }: PointNode, bits: Uint32Array): void {
  const { place } = scorer
  for (let k = 0; k < hull.length; k++) bits[place[hull[k]] >> 5] |= 1 << place[hull[k]]
  scorer.work += hull.length
}

/** Marks what may be a corner on either side. */
function markPoints(scorer: Scorer, node: PointNode): void {
  const { fromX, fromY, alongX, alongY } = scorer
  const { originX, originY, unit } = scorer.store.scale
  const minX = (node.minX - originX) / unit - fromX
  const minY = (node.minY - originY) / unit - fromY
  const maxX = (node.maxX - originX) / unit - fromX
  const maxY = (node.maxY - originY) / unit - fromY
  scorer.work++
  // Heights are rounded, but never in a different order from that of the places: no point of the node is lower or higher.
  const least = alongX * (alongX >= 0 ? minY : maxY) - alongY * (alongY >= 0 ? maxX : minX)
  const most = alongX * (alongX >= 0 ? maxY : minY) - alongY * (alongY >= 0 ? minX : maxX)
  if (least > 0) markHull(scorer, node, scorer.left)
  else if (most < 0) markHull(scorer, node, scorer.right)
  else if (node.points !== null) markEach(scorer, node.points)
  else {
    markPoints(scorer, node.first as PointNode)
    markPoints(scorer, node.second as PointNode)
  }
}

function markEach(scorer: Scorer, points: Int32Array): void {
  const { place, left, right, x, y, fromX, fromY, alongX, alongY } = scorer
  scorer.work += points.length
  for (let k = 0; k < points.length; k++) {
    const at = place[points[k]]
    const height = alongX * (y[at] - fromY) - alongY * (x[at] - fromX)
    if (height >= 0) left[at >> 5] |= 1 << at
    if (height <= 0) right[at >> 5] |= 1 << at
  }
}

/** Of all points in which the line crosses an edge, only the outermost two can be corners of a hull. */
function findEnds(scorer: Scorer, root: RingNode): void {
  const { x, y, count, endTimes } = scorer
  endTimes[0] = Infinity
  endTimes[1] = -Infinity
  seekEnd(scorer, root, 1)
  if (scorer.endCount === 0) return
  seekEnd(scorer, root, -1)
  if (isBefore(scorer, count, count + 1)) return
  const swappedX = x[count]
  const swappedY = y[count]
  x[count] = x[count + 1]
  y[count] = y[count + 1]
  x[count + 1] = swappedX
  y[count + 1] = swappedY
}

/** Where along the line the box of a node begins, or, for −1, where it begins for one who comes the other way; Infinity if nowhere. */
function entryOf(scorer: Scorer, node: RingNode, sense: number): number {
  const { fromX, fromY } = scorer
  const { originX, originY, unit } = scorer.store.scale
  const alongX = sense * scorer.alongX
  const alongY = sense * scorer.alongY
  let first = -Infinity
  let last = Infinity
  if (alongX !== 0) {
    const a = ((node.minX - originX) / unit - fromX) / alongX
    const b = ((node.maxX - originX) / unit - fromX) / alongX
    first = Math.min(a, b)
    last = Math.max(a, b)
  } else if ((node.minX - originX) / unit > fromX || (node.maxX - originX) / unit < fromX) return Infinity
  if (alongY !== 0) {
    const a = ((node.minY - originY) / unit - fromY) / alongY
    const b = ((node.maxY - originY) / unit - fromY) / alongY
    first = Math.max(first, Math.min(a, b))
    last = Math.min(last, Math.max(a, b))
  } else if ((node.minY - originY) / unit > fromY || (node.maxY - originY) / unit < fromY) return Infinity
  return first <= last ? first : Infinity
}

/** Looks for the first crossing, or for −1 the last, among the rings below a node: those first that may have it soonest. */
function seekEnd(scorer: Scorer, node: RingNode, sense: number): void {
  scorer.work++
  if (node.rings !== null) {
    for (let k = 0; k < node.rings.length; k++) crossRing(scorer, node.rings[k])
    return
  }
  const first = node.first as RingNode
  const second = node.second as RingNode
  const entry = entryOf(scorer, first, sense)
  const otherEntry = entryOf(scorer, second, sense)
  const isFirst = entry <= otherEntry
  if (isSooner(scorer, isFirst ? entry : otherEntry, sense)) seekEnd(scorer, isFirst ? first : second, sense)
  if (isSooner(scorer, isFirst ? otherEntry : entry, sense)) seekEnd(scorer, isFirst ? second : first, sense)
}

function isSooner({ endTimes }: Scorer, entry: number, sense: number): boolean {
  return entry < (sense > 0 ? endTimes[0] : -endTimes[1])
}

function crossRing(scorer: Scorer, ring: number): void {
  const { pool, fromX, fromY, alongX, alongY } = scorer
  const { scaledX, scaledY } = pool
  const start = pool.start[ring]
  const size = pool.size[ring]
  scorer.work += size
  let a = start + size - 1
  let before = alongX * (scaledY[a] - fromY) - alongY * (scaledX[a] - fromX)
  for (let b = start; b < start + size; b++) {
    const height = alongX * (scaledY[b] - fromY) - alongY * (scaledX[b] - fromX)
    if (before * height < 0) {
      const t = before / (before - height)
      addEnd(scorer, scaledX[a] + t * (scaledX[b] - scaledX[a]), scaledY[a] + t * (scaledY[b] - scaledY[a]))
    }
    a = b
    before = height
  }
}

function addEnd(scorer: Scorer, atX: number, atY: number): void {
  const { x, y, count, endTimes, alongX, alongY } = scorer
  const isWide = Math.abs(alongX) >= Math.abs(alongY)
  const time = isWide ? (atX - scorer.fromX) / alongX : (atY - scorer.fromY) / alongY
  scorer.endCount = 2
  if (time < endTimes[0]) {
    endTimes[0] = time
    x[count] = atX
    y[count] = atY
  }
  if (time > endTimes[1]) {
    endTimes[1] = time
    x[count + 1] = atX
    y[count + 1] = atY
  }
}

let lowerSize = 0
let upperSize = 0

/** The area of the hull of the marked places and the ends. */
function areaOf(scorer: Scorer, bits: Uint32Array): number {
  const { endCount, count } = scorer
  lowerSize = 0
  upperSize = 0
  let end = 0
  for (let word = 0; word < bits.length; word++) {
    let left = bits[word]
    for (; left !== 0; left &= left - 1) {
      const i = 32 * word + 31 - Math.clz32(left & -left)
      for (; end < endCount && isBefore(scorer, count + end, i); end++) put(scorer, count + end)
      put(scorer, i)
    }
  }
  for (; end < endCount; end++) put(scorer, count + end)
  return areaBetween(scorer)
}

/** Whether a place lies left of another one, or below it at the same x. */
function isBefore({ x, y }: Scorer, i: number, j: number): boolean {
  return x[i] < x[j] || (x[i] === x[j] && y[i] < y[j])
}

/** Adds a place to the right of all that were put before. */
function put({ x, y, lower, upper }: Scorer, i: number): void {
  const px = x[i]
  const py = y[i]
  let size = lowerSize
  for (; size > 1; size--) {
    const a = lower[size - 2]
    const b = lower[size - 1]
    if ((x[b] - x[a]) * (py - y[a]) > (y[b] - y[a]) * (px - x[a])) break
  }
  lower[size] = i
  lowerSize = size + 1
  size = upperSize
  for (; size > 1; size--) {
    const a = upper[size - 2]
    const b = upper[size - 1]
    if ((x[b] - x[a]) * (py - y[a]) < (y[b] - y[a]) * (px - x[a])) break
  }
  upper[size] = i
  upperSize = size + 1
}

function areaBetween({ x, y, lower, upper }: Scorer): number {
  if (lowerSize < 2) return 0
  const ox = x[lower[0]]
  const oy = y[lower[0]]
  let doubled = 0
  for (let k = 1; k < lowerSize; k++) {
    const a = lower[k - 1]
    const b = lower[k]
    doubled += (x[a] - ox) * (y[b] - oy) - (y[a] - oy) * (x[b] - ox)
  }
  for (let k = 1; k < upperSize; k++) {
    const a = upper[k - 1]
    const b = upper[k]
    doubled -= (x[a] - ox) * (y[b] - oy) - (y[a] - oy) * (x[b] - ox)
  }
  return Math.max(0, doubled / 2)
}

// A part of an outline that is cut up: rings, and their points.
//
// Frame: the outline's own.

export interface CutPart {
  root: RingNode
  rings: Int32Array
  points: PartPoints
  /** Reflex vertices of the outline in it. */
  notches: Int32Array
  hull: ConvexRing
  /** Area of the hull less that of the part, in square units. */
  error: number
  /** The best cut, or null when there is none, and how much of the error it saves. */
  cut: Cut | null
  saving: number
}

export function createPart(
  pool: RingPool,
  store: PointStore,
  root: RingNode,
  rings: Int32Array,
  points: PartPoints,
  notches: Int32Array,
): CutPart {
  spend(rings.length)
  let area = 0
  for (let k = 0; k < rings.length; k++) area += pool.area[rings[k]]
  const corners = points.root.hull
  const hull = new Float64Array(2 * corners.length)
  for (let k = 0; k < corners.length; k++) {
    hull[2 * k] = store.x[corners[k]]
    hull[2 * k + 1] = store.y[corners[k]]
  }
  const error = ringArea(hull, pool.scale.unit) - area
  return { root, rings, points, notches, hull, error, cut: null, saving: 0 }
}

/** The two halves that a line makes of a part, left and right; null where all of it lies on one side. */
export function cutPart(
  pool: RingPool,
  store: PointStore,
  vertices: Float64Array,
  part: CutPart,
  line: Cut,
): [CutPart, CutPart] | null {
  const rings = createCutRings(pool.ringCount)
  const { left, right } = cutTree(pool, part.root, line, rings)
  const half = (root: RingNode | null, side: number): CutPart | null => {
    if (root === null) return null
    const edge = Float64Array.from(side > 0 ? rings.leftEdge : rings.rightEdge)
    const points = pointsOn(store, part.points, line, side, edge)
    if (points === null) return null
    const notches = notchesOn(vertices, part.notches, line, side)
    return createPart(pool, store, root, ringsOn(part, rings, side), points, notches)
  }
  const onLeft = half(left, 1)
  const onRight = half(right, -1)
  const isCut = onLeft !== null && onRight !== null
  for (const ring of isCut ? rings.cut : rings.made) dropRing(pool, ring)
  return isCut ? [onLeft, onRight] : null
}

/** Those on the line are on both sides. */
function notchesOn(vertices: Float64Array, notches: Int32Array, line: Cut, side: number): Int32Array {
  spend(notches.length)
  return notches.filter((i) => sideOfCut(line, vertices[2 * i], vertices[2 * i + 1]) * side >= 0)
}

function ringsOn({ rings }: CutPart, { sides, lefts, rights }: CutRings, side: number): Int32Array {
  const kept = new Int32Array(rings.length)
  const parts = side > 0 ? lefts : rights
  let count = 0
  for (let k = 0; k < rings.length; k++) {
    const ring = rings[k]
    const own = sides[ring]
    if (own === side) kept[count++] = ring
    else if (own === 0 && parts[ring] >= 0) kept[count++] = parts[ring]
  }
  return kept.slice(0, count)
}
