/**
 * The nodes of a dynamic tree, and the arithmetic on their boxes.
 */

export interface DynamicTree {
  /** Length by which the box of a leaf is wider on each side once its item has moved. */
  margin: number
  /** Items in the tree, and those whose leaf may have a larger box than they. */
  count: number
  fatCount: number
  /** Pairs of nodes that were ever taken, the root's included, and the first of those given back, −1 for none; the free list runs through `parent`. */
  used: number
  free: number
  /** Of node k: its box at 4k…4k+3, min x, min y, max x, max y. */
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

export function setNodeBox(
  boxes: Float64Array,
  k: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): void {
  boxes[4 * k] = minX
  boxes[4 * k + 1] = minY
  boxes[4 * k + 2] = maxX
  boxes[4 * k + 3] = maxY
}

/** Makes node `to` what node `from` is. */
export function copyNode(tree: DynamicTree, from: number, to: number): void {
  const { boxes, child, height } = tree
  setNodeLinks(tree, to, child[from], height[from])
  for (let k = 0; k < 4; k++) boxes[4 * to + k] = boxes[4 * from + k]
}

/** Makes each of two nodes what the other is. */
export function swapNodes(tree: DynamicTree, i: number, j: number): void {
  const { boxes, child, height } = tree
  const first = child[i]
  const high = height[i]
  setNodeLinks(tree, i, child[j], height[j])
  setNodeLinks(tree, j, first, high)
  for (let k = 0; k < 4; k++) {
    const side = boxes[4 * i + k]
    boxes[4 * i + k] = boxes[4 * j + k]
    boxes[4 * j + k] = side
  }
}

/** Makes a node the parent of node `first` and the next, or the leaf of item ~first. */
export function setNodeLinks(
  { child, height, parent, leafOf }: DynamicTree,
  node: number,
  first: number,
  high: number,
): void {
  child[node] = first
  height[node] = high
  if (first >= 0) parent[first >> 1] = node
  else leafOf[~first] = node
}

/** Stands for an infinite perimeter, so that sums and differences of perimeters stay numbers. */
const UNBOUNDED_SIZE = 2 ** 1000

/** Half the perimeter. */
export function boxSize(minX: number, minY: number, maxX: number, maxY: number): number {
  const sum = maxX - minX + (maxY - minY)
  return Math.min(sum, UNBOUNDED_SIZE)
}

// The lesser or greater of two sides is looked up, `boxes[a + step * +(boxes[b] < boxes[a])]`: a branch on it could not be foreseen.
// This is written out, because an insertion calls for it so often that calls of a function for one side are not inlined.

/** Of the box around two nodes. */
export function joinedSize(boxes: Float64Array, i: number, j: number): number {
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
export function refit({ boxes, child, height }: DynamicTree, node: number): boolean {
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
