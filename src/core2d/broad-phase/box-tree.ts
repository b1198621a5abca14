/**
 * A static bounding-volume tree over boxes.
 *
 * Method: top-down; a node is split at the middle of the box centres along their longer side. A split that leaves less
 * than an eighth on one side is replaced by one at the median, so the tree is never deeper than `TREE_DEPTH_COUNT` and is
 * built in O(n log n), O(n log² n) for centres that crowd together again and again.
 * Node k has its box at boxes[4k…4k+3] (min x, min y, max x, max y); child[k] ≥ 0: its children are nodes child[k] and
 * child[k] + 1; child[k] < 0: it is leaf ~child[k]. Node 0 is the root; children come after their parents. A tree without
 * leaves has no nodes. Boxes may be infinite.
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk, KEPT_ENTRIES, type WalkStack } from '../../containers/scratch.ts'

export interface BoxTree {
  nodeCount: number
  boxes: Float64Array
  child: Int32Array
}

/** Bound on the depth of any tree: each side of a split has an eighth or more, and log(2³¹) / log(8/7) < 161. */
export const TREE_DEPTH_COUNT = 161

/** The smaller side of a split holds at least one in this many. */
const LEAST_SHARE_COUNT = 8

/** Scratch of a build: leaves in the order of the tree, centres of their boxes, and the ranges of nodes yet to split. */
let order = new Int32Array(16)
let centers = new Float64Array(32)
const ranges = new Int32Array(3 * (TREE_DEPTH_COUNT + 1))

export function createBoxTree(): BoxTree {
  return { nodeCount: 0, boxes: new Float64Array(64), child: new Int32Array(16) }
}

/** Builds the tree over `count` boxes (min x, min y, max x, max y each), replacing what it held; its arrays grow. */
export function buildBoxTree(tree: BoxTree, leafBoxes: Float64Array, count: number): void {
  tree.nodeCount = 0
  if (count === 0) return
  reserve(tree, count)
  for (let i = 0; i < count; i++) {
    order[i] = i
    centers[2 * i] = centre(leafBoxes[4 * i], leafBoxes[4 * i + 2])
    centers[2 * i + 1] = centre(leafBoxes[4 * i + 1], leafBoxes[4 * i + 3])
  }
  const { boxes, child } = tree
  let nodeCount = 1
  let top = pushRange(0, 0, 0, count)
  while (top > 0) {
    top -= 3
    const node = ranges[top]
    const start = ranges[top + 1]
    const end = ranges[top + 2]
    if (end - start === 1) {
      child[node] = ~order[start]
      continue
    }
    const middle = split(start, end)
    child[node] = nodeCount
    top = pushRange(top, nodeCount + 1, middle, end)
    top = pushRange(top, nodeCount, start, middle)
    nodeCount += 2
  }
  for (let node = nodeCount - 1; node >= 0; node--) {
    const first = child[node]
    if (first < 0) copyBox(leafBoxes, ~first, boxes, node)
    else joinBoxes(boxes, first, node)
  }
  tree.nodeCount = nodeCount
  if (order.length > KEPT_ENTRIES) {
    order = new Int32Array(16)
    centers = new Float64Array(32)
  }
}

function reserve(tree: BoxTree, count: number): void {
  if (order.length < count) {
    const capacity = 2 ** Math.ceil(Math.log2(count))
    order = new Int32Array(capacity)
    centers = new Float64Array(2 * capacity)
  }
  if (tree.child.length < 2 * count) {
    const capacity = 2 ** Math.ceil(Math.log2(2 * count))
    tree.child = new Int32Array(capacity)
    tree.boxes = new Float64Array(4 * capacity)
  }
}

/** Unbounded boxes have no centre; any place will do. */
function centre(min: number, max: number): number {
  const middle = 0.5 * min + 0.5 * max
  return Number.isFinite(middle) ? middle : 0
}

function pushRange(top: number, node: number, start: number, end: number): number {
  ranges[top] = node
  ranges[top + 1] = start
  ranges[top + 2] = end
  return top + 3
}

/** Puts `order[start…end)` into two halves and returns where the second begins. */
function split(start: number, end: number): number {
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let k = start; k < end; k++) {
    const x = centers[2 * order[k]]
    const y = centers[2 * order[k] + 1]
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
  }
  const axis = maxX - minX >= maxY - minY ? 0 : 1
  const min = axis === 0 ? minX : minY
  const max = axis === 0 ? maxX : maxY
  const median = (start + end) >> 1
  if (min === max) return median
  const middle = partition(start, end, axis, 0.5 * min + 0.5 * max)
  const least = (end - start) / LEAST_SHARE_COUNT
  if (middle - start >= least && end - middle >= least) return middle
  order.subarray(start, end).sort((i, j) => centers[2 * i + axis] - centers[2 * j + axis])
  return median
}

/** Moves the leaves whose centre lies below `limit` to the front and returns where the others begin. */
function partition(start: number, end: number, axis: number, limit: number): number {
  let low = start
  let high = end - 1
  while (low <= high) {
    const leaf = order[low]
    if (centers[2 * leaf + axis] < limit) {
      low++
    } else {
      order[low] = order[high]
      order[high--] = leaf
    }
  }
  return low
}

function copyBox(from: Float64Array, index: number, to: Float64Array, node: number): void {
  for (let side = 0; side < 4; side++) to[4 * node + side] = from[4 * index + side]
}

