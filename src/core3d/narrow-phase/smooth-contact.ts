/**
 * The last digits of a distance between curved bodies, where GJK creeps.
 *
 * Method: at the nearest points of smooth surfaces the farthest point w(n) of the difference, seen along −n, lies along n itself. That
 * is two equations for a direction, solved by Newton's method with differences for the derivatives. A step is taken only where it
 * raises the lower bound, so that edges and flat faces, which have no derivatives, do no harm.
 * Frame: that of `gjk.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { DUALITY_GAP_RATIO, NEWTON_COUNT, NEWTON_STEP_RATIO } from '../tolerances.ts'
import type { Bounds } from './gjk.ts'
import type { PairFrame } from './pair-frame.ts'
import { createDifferencePlaces, putDifference } from './support-difference.ts'

const places = createDifferencePlaces(3)
const { w } = places

/** Narrows the bounds of a pair that GJK has found apart. */
export function sharpen(frame: PairFrame, bounds: Bounds): void {
  const stop = DUALITY_GAP_RATIO * frame.extent
  if (!(bounds.lower > 0)) return
  for (let step = 0; step < NEWTON_COUNT && bounds.upper - bounds.lower > stop; step++) {
    spend(8)
    if (!improve(frame, bounds)) return
  }
}

function improve(frame: PairFrame, bounds: Bounds): boolean {
  const { nx, ny, nz } = bounds
  // Two directions across.
  const isFlat = Math.abs(nx) < Math.abs(ny)
  const length = isFlat ? vectorLength(ny, nz) : vectorLength(nx, nz)
  const ux = isFlat ? 0 : -nz / length
  const uy = isFlat ? nz / length : 0
  const uz = isFlat ? -ny / length : nx / length
  const vx = ny * uz - nz * uy
  const vy = nz * ux - nx * uz
  const vz = nx * uy - ny * ux
  const h = NEWTON_STEP_RATIO
  putDifference(frame, -nx, -ny, -nz, places, 0)
  putDifference(frame, -nx - h * ux, -ny - h * uy, -nz - h * uz, places, 1)
  putDifference(frame, -nx - h * vx, -ny - h * vy, -nz - h * vz, places, 2)
  const along = (i: number, x: number, y: number, z: number): number =>
    x * w[3 * i] + y * w[3 * i + 1] + z * w[3 * i + 2]
  const height = along(0, nx, ny, nz)
  const fu = along(0, ux, uy, uz)
  const fv = along(0, vx, vy, vz)
  // How the part across changes as the direction turns, against the height that turns with it.
  const uu = (along(1, ux, uy, uz) - fu) / h - height
  const uv = (along(2, ux, uy, uz) - fu) / h
  const vu = (along(1, vx, vy, vz) - fv) / h
  const vv = (along(2, vx, vy, vz) - fv) / h - height
  const determinant = uu * vv - uv * vu
  if (determinant === 0) return false
  const s = (uv * fv - vv * fu) / determinant
  const t = (vu * fu - uu * fv) / determinant
  return take(frame, bounds, nx + s * ux + t * vx, ny + s * uy + t * vy, nz + s * uz + t * vz)
}

/** Takes over the direction, and the points that belong to it, as far as either improves its bound. */
function take(frame: PairFrame, bounds: Bounds, x: number, y: number, z: number): boolean {
  const { simplex } = bounds
  const length = Math.sqrt(x * x + y * y + z * z)
  if (!(length > 0)) return false
  const lower = -putDifference(frame, -x / length, -y / length, -z / length, places, 0)
  const upper = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
  const isHigher = lower > bounds.lower
  if (isHigher) {
    bounds.lower = lower
    bounds.nx = x / length
    bounds.ny = y / length
    bounds.nz = z / length
  }
  if (upper < bounds.upper) {
    bounds.upper = upper
    simplex.count = 1
    for (let k = 0; k < 3; k++) {
      simplex.w[k] = w[k]
      simplex.a[k] = places.a[k]
      simplex.b[k] = places.b[k]
    }
    simplex.indexA[0] = places.indexA[0]
    simplex.indexB[0] = places.indexB[0]
    simplex.weights[0] = 1
    simplex.x = w[0]
    simplex.y = w[1]
    simplex.z = w[2]
  }
  return isHigher
}
