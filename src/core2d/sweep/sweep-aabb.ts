/**
 * Linear sweep of two boxes along the axes, through their Minkowski difference, which is a box too.
 *
 * Method: reflect A, sum, and clip the segment of the relative motion to the slabs of the sum (C. Ericson, "Real-Time
 * Collision Detection", 5.5.8). Where rounding leaves a decision open, or the segment passes within rounding of a corner,
 * the caller goes on with the exact way.
 * Frame: world axes, B's first corner at (dx, dy) from A's; `motion` has A's velocity less B's.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { HIT, MISS, UNSURE, type Verdict } from '../ray/ray-span.ts'
import type { Body } from '../shape/body.ts'
import type { RelativeMotion } from '../shape/displacement.ts'
import type { Frame } from '../shape/frame.ts'
import type { Sweep } from './sweep-span.ts'

/** Edges of a box: bottom, right, top, left. */
const BOTTOM = 0
const RIGHT = 1
const TOP = 2
const LEFT = 3

/** Both `isAxisAligned`. */
export function sweepAabb(a: Body, b: Body, frame: Frame, motion: RelativeMotion, out: Sweep): Verdict {
  const { dx, dy, error } = frame
  const { duration } = motion
  const vx = motion.ax - motion.bx
  const vy = motion.ay - motion.by
  const lowX = dx - a.local[4]
  const highX = dx + b.local[4]
  const lowY = dy - a.local[5]
  const highY = dy + b.local[5]
  let enterX = -Infinity
  let leaveX = Infinity
  let enterY = -Infinity
  let leaveY = Infinity
  let slack = 0
  if (vx !== 0) {
    enterX = (vx > 0 ? lowX : highX) / vx
    leaveX = (vx > 0 ? highX : lowX) / vx
    slack = error / Math.abs(vx) + 4 * UNIT_ROUNDOFF * (Math.abs(enterX) + Math.abs(leaveX))
  } else if (lowX > error || highX < -error) return MISS
  else if (lowX > -error || highX < error) return UNSURE
  if (vy !== 0) {
    enterY = (vy > 0 ? lowY : highY) / vy
    leaveY = (vy > 0 ? highY : lowY) / vy
    slack = Math.max(slack, error / Math.abs(vy) + 4 * UNIT_ROUNDOFF * (Math.abs(enterY) + Math.abs(leaveY)))
  } else if (lowY > error || highY < -error) return MISS
  else if (lowY > -error || highY < error) return UNSURE
  const enter = Math.max(enterX, enterY)
  const leave = Math.min(leaveX, leaveY)
  if (enter - leave > 2 * slack || leave < -slack || enter > duration + slack) return MISS
  if (!(enter - leave < -2 * slack) || !(leave > slack)) return UNSURE
  if (Math.abs(enter) <= slack || Math.abs(enterX - enterY) <= 2 * slack) return UNSURE
  if (enter > duration - slack || Math.abs(leave - duration) <= slack) return UNSURE
  out.inside = enter < 0
  out.enter = enter
  out.leave = leave
  out.exits = leave < duration
  const isSide = enterX > enterY
  const edgeA = isSide ? (vx > 0 ? RIGHT : LEFT) : vy > 0 ? TOP : BOTTOM
  const edgeB = (edgeA + 2) % 4
  out.nx = isSide ? (vx > 0 ? 1 : -1) : 0
  out.ny = isSide ? 0 : vy > 0 ? 1 : -1
  out.featureA = a.edgeFeatures[edgeA]
  out.featureB = b.edgeFeatures[edgeB]
  out.a0 = edgeA
  out.a1 = (edgeA + 1) % 4
  out.b0 = edgeB
  out.b1 = (edgeB + 1) % 4
  const lastB = leaveX < leaveY ? (vx > 0 ? RIGHT : LEFT) : vy > 0 ? TOP : BOTTOM
  const lastA = (lastB + 2) % 4
  out.end.a0 = lastA
  out.end.a1 = (lastA + 1) % 4
  out.end.b0 = lastB
  out.end.b1 = (lastB + 1) % 4
  return HIT
}
