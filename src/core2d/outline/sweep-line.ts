/**
 * Whether closed rings cross themselves or each other anywhere, which way round each runs, and which lies inside which.
 *
 * Method: a line sweeps over the vertices from left to right (upwards among equal x) and keeps the edges it meets in order;
 * M. I. Shamos and D. Hoey, "Geometric intersection problems", FOCS 1976. Two edges cross only after becoming neighbours, and
 * are tested then. Unlike theirs, rings here may touch at points: at every point with a vertex, the edges that end, pass and
 * begin there are gathered in angular order, in which passages that do not cross nest like brackets. All signs are exact.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import {
  clearEdgeOrder,
  createChunkedOrder,
  edgeAbove,
  edgeBelow,
  highestNotAbove,
  insertAbove,
  NO_EDGE,
  removeEdge,
  replaceEdge,
} from '../../containers/chunked-order.ts'
import { KEPT_ENTRIES } from '../../containers/kept-entries.ts'
import { sortingSteps } from '../../containers/sorting-steps.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { turnAt } from '../points/orientation.ts'
import { compareVertices, edgesCross, lowerEnd } from './edge-intersection.ts'
import type { Outline } from './outline.ts'

export interface SweepLine {
  /** A pair of edges in conflict; −1 when there is none, and only then is the rest complete. */
  edge: number
  other: number
  /** Of each ring: 1 counter-clockwise, −1 clockwise. */
  windings: Int8Array
  /** Of each ring: the ring whose inside it lies in, the innermost; −1 for none. */
  parents: Int32Array
}

/** A point that the outline goes through more than once. */
export interface TouchingPoint {
  /** A vertex there. */
  point: number
  /** The edges that end or begin there, or pass, counter-clockwise from straight down: first all that go on to the right. */
  edges: number[]
  rightCount: number
}

/** Where rings touch: the points, and the passages through them, point after point. */
export interface Touching {
  all: TouchingPoint[]
  /** Of each passage: its first edge, and the number of the point. */
  edges: number[]
  points: number[]
}

export function createTouching(): Touching {
  return { all: [], edges: [], points: [] }
}

/** What a sweep reads of an outline. */
type SweptRings = Pick<Outline, 'vertices' | 'edgeEnd' | 'edgeBefore' | 'edgeCount'>

const NO_RINGS: SweptRings = {
  vertices: new Float64Array(0),
  edgeEnd: new Int32Array(0),
  edgeBefore: new Int32Array(0),
  edgeCount: 0,
}

// State of the sweep that is running.
let sweep: SweepLine = createSweepLine()
let touching: Touching | null = null
let outline = NO_RINGS
let { vertices, edgeEnd, edgeBefore } = NO_RINGS
let ringOf = NO_RINGS.edgeEnd
/** The point the sweep has come to: a vertex. */
let now = 0
let order = createChunkedOrder()
/** The vertices from left to right, and the ends of each edge in that sense. */
let events = new Int32Array(16)
let lefts = new Int32Array(16)
let rights = new Int32Array(16)
/** Edges that reach the present point from the left, and that leave it to the right, from bottom to top. */
let arriving = new Int32Array(16)
let leaving = new Int32Array(16)
let arrivingCount = 0
let leavingCount = 0
/** Passages that are open on the way round the present point, as a stack and as marks: vertices, then edges that pass. */
let brackets = new Int32Array(16)
let isOpen = new Uint8Array(32)

/** What one edge that ends and one that begins at a point take, and each one more. */
const EVENT_STEPS = 8
const EDGE_STEPS = 16

/**
 * Sweeps the rings of `rings`, ring r being the edges e with ringOf[e] = r; every ring has an area, or crosses itself. Adds to
 * `found`, if given, where the rings touch, as far as it comes. The answer is overwritten by the next call. Cost O(n log n).
 */
export function sweepRings(
  rings: Outline,
  ringOfEdge: Int32Array,
  ringCount: number,
  found: Touching | null = null,
): SweepLine {
  begin(rings, ringOfEdge, ringCount)
  touching = found
  const count = rings.edgeCount
  sortEdges(events, count, compareEvents)
  for (let at = 0, next = 0; at < count && sweep.edge < 0; at = next) {
    now = events[at]
    spend(EVENT_STEPS)
    next = at + 1
    while (next < count && compareVertices(vertices, now, events[next]) === 0) next++
    if (next > at + 1 || !passVertex(now)) passPoint(at, next)
  }
  return sweep
}

