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
  type ChunkedOrder,
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
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { compareVertices, edgesCross, lowerEnd } from './edge-intersection.ts'
import { turnAt } from './orientation.ts'
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

/** The part of an outline that a sweep reads. */
type SweptRings = Pick<Outline, 'vertices' | 'edgeEnd' | 'edgeBefore' | 'edgeCount'>

const NO_RINGS: SweptRings = {
  vertices: new Float64Array(0),
  edgeEnd: new Int32Array(0),
  edgeBefore: new Int32Array(0),
  edgeCount: 0,
}

/** Room for as many as there are edges. */
interface SweepRoom {
  /** The vertices from left to right, and the ends of each edge in that sense. */
  events: Int32Array
  lefts: Int32Array
  rights: Int32Array
  /** Edges that reach the present point from the left, and that leave it to the right, from bottom to top. */
  arriving: Int32Array
  leaving: Int32Array
  /** Passages that are open on the way round the present point, as a stack and as marks: vertices, then edges that pass. */
  brackets: Int32Array
  isOpen: Uint8Array
}

/** A sweep that is running. */
interface RunningSweep extends SweepRoom {
  answer: SweepLine
  touching: Touching | null
  rings: SweptRings
  ringOf: Int32Array
  /** The point the sweep has come to: a vertex. */
  now: number
  order: ChunkedOrder
  arrivingCount: number
  leavingCount: number
  compareEvents: (i: number, j: number) => Sign
  /** −1 when edge `e` leaves the present point below edge `f`. */
  compareLeaving: (e: number, f: number) => Sign
  /** Whether the present point lies below an edge. */
  liesAboveNow: (edge: number) => boolean
}

/** The sweep of the last rings, for the next ones. */
let kept: RunningSweep | null = null

/** Steps of the first edges that end and begin at a point, and of each further edge. */
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
  const sweep = kept ?? createSweep()
  // Nobody else has it until the end.
  kept = null
  try {
    begin(sweep, rings, ringOfEdge, ringCount)
    sweep.touching = found
    passPoints(sweep)
    return sweep.answer
  } finally {
    kept = sweep
  }
}

function passPoints(sweep: RunningSweep): void {
  const { answer, events, rings } = sweep
  const { vertices, edgeCount: count } = rings
  sortEdges(events, count, sweep.compareEvents)
  for (let at = 0, next = 0; at < count && answer.edge < 0; at = next) {
    const now = events[at]
    sweep.now = now
    spend(EVENT_STEPS)
    next = at + 1
    while (next < count && compareVertices(vertices, now, events[next]) === 0) next++
    if (next > at + 1 || !passVertex(sweep, now)) passPoint(sweep, at, next)
  }
}

/** Gives back the room that a large sweep has taken, its answer included, and lets go of the rings. */
export function releaseSweep(): void {
  // Rings that were large have needed room for as many events.
  if (kept !== null && kept.events.length > KEPT_ENTRIES) kept = null
}

function createSweep(): RunningSweep {
  const sweep: RunningSweep = {
    answer: { edge: -1, other: -1, windings: new Int8Array(8), parents: new Int32Array(8) },
    touching: null,
    rings: NO_RINGS,
    ringOf: NO_RINGS.edgeEnd,
    now: 0,
    order: createChunkedOrder(),
    ...createRoom(16),
    arrivingCount: 0,
    leavingCount: 0,
    compareEvents: (i, j) => compareVertices(sweep.rings.vertices, i, j),
    compareLeaving: (e, f) => -turnAt(sweep.rings.vertices, sweep.now, sweep.rights[e], sweep.rights[f]) as Sign,
    liesAboveNow: (edge) => sideOfNow(sweep, edge) < 0,
  }
  return sweep
}

function createRoom(capacity: number): SweepRoom {
  return {
    events: new Int32Array(capacity),
    lefts: new Int32Array(capacity),
    rights: new Int32Array(capacity),
    arriving: new Int32Array(capacity),
    leaving: new Int32Array(capacity),
    brackets: new Int32Array(2 * capacity),
    isOpen: new Uint8Array(2 * capacity),
  }
}

