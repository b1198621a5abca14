/**
 * The dynamic tree of the plane (`core/dynamic-tree.ts`): how it chooses a place for a leaf and keeps its shape. Growth is in perimeter.
 * The traversals are in `dynamic-tree-queries.ts`. In space as here, written out for speed.
 */

import { createTree, type DynamicTree, swapNodes, type TreeSpace } from '../../core/dynamic-tree.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'

const PLANE: TreeSpace = {
  sides: 4,
  stays,
  bestSibling,
  mend,
  fillNodes,
  axisBits: 16,
  boundCentres,
  placeOnCurve,
  boxDistances,
}

/** Of a node its box at 4k…4k+3: min x, min y, max x, max y. */
export function createDynamicTree(margin = 0): DynamicTree {
  return createTree(PLANE, margin)
}

/** A leaf whose box is this many times as long as that of an item which has just moved must be is made anew. */
const MOST_SLACK_COUNT = 2

function stays(
  { margin, boxes, leafOf, itemBoxes }: DynamicTree,
  item: number,
  list: Float64Array,
  k: number,
): boolean {
  const leaf = leafOf[item]
  const own = 4 * item
  const minX = list[4 * k]
  const minY = list[4 * k + 1]
  const maxX = list[4 * k + 2]
  const maxY = list[4 * k + 3]
  itemBoxes[own] = minX
  itemBoxes[own + 1] = minY
  itemBoxes[own + 2] = maxX
  itemBoxes[own + 3] = maxY
  if (!hasRoom(boxes, leaf, minX, minY, maxX, maxY)) return false
  const at = 4 * leaf
  const most = MOST_SLACK_COUNT * (boxSize(minX, minY, maxX, maxY) + 4 * margin)
  return boxSize(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]) <= most
}

function hasRoom(boxes: Float64Array, node: number, minX: number, minY: number, maxX: number, maxY: number): boolean {
  const at = 4 * node
  return boxes[at] <= minX && boxes[at + 1] <= minY && maxX <= boxes[at + 2] && maxY <= boxes[at + 3]
}

/**
 * The node below `from` beside which the leaf costs least perimeter, as far as looking one step ahead tells: what a node grows by, and
 * beside a leaf all of the new parent.
 */
function bestSibling(tree: DynamicTree, from: number, leaf: number): number {
  const { boxes, child, height } = tree
  const minX = boxes[4 * leaf]
  const minY = boxes[4 * leaf + 1]
  const maxX = boxes[4 * leaf + 2]
  const maxY = boxes[4 * leaf + 3]
  let node = from
  while (node > 0 && !hasRoom(boxes, node, minX, minY, maxX, maxY)) node = tree.parent[node >> 1]
  let size = boxSize(boxes[4 * node], boxes[4 * node + 1], boxes[4 * node + 2], boxes[4 * node + 3])
  let a = child[node]
  while (a >= 0) {
    const at = 4 * a
    const sizeA = boxes[at + 2] - boxes[at] + (boxes[at + 3] - boxes[at + 1])
    const sizeB = boxes[at + 6] - boxes[at + 4] + (boxes[at + 7] - boxes[at + 5])
    // How far the leaf reaches beyond a side, or 0, is half of d + |d|: a branch on that could not be foreseen.
    const leftA = boxes[at] - minX
    const lowA = boxes[at + 1] - minY
    const rightA = maxX - boxes[at + 2]
    const highA = maxY - boxes[at + 3]
    const leftB = boxes[at + 4] - minX
    const lowB = boxes[at + 5] - minY
    const rightB = maxX - boxes[at + 6]
    const highB = maxY - boxes[at + 7]
    const acrossA = leftA + Math.abs(leftA) + (rightA + Math.abs(rightA))
    const acrossB = leftB + Math.abs(leftB) + (rightB + Math.abs(rightB))
    const growthA = (acrossA + (lowA + Math.abs(lowA) + (highA + Math.abs(highA)))) / 2
    const growthB = (acrossB + (lowB + Math.abs(lowB) + (highB + Math.abs(highB)))) / 2
    const childA = child[a]
    const childB = child[a + 1]
    const costA = childA < 0 ? sizeA + growthA : growthA
    const costB = childB < 0 ? sizeB + growthB : growthB
    // The new parent of this node and the leaf would cost more than this node costs now.
    if (2 * size < costA && 2 * size < costB) break
    const isBounded = costA + costB < Infinity
    const isA = isBounded
      ? costA < costB || (costA === costB && height[a] <= height[a + 1])
      : growsLessUnbounded(tree, a, leaf)
    node = isA ? a : a + 1
    size = isA ? sizeA : sizeB
    a = isA ? childA : childB
  }
  return node
}

