/**
 * Pairs of leaves of two composites whose boxes may meet within a slab of time in which both move and turn.
 *
 * Method: a node's box is turned to the middle of the slab and widened by the arc that its farthest point sweeps on either
 * side, and by half of the travel of the second body against the first. What is left out is certainly apart.
 * Frame: world axes, origin at the first body's position at the middle of the slab.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { type BoxTree, TREE_DEPTH_COUNT } from '../bvh/box-tree.ts'
import type { Composite } from '../shape/body.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

export interface SlabPair {
  viewA: Composite
  viewB: Composite
  /** Radians per second, counter-clockwise. */
  spinA: number
  spinB: number
  /** Position of the second body from the first one's at time 0, and its velocity against it. */
  dx: number
  dy: number
  vx: number
  vy: number
}

/** One body in the slab. */
interface Side {
  cos: number
  sin: number
  /** Half of the angle it turns by. */
  arc: number
}

/** A node's box in the slab: centre and half extents; NaN where it is unbounded. */
interface Swept {
  x: number
  y: number
  halfX: number
  halfY: number
}

const sideA: Side = { cos: 1, sin: 0, arc: 0 }
const sideB: Side = { cos: 1, sin: 0, arc: 0 }
const sweptA: Swept = { x: 0, y: 0, halfX: 0, halfY: 0 }
const sweptB: Swept = { x: 0, y: 0, halfX: 0, halfY: 0 }
const stack = new Int32Array(4 * (TREE_DEPTH_COUNT + 1))

/** The second body in the slab: place at the middle, and how far it strays from there; module scratch. */
let middleX = 0
let middleY = 0
let strayX = 0
let strayY = 0

/** The slab [start, stop] for `visitSlabPairs`. */
export function setSlab(pair: SlabPair, start: number, stop: number): void {
  const middle = start + (stop - start) / 2
  const half = (stop - start) / 2
  setSide(sideA, pair.spinA, middle, half)
  setSide(sideB, pair.spinB, middle, half)
  middleX = pair.dx + pair.vx * middle
  middleY = pair.dy + pair.vy * middle
  const slack =
    SEPARATION_ERROR_RATIO * (Math.abs(pair.dx) + Math.abs(pair.dy) + (Math.abs(pair.vx) + Math.abs(pair.vy)) * stop)
  strayX = Math.abs(pair.vx) * half + slack
  strayY = Math.abs(pair.vy) * half + slack
}

function setSide(side: Side, spin: number, middle: number, half: number): void {
  side.cos = spin === 0 ? 1 : Math.cos(spin * middle)
  side.sin = spin === 0 ? 0 : Math.sin(spin * middle)
  side.arc = Math.abs(spin) * half
}

/** Calls `visit` for the leaf pairs that may meet in the slab, until it returns false. */
export function visitSlabPairs(pair: SlabPair, visit: (leafA: number, leafB: number) => boolean): void {
  const treeA = pair.viewA.tree
  const treeB = pair.viewB.tree
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return
  let top = 0
  stack[top++] = 0
  stack[top++] = 0
  while (top > 0) {
    spend(2)
    const j = stack[--top]
    const i = stack[--top]
    setSwept(sideA, treeA, i, sweptA)
    setSwept(sideB, treeB, j, sweptB)
    if (areApart()) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      if (!visit(~childA, ~childB)) return
      continue
    }
    // The larger one; an unbounded box compares as false and is split while it can be.
    const smaller = sweptA.halfX + sweptA.halfY < sweptB.halfX + sweptB.halfY
    const splitA = childB < 0 || (childA >= 0 && !smaller)
    stack[top++] = splitA ? childA + 1 : i
    stack[top++] = splitA ? j : childB + 1
    stack[top++] = splitA ? childA : i
    stack[top++] = splitA ? j : childB
  }
}

function areApart(): boolean {
  return (
    Math.abs(middleX + sweptB.x - sweptA.x) > sweptA.halfX + sweptB.halfX + strayX ||
    Math.abs(middleY + sweptB.y - sweptA.y) > sweptA.halfY + sweptB.halfY + strayY
  )
}

function setSwept({ cos, sin, arc }: Side, { boxes }: BoxTree, node: number, out: Swept): void {
  const at = 4 * node
  const x = 0.5 * boxes[at] + 0.5 * boxes[at + 2]
  const y = 0.5 * boxes[at + 1] + 0.5 * boxes[at + 3]
  const halfX = 0.5 * boxes[at + 2] - 0.5 * boxes[at]
  const halfY = 0.5 * boxes[at + 3] - 0.5 * boxes[at + 1]
  const far = vectorLength(Math.abs(x) + halfX, Math.abs(y) + halfY)
  const wide = (arc + SEPARATION_ERROR_RATIO) * far
  out.x = cos * x - sin * y
  out.y = sin * x + cos * y
  out.halfX = Math.abs(cos) * halfX + Math.abs(sin) * halfY + wide
  out.halfY = Math.abs(sin) * halfX + Math.abs(cos) * halfY + wide
}
