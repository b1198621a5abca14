/**
 * Regions that closed rings fill by a fill rule: simple rings that do not cross, outer ones with their holes.
 *
 * Method: the edges are cut where they meet (`noded-edges.ts`). A line sweeps over the nodes from left to right and keeps the edges that
 * it meets in order, so that each edge learns the winding number below it from the edge beneath; edges that have filled area on one side
 * alone are the boundary. At every node each of them is followed by the one that bounds the same wedge of the filled area, and a way that
 * comes through a node again is cut into two rings there. So rings pass each point once, and touch each other at single points at most.
 * The sweep of `sweep-line.ts` finds that they do not cross, which way they run, and which lies in which.
 *
 * Outer rings run counter-clockwise, holes clockwise; each begins at its leftmost vertex (the lowest of these), and regions, and the holes
 * of each, are in the order of those. So the answer is the same however the rings are drawn. Vertices that the rings have are kept, also
 * where an edge goes straight on; a cut through which the boundary goes straight on is left out.
 * Frame: the points' own.
 */

import { OutOfBudget, spend } from '../../containers/budget.ts'
import {
  clearEdgeOrder,
  createChunkedOrder,
  edgeBelow,
  highestNotAbove,
  insertAbove,
  NO_EDGE,
  removeEdge,
} from '../../containers/chunked-order.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { type FillRule, type NodedEdges, nodeEdges } from './noded-edges.ts'
import { turnAt } from './orientation.ts'
import { createOutline, setRings } from './outline.ts'
import { releaseSweep, sweepRings } from './sweep-line.ts'

/** Each ring as x0, y0, x1, y1, … */
export interface FilledRegion {
  outer: Float64Array
  holes: Float64Array[]
}

/**
 * `points`: x0, y0, … of all rings, ring r from vertex ringStarts[r] to ringStarts[r + 1]; rings may have any vertices, repeated ones too.
 * Throws `OutOfBudget` where there are more crossings than can be looked at. Without `keepsStraight` no vertex is kept at which the boundary goes straight on.
 */
export function filledRegions(
  points: Float64Array,
  ringStarts: readonly number[],
  rule: FillRule,
  keepsStraight = true,
): FilledRegion[] {
  const edges = nodeEdges(points, ringStarts, rule)
  const boundary = findBoundary(edges, rule)
  const isKept = keepsStraight
    ? straightVertices(points, ringStarts, edges.nodes)
    : new Uint8Array(edges.nodes.length / 2)
  return groupRings(traceRings(edges, boundary, isKept))
}

interface Boundary {
  /** Of each edge: 1 where filled area lies above it alone, −1 below it alone, 0 on both sides or none. */
  sides: Int8Array
  /** Of each edge of the boundary the one that follows it, with filled area to the left. */
  next: Int32Array
}

function findBoundary(edges: NodedEdges, rule: FillRule): Boundary {
  const { nodes, lefts, rights, weights, edgeCount } = edges
  const isFilled = (winding: number): boolean => (rule === 'evenodd' ? winding % 2 !== 0 : winding !== 0)
  const boundary: Boundary = { sides: new Int8Array(edgeCount), next: new Int32Array(edgeCount) }
  const { sides } = boundary
  /** The winding number above each edge. */
  const above = new Int32Array(edgeCount)
  const order = createChunkedOrder()
  clearEdgeOrder(order, edgeCount)
  let now = 0
  const liesAboveNow = (edge: number): boolean => turnAt(nodes, lefts[edge], rights[edge], now) < 0
  const compareLeaving = (e: number, f: number): number => -turnAt(nodes, now, rights[e], rights[f])
  const arrivals = new Arrivals(edges)
  let firstLeaving = 0
  for (now = 0; now < nodes.length / 2; now++) {
    const arriving = arrivals.at(now)
    let endLeaving = firstLeaving
    while (endLeaving < edgeCount && lefts[endLeaving] === now) endLeaving++
    const leaving: number[] = []
    for (let edge = firstLeaving; edge < endLeaving; edge++) leaving.push(edge)
    firstLeaving = endLeaving
    spend(16 * (arriving.length + leaving.length) + 2 * sortingSteps(leaving.length))
    if (arriving.length + leaving.length === 0) continue
    const { below, sorted } = takeArriving(order, arriving, rights, now, liesAboveNow)
    leaving.sort(compareLeaving)
    let last = below
    let winding = below === NO_EDGE ? 0 : above[below]
    for (const edge of leaving) {
      const isBelow = isFilled(winding)
      winding += weights[edge]
      above[edge] = winding
      const isAbove = isFilled(winding)
      sides[edge] = isAbove === isBelow ? 0 : isAbove ? 1 : -1
      insertAbove(order, last, edge)
      last = edge
    }
    linkWedges(boundary, leaving, sorted)
  }
  return boundary
}

