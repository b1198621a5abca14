/**
 * The side of a plane that a point lies on, in numbers of twice the digits: decides nearly all that doubles leave open.
 *
 * Method: the determinant of the differences to the fourth point, each of which is two doubles exactly, multiplied and added as pairs of
 * doubles (T. J. Dekker, "A floating-point technique for extending the available precision", 1971), with a bound on the error.
 * Points in a plane but for their last digits, as a formula makes them, come here by the million, and the expansions of an
 * adaptive test cost ten times as much.
 * Frame: right-handed, any. Coordinates are 0 or of a magnitude between the safe bounds of `tolerances.ts`.
 */

import { productError, sumError } from '../../numeric/expansion.ts'
import { TWOFOLD_ORIENTATION_ERROR_RATIO } from '../tolerances.ts'

/**
 * Of points of a list x0, y0, z0, x1, …: 1 when d lies above the plane through a, b, c, where above is the side from which they are
 * seen counter-clockwise; −1 below; 0 where these digits leave it open.
 */
export function twofoldOrientation(points: Float64Array, a: number, b: number, c: number, d: number): -1 | 0 | 1 {
  const i = 3 * a
  const j = 3 * b
  const k = 3 * c
  const l = 3 * d
  const dx = -points[l]
  const dy = -points[l + 1]
  const dz = -points[l + 2]
  const ax = points[i] + dx
  const ay = points[i + 1] + dy
  const az = points[i + 2] + dz
  const bx = points[j] + dx
  const by = points[j + 1] + dy
  const bz = points[j + 2] + dz
  const cx = points[k] + dx
  const cy = points[k + 1] + dy
  const cz = points[k + 2] + dz
  const axLow = sumError(points[i], dx, ax)
  const ayLow = sumError(points[i + 1], dy, ay)
  const bxLow = sumError(points[j], dx, bx)
  const byLow = sumError(points[j + 1], dy, by)
  const cxLow = sumError(points[k], dx, cx)
  const cyLow = sumError(points[k + 1], dy, cy)
  const first = az * (bx * cy - cx * by)
  const second = bz * (cx * ay - ax * cy)
  const third = cz * (ax * by - bx * ay)
  const two = first + second
  const three = two + third
  const low =
    sumError(first, second, two) +
    sumError(two, third, three) +
    (termLow(az, sumError(points[i + 2], dz, az), bx, bxLow, by, byLow, cx, cxLow, cy, cyLow, first) +
      termLow(bz, sumError(points[j + 2], dz, bz), cx, cxLow, cy, cyLow, ax, axLow, ay, ayLow, second) +
      termLow(cz, sumError(points[k + 2], dz, cz), ax, axLow, ay, ayLow, bx, bxLow, by, byLow, third))
  const permanent =
    Math.abs(az) * (Math.abs(bx * cy) + Math.abs(cx * by)) +
    Math.abs(bz) * (Math.abs(cx * ay) + Math.abs(ax * cy)) +
    Math.abs(cz) * (Math.abs(ax * by) + Math.abs(bx * ay))
  const determinant = three + low
  if (Math.abs(determinant) <= TWOFOLD_ORIENTATION_ERROR_RATIO * permanent) return 0
  return determinant < 0 ? 1 : -1
}

/** What `term` = z · (px · qy − qx · py), rounded, lacks of the same with all factors as sums of two doubles. */
function termLow(
  z: number,
  zLow: number,
  px: number,
  pxLow: number,
  py: number,
  pyLow: number,
  qx: number,
  qxLow: number,
  qy: number,
  qyLow: number,
  term: number,
): number {
  const first = px * qy
  const second = qx * py
  const minor = first - second
  const firstLow = productError(px, qy, first) + (px * qyLow + pxLow * qy)
  const secondLow = productError(qx, py, second) + (qx * pyLow + qxLow * py)
  const minorLow = sumError(first, -second, minor) + (firstLow - secondLow)
  return productError(z, minor, term) + (z * minorLow + zLow * minor)
}
