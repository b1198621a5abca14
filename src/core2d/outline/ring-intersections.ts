/**
 * All places at which closed rings meet themselves and each other: crossings, shared stretches, and points at which they
 * touch.
 *
 * Method: each edge in turn against a box tree over all edges; pairs whose boxes meet are decided exactly
 * (`edge-intersection.ts`). A point through which the outline passes twice is met by up to four pairs of edges and told once,
 * with the first pair. Edges that follow each other are left out: they overlap where the path goes back
 * (`points/path-turns.ts`).
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting-steps.ts'
import { exactEvaluations } from '../../numeric/exact-ring.ts'
import { EXACT_STEP_COUNT } from '../../numeric/roundoff.ts'
import { type BoxTree, boxesMeet, buildBoxTree, createBoxTree, TREE_DEPTH_COUNT } from '../bvh/box-tree.ts'
import { MEETING_SEARCH_COUNT, MEETING_SEARCH_PER_EDGE_COUNT } from '../tolerances.ts'
import { createEdgeIntersection, type EdgeIntersection, edgesMeet } from './edge-intersection.ts'
import type { Outline } from './outline.ts'
import { setEdgeBoxes } from './ring-check.ts'

/** A pair of edges costs as much as so many boxes. */
const PAIR_STEPS = 8

/** Takes `edge` < `other` and how they meet, which is overwritten afterwards. False ends the search. */
export type MeetingVisitor = (edge: number, other: number, meeting: EdgeIntersection) => boolean

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