/** Whether node `a` costs no more than the next one, where boxes are infinite. */
function growsLessUnbounded({ boxes, child, height }: DynamicTree, a: number, leaf: number): boolean {
  const at = 4 * a
  const sizeA = boxSize(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
  const sizeB = boxSize(boxes[at + 4], boxes[at + 5], boxes[at + 6], boxes[at + 7])
  const costA = joinedSize(boxes, a, leaf) - (child[a] < 0 ? 0 : sizeA)
  const costB = joinedSize(boxes, a + 1, leaf) - (child[a + 1] < 0 ? 0 : sizeB)
  return costA < costB || (costA === costB && height[a] <= height[a + 1])
}

// How a dynamic tree keeps its shape: sizes of boxes, and rotations, which swap a child and a grandchild of a node.
//
// Method: A. Kensler, "Tree Rotations for Improving Bounding Volume Hierarchies" (2008), with perimeters for surface areas; where
// one side is too high it is levelled as in an AVL tree, which is the same swap.

/** Children whose heights differ by more are levelled, whatever the boxes. */
const MOST_SLOPE_COUNT = 2

/** Best swap found for a node so far: of which grandchild, with which child that is not its parent. */
const bestGain = new Float64Array(1)
let bestChild = -1
let bestGrandchild = -1

function mend(tree: DynamicTree, from: number): void {
  const { parent } = tree
  for (let node = from; node >= 0; node = parent[node >> 1]) {
    if (!refit(tree, node)) break
    rotate(tree, node)
  }
}

/** Swaps a child and a grandchild of the node, if that levels what is too steep or else makes a box smaller. */
function rotate(tree: DynamicTree, node: number): void {
  const { boxes, child, height } = tree
  const a = child[node]
  const b = a + 1
  const at = 4 * a
  const slope = height[b] - height[a]
  bestGain[0] = 0
  bestChild = -1
  if (slope > MOST_SLOPE_COUNT) level(tree, a, b)
  else if (slope < -MOST_SLOPE_COUNT) level(tree, b, a)
  else {
    const sizeA = boxSize(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
    const sizeB = boxSize(boxes[at + 4], boxes[at + 5], boxes[at + 6], boxes[at + 7])
    // A node does not shrink by taking in one that is no smaller.
    if (child[b] >= 0 && !(sizeA >= sizeB)) tryBoth(tree, a, b)
    if (child[a] >= 0 && !(sizeB >= sizeA)) tryBoth(tree, b, a)
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
    if (gain <= bestGain[0]) continue
    const grandchild = staying ^ 1
    const slope = height[low] - height[staying]
    const below = 1 + (slope > 0 ? height[low] : height[staying])
    if (slope > MOST_SLOPE_COUNT || slope < -MOST_SLOPE_COUNT) continue
    if (Math.abs(below - height[grandchild]) > MOST_SLOPE_COUNT) continue
    bestGain[0] = gain
    bestChild = low
    bestGrandchild = grandchild
  }
}

function swap(tree: DynamicTree, node: number, child: number, grandchild: number): void {
  swapNodes(tree, child, grandchild)
  refit(tree, child ^ 1)
  refit(tree, node)
}

/** Stands for an infinite perimeter, so that sums and differences of perimeters stay numbers. */
const UNBOUNDED_SIZE = 2 ** 1000

/** Half the perimeter. */
function boxSize(minX: number, minY: number, maxX: number, maxY: number): number {
  const sum = maxX - minX + (maxY - minY)
  return Math.min(sum, UNBOUNDED_SIZE)
}

// The lesser or greater of two sides is looked up, `boxes[a + step * +(boxes[b] < boxes[a])]`: a branch on it could not be foreseen.
// This is written out, because an insertion calls for it so often that calls of a function for one side are not inlined.

/** Of the box around two nodes. */
function joinedSize(boxes: Float64Array, i: number, j: number): number {
  const a = 4 * i
  const b = 4 * j
  const step = b - a
  const minX = boxes[a + step * +(boxes[b] < boxes[a])]
  const minY = boxes[a + 1 + step * +(boxes[b + 1] < boxes[a + 1])]
  const maxX = boxes[a + 2 + step * +(boxes[b + 2] > boxes[a + 2])]
  const maxY = boxes[a + 3 + step * +(boxes[b + 3] > boxes[a + 3])]
  return Math.min(maxX - minX + (maxY - minY), UNBOUNDED_SIZE)
}

/** Sets box and height from the children; whether that changed them. */
function refit({ boxes, child, height }: DynamicTree, node: number): boolean {
  const a = 4 * child[node]
  const at = 4 * node
  const minX = boxes[a + 4 * +(boxes[a + 4] < boxes[a])]
  const minY = boxes[a + 1 + 4 * +(boxes[a + 5] < boxes[a + 1])]
  const maxX = boxes[a + 2 + 4 * +(boxes[a + 6] > boxes[a + 2])]
  const maxY = boxes[a + 3 + 4 * +(boxes[a + 7] > boxes[a + 3])]
  const heightA = height[child[node]]
  const heightB = height[child[node] + 1]
  const high = 1 + Math.max(heightA, heightB)
  const isSame =
    high === height[node] &&
    minX === boxes[at] &&
    minY === boxes[at + 1] &&
    maxX === boxes[at + 2] &&
    maxY === boxes[at + 3]
  boxes[at] = minX
  boxes[at + 1] = minY
  boxes[at + 2] = maxX
  boxes[at + 3] = maxY
  height[node] = high
  return !isSame
}

// What the build of a whole tree, and the search for nearest items, ask about boxes.

function fillNodes(tree: DynamicTree, from: number, to: number): void {
  const { boxes, child, itemBoxes, leafOf, height } = tree
  for (let node = from; node >= to; node--) {
    if (node === 1) continue
    const item = ~child[node]
    if (item < 0) {
      refit(tree, node)
      continue
    }
    boxes[4 * node] = itemBoxes[4 * item]
    boxes[4 * node + 1] = itemBoxes[4 * item + 1]
    boxes[4 * node + 2] = itemBoxes[4 * item + 2]
    boxes[4 * node + 3] = itemBoxes[4 * item + 3]
    height[node] = 0
    leafOf[item] = node
  }
}

function centre(boxes: Float64Array, item: number, axis: number): number {
  return 0.5 * boxes[4 * item + axis] + 0.5 * boxes[4 * item + 2 + axis]
}

function boundCentres(boxes: Float64Array, order: Uint32Array, start: number, end: number, bounds: Float64Array): void {
  let minX = bounds[0]
  let minY = bounds[1]
  let maxX = bounds[2]
  let maxY = bounds[3]
  for (let k = start; k < end; k++) {
    const x = centre(boxes, order[k], 0)
    const y = centre(boxes, order[k], 1)
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
  }
  bounds[0] = minX
  bounds[1] = minY
  bounds[2] = maxX
  bounds[3] = maxY
}

function placeOnCurve(
  boxes: Float64Array,
  { order, codes }: { order: Uint32Array; codes: Uint32Array },
  start: number,
  end: number,
  curve: Float64Array,
): void {
  const [unit, scale, minX, minY] = curve
  for (let k = start; k < end; k++) {
    const x = (unit * centre(boxes, order[k], 0) - minX) * scale
    const y = (unit * centre(boxes, order[k], 1) - minY) * scale
    codes[k] = spread(x) | (spread(y) << 1)
  }
}

/** The lower 16 bits of a number, each followed by a zero. */
function spread(place: number): number {
  let bits = place & 0xffff
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}

/** Squares, their sum and its root: the distance of two boxes is greater than it comes out by less than this share. */
const DISTANCE_ERROR_RATIO = 4 * UNIT_ROUNDOFF

function boxDistances(boxes: Float64Array, k: number, count: number, box: Float64Array, out: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const at = 4 * (k + i)
    const dx = Math.max(boxes[at] - box[2], box[0] - boxes[at + 2], 0)
    const dy = Math.max(boxes[at + 1] - box[3], box[1] - boxes[at + 3], 0)
    const sum = Math.sqrt(dx * dx + dy * dy)
    // Squares may overflow where distances do not.
    out[i] = sum < Infinity ? sum - DISTANCE_ERROR_RATIO * sum : Math.max(dx, dy)
  }
}
