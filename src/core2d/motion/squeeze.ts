/**
 * When a point would slip between solid parts that touch, of two bodies that move without spin: into the seam of two boxes side by
 * side, or through the corner in which two of them meet. It touches parts on both sides of its path in one place, and goes into none.
 *
 * Method: the points are those that have no inside about them: point parts, and the leading ends of segments and of edges of chains
 * that move lengthwise. Each point, grown by what rounding does, is swept past every solid leaf that it may touch, which lies to the
 * left of its path or to the right. The first time at which it touches both is the answer. A slit that is wider than rounding
 * stays open, and so does a corner that the point stood in and leaves.
 * Frame: world. Cost O(points · solid leaves near their paths), and O(pairs of those) in the time in which they are touched.
 */

import { spend } from '../../containers/budget.ts'
import { visitMovingLeafPairs } from '../broad-phase/moving-boxes.ts'
import { isThinLeaf } from '../narrow-phase/holding.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  CENTER_X,
  CENTER_Y,
  COS,
  type Composite,
  copyConvex,
  createBody,
  finishPoints,
  HALFPLANE,
  nameInOrder,
  putVertex,
  RADIUS,
  REACH,
  reservePoints,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { offsetX, offsetY } from '../shape/position.ts'
import { LEAVING_COUNT, LINE_SLOPE_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type CompositeSweep, type LeafContact, setBoxesOf } from './composite-sweep.ts'
import { createSweep, sweep } from './linear-sweep.ts'

/** The time in which a point touches a leaf on one side of its path. */
interface SideTouch {
  /** Grown by rounding; `time` is when it truly touches. */
  enter: number
  leave: number
  time: number
  /** By what the point was grown. */
  grown: number
  leafA: number
  leafB: number
}

interface Passing {
  left: SideTouch[]
  right: SideTouch[]
}

const span = createSweep()
const slotA = createBody()
const slotB = createBody()
const point = createBody()

/** The first squeeze before `limit`; null when there is none. */
export function firstSqueeze(given: CompositeSweep, limit: number): LeafContact | null {
  const { firstView, secondView } = given.frame
  if (!hasThinParts(firstView) && !hasThinParts(secondView)) return null
  const passings = new Map<number, Passing>()
  visitMovingLeafPairs(firstView.tree, secondView.tree, setBoxesOf(given), limit, (leafA, leafB) => {
    const isThinA = isBareLeaf(firstView, leafA)
    const isThinB = isBareLeaf(secondView, leafB)
    if (isThinA === isThinB) return limit
    spend(8)
    const key = isThinA ? leafA : firstView.leafCount + leafB
    let passing = passings.get(key)
    if (passing === undefined) {
      passing = { left: [], right: [] }
      passings.set(key, passing)
    }
    noteTouch(given, leafA, leafB, isThinA, passing)
    return limit
  })
  const { motionA, motionB } = given
  const speed = Math.hypot(motionB.vx - motionA.vx, motionB.vy - motionA.vy)
  let first: LeafContact | null = null
  for (const { left, right } of passings.values()) {
    for (const l of left) {
      spend(1 + (right.length >> 4))
      for (const r of right) {
        const time = Math.max(l.time, r.time)
        const end = Math.min(l.leave, r.leave)
        if (Math.max(l.enter, r.enter) > end || time > limit || (first !== null && time >= first.time)) continue
        if (Math.max(l.enter, r.enter) <= 0 && end * speed <= LEAVING_COUNT * Math.max(l.grown, r.grown)) continue
        const { leafA, leafB } = l.time >= r.time ? l : r
        first = { time, leafA, leafB }
      }
    }
  }
  return first
}

function hasThinParts({ parts, partCount }: Composite): boolean {
  for (let p = 0; p < partCount; p++) {
    const { outline, body } = parts[p]
    if (outline === null ? body.count > 0 && body.count <= 2 && body.numbers[RADIUS] === 0 : !outline.solid) return true
  }
  return false
}

/** Whether a leaf has no inside, and bounds none. */
function isBareLeaf(view: Composite, leaf: number): boolean {
  return isThinLeaf(view, leaf) && view.parts[view.leafPart[leaf]].outline?.solid !== true
}

function grownBy({ frame: { dx, dy, first, second } }: CompositeSweep): number {
  return (
    (SEPARATION_ERROR_RATIO / 4) * (Math.abs(dx) + Math.abs(dy) + Math.min(first.numbers[REACH], second.numbers[REACH]))
  )
}

