/**
 * Walking two box trees together: pairs of leaves whose boxes are near each other, in whatever sense, nearest first.
 *
 * Method: depth first, the larger box of a pair is split, and the nearer half looked at first (branch and bound).
 */
import { type BoxTree, TREE_DEPTH_COUNT } from './box-tree.ts'

/**
 * Pairs of nodes yet to visit: one more for each level of either tree, at most. A stack for each walk under way, because
 * what is visited may be walked itself.
 */
const stacks: Int32Array[] = []
let walks = 0

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
  stacks[walks] ??= new Int32Array(4 * (TREE_DEPTH_COUNT + 1))
  const stack = stacks[walks++]
  let reach = limit
  let top = 0
  stack[top++] = 0
  stack[top++] = 0
  while (top > 0 && reach >= 0) {
    const j = stack[--top]
    const i = stack[--top]
    if (measure(i, j) > reach) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      reach = visit(~childA, ~childB)
      continue
    }
    const splitA = childB < 0 || (childA >= 0 && sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))
    const nearA = splitA ? childA : i
    const nearB = splitA ? j : childB
    const farA = splitA ? childA + 1 : i
    const farB = splitA ? j : childB + 1
    const inOrder = measure(nearA, nearB) <= measure(farA, farB)
    stack[top++] = inOrder ? farA : nearA
    stack[top++] = inOrder ? farB : nearB
    stack[top++] = inOrder ? nearA : farA
    stack[top++] = inOrder ? nearB : farB
  }
  walks--
}

function sizeOf(boxes: Float64Array, node: number): number {
  return boxes[4 * node + 2] - boxes[4 * node] + (boxes[4 * node + 3] - boxes[4 * node + 1])
}
