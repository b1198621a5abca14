/**
 * The side of a plane that a point lies on, decided exactly for any finite doubles.
 *
 * Method: the rounded determinant with Shewchuk's bound on its error; then his adaptive orientation test (robust-predicates) on
 * coordinates that are scaled by a power of two for each axis, which changes no sign, after a test in numbers of two doubles; where
 * some coordinates are so small beside others that products could underflow even so, exact arithmetic.
 * Frame: right-handed, any.
 */

import { orient3d } from 'robust-predicates'
import { spend } from '../../containers/budget.ts'
import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
} from '../../numeric/exact-ring.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import {
  LARGEST_SAFE_COORDINATE,
  ORIENTATION_ERROR_RATIO,
  SMALLEST_SAFE_COORDINATE,
  TWOFOLD_ORIENTATION_ERROR_RATIO,
  UNDERFLOW_SHARE,
} from '../tolerances.ts'

// The side of a plane that a point lies on, in numbers of twice the digits: decides nearly all that doubles leave open.
//
// Method: the determinant of the differences to the fourth point, each of which is two doubles exactly, multiplied and added as pairs of
// doubles (T. J. Dekker, "A floating-point technique for extending the available precision", 1971), with a bound on the error.
// Points in a plane but for their last digits, as a formula makes them, come here by the million, and the expansions of an
// adaptive test cost ten times as much.
// Frame: right-handed, any. Coordinates are 0 or of a magnitude between the safe bounds of `tolerances.ts`.

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

/** The lower half of z · (px · qy − qx · py), all factors sums of two doubles; `term` is its rounded upper half. */
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

/** Steps of an adaptive test after that, seldom more. */
const ADAPTIVE_STEPS = 14
/** Steps of a test with numbers of two doubles. */
const TWOFOLD_STEPS = 2

/** Rounding leaves the sign open. */
const OPEN = 2

/** The four points of a test that rounding leaves open: ax, ay, az, bx, …, dz. */
const four = new Float64Array(12)

/**
 * 1 when d lies above the plane through a, b, c, where above is the side from which they are seen counter-clockwise; −1 below; 0
 * in the plane, or when a, b, c are collinear.
 */
export function orientation(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): Sign {
  const rounded = roundedOrientation(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz)
  return rounded === OPEN ? closeOrientation(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz) : rounded
}

/** `orientation` in rounded arithmetic; `OPEN` where rounding leaves the sign open. */
function roundedOrientation(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): Sign | typeof OPEN {
  const adx = ax - dx
  const ady = ay - dy
  const adz = az - dz
  const bdx = bx - dx
  const bdy = by - dy
  const bdz = bz - dz
  const cdx = cx - dx
  const cdy = cy - dy
  const cdz = cz - dz
  const bc = bdx * cdy
  const cb = cdx * bdy
  const ca = cdx * ady
  const ac = adx * cdy
  const ab = adx * bdy
  const ba = bdx * ady
  const determinant = adz * (bc - cb) + bdz * (ca - ac) + cdz * (ab - ba)
  const za = Math.abs(adz)
  const zb = Math.abs(bdz)
  const zc = Math.abs(cdz)
  const permanent =
    (Math.abs(bc) + Math.abs(cb)) * za + (Math.abs(ca) + Math.abs(ac)) * zb + (Math.abs(ab) + Math.abs(ba)) * zc
  const bound = ORIENTATION_ERROR_RATIO * permanent + UNDERFLOW_SHARE * (za + zb + zc + 1)
  // Where something has overflowed the bound is infinite or not a number, and nothing is decided here.
  if (Math.abs(determinant) > bound) return determinant < 0 ? 1 : -1
  return OPEN
}

/** `orientation` of points of a list x0, y0, z0, x1, … */
export function orientationAt(points: Float64Array, a: number, b: number, c: number, d: number): Sign {
  const i = 3 * a
  const j = 3 * b
  const k = 3 * c
  const l = 3 * d
  return orientation(
    points[i],
    points[i + 1],
    points[i + 2],
    points[j],
    points[j + 1],
    points[j + 2],
    points[k],
    points[k + 1],
    points[k + 2],
    points[l],
    points[l + 1],
    points[l + 2],
  )
}