function noteTouch(
  given: CompositeSweep,
  leafA: number,
  leafB: number,
  isThinA: boolean,
  { left, right }: Passing,
): void {
  const { frame, motionA, motionB, duration } = given
  const a = leafBody(frame.firstView, leafA, slotA)
  const b = leafBody(frame.secondView, leafB, slotB)
  const guest = isThinA ? a : b
  const solid = isThinA ? b : a
  const guestMotion = isThinA ? motionA : motionB
  const solidMotion = isThinA ? motionB : motionA
  const vx = guestMotion.vx - solidMotion.vx
  const vy = guestMotion.vy - solidMotion.vy
  if (!setLeadingPoint(guest, vx, vy)) return
  const isEdge = isThinA ? isThinLeaf(frame.secondView, leafB) : isThinLeaf(frame.firstView, leafA)
  const side = sideOf(point, solid, isEdge, vx, vy)
  if (side === 0) return
  const grown = grownBy(given) + (SEPARATION_ERROR_RATIO / 4) * solid.numbers[REACH]
  if (!sweep(copyGrown(grown), guestMotion, solid, solidMotion, duration, span)) return
  const { enter, leave, exits } = span
  const touch: SideTouch = { enter, leave: exits ? leave : Infinity, time: enter, grown, leafA, leafB }
  if (sweep(point, guestMotion, solid, solidMotion, duration, span)) touch.time = span.enter
  if (side > 0) left.push(touch)
  else right.push(touch)
}

const grownPoint = createBody()

function copyGrown(by: number): Body {
  copyConvex(point, grownPoint)
  grownPoint.numbers[RADIUS] = by
  grownPoint.numbers[REACH] = by
  return grownPoint
}

/** Sets `point` to the point itself, or to the leading end of a segment that moves lengthwise; false for another one. */
function setLeadingPoint(guest: Body, vx: number, vy: number): boolean {
  const { vertices, count, numbers } = guest
  let end = 0
  if (count === 2) {
    const ex = numbers[vertices + 2] - numbers[vertices]
    const ey = numbers[vertices + 3] - numbers[vertices + 1]
    const speed = Math.hypot(vx, vy)
    if (Math.abs(ex * vy - ey * vx) > LINE_SLOPE_RATIO * Math.hypot(ex, ey) * speed) return false
    end = ex * vx + ey * vy > 0 ? 2 : 0
  }
  point.numbers[X] = guest.numbers[X]
  point.numbers[Y] = guest.numbers[Y]
  point.numbers[X_LOW] = guest.numbers[X_LOW]
  point.numbers[Y_LOW] = guest.numbers[Y_LOW]
  point.numbers[COS] = 1
  point.numbers[SIN] = 0
  reservePoints(point, 1)
  nameInOrder(point, 1)
  putVertex(point, 0, numbers[vertices + end], numbers[vertices + end + 1], 0)
  point.count = 1
  point.numbers[RADIUS] = 0
  finishPoints(point)
  return true
}

/** On which side of the path of the point the leaf lies that it touches without going in: 1 left, −1 right, 0 where that cannot be said. */
function sideOf(guest: Body, solid: Body, isEdge: boolean, vx: number, vy: number): number {
  if (solid.kind === HALFPLANE) return Math.sign(vy * solid.numbers[UNIT_X] - vx * solid.numbers[UNIT_Y])
  const x = offsetX(guest, solid) - guest.numbers[ANCHOR_X]
  const y = offsetY(guest, solid) - guest.numbers[ANCHOR_Y]
  const { vertices, count, numbers } = solid
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  const centerX = numbers[CENTER_X]
  const centerY = numbers[CENTER_Y]
  if (!isEdge) {
    const isCored = count > 0
    const cx = x + anchorX + (isCored ? centerX : 0)
    const cy = y + anchorY + (isCored ? centerY : 0)
    return Math.sign(vx * cy - vy * cx)
  }
  const ex = numbers[vertices + 2] - numbers[vertices]
  const ey = numbers[vertices + 3] - numbers[vertices + 1]
  const slope = vx * ey - vy * ex
  // The inside lies to the left of an edge.
  if (Math.abs(slope) <= LINE_SLOPE_RATIO * Math.hypot(vx, vy) * Math.hypot(ex, ey)) return Math.sign(vx * ex + vy * ey)
  const from = vx * (y + numbers[vertices + 1]) - vy * (x + numbers[vertices])
  return Math.abs(from) > Math.abs(from + slope) ? Math.sign(from) : Math.sign(from + slope)
}
