/**
 * Ray against a curve of any kind, by its distance alone.
 *
 * Method: along the ray's line the distance from a convex body is convex, so Newton's method from a point outside comes to the
 * boundary without passing it (as `sweep/sweep-ellipse.ts`); once from before the body, once from beyond it.
 * Signs are those of rounded numbers.
 */

import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { SURFACE_FEATURE } from '../feature.ts'
import { curvePair } from '../narrow-phase/curve-pair.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { type Body, createBody, setCircle } from '../shape/body.ts'
import type { Frame } from '../shape/frame.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import type { RayLine } from './ray-line.ts'
import { type RaySpan, setEnter, setLeave, settleExactly } from './ray-span.ts'

const point = createBody()
setCircle(point, 0)
const frame: Frame = { dx: 0, dy: 0, extent: 0, error: 0 }
const separation = createSeparation()

export function rayCurve(line: RayLine, body: Body, span: RaySpan): boolean {
  const { ux, uy, along, maxDistance } = line
  const enter = approach(line, body, -1)
  if (Number.isNaN(enter)) return false
  setEnter(span, enter, -separation.nx, -separation.ny, SURFACE_FEATURE)
  const leave = approach(line, body, 1)
  // A line that only touches the body may be found to do so from one side alone.
  if (Number.isNaN(leave)) setLeave(span, enter, ux, uy, SURFACE_FEATURE)
  else setLeave(span, Math.max(leave, enter), -separation.nx, -separation.ny, SURFACE_FEATURE)
  if (along + span.leave < 0 || along + span.enter > maxDistance) return false
  return settleExactly(span, along + span.enter <= 0, along + span.leave <= maxDistance)
}

/**
 * Where the line comes to the body from far before it (side −1) or beyond it (1), measured from the anchor's foot; `separation` is
 * that of a point just outside then. NaN when it passes by.
 */
function approach(line: RayLine, body: Body, side: -1 | 1): number {
  const { ux, uy } = line
  const start = 2 * body.reach + Math.abs(line.side)
  let at = side * start
  for (let i = 0; i < BISECTION_COUNT; i++) {
    // The body seen from a point of the line.
    frame.dx = -(line.qx + at * ux)
    frame.dy = -(line.qy + at * uy)
    frame.extent = Math.abs(frame.dx) + Math.abs(frame.dy) + body.reach
    frame.error = SEPARATION_ERROR_RATIO * frame.extent
    curvePair(point, body, frame, separation)
    if (separation.relation <= 0) return at
    const rate = -side * (separation.nx * ux + separation.ny * uy)
    if (!(rate > 0)) return Number.NaN
    const next = at - (side * separation.value) / rate
    if (Math.abs(next) > start) return Number.NaN
    if (next === at) return at
    at = next
  }
  return at
}