function begin(sweep: RunningSweep, rings: Outline, ringOfEdge: Int32Array, ringCount: number): void {
  sweep.rings = rings
  sweep.ringOf = ringOfEdge
  const { answer, order } = sweep
  const { edgeCount: count, edgeEnd } = rings
  spend(2 * count)
  if (sweep.events.length < count) Object.assign(sweep, createRoom(2 ** Math.ceil(Math.log2(count))))
  if (answer.windings.length < ringCount) {
    answer.windings = new Int8Array(2 * ringCount)
    answer.parents = new Int32Array(2 * ringCount)
  }
  answer.windings.fill(0, 0, ringCount)
  answer.edge = -1
  answer.other = -1
  const { events, lefts, rights } = sweep
  sweep.isOpen.fill(0, 0, 2 * count)
  for (let i = 0; i < count; i++) {
    events[i] = i
    lefts[i] = lowerEnd(rings, i)
    rights[i] = lefts[i] === i ? edgeEnd[i] : i
  }
  clearEdgeOrder(order, count)
}

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
function passVertex(sweep: RunningSweep, vertex: number): boolean {
  const { rings, lefts, rights, order } = sweep
  const before = rings.edgeBefore[vertex]
  const arrives = rights[before] === vertex ? before : vertex
  const leaves = arrives === before ? vertex : before
  if (rights[arrives] !== vertex || lefts[leaves] !== vertex) return false
  const below = edgeBelow(order, arrives)
  const above = edgeAbove(order, arrives)
  if ((below !== NO_EDGE && sideOfNow(sweep, below) === 0) || (above !== NO_EDGE && sideOfNow(sweep, above) === 0))
    return false
  replaceEdge(order, arrives, leaves)
  testNeighbours(sweep, below, leaves)
  testNeighbours(sweep, leaves, above)
  return true
}

/** 1 when the present point lies above the edge (left of it, seen to the right), −1 below, 0 on it. */
function sideOfNow({ rings, lefts, rights, now }: RunningSweep, edge: number): Sign {
  return turnAt(rings.vertices, lefts[edge], rights[edge], now)
}

function testNeighbours({ rings, answer }: RunningSweep, below: number, above: number): void {
  if (below !== NO_EDGE && above !== NO_EDGE && edgesCross(rings, below, above)) setConflict(answer, below, above)
}

function setConflict(answer: SweepLine, edge: number, other: number): void {
  answer.edge = edge
  answer.other = other
}

/** Any point with vertices: events[start … end − 1]. */
function passPoint(sweep: RunningSweep, start: number, end: number): void {
  const { answer, order, arriving, leaving } = sweep
  const below = gatherArriving(sweep)
  gatherLeaving(sweep, start, end)
  const { arrivingCount, leavingCount } = sweep
  spend(EDGE_STEPS * (arrivingCount + leavingCount))
  if (answer.edge >= 0) return
  testPassages(sweep)
  if (answer.edge >= 0) return
  for (let k = 0; k < arrivingCount; k++) removeEdge(order, arriving[k])
  let last = below
  for (let k = 0; k < leavingCount; k++) {
    insertAbove(order, last, leaving[k])
    last = leaving[k]
  }
  testNeighbours(sweep, below, edgeAbove(order, below))
  if (leavingCount > 0) testNeighbours(sweep, last, edgeAbove(order, last))
  placeRings(sweep, below)
}

/** Collects the edges that reach the present point or pass through it, and returns the edge below them. */
function gatherArriving(sweep: RunningSweep): number {
  const { order, arriving } = sweep
  let edge = highestNotAbove(order, sweep.liesAboveNow)
  let count = 0
  while (edge !== NO_EDGE && sideOfNow(sweep, edge) === 0) {
    arriving[count++] = edge
    edge = edgeBelow(order, edge)
  }
  arriving.subarray(0, count).reverse()
  sweep.arrivingCount = count
  return edge
}