/** Gives back the room that a large sweep has taken, its answer included, and lets go of the rings. */
export function releaseSweep(): void {
  // Rings that were large have needed room for as many events.
  if (events.length <= KEPT_ENTRIES) return
  sweep = createSweepLine()
  order = createChunkedOrder()
  touching = null
  takeRings(NO_RINGS, NO_RINGS.edgeEnd)
  reserve(16)
}

function createSweepLine(): SweepLine {
  return { edge: -1, other: -1, windings: new Int8Array(8), parents: new Int32Array(8) }
}

function takeRings(rings: SweptRings, ringOfEdge: Int32Array): void {
  outline = rings
  vertices = rings.vertices
  edgeEnd = rings.edgeEnd
  edgeBefore = rings.edgeBefore
  ringOf = ringOfEdge
}

function reserve(capacity: number): void {
  events = new Int32Array(capacity)
  lefts = new Int32Array(capacity)
  rights = new Int32Array(capacity)
  arriving = new Int32Array(capacity)
  leaving = new Int32Array(capacity)
  brackets = new Int32Array(2 * capacity)
  isOpen = new Uint8Array(2 * capacity)
}

function begin(rings: Outline, ringOfEdge: Int32Array, ringCount: number): void {
  takeRings(rings, ringOfEdge)
  const count = rings.edgeCount
  spend(2 * count)
  if (events.length < count) reserve(2 ** Math.ceil(Math.log2(count)))
  if (sweep.windings.length < ringCount) {
    sweep.windings = new Int8Array(2 * ringCount)
    sweep.parents = new Int32Array(2 * ringCount)
  }
  sweep.windings.fill(0, 0, ringCount)
  sweep.edge = -1
  sweep.other = -1
  isOpen.fill(0, 0, 2 * count)
  for (let i = 0; i < count; i++) {
    events[i] = i
    lefts[i] = lowerEnd(rings, i)
    rights[i] = lefts[i] === i ? edgeEnd[i] : i
  }
  clearEdgeOrder(order, count)
}

const compareEvents = (i: number, j: number): Sign => compareVertices(vertices, i, j)

/** Lists up to this long are sorted by insertion: a call of the general sort costs more. */
const SHORT_LIST = 24

function sortEdges(list: Int32Array, count: number, compare: (i: number, j: number) => Sign): void {
  if (count > SHORT_LIST) {
    spend(4 * sortingSteps(count))
    list.subarray(0, count).sort(compare)
    return
  }
  for (let k = 1; k < count; k++) {
    const item = list[k]
    let slot = k
    for (; slot > 0 && compare(list[slot - 1], item) > 0; slot--) list[slot] = list[slot - 1]
    list[slot] = item
  }
}

/**
 * The common case: one edge ends at the vertex, one begins, and no other passes through. Returns false when it is another,
 * with nothing changed.
 */
function passVertex(vertex: number): boolean {
  const before = edgeBefore[vertex]
  const arrives = rights[before] === vertex ? before : vertex
  const leaves = arrives === before ? vertex : before
  if (rights[arrives] !== vertex || lefts[leaves] !== vertex) return false
  const below = edgeBelow(order, arrives)
  const above = edgeAbove(order, arrives)
  if ((below !== NO_EDGE && sideOfNow(below) === 0) || (above !== NO_EDGE && sideOfNow(above) === 0)) return false
  replaceEdge(order, arrives, leaves)
  testNeighbours(below, leaves)
  testNeighbours(leaves, above)
  return true
}

/** 1 when the present point lies above the edge (left of it, seen to the right), −1 below, 0 on it. */
function sideOfNow(edge: number): Sign {
  return turnAt(vertices, lefts[edge], rights[edge], now)
}

const liesAboveNow = (edge: number): boolean => sideOfNow(edge) < 0

function testNeighbours(below: number, above: number): void {
  if (below !== NO_EDGE && above !== NO_EDGE && edgesCross(outline, below, above)) setConflict(below, above)
}

function setConflict(edge: number, other: number): void {
  sweep.edge = edge
  sweep.other = other
}

/** Any point with vertices: events[start … end − 1]. */
function passPoint(start: number, end: number): void {
  const below = gatherArriving()
  gatherLeaving(start, end)
  spend(EDGE_STEPS * (arrivingCount + leavingCount))
  if (sweep.edge >= 0) return
  testPassages()
  if (sweep.edge >= 0) return
  for (let k = 0; k < arrivingCount; k++) removeEdge(order, arriving[k])
  let last = below
  for (let k = 0; k < leavingCount; k++) {
    insertAbove(order, last, leaving[k])
    last = leaving[k]
  }
  testNeighbours(below, edgeAbove(order, below))
  if (leavingCount > 0) testNeighbours(last, edgeAbove(order, last))
  placeRings(below)
}

