/**
 * The last digits of a depth between curved bodies, where the polytope runs out of corners.
 *
 * Method: the depth is the least height of the difference over all directions. Where that is smooth, the farthest point lies along the
 * direction itself: two equations for it, solved by Newton's method with differences for the derivatives. A step is taken only where
 * it lowers the height, which is a way out whatever it is, so that edges and flat faces, which have no derivatives, do no harm.
 * Frame: that of `expanding-polytope.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { DUALITY_GAP_RATIO, NEWTON_COUNT, NEWTON_STEP_RATIO } from '../tolerances.ts'
import type { Penetration } from './expanding-polytope.ts'
import type { PairFrame } from './pair-frame.ts'
import { createDifferencePlaces, putDifference } from './support-difference.ts'

const places = createDifferencePlaces(3)
const { w, a } = places

/** Shortens the way out of a pair without half-spaces. */
export function sharpenDepth(frame: PairFrame, way: Penetration): void {
  const stop = DUALITY_GAP_RATIO * frame.extent
  for (let step = 0; step < NEWTON_COUNT; step++) {
    spend(8 + ((frame.first.count + frame.second.count) >> 2))
    const { upper } = way
    improve(frame, way)
    if (!(upper - way.upper > stop)) return
  }
}

function improve(frame: PairFrame, way: Penetration): void {
  const { nx, ny, nz } = way
  // Two directions across.
  const isFlat = Math.abs(nx) < Math.abs(ny)
  const length = isFlat ? Math.sqrt(ny * ny + nz * nz) : Math.sqrt(nx * nx + nz * nz)
  const ux = isFlat ? 0 : -nz / length
  const uy = isFlat ? nz / length : 0
  const uz = isFlat ? -ny / length : nx / length
  const vx = ny * uz - nz * uy
  const vy = nz * ux - nx * uz
  const vz = nx * uy - ny * ux
  const h = NEWTON_STEP_RATIO
  const height = putDifference(frame, nx, ny, nz, places, 0)
  putDifference(frame, nx + h * ux, ny + h * uy, nz + h * uz, places, 1)
  putDifference(frame, nx + h * vx, ny + h * vy, nz + h * vz, places, 2)
  const fu = along(0, ux, uy, uz)
  const fv = along(0, vx, vy, vz)
  // How the slope of the height changes as the direction turns.
  const uu = (along(1, ux, uy, uz) - fu) / h - height
  const uv = (along(2, ux, uy, uz) - fu) / h
  const vu = (along(1, vx, vy, vz) - fv) / h
  const vv = (along(2, vx, vy, vz) - fv) / h - height
  const determinant = uu * vv - uv * vu
  if (determinant === 0) return
  const s = (uv * fv - vv * fu) / determinant
  const t = (vu * fu - uu * fv) / determinant
  take(frame, way, nx + s * ux + t * vx, ny + s * uy + t * vy, nz + s * uz + t * vz)
}

function along(i: 0 | 1 | 2, x: number, y: number, z: number): number {
  return x * w[3 * i] + y * w[3 * i + 1] + z * w[3 * i + 2]
}

/** Takes over the direction if it is a shorter way out. */
function take(frame: PairFrame, way: Penetration, x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z)
  if (!(length > 0 && length < Infinity)) return
  const height = putDifference(frame, x / length, y / length, z / length, places, 0)
  if (!(height < way.upper)) return
  way.upper = height
  way.nx = x / length
  way.ny = y / length
  way.nz = z / length
  for (let k = 0; k < 3; k++) way.a[k] = a[k]
}
