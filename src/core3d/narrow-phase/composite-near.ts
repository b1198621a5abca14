/**
 * The leaves of a composite body that lie within some distance of a convex one.
 *
 * Method: parts near to far by their boxes, triangles of meshes by `near-triangles.ts`. For the nearest leaves of a ball, bounds of all
 * triangles come first, and only those that may be nearest are asked about exactly. Pairs of composite bodies, and those with a half-space, go
 * by both trees (`composite-walk.ts`).
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk } from '../../containers/scratch.ts'
import { TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { createNearBody, visitNear } from '../mesh/near-triangles.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  COMPOSITE,
  type Composite,
  HALFSPACE,
  type Part,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { tighteningMeasure } from './aligned-boxes.ts'
import { type CompositeFrame, END, gapBetween, gapMeasure, type LeafVisit, visitLeafPairs } from './composite-walk.ts'

/** Given a leaf and bounds on its distance, returns the new limit. */
type NearLeaf = (leaf: number, low: number, high: number) => number

const near = createNearBody()

/** Calls `visit` for the pairs of leaves that are no farther apart than the limit, and some that are, nearer ones first as a rule. */
export function visitNearPairs(frame: CompositeFrame, limit: number, visit: LeafVisit): void {
  const isFirst = frame.first.body.kind === COMPOSITE
  if (!isOneConvex(frame)) visitLeafPairs(frame, limit, gapMeasure(frame), visit)
  else visitNearLeaves(frame, limit, (leaf, low) => (isFirst ? visit(leaf, 0, low) : visit(0, leaf, low)))
}

function isOneConvex({ first, second }: CompositeFrame): boolean {
  const kind = first.body.kind === COMPOSITE ? second.body.kind : first.body.kind
  return kind !== COMPOSITE && kind !== HALFSPACE
}

/**
 * Calls `visit`, which returns the least distance so far, for the pairs of leaves that may be nearest. `toward`: the way from the first
 * to the second of the nearest ones so far, a unit vector or 0 0 0.
 */
export function visitNearestPairs(frame: CompositeFrame, toward: () => ArrayLike<number>, visit: LeafVisit): void {
  const isFirst = frame.first.body.kind === COMPOSITE
  const guest = isFirst ? frame.second.body : frame.first.body
  if (guest.kind === COMPOSITE && isFirst) {
    visitLeafPairs(frame, Infinity, tighteningMeasure(frame, toward), visit)
    return
  }
  if (guest.kind !== POINTS || guest.count !== 1 || !isOneConvex(frame)) {
    visitNearPairs(frame, Infinity, visit)
    return
  }
  const leaves: number[] = []
  const lows: number[] = []
  let limit = Infinity
  visitNearLeaves(frame, Infinity, (leaf, low, high) => {
    leaves.push(leaf)
    lows.push(low)
    if (high < limit) limit = high
    return limit
  })
  const order: number[] = []
  for (let i = 0; i < leaves.length; i++) if (!(lows[i] > limit)) order.push(i)
  spend(leaves.length)
  order.sort((i, j) => lows[i] - lows[j])
  let least = Infinity
  for (const i of order) {
    if (lows[i] > least) continue
    least = isFirst ? visit(leaves[i], 0, lows[i]) : visit(0, leaves[i], lows[i])
    if (least === END) return
  }
}

function visitNearLeaves(frame: CompositeFrame, limit: number, visit: NearLeaf): void {
  const isFirst = frame.first.body.kind === COMPOSITE
  const holder = isFirst ? frame.first.body : frame.second.body
  const { body: guest, box } = isFirst ? frame.second : frame.first
  const { tree, parts } = holder.composite as Composite
  const side = isFirst ? 1 : -1
  const shift = [side * frame.dx, side * frame.dy, side * frame.dz]
  for (let k = 0; k < 6; k++) guestBox[k] = box[k] + shift[k % 3]
  setNearBody(guest)
  const gapOf = (node: number): number => {
    for (let k = 0; k < 6; k++) nodeBox[k] = tree.boxes[6 * node + k]
    return gapBetween(nodeBox, guestBox) - frame.slack
  }
  const stack = beginWalk(TREE_DEPTH_COUNT + 2)
  try {
    let left = limit
    let top = 0
    if (tree.nodeCount > 0) {
      stack.nodes[0] = 0
      stack.keys[0] = gapOf(0)
      top = 1
    }
    while (top > 0 && left > END) {
      spend(1)
      const key = stack.keys[--top]
      if (key > left) continue
      const first = tree.child[stack.nodes[top]]
      if (first < 0) {
        left = visitPart(guest, parts[~first], left, key, visit)
        continue
      }
      const own = gapOf(first)
      const other = gapOf(first + 1)
      const isNearer = own <= other
      stack.nodes[top] = isNearer ? first + 1 : first
      stack.keys[top++] = isNearer ? other : own
      stack.nodes[top] = isNearer ? first : first + 1
      stack.keys[top++] = isNearer ? own : other
    }
  } finally {
    endWalk()
  }
}

const guestBox = new Float64Array(6)
const nodeBox = new Float64Array(6)

/** Sets all of `near` but its middle. */
function setNearBody(guest: Body): void {
  const { numbers } = guest
  near.isBall = guest.kind === POINTS && guest.count === 1
  near.radius = near.isBall ? numbers[RADIUS] : numbers[REACH]
  kindOf(guest).setBox(guest, near.box)
  for (let k = 0; k < 3; k++) {
    const middle = numbers[ANCHOR + k] + numbers[CENTER + k]
    near.box[k] -= middle
    near.box[k + 3] -= middle
  }
}

function visitPart(
  { numbers }: Body,
  { mesh, placement, firstLeaf }: Part,
  limit: number,
  key: number,
  visit: NearLeaf,
): number {
  if (mesh === null) return visit(firstLeaf, key, Infinity)
  for (let k = 0; k < 3; k++) {
    const offset = numbers[POSITION + k] - placement.position[k]
    near.center[k] = offset + (numbers[ANCHOR + k] + numbers[CENTER + k])
  }
  return visitNear(mesh, placement, near, limit, (triangle, low, high) => visit(firstLeaf + triangle, low, high))
}