/** The edges that end at each node. */
class Arrivals {
  readonly #starts: Int32Array
  readonly #edges: Int32Array

  constructor({ nodes, rights, edgeCount }: NodedEdges) {
    const count = nodes.length / 2
    this.#starts = new Int32Array(count + 1)
    this.#edges = new Int32Array(edgeCount)
    spend(count + edgeCount)
    for (let edge = 0; edge < edgeCount; edge++) this.#starts[rights[edge] + 1]++
    for (let node = 0; node < count; node++) this.#starts[node + 1] += this.#starts[node]
    const at = this.#starts.slice(0, count)
    for (let edge = 0; edge < edgeCount; edge++) this.#edges[at[rights[edge]]++] = edge
  }

  at(node: number): Int32Array {
    return this.#edges.subarray(this.#starts[node], this.#starts[node + 1])
  }
}

/** Takes the edges that end at a node out of the order, where they lie side by side: from bottom to top, and the edge below them. */
function takeArriving(
  order: ReturnType<typeof createChunkedOrder>,
  arriving: Int32Array,
  rights: Int32Array,
  now: number,
  liesAboveNow: (edge: number) => boolean,
): { below: number; sorted: number[] } {
  if (arriving.length === 0) return { below: highestNotAbove(order, liesAboveNow), sorted: [] }
  // All edges not above the node, downwards: those that end there come first.
  const sorted: number[] = []
  let edge = highestNotAbove(order, liesAboveNow)
  while (edge !== NO_EDGE && rights[edge] === now) {
    sorted.push(edge)
    edge = edgeBelow(order, edge)
  }
  for (const each of sorted) removeEdge(order, each)
  return { below: edge, sorted: sorted.reverse() }
}

/**
 * About a node, counter-clockwise, edges of the boundary lead away from it and towards it in turns, with a filled wedge from each that
 * leads away to the next. The edge that leads towards the node is followed by the one on the other side of that wedge.
 */
function linkWedges({ sides, next }: Boundary, leaving: readonly number[], arriving: readonly number[]): void {
  const round: number[] = []
  for (const edge of leaving) if (sides[edge] !== 0) round.push(edge)
  const rightCount = round.length
  for (let k = arriving.length - 1; k >= 0; k--) if (sides[arriving[k]] !== 0) round.push(arriving[k])
  for (let k = 0; k < round.length; k++) {
    const leadsAway = k < rightCount === sides[round[k]] > 0
    if (leadsAway) next[round[k + 1 === round.length ? 0 : k + 1]] = round[k]
  }
}

/** Of each node, 1 where a given ring has a vertex at which it goes straight on. */
function straightVertices(points: Float64Array, ringStarts: readonly number[], nodes: Float64Array): Uint8Array {
  const isKept = new Uint8Array(nodes.length / 2)
  spend(2 * ringStarts[ringStarts.length - 1])
  const isSame = (i: number, j: number): boolean =>
    points[2 * i] === points[2 * j] && points[2 * i + 1] === points[2 * j + 1]
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const start = ringStarts[ring]
    const own: number[] = []
    for (let i = start; i < ringStarts[ring + 1]; i++) {
      if (own.length === 0 || !isSame(own[own.length - 1], i)) own.push(i)
    }
    while (own.length > 1 && isSame(own[0], own[own.length - 1])) own.pop()
    for (let k = 0; k < own.length; k++) {
      const before = own[k === 0 ? own.length - 1 : k - 1]
      const after = own[k + 1 === own.length ? 0 : k + 1]
      if (turnAt(points, before, own[k], after) === 0)
        isKept[nodeAt(nodes, points[2 * own[k]], points[2 * own[k] + 1])] = 1
    }
  }
  return isKept
}

