/**
 * Linear sweep of a convex body against a half-plane: the gap is linear in time.
 *
 * Its sign at the start is that of the pair; its sign at the end is decided exactly where the body has core points, from
 * position + velocity · duration in exact arithmetic.
 * Frame: world; A is the body (or a half-plane), B the half-plane; .
 */
import { type Body, CIRCLE, POLYGON } from './body.ts'
import { displacementOf, type RelativeMotion } from './displacement.ts'
import { separate } from './pair.ts'
import { exactHeight } from './polygon-halfplane.ts'
import { createSeparation } from './separation.ts'
import type { Sweep } from './sweep.ts'
import { SEPARATION_ERROR_RATIO } from './tolerances.ts'

const separation = createSeparation()

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
  if (Math.abs(end) <= doubt && (a.kind === CIRCLE || a.kind === POLYGON)) {
    const exact = exactHeight(a, b, nx, ny, error, displacementOf(motion))
    sign = exact.sign
    if (!Number.isNaN(exact.value)) end = exact.value
  }
  if (relation <= 0) {
    out.exits = relation === 0 ? sign > 0 : sign >= 0
    out.leave = value < 0 ? (value / (value - end)) * duration : 0
    return true
  }
  if (sign > 0) return false
  out.enter = sign === 0 ? duration : (value / (value - end)) * duration
  return true
}
