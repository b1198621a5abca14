/**
 * Traversals of a dynamic tree: items whose boxes meet a box or a point, a ray or a moving box, and each other.
 * The item's own box decides, not the fat one. All sets are closed: touching counts.
 */
import { boxesMeet } from './box-tree.ts'
import type { DynamicTree } from './dynamic-tree.ts'
import { slabEntryTime } from './moving-boxes.ts'
import { addPair, type PairList } from './pair-list.ts'

export interface ItemList {
  count: number
  items: Int32Array
  /** Boxes looked at, those of inner nodes included. */
  boxTests: number
}

export function createItemList(): ItemList {
  return { count: 0, items: new Int32Array(16), boxTests: 0 }
}

/** Nodes yet to visit. A stack for each walk under way, because a visitor may walk too. */
const stacks: Int32Array[] = []
let walks = 0

function takeStack(): Int32Array {
  stacks[walks] ??= new Int32Array(256)
  return stacks[walks++]
}

/** A longer stack with the same contents, for the walk that was begun last. */
function growStack(stack: Int32Array): Int32Array {
  const longer = new Int32Array(2 * stack.length)
  longer.set(stack)
  stacks[walks - 1] = longer
  return longer
}

/** The items whose boxes meet the given one, in no particular order, replacing what `out` held. A point is a box without size. */
export function queryBox(
  { root, boxes, left, right, itemBoxes }: DynamicTree,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  out: ItemList,
): void {
  out.count = 0
  if (root < 0) return
  let stack = takeStack()
  let top = 0
  stack[top++] = root
  while (top > 0) {
    const node = stack[--top]
    const item = ~left[node]
    const from = item >= 0 ? itemBoxes : boxes
    const at = 4 * (item >= 0 ? item : node)
    out.boxTests++
    if (from[at] > maxX || minX > from[at + 2] || from[at + 1] > maxY || minY > from[at + 3]) continue
    if (item >= 0) {
      addItem(out, item)
    } else {
      if (top + 2 > stack.length) stack = growStack(stack)
      stack[top++] = right[node]
      stack[top++] = left[node]
    }
  }
  walks--
}

function addItem(list: ItemList, item: number): void {
  if (list.count === list.items.length) {
    const larger = new Int32Array(2 * list.count)
    larger.set(list.items)
    list.items = larger
  }
  list.items[list.count++] = item
}

/** A box on its way: where it starts, and how far it comes in one unit of time. A ray is one without size. */
export interface MovingBox {
  minX: number
  minY: number
  maxX: number
  maxY: number
  vx: number
  vy: number
}

/**
 * Calls `visit` with the items that the moving box may meet up to the time that it last returned (`limit` at first), and a
 * lower bound of when; nearer subtrees first. Rounding may let a box count that is missed by as little, never the other way.
 */
export function visitMovingBox(
  { root, boxes, left, right, itemBoxes }: DynamicTree,
  moving: MovingBox,
  limit: number,
  visit: (item: number, time: number) => number,
): void {
  if (root < 0) return
  let stack = takeStack()
  let latest = limit
  let top = 0
  stack[top++] = root
  while (top > 0) {
    const node = stack[--top]
    const item = ~left[node]
    if (item >= 0) {
      const time = entryTime(itemBoxes, 4 * item, moving, latest)
      if (time < Infinity) latest = visit(item, time)
      continue
    }
    const a = left[node]
    const b = right[node]
    const timeA = entryTime(boxes, 4 * a, moving, latest)
    const timeB = entryTime(boxes, 4 * b, moving, latest)
    if (top + 2 > stack.length) stack = growStack(stack)
    const near = timeA <= timeB ? a : b
    const nearTime = Math.min(timeA, timeB)
    const farTime = Math.max(timeA, timeB)
    if (farTime < Infinity) stack[top++] = near === a ? b : a
    if (nearTime < Infinity) stack[top++] = near
  }
  walks--
}

/**
 * When the moving box enters the box at boxes[at…], or Infinity when not within the limit. The terms are single differences
 * and quotients, so their signs are exact and their errors a share of themselves.
 */
function entryTime(boxes: Float64Array, at: number, moving: MovingBox, limit: number): number {
  const { minX, minY, maxX, maxY, vx, vy } = moving
  return slabEntryTime(
    boxes[at] - maxX,
    boxes[at + 2] - minX,
    boxes[at + 1] - maxY,
    boxes[at + 3] - minY,
    vx,
    vy,
    limit,
  )
}

/** Adds the pairs of items that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function treePairs(tree: DynamicTree, out: PairList): boolean {
  if (tree.root < 0 || tree.left[tree.root] < 0) return true
  const complete = walkPairs(tree, takeStack(), out)
  walks--
  return complete
}

/** The stack holds pairs of nodes; a node with itself stands for all pairs below it. */
function walkPairs(tree: DynamicTree, given: Int32Array, out: PairList): boolean {
  const { boxes, left, right, itemBoxes } = tree
  let stack = given
  let top = 0
  stack[top++] = tree.root
  stack[top++] = tree.root
  while (top > 0) {
    const j = stack[--top]
    const i = stack[--top]
    if (top + 6 > stack.length) stack = growStack(stack)
    if (i === j) {
      const a = left[i]
      const b = right[i]
      if (left[a] >= 0) top = push(stack, top, a, a)
      if (left[b] >= 0) top = push(stack, top, b, b)
      top = push(stack, top, a, b)
      continue
    }
    if (++out.boxTests > out.budget) return false
    const itemA = ~left[i]
    const itemB = ~left[j]
    if (itemA >= 0 && itemB >= 0) {
      if (boxesMeet(itemBoxes, itemA, itemBoxes, itemB) && !addPair(out, itemA, itemB)) return false
      continue
    }
    if (!boxesMeet(boxes, i, boxes, j)) continue
    if (itemB >= 0 || (itemA < 0 && isLarger(boxes, i, j))) {
      top = push(stack, top, left[i], j)
      top = push(stack, top, right[i], j)
    } else {
      top = push(stack, top, i, left[j])
      top = push(stack, top, i, right[j])
    }
  }
  return true
}

function push(stack: Int32Array, top: number, i: number, j: number): number {
  stack[top] = i
  stack[top + 1] = j
  return top + 2
}

function isLarger(boxes: Float64Array, i: number, j: number): boolean {
  const a = 4 * i
  const b = 4 * j
  return (
    boxes[a + 2] - boxes[a] + (boxes[a + 3] - boxes[a + 1]) >= boxes[b + 2] - boxes[b] + (boxes[b + 3] - boxes[b + 1])
  )
}
