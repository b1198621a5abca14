/**
 * Cuts of convex rings by a line.
 *
 * Sides are exact. Points where the line crosses an edge are rounded, never into the ring: to its edge or out of it. So the
 * two parts of a ring cover it to the last bit. A point on a vertical or horizontal line keeps that line's coordinate, so what
 * such a line parts has no inside in common; of other lines parts can overlap by some units in the last place.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { orderOfKeys } from '../../containers/sorting.ts'
import { binaryExponent, type Sign } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { NUDGE_COUNT } from '../tolerances.ts'
import { convexHull, hullCorners } from './convex-hull.ts'
import { orientation } from './orientation.ts'

/** The line through p, vertical (axis 0, upwards), horizontal (axis 1, to the right), or on to q (axis −1). */
export interface Cut {
  axis: -1 | 0 | 1
  px: number
  py: number
  qx: number
  qy: number
}

/** Vertices x0, y0, …, counter-clockwise, strictly convex. */
export type ConvexRing = Float64Array

/** 1 for points left of the line, −1 right of it, 0 on it. */
export function sideOfCut({ axis, px, py, qx, qy }: Cut, x: number, y: number): Sign {
  if (axis < 0) return orientation(px, py, qx, qy, x, y)
  return Math.sign(axis === 0 ? px - x : y - py) as Sign
}

// The two parts of the ring in hand.
const left: number[] = []
const right: number[] = []

/** Appends the parts of a ring on the two sides of the line, as far as they have an area. `unit`: a power of two near its size. */
export function cutRing(cut: Cut, ring: ConvexRing, unit: number, lefts: ConvexRing[], rights: ConvexRing[]): void {
  left.length = 0
  right.length = 0
  const size = ring.length
  spend(size)
  let before = sideOfCut(cut, ring[size - 2], ring[size - 1])
  let crossings = 0
  for (let i = 0; i < size; i += 2) {
    const x = ring[i]
    const y = ring[i + 1]
    const side = sideOfCut(cut, x, y)
    if (side * before < 0) {
      const h = i === 0 ? size - 2 : i - 2
      setCrossing(cut, ring[h], ring[h + 1], x, y, unit)
      left.push(crossingX, crossingY)
      right.push(crossingX, crossingY)
      crossings++
    }
    if (side >= 0) left.push(x, y)
    if (side <= 0) right.push(x, y)
    before = side
  }
  if (crossings > 0 || (left.length > 4 && right.length > 4)) {
    addHull(left, lefts)
    addHull(right, rights)
  } else if (left.length > right.length) lefts.push(ring)
  else rights.push(ring)
}

function addHull(points: readonly number[], rings: ConvexRing[]): void {
  const hull = hullCorners(Float64Array.from(points))
  if (hull.length >= 6) rings.push(hull)
}

let crossingX = 0
let crossingY = 0

/** Sets the point at which the line crosses the edge from a to b, on that edge or to the right of it. */
function setCrossing(cut: Cut, ax: number, ay: number, bx: number, by: number, unit: number): void {
  const { axis } = cut
  // The ends lie on different sides, whatever rounding makes of their heights.
  const heightA = Math.abs(heightOver(cut, ax, ay, unit))
  const heightB = Math.abs(heightOver(cut, bx, by, unit))
  const height = heightA + heightB
  const t = height > 0 ? heightA / height : 1 / 2
  const alongX = bx - ax
  const alongY = by - ay
  crossingX = axis === 0 ? cut.px : ax + t * alongX
  crossingY = axis === 1 ? cut.py : ay + t * alongY
  // Out is towards (alongY, −alongX). The line's own coordinate stays.
  const movesX = axis === 1 || (axis < 0 && Math.abs(alongY) > Math.abs(alongX))
  for (let k = 0, step = 1; k < NUDGE_COUNT; k++, step *= 4) {
    if (orientation(ax, ay, bx, by, crossingX, crossingY) <= 0) return
    if (movesX) crossingX += Math.sign(alongY) * step * lastPlace(crossingX)
    else crossingY -= Math.sign(alongX) * step * lastPlace(crossingY)
  }
  // An end of the edge does as well: the parts are others then, but cover the ring.
  crossingX = ax
  crossingY = ay
}

/** How far a point lies over the line, times the line's length, in units. */
function heightOver({ axis, px, py, qx, qy }: Cut, x: number, y: number, unit: number): number {
  if (axis === 0) return (px - x) / unit
  if (axis === 1) return (y - py) / unit
  return ((qx - px) / unit) * ((y - py) / unit) - ((qy - py) / unit) * ((x - px) / unit)
}

/** The unit in the last place of a double. */
function lastPlace(x: number): number {
  return Math.max(Number.MIN_VALUE, 2 ** binaryExponent(x) * 2 * UNIT_ROUNDOFF)
}

