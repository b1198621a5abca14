/**
 * Walking two box trees together: pairs of leaves whose boxes are near each other, in whatever sense, nearest first.
 *
 * Method: depth first, the larger box of a pair is split, and the nearer half looked at first (branch and bound).
 */
import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk, type WalkStack } from '../../containers/traversal-stack.ts'
import { type BoxTree, TREE_DEPTH_COUNT } from './box-tree.ts'

/** Pairs of nodes yet to visit: one more for each level of either tree, at most, and one for the pair of roots. */
const STACK_SIZE = 2 * (TREE_DEPTH_COUNT + 1)

/**
 * Calls `visit` for the leaf pairs whose measure does not exceed what `visit` last returned (`limit` at first); a negative
 * return ends the walk. `measure`: of two nodes, no greater than that of any nodes below them.
 */
export function visitTreePairs(
  treeA: BoxTree,
  treeB: BoxTree,
  limit: number,
  measure: (nodeA: number, nodeB: number) => number,
  visit: (leafA: number, leafB: number) => number,
): void {
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return
  const stack = beginWalk(2 * STACK_SIZE)
  try {
    walk(stack, treeA, treeB, limit, measure, visit)
  } finally {
    endWalk()
  }
}

/** The stack holds two nodes an entry, and their measure. */
function walk(
  { nodes, keys: measures }: WalkStack,
  treeA: BoxTree,
  treeB: BoxTree,
  limit: number,
  measure: (nodeA: number, nodeB: number) => number,
  visit: (leafA: number, leafB: number) => number,
): void {
  let reach = limit
  nodes[0] = 0
  nodes[1] = 0
  measures[0] = measure(0, 0)
  let top = 1
  while (top > 0 && reach >= 0) {
    top--
    spend(1)
    if (measures[top] > reach) continue
    const i = nodes[2 * top]
    const j = nodes[2 * top + 1]
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      reach = visit(~childA, ~childB)
      continue
    }
    const splitA = childB < 0 || (childA >= 0 && sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))
    const nextA = splitA ? childA + 1 : i
    const nextB = splitA ? j : childB + 1
    const firstA = splitA ? childA : i
    const firstB = splitA ? j : childB
    const first = measure(firstA, firstB)
    const next = measure(nextA, nextB)
    // The nearer one on top.
    const inOrder = first <= next
    const low = inOrder ? top : top + 1
    const high = inOrder ? top + 1 : top
    nodes[2 * low] = nextA
    nodes[2 * low + 1] = nextB
    measures[low] = next
    nodes[2 * high] = firstA
    nodes[2 * high + 1] = firstB
    measures[high] = first
    top += 2
  }
}

function sizeOf(boxes: Float64Array, node: number): number {
  return boxes[4 * node + 2] - boxes[4 * node] + (boxes[4 * node + 3] - boxes[4 * node + 1])
}
