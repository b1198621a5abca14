/**
 * How a dynamic tree keeps its shape: sizes of nodes, and rotations, which swap a child and a grandchild of a node.
 *
 * Method: A. Kensler, "Tree Rotations for Improving Bounding Volume Hierarchies" (2008), with perimeters for surface areas; where
 * one side is too high it is levelled as in an AVL tree, which is the same swap.
 */
import type { DynamicTree } from './dynamic-tree.ts'

/** Children whose heights differ by more are levelled, whatever the boxes. */
const MOST_SLOPE_COUNT = 2
/** What a perimeter counts for that is infinite: sums and differences of such stay numbers. */
const UNBOUNDED_SIZE = 2 ** 1000

/** Half the perimeter. */
function size(minX: number, minY: number, maxX: number, maxY: number): number {
  const sum = maxX - minX + (maxY - minY)
  return Math.min(sum, UNBOUNDED_SIZE)
}

export function sizeOf({ boxes }: DynamicTree, node: number): number {
  const at = 4 * node
  return size(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
}

/** Of the box around two nodes. */
export function joinedSize({ boxes }: DynamicTree, i: number, j: number): number {
  const a = 4 * i
  const b = 4 * j
  return size(
    Math.min(boxes[a], boxes[b]),
    Math.min(boxes[a + 1], boxes[b + 1]),
    Math.max(boxes[a + 2], boxes[b + 2]),
    Math.max(boxes[a + 3], boxes[b + 3]),
  )
}

export function replaceChild(tree: DynamicTree, above: number, child: number, by: number): void {
  if (above < 0) tree.root = by
  else if (tree.left[above] === child) tree.left[above] = by
  else tree.right[above] = by
  tree.parent[by] = above
}

/** Sets box and height from the children. */
export function refit({ boxes, left, right, height }: DynamicTree, node: number): void {
  const a = 4 * left[node]
  const b = 4 * right[node]
  const at = 4 * node
  boxes[at] = Math.min(boxes[a], boxes[b])
  boxes[at + 1] = Math.min(boxes[a + 1], boxes[b + 1])
  boxes[at + 2] = Math.max(boxes[a + 2], boxes[b + 2])
  boxes[at + 3] = Math.max(boxes[a + 3], boxes[b + 3])
  const heightA = height[left[node]]
  const heightB = height[right[node]]
  height[node] = 1 + Math.max(heightA, heightB)
}

/** Best swap found for a node so far: of which grandchild, with which child that is not its parent. */
const best = { gain: 0, child: -1, grandchild: -1 }

/** Swaps a child and a grandchild of the node, if that levels what is too steep or else makes a box smaller. */
export function rotate(tree: DynamicTree, node: number): void {
  const { left, right, height } = tree
  const a = left[node]
  const b = right[node]
  const slope = height[b] - height[a]
  best.gain = 0
  best.child = -1
  if (slope > MOST_SLOPE_COUNT) level(tree, a, b)
  else if (slope < -MOST_SLOPE_COUNT) level(tree, b, a)
  else {
    if (left[b] >= 0) tryBoth(tree, a, b)
    if (left[a] >= 0) tryBoth(tree, b, a)
  }
  if (best.child >= 0) swap(tree, node, best.child, best.grandchild)
}

/** `high` gives up its higher child, and of two that are as high the one without which it is smaller. */
function level(tree: DynamicTree, low: number, high: number): void {
  const { left, right, height } = tree
  const a = left[high]
  const b = right[high]
  const slope = height[b] - height[a]
  best.child = low
  if (slope !== 0) best.grandchild = slope > 0 ? b : a
  else best.grandchild = joinedSize(tree, low, a) < joinedSize(tree, low, b) ? b : a
}

function tryBoth(tree: DynamicTree, child: number, other: number): void {
  tryExchange(tree, child, other, tree.left[other], tree.right[other])
  tryExchange(tree, child, other, tree.right[other], tree.left[other])
}

/** `child` for `grandchild`, so that `other` has `child` and `staying` below it. */
function tryExchange(tree: DynamicTree, child: number, other: number, grandchild: number, staying: number): void {
  const { height } = tree
  const gain = sizeOf(tree, other) - joinedSize(tree, child, staying)
  if (gain <= best.gain) return
  const below = 1 + Math.max(height[child], height[staying])
  if (Math.abs(below - height[grandchild]) > MOST_SLOPE_COUNT) return
  if (Math.abs(height[child] - height[staying]) > MOST_SLOPE_COUNT) return
  best.gain = gain
  best.child = child
  best.grandchild = grandchild
}

function swap(tree: DynamicTree, node: number, child: number, grandchild: number): void {
  const other = tree.parent[grandchild]
  replaceChild(tree, other, grandchild, child)
  replaceChild(tree, node, child, grandchild)
  refit(tree, other)
  refit(tree, node)
}
