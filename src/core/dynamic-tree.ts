/**
 * A bounding-volume tree that changes: items come, move and go, and the tree stays good without being built anew. One text for the
 * plane and for space.
 *
 * Method: a pool of nodes in typed arrays with a free list. A leaf is inserted beside the node that makes the tree's boxes grow
 * least, found by descending greedily (J. Bittner, M. Hapala, V. Havran, "Fast Insertion-Based Optimization of
 * Bounding Volume Hierarchies", 2013; E. Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019). On the way back up each node
 * tries to swap a child with a grandchild. An item that moves is inserted below the nearest node
 * that has room for it.
 * Nodes come in pairs of siblings, 2k and 2k + 1, so that a traversal finds the boxes of both in one place; what is in a node
 * may be moved to another. Node 0 is the root. Node 1 belongs to no tree: its box is not a number, so nothing meets it.
 * Items are numbered by the caller, from 0, without large gaps. An item has the box it was given until it leaves it; its leaf's
 * box is then made wider by `margin` all around, so that small moves change nothing, and the item's own box decides what is
 * found. So what never moves is found by its own box at once. Boxes are closed and may be infinite.
 * What is done for every node on a way through the tree is written out in each dimension (`TreeSpace`: the files of this name in
 * `core2d/broad-phase` and `core3d/broad-phase`, and the traversals beside them). What is done once for an item is here, the search
 * for nearest items in `dynamic-tree-nearest.ts`, the build of a whole tree in `dynamic-tree-build.ts`.
 * Cost: O(log n) to insert, to move and to remove.
 */

import { fillInSlices, finishAtOnce, type Slices } from '../containers/budget.ts'

/** Of a tree in the plane, or in space: what is written out by axes. A function is called once for an item, a node or many nodes. */
export interface TreeSpace {
  /** Numbers of a box: the least of each axis, then the greatest of each axis. */
  sides: number
  /** Gives an item of the tree box k of a list. Whether that is within the box of its leaf, which is not much larger. */
  stays(tree: DynamicTree, item: number, boxes: Float64Array, k: number): boolean
  /** The node beside which a leaf is best inserted, below the first node from `from` upward that has room for it. */
  bestSibling(tree: DynamicTree, from: number, leaf: number): number
  /** Sets boxes and heights from a node up to the root, or to where nothing changes any more, and turns what can be better. */
  mend(tree: DynamicTree, from: number): void
  /** Sets boxes and heights of nodes from `from` down to `to`, children first; node 1 is left out. */
  fillNodes(tree: DynamicTree, from: number, to: number): void
  /** Bits of a Z-order curve along one axis. */
  axisBits: number
  /** Widens `bounds`, a box, to hold the centres of boxes order[start…end). */
  boundCentres(boxes: Float64Array, order: Uint32Array, start: number, end: number, bounds: Float64Array): void
  /**
   * Puts the places of these centres on a Z-order curve into codes[start…end). `curve`: a unit, a scale, and the least coordinates, times
   * the unit, of the cube that the curve fills: coordinates, times the unit and less these, times the scale are below 2 ** axisBits.
   */
  placeOnCurve(
    boxes: Float64Array,
    { order, codes }: { order: Uint32Array; codes: Uint32Array },
    start: number,
    end: number,
    curve: Float64Array,
  ): void
  /** Puts the distances of `count` boxes of a list, the first of them box k, from a box into `out`: from below, by a few roundoffs. */
  boxDistances(boxes: Float64Array, k: number, count: number, box: Float64Array, out: Float64Array): void
}

export interface DynamicTree {
  space: TreeSpace
  /** Length by which the box of a leaf is wider on each side once its item has moved. */
  margin: number
  /** Items in the tree, and those whose leaf may have a larger box than they. */
  count: number
  fatCount: number
  /** Pairs of nodes that were ever taken, the root's included, and the first of those given back, −1 for none; the free list runs through `parent`. */
  used: number
  free: number
  /** Boxes of the nodes, `space.sides` numbers each. */
  boxes: Float64Array
  /** The first of the node's children, of two in a row, or ~item. */
  child: Int32Array
  /** Of a leaf 0. */
  height: Uint16Array
  /** Of the pair of nodes 2k and 2k + 1 at k. */
  parent: Int32Array
  /** Leaf of each item, −1 when it is not in the tree; the item's own box; whether its leaf's may be larger. */
  leafOf: Int32Array
  itemBoxes: Float64Array
  isFat: Uint8Array
}

export function createTree(space: TreeSpace, margin: number): DynamicTree {
  const tree: DynamicTree = {
    space,
    margin,
    count: 0,
    fatCount: 0,
    used: 1,
    free: -1,
    boxes: new Float64Array(16 * space.sides),
    child: new Int32Array(16),
    height: new Uint16Array(16),
    parent: new Int32Array(8).fill(-1),
    leafOf: new Int32Array(8).fill(-1),
    itemBoxes: new Float64Array(8 * space.sides),
    isFat: new Uint8Array(8),
  }
  clearNodes(tree)
  return tree
}

/** Makes the root and node 1 such that nothing meets them. */
export function clearNodes({ space, boxes, child, height }: DynamicTree): void {
  boxes.fill(Number.NaN, 0, 2 * space.sides)
  child.fill(-1, 0, 2)
  height.fill(0, 0, 2)
}

export function hasItem(tree: DynamicTree, item: number): boolean {
  return item < tree.leafOf.length && tree.leafOf[item] >= 0
}

