/**
 * Traversals of a dynamic tree in space: items whose boxes meet a box or a point, a ray or a moving box.
 * The item's own box decides, not its leaf's. All sets are closed: touching counts. As `core2d/broad-phase/dynamic-tree-queries.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { growItems, type ItemList } from '../../containers/item-list.ts'
import { addPair, type PairList } from '../../containers/pair-list.ts'
import { beginWalk, endWalk, soleWalk, type WalkStack } from '../../containers/scratch.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { boxesMeet } from './box-tree.ts'

/**
 * The items whose boxes meet box `index` of a list, in no particular order, replacing what `out` held. A point is a box without size.
 * The walk has no branches that depend on the boxes: what is not hit is written too, and written over. Guessing these branches
 * wrongly would cost more than all tests.
 */
export function queryBox(tree: DynamicTree, list: Float64Array, index: number, out: ItemList): void {
  const { boxes, child, height } = tree
  const minX = list[6 * index]
  const minY = list[6 * index + 1]
  const minZ = list[6 * index + 2]
  const maxX = list[6 * index + 3]
  const maxY = list[6 * index + 4]
  const maxZ = list[6 * index + 5]
  const { nodes } = soleWalk(height[0] + 2)
  let { items } = out
  let count = 0
  let pairs = 0
  let top = 1
  nodes[0] = 0
  while (top > 0) {
    const a = nodes[--top]
    const at = 6 * a
    pairs++
    if (count + 2 > items.length) items = growItems(out)
    const firstA = child[a]
    const firstB = child[a + 1]
    const hitA =
      +(boxes[at] <= maxX) &
      +(minX <= boxes[at + 3]) &
      +(boxes[at + 1] <= maxY) &
      +(minY <= boxes[at + 4]) &
      +(boxes[at + 2] <= maxZ) &
      +(minZ <= boxes[at + 5])
    const hitB =
      +(boxes[at + 6] <= maxX) &
      +(minX <= boxes[at + 9]) &
      +(boxes[at + 7] <= maxY) &
      +(minY <= boxes[at + 10]) &
      +(boxes[at + 8] <= maxZ) &
      +(minZ <= boxes[at + 11])
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
  spend(pairs + count)
  out.count = tree.fatCount > 0 ? keepMeeting(tree, items, count, list, index) : count
  out.boxTests += 2 * pairs
}

/** Of the items listed, those whose own boxes meet box `index` of a list; returns how many. */
function keepMeeting(
  { itemBoxes, isFat }: DynamicTree,
  items: Int32Array,
  count: number,
  list: Float64Array,
  index: number,
): number {
  let kept = 0
  for (let k = 0; k < count; k++) {
    const item = items[k]
    items[kept] = item
    kept += isFat[item] === 0 ? 1 : boxesMeet(itemBoxes, item, list, index)
  }
  return kept
}

/** A box on its way: where it starts, and how far it comes in one unit of time. A ray is one without size. */
export interface MovingBox {
  minX: number
  minY: number
  minZ: number
  maxX: number
  maxY: number
  maxZ: number
  vx: number
  vy: number
  vz: number
}

/** Speeds beyond this, or below its inverse, have no inverse to multiply with that is a normal number. */
const MOST_SPEED = 2 ** 1000
/** A side minus a place, times an inverse, has three roundings, and so has the one that it is compared with. */
const SLAB_ERROR_RATIO = 8 * UNIT_ROUNDOFF
const EARLIER = 1 - SLAB_ERROR_RATIO
const LATER = 1 + SLAB_ERROR_RATIO

/** Which of two is greater, looked up: a branch on it could not be foreseen. */
const choice = new Float64Array(2)

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
  const stack = beginWalk(tree.height[0] + 4)
  try {
    const { vx, vy, vz } = moving
    if (hasInverse(vx) && hasInverse(vy) && hasInverse(vz)) visitByProducts(tree, moving, limit, stack, visit)
    else visitByQuotients(tree, moving, limit, stack, visit)
  } finally {
    endWalk()
  }
}

