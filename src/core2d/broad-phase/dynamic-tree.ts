/**
 * A bounding-volume tree that changes: items come, move and go, and the tree stays good without being built anew.
 *
 * Method: a pool of nodes in typed arrays with a free list. A leaf is inserted beside the node that makes the tree's boxes grow
 * least in perimeter, found by descending greedily (J. Bittner, M. Hapala, V. Havran, "Fast Insertion-Based Optimization of
 * Bounding Volume Hierarchies", 2013; E. Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019). On the way back up each node
 * tries to swap a child with a grandchild. An item that moves is inserted below the nearest node
 * that has room for it.
 * Nodes come in pairs of siblings, 2k and 2k + 1, so that a traversal finds the boxes of both in one place; what is in a node
 * may be moved to another. Node 0 is the root. Node 1 belongs to no tree: its box is not a number, so nothing meets it.
 * Items are numbered by the caller, from 0, without large gaps. An item has the box it was given until it leaves it; its leaf's
 * box is then made wider by `margin` all around, so that small moves change nothing, and the item's own box decides what is
 * found. So what never moves is found by its own box at once. Boxes are closed and may be infinite.
 * The traversals are in `dynamic-tree-queries.ts` and `dynamic-tree-nearest.ts`, the build of a whole
 * tree is in `dynamic-tree-build.ts`.
 */

import { fillInSlices, finishAtOnce, type Slices } from '../../containers/budget.ts'
import {
  boxSize,
  copyNode,
  type DynamicTree,
  joinedSize,
  refit,
  setNodeBox,
  setNodeLinks,
  swapNodes,
} from './dynamic-tree-node.ts'

/** A leaf whose box is this many times as long as that of an item which has just moved must be is made anew. */
const MOST_SLACK_COUNT = 2

/** Of the leaf to be inserted. An array, because numbers handed to a function that is not inlined are allocated. */
const leafBox = new Float64Array(4)

export function createDynamicTree(margin = 0): DynamicTree {
  const tree: DynamicTree = {
    margin,
    count: 0,
    fatCount: 0,
    used: 1,
    free: -1,
    boxes: new Float64Array(64),
    child: new Int32Array(16),
    height: new Uint16Array(16),
    parent: new Int32Array(8).fill(-1),
    leafOf: new Int32Array(8).fill(-1),
    itemBoxes: new Float64Array(32),
    isFat: new Uint8Array(8),
  }
  clearNodes(tree)
  return tree
}

/** Makes the root and node 1 such that nothing meets them. */
export function clearNodes({ boxes, child, height }: DynamicTree): void {
  boxes.fill(Number.NaN, 0, 8)
  child.fill(-1, 0, 2)
  height.fill(0, 0, 2)
}

export function hasItem(tree: DynamicTree, item: number): boolean {
  return item < tree.leafOf.length && tree.leafOf[item] >= 0
}

/** The item must not be in the tree yet. O(log n). */
export function insertItem(
  tree: DynamicTree,
  item: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): void {
  reserveItems(tree, item + 1)
  setNodeBox(tree.itemBoxes, item, minX, minY, maxX, maxY)
  setNodeBox(leafBox, 0, minX, minY, maxX, maxY)
  insertLeaf(tree, item, 0)
}

/** Whether the item was in the tree. O(log n). */
export function removeItem(tree: DynamicTree, item: number): boolean {
  if (!hasItem(tree, item)) return false
  removeLeaf(tree, tree.leafOf[item])
  tree.leafOf[item] = -1
  tree.fatCount -= tree.isFat[item]
  tree.isFat[item] = 0
  return true
}

/** Gives an item of the tree a new box. Whether the tree changed: it does not while the box is within that of the leaf, and not much smaller. */
export function moveItem(
  tree: DynamicTree,
  item: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): boolean {
  const { boxes, margin, isFat } = tree
  const leaf = tree.leafOf[item]
  const at = 4 * leaf
  setNodeBox(tree.itemBoxes, item, minX, minY, maxX, maxY)
  tree.fatCount += 1 - isFat[item]
  isFat[item] = 1
  if (hasRoom(boxes, leaf, minX, minY, maxX, maxY)) {
    const most = MOST_SLACK_COUNT * (boxSize(minX, minY, maxX, maxY) + 4 * margin)
    if (boxSize(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]) <= most) return false
  }
  let from = removeLeaf(tree, leaf)
  const fatMinX = minX - margin
  const fatMinY = minY - margin
  const fatMaxX = maxX + margin
  const fatMaxY = maxY + margin
  while (from > 0 && !hasRoom(boxes, from, fatMinX, fatMinY, fatMaxX, fatMaxY)) from = tree.parent[from >> 1]
  setNodeBox(leafBox, 0, fatMinX, fatMinY, fatMaxX, fatMaxY)
  insertLeaf(tree, item, from)
  return true
}

function hasRoom(boxes: Float64Array, node: number, minX: number, minY: number, maxX: number, maxY: number): boolean {
  const at = 4 * node
  return boxes[at] <= minX && boxes[at + 1] <= minY && maxX <= boxes[at + 2] && maxY <= boxes[at + 3]
}

/** Makes room for items below `count`. */
function reserveItems(tree: DynamicTree, count: number): void {
  if (tree.leafOf.length < count) finishAtOnce(reserveItemsInSlices(tree, count))
}

/** `reserveItems` with pauses, during which you must not change the tree. */
export function* reserveItemsInSlices(tree: DynamicTree, count: number): Slices<void> {
  if (tree.leafOf.length >= count) return
  const capacity = 2 ** Math.ceil(Math.log2(count))
  const leafOf = new Int32Array(capacity)
  leafOf.set(tree.leafOf)
  yield* fillInSlices(leafOf, -1, tree.leafOf.length)
  const itemBoxes = new Float64Array(4 * capacity)
  itemBoxes.set(tree.itemBoxes)
  const isFat = new Uint8Array(capacity)
  isFat.set(tree.isFat)
  tree.leafOf = leafOf
  tree.itemBoxes = itemBoxes
  tree.isFat = isFat
}

