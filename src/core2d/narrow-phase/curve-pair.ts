/**
 * A curve against any convex body, by their supports alone: what a kind needs no pair function of its own for.
 *
 * Method: against a half-plane the curve's lowest point; else a polygon that expands within the Minkowski difference
 * (`expanding-polygon.ts`), which ends with a bound from either side, no farther apart than `CURVE_GAP_RATIO` of the extent; the
 * witness points lie in the bodies, as far from their surfaces at most. Cores take part without their skins, which are added at
 * the end.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { edgeFeature, type FeatureCode, SURFACE_FEATURE } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import type { Frame } from '../shape/frame.ts'
import { curveOf, isCurved } from '../shape/kinds.ts'
import { createPolygonGap, expandPolygon } from './expanding-polygon.ts'
import { addSkins, type Separation, settle } from './separation.ts'

const gap = createPolygonGap()
const lowest = createBoundaryPoint()

/** Bodies with bounds, at least one of them a curve. */
export function curvePair(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy, extent } = frame
  expandPolygon(a, b, dx, dy, extent, gap)
  out.nx = gap.nx
  out.ny = gap.ny
  out.ax = gap.ax
  out.ay = gap.ay
  out.bx = gap.bx
  out.by = gap.by
  out.face = 0
  out.featureA = featureOf(a, gap.a0, gap.a1, gap.nx, gap.ny)
  out.featureB = featureOf(b, gap.b0, gap.b1, -gap.nx, -gap.ny)
  addSkins(out, a, b)
  out.value = gap.most - (a.radius + b.radius)
  settle(out, out.value > 0 ? 1 : out.value < 0 ? -1 : 0, frame)
}

/** Of a core the vertex, or the edge between two that follow one another, on the side that (nx, ny) points to. */
function featureOf(body: Body, i: number, j: number, nx: number, ny: number): FeatureCode {
  if (isCurved(body)) return SURFACE_FEATURE
  const { vertexFeatures, edgeFeatures, normals, count } = body
  if (i === j) return vertexFeatures[i]
  if (count === 2) return edgeFeatures[normals[0] * nx + normals[1] * ny > 0 ? 0 : 1]
  if (following(body, i) === j) return edgeFeatures[i]
  return following(body, j) === i ? edgeFeatures[j] : vertexFeatures[i]
}

/** A curve and a half-plane. */
export function curveHalfplane(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy } = frame
  const { unitX, unitY } = b
  const reach = curveOf(a).support(a, -unitX, -unitY, lowest)
  out.nx = -unitX
  out.ny = -unitY
  out.value = -(unitX * dx + unitY * dy) - reach - b.offset
  out.face = 2
  out.edge = 0
  out.featureA = SURFACE_FEATURE
  out.featureB = edgeFeature(0)
  out.ax = lowest.x
  out.ay = lowest.y
  out.bx = lowest.x - unitX * out.value
  out.by = lowest.y - unitY * out.value
  settle(out, out.value > 0 ? 1 : out.value < 0 ? -1 : 0, frame)
}
