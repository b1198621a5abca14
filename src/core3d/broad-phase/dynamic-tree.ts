/**
 * The dynamic tree of space (`core/dynamic-tree.ts`): how it chooses a place for a leaf and keeps its shape. Growth is in the sum of three
 * edges, which, unlike a surface, tells flat boxes and rows of points apart and never overflows to what is not a number.
 * The traversals are in `dynamic-tree-queries.ts`. As `core2d/broad-phase/dynamic-tree.ts`, written out for speed.
 */

import { createTree, type DynamicTree, swapNodes, type TreeSpace } from '../../core/dynamic-tree.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'

const SPACE: TreeSpace = {
  sides: 6,
  stays,
  bestSibling,
  mend,
  fillNodes,
  axisBits: 10,
  boundCentres,
  placeOnCurve,
  boxDistances,
}

/** Of a node its box at 6k…6k+5: min x, min y, min z, max x, max y, max z. */
export function createDynamicTree(margin = 0): DynamicTree {
  return createTree(SPACE, margin)
}

/** A leaf whose box is this many times as long as that of an item which has just moved must be is made anew. */
const MOST_SLACK_COUNT = 2

function stays(
  { margin, boxes, leafOf, itemBoxes }: DynamicTree,
  item: number,
  list: Float64Array,
  k: number,
): boolean {
  for (let side = 0; side < 6; side++) itemBoxes[6 * item + side] = list[6 * k + side]
  const leaf = leafOf[item]
  if (!hasRoom(boxes, leaf, itemBoxes, item)) return false
  return boxSize(boxes, leaf) <= MOST_SLACK_COUNT * (boxSize(itemBoxes, item) + 6 * margin)
}

/** Whether box i of one list is within box `node` of another. */
function hasRoom(boxes: Float64Array, node: number, inner: Float64Array, i: number): boolean {
  const at = 6 * node
  const own = 6 * i
  return (
    boxes[at] <= inner[own] &&
    boxes[at + 1] <= inner[own + 1] &&
    boxes[at + 2] <= inner[own + 2] &&
    inner[own + 3] <= boxes[at + 3] &&
    inner[own + 4] <= boxes[at + 4] &&
    inner[own + 5] <= boxes[at + 5]
  )
}

/**
 * The node below `from` beside which the leaf costs least, as far as looking one step ahead tells: what a node grows by, and
 * beside a leaf all of the new parent.
 */
function bestSibling(tree: DynamicTree, from: number, leaf: number): number {
  const { boxes, child, height } = tree
  const own = 6 * leaf
  const minX = boxes[own]
  const minY = boxes[own + 1]
  const minZ = boxes[own + 2]
  const maxX = boxes[own + 3]
  const maxY = boxes[own + 4]
  const maxZ = boxes[own + 5]
  let node = from
  while (node > 0 && !hasRoom(boxes, node, boxes, leaf)) node = tree.parent[node >> 1]
  let size = boxSize(boxes, node)
  let a = child[node]
  while (a >= 0) {
    const at = 6 * a
    const widthA = boxes[at + 3] - boxes[at]
    const widthB = boxes[at + 9] - boxes[at + 6]
    const sizeA = widthA + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2])
    const sizeB = widthB + (boxes[at + 10] - boxes[at + 7]) + (boxes[at + 11] - boxes[at + 8])
    // How far the leaf reaches beyond a side, or 0, is half of d + |d|: a branch on that could not be foreseen.
    const leftA = boxes[at] - minX
    const lowA = boxes[at + 1] - minY
    const backA = boxes[at + 2] - minZ
    const rightA = maxX - boxes[at + 3]
    const highA = maxY - boxes[at + 4]
    const frontA = maxZ - boxes[at + 5]
    const leftB = boxes[at + 6] - minX
    const lowB = boxes[at + 7] - minY
    const backB = boxes[at + 8] - minZ
    const rightB = maxX - boxes[at + 9]
    const highB = maxY - boxes[at + 10]
    const frontB = maxZ - boxes[at + 11]
    const acrossA = leftA + Math.abs(leftA) + (rightA + Math.abs(rightA))
    const upA = lowA + Math.abs(lowA) + (highA + Math.abs(highA))
    const acrossB = leftB + Math.abs(leftB) + (rightB + Math.abs(rightB))
    const upB = lowB + Math.abs(lowB) + (highB + Math.abs(highB))
    const growthA = (acrossA + upA + (backA + Math.abs(backA) + (frontA + Math.abs(frontA)))) / 2
    const growthB = (acrossB + upB + (backB + Math.abs(backB) + (frontB + Math.abs(frontB)))) / 2
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
  const costA = joinedSize(boxes, a, leaf) - (child[a] < 0 ? 0 : boxSize(boxes, a))
  const costB = joinedSize(boxes, a + 1, leaf) - (child[a + 1] < 0 ? 0 : boxSize(boxes, a + 1))
  return costA < costB || (costA === costB && height[a] <= height[a + 1])
}

// How a dynamic tree keeps its shape: sizes of boxes, and rotations, which swap a child and a grandchild of a node.
//
// Method: A. Kensler, "Tree Rotations for Improving Bounding Volume Hierarchies" (2008), with sums of edges for surface areas; where
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
  const slope = height[b] - height[a]
  bestGain[0] = 0
  bestChild = -1
  if (slope > MOST_SLOPE_COUNT) level(tree, a, b)
  else if (slope < -MOST_SLOPE_COUNT) level(tree, b, a)
  else {
    const sizeA = boxSize(boxes, a)
    const sizeB = boxSize(boxes, b)
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
  const size = boxSize(boxes, other)
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

/** Stands for an infinite size, so that sums and differences of sizes stay numbers. */
const UNBOUNDED_SIZE = 2 ** 1000

/** Sum of the three edges. */
function boxSize(boxes: Float64Array, k: number): number {
  const at = 6 * k
  const sum = boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2])
  return Math.min(sum, UNBOUNDED_SIZE)
}