function joinBoxes(boxes: Float64Array, first: number, node: number): void {
  const i = 4 * first
  const j = i + 4
  boxes[4 * node] = Math.min(boxes[i], boxes[j])
  boxes[4 * node + 1] = Math.min(boxes[i + 1], boxes[j + 1])
  boxes[4 * node + 2] = Math.max(boxes[i + 2], boxes[j + 2])
  boxes[4 * node + 3] = Math.max(boxes[i + 3], boxes[j + 3])
}

/** Whether box `i` of one list and box `j` of another have a point in common. */
export function boxesMeet(boxesA: Float64Array, i: number, boxesB: Float64Array, j: number): boolean {
  const a = 4 * i
  const b = 4 * j
  return (
    boxesA[a] <= boxesB[b + 2] &&
    boxesB[b] <= boxesA[a + 2] &&
    boxesA[a + 1] <= boxesB[b + 3] &&
    boxesB[b + 1] <= boxesA[a + 3]
  )
}

/** Square of the distance from a point to box `i`; 0 inside. */
export function boxDistanceSquare(boxes: Float64Array, i: number, px: number, py: number): number {
  const at = 4 * i
  const dx = Math.max(boxes[at] - px, px - boxes[at + 2], 0)
  const dy = Math.max(boxes[at + 1] - py, py - boxes[at + 3], 0)
  return dx * dx + dy * dy
}

/** Square of the distance between box `i` of one list and box `j` of another; 0 where they meet. */
export function boxGapSquare(boxesA: Float64Array, i: number, boxesB: Float64Array, j: number): number {
  const a = 4 * i
  const b = 4 * j
  const dx = Math.max(boxesA[a] - boxesB[b + 2], boxesB[b] - boxesA[a + 2], 0)
  const dy = Math.max(boxesA[a + 1] - boxesB[b + 3], boxesB[b + 1] - boxesA[a + 3], 0)
  return dx * dx + dy * dy
}

/** Checks a tree over these boxes, for tests: returns the first fault, or null. */
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
    const box = boxes.subarray(4 * node, 4 * node + 4)
    if (first < 0) {
      seen.add(~first)
      if (leafBoxes.subarray(4 * ~first, 4 * ~first + 4).some((side, k) => side !== box[k]))
        return `leaf ${~first}: box`
      continue
    }
    if (first <= node || first + 1 >= nodeCount) return `node ${node} has children ${first}, ${first + 1}`
    for (const next of [first, first + 1]) {
      if (parents[next] >= 0) return `node ${next} has two parents`
      parents[next] = node
      depths[next] = depths[node] + 1
    }
    const joined = new Float64Array(12)
    joined.set(boxes.subarray(4 * first, 4 * first + 8), 4)
    joinBoxes(joined, 1, 0)
    if (box.some((side, k) => side !== joined[k])) return `node ${node} is not the box around its children`
  }
  return seen.size === count ? null : `${seen.size} leaves of ${count}`
}

// Walking two box trees together: pairs of leaves whose boxes are near each other, in whatever sense, nearest first.
//
// Method: depth first, the larger box of a pair is split, and the nearer half looked at first (branch and bound).

/** Pairs of nodes yet to visit: one more for each level of either tree, at most, and one for the pair of roots. */
const STACK_SIZE = 2 * (TREE_DEPTH_COUNT + 1)

/**
 * Calls `visit` for the leaf pairs whose measure does not exceed what `visit` last returned (`limit` at first); a negative
 * return ends the walk. `measure`: of two nodes, no greater than that of any nodes below them.
 */
export function visitTreePairs(
  treeA: BoxTree,
  treeB: BoxTree,
  limit: number,
  measure: (nodeA: number, nodeB: number) => number,
  visit: (leafA: number, leafB: number) => number,
): void {
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return
  const stack = beginWalk(2 * STACK_SIZE)
  try {
    walk(stack, treeA, treeB, limit, measure, visit)
  } finally {
    endWalk()
  }
}

/** The stack holds two nodes an entry, and their measure. */
function walk(
  { nodes, keys: measures }: WalkStack,
  treeA: BoxTree,
  treeB: BoxTree,
  limit: number,
  measure: (nodeA: number, nodeB: number) => number,
  visit: (leafA: number, leafB: number) => number,
): void {
  let reach = limit
  nodes[0] = 0
  nodes[1] = 0
  measures[0] = measure(0, 0)
  let top = 1
  while (top > 0 && reach >= 0) {
    top--
    spend(1)
    if (measures[top] > reach) continue
    const i = nodes[2 * top]
    const j = nodes[2 * top + 1]
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      reach = visit(~childA, ~childB)
      continue
    }
    const splitA = childB < 0 || (childA >= 0 && sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))
    const nextA = splitA ? childA + 1 : i
    const nextB = splitA ? j : childB + 1
    const firstA = splitA ? childA : i
    const firstB = splitA ? j : childB
    const first = measure(firstA, firstB)
    const next = measure(nextA, nextB)
    // The nearer one on top.
    const inOrder = first <= next
    const low = inOrder ? top : top + 1
    const high = inOrder ? top + 1 : top
    nodes[2 * low] = nextA
    nodes[2 * low + 1] = nextB
    measures[low] = next
    nodes[2 * high] = firstA
    nodes[2 * high + 1] = firstB
    measures[high] = first
    top += 2
  }
}

function sizeOf(boxes: Float64Array, node: number): number {
  return boxes[4 * node + 2] - boxes[4 * node] + (boxes[4 * node + 3] - boxes[4 * node + 1])
}
