/**
 * The pairs of items of a dynamic tree that meet.
 *
 * Method: the tree is walked against itself (C. Ericson, "Real-Time Collision Detection", 6.3): the pairs below a node are those
 * below either child and those between the two.
 */

import { spend } from '../../containers/budget.ts'
import { addPair, type PairList } from '../../containers/pair-list.ts'
import { soleWalk } from '../../containers/traversal-stack.ts'
import { boxSize, type DynamicTree } from './dynamic-tree-node.ts'

/** Steps of the budget are counted so many at a time. */
const STEPS_AT_ONCE = 64

/** Adds the pairs of items that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function treePairs(tree: DynamicTree, out: PairList): boolean {
  if (tree.count < 2) return true
  // Two nodes an entry; a step down puts up to four entries in the place of one.
  return walk(tree, soleWalk(2 * (3 * 2 * tree.height[0] + 4)).nodes, out)
}

/** The stack holds pairs of nodes that meet; a node with itself stands for all pairs below it. */
function walk({ boxes, child, itemBoxes, isFat }: DynamicTree, stack: Int32Array, out: PairList): boolean {
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
      top = push(stack, top, firstI, second, meet(boxes, firstI, boxes, second))
    } else if ((firstI & firstJ) < 0) {
      const isCertain = isFat[~firstI] + isFat[~firstJ] === 0
      if ((isCertain || meet(itemBoxes, ~firstI, itemBoxes, ~firstJ) === 1) && !addPair(out, ~firstI, ~firstJ))
        return false
    } else {
      const isFirst = firstJ < 0 || (firstI >= 0 && sizeOf(boxes, i) >= sizeOf(boxes, j))
      const first = isFirst ? firstI : firstJ
      const other = isFirst ? j : i
      out.boxTests += 2
      top = push(stack, top, first, other, meet(boxes, first, boxes, other))
      top = push(stack, top, first + 1, other, meet(boxes, first + 1, boxes, other))
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

function sizeOf(boxes: Float64Array, node: number): number {
  const at = 4 * node
  return boxSize(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
}

/** 1 where the boxes have a point in common, otherwise 0. */
function meet(boxesA: Float64Array, i: number, boxesB: Float64Array, j: number): number {
  const a = 4 * i
  const b = 4 * j
  return (
    +(boxesA[a] <= boxesB[b + 2]) &
    +(boxesB[b] <= boxesA[a + 2]) &
    +(boxesA[a + 1] <= boxesB[b + 3]) &
    +(boxesB[b + 1] <= boxesA[a + 3])
  )
}
