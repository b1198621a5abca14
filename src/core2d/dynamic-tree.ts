/**
 * A bounding-volume tree that changes: items come, move and go, and the tree stays good without being built anew.
 *
 * Method: a pool of nodes in typed arrays with a free list. A leaf is inserted beside the node that makes the tree's boxes grow
 * least in perimeter, found by descending greedily (J. Bittner, M. Hapala, V. Havran, "Fast Insertion-Based Optimization of
 * Bounding Volume Hierarchies", 2013; E. Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019). On the way back up each node
 * tries to swap a child with a grandchild, which makes boxes smaller (A. Kensler, "Tree Rotations for Improving Bounding Volume
 * Hierarchies", 2008) or, where one side is too high, levels it as in an AVL tree.
 * Items are numbered by the caller, from 0, without large gaps. A leaf has a fat box, its item's box and `margin` all around,
 * so that small moves change nothing; the item's own box decides what is found. Boxes are closed and may be infinite.
 * The traversals are in `dynamic-tree-queries.ts`.
 */
import { type BoxTree, buildBoxTree, createBoxTree } from './box-tree.ts'
import { joinedSize, refit, replaceChild, rotate, sizeOf } from './dynamic-tree-rotation.ts'

export interface DynamicTree {
  /** Length by which fat boxes are wider on each side. */
  margin: number
  /** Items in the tree. */
  count: number
  /** −1 when the tree is empty. */
  root: number
  /** Nodes of the pool that were ever taken, and the first of those given back; the free list runs through `parent`. */
  used: number
  free: number
  /** Of node k: its box at 4k…4k+3, min x, min y, max x, max y; of a leaf, the fat one. */
  boxes: Float64Array
  parent: Int32Array
  /** Children; a leaf has ~item at the left. */
  left: Int32Array
  right: Int32Array
  /** Of a leaf 0. */
  height: Int32Array
  /** Leaf of each item, −1 when it is not in the tree, and the item's own box. */
  leafOf: Int32Array
  itemBoxes: Float64Array
}

const packed: BoxTree = createBoxTree()

export function createDynamicTree(margin = 0): DynamicTree {
  return {
    margin,
    count: 0,
    root: -1,
    used: 0,
    free: -1,
    boxes: new Float64Array(64),
    parent: new Int32Array(16),
    left: new Int32Array(16),
    right: new Int32Array(16),
    height: new Int32Array(16),
    leafOf: new Int32Array(8).fill(-1),
    itemBoxes: new Float64Array(32),
  }
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
  const leaf = takeNode(tree)
  tree.left[leaf] = ~item
  tree.right[leaf] = -1
  tree.height[leaf] = 0
  tree.leafOf[item] = leaf
  tree.count++
  setItemBox(tree, item, minX, minY, maxX, maxY)
  fatten(tree, leaf, item)
  insertLeaf(tree, leaf)
}

/** Whether the item was in the tree. O(log n). */
export function removeItem(tree: DynamicTree, item: number): boolean {
  if (!hasItem(tree, item)) return false
  const leaf = tree.leafOf[item]
  removeLeaf(tree, leaf)
  giveBack(tree, leaf)
  tree.leafOf[item] = -1
  tree.count--
  return true
}

/** Gives an item of the tree a new box. Whether the tree changed: it does not while the box is within the fat one. */
export function moveItem(
  tree: DynamicTree,
  item: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): boolean {
  const leaf = tree.leafOf[item]
  const { boxes } = tree
  const at = 4 * leaf
  setItemBox(tree, item, minX, minY, maxX, maxY)
  if (boxes[at] <= minX && boxes[at + 1] <= minY && maxX <= boxes[at + 2] && maxY <= boxes[at + 3]) return false
  removeLeaf(tree, leaf)
  fatten(tree, leaf, item)
  insertLeaf(tree, leaf)
  return true
}

/** Replaces what the tree holds by the items 0 … count − 1, top down, see `box-tree.ts`. O(n log n), many times faster than inserting. */
export function buildDynamicTree(tree: DynamicTree, boxes: Float64Array, count: number): void {
  reserveItems(tree, count)
  reserveNodes(tree, 2 * count)
  tree.leafOf.fill(-1)
  tree.count = count
  tree.root = count === 0 ? -1 : 0
  tree.used = count === 0 ? 0 : 2 * count - 1
  tree.free = -1
  tree.itemBoxes.set(boxes.subarray(0, 4 * count))
  buildBoxTree(packed, boxes, count)
  const { left, right, parent, leafOf } = tree
  if (count > 0) parent[0] = -1
  for (let node = tree.used - 1; node >= 0; node--) {
    const first = packed.child[node]
    left[node] = first
    if (first < 0) {
      right[node] = -1
      tree.height[node] = 0
      leafOf[~first] = node
      fatten(tree, node, ~first)
      continue
    }
    right[node] = first + 1
    parent[first] = node
    parent[first + 1] = node
    refit(tree, node)
  }
}

function setItemBox(
  { itemBoxes }: DynamicTree,
  item: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): void {
  itemBoxes[4 * item] = minX
  itemBoxes[4 * item + 1] = minY
  itemBoxes[4 * item + 2] = maxX
  itemBoxes[4 * item + 3] = maxY
}

function fatten({ boxes, itemBoxes, margin }: DynamicTree, leaf: number, item: number): void {
  boxes[4 * leaf] = itemBoxes[4 * item] - margin
  boxes[4 * leaf + 1] = itemBoxes[4 * item + 1] - margin
  boxes[4 * leaf + 2] = itemBoxes[4 * item + 2] + margin
  boxes[4 * leaf + 3] = itemBoxes[4 * item + 3] + margin
}

