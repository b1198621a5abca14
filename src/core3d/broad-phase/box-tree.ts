/**
 * A static bounding-volume tree over boxes in space.
 *
 * Method: top-down; a node is split at the middle of the box centres along their longest side. A split that leaves less
 * than an eighth on one side is replaced by one at the median, so the tree is never deeper than `TREE_DEPTH_COUNT` and is
 * built in O(n log n), O(n log² n) for centres that crowd together again and again.
 * Node k has its box at boxes[6k…6k+5] (min x, min y, min z, max x, max y, max z); child[k] ≥ 0: its children are nodes child[k]
 * and child[k] + 1; child[k] < 0: it is leaf ~child[k]. Node 0 is the root; children come after their parents. A tree without
 * leaves has no nodes. Boxes may be infinite. As `core2d/broad-phase/box-tree.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting.ts'

export interface BoxTree {
  nodeCount: number
  boxes: Float64Array
  child: Int32Array
}

/** Bound on the depth of any tree: each side of a split has an eighth or more, and log(2³¹) / log(8/7) < 161. */
export const TREE_DEPTH_COUNT = 161

/** The smaller side of a split holds at least one in this many. */
const LEAST_SHARE_COUNT = 8

/** Leaves in the order of the tree, and the centres of their boxes. */
interface Leaves {
  order: Int32Array
  centers: Float64Array
}

/** Children of a tree of one leaf. */
const ONLY_LEAF = Int32Array.of(~0)

/** The tree over `count` boxes, six numbers each. Over one box, it keeps the caller's array. */
export function buildBoxTree(leafBoxes: Float64Array, count: number): BoxTree {
  spend(2 * count)
  // most composite bodies are one mesh
  if (count === 1) return { nodeCount: 1, boxes: leafBoxes, child: ONLY_LEAF }
  const nodeCount = Math.max(0, 2 * count - 1)
  const tree = { nodeCount, boxes: new Float64Array(6 * nodeCount), child: new Int32Array(nodeCount) }
  if (count === 0) return tree
  makeNodes(tree.child, gather(leafBoxes, count))
  for (let node = nodeCount - 1; node >= 0; node--) {
    const first = tree.child[node]
    if (first < 0) copyBox(leafBoxes, ~first, tree.boxes, node)
    else joinBoxes(tree.boxes, first, node)
  }
  return tree
}

function gather(boxes: Float64Array, count: number): Leaves {
  const order = new Int32Array(count)
  const centers = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) {
    order[i] = i
    for (let k = 0; k < 3; k++) centers[3 * i + k] = centre(boxes[6 * i + k], boxes[6 * i + 3 + k])
  }
  return { order, centers }
}

/** Unbounded boxes have no centre; any place will do. */
function centre(min: number, max: number): number {
  const middle = 0.5 * min + 0.5 * max
  return Number.isFinite(middle) ? middle : 0
}

function makeNodes(child: Int32Array, leaves: Leaves): void {
  const ranges = new Int32Array(3 * (TREE_DEPTH_COUNT + 2))
  let nodeCount = 1
  let top = pushRange(ranges, 0, 0, 0, leaves.order.length)
  while (top > 0) {
    top -= 3
    const node = ranges[top]
    const start = ranges[top + 1]
    const end = ranges[top + 2]
    if (end - start === 1) {
      child[node] = ~leaves.order[start]
      continue
    }
    const middle = split(leaves, start, end)
    child[node] = nodeCount
    top = pushRange(ranges, top, nodeCount + 1, middle, end)
    top = pushRange(ranges, top, nodeCount, start, middle)
    nodeCount += 2
  }
}

function pushRange(ranges: Int32Array, top: number, node: number, start: number, end: number): number {
  ranges[top] = node
  ranges[top + 1] = start
  ranges[top + 2] = end
  return top + 3
}