// The points of a part of an outline that is cut up: a tree over them with the hull of all below each node, and their order from
// left to right. What a line does not cross is known by its hull.
//
// Method: a tree by halves, along x and y by turns, down to a few points. Nodes never change; a cut makes new ones of those that
// the line crosses, and adds the points at the line, which the halves do not share.
// Frame: the outline's own; scaled places are relative to an origin, in units of a power of two near the size of the outline.

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

/** The points on one side of the line, 1 left or −1 right; null if there are none. */
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

// The convex rings that an approximation cuts up, by the ten thousand, as numbers in a row: a ring has its points side by side,
// and rings that are cut give back their places.
// Frame: the outline's own; scaled places are relative to an origin, in units of a power of two near the size of the outline.

export interface Scale {
  originX: number
  originY: number
  unit: number
}

export interface RingPool {
  scale: Scale
  /** Of each point: where it is, scaled and not. */
  pointCount: number
  x: Float64Array
  y: Float64Array
  scaledX: Float64Array
  scaledY: Float64Array
  /** Of each ring: its first point, how many it has, and its area in square units. */
  ringCount: number
  start: Int32Array
  size: Int32Array
  area: Float64Array
  /** Rings that are no more, by their number of points. */
  spare: Map<number, number[]>
}

export function createRingPool(scale: Scale, pointCount: number, ringCount: number): RingPool {
  return {
    scale,
    pointCount: 0,
    x: new Float64Array(pointCount),
    y: new Float64Array(pointCount),
    scaledX: new Float64Array(pointCount),
    scaledY: new Float64Array(pointCount),
    ringCount: 0,
    start: new Int32Array(ringCount),
    size: new Int32Array(ringCount),
    area: new Float64Array(ringCount),
    spare: new Map(),
  }
}

/** Takes over a ring and returns its number. */
export function addRing(pool: RingPool, ring: ConvexRing): number {
  const { originX, originY, unit } = pool.scale
  const count = ring.length / 2
  const name = pool.spare.get(count)?.pop() ?? newRing(pool, count)
  const start = pool.start[name]
  for (let k = 0; k < count; k++) {
    const x = ring[2 * k]
    const y = ring[2 * k + 1]
    pool.x[start + k] = x
    pool.y[start + k] = y
    pool.scaledX[start + k] = (x - originX) / unit
    pool.scaledY[start + k] = (y - originY) / unit
  }
  pool.area[name] = ringArea(ring, unit)
  return name
}

function newRing(pool: RingPool, count: number): number {
  if (pool.ringCount === pool.start.length) growRings(pool)
  if (pool.pointCount + count > pool.x.length) growPoints(pool, pool.pointCount + count)
  const name = pool.ringCount++
  const start = pool.pointCount
  pool.start[name] = start
  pool.size[name] = count
  pool.pointCount += count
  return name
}

/** Gives back the place of a ring that is no more. */
export function dropRing({ spare, size }: RingPool, name: number): void {
  const others = spare.get(size[name])
  if (others === undefined) spare.set(size[name], [name])
  else others.push(name)
}

/** The vertices of a ring, for those who change them. */
export function copyRing({ x, y, start, size }: RingPool, name: number): ConvexRing {
  const ring = new Float64Array(2 * size[name])
  for (let k = 0; k < size[name]; k++) {
    ring[2 * k] = x[start[name] + k]
    ring[2 * k + 1] = y[start[name] + k]
  }
  return ring
}

/** In square units. */
export function ringArea(ring: ConvexRing, unit: number): number {
  let doubled = 0
  for (let i = 4; i < ring.length; i += 2) {
    const ax = (ring[i - 2] - ring[0]) / unit
    const ay = (ring[i - 1] - ring[1]) / unit
    const bx = (ring[i] - ring[0]) / unit
    const by = (ring[i + 1] - ring[1]) / unit
    doubled += ax * by - ay * bx
  }
  return doubled / 2
}

function growRings(pool: RingPool): void {
  const capacity = Math.max(16, 2 * pool.start.length)
  pool.start = grownInts(pool.start, capacity)
  pool.size = grownInts(pool.size, capacity)
  pool.area = grown(pool.area, capacity)
}

function growPoints(pool: RingPool, least: number): void {
  const capacity = Math.max(least, 2 * pool.x.length)
  pool.x = grown(pool.x, capacity)
  pool.y = grown(pool.y, capacity)
  pool.scaledX = grown(pool.scaledX, capacity)
  pool.scaledY = grown(pool.scaledY, capacity)
}

function grown(array: Float64Array, length: number): Float64Array {
  const larger = new Float64Array(length)
  larger.set(array)
  return larger
}

function grownInts(array: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}
