/**
 * The items of a dynamic tree that are nearest to something.
 *
 * Method: best first (G. Hjaltason, H. Samet, "Distance Browsing in Spatial Databases", 1999, 4). Nodes wait in a heap by the
 * distance of their boxes, and the caller's exact distance is asked for only where a box is nearer than what has been found.
 * The heap is its own: `containers/priority-queue.ts` keeps the order of arrival too, which nothing here hangs on and which made
 * searches a quarter to a half slower.
 */

import { spend } from '../containers/budget.ts'
import { beginWalk, endWalk, extendWalk, type WalkStack } from '../containers/scratch.ts'
import type { DynamicTree } from './dynamic-tree.ts'

export interface NearestItemsQuery {
  /** The box of what distances are from. A point is a box without size. */
  box: Float64Array
  /** How many items, at most, and how far away, at most; both may be infinite. */
  count: number
  maxDistance: number
  /** How much less than the distance of the two boxes a distance may come out, being rounded. */
  slack: number
  /** Nodes and items looked at after which the search is given up; no limit when absent. */
  mostLooks?: number
}

interface NearestList {
  count: number
  items: Int32Array
  distances: Float64Array
  /** How many distances were asked for. */
  distanceTests: number
}

/** Of two boxes. An array, because a number that a function returns which is not inlined is allocated. */
const gaps = new Float64Array(2)

/** Steps of taking a node out of the heap. */
const STEPS_PER_NODE = 4

export function createNearestList(): NearestList {
  return { count: 0, items: new Int32Array(16), distances: new Float64Array(16), distanceTests: 0 }
}

/**
 * Replaces what `out` held by the items of least distance, nearest first, of two that are as near the one with the lower number:
 * the same whatever the shape of the tree. `distance` tells how far an item is; Infinity leaves it out. It may walk trees too.
 * False, and `out` has some items, where the search was given up.
 */
export function nearestItems(
  tree: DynamicTree,
  query: NearestItemsQuery,
  distance: (item: number) => number,
  out: NearestList,
): boolean {
  out.count = 0
  if (tree.count === 0 || !(query.count >= 1)) return true
  const heap = beginWalk(64)
  try {
    return search(tree, query, distance, heap, out)
  } finally {
    endWalk()
  }
}

/** Whether everything was looked at that had to be. */
function search(
  { space, boxes, child, itemBoxes, isFat }: DynamicTree,
  query: NearestItemsQuery,
  distance: (item: number) => number,
  heap: WalkStack,
  out: NearestList,
): boolean {
  const { box, slack, mostLooks = Infinity } = query
  let looks = 0
  let limit = query.maxDistance
  space.boxDistances(boxes, 0, 1, box, gaps)
  let size = push(heap, 0, child[0], gaps[0] - slack)
  while (size > 0 && heap.keys[0] <= limit && looks++ < mostLooks) {
    const first = heap.nodes[0]
    spend(STEPS_PER_NODE)
    size = pop(heap, size)
    if (first >= 0) {
      space.boxDistances(boxes, first, 2, box, gaps)
      for (let k = 0; k < 2; k++) {
        const bound = gaps[k] - slack
        if (bound <= limit) size = push(heap, size, child[first + k], bound)
      }
      continue
    }
    const item = ~first
    if (isFat[item] === 1) {
      space.boxDistances(itemBoxes, item, 1, box, gaps)
      const bound = gaps[0] - slack
      if (bound > limit) continue
      // The leaf may be nearer than its item, which then waits for its turn.
      if (size > 0 && bound > heap.keys[0]) {
        size = push(heap, size, first, bound)
        continue
      }
    }
    out.distanceTests++
    const exact = distance(item)
    if (exact <= limit && exact < Infinity) {
      insert(out, item, exact, query.count)
      if (out.count === query.count) limit = out.distances[out.count - 1]
    }
  }
  return looks <= mostLooks
}

/** Puts an item in its place among at most `most`; one that is farther than all of them stays out. */
function insert(list: NearestList, item: number, distance: number, most: number): void {
  if (list.count < most) {
    if (list.count === list.items.length) grow(list)
    list.count++
  } else if (isBefore(list.distances[most - 1], list.items[most - 1], distance, item)) {
    return
  }
  const { items, distances } = list
  let at = list.count - 1
  for (; at > 0 && isBefore(distance, item, distances[at - 1], items[at - 1]); at--) {
    distances[at] = distances[at - 1]
    items[at] = items[at - 1]
  }
  distances[at] = distance
  items[at] = item
  spend((list.count - 1 - at) >> 3)
}

function isBefore(distance: number, item: number, otherDistance: number, other: number): boolean {
  return distance < otherDistance || (distance === otherDistance && item < other)
}

function grow(list: NearestList): void {
  const items = new Int32Array(2 * list.items.length)
  items.set(list.items)
  const distances = new Float64Array(2 * list.items.length)
  distances.set(list.distances)
  list.items = items
  list.distances = distances
}

/** Returns the new size. */
function push(heap: WalkStack, size: number, node: number, key: number): number {
  if (size === heap.nodes.length) extendWalk(heap)
  const { nodes, keys } = heap
  let at = size
  while (at > 0) {
    const above = (at - 1) >> 1
    if (keys[above] <= key) break
    keys[at] = keys[above]
    nodes[at] = nodes[above]
    at = above
  }
  keys[at] = key
  nodes[at] = node
  return size + 1
}

/** Takes the least away; returns the new size. */
function pop({ nodes, keys }: WalkStack, size: number): number {
  const last = size - 1
  const key = keys[last]
  const node = nodes[last]
  let at = 0
  for (let below = 1; below < last; below = 2 * at + 1) {
    if (below + 1 < last && keys[below + 1] < keys[below]) below++
    if (key <= keys[below]) break
    keys[at] = keys[below]
    nodes[at] = nodes[below]
    at = below
  }
  keys[at] = key
  nodes[at] = node
  return last
}
