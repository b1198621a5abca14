/**
 * Whether rings bound a region: no crossings, no shared stretches, holes inside the outer ring and outside each other.
 * Rings may touch themselves and each other at single points.
 *
 * Method: a sweep (`sweep-line.ts`) decides in O(n log n). Only when it finds a conflict, the pair of edges that comes
 * first in the user's order is looked for, in a box tree over the edges.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { exactEvaluations } from '../../numeric/exact-ring.ts'
import { EXACT_STEP_COUNT } from '../../numeric/roundoff.ts'
import { type BoxTree, boxesMeet, buildBoxTree, createBoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { featureIndex } from '../feature.ts'
import {
  FAULT_SEARCH_COUNT,
  FAULT_SEARCH_PER_EDGE_COUNT,
  MEETING_SEARCH_COUNT,
  MEETING_SEARCH_PER_EDGE_COUNT,
} from '../tolerances.ts'
import { createEdgeIntersection, type EdgeIntersection, edgesConflict, edgesMeet } from './edge-intersection.ts'
import { turnAt } from './orientation.ts'
import type { Outline } from './outline.ts'
import { type SweepLine, sweepRings, type Touching } from './sweep-line.ts'

/** A fault of a region's rings. Edges and vertices by the user's index over all rings. */
export interface OutlineFault {
  /**
   * crossing: two edges cross, or meet at a point where the outline passes from one side of itself to the other;
   * overlap: two edges share a stretch; hole-outside: a hole lies outside the outer ring; hole-nested: inside another hole.
   */
  kind: 'crossing' | 'overlap' | 'hole-outside' | 'hole-nested'
  /** The two edges (crossing, overlap), lower index first; for holes, the first edge of the hole, twice. */
  edgeA: number
  edgeB: number
  /** The crossing, or where the shared stretch begins (its end that lies lower, or further left); for holes their first vertex. */
  x: number
  y: number
  /** Rings the edges belong to (0: outer, 1…: holes); for holes the hole, and the ring around it (of hole-outside: the outer one). */
  ringA: number
  ringB: number
}

export function createOutlineFault(): OutlineFault {
  return { kind: 'crossing', edgeA: 0, edgeB: 0, x: 0, y: 0, ringA: 0, ringB: 0 }
}

const conflict = createEdgeIntersection()
const tree: BoxTree = createBoxTree()
let edgeBoxes = new Float64Array(64)
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

/**
 * Checks closed rings, the edges e of ring r being those with ringOf[e] = r, in the user's order (0 is the outer one); a ring
 * without edges has no area. Returns the winding of each ring (1 counter-clockwise, −1 clockwise, 0 without area), to be read
 * before the next call, or null with `fault` set. Adds to `touching`, if given, where they touch.
 */
export function checkRings(
  rings: Outline,
  ringOf: Int32Array,
  ringCount: number,
  fault: OutlineFault,
  touching: Touching | null = null,
): Int8Array | null {
  const sweep = sweepRings(rings, ringOf, ringCount, touching)
  if (sweep.edge >= 0) {
    setConflictFault(rings, ringOf, sweep, fault)
    return null
  }
  const { windings, parents } = sweep
  spend(ringCount)
  for (let ring = 1; ring < ringCount; ring++) {
    if (windings[ring] === 0 || parents[ring] === 0) continue
    setHoleFault(rings, ringOf, ring, parents, fault)
    return null
  }
  return windings
}

function setHoleFault(
  rings: Outline,
  ringOf: Int32Array,
  hole: number,
  parents: Int32Array,
  fault: OutlineFault,
): void {
  const edge = ringOf.indexOf(hole)
  // A hole in a hole that is outside itself is outside first of all.
  let outermost = parents[hole]
  while (outermost > 0) outermost = parents[outermost]
  fault.kind = outermost < 0 ? 'hole-outside' : 'hole-nested'
  fault.edgeA = featureIndex(rings.edgeNames[edge])
  fault.edgeB = fault.edgeA
  fault.x = rings.vertices[2 * edge]
  fault.y = rings.vertices[2 * edge + 1]
  fault.ringA = hole
  fault.ringB = outermost < 0 ? 0 : parents[hole]
}

function setConflictFault(rings: Outline, ringOf: Int32Array, sweep: SweepLine, fault: OutlineFault): void {
  const { edge, other } = firstConflict(rings, Math.min(sweep.edge, sweep.other), Math.max(sweep.edge, sweep.other))
  edgesConflict(rings, edge, other, conflict)
  fault.kind = conflict.kind === 'overlap' ? 'overlap' : 'crossing'
  fault.x = conflict.x
  fault.y = conflict.y
  fault.edgeA = featureIndex(rings.edgeNames[edge])
  fault.edgeB = featureIndex(rings.edgeNames[other])
  fault.ringA = ringOf[edge]
  fault.ringB = ringOf[other]
}

