/**
 * Two bodies of which at least one is composite: their leaves, and pairs of leaves found through both trees.
 *
 * Method: both trees are walked together, the larger of two nodes is opened, and of its children the one that measures least comes
 * first (C. Ericson, "Real-Time Collision Detection", 6.3). What a walk finds must not depend on that order: a visit narrows a limit,
 * and never ends the walk by what came first.
 * Frame: boxes in world axes, origin at the first body's position. The pair is put in one order first, as `pair-frame.ts` does.
 * Cost: a step of the budget for each pair of nodes.
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk, extendWalk, type WalkStack } from '../../containers/scratch.ts'
import { SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import {
  ANCHOR,
  type Body,
  COMPOSITE,
  createBody,
  HALFSPACE,
  OFFSET,
  POSITION,
  RADIUS,
  UNIT,
  type Vector,
} from '../shape/body.ts'
import { createOpenedNode, leafBox, nodeBox, openNode, setLeaf } from '../shape/composite.ts'
import { kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type PairFrame, pairInRange } from './pair-frame.ts'

/** One body of a pair: a tree of nodes ≥ 0 over leaves, which are nodes < 0. */
export interface Side {
  body: Body
  root: number
  /** Of the whole body, from its position. */
  box: Float64Array
  /** A slot for its leaves, and the one that is in it. */
  slot: Body
  leaf: number
  loaded: Body
}

function createSide(): Side {
  const slot = createBody()
  return { body: slot, root: 0, box: new Float64Array(6), slot, leaf: -1, loaded: slot }
}

function setSide(side: Side, body: Body): void {
  side.body = body
  side.leaf = -1
  side.root = body.kind === COMPOSITE ? 0 : ~0
  if (body.kind === COMPOSITE) nodeBox(body, 0, side.box)
  else setConvexBox(body, side.box)
}

/** Widened by what rounding may have cut off. */
function setConvexBox(body: Body, box: Float64Array): void {
  kindOf(body).setBox(body, box)
  for (let k = 0; k < 3; k++) {
    const pad = SEPARATION_ERROR_RATIO * Math.max(Math.abs(box[k]), Math.abs(box[k + 3]))
    if (!(pad < Infinity)) continue
    box[k] -= pad
    box[k + 3] += pad
  }
}

/** The convex body of a leaf: good until the next one of the side. */
export function leafOf(side: Side, leaf: number): Body {
  if (side.body.kind !== COMPOSITE) return side.body
  if (side.leaf !== leaf) {
    side.loaded = setLeaf(side.body, leaf, side.slot)
    side.leaf = leaf
  }
  return side.loaded
}

/** The two leaves in the order of convex pairs: its first may be the second's. */
export function leafPair({ first, second }: CompositeFrame, leafA: number, leafB: number): PairFrame {
  return pairInRange(leafOf(first, leafA), leafOf(second, leafB))
}

/** The pair in order. */
export interface CompositeFrame {
  first: Side
  second: Side
  /** Whether the first is the caller's B. */
  swapped: boolean
  /** From the first position to the second, and a bound on what rounding did to it and to boxes moved by it. */
  dx: number
  dy: number
  dz: number
  slack: number
}

export function createCompositeFrame(): CompositeFrame {
  return { first: createSide(), second: createSide(), swapped: false, dx: 0, dy: 0, dz: 0, slack: 0 }
}

/** Puts the pair in order. */
export function orderComposites(a: Body, b: Body, out: CompositeFrame): void {
  const { first, second } = out
  setSide(first, a)
  setSide(second, b)
  out.swapped = comesAfter(first, second)
  if (out.swapped) {
    setSide(first, b)
    setSide(second, a)
  }
  const from = first.body.numbers
  const to = second.body.numbers
  out.dx = to[POSITION] - from[POSITION]
  out.dy = to[POSITION + 1] - from[POSITION + 1]
  out.dz = to[POSITION + 2] - from[POSITION + 2]
  out.slack = SEPARATION_ERROR_RATIO * (Math.abs(out.dx) + Math.abs(out.dy) + Math.abs(out.dz))
}