/** Collects the edges that reach the present point or pass through it, and returns the edge below them. */
function gatherArriving(): number {
  let edge = highestNotAbove(order, liesAboveNow)
  arrivingCount = 0
  while (edge !== NO_EDGE && sideOfNow(edge) === 0) {
    arriving[arrivingCount++] = edge
    edge = edgeBelow(order, edge)
  }
  arriving.subarray(0, arrivingCount).reverse()
  return edge
}

/** Collects the edges that begin at the present point or pass through it; two in the same direction are in conflict. */
function gatherLeaving(start: number, end: number): void {
  leavingCount = 0
  for (let k = 0; k < arrivingCount; k++) {
    if (compareVertices(vertices, rights[arriving[k]], now) !== 0) leaving[leavingCount++] = arriving[k]
  }
  for (let k = start; k < end; k++) {
    const vertex = events[k]
    const before = edgeBefore[vertex]
    if (lefts[before] === vertex) leaving[leavingCount++] = before
    if (lefts[vertex] === vertex) leaving[leavingCount++] = vertex
  }
  sortEdges(leaving, leavingCount, compareLeaving)
  for (let k = 1; k < leavingCount; k++) {
    if (compareLeaving(leaving[k - 1], leaving[k]) === 0) {
      setConflict(leaving[k - 1], leaving[k])
      return
    }
  }
}

/** −1 when edge `e` leaves the present point below edge `f`. */
function compareLeaving(e: number, f: number): Sign {
  return -turnAt(vertices, now, rights[e], rights[f]) as Sign
}

/** Goes round the present point counter-clockwise: passages that do not cross open and close like brackets. */
function testPassages(): void {
  const count = outline.edgeCount
  let depth = 0
  for (let k = 0; k < leavingCount + arrivingCount; k++) {
    const passage = passageOf(k < leavingCount ? leaving[k] : arriving[arrivingCount - 1 - (k - leavingCount)])
    if (isOpen[passage] === 0) {
      isOpen[passage] = 1
      brackets[depth++] = passage
    } else if (brackets[depth - 1] === passage) {
      isOpen[passage] = 0
      depth--
      if (touching !== null && leavingCount + arrivingCount > 2) addPassage(touching, passage)
    } else {
      setConflict(passage % count, brackets[depth - 1] % count)
      return
    }
  }
  if (touching !== null && leavingCount + arrivingCount > 2) touching.all.push(touchingPoint())
}

function touchingPoint(): TouchingPoint {
  const edges = Array.from(leaving.subarray(0, leavingCount))
  for (let k = arrivingCount - 1; k >= 0; k--) edges.push(arriving[k])
  return { point: now, edges, rightCount: leavingCount }
}

/** Each is closed once. */
function addPassage({ edges, points }: Touching, passage: number): void {
  const count = outline.edgeCount
  edges.push(passage < count ? Math.min(passage, edgeBefore[passage]) : passage - count)
  points.push(now)
}

/** The vertex at which the outline turns from this edge into the next at the present point; edgeCount + edge if it passes. */
function passageOf(edge: number): number {
  if (compareVertices(vertices, edge, now) === 0) return edge
  return compareVertices(vertices, edgeEnd[edge], now) === 0 ? edgeEnd[edge] : outline.edgeCount + edge
}

/** Winding and surroundings of the rings that begin at the present point: the lowest edge of each has the outside below it. */
function placeRings(below: number): void {
  const { windings, parents } = sweep
  let beneath = below
  for (let k = 0; k < leavingCount; k++) {
    const edge = leaving[k]
    const ring = ringOf[edge]
    if (windings[ring] === 0) {
      windings[ring] = lefts[edge] === edge ? 1 : -1
      parents[ring] = beneath === NO_EDGE ? -1 : insideAbove(beneath) ? ringOf[beneath] : parents[ringOf[beneath]]
    }
    beneath = edge
  }
}

/** Whether the inside of an edge's ring lies above it. */
function insideAbove(edge: number): boolean {
  return (lefts[edge] === edge ? 1 : -1) === sweep.windings[ringOf[edge]]
}