/** Takes in an item with box k of a list. The item must not be in the tree yet. */
export function insertItem(tree: DynamicTree, item: number, boxes: Float64Array, k: number): void {
  if (tree.leafOf.length <= item) finishAtOnce(reserveItemsInSlices(tree, item + 1))
  const { sides } = tree.space
  for (let side = 0; side < sides; side++) tree.itemBoxes[sides * item + side] = boxes[sides * k + side]
  insertLeaf(tree, item, 0)
}

/** Whether the item was in the tree. */
export function removeItem(tree: DynamicTree, item: number): boolean {
  if (!hasItem(tree, item)) return false
  removeLeaf(tree, tree.leafOf[item])
  tree.leafOf[item] = -1
  tree.fatCount -= tree.isFat[item]
  tree.isFat[item] = 0
  return true
}

/**
 * Gives an item of the tree box k of a list. Whether the tree changed: it does not while the box is within that of the leaf, and not
 * much smaller.
 */
export function moveItem(tree: DynamicTree, item: number, boxes: Float64Array, k: number): boolean {
  const { isFat, space } = tree
  tree.fatCount += 1 - isFat[item]
  isFat[item] = 1
  if (space.stays(tree, item, boxes, k)) return false
  insertLeaf(tree, item, removeLeaf(tree, tree.leafOf[item]))
  return true
}

/** Makes room for items below `count`, with pauses, during which you must not change the tree. */
export function* reserveItemsInSlices(tree: DynamicTree, count: number): Slices<void> {
  if (tree.leafOf.length >= count) return
  const capacity = 2 ** Math.ceil(Math.log2(count))
  const leafOf = new Int32Array(capacity)
  leafOf.set(tree.leafOf)
  yield* fillInSlices(leafOf, -1, tree.leafOf.length)
  const itemBoxes = new Float64Array(tree.space.sides * capacity)
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
  const boxes = new Float64Array(2 * tree.space.sides * capacity)
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

/** Puts the item's leaf below node `from`, or below one of those above it. */
function insertLeaf(tree: DynamicTree, item: number, from: number): void {
  const isFirst = tree.count++ === 0
  const leaf = isFirst ? 0 : takePair(tree) + 1
  setNodeLinks(tree, leaf, ~item, 0)
  const { boxes, itemBoxes, space } = tree
  const half = space.sides / 2
  const own = space.sides * item
  const at = space.sides * leaf
  const margin = tree.isFat[item] === 1 ? tree.margin : 0
  for (let axis = 0; axis < half; axis++) {
    boxes[at + axis] = itemBoxes[own + axis] - margin
    boxes[at + half + axis] = itemBoxes[own + half + axis] + margin
  }
  if (isFirst) return
  const beside = space.bestSibling(tree, from, leaf)
  const pair = leaf - 1
  copyNode(tree, beside, pair)
  tree.child[beside] = pair
  tree.parent[pair >> 1] = beside
  space.mend(tree, beside)
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
  tree.space.mend(tree, parent[above >> 1])
  return above
}

/** Makes node `to` what node `from` is. */
function copyNode(tree: DynamicTree, from: number, to: number): void {
  const { boxes, child, height, space } = tree
  const { sides } = space
  setNodeLinks(tree, to, child[from], height[from])
  for (let side = 0; side < sides; side++) boxes[sides * to + side] = boxes[sides * from + side]
}

/** Makes each of two nodes what the other is. */
export function swapNodes(tree: DynamicTree, i: number, j: number): void {
  const { boxes, child, height, space } = tree
  const { sides } = space
  const first = child[i]
  const high = height[i]
  setNodeLinks(tree, i, child[j], height[j])
  setNodeLinks(tree, j, first, high)
  for (let side = 0; side < sides; side++) {
    const place = boxes[sides * i + side]
    boxes[sides * i + side] = boxes[sides * j + side]
    boxes[sides * j + side] = place
  }
}

/** Makes a node the parent of node `first` and the next, or the leaf of item ~first. */
function setNodeLinks({ child, height, parent, leafOf }: DynamicTree, node: number, first: number, high: number): void {
  child[node] = first
  height[node] = high
  if (first >= 0) parent[first >> 1] = node
  else leafOf[~first] = node
}

/** Checks a tree, for tests: returns the first fault, or null. */
export function validateDynamicTree(tree: DynamicTree): string | null {
  const { space, count, fatCount, used, boxes, child, parent, height, leafOf, isFat } = tree
  const { sides } = space
  const spare = spareNodes(tree)
  if (typeof spare === 'string') return spare
  if (boxes.subarray(sides, 2 * sides).some((side) => !Number.isNaN(side))) return 'something may meet node 1'
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
    for (let k = 0; k < sides; k++) {
      const ends = [boxes[sides * first + k], boxes[sides * first + sides + k]]
      if (boxes[sides * node + k] !== (2 * k < sides ? Math.min(...ends) : Math.max(...ends)))
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

function validateLeaf({ space, boxes, height, leafOf, itemBoxes, isFat }: DynamicTree, leaf: number, item: number) {
  const { sides } = space
  if (leafOf[item] !== leaf) return `item ${item} does not know its leaf`
  if (height[leaf] !== 0) return `leaf ${leaf} has a height`
  for (let k = 0; k < sides; k++) {
    const out = boxes[sides * leaf + k]
    const own = itemBoxes[sides * item + k]
    if (2 * k < sides ? out > own : out < own) return `item ${item} has left its leaf`
    if (isFat[item] === 0 && out !== own) return `item ${item} has a leaf of another size`
  }
  return null
}