// The lesser or greater of two sides is looked up, `boxes[a + step * +(boxes[b] < boxes[a])]`: a branch on it could not be foreseen.
// This is written out, because an insertion calls for it so often that calls of a function for one side are not inlined.

/** Of the box around two nodes. */
function joinedSize(boxes: Float64Array, i: number, j: number): number {
  const a = 6 * i
  const b = 6 * j
  const step = b - a
  const minX = boxes[a + step * +(boxes[b] < boxes[a])]
  const minY = boxes[a + 1 + step * +(boxes[b + 1] < boxes[a + 1])]
  const minZ = boxes[a + 2 + step * +(boxes[b + 2] < boxes[a + 2])]
  const maxX = boxes[a + 3 + step * +(boxes[b + 3] > boxes[a + 3])]
  const maxY = boxes[a + 4 + step * +(boxes[b + 4] > boxes[a + 4])]
  const maxZ = boxes[a + 5 + step * +(boxes[b + 5] > boxes[a + 5])]
  return Math.min(maxX - minX + (maxY - minY) + (maxZ - minZ), UNBOUNDED_SIZE)
}

/** Sets box and height from the children; whether that changed them. */
function refit({ boxes, child, height }: DynamicTree, node: number): boolean {
  const a = 6 * child[node]
  const at = 6 * node
  const minX = boxes[a + 6 * +(boxes[a + 6] < boxes[a])]
  const minY = boxes[a + 1 + 6 * +(boxes[a + 7] < boxes[a + 1])]
  const minZ = boxes[a + 2 + 6 * +(boxes[a + 8] < boxes[a + 2])]
  const maxX = boxes[a + 3 + 6 * +(boxes[a + 9] > boxes[a + 3])]
  const maxY = boxes[a + 4 + 6 * +(boxes[a + 10] > boxes[a + 4])]
  const maxZ = boxes[a + 5 + 6 * +(boxes[a + 11] > boxes[a + 5])]
  const high = 1 + Math.max(height[child[node]], height[child[node] + 1])
  const isSame =
    high === height[node] &&
    minX === boxes[at] &&
    minY === boxes[at + 1] &&
    minZ === boxes[at + 2] &&
    maxX === boxes[at + 3] &&
    maxY === boxes[at + 4] &&
    maxZ === boxes[at + 5]
  boxes[at] = minX
  boxes[at + 1] = minY
  boxes[at + 2] = minZ
  boxes[at + 3] = maxX
  boxes[at + 4] = maxY
  boxes[at + 5] = maxZ
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
    for (let side = 0; side < 6; side++) boxes[6 * node + side] = itemBoxes[6 * item + side]
    height[node] = 0
    leafOf[item] = node
  }
}

function centre(boxes: Float64Array, item: number, axis: number): number {
  return 0.5 * boxes[6 * item + axis] + 0.5 * boxes[6 * item + 3 + axis]
}

function boundCentres(boxes: Float64Array, order: Uint32Array, start: number, end: number, bounds: Float64Array): void {
  for (let k = start; k < end; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const place = centre(boxes, order[k], axis)
      if (place < bounds[axis]) bounds[axis] = place
      if (place > bounds[3 + axis]) bounds[3 + axis] = place
    }
  }
}

function placeOnCurve(
  boxes: Float64Array,
  { order, codes }: { order: Uint32Array; codes: Uint32Array },
  start: number,
  end: number,
  curve: Float64Array,
): void {
  const [unit, scale, minX, minY, minZ] = curve
  for (let k = start; k < end; k++) {
    const item = order[k]
    const x = (unit * centre(boxes, item, 0) - minX) * scale
    const y = (unit * centre(boxes, item, 1) - minY) * scale
    const z = (unit * centre(boxes, item, 2) - minZ) * scale
    codes[k] = spread(x) | (spread(y) << 1) | (spread(z) << 2)
  }
}

/** The lower 10 bits of a number, each followed by two zeros. */
function spread(place: number): number {
  let bits = place & 0x3ff
  bits = (bits | (bits << 16)) & 0x030000ff
  bits = (bits | (bits << 8)) & 0x0300f00f
  bits = (bits | (bits << 4)) & 0x030c30c3
  return (bits | (bits << 2)) & 0x09249249
}

/** Squares, their sum and its root: the distance of two boxes is greater than it comes out by less than this share. */
const DISTANCE_ERROR_RATIO = 5 * UNIT_ROUNDOFF

function boxDistances(boxes: Float64Array, k: number, count: number, box: Float64Array, out: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const at = 6 * (k + i)
    const dx = Math.max(boxes[at] - box[3], box[0] - boxes[at + 3], 0)
    const dy = Math.max(boxes[at + 1] - box[4], box[1] - boxes[at + 4], 0)
    const dz = Math.max(boxes[at + 2] - box[5], box[2] - boxes[at + 5], 0)
    const sum = Math.sqrt(dx * dx + dy * dy + dz * dz)
    // Squares may overflow where distances do not.
    out[i] = sum < Infinity ? sum - DISTANCE_ERROR_RATIO * sum : Math.max(dx, dy, dz)
  }
}
