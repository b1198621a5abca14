/**
 * Ellipse against ellipse: the signed separation is the greatest gap between the supports (`ellipse-gap.ts`).
 * Frame: world axes, origin at A's centre, B's centre at (dx, dy).
 */
import type { Body } from './body.ts'
import { createBoundaryPoint, nearestOnEllipse } from './ellipse.ts'
import { setGreatestGap } from './ellipse-gap.ts'
import { exactEllipseEllipse, settleWithEllipse } from './exact-ellipse.ts'
import { SURFACE_FEATURE } from './feature.ts'
import { type Separation, setWitness } from './separation.ts'

const pointA = createBoundaryPoint()
const pointB = createBoundaryPoint()

export function ellipseEllipse(a: Body, b: Body, dx: number, dy: number, _error: number, out: Separation): void {
  out.face = 0
  out.featureA = SURFACE_FEATURE
  out.featureB = SURFACE_FEATURE
  setGreatestGap(a, b, dx, dy, out)
  if (out.value > 0) {
    // The support point of a slender ellipse runs off at the least turn of the direction; a projection brings it back.
    nearestOnEllipse(a, out.bx, out.by, pointA)
    nearestOnEllipse(b, pointA.x - dx, pointA.y - dy, pointB)
    setWitness(out, pointA.x, pointA.y, 0, dx + pointB.x, dy + pointB.y, 0)
  }
  settleWithEllipse(out, a, b, dx, dy, exactEllipseEllipse)
}
