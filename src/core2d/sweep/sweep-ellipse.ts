/**
 * Linear sweep with an ellipse: Newton's method on the signed gap.
 *
 * Method: under constant velocities the gap of two convex bodies, penetration counted negative, is a convex function of
 * time: it is the greatest of the gaps along all directions, each linear in time. The tangent at any instant, whose slope
 * is the relative velocity along the pair's normal, lies below it. So Newton's method from a separated instant approaches
 * the contact without passing it (G. van den Bergen, "Ray Casting against General Convex Objects", 2004, in other words).
 * Frame: world; the normal points from A to B.
 */

import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { type Body, createBody, shareConvex } from '../shape/body.ts'
import type { RelativeMotion } from '../shape/displacement.ts'
import type { Sweep } from './sweep-span.ts'

const separation = createSeparation()
const moved = createBody()

export function sweepEllipse(a: Body, b: Body, motion: RelativeMotion, out: Sweep): boolean {
  const { duration } = motion
  shareConvex(a, moved)
  gapAt(a, b, motion, 0)
  out.inside = separation.relation <= 0
  out.enter = 0
  out.exits = false
  if (!out.inside) {
    const enter = approach(a, b, motion, 0, duration)
    if (enter < 0) return false
    out.enter = enter
    out.nx = separation.nx
    out.ny = separation.ny
    out.featureA = separation.featureA
    out.featureB = separation.featureB
    if (swappedPair) flip(out)
  }
  gapAt(a, b, motion, duration)
  if (separation.relation <= 0) return true
  out.exits = true
  out.leave = Math.max(approach(a, b, motion, duration, out.enter), out.enter)
  return true
}

let swappedPair = false

function flip(out: Sweep): void {
  out.nx = -out.nx
  out.ny = -out.ny
  const { featureA } = out
  out.featureA = out.featureB
  out.featureB = featureA
}

/** Measures the pair at time t, with `moved` a copy of A; `separation` is in the order of the pair then. */
function gapAt(a: Body, b: Body, motion: RelativeMotion, t: number): void {
  moved.x = a.x + t * (motion.ax - motion.bx)
  moved.y = a.y + t * (motion.ay - motion.by)
  swappedPair = separate(moved, b, separation).swapped
}

/** From a separated instant towards `to`: the instant of contact; when there is none by `to`, −1 forwards and `to` backwards. */
function approach(a: Body, b: Body, motion: RelativeMotion, start: number, to: number): number {
  const forward = to >= start
  let t = start
  for (let i = 0; i < BISECTION_COUNT; i++) {
    gapAt(a, b, motion, t)
    if (separation.relation <= 0) return t
    const side = swappedPair ? 1 : -1
    const rate = side * (separation.nx * (motion.ax - motion.bx) + separation.ny * (motion.ay - motion.by))
    if (forward ? rate >= 0 : rate <= 0) return forward ? -1 : t
    const next = t - separation.value / rate
    // A step may pass the end by its rounding, and what lies there decides.
    if (forward && next > to) {
      gapAt(a, b, motion, to)
      return separation.relation <= 0 ? to : -1
    }
    if (!forward && next < to) return to
    // No longer moved by the gap: as near as doubles get.
    if (next === t) return t
    t = next
  }
  return t
}
