/**
 * Polygon, capsule or segment (rounded or not) against ellipse.
 *
 * Method: the signed separation of two convex sets is the greatest gap between their supports over all directions. For
 * a polygon and an ellipse that maximum lies at an edge normal of the polygon, or where the ellipse's normal passes
 * through a vertex (two local minima of the distance to the boundary for an inner vertex, one for an outer vertex).
 * Every candidate direction is measured against both whole shapes, so a candidate can only be too small, never wrong.
 * Frame: world axes, origin at A's anchor, the ellipse's centre at (dx, dy).
 */

import { spend } from '../../containers/budget.ts'
import { SURFACE_FEATURE } from '../feature.ts'
import { type Body, LOCAL, RADIUS } from '../shape/body.ts'
import { createBoundaryPoint, ellipseSupport, nearestOnEllipse, secondNearestOnEllipse } from '../shape/ellipse.ts'
import type { Frame } from '../shape/position.ts'
import { CLIMB_COUNT } from '../tolerances.ts'
import { exactConvexEllipse, settleWithEllipse } from './exact-ellipse.ts'
import { supportVertex } from './sat.ts'
import { addSkins, type Separation } from './separation.ts'

const point = createBoundaryPoint()
const probe = createBoundaryPoint()

export function polygonEllipse(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy } = frame
  const { normals, offsets, count, numbers } = a
  spend(8 * count)
  out.value = -Infinity
  out.featureB = SURFACE_FEATURE
  for (let i = 0; i < count; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    const gap = nx * dx + ny * dy - ellipseSupport(b, -nx, -ny, point) - numbers[offsets + i]
    if (gap <= out.value) continue
    const x = dx + point.x
    const y = dy + point.y
    setCandidate(out, gap, nx, ny, x - nx * gap, y - ny * gap)
    out.featureA = a.edgeFeatures[i]
    out.face = 1
    out.edge = i
  }
  for (let i = 0; i < count; i++) {
    const x = numbers[LOCAL + 2 * i] - dx
    const y = numbers[LOCAL + 2 * i + 1] - dy
    nearestOnEllipse(b, x, y, point)
    tryDirection(out, a, b, dx, dy, i)
    if (secondNearestOnEllipse(b, x, y, point)) tryDirection(out, a, b, dx, dy, i)
  }
  const gap = out.value
  out.value = gap - a.numbers[RADIUS]
  const x = out.ax + out.nx * gap
  const y = out.ay + out.ny * gap
  out.bx = x
  out.by = y
  addSkins(out, a, b)
  settleWithEllipse(out, a, b, frame, exactConvexEllipse)
}

/** The direction from vertex `i` against the ellipse's normal at `point`. */
function tryDirection(out: Separation, a: Body, b: Body, dx: number, dy: number, i: number): void {
  const nx = -point.nx
  const ny = -point.ny
  const base = nx * dx + ny * dy - ellipseSupport(b, -nx, -ny, probe)
  if (base - (nx * a.numbers[LOCAL + 2 * i] + ny * a.numbers[LOCAL + 2 * i + 1]) <= out.value) return
  if (a.count > CLIMB_COUNT) spend(a.count >> 3)
  const j = supportVertex(a, nx, ny)
  const x = a.numbers[LOCAL + 2 * j]
  const y = a.numbers[LOCAL + 2 * j + 1]
  const gap = base - (nx * x + ny * y)
  if (gap <= out.value) return
  setCandidate(out, gap, nx, ny, x, y)
  out.featureA = a.vertexFeatures[j]
  out.face = 0
}

/** Keeps the core point of A in `out.ax, out.ay` until the search is over. */
function setCandidate(out: Separation, gap: number, nx: number, ny: number, x: number, y: number): void {
  out.value = gap
  out.nx = nx
  out.ny = ny
  out.ax = x
  out.ay = y
}