/** `orientation` where rounding leaves the sign open. */
function closeOrientation(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): Sign {
  // Faces of boxes and layers of grids come here often.
  if ((ax === dx && bx === dx && cx === dx) || (ay === dy && by === dy && cy === dy)) return 0
  if (az === dz && bz === dz && cz === dz) return 0
  four.set([ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz])
  if (!isSafe()) {
    scaleAxes()
    if (!isSafe()) {
      const [px, py, pz, qx, qy, qz, rx, ry, rz, sx, sy, sz] = four
      // Losses by underflow are far below the bound.
      const rounded = roundedOrientation(px, py, pz, qx, qy, qz, rx, ry, rz, sx, sy, sz)
      return rounded === OPEN ? exactOrientation(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz) : rounded
    }
  }
  return adaptiveOrientationAt(four, 0, 1, 2, 3)
}

/** `orientation` of points of a list whose coordinates are 0 or of a magnitude between the bounds of `tolerances.ts`. */
export function adaptiveOrientationAt(points: Float64Array, a: number, b: number, c: number, d: number): Sign {
  spend(TWOFOLD_STEPS)
  const side = twofoldOrientation(points, a, b, c, d)
  if (side !== 0) return side
  spend(ADAPTIVE_STEPS)
  const i = 3 * a
  const j = 3 * b
  const k = 3 * c
  const l = 3 * d
  const below = orient3d(
    points[i],
    points[i + 1],
    points[i + 2],
    points[j],
    points[j + 1],
    points[j + 2],
    points[k],
    points[k + 1],
    points[k + 2],
    points[l],
    points[l + 1],
    points[l + 2],
  )
  return below > 0 ? -1 : below < 0 ? 1 : 0
}

/** Whether the adaptive test may be believed about the four points. */
function isSafe(): boolean {
  for (let k = 0; k < 12; k++) {
    const magnitude = Math.abs(four[k])
    if (magnitude > LARGEST_SAFE_COORDINATE || (magnitude < SMALLEST_SAFE_COORDINATE && magnitude !== 0)) return false
  }
  return true
}

/** Brings the largest coordinate of each axis between 1 and 2. What underflows on the way comes out too small to be safe, or as it is. */
function scaleAxes(): void {
  for (let axis = 0; axis < 3; axis++) {
    const exponent = binaryExponent(
      Math.max(Math.abs(four[axis]), Math.abs(four[axis + 3]), Math.abs(four[axis + 6]), Math.abs(four[axis + 9])),
    )
    // In two steps: the reciprocal of the least double is none.
    const half = -Math.trunc(exponent / 2)
    const first = 2 ** half
    const second = 2 ** (-exponent - half)
    for (let k = axis; k < 12; k += 3) {
      const scaled = four[k] * first * second
      // One that vanishes must not pass for 0.
      four[k] = scaled === 0 && four[k] !== 0 ? Number.MIN_VALUE : scaled
    }
  }
}

function exactOrientation(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): Sign {
  const range = createInputRange()
  for (const value of [ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz]) includeInput(range, value)
  return exactly(range, 3, <T>({ of, add, sub, mul, sign }: Ring<T>) => {
    const [ux, uy, uz] = [sub(of(bx), of(ax)), sub(of(by), of(ay)), sub(of(bz), of(az))]
    const [vx, vy, vz] = [sub(of(cx), of(ax)), sub(of(cy), of(ay)), sub(of(cz), of(az))]
    const [wx, wy, wz] = [sub(of(dx), of(ax)), sub(of(dy), of(ay)), sub(of(dz), of(az))]
    const x = mul(wx, sub(mul(uy, vz), mul(uz, vy)))
    const y = mul(wy, sub(mul(uz, vx), mul(ux, vz)))
    const z = mul(wz, sub(mul(ux, vy), mul(uy, vx)))
    return sign(add(add(x, y), z))
  })
}