/** An order of bodies by what does not depend on the order of their parts. */
function comesAfter({ body: a, box: boxA }: Side, { body: b, box: boxB }: Side): boolean {
  if (a.kind !== b.kind) return a.kind > b.kind
  const leavesA = a.composite?.leafCount ?? 0
  const leavesB = b.composite?.leafCount ?? 0
  if (leavesA !== leavesB) return leavesA > leavesB
  for (let k = 0; k < 6; k++) if (boxA[k] !== boxB[k]) return boxA[k] > boxB[k]
  for (let k = 0; k <= RADIUS; k++) if (a.numbers[k] !== b.numbers[k]) return a.numbers[k] > b.numbers[k]
  return false
}

/**
 * How a pair of nodes with the boxes at `a[0…5]` and `b[0…5]` measures: no less than it does is asked of what they hold. Infinity
 * leaves the pair out.
 */
export type Measure = (a: Float64Array, b: Float64Array, i: number, j: number) => number

/** One of boxes alone. */
export type BoxMeasure = (a: Float64Array, b: Float64Array) => number

/** Given two leaves and how their boxes measure, returns the new limit: pairs that measure more are left out. */
export type LeafVisit = (leafA: number, leafB: number, key: number) => number

/** The limit that ends a walk. */
export const END = -Infinity

/** Pairs of nodes for which a walk has room at first. */
const PAIR_COUNT = 256

const boxA = new Float64Array(6)
const boxB = new Float64Array(6)
const boxOfChild = new Float64Array(6)
const opened = createOpenedNode()
const children = new Int32Array(16)
const childKeys = new Float64Array(16)

/** Calls `visit` for the pairs of leaves that measure no more than the limit, nearer ones first as a rule. */
export function visitLeafPairs(frame: CompositeFrame, limit: number, measure: Measure, visit: LeafVisit): void {
  const stack = beginWalk(2 * PAIR_COUNT)
  try {
    walk(stack, frame, limit, measure, visit)
  } finally {
    endWalk()
  }
}

/** `stack`: two nodes of each pair that waits, at 2k and 2k + 1, and how it measures, at k. */
function walk(stack: WalkStack, frame: CompositeFrame, limit: number, measure: Measure, visit: LeafVisit): void {
  const { first, second } = frame
  let reach = limit
  setBoxes(frame, first.root, second.root)
  stack.nodes[0] = first.root
  stack.nodes[1] = second.root
  stack.keys[0] = measure(boxA, boxB, first.root, second.root)
  let top = 1
  while (top > 0 && reach > END) {
    top--
    spend(1)
    const key = stack.keys[top]
    if (!(key <= reach) || key === Infinity) continue
    const i = stack.nodes[2 * top]
    const j = stack.nodes[2 * top + 1]
    if (i < 0 && j < 0) {
      reach = visit(~i, ~j, key)
      continue
    }
    setBoxes(frame, i, j)
    const opensA = j < 0 || (i >= 0 && sizeOf(boxA) >= sizeOf(boxB))
    const side = opensA ? first : second
    openNode(side.body, opensA ? i : j, opened)
    const count = opened.nodeCount + opened.leafCount
    spend(count)
    let kept = 0
    for (let k = 0; k < count; k++) {
      const child = k < opened.nodeCount ? opened.nodes[k] : ~opened.leaves[k - opened.nodeCount]
      setBox(frame, side, child, boxOfChild)
      const childKey = opensA ? measure(boxOfChild, boxB, child, j) : measure(boxA, boxOfChild, i, child)
      if (!(childKey <= reach) || childKey === Infinity) continue
      // Least keys last, where they are taken from.
      let at = kept++
      for (; at > 0 && childKeys[at - 1] < childKey; at--) {
        childKeys[at] = childKeys[at - 1]
        children[at] = children[at - 1]
      }
      childKeys[at] = childKey
      children[at] = child
    }
    if (2 * (top + kept) > stack.nodes.length) extendWalk(stack)
    for (let k = 0; k < kept; k++) {
      stack.nodes[2 * top] = opensA ? children[k] : i
      stack.nodes[2 * top + 1] = opensA ? j : children[k]
      stack.keys[top++] = childKeys[k]
    }
  }
}

/** Given two nodes and their boxes. */
export type NodeVisit = (i: number, j: number, a: Float64Array, b: Float64Array) => void

/** Calls `visit` for both roots. */
export function visitRoots(frame: CompositeFrame, visit: NodeVisit): void {
  const { first, second } = frame
  setBoxes(frame, first.root, second.root)
  visit(first.root, second.root, boxA, boxB)
}