/** Makes room for `count` pairs of nodes. */
export function reserveNodes(tree: DynamicTree, count: number): void {
  if (tree.parent.length >= count) return
  const capacity = 2 ** Math.ceil(Math.log2(count))
  const boxes = new Float64Array(8 * capacity)
  boxes.set(tree.boxes)
  const child = new Int32Array(2 * capacity)
  child.set(tree.child)
  const height = new Uint16Array(2 * capacity)
  height.set(tree.height)
  const parent = new Int32Array(capacity)
  parent.set(tree.parent)
  tree.boxes = boxes
  tree.child = child
  tree.height = height
  tree.parent = parent
}

/** The first node of a pair. */
function takePair(tree: DynamicTree): number {
  const { free } = tree
  if (free >= 0) {
    tree.free = tree.parent[free]
    return 2 * free
  }
  reserveNodes(tree, tree.used + 1)
  return 2 * tree.used++
}

/** Puts the item's leaf, with the box in `leafBox`, below node `from`, which must have room for it unless it is the root. */
function insertLeaf(tree: DynamicTree, item: number, from: number): void {
  const isFirst = tree.count++ === 0
  const leaf = isFirst ? 0 : takePair(tree) + 1
  setNodeLinks(tree, leaf, ~item, 0)
  for (let k = 0; k < 4; k++) tree.boxes[4 * leaf + k] = leafBox[k]
  if (isFirst) return
  const beside = bestSibling(tree, from, leaf)
  const pair = leaf - 1
  copyNode(tree, beside, pair)
  tree.child[beside] = pair
  tree.parent[pair >> 1] = beside
  mend(tree, beside)
}

/** Sets boxes and heights from a node up to the root, or to where nothing changes any more, and turns what can be better. */
function mend(tree: DynamicTree, from: number): void {
  const { parent } = tree
  for (let node = from; node >= 0; node = parent[node >> 1]) {
    if (!refit(tree, node)) break
    rotate(tree, node)
  }
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

/** Takes the leaf out; returns the node that its sibling is in now. */
function removeLeaf(tree: DynamicTree, leaf: number): number {
  const { parent } = tree
  tree.count--
  if (leaf === 0) {
    clearNodes(tree)
    return 0
  }
  const pair = leaf >> 1
  const above = parent[pair]
  copyNode(tree, leaf ^ 1, above)
  parent[pair] = tree.free
  tree.free = pair
  mend(tree, parent[above >> 1])
  return above
}

/** Checks a tree, for tests: returns the first fault, or null. */
export function validateDynamicTree(tree: DynamicTree): string | null {
  const { count, fatCount, used, boxes, child, parent, height, leafOf, isFat } = tree
  const spare = spareNodes(tree)
  if (typeof spare === 'string') return spare
  if (boxes.subarray(4, 8).some((side) => !Number.isNaN(side))) return 'something may meet node 1'
  const seen = new Uint8Array(2 * used)
  let leaves = 0
  let pairs = 1
  const stack = count === 0 ? [] : [0]
  if (parent[0] !== -1) return 'the root has a parent'
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node < 0 || node === 1 || node >= 2 * used) return `node ${node} is not to be had`
    if (seen[node] === 1 || spare.has(node >> 1)) return `node ${node} is there twice, or spare`
    seen[node] = 1
    const first = child[node]
    if (first < 0) {
      leaves++
      const wrong = validateLeaf(tree, node, ~first)
      if (wrong !== null) return wrong
      continue
    }
    if (first % 2 === 1) return `node ${node} has children of two pairs`
    if (parent[first >> 1] !== node) return `node ${node} has children that do not know it`
    if (height[node] !== 1 + Math.max(height[first], height[first + 1])) return `node ${node}: height`
    for (let k = 0; k < 4; k++) {
      const sides = [boxes[4 * first + k], boxes[4 * first + 4 + k]]
      if (boxes[4 * node + k] !== (k < 2 ? Math.min(...sides) : Math.max(...sides)))
        return `node ${node} is not the box around its children`
    }
    pairs++
    stack.push(first, first + 1)
  }
  if (leaves !== count) return `${leaves} leaves of ${count} items`
  const known = leafOf.filter((leaf) => leaf >= 0).length
  if (known !== count) return `${known} known of ${count} items`
  if (isFat.filter((fat) => fat === 1).length !== fatCount) return `fat items are not ${fatCount}`
  return pairs + spare.size === used ? null : `${used - pairs - spare.size} pairs of nodes are lost`
}

/** The pairs on the free list, or what is wrong with it. */
function spareNodes({ free, parent, used }: DynamicTree): Set<number> | string {
  const spare = new Set<number>()
  for (let pair = free; pair >= 0; pair = parent[pair]) {
    if (spare.has(pair) || pair === 0 || pair >= used) return `the free list comes to pair ${pair}`
    spare.add(pair)
  }
  return spare
}

function validateLeaf({ boxes, height, leafOf, itemBoxes, isFat }: DynamicTree, leaf: number, item: number) {
  if (leafOf[item] !== leaf) return `item ${item} does not know its leaf`
  if (height[leaf] !== 0) return `leaf ${leaf} has a height`
  for (let k = 0; k < 4; k++) {
    const out = boxes[4 * leaf + k]
    const own = itemBoxes[4 * item + k]
    if (k < 2 ? out > own : out < own) return `item ${item} has left its leaf`
    if (isFat[item] === 0 && out !== own) return `item ${item} has a leaf of another size`
  }
  return null
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
