/**
 * Polygons for curves whose points satisfy no quadratic equation: containment decides what is bounded by lines and conics.
 *
 * Method: four support points, then the farthest point over each side between two neighbours, round after round, which is as good for
 * slender curves as for round ones (G. Rote, "The convergence rate of the sandwich algorithm for approximating convex functions",
 * Computing 48 (1992)); of these the hull, which lies in the curve. An answer about such a curve is exact for the polygon.
 */

import { spend } from '../../containers/budget.ts'
import { convexHull } from '../points/convex-hull.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  createBody,
  finishPoints,
  putVertex,
  reservePoints,
} from '../shape/body.ts'
import { createComposite, finishComposite } from '../shape/composite.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf, isCurved } from '../shape/kinds.ts'
import { INSCRIBED_CORNER_COUNT } from '../tolerances.ts'

/** The body, or another in whose place polygons stand for such curves. */
export function withConics(body: Body): Body {
  if (body.kind !== COMPOSITE) return isConic(body) ? body : inscribed(body)
  const { parts, partCount } = body.composite as Composite
  const shown = parts.slice(0, partCount)
  if (shown.every((part) => part.outline !== null || isConic(part.body))) return body
  const composite = createComposite()
  composite.parts = shown.map((part) =>
    part.outline !== null || isConic(part.body) ? part : { ...part, body: inscribed(part.body) },
  )
  composite.partCount = partCount
  const out = { ...body, composite }
  finishComposite(out)
  return out
}

function isConic(body: Body): boolean {
  return !isCurved(body) || curveOf(body).isConic
}

/** The polygon in the place of a curved body. */
export function inscribed(curve: Body): Body {
  const points = [support(curve, 1, 0), support(curve, 0, 1), support(curve, -1, 0), support(curve, 0, -1)]
  spend(16 * INSCRIBED_CORNER_COUNT)
  while (2 * points.length <= INSCRIBED_CORNER_COUNT) halveSides(curve, points)
  const coordinates = Float64Array.from(points.flat())
  const corners = new Int32Array(points.length)
  const out = createBody()
  out.x = curve.x
  out.y = curve.y
  out.xLow = curve.xLow
  out.yLow = curve.yLow
  out.count = convexHull(coordinates, points.length, corners)
  reservePoints(out, out.count)
  for (let k = 0; k < out.count; k++) putVertex(out, k, ...points[corners[k]], k)
  finishPoints(out)
  return out
}

type Point = [x: number, y: number]

const rim = createBoundaryPoint()

function support(curve: Body, nx: number, ny: number): Point {
  curveOf(curve).support(curve, nx, ny, rim)
  return [rim.x, rim.y]
}

/** Puts the farthest point over each side behind its start; where there is none, the start again. */
function halveSides(curve: Body, points: Point[]): void {
  const corners = points.splice(0)
  corners.forEach((corner, i) => {
    const [x, y] = corners[(i + 1) % corners.length]
    const nx = y - corner[1]
    const ny = corner[0] - x
    points.push(corner, nx === 0 && ny === 0 ? corner : support(curve, nx, ny))
  })
}
