/**
 * Traversals of a dynamic tree: items whose boxes meet a box or a point, a ray or a moving box.
 * The item's own box decides, not its leaf's. All sets are closed: touching counts.
 */
import type { DynamicTree } from './dynamic-tree.ts'
import { slabEntryTime } from './moving-boxes.ts'
import { UNIT_ROUNDOFF } from './tolerances.ts'
import { beginWalk, endWalk } from './walk-stack.ts'

export interface ItemList {
  count: number
  items: Int32Array
  /** Boxes looked at, those of inner nodes included. */
  boxTests: number
}

export function createItemList(): ItemList {
  return { count: 0, items: new Int32Array(16), boxTests: 0 }
}

/**
 * The items whose boxes meet the given one, in no particular order, replacing what `out` held. A point is a box without size.
 * The walk has no branches that depend on the boxes: what is not hit is written too, and written over. Guessing these branches
 * wrongly would cost more than all tests.
 */
export function queryBox(
  tree: DynamicTree,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  out: ItemList,
): void {
  const { boxes, child, height } = tree
  const { nodes } = beginWalk(height[0] + 2)
  let { items } = out
  let count = 0
  let pairs = 0
  let top = 1
  nodes[0] = 0
  while (top > 0) {
    const a = nodes[--top]
    const at = 4 * a
    pairs++
    if (count + 2 > items.length) items = grow(out)
    const firstA = child[a]
    const firstB = child[a + 1]
    const hitA = +(boxes[at] <= maxX) & +(minX <= boxes[at + 2]) & +(boxes[at + 1] <= maxY) & +(minY <= boxes[at + 3])
    const hitB =
      +(boxes[at + 4] <= maxX) & +(minX <= boxes[at + 6]) & +(boxes[at + 5] <= maxY) & +(minY <= boxes[at + 7])
    const isLeafA = firstA >>> 31
    const isLeafB = firstB >>> 31
    nodes[top] = firstB
    top += hitB & (1 - isLeafB)
    nodes[top] = firstA
    top += hitA & (1 - isLeafA)
    items[count] = ~firstA
    count += hitA & isLeafA
    items[count] = ~firstB
    count += hitB & isLeafB
  }
  endWalk()
  out.count = tree.fatCount > 0 ? keepMeeting(tree, items, count, minX, minY, maxX, maxY) : count
  out.boxTests += 2 * pairs
}

/** Of the items listed, those whose own boxes meet the given one; returns how many. */
function keepMeeting(
  { itemBoxes, isFat }: DynamicTree,
  items: Int32Array,
  count: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): number {
  let kept = 0
  for (let k = 0; k < count; k++) {
    const item = items[k]
    const at = 4 * item
    items[kept] = item
    if (isFat[item] === 0) kept++
    else if (itemBoxes[at] <= maxX && minX <= itemBoxes[at + 2]) {
      if (itemBoxes[at + 1] <= maxY && minY <= itemBoxes[at + 3]) kept++
    }
  }
  return kept
}

function grow(list: ItemList): Int32Array {
  const larger = new Int32Array(2 * list.items.length)
  larger.set(list.items)
  list.items = larger
  return larger
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

/** Speeds beyond this, or below its inverse, have no inverse to multiply with that is a normal number. */
const MOST_SPEED = 2 ** 1000
/** A side minus a place, times an inverse, has three roundings, and so has the one that it is compared with. */
const SLAB_ERROR_RATIO = 8 * UNIT_ROUNDOFF

/**
 * Calls `visit` with the items that the moving box may meet up to the time that it last returned (`limit` at first), and a
 * lower bound of when; nearer subtrees first. Rounding may let a box count that is missed by as little, never the other way.
 */
export function visitMovingBox(
  tree: DynamicTree,
  moving: MovingBox,
  limit: number,
  visit: (item: number, time: number) => number,
): void {
  if (tree.count === 0) return
  const { boxes, child, height, itemBoxes, isFat } = tree
  const { minX, minY, maxX, maxY, vx, vy } = moving
  const isPlain = hasInverse(vx) && hasInverse(vy)
  const ix = 1 / vx
  const iy = 1 / vy
  const { nodes, keys } = beginWalk(height[0] + 2)
  let latest = limit
  let top = 0
  const start = entryTime(boxes, 0, minX, minY, maxX, maxY, vx, vy, ix, iy, isPlain, latest)
  if (start < Infinity) {
    nodes[top] = child[0]
    keys[top++] = start
  }
  // A child that is yet to look at, or ~item, and when it is met.
  while (top > 0) {
    const time = keys[--top]
    if (time > latest) continue
    const first = nodes[top]
    if (first < 0) {
      const item = ~first
      let own = time
      if (isFat[item] === 1) {
        own = entryTime(itemBoxes, 4 * item, minX, minY, maxX, maxY, vx, vy, ix, iy, isPlain, latest)
        if (own === Infinity) continue
      }
      latest = visit(item, own)
      continue
    }
    const timeA = entryTime(boxes, 4 * first, minX, minY, maxX, maxY, vx, vy, ix, iy, isPlain, latest)
    const timeB = entryTime(boxes, 4 * first + 4, minX, minY, maxX, maxY, vx, vy, ix, iy, isPlain, latest)
    const far = timeA <= timeB ? first + 1 : first
    const farTime = Math.max(timeA, timeB)
    const nearTime = Math.min(timeA, timeB)
    if (farTime < Infinity) {
      nodes[top] = child[far]
      keys[top++] = farTime
    }
    if (nearTime < Infinity) {
      nodes[top] = child[far ^ 1]
      keys[top++] = nearTime
    }
  }
  endWalk()
}

/** Or needs none, being 0. */
function hasInverse(speed: number): boolean {
  const size = Math.abs(speed)
  return size === 0 || (size < MOST_SPEED && size > 1 / MOST_SPEED)
}

/**
 * When the moving box enters the box at boxes[at…], or Infinity when not within the limit. The differences of sides have exact
 * signs and errors that are a share of themselves.
 */
function entryTime(
  boxes: Float64Array,
  at: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  vx: number,
  vy: number,
  ix: number,
  iy: number,
  isPlain: boolean,
  limit: number,
): number {
  const left = boxes[at] - maxX
  const right = boxes[at + 2] - minX
  const low = boxes[at + 1] - maxY
  const high = boxes[at + 3] - minY
  if (!isPlain) return slabEntryTime(left, right, low, high, vx, vy, limit)
  let enter = 0
  let leave = limit
  if (vx === 0) {
    if (left > 0 || right < 0) return Infinity
  } else {
    const into = (vx > 0 ? left : right) * ix
    const outOf = (vx > 0 ? right : left) * ix
    enter = Math.max(enter, into)
    leave = Math.min(leave, outOf)
  }
  if (vy === 0) {
    if (low > 0 || high < 0) return Infinity
  } else {
    const into = (vy > 0 ? low : high) * iy
    const outOf = (vy > 0 ? high : low) * iy
    enter = Math.max(enter, into)
    leave = Math.min(leave, outOf)
  }
  const earliest = enter - SLAB_ERROR_RATIO * enter
  return earliest <= leave + SLAB_ERROR_RATIO * Math.abs(leave) ? earliest : Infinity
}