function visitByProducts(
  { boxes, child, itemBoxes, isFat, fatCount }: DynamicTree,
  moving: MovingBox,
  limit: number,
  { nodes, keys }: WalkStack,
  visit: (item: number, time: number) => number,
): void {
  const { minX, minY, minZ, maxX, maxY, maxZ, vx, vy, vz } = moving
  const ix = 1 / vx
  const iy = 1 / vy
  const iz = 1 / vz
  // Of each box, the sides that are met first, where they are, and what meets them.
  const nearX = vx < 0 ? 3 : 0
  const nearY = vy < 0 ? 4 : 1
  const nearZ = vz < 0 ? 5 : 2
  const frontX = vx < 0 ? minX : maxX
  const backX = vx < 0 ? maxX : minX
  const frontY = vy < 0 ? minY : maxY
  const backY = vy < 0 ? maxY : minY
  const frontZ = vz < 0 ? minZ : maxZ
  const backZ = vz < 0 ? maxZ : minZ
  let latest = limit
  let top = 1
  // A first sibling, or ~item, and when its parent, or its leaf, is met.
  nodes[0] = child[0]
  keys[0] = child[0] < 0 ? entryTime(boxes, 0, moving, latest) : 0
  while (top > 0) {
    const time = keys[--top]
    spend(1)
    if (time > latest) continue
    const first = nodes[top]
    if (first < 0) {
      const item = ~first
      let own = Math.max(time, 0)
      if (fatCount > 0 && isFat[item] === 1) {
        own = entryTime(itemBoxes, item, moving, latest)
        if (own === Infinity) continue
      }
      latest = visit(item, own)
      continue
    }
    const until = LATER * latest
    let hitA = 1
    let hitB = 1
    const a = 6 * first
    const b = a + 6
    let inX = 0
    let outX = until
    let otherInX = 0
    let otherOutX = until
    if (vx === 0) {
      hitA = +(boxes[a] <= maxX) & +(minX <= boxes[a + 3])
      hitB = +(boxes[b] <= maxX) & +(minX <= boxes[b + 3])
    } else {
      inX = (boxes[a + nearX] - frontX) * ix
      outX = (boxes[a + 3 - nearX] - backX) * ix
      otherInX = (boxes[b + nearX] - frontX) * ix
      otherOutX = (boxes[b + 3 - nearX] - backX) * ix
    }
    let inY = 0
    let outY = until
    let otherInY = 0
    let otherOutY = until
    if (vy === 0) {
      hitA &= +(boxes[a + 1] <= maxY) & +(minY <= boxes[a + 4])
      hitB &= +(boxes[b + 1] <= maxY) & +(minY <= boxes[b + 4])
    } else {
      inY = (boxes[a + nearY] - frontY) * iy
      outY = (boxes[a + 5 - nearY] - backY) * iy
      otherInY = (boxes[b + nearY] - frontY) * iy
      otherOutY = (boxes[b + 5 - nearY] - backY) * iy
    }
    let inZ = 0
    let outZ = until
    let otherInZ = 0
    let otherOutZ = until
    if (vz === 0) {
      hitA &= +(boxes[a + 2] <= maxZ) & +(minZ <= boxes[a + 5])
      hitB &= +(boxes[b + 2] <= maxZ) & +(minZ <= boxes[b + 5])
    } else {
      inZ = (boxes[a + nearZ] - frontZ) * iz
      outZ = (boxes[a + 7 - nearZ] - backZ) * iz
      otherInZ = (boxes[b + nearZ] - frontZ) * iz
      otherOutZ = (boxes[b + 7 - nearZ] - backZ) * iz
    }
    const timeA = EARLIER * greatest(inX, inY, inZ)
    const timeB = EARLIER * greatest(otherInX, otherInY, otherInZ)
    hitA &= isMet(timeA, outX, outY, outZ, until)
    hitB &= isMet(timeB, otherOutX, otherOutY, otherOutZ, until)
    // The nearer one goes on top; what is not met is written above it and over.
    const isNearA = +(timeA <= timeB)
    const placeA = top + ((hitB & isNearA) | (1 - hitA))
    const placeB = top + ((hitA & (1 - isNearA)) | (1 - hitB))
    nodes[placeA] = child[first]
    keys[placeA] = timeA
    nodes[placeB] = child[first + 1]
    keys[placeB] = timeB
    top += hitA + hitB
  }
}

function greatest(x: number, y: number, z: number): number {
  choice[0] = x
  choice[1] = y
  choice[0] = choice[+(x < y)]
  choice[1] = z
  return choice[+(choice[0] < z)]
}

/** 1 where a box that is entered at `time` on the latest axis is left no earlier, not before the start and entered in time. */
function isMet(time: number, outX: number, outY: number, outZ: number, until: number): number {
  return (
    +(outX >= 0) &
    +(outY >= 0) &
    +(outZ >= 0) &
    +(time <= LATER * outX) &
    +(time <= LATER * outY) &
    +(time <= LATER * outZ) &
    +(time <= until)
  )
}

/** Or needs none, being 0. */
function hasInverse(speed: number): boolean {
  const size = Math.abs(speed)
  return size === 0 || (size < MOST_SPEED && size > 1 / MOST_SPEED)
}

/** The visit for speeds that are too large or too small to multiply with their inverses. */
function visitByQuotients(
  { boxes, child, itemBoxes, isFat }: DynamicTree,
  moving: MovingBox,
  limit: number,
  { nodes }: WalkStack,
  visit: (item: number, time: number) => number,
): void {
  let latest = limit
  let top = 1
  nodes[0] = 0
  while (top > 0) {
    const node = nodes[--top]
    const first = child[node]
    spend(1)
    const isOwn = first < 0 && isFat[~first] === 1
    const time = isOwn ? entryTime(itemBoxes, ~first, moving, latest) : entryTime(boxes, node, moving, latest)
    if (time === Infinity) continue
    if (first < 0) {
      latest = visit(~first, time)
    } else {
      const isNearA = entryTime(boxes, first, moving, latest) <= entryTime(boxes, first + 1, moving, latest)
      nodes[top++] = isNearA ? first + 1 : first
      nodes[top++] = isNearA ? first : first + 1
    }
  }
}

