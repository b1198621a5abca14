/**
 * Circle (or point) against ellipse: the boundary point nearest to the centre (`shape/ellipse.ts`), signed by containment.
 * Frame: world axes, origin at the centre of A, the circle; the ellipse's centre at (dx, dy).
 */

import { vectorLength } from '../../numeric/safe-range.ts'
import { SURFACE_FEATURE } from '../feature.ts'
import { type Body, RADIUS } from '../shape/body.ts'
import { createBoundaryPoint, ellipseContains, nearestOnEllipse } from '../shape/ellipse.ts'
import type { Frame } from '../shape/position.ts'
import { exactConvexEllipse, settleWithEllipse } from './exact-ellipse.ts'
import { addSkins, type Separation } from './separation.ts'

const foot = createBoundaryPoint()

export function circleEllipse(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy } = frame
  nearestOnEllipse(b, -dx, -dy, foot)
  const x = foot.x + dx
  const y = foot.y + dy
  const distance = ellipseContains(b, -dx, -dy) ? -vectorLength(x, y) : vectorLength(x, y)
  out.nx = -foot.nx
  out.ny = -foot.ny
  out.value = distance - a.numbers[RADIUS]
  out.face = 0
  out.featureA = a.vertexFeatures[0]
  out.featureB = SURFACE_FEATURE
  out.ax = 0
  out.ay = 0
  out.bx = x
  out.by = y
  addSkins(out, a, b)
  settleWithEllipse(out, a, b, frame, exactConvexEllipse)
}