/** The number of a node that is there. */
function nodeAt(nodes: Float64Array, x: number, y: number): number {
  let low = 0
  let high = nodes.length / 2 - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (nodes[2 * middle] < x || (nodes[2 * middle] === x && nodes[2 * middle + 1] < y)) low = middle + 1
    else high = middle
  }
  return low
}

/** The rings of the boundary, by their nodes. */
function traceRings(
  { nodes, lefts, rights, edgeCount }: NodedEdges,
  { sides, next }: Boundary,
  isKept: Uint8Array,
): Float64Array[] {
  const rings: Float64Array[] = []
  const isSeen = new Uint8Array(edgeCount)
  /** Of each node on the way, its place there; −1 beside it. */
  const placeOf = new Int32Array(nodes.length / 2).fill(-1)
  const way: number[] = []
  spend(4 * edgeCount)
  for (let first = 0; first < edgeCount; first++) {
    if (sides[first] === 0 || isSeen[first] === 1) continue
    for (let edge = first; isSeen[edge] === 0; edge = next[edge]) {
      isSeen[edge] = 1
      const start = sides[edge] > 0 ? lefts[edge] : rights[edge]
      if (placeOf[start] >= 0) rings.push(ringOf(nodes, cutLoop(way, placeOf, placeOf[start]), isKept))
      placeOf[start] = way.length
      way.push(start)
    }
    rings.push(ringOf(nodes, cutLoop(way, placeOf, 0), isKept))
  }
  return rings
}

/** Takes off the way what has come since a place on it. */
function cutLoop(way: number[], placeOf: Int32Array, place: number): number[] {
  const loop = way.splice(place)
  for (const node of loop) placeOf[node] = -1
  return loop
}

/** From the leftmost node on, without nodes that only cuts have made where the ring goes straight on. */
function ringOf(nodes: Float64Array, loop: readonly number[], isKept: Uint8Array): Float64Array {
  const count = loop.length
  // The first node in order is a corner for certain.
  let low = 0
  for (let k = 1; k < count; k++) if (loop[k] < loop[low]) low = k
  const kept: number[] = [loop[low]]
  for (let k = 1; k < count; k++) {
    const node = loop[(low + k) % count]
    const after = loop[(low + k + 1) % count]
    if (isKept[node] === 1 || turnAt(nodes, kept[kept.length - 1], node, after) !== 0) kept.push(node)
  }
  const ring = new Float64Array(2 * kept.length)
  kept.forEach((node, k) => {
    ring[2 * k] = nodes[2 * node]
    ring[2 * k + 1] = nodes[2 * node + 1]
  })
  return ring
}

/** Outer rings with the holes in them. */
function groupRings(rings: Float64Array[]): FilledRegion[] {
  spend(2 * sortingSteps(rings.length))
  rings.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3])
  const ringStarts = [0]
  for (const ring of rings) ringStarts.push(ringStarts[ringStarts.length - 1] + ring.length / 2)
  const count = ringStarts[rings.length]
  const points = new Float64Array(2 * count)
  for (let ring = 0; ring < rings.length; ring++) points.set(rings[ring], 2 * ringStarts[ring])
  const outline = createOutline()
  const ringOfEdge = new Int32Array(Math.max(8, count))
  spend(4 * count)
  setRings(outline, ringOfEdge, points, ringStarts)
  try {
    const { edge, windings, parents } = sweepRings(outline, ringOfEdge, rings.length)
    if (edge >= 0) throw new OutOfBudget()
    const regions: FilledRegion[] = []
    const regionOf = new Map<number, FilledRegion>()
    rings.forEach((outer, ring) => {
      if (windings[ring] < 0) return
      const region = { outer, holes: [] }
      regions.push(region)
      regionOf.set(ring, region)
    })
    rings.forEach((hole, ring) => {
      if (windings[ring] < 0) regionOf.get(parents[ring])?.holes.push(hole)
    })
    return regions
  } finally {
    releaseSweep()
  }
}
