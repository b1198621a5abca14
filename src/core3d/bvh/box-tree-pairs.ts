/**
 * The leaves of a box tree that meet: each other, or a box.
 *
 * Method: the tree is walked against itself (C. Ericson, "Real-Time Collision Detection", 6.3): the pairs below a node are those
 * below either child and those between the two. Of two nodes the larger is opened.
 */

import { spend } from '../../containers/budget.ts'
import { addPair, type PairList } from '../../containers/pair-list.ts'
import { soleWalk } from '../../containers/traversal-stack.ts'
import { type BoxTree, boxesMeet, TREE_DEPTH_COUNT } from './box-tree.ts'

/** Two nodes an entry; a step down either side puts up to three entries in the place of one. */
const STACK_SIZE = 2 * (2 * 2 * TREE_DEPTH_COUNT + 4)

/** Steps of the budget are counted so many at a time. */
const STEPS_AT_ONCE = 64

/** Adds the pairs of leaves that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function treePairs({ nodeCount, boxes, child }: BoxTree, out: PairList): boolean {
  if (nodeCount < 3) return true
  const stack = soleWalk(STACK_SIZE).nodes
  let top = 2
  let unspent = 0
  stack[0] = 0
  stack[1] = 0
  while (top > 0) {
    if (++unspent === STEPS_AT_ONCE) {
      spend(unspent)
      unspent = 0
    }
    const j = stack[--top]
    const i = stack[--top]
    if (out.boxTests > out.budget) return false
    const firstI = child[i]
    const firstJ = child[j]
    if (i === j) {
      const second = firstI + 1
      out.boxTests++
      top = push(stack, top, firstI, firstI, 1 - (child[firstI] >>> 31))
      top = push(stack, top, second, second, 1 - (child[second] >>> 31))
      top = push(stack, top, firstI, second, boxesMeet(boxes, firstI, boxes, second))
    } else if ((firstI & firstJ) < 0) {
      if (!addPair(out, ~firstI, ~firstJ)) return false
    } else {
      const opensI = firstJ < 0 || (firstI >= 0 && sizeOf(boxes, i) >= sizeOf(boxes, j))
      const first = opensI ? firstI : firstJ
      const other = opensI ? j : i
      out.boxTests += 2
      top = push(stack, top, first, other, boxesMeet(boxes, first, boxes, other))
      top = push(stack, top, first + 1, other, boxesMeet(boxes, first + 1, boxes, other))
    }
  }
  spend(unspent)
  return true
}

/** Pushes nothing where `hit` is 0, but without a branch. */
function push(stack: Int32Array, top: number, i: number, j: number, hit: number): number {
  stack[top] = i
  stack[top + 1] = j
  return top + 2 * hit
}

/** Infinite where the box is. */
function sizeOf(boxes: Float64Array, node: number): number {
  const at = 6 * node
  return boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2])
}

/** Appends the leaves that meet box `index` of a list; returns how many boxes were compared. */
export function leavesAt(
  { nodeCount, boxes, child }: BoxTree,
  list: Float64Array,
  index: number,
  out: number[],
): number {
  if (nodeCount === 0) return 0
  const stack = soleWalk(STACK_SIZE).nodes
  let tests = 0
  let top = 1
  stack[0] = 0
  while (top > 0) {
    const node = stack[--top]
    tests++
    if (boxesMeet(boxes, node, list, index) === 0) continue
    const first = child[node]
    if (first < 0) {
      out.push(~first)
    } else {
      stack[top++] = first + 1
      stack[top++] = first
    }
  }
  spend(tests)
  return tests
}