/** Puts `order[start…end)` into two halves and returns where the second begins. */
function split(leaves: Leaves, start: number, end: number): number {
  const { order, centers } = leaves
  let minX = Infinity
  let minY = Infinity
  let minZ = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  let maxZ = -Infinity
  for (let k = start; k < end; k++) {
    const at = 3 * order[k]
    const x = centers[at]
    const y = centers[at + 1]
    const z = centers[at + 2]
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
    if (z < minZ) minZ = z
    if (z > maxZ) maxZ = z
  }
  spend((end - start) >> 1)
  const longest = Math.max(maxX - minX, maxY - minY, maxZ - minZ)
  const axis = longest === maxX - minX ? 0 : longest === maxY - minY ? 1 : 2
  const min = axis === 0 ? minX : axis === 1 ? minY : minZ
  const max = axis === 0 ? maxX : axis === 1 ? maxY : maxZ
  const median = (start + end) >> 1
  if (min === max) return median
  const middle = partition(leaves, start, end, axis, 0.5 * min + 0.5 * max)
  const least = (end - start) / LEAST_SHARE_COUNT
  if (middle - start >= least && end - middle >= least) return middle
  spend(4 * sortingSteps(end - start))
  order.subarray(start, end).sort((i, j) => compare(centers[3 * i + axis], centers[3 * j + axis]))
  return median
}

/** Differences may be infinite. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Moves the leaves whose centre lies below `limit` to the front and returns where the others begin. */
function partition({ order, centers }: Leaves, start: number, end: number, axis: number, limit: number): number {
  let low = start
  let high = end - 1
  while (low <= high) {
    const leaf = order[low]
    if (centers[3 * leaf + axis] < limit) {
      low++
    } else {
      order[low] = order[high]
      order[high--] = leaf
    }
  }
  return low
}

function copyBox(from: Float64Array, index: number, to: Float64Array, node: number): void {
  for (let side = 0; side < 6; side++) to[6 * node + side] = from[6 * index + side]
}

function joinBoxes(boxes: Float64Array, first: number, node: number): void {
  const i = 6 * first
  for (let side = 0; side < 3; side++) {
    boxes[6 * node + side] = Math.min(boxes[i + side], boxes[i + 6 + side])
    boxes[6 * node + 3 + side] = Math.max(boxes[i + 3 + side], boxes[i + 9 + side])
  }
}

/** 1 where box `i` of one list and box `j` of another have a point in common, otherwise 0; without branches. */
export function boxesMeet(boxesA: Float64Array, i: number, boxesB: Float64Array, j: number): number {
  const a = 6 * i
  const b = 6 * j
  return (
    +(boxesA[a] <= boxesB[b + 3]) &
    +(boxesB[b] <= boxesA[a + 3]) &
    +(boxesA[a + 1] <= boxesB[b + 4]) &
    +(boxesB[b + 1] <= boxesA[a + 4]) &
    +(boxesA[a + 2] <= boxesB[b + 5]) &
    +(boxesB[b + 2] <= boxesA[a + 5])
  )
}

/** The first fault of a tree over these boxes, for tests; null where there is none. */
export function validateBoxTree(tree: BoxTree, leafBoxes: Float64Array, count: number): string | null {
  const { nodeCount, boxes, child } = tree
  if (nodeCount !== (count === 0 ? 0 : 2 * count - 1)) return `${nodeCount} nodes over ${count} leaves`
  const depths = new Int32Array(nodeCount)
  const parents = new Int32Array(nodeCount).fill(-1)
  const seen = new Set<number>()
  for (let node = 0; node < nodeCount; node++) {
    if (node > 0 && parents[node] < 0) return `node ${node} has no parent`
    if (depths[node] > TREE_DEPTH_COUNT) return `node ${node} is ${depths[node]} deep`
    const first = child[node]
    const box = boxes.subarray(6 * node, 6 * node + 6)
    if (first < 0) {
      seen.add(~first)
      if (leafBoxes.subarray(6 * ~first, 6 * ~first + 6).some((side, k) => side !== box[k]))
        return `leaf ${~first}: box`
      continue
    }
    if (first <= node || first + 1 >= nodeCount) return `node ${node} has children ${first}, ${first + 1}`
    for (const next of [first, first + 1]) {
      if (parents[next] >= 0) return `node ${next} has two parents`
      parents[next] = node
      depths[next] = depths[node] + 1
    }
    const joined = new Float64Array(18)
    joined.set(boxes.subarray(6 * first, 6 * first + 12), 6)
    joinBoxes(joined, 1, 0)
    if (box.some((side, k) => side !== joined[k])) return `node ${node} is not the box around its children`
  }
  return seen.size === count ? null : `${seen.size} leaves of ${count}`
}
