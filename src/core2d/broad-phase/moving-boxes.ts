/**
 * Pairs of boxes of two trees that meet while the second tree moves past the first at constant velocity.
 *
 * Method: slabs. A moving box meets a standing one while their extents overlap on both axes (C. Ericson, "Real-Time
 * Collision Detection", 5.5.8).
 * Frame: boxes as the trees have them; the second tree starts at (dx, dy) from the first.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type BoxTree, visitTreePairs } from './box-tree.ts'

/** How the second tree stands and moves. */
export interface BoxMotion {
  dx: number
  dy: number
  vx: number
  vy: number
  /** Bound on the error of the boxes' places. */
  slack: number
}

/** First instant in [0, limit] at which box j may meet box i; Infinity when they never do. */
function entryTime(
  boxesA: Float64Array,
  i: number,
  boxesB: Float64Array,
  j: number,
  motion: BoxMotion,
  limit: number,
): number {
  const { dx, dy, vx, vy, slack } = motion
  const left = boxesA[4 * i] - (boxesB[4 * j + 2] + dx) - slack
  const right = boxesA[4 * i + 2] - (boxesB[4 * j] + dx) + slack
  const low = boxesA[4 * i + 1] - (boxesB[4 * j + 3] + dy) - slack
  const high = boxesA[4 * i + 3] - (boxesB[4 * j + 1] + dy) + slack
  return slabEntryTime(left, right, low, high, vx, vy, limit)
}

/**
 * First instant in [0, limit] at which a point that starts at the origin is in the box [left, right] × [low, high], moving at
 * (vx, vy); Infinity when it never is. Rounding may let a box count that is missed by as little, never the other way.
 */
export function slabEntryTime(
  left: number,
  right: number,
  low: number,
  high: number,
  vx: number,
  vy: number,
  limit: number,
): number {
  let enter = 0
  let leave = limit
  if (vx === 0) {
    if (left > 0 || right < 0) return Infinity
  } else {
    enter = Math.max(enter, (vx > 0 ? left : right) / vx)
    leave = Math.min(leave, (vx > 0 ? right : left) / vx)
  }
  if (vy === 0) {
    if (low > 0 || high < 0) return Infinity
  } else {
    enter = Math.max(enter, (vy > 0 ? low : high) / vy)
    leave = Math.min(leave, (vy > 0 ? high : low) / vy)
  }
  const rounding = 4 * UNIT_ROUNDOFF
  const earliest = enter - rounding * enter
  return earliest <= leave + rounding * Math.abs(leave) ? earliest : Infinity
}

/**
 * Last instant in [0, limit] at which box j may meet box i, given that they meet; rounding may let it come out later, never
 * earlier.
 */
export function leaveTime(
  boxesA: Float64Array,
  i: number,
  boxesB: Float64Array,
  j: number,
  motion: BoxMotion,
  limit: number,
): number {
  const { dx, dy, vx, vy, slack } = motion
  let leave = limit
  if (vx > 0) leave = Math.min(leave, (boxesA[4 * i + 2] - (boxesB[4 * j] + dx) + slack) / vx)
  else if (vx < 0) leave = Math.min(leave, (boxesA[4 * i] - (boxesB[4 * j + 2] + dx) - slack) / vx)
  if (vy > 0) leave = Math.min(leave, (boxesA[4 * i + 3] - (boxesB[4 * j + 1] + dy) + slack) / vy)
  else if (vy < 0) leave = Math.min(leave, (boxesA[4 * i + 1] - (boxesB[4 * j + 3] + dy) - slack) / vy)
  return leave + 4 * UNIT_ROUNDOFF * Math.abs(leave)
}

/** The motion of two composites, its slack set from their extents. */
export function setBoxMotion(out: BoxMotion, dx: number, dy: number, vx: number, vy: number): void {
  out.dx = dx
  out.dy = dy
  out.vx = vx
  out.vy = vy
  out.slack = SEPARATION_ERROR_RATIO * (Math.abs(dx) + Math.abs(dy))
}

/**
 * Calls `visit` for leaf pairs whose boxes meet up to the time that it last returned (`limit` at first), those that meet
 * sooner first.
 */
export function visitMovingLeafPairs(
  treeA: BoxTree,
  treeB: BoxTree,
  motion: BoxMotion,
  limit: number,
  visit: (leafA: number, leafB: number) => number,
): void {
  const entry = (i: number, j: number): number => entryTime(treeA.boxes, i, treeB.boxes, j, motion, limit)
  visitTreePairs(treeA, treeB, limit, entry, visit)
}

/** `visitMovingLeafPairs` without pairs that part before the time that `since` returns, which may grow on the way. */
export function visitLastingLeafPairs(
  treeA: BoxTree,
  treeB: BoxTree,
  motion: BoxMotion,
  limit: number,
  since: () => number,
  visit: (leafA: number, leafB: number) => number,
): void {
  const entry = (i: number, j: number): number =>
    leaveTime(treeA.boxes, i, treeB.boxes, j, motion, limit) < since()
      ? Infinity
      : entryTime(treeA.boxes, i, treeB.boxes, j, motion, limit)
  visitTreePairs(treeA, treeB, limit, entry, visit)
}