/** Collects the edges that begin at the present point or pass through it; two in the same direction are in conflict. */
function gatherLeaving(sweep: RunningSweep, start: number, end: number): void {
  const { rings, now, events, lefts, rights, arriving, arrivingCount, leaving, compareLeaving } = sweep
  const { vertices, edgeBefore } = rings
  let count = 0
  for (let k = 0; k < arrivingCount; k++) {
    if (compareVertices(vertices, rights[arriving[k]], now) !== 0) leaving[count++] = arriving[k]
  }
  for (let k = start; k < end; k++) {
    const vertex = events[k]
    const before = edgeBefore[vertex]
    if (lefts[before] === vertex) leaving[count++] = before
    if (lefts[vertex] === vertex) leaving[count++] = vertex
  }
  sweep.leavingCount = count
  sortEdges(leaving, count, compareLeaving)
  for (let k = 1; k < count; k++) {
    if (compareLeaving(leaving[k - 1], leaving[k]) === 0) {
      setConflict(sweep.answer, leaving[k - 1], leaving[k])
      return
    }
  }
}

/** Goes round the present point counter-clockwise: passages that do not cross open and close like brackets. */
function testPassages(sweep: RunningSweep): void {
  const { touching, arriving, arrivingCount, leaving, leavingCount, brackets, isOpen } = sweep
  const count = sweep.rings.edgeCount
  let depth = 0
  for (let k = 0; k < leavingCount + arrivingCount; k++) {
    const passage = passageOf(sweep, k < leavingCount ? leaving[k] : arriving[arrivingCount - 1 - (k - leavingCount)])
    if (isOpen[passage] === 0) {
      isOpen[passage] = 1
      brackets[depth++] = passage
    } else if (brackets[depth - 1] === passage) {
      isOpen[passage] = 0
      depth--
      if (touching !== null && leavingCount + arrivingCount > 2) addPassage(sweep, touching, passage)
    } else {
      setConflict(sweep.answer, passage % count, brackets[depth - 1] % count)
      return
    }
  }
  if (touching !== null && leavingCount + arrivingCount > 2) touching.all.push(touchingPoint(sweep))
}

function touchingPoint({ now, arriving, arrivingCount, leaving, leavingCount }: RunningSweep): TouchingPoint {
  const edges = Array.from(leaving.subarray(0, leavingCount))
  for (let k = arrivingCount - 1; k >= 0; k--) edges.push(arriving[k])
  return { point: now, edges, rightCount: leavingCount }
}

/** Each is closed once. */
function addPassage({ rings, now }: RunningSweep, { edges, points }: Touching, passage: number): void {
  const count = rings.edgeCount
  edges.push(passage < count ? Math.min(passage, rings.edgeBefore[passage]) : passage - count)
  points.push(now)
}

/** The vertex at which the outline turns from this edge into the next at the present point; edgeCount + edge if it passes. */
function passageOf({ rings, now }: RunningSweep, edge: number): number {
  const { vertices, edgeEnd, edgeCount } = rings
  if (compareVertices(vertices, edge, now) === 0) return edge
  return compareVertices(vertices, edgeEnd[edge], now) === 0 ? edgeEnd[edge] : edgeCount + edge
}

/** Winding and surroundings of the rings that begin at the present point: the lowest edge of each has the outside below it. */
function placeRings({ answer, ringOf, lefts, leaving, leavingCount }: RunningSweep, below: number): void {
  const { windings, parents } = answer
  /** Whether the inside of an edge's ring lies above it. */
  const isBelowInside = (edge: number): boolean => (lefts[edge] === edge ? 1 : -1) === windings[ringOf[edge]]
  let beneath = below
  for (let k = 0; k < leavingCount; k++) {
    const edge = leaving[k]
    const ring = ringOf[edge]
    if (windings[ring] === 0) {
      windings[ring] = lefts[edge] === edge ? 1 : -1
      parents[ring] = beneath === NO_EDGE ? -1 : isBelowInside(beneath) ? ringOf[beneath] : parents[ringOf[beneath]]
    }
    beneath = edge
  }
}