function reserveItems(tree: DynamicTree, count: number): void {
  if (tree.leafOf.length >= count) return
  const capacity = 2 ** Math.ceil(Math.log2(count))
  const leafOf = new Int32Array(capacity).fill(-1)
  leafOf.set(tree.leafOf)
  const itemBoxes = new Float64Array(4 * capacity)
  itemBoxes.set(tree.itemBoxes)
  tree.leafOf = leafOf
  tree.itemBoxes = itemBoxes
}

function reserveNodes(tree: DynamicTree, count: number): void {
  if (tree.parent.length >= count) return
  const capacity = 2 ** Math.ceil(Math.log2(count))
  const boxes = new Float64Array(4 * capacity)
  boxes.set(tree.boxes)
  tree.boxes = boxes
  for (const name of ['parent', 'left', 'right', 'height'] as const) {
    const larger = new Int32Array(capacity)
    larger.set(tree[name])
    tree[name] = larger
  }
}

function takeNode(tree: DynamicTree): number {
  const { free } = tree
  if (free >= 0) {
    tree.free = tree.parent[free]
    return free
  }
  reserveNodes(tree, tree.used + 1)
  return tree.used++
}

function giveBack(tree: DynamicTree, node: number): void {
  tree.parent[node] = tree.free
  tree.free = node
}

function insertLeaf(tree: DynamicTree, leaf: number): void {
  if (tree.root < 0) {
    tree.root = leaf
    tree.parent[leaf] = -1
    return
  }
  const sibling = bestSibling(tree, leaf)
  const joint = takeNode(tree)
  const { parent, left, right } = tree
  const above = parent[sibling]
  replaceChild(tree, above, sibling, joint)
  left[joint] = sibling
  right[joint] = leaf
  parent[sibling] = joint
  parent[leaf] = joint
  for (let node = joint; node >= 0; node = parent[node]) {
    refit(tree, node)
    rotate(tree, node)
  }
}

/** The node beside which the leaf costs least perimeter, as far as looking one step ahead tells. */
function bestSibling(tree: DynamicTree, leaf: number): number {
  const { left, right, height } = tree
  let node = tree.root
  while (left[node] >= 0) {
    const joined = joinedSize(tree, node, leaf)
    // a new parent for this node and the leaf, or this node grown by the leaf and more to come further down
    const here = 2 * joined
    const inherited = 2 * (joined - sizeOf(tree, node))
    const costLeft = inherited + growth(tree, left[node], leaf)
    const costRight = inherited + growth(tree, right[node], leaf)
    if (here < costLeft && here < costRight) break
    const goLeft = costLeft < costRight || (costLeft === costRight && height[left[node]] <= height[right[node]])
    node = goLeft ? left[node] : right[node]
  }
  return node
}

function growth(tree: DynamicTree, node: number, leaf: number): number {
  const joined = joinedSize(tree, node, leaf)
  return tree.left[node] < 0 ? joined : joined - sizeOf(tree, node)
}

/** Takes the leaf out; it remains taken from the pool. */
function removeLeaf(tree: DynamicTree, leaf: number): void {
  const { parent, left, right } = tree
  const joint = parent[leaf]
  if (joint < 0) {
    tree.root = -1
    return
  }
  const sibling = left[joint] === leaf ? right[joint] : left[joint]
  const above = parent[joint]
  replaceChild(tree, above, joint, sibling)
  parent[sibling] = above
  giveBack(tree, joint)
  for (let node = above; node >= 0; node = parent[node]) {
    refit(tree, node)
    rotate(tree, node)
  }
}

/** What is wrong with a tree, for tests; null when nothing is. */
export function validateDynamicTree(tree: DynamicTree): string | null {
  const { root, count, used, free, boxes, parent, left, right, height, leafOf, itemBoxes, margin } = tree
  const seen = new Uint8Array(used)
  let spare = 0
  for (let node = free; node >= 0; node = parent[node]) {
    if (seen[node] === 1) return `the free list comes back to node ${node}`
    seen[node] = 1
    spare++
  }
  let leaves = 0
  const stack = root < 0 ? [] : [root]
  if (root >= 0 && parent[root] !== -1) return 'the root has a parent'
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node < 0 || node >= used || seen[node] === 1) return `node ${node} is not to be had`
    seen[node] = 1
    const box = boxes.subarray(4 * node, 4 * node + 4)
    const item = ~left[node]
    if (item >= 0) {
      leaves++
      if (leafOf[item] !== node) return `item ${item} does not know its leaf`
      if (height[node] !== 0) return `leaf ${node} has a height`
      const within = [0, 1, 2, 3].every((k) =>
        k < 2 ? box[k] <= itemBoxes[4 * item + k] : box[k] >= itemBoxes[4 * item + k],
      )
      if (!within) return `item ${item} has left its fat box, margin ${margin}`
      continue
    }
    const children = [left[node], right[node]]
    if (children.some((child) => parent[child] !== node)) return `node ${node} has children that do not know it`
    if (height[node] !== 1 + Math.max(...children.map((child) => height[child]))) return `node ${node}: height`
    for (let k = 0; k < 4; k++) {
      const sides = children.map((child) => boxes[4 * child + k])
      if (box[k] !== (k < 2 ? Math.min(...sides) : Math.max(...sides)))
        return `node ${node} is not the box around its children`
    }
    stack.push(...children)
  }
  if (leaves !== count) return `${leaves} leaves of ${count} items`
  const known = leafOf.filter((leaf) => leaf >= 0).length
  if (known !== count) return `${known} known of ${count} items`
  const inUse = count === 0 ? 0 : 2 * count - 1
  return inUse + spare === used ? null : `${used - inUse - spare} nodes are lost`
}
