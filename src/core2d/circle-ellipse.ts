/**
 * Circle (or point) against ellipse: the boundary point nearest to the centre (`ellipse.ts`), signed by containment.
 * Frame: world axes, origin at the centre of A, the circle; the ellipse's centre at (dx, dy).
 */
import { type Body, edgeLength } from './body.ts'
import { createBoundaryPoint, ellipseContains, nearestOnEllipse } from './ellipse.ts'
import { decidesExactly, exactEllipseConvex } from './exact-ellipse.ts'
import { SURFACE_FEATURE } from './feature.ts'
import { type Separation, settle, setWitness } from './separation.ts'
import { ELLIPSE_ERROR_RATIO } from './tolerances.ts'

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
  const extent = Math.abs(dx) + Math.abs(dy) + a.reach + b.reach
  const open = Math.abs(out.value) <= ELLIPSE_ERROR_RATIO * extent
  const exact = open && decidesExactly(a, b)
  settle(out, exact ? exactEllipseConvex(b, a) : out.value > 0 ? 1 : out.value < 0 ? -1 : 0, extent)
}