/** The first pair in conflict, ordered by the lower edge and then the higher one; at the latest the pair that is known. */
function firstConflict(rings: Outline, edge: number, other: number): { edge: number; other: number } {
  let budget = Math.max(FAULT_SEARCH_COUNT, FAULT_SEARCH_PER_EDGE_COUNT * rings.edgeCount)
  try {
    buildEdgeTree(rings)
    for (let first = 0; first <= edge && budget > 0; first++) {
      const limit = first === edge ? other : rings.edgeCount
      const partner = firstPartner(rings, first, limit, budget)
      if (partner.edge < limit) return { edge: first, other: partner.edge }
      spend(budget - partner.budget)
      budget = partner.budget
    }
    return { edge, other }
  } finally {
    if (edgeBoxes.length > 4 * KEPT_ENTRIES) {
      edgeBoxes = new Float64Array(64)
      Object.assign(tree, createBoxTree())
    }
  }
}

function buildEdgeTree(rings: Outline): void {
  const { edgeCount } = rings
  if (edgeBoxes.length < 4 * edgeCount) edgeBoxes = new Float64Array(4 * 2 ** Math.ceil(Math.log2(edgeCount)))
  spend(2 * sortingSteps(edgeCount))
  setEdgeBoxes(edgeBoxes, rings)
  buildBoxTree(tree, edgeBoxes, edgeCount)
}

/** Fills `boxes` with the box of each edge: min x, min y, max x, max y. */
function setEdgeBoxes(boxes: Float64Array, { vertices, edgeEnd, edgeCount }: Outline): void {
  for (let edge = 0; edge < edgeCount; edge++) {
    const i = 2 * edge
    const j = 2 * edgeEnd[edge]
    boxes[4 * edge] = Math.min(vertices[i], vertices[j])
    boxes[4 * edge + 1] = Math.min(vertices[i + 1], vertices[j + 1])
    boxes[4 * edge + 2] = Math.max(vertices[i], vertices[j])
    boxes[4 * edge + 3] = Math.max(vertices[i + 1], vertices[j + 1])
  }
}

const partner = { edge: 0, budget: 0 }

/** The first edge after `edge` and before `limit` in conflict with it, or `limit`; gives up when the budget is used up. */
function firstPartner(rings: Outline, edge: number, limit: number, budget: number): { edge: number; budget: number } {
  partner.edge = limit
  partner.budget = budget
  let top = 0
  stack[top++] = 0
  while (top > 0 && partner.budget > 0) {
    const node = stack[--top]
    partner.budget--
    if (!boxesMeet(edgeBoxes, edge, tree.boxes, node)) continue
    const child = tree.child[node]
    if (child >= 0) {
      stack[top++] = child
      stack[top++] = child + 1
    } else if (~child > edge && ~child < partner.edge && edgesConflict(rings, edge, ~child, conflict)) {
      partner.edge = ~child
    }
  }
  return partner
}

// All places at which closed rings meet themselves and each other: crossings, shared stretches, and points at which they
// touch.
//
// Method: each edge in turn against a box tree over all edges; pairs whose boxes meet are decided exactly
// (`edge-intersection.ts`). A point through which the outline passes twice is met by up to four pairs of edges and told once,
// with the first pair. Edges that follow each other are left out: they overlap where the path goes back
// (`setTurns`, below).
// Frame: the outline's own.

/** A pair of edges costs as much as so many boxes. */
const PAIR_STEPS = 8

/** Takes `edge` < `other` and how they meet, which is overwritten afterwards. False ends the search. */
type MeetingVisitor = (edge: number, other: number, meeting: EdgeIntersection) => boolean

/**
 * Calls `visit` for every meeting, ordered by the lower edge and then the other one. The places of crossings are left to
 * `setMeetingPlace`. Returns whether the search came to its end: where boxes of edges meet each other by the million its steps run out.
 */
export function findMeetings(rings: Outline, visit: MeetingVisitor): boolean {
  const { edgeCount, edgeEnd } = rings
  const boxes = new Float64Array(4 * edgeCount)
  const tree = createBoxTree()
  spend(3 * sortingSteps(edgeCount))
  setEdgeBoxes(boxes, rings)
  buildBoxTree(tree, boxes, edgeCount)
  const lastEdge = lastEdges(tree)
  const stack = new Int32Array(TREE_DEPTH_COUNT + 2)
  const partners = new Int32Array(edgeCount)
  const meeting = createEdgeIntersection()
  const budget = Math.max(MEETING_SEARCH_COUNT, MEETING_SEARCH_PER_EDGE_COUNT * edgeCount)
  let steps = 0
  let spent = 0
  for (let edge = 0; edge < edgeCount; edge++) {
    let partnerCount = 0
    let top = 0
    stack[top++] = 0
    while (top > 0) {
      const node = stack[--top]
      steps++
      if (lastEdge[node] <= edge || !boxesMeet(boxes, edge, tree.boxes, node)) continue
      const child = tree.child[node]
      if (child >= 0) {
        stack[top++] = child
        stack[top++] = child + 1
      } else if (edgeEnd[edge] !== ~child && edgeEnd[~child] !== edge) {
        partners[partnerCount++] = ~child
      }
    }
    spend(steps - spent + sortingSteps(partnerCount))
    spent = steps
    partners.subarray(0, partnerCount).sort()
    for (let k = 0; k < partnerCount; k++) {
      const other = partners[k]
      const before = exactEvaluations()
      spend(PAIR_STEPS)
      if (edgesMeet(rings, edge, other, meeting) && isFirstPair(rings, edge, other, meeting)) {
        if (!visit(edge, other, meeting)) return false
      }
      const taken = PAIR_STEPS + EXACT_STEP_COUNT * (exactEvaluations() - before)
      steps += taken
      spent += taken
      if (steps > budget) return false
    }
  }
  return true
}