/** When the moving box enters box k of a list, or Infinity when not within the limit. */
function entryTime(boxes: Float64Array, k: number, moving: MovingBox, limit: number): number {
  const { minX, minY, minZ, maxX, maxY, maxZ, vx, vy, vz } = moving
  const at = 6 * k
  const enter = Math.max(
    0,
    vx === 0 ? 0 : vx > 0 ? (boxes[at] - maxX) / vx : (boxes[at + 3] - minX) / vx,
    vy === 0 ? 0 : vy > 0 ? (boxes[at + 1] - maxY) / vy : (boxes[at + 4] - minY) / vy,
    vz === 0 ? 0 : vz > 0 ? (boxes[at + 2] - maxZ) / vz : (boxes[at + 5] - minZ) / vz,
  )
  const leave = Math.min(
    limit,
    vx === 0 ? limit : vx > 0 ? (boxes[at + 3] - minX) / vx : (boxes[at] - maxX) / vx,
    vy === 0 ? limit : vy > 0 ? (boxes[at + 4] - minY) / vy : (boxes[at + 1] - maxY) / vy,
    vz === 0 ? limit : vz > 0 ? (boxes[at + 5] - minZ) / vz : (boxes[at + 2] - maxZ) / vz,
  )
  const isApart =
    (vx === 0 && (boxes[at] > maxX || boxes[at + 3] < minX)) ||
    (vy === 0 && (boxes[at + 1] > maxY || boxes[at + 4] < minY)) ||
    (vz === 0 && (boxes[at + 2] > maxZ || boxes[at + 5] < minZ))
  const rounding = 4 * UNIT_ROUNDOFF
  const earliest = enter - rounding * enter
  return !isApart && earliest <= leave + rounding * Math.abs(leave) ? earliest : Infinity
}

// The pairs of items of a dynamic tree that meet.
//
// Method: the tree is walked against itself (C. Ericson, "Real-Time Collision Detection", 6.3): the pairs below a node are those
// below either child and those between the two. Of two nodes the larger is opened.

/** Steps of the budget are counted so many at a time. */
const STEPS_AT_ONCE = 64

/** Adds the pairs of items that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function treePairs(tree: DynamicTree, out: PairList): boolean {
  if (tree.count < 2) return true
  // Two nodes an entry; a step down puts up to four entries in the place of one.
  return walk(tree, soleWalk(2 * (3 * 2 * tree.height[0] + 4)).nodes, out)
}

/** The stack holds pairs of nodes that meet; a node with itself stands for all pairs below it. */
function walk({ boxes, child, itemBoxes, isFat }: DynamicTree, stack: Int32Array, out: PairList): boolean {
  let top = 2
  let unspent = 0
  stack[0] = 0
  stack[1] = 0
  while (top > 0) {
    if (++unspent === STEPS_AT_ONCE) {
      spend(unspent)
      unspent = 0
    }
    const j = stack[--top]
    const i = stack[--top]
    if (out.boxTests > out.budget) return false
    const firstI = child[i]
    const firstJ = child[j]
    if (i === j) {
      const second = firstI + 1
      out.boxTests++
      top = push(stack, top, firstI, firstI, 1 - (child[firstI] >>> 31))
      top = push(stack, top, second, second, 1 - (child[second] >>> 31))
      top = push(stack, top, firstI, second, boxesMeet(boxes, firstI, boxes, second))
    } else if ((firstI & firstJ) < 0) {
      const isCertain = isFat[~firstI] + isFat[~firstJ] === 0
      if ((isCertain || boxesMeet(itemBoxes, ~firstI, itemBoxes, ~firstJ) === 1) && !addPair(out, ~firstI, ~firstJ))
        return false
    } else {
      const isFirst = firstJ < 0 || (firstI >= 0 && sizeOf(boxes, i) >= sizeOf(boxes, j))
      const first = isFirst ? firstI : firstJ
      const other = isFirst ? j : i
      out.boxTests += 2
      top = push(stack, top, first, other, boxesMeet(boxes, first, boxes, other))
      top = push(stack, top, first + 1, other, boxesMeet(boxes, first + 1, boxes, other))
    }
  }
  spend(unspent)
  return true
}

/** Pushes nothing where `hit` is 0, but without a branch. */
function push(stack: Int32Array, top: number, i: number, j: number, hit: number): number {
  stack[top] = i
  stack[top + 1] = j
  return top + 2 * hit
}

/** Infinite where the box is. */
function sizeOf(boxes: Float64Array, node: number): number {
  const at = 6 * node
  return boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2])
}
