/**
 * Circle against circle (points included): the distance of the centres less the radii.
 * Frame: world axes, origin at A's centre.
 */
import type { Body } from './body.ts'
import { edgeLength } from './body.ts'
import { exactConvexSeparation } from './exact-convex.ts'
import { type Separation, settle, setWitness } from './separation.ts'

export function circleCircle(a: Body, b: Body, dx: number, dy: number, error: number, out: Separation): void {
  const distance = edgeLength(dx, dy)
  const concentric = distance === 0
  // Every direction is one of least penetration when the centres coincide.
  out.nx = concentric ? 1 : dx / distance
  out.ny = concentric ? 0 : dy / distance
  out.value = distance - (a.radius + b.radius)
  out.face = 0
  out.featureA = a.vertexFeatures[0]
  out.featureB = b.vertexFeatures[0]
  setWitness(out, 0, 0, a.radius, dx, dy, b.radius)
  if (Math.abs(out.value) > error) {
    out.relation = out.value > 0 ? 1 : -1
    return
  }
  const exact = exactConvexSeparation(a, b, dx, dy, out.nx, out.ny, distance, error)
  if (!Number.isNaN(exact.value)) out.value = exact.value
  settle(out, exact.sign, distance + a.reach + b.reach)
}
