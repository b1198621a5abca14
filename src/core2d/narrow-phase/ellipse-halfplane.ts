/**
 * Ellipse against half-plane: the ellipse's lowest point.
 * Frame: world axes, origin at A's centre, the half-plane's position at (dx, dy).
 */

import { edgeFeature, SURFACE_FEATURE } from '../feature.ts'
import { type Body, OFFSET, UNIT_X, UNIT_Y } from '../shape/body.ts'
import { createBoundaryPoint, ellipseSupport } from '../shape/ellipse.ts'
import type { Frame } from '../shape/position.ts'
import { exactEllipseHalfplane, settleWithEllipse } from './exact-ellipse.ts'
import type { Separation } from './separation.ts'

const lowest = createBoundaryPoint()

export function ellipseHalfplane(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy } = frame
  const { numbers } = b
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const reach = ellipseSupport(a, -unitX, -unitY, lowest)
  out.nx = -unitX
  out.ny = -unitY
  out.value = -(unitX * dx + unitY * dy) - reach - b.numbers[OFFSET]
  out.face = 2
  out.edge = 0
  out.featureA = SURFACE_FEATURE
  out.featureB = edgeFeature(0)
  out.ax = lowest.x
  out.ay = lowest.y
  out.bx = lowest.x - unitX * out.value
  out.by = lowest.y - unitY * out.value
  settleWithEllipse(out, a, b, frame, exactEllipseHalfplane)
}
