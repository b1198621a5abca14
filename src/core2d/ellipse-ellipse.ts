/**
 * Ellipse against ellipse: the signed separation is the greatest gap between the supports (`ellipse-gap.ts`).
 * Frame: world axes, origin at A's centre, B's centre at (dx, dy).
 */
import { type Body, edgeLength } from './body.ts'
import { createBoundaryPoint, nearestOnEllipse } from './ellipse.ts'
import { setGreatestGap } from './ellipse-gap.ts'
import { exactEllipseEllipse, settleWithEllipse } from './exact-ellipse.ts'
import { SURFACE_FEATURE } from './feature.ts'
import { type Separation, setWitness } from './separation.ts'
import { ELLIPSE_ERROR_RATIO, PROJECTION_COUNT } from './tolerances.ts'

const pointA = createBoundaryPoint()
const pointB = createBoundaryPoint()

export function ellipseEllipse(a: Body, b: Body, dx: number, dy: number, _error: number, out: Separation): void {
  out.face = 0
  out.featureA = SURFACE_FEATURE
  out.featureB = SURFACE_FEATURE
  setGreatestGap(a, b, dx, dy, out)
  // The support point of a slender ellipse runs off at the least turn of the direction; projections bring it back.
  const extent = Math.abs(dx) + Math.abs(dy) + a.reach + b.reach
  const limit = out.value + ELLIPSE_ERROR_RATIO * extent
  for (let i = 0; i < PROJECTION_COUNT && out.value > 0; i++) {
    nearestOnEllipse(a, out.bx, out.by, pointA)
    nearestOnEllipse(b, pointA.x - dx, pointA.y - dy, pointB)
    setWitness(out, pointA.x, pointA.y, 0, dx + pointB.x, dy + pointB.y, 0)
    if (edgeLength(out.bx - out.ax, out.by - out.ay) <= limit) break
  }
  settleWithEllipse(out, a, b, dx, dy, exactEllipseEllipse)
}