/** The highest edge under each node. */
function lastEdges({ nodeCount, child }: BoxTree): Int32Array {
  const last = new Int32Array(nodeCount)
  for (let node = nodeCount - 1; node >= 0; node--) {
    const first = child[node]
    last[node] = first < 0 ? ~first : Math.max(last[first], last[first + 1])
  }
  return last
}

function isFirstPair(rings: Outline, edge: number, other: number, { vertex, otherVertex }: EdgeIntersection): boolean {
  return isFirstEdge(rings, edge, vertex) && isFirstEdge(rings, other, otherVertex)
}

/** Whether the edge is the first of those along which the outline passes `vertex`; −1: along this one alone. */
function isFirstEdge({ edgeBefore }: Outline, edge: number, vertex: number): boolean {
  return vertex < 0 || edge === Math.min(vertex, edgeBefore[vertex])
}

// How a path goes on at each of its vertices: it turns, goes straight on or back, or stays where it is.
//
// Method: exact orientation signs (`orientation.ts`) over the vertices that differ from the one before.
// Frame: the path's own.

/** The vertex is left out of its path: it falls on the one before (of a closed path, also the last ones on the first). */
export const REPEATED = 2
/** The path goes back along the edge that it came by. */
export const BACK = 3
/** An end of an open path, or its only point. */
const END = 4
/** Otherwise 1 for a turn to the left, −1 to the right, 0 straight on. */
type Turn = -1 | 0 | 1 | typeof REPEATED | typeof BACK | typeof END

/** Fills turns[start … end − 1] for the path over these vertices of x0, y0, x1, y1, … Cost O(end − start). */
export function setTurns(turns: Int8Array, points: Float64Array, start: number, end: number, closed: boolean): void {
  const kept = new Int32Array(end - start)
  let count = 0
  for (let i = start; i < end; i++) {
    if (count > 0 && samePoint(points, kept[count - 1], i)) turns[i] = REPEATED
    else kept[count++] = i
  }
  while (closed && count > 1 && samePoint(points, kept[0], kept[count - 1])) turns[kept[--count]] = REPEATED
  for (let k = 0; k < count; k++) {
    const isEnd = count === 1 || (!closed && (k === 0 || k === count - 1))
    const before = kept[k === 0 ? count - 1 : k - 1]
    turns[kept[k]] = isEnd ? END : turnOver(points, before, kept[k], kept[k === count - 1 ? 0 : k + 1])
  }
}

function samePoint(points: Float64Array, i: number, j: number): boolean {
  return points[2 * i] === points[2 * j] && points[2 * i + 1] === points[2 * j + 1]
}

function turnOver(points: Float64Array, before: number, vertex: number, after: number): Turn {
  const turn = turnAt(points, before, vertex, after)
  if (turn !== 0) return turn
  return goesForward(points, before, vertex) === goesForward(points, vertex, after) ? 0 : BACK
}

/** Whether the way from i to j goes to the right, or straight up. */
function goesForward(points: Float64Array, i: number, j: number): boolean {
  const dx = points[2 * j] - points[2 * i]
  return dx > 0 || (dx === 0 && points[2 * j + 1] > points[2 * i + 1])
}

/**
 * The winding of a closed path whose turns are known: 1 counter-clockwise, −1 clockwise, 0 when all of it lies on one line.
 * It is the first turn from the lowest vertex (of several the leftmost) on, which is the way `setPolygon` sees it.
 */
export function pathWinding(turns: Int8Array, points: Float64Array, start: number, end: number): -1 | 0 | 1 {
  let lowest = start
  for (let i = start + 1; i < end; i++) {
    const dy = points[2 * i + 1] - points[2 * lowest + 1]
    if (turns[i] !== REPEATED && (dy < 0 || (dy === 0 && points[2 * i] < points[2 * lowest]))) lowest = i
  }
  for (let k = 0; k < end - start; k++) {
    const i = lowest + k < end ? lowest + k : lowest + k - end + start
    if (turns[i] === 1 || turns[i] === -1) return turns[i] as 1 | -1
  }
  return 0
}
