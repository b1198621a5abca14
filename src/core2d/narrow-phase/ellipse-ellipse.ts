/**
 * Ellipse against ellipse: the signed separation is the greatest gap between the supports (`ellipse-gap.ts`).
 * Frame: world axes, origin at A's centre, B's centre at (dx, dy).
 */

import { vectorLength } from '../../numeric/vector-length.ts'
import { SURFACE_FEATURE } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import { createBoundaryPoint, nearestOnEllipse } from '../shape/ellipse.ts'
import type { Frame } from '../shape/frame.ts'
import { ELLIPSE_ERROR_RATIO, PROJECTION_COUNT } from '../tolerances.ts'
import { setGreatestGap } from './ellipse-gap.ts'
import { exactEllipseEllipse, settleWithEllipse } from './exact-ellipse.ts'
import type { Separation } from './separation.ts'

const pointA = createBoundaryPoint()
const pointB = createBoundaryPoint()

export function ellipseEllipse(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy } = frame
  out.face = 0
  out.featureA = SURFACE_FEATURE
  out.featureB = SURFACE_FEATURE
  setGreatestGap(a, b, dx, dy, out)
  // The support point of a slender ellipse runs off at the least turn of the direction; projections bring it back.
  const limit = out.value + ELLIPSE_ERROR_RATIO * frame.extent
  for (let i = 0; i < PROJECTION_COUNT && out.value > 0; i++) {
    nearestOnEllipse(a, out.bx, out.by, pointA)
    nearestOnEllipse(b, pointA.x - dx, pointA.y - dy, pointB)
    out.ax = pointA.x
    out.ay = pointA.y
    out.bx = dx + pointB.x
    out.by = dy + pointB.y
    if (vectorLength(out.bx - out.ax, out.by - out.ay) <= limit) break
  }
  settleWithEllipse(out, a, b, frame, exactEllipseEllipse)
}
