/**
 * The points of a part of an outline that is cut up: a tree over them with the hull of all below each node, and their order from
 * left to right. What a line does not cross is known by its hull.
 *
 * Method: a tree by halves, along x and y by turns, down to a few points. Nodes never change; a cut makes new ones of those that
 * the line crosses, and adds the points at the line, which the halves do not share.
 * Frame: the outline's own; scaled places are relative to an origin, in units of a power of two near the size of the outline.
 */
import { spend } from '../../containers/budget.ts'
import { orderOfKeys } from '../../containers/sort-by-keys.ts'
import { convexHull } from '../points/convex-hull.ts'
import { type Cut, sideOfCut } from './approximation-cut.ts'
import type { Scale } from './approximation-rings.ts'

/** All points: the vertices of the outline, and those that cuts have added. */
export interface PointStore {
  scale: Scale
  count: number
  x: Float64Array
  y: Float64Array
  scaledX: Float64Array
  scaledY: Float64Array
}

export interface PointNode {
  minX: number
  minY: number
  maxX: number
  maxY: number
  /** Corners of the hull, counter-clockwise from the leftmost (the lowest of these). */
  hull: Int32Array
  /** The points, of a node that has no others below it. */
  points: Int32Array | null
  first: PointNode | null
  second: PointNode | null
}

/** Most points of a node without others below it. */
const LEAF_COUNT = 32

export function createPointStore(scale: Scale, vertices: Float64Array, count: number): PointStore {
  const empty = new Float64Array(0)
  const store: PointStore = { scale, count: 0, x: empty, y: empty, scaledX: empty, scaledY: empty }
  addPoints(store, vertices.subarray(0, 2 * count))
  return store
}

/** Adds points x0, y0, … and returns the number of the first. */
function addPoints(store: PointStore, places: Float64Array): number {
  const { scale, count: first } = store
  const count = first + places.length / 2
  if (store.x.length < count) {
    const capacity = Math.max(count, 2 * first)
    for (const name of ['x', 'y', 'scaledX', 'scaledY'] as const) {
      const larger = new Float64Array(capacity)
      larger.set(store[name])
      store[name] = larger
    }
  }
  for (let k = first; k < count; k++) {
    const x = places[2 * (k - first)]
    const y = places[2 * (k - first) + 1]
    store.x[k] = x
    store.y[k] = y
    store.scaledX[k] = (x - scale.originX) / scale.unit
    store.scaledY[k] = (y - scale.originY) / scale.unit
  }
  store.count = count
  return first
}

/** The points by their scaled places, from left to right, upwards at one x. */
export function sortedPoints({ scaledX, scaledY }: PointStore, points: Int32Array): Int32Array {
  const keys = new Float64Array(points.length)
  for (let k = 0; k < points.length; k++) keys[k] = scaledX[points[k]]
  return orderOfKeys(keys, (i, j) => scaledY[points[i]] - scaledY[points[j]] || i - j).map((k) => points[k])
}

/** The tree over points that are sorted from left to right. */
export function buildPointTree(store: PointStore, sorted: Int32Array): PointNode {
  spend(8 * sorted.length)
  return buildNode(store, sorted, 0)
}

function buildNode(store: PointStore, points: Int32Array, axis: number): PointNode {
  if (points.length <= LEAF_COUNT) return createNode(store, points, points, null, null)
  // Along x they are in order; along y they are parted at the middle of their range, and halved where that would part few.
  const middle = points.length >> 1
  if (axis === 0) {
    const first = buildNode(store, points.subarray(0, middle), 1)
    return joinNodes(store, first, buildNode(store, points.subarray(middle), 1))
  }
  const { y } = store
  let low = Infinity
  let high = -Infinity
  for (let k = 0; k < points.length; k++) {
    low = Math.min(low, y[points[k]])
    high = Math.max(high, y[points[k]])
  }
  const limit = low / 2 + high / 2
  const below = points.filter((p) => y[p] < limit)
  const above = points.filter((p) => y[p] >= limit)
  if (below.length === 0 || above.length === 0) return buildNode(store, points, 0)
  return joinNodes(store, buildNode(store, below, 0), buildNode(store, above, 0))
}

