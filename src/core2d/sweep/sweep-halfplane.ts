/**
 * Linear sweep of a convex body against a half-plane: the gap is linear in time.
 *
 * Its sign at the start is that of the pair; its sign at the end is decided exactly where the body has core points, from
 * position + velocity · duration in exact arithmetic.
 * Frame: world; A is the body (or a half-plane), B the half-plane; .
 */

import { spend } from '../../containers/budget.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import { createVelocity, planeTime, roundTime, setVelocity } from '../closed-forms/closed-time.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { exactHeight } from '../narrow-phase/polygon-halfplane.ts'
import { supportVertex } from '../narrow-phase/sat.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import type { Body } from '../shape/body.ts'
import { displacementOf, type RelativeMotion } from '../shape/displacement.ts'
import { isBehind } from '../shape/edge.ts'
import { isCored } from '../shape/kinds.ts'
import { CLEAR_COSINE_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import type { Sweep } from './sweep-span.ts'

const separation = createSeparation()
const velocity = createVelocity()
const time: Twofold = { high: 0, low: 0 }

export function sweepHalfplane(a: Body, b: Body, motion: RelativeMotion, out: Sweep): boolean {
  const { duration } = motion
  const dx = motion.ax - motion.bx
  const dy = motion.ay - motion.by
  const { error } = separate(a, b, separation)
  const { nx, ny, relation, value } = separation
  out.inside = relation <= 0
  out.nx = nx
  out.ny = ny
  out.featureA = separation.featureA
  out.featureB = separation.featureB
  out.enter = 0
  out.exits = false
  if (value === -Infinity) return true
  // The gap shrinks as A moves along the normal, which points into the half-plane.
  const rate = -(nx * dx + ny * dy)
  const change = rate * duration
  let end = value + change
  const doubt = error + SEPARATION_ERROR_RATIO * (Math.abs(dx) + Math.abs(dy)) * duration
  let sign = Math.sign(end)
  const hasCorners = isCored(a)
  if (Math.abs(end) <= doubt && hasCorners) {
    const exact = exactHeight(a, b, nx, ny, error, displacementOf(motion))
    sign = exact.sign
    if (!Number.isNaN(exact.value)) end = exact.value
  }
  if (relation <= 0) {
    out.exits = relation === 0 ? sign > 0 : sign >= 0
    out.leave = value < 0 ? (value / (value - end)) * duration : 0
    if (out.exits && value < 0 && sign > 0 && hasCorners) out.leave = crossing(a, b, motion, nx, ny, 1)
    return true
  }
  if (sign > 0) return false
  if (sign === 0) out.enter = duration
  else out.enter = hasCorners ? crossing(a, b, motion, nx, ny, -1) : (value / (value - end)) * duration
  return true
}

/** When the lowest corner, of those that rounding may have taken for it, crosses the boundary; rounded once. */
function crossing(a: Body, plane: Body, motion: RelativeMotion, nx: number, ny: number, end: -1 | 1): number {
  setVelocity(motion, velocity)
  const { vertices, count } = a
  const lowest = supportVertex(a, nx, ny)
  planeTime(plane, a, lowest, velocity, time)
  let best = roundTime(time, velocity.exponent)
  if (isBehind(a, lowest, separation, -1)) return best
  spend(count)
  for (let i = 0; i < count; i++) {
    const ex = vertices[2 * i] - vertices[2 * lowest]
    const ey = vertices[2 * i + 1] - vertices[2 * lowest + 1]
    if (-(nx * ex + ny * ey) > CLEAR_COSINE_RATIO * (Math.abs(ex) + Math.abs(ey))) continue
    planeTime(plane, a, i, velocity, time)
    const at = roundTime(time, velocity.exponent)
    best = end < 0 ? Math.min(best, at) : Math.max(best, at)
  }
  return best
}
