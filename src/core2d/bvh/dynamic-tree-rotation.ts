/**
 * How a dynamic tree keeps its shape: sizes of boxes, and rotations, which swap a child and a grandchild of a node.
 *
 * Method: A. Kensler, "Tree Rotations for Improving Bounding Volume Hierarchies" (2008), with perimeters for surface areas; where
 * one side is too high it is levelled as in an AVL tree, which is the same swap.
 */
import { boxSize, copyNode, type DynamicTree, joinedSize, refit, setNode } from './dynamic-tree-node.ts'

/** Children whose heights differ by more are levelled, whatever the boxes. */
const MOST_SLOPE_COUNT = 2

/** Best swap found for a node so far: of which grandchild, with which child that is not its parent. */
let bestGain = 0
let bestChild = -1
let bestGrandchild = -1

/** Swaps a child and a grandchild of the node, if that levels what is too steep or else makes a box smaller. */
export function rotate(tree: DynamicTree, node: number): void {
  const { child, height } = tree
  const a = child[node]
  const b = a + 1
  const slope = height[b] - height[a]
  bestGain = 0
  bestChild = -1
  if (slope > MOST_SLOPE_COUNT) level(tree, a, b)
  else if (slope < -MOST_SLOPE_COUNT) level(tree, b, a)
  else {
    if (child[b] >= 0) tryBoth(tree, a, b)
    if (child[a] >= 0) tryBoth(tree, b, a)
  }
  if (bestChild >= 0) swap(tree, node, bestChild, bestGrandchild)
}

/** `high` gives up its higher child, and of two that are as high the one without which it is smaller. */
function level({ boxes, child, height }: DynamicTree, low: number, high: number): void {
  const a = child[high]
  const b = a + 1
  const slope = height[b] - height[a]
  bestChild = low
  if (slope !== 0) bestGrandchild = slope > 0 ? b : a
  else bestGrandchild = joinedSize(boxes, low, a) < joinedSize(boxes, low, b) ? b : a
}

/** Either child of `other` for `low`, so that `other` has `low` and the one that stays below it. */
function tryBoth({ boxes, child, height }: DynamicTree, low: number, other: number): void {
  const a = child[other]
  const at = 4 * other
  const size = boxSize(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
  for (let staying = a; staying <= a + 1; staying++) {
    const gain = size - joinedSize(boxes, low, staying)
    if (gain <= bestGain) continue
    const grandchild = staying ^ 1
    const slope = height[low] - height[staying]
    const below = 1 + (slope > 0 ? height[low] : height[staying])
    if (slope > MOST_SLOPE_COUNT || slope < -MOST_SLOPE_COUNT) continue
    if (Math.abs(below - height[grandchild]) > MOST_SLOPE_COUNT) continue
    bestGain = gain
    bestChild = low
    bestGrandchild = grandchild
  }
}

function swap(tree: DynamicTree, node: number, child: number, grandchild: number): void {
  const { boxes } = tree
  const first = tree.child[child]
  const high = tree.height[child]
  const minX = boxes[4 * child]
  const minY = boxes[4 * child + 1]
  const maxX = boxes[4 * child + 2]
  const maxY = boxes[4 * child + 3]
  copyNode(tree, grandchild, child)
  setNode(tree, grandchild, first, high, minX, minY, maxX, maxY)
  refit(tree, child ^ 1)
  refit(tree, node)
}