function joinNodes(store: PointStore, first: PointNode, second: PointNode): PointNode {
  if (first.points !== null && second.points !== null && first.points.length + second.points.length <= LEAF_COUNT) {
    const points = joined(first.points, second.points)
    return createNode(store, points, points, null, null)
  }
  return createNode(store, joined(first.hull, second.hull), null, first, second)
}

function joined(one: Int32Array, other: Int32Array): Int32Array {
  const all = new Int32Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

/** `candidates`: points of which those of the hull are some. */
function createNode(
  { x, y }: PointStore,
  candidates: Int32Array,
  points: Int32Array | null,
  first: PointNode | null,
  second: PointNode | null,
): PointNode {
  const count = candidates.length
  const places = new Float64Array(2 * count)
  for (let k = 0; k < count; k++) {
    places[2 * k] = x[candidates[k]]
    places[2 * k + 1] = y[candidates[k]]
  }
  const corners = new Int32Array(count)
  const size = convexHull(places, count, corners)
  const hull = new Int32Array(size)
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let k = 0; k < size; k++) {
    const p = candidates[corners[k]]
    hull[k] = p
    if (x[p] < minX) minX = x[p]
    if (y[p] < minY) minY = y[p]
    if (x[p] > maxX) maxX = x[p]
    if (y[p] > maxY) maxY = y[p]
  }
  return { minX, minY, maxX, maxY, hull, points, first, second }
}

/** What lies on one side of the line, 1 left or −1 right; null where nothing does. */
function nodeOn(store: PointStore, node: PointNode, line: Cut, side: number): PointNode | null {
  const own = sideOfBox(node, line)
  if (own !== 0) return own === side ? node : null
  const { points } = node
  if (points !== null) {
    spend(points.length)
    const kept = points.filter((p) => sideOfCut(line, store.x[p], store.y[p]) === side)
    return kept.length === 0 ? null : createNode(store, kept, kept, null, null)
  }
  const first = nodeOn(store, node.first as PointNode, line, side)
  const second = nodeOn(store, node.second as PointNode, line, side)
  if (first === null) return second
  return second === null ? first : joinNodes(store, first, second)
}

/** 1 when all of a box lies left of the line, −1 right of it, otherwise 0. */
export function sideOfBox(
  { minX, minY, maxX, maxY }: { minX: number; minY: number; maxX: number; maxY: number },
  line: Cut,
): number {
  spend(4)
  const side = sideOfCut(line, minX, minY)
  if (side === 0 || sideOfCut(line, maxX, maxY) !== side) return 0
  return sideOfCut(line, maxX, minY) === side && sideOfCut(line, minX, maxY) === side ? side : 0
}

/** The points of a part, as a tree and in their order. */
export interface PartPoints {
  root: PointNode
  order: Int32Array
}

/** The points on one side of the line, with those at the line that belong to this side, `edge` (x0, y0, …). */
export function pointsOn(
  store: PointStore,
  { root, order }: PartPoints,
  line: Cut,
  side: number,
  edge: Float64Array,
): PartPoints | null {
  const kept = nodeOn(store, root, line, side)
  spend(order.length)
  const own = order.filter((p) => sideOfCut(line, store.x[p], store.y[p]) === side)
  const first = addPoints(store, edge)
  const extra = sortedPoints(
    store,
    Int32Array.from({ length: edge.length / 2 }, (_, k) => first + k),
  )
  if (extra.length === 0) return kept === null ? null : { root: kept, order: own }
  const beside = buildNode(store, extra, 0)
  return { root: kept === null ? beside : joinNodes(store, kept, beside), order: merged(store, own, extra) }
}

function merged({ scaledX, scaledY }: PointStore, one: Int32Array, other: Int32Array): Int32Array {
  const all = new Int32Array(one.length + other.length)
  let count = 0
  let next = 0
  for (let k = 0; k < one.length; k++) {
    const p = one[k]
    for (; next < other.length; next++) {
      const q = other[next]
      if (scaledX[q] > scaledX[p] || (scaledX[q] === scaledX[p] && scaledY[q] >= scaledY[p])) break
      all[count++] = q
    }
    all[count++] = p
  }
  for (; next < other.length; next++) all[count++] = other[next]
  return all
}