/** Opens the larger of two nodes, of which one at least is no leaf, and calls `visit` for each of its children with the other. */
export function openLarger(frame: CompositeFrame, i: number, j: number, visit: NodeVisit): void {
  setBoxes(frame, i, j)
  const opensA = j < 0 || (i >= 0 && sizeOf(boxA) >= sizeOf(boxB))
  const side = opensA ? frame.first : frame.second
  openNode(side.body, opensA ? i : j, opened)
  const count = opened.nodeCount + opened.leafCount
  spend(count)
  for (let k = 0; k < count; k++) {
    const child = k < opened.nodeCount ? opened.nodes[k] : ~opened.leaves[k - opened.nodeCount]
    setBox(frame, side, child, boxOfChild)
    if (opensA) visit(child, j, boxOfChild, boxB)
    else visit(i, child, boxA, boxOfChild)
  }
}

function setBoxes(frame: CompositeFrame, i: number, j: number): void {
  setBox(frame, frame.first, i, boxA)
  setBox(frame, frame.second, j, boxB)
}

function setBox({ second, dx, dy, dz }: CompositeFrame, side: Side, node: number, out: Float64Array): void {
  if (side.body.kind !== COMPOSITE) out.set(side.box)
  else if (node < 0) leafBox(side.body, ~node, out)
  else nodeBox(side.body, node, out)
  if (side !== second) return
  out[0] += dx
  out[1] += dy
  out[2] += dz
  out[3] += dx
  out[4] += dy
  out[5] += dz
}

/** Infinite where the box is. */
function sizeOf(box: Float64Array): number {
  return box[3] - box[0] + (box[4] - box[1]) + (box[5] - box[2])
}

/** Heights of boxes over the half-space that one of the bodies is, which is counted from its own position, the other's box too. */
export function heightMeasure({ first, second }: CompositeFrame): BoxMeasure {
  if (first.body.kind === HALFSPACE) return (_, b) => heightOver(first.body, b, 0, 0, 0)
  return (a) => heightOver(second.body, a, 0, 0, 0)
}

/** Distances of boxes, from below; of the one from a half-space where the other body is one. */
export function gapMeasure({ first, second, dx, dy, dz, slack }: CompositeFrame): BoxMeasure {
  if (first.body.kind === HALFSPACE) return (_, b) => heightOver(first.body, b, 0, 0, 0) - slack
  if (second.body.kind === HALFSPACE) return (a) => heightOver(second.body, a, -dx, -dy, -dz) - slack
  return (a, b) => gapBetween(a, b) - slack
}

/**
 * Of two boxes, the second of which goes along the way from one place on it to another: `rate` of the first and the last place where they are
 * within `pad` of each other; Infinity where they are nowhere. It rules out little of half-spaces, whose boxes have no end.
 */
export function wayMeasure(
  way: Vector,
  from: number,
  to: number,
  pad: number,
  rate: (enter: number, leave: number) => number,
): BoxMeasure {
  return (a, b) => {
    let enter = from
    let leave = to
    for (let k = 0; k < 3; k++) {
      const near = a[k] - b[k + 3] - pad
      const far = a[k + 3] - b[k] + pad
      const v = way[k]
      if (v === 0) {
        if (near > 0 || far < 0) return Infinity
        continue
      }
      const first = (v > 0 ? near : far) / v
      const last = (v > 0 ? far : near) / v
      if (first > enter) enter = first
      if (last < leave) leave = last
    }
    return enter > leave ? Infinity : rate(enter, leave)
  }
}

/** Of boxes, 0 where they meet. */
export function gapBetween(a: Float64Array, b: Float64Array): number {
  const x = Math.max(b[0] - a[3], a[0] - b[3], 0)
  const y = Math.max(b[1] - a[4], a[1] - b[4], 0)
  const z = Math.max(b[2] - a[5], a[2] - b[5], 0)
  const largest = Math.max(x, y, z)
  const square = x * x + y * y + z * z
  // Beyond the range of squares the largest alone is a bound.
  return square > SMALLEST_SAFE_SQUARE && square < Infinity ? Math.max(largest, Math.sqrt(square)) : largest
}

