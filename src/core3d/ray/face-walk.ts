/**
 * Through which face of a solid hull a line comes in, or goes out.
 *
 * Method: seen along the line, the faces turned towards it tile the hull's shadow. The walk starts at a face that lies most against the
 * line and crosses edges that the line lies beyond: each step brings the crossing of the face's plane nearer to the true one, for the hull
 * is convex, so no face comes twice (the walk of O. Devillers, S. Pion, M. Teillaud, "Walking in a triangulation", Int. J. Found. Comput.
 * Sci. 13 (2002), in the shadow). It ends in the face that the line goes through, or at an edge behind which the hull turns away: then the
 * line passes it by. Basis across the line: T. Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017).
 * Cost: O(√faces) for well-shaped hulls.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, type CoreSurface, REACH } from '../shape/body.ts'
import { PLANE_SIZE, planesOf } from '../shape/core-surface.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import type { RayLine } from './ray-line.ts'

/** The line passes the hull by. */
export const BESIDE = -1
/** Rounding leaves it open. */
export const OPEN = -2

/** The face that the line goes through for certain, inward with `side` −1, outward with 1; or `BESIDE`, or `OPEN`. */
export function faceCrossed(line: RayLine, body: Body, surface: CoreSurface, side: -1 | 1): number {
  const { numbers, local } = body
  const planes = planesOf(body, surface)
  const { starts, corners, neighbours } = surface
  const extremes = surface.extremes as Int32Array
  const { ux, uy, uz, qx, qy, qz } = line
  const hand = uz >= 0 ? 1 : -1
  const a = -1 / (hand + uz)
  const b = ux * uy * a
  const ex = 1 + hand * ux * ux * a
  const ey = hand * b
  const ez = -hand * ux
  const fy = hand + uy * uy * a
  const error = 2 * line.error
  const least = RAY_PARALLEL_RATIO * numbers[REACH]
  let face = extremes[extremeAlong(side * ux, side * uy, side * uz)]
  for (let steps = starts.length; steps > 0; steps--) {
    const plane = PLANE_SIZE * face
    const slope = side * (planes[plane] * ux + planes[plane + 1] * uy + planes[plane + 2] * uz) * numbers[REACH]
    const doubt = least + 4 * planes[plane + 4]
    // The first face may be turned away; later ones are the silhouette's other side.
    if (!(slope > doubt)) return slope < -doubt && steps < starts.length ? BESIDE : OPEN
    const first = starts[face]
    const end = starts[face + 1]
    spend(1)
    let next = -1
    let isOpen = false
    let at = local + 3 * corners[end - 1]
    let x = numbers[at] - qx
    let y = numbers[at + 1] - qy
    let z = numbers[at + 2] - qz
    let fromX = x * ex + y * ey + z * ez
    let fromY = x * b + y * fy - z * uy
    let edge = end - 1
    for (let c = first; c < end; c++) {
      at = local + 3 * corners[c]
      x = numbers[at] - qx
      y = numbers[at + 1] - qy
      z = numbers[at + 2] - qz
      const toX = x * ex + y * ey + z * ez
      const toY = x * b + y * fy - z * uy
      const within = side * (fromX * toY - toX * fromY)
      const bound = error * (Math.abs(fromX) + Math.abs(fromY) + Math.abs(toX) + Math.abs(toY))
      if (within < -bound) {
        next = neighbours[edge]
        break
      }
      if (within <= bound) isOpen = true
      fromX = toX
      fromY = toY
      edge = c
    }
    if (next < 0) return isOpen ? OPEN : face
    face = next
  }
  return OPEN
}

/** Of the six faces that lie most along an axis, the one for that direction. */
function extremeAlong(x: number, y: number, z: number): number {
  const alongX = Math.abs(x)
  const alongY = Math.abs(y)
  const alongZ = Math.abs(z)
  if (alongX >= alongY && alongX >= alongZ) return x < 0 ? 0 : 1
  if (alongY >= alongZ) return y < 0 ? 2 : 3
  return z < 0 ? 4 : 5
}
