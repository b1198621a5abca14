/**
 * Circle against circle (points included): the distance of the centres less the radii.
 * Frame: world axes, origin at A's centre.
 */

import { vectorLength } from '../../numeric/safe-range.ts'
import { type Body, RADIUS } from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import { exactConvexSeparation } from './exact-convex.ts'
import { addSkins, type Separation, setFacePoints, settle } from './separation.ts'

export function circleCircle(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy, error } = frame
  const distance = vectorLength(dx, dy)
  const concentric = distance === 0
  // Every direction is one of least penetration when the centres coincide.
  out.nx = concentric ? 1 : dx / distance
  out.ny = concentric ? 0 : dy / distance
  out.value = distance - (a.numbers[RADIUS] + b.numbers[RADIUS])
  out.face = 0
  out.featureA = a.vertexFeatures[0]
  out.featureB = b.vertexFeatures[0]
  out.ax = 0
  out.ay = 0
  out.bx = dx
  out.by = dy
  setFacePoints(out, true, 0, 0, 0)
  addSkins(out, a, b)
  if (Math.abs(out.value) > error) {
    out.relation = out.value > 0 ? 1 : -1
    return
  }
  const exact = exactConvexSeparation(a, b, dx, dy, out.nx, out.ny, distance, error)
  if (!Number.isNaN(exact.value)) out.value = exact.value
  settle(out, exact.sign, frame)
}
