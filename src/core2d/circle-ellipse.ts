/**
 * Circle (or point) against ellipse: the boundary point nearest to the centre (`ellipse.ts`), signed by containment.
 * Frame: world axes, origin at the centre of A, the circle; the ellipse's centre at (dx, dy).
 */
import { type Body, edgeLength } from './body.ts'
import { createBoundaryPoint, ellipseContains, nearestOnEllipse } from './ellipse.ts'
import { exactConvexEllipse, settleWithEllipse } from './exact-ellipse.ts'
import { SURFACE_FEATURE } from './feature.ts'
import { type Separation, setWitness } from './separation.ts'

const foot = createBoundaryPoint()

export function circleEllipse(a: Body, b: Body, dx: number, dy: number, _error: number, out: Separation): void {
  nearestOnEllipse(b, -dx, -dy, foot)
  const x = foot.x + dx
  const y = foot.y + dy
  const distance = ellipseContains(b, -dx, -dy) ? -edgeLength(x, y) : edgeLength(x, y)
  out.nx = -foot.nx
  out.ny = -foot.ny
  out.value = distance - a.radius
  out.face = 0
  out.featureA = a.vertexFeatures[0]
  out.featureB = SURFACE_FEATURE
  setWitness(out, 0, 0, a.radius, x, y, 0)
  settleWithEllipse(out, a, b, dx, dy, exactConvexEllipse)
}