/** At least the height of a box over a half-space, whose position is at the origin of the box moved by (x, y, z). */
function heightOver({ numbers }: Body, box: Float64Array, x: number, y: number, z: number): number {
  let low = 0
  let size = 0
  for (let k = 0; k < 3; k++) {
    const n = numbers[UNIT + k]
    const shift = k === 0 ? x : k === 1 ? y : z
    const at = (n > 0 ? box[k] : box[k + 3]) + shift
    if (n === 0) continue
    low += n * at
    size += Math.abs(n) * (Math.abs(at) + Math.abs(shift))
  }
  const offset = numbers[OFFSET]
  const height = low - offset - SEPARATION_ERROR_RATIO * (size + Math.abs(offset))
  // No number where the box has no end.
  return Number.isNaN(height) ? 0 : Math.max(height, 0)
}

// How far bodies reach along a direction, and the gap that leaves between them. Frame: heights count from a body's position.

const top = new Float64Array(3)

/** The gap between the caller's two bodies along the unit vector (x, y, z) from its first to its second, less what rounding may have added. */
export function gapAlong(
  { first, second, swapped, dx, dy, dz }: CompositeFrame,
  x: number,
  y: number,
  z: number,
): number {
  const side = swapped ? -1 : 1
  const [nx, ny, nz] = [side * x, side * y, side * z]
  const rise = dx * nx + dy * ny + dz * nz
  const gap = rise - heightOf(first, nx, ny, nz) - heightOf(second, -nx, -ny, -nz)
  const size = Math.abs(dx) + Math.abs(dy) + Math.abs(dz) + sizeOfBox(first.box) + sizeOfBox(second.box)
  return gap - SEPARATION_ERROR_RATIO * size
}

/** The largest coordinate of a box, of those that are finite. */
export function farthestIn(box: Float64Array): number {
  let size = 0
  for (let k = 0; k < 6; k++) if (Math.abs(box[k]) < Infinity) size = Math.max(size, Math.abs(box[k]))
  return size
}

function sizeOfBox(box: Float64Array): number {
  let size = 0
  for (let k = 0; k < 6; k++) if (Math.abs(box[k]) < Infinity) size += Math.abs(box[k])
  return size
}

/** How far a body reaches along a unit vector; Infinity where that has no end. */
function heightOf(side: Side, nx: number, ny: number, nz: number): number {
  if (side.body.kind !== COMPOSITE) return convexHeight(side.body, nx, ny, nz)
  const { body } = side
  const stack = [0]
  let highest = -Infinity
  while (stack.length > 0) {
    spend(1)
    const node = stack.pop() as number
    if (node < 0) {
      const leaf = leafOf(side, ~node)
      const base =
        (leaf.numbers[POSITION] - body.numbers[POSITION]) * nx +
        (leaf.numbers[POSITION + 1] - body.numbers[POSITION + 1]) * ny +
        (leaf.numbers[POSITION + 2] - body.numbers[POSITION + 2]) * nz
      highest = Math.max(highest, base + convexHeight(leaf, nx, ny, nz))
      continue
    }
    nodeBox(body, node, boxA)
    if (!(heightOfBox(boxA, nx, ny, nz) > highest)) continue
    openNode(body, node, opened)
    for (let k = 0; k < opened.nodeCount; k++) stack.push(opened.nodes[k])
    for (let k = 0; k < opened.leafCount; k++) stack.push(~opened.leaves[k])
  }
  return highest
}

function heightOfBox(box: Float64Array, nx: number, ny: number, nz: number): number {
  const x = nx === 0 ? 0 : nx * box[nx > 0 ? 3 : 0]
  const y = ny === 0 ? 0 : ny * box[ny > 0 ? 4 : 1]
  const z = nz === 0 ? 0 : nz * box[nz > 0 ? 5 : 2]
  return x + y + z
}

/** How far it reaches from its position. */
export function convexHeight(body: Body, nx: number, ny: number, nz: number): number {
  const { kind, numbers } = body
  if (kind === HALFSPACE) {
    const isAlong = nx === numbers[UNIT] && ny === numbers[UNIT + 1] && nz === numbers[UNIT + 2]
    return isAlong ? numbers[OFFSET] : Infinity
  }
  top.fill(0)
  kindOf(body).support(body, nx, ny, nz, top)
  const along = (k: number): number => numbers[ANCHOR + k] + top[k]
  return along(0) * nx + along(1) * ny + along(2) * nz + numbers[RADIUS]
}
