/**
 * A ray as a body sees it: unit direction, and the foot of the body's anchor on the ray's line.
 *
 * Method: as `core2d/ray/ray-line.ts`: the anchor's offset from the ray's origin and its cross product with the direction are summed
 * to twice the digits (two-sum and two-product, T. J. Dekker, "A floating-point technique for extending the available precision",
 * Numerische Mathematik 18 (1971)). So the foot is right to a few roundoffs of its distance from the anchor, however far away the origin
 * is, and everything that follows is done near the body.
 * Frame: a point of the line is named by its distance from the origin, or by its distance τ from the foot: distance = along + τ, and its
 * place relative to the anchor is q + τ·u.
 */

import { binaryExponent } from '../../numeric/exact-ring.ts'
import { halvesError, leadingHalf, sumError } from '../../numeric/expansion.ts'
import {
  COMPENSATED_ERROR_RATIO,
  LARGEST_SAFE_EXTENT,
  SMALLEST_SAFE_EXTENT,
  UNDERFLOW_LENGTH,
  UNIT_ROUNDOFF,
} from '../../numeric/roundoff.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { ANCHOR, type Body, POSITION, REACH, ROTATION } from '../shape/body.ts'
import { RAY_ERROR_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'

export interface Ray {
  ox: number
  oy: number
  oz: number
  /** Direction, times 2^-exponent: `setDirection` brings a very long or short one near 1. */
  dx: number
  dy: number
  dz: number
  exponent: number
  /** World length; Infinity when unlimited. */
  maxDistance: number
}

export function createRay(): Ray {
  return { ox: 0, oy: 0, oz: 0, dx: 1, dy: 0, dz: 0, exponent: 0, maxDistance: Infinity }
}

/** Directions between these need no scaling: their products with coordinates up to 1e72 stay normal. */
const LARGEST_DIRECTION = 2 ** 64
const SMALLEST_DIRECTION = 1 / LARGEST_DIRECTION

/** Sets the direction, which has any length from the least to the greatest double, without rounding. */
export function setDirection(ray: Ray, x: number, y: number, z: number): void {
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  const isNear1 = size === 0 || (size <= LARGEST_DIRECTION && size >= SMALLEST_DIRECTION)
  const exponent = isNear1 ? 0 : losslessExponent(x, y, z, size)
  ray.dx = scaleBy(x, -exponent)
  ray.dy = scaleBy(y, -exponent)
  ray.dz = scaleBy(z, -exponent)
  ray.exponent = exponent
}

/** Exponent of the power of two by which a vector is to be divided to come near 1: less where a component would lose digits. */
function losslessExponent(x: number, y: number, z: number, size: number): number {
  const exponent = binaryExponent(size)
  if (exponent <= 0) return exponent
  let least = exponent
  for (const value of [x, y, z]) {
    // The last digit must not fall below the least double.
    if (value !== 0) least = Math.min(least, binaryExponent(value) - 52 + 1074)
  }
  return Math.max(least, 0)
}

export interface RayLine {
  /** The length of the direction, which as given to the ray is that times 2^exponent. */
  length: number
  exponent: number
  ux: number
  uy: number
  uz: number
  maxDistance: number
  /** Distance of the anchor's foot from the origin. */
  along: number
  /** The foot, relative to the anchor. */
  qx: number
  qy: number
  qz: number
  /** Bound on the error of the foot beyond a few roundoffs of itself. */
  floor: number
  /** Bound on the rounding error of places and heights of the body near the line. */
  error: number
}

export function createRayLine(): RayLine {
  return {
    length: 1,
    exponent: 0,
    ux: 1,
    uy: 0,
    uz: 0,
    maxDistance: 0,
    along: 0,
    qx: 0,
    qy: 0,
    qz: 0,
    floor: 0,
    error: 0,
  }
}

/** High and low of the anchor's offset from the origin; module scratch. */
const offset = { x: 0, xLow: 0, y: 0, yLow: 0, z: 0, zLow: 0 }

/** Fills `line` with `ray` as seen from `body`. */
export function aim(line: RayLine, ray: Ray, body: Body): void {
  let { dx, dy, dz, exponent } = ray
  const size = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz))
  if (size > LARGEST_DIRECTION || size < SMALLEST_DIRECTION) {
    const own = binaryExponent(size)
    exponent += own
    dx = scaleBy(dx, -own)
    dy = scaleBy(dy, -own)
    dz = scaleBy(dz, -own)
  }
  setOffset(ray, body)
  const { x, xLow, y, yLow, z, zLow } = offset
  const square = dx * dx + dy * dy + dz * dz
  const length = Math.sqrt(square)
  line.exponent = exponent
  line.length = length
  line.ux = dx / length
  line.uy = dy / length
  line.uz = dz / length
  line.maxDistance = ray.maxDistance
  const dxHalf = leadingHalf(dx)
  const dyHalf = leadingHalf(dy)
  const dzHalf = leadingHalf(dz)
  const dxRest = dx - dxHalf
  const dyRest = dy - dyHalf
  const dzRest = dz - dzHalf
  const xHalf = leadingHalf(x)
  const yHalf = leadingHalf(y)
  const zHalf = leadingHalf(z)
  const xRest = x - xHalf
  const yRest = y - yHalf
  const zRest = z - zHalf
  // The product direction × offset, each coordinate rounded once, and from it the foot: direction × (direction × offset) / length².
  const yz = dy * z
  const zy = dz * y
  const cx =
    yz -
    zy +
    (sumError(yz, -zy, yz - zy) +
      (halvesError(dyHalf, dyRest, zHalf, zRest, yz) - halvesError(dzHalf, dzRest, yHalf, yRest, zy)) +
      (dy * zLow - dz * yLow))
  const zx = dz * x
  const xz = dx * z
  const cy =
    zx -
    xz +
    (sumError(zx, -xz, zx - xz) +
      (halvesError(dzHalf, dzRest, xHalf, xRest, zx) - halvesError(dxHalf, dxRest, zHalf, zRest, xz)) +
      (dz * xLow - dx * zLow))
  const xy = dx * y
  const yx = dy * x
  const cz =
    xy -
    yx +
    (sumError(xy, -yx, xy - yx) +
      (halvesError(dxHalf, dxRest, yHalf, yRest, xy) - halvesError(dyHalf, dyRest, xHalf, xRest, yx)) +
      (dx * yLow - dy * xLow))
  line.qx = (dy * cz - dz * cy) / square
  line.qy = (dz * cx - dx * cz) / square
  line.qz = (dx * cy - dy * cx) / square
  const xx = dx * x
  const yy = dy * y
  const zz = dz * z
  const xxyy = xx + yy
  const sum = xxyy + zz
  const rest =
    sumError(xx, yy, xxyy) +
    sumError(xxyy, zz, sum) +
    (halvesError(dxHalf, dxRest, xHalf, xRest, xx) +
      halvesError(dyHalf, dyRest, yHalf, yRest, yy) +
      halvesError(dzHalf, dzRest, zHalf, zRest, zz)) +
    (dx * xLow + dy * yLow + dz * zLow)
  line.along = (sum + rest) / length
  const { numbers } = body
  const coordinates =
    Math.abs(numbers[POSITION]) +
    Math.abs(numbers[POSITION + 1]) +
    Math.abs(numbers[POSITION + 2]) +
    Math.abs(numbers[ANCHOR]) +
    Math.abs(numbers[ANCHOR + 1]) +
    Math.abs(numbers[ANCHOR + 2]) +
    Math.abs(ray.ox) +
    Math.abs(ray.oy) +
    Math.abs(ray.oz)
  line.floor = COMPENSATED_ERROR_RATIO * coordinates + UNDERFLOW_LENGTH
  line.error = RAY_ERROR_RATIO * numbers[REACH] + line.floor
}

/** Position + anchor − origin, to twice the digits. */
function setOffset(ray: Ray, { numbers }: Body): void {
  const placeX = numbers[POSITION] + numbers[ANCHOR]
  const wayX = placeX - ray.ox
  const restX = sumError(numbers[POSITION], numbers[ANCHOR], placeX) + sumError(placeX, -ray.ox, wayX)
  offset.x = wayX + restX
  offset.xLow = sumError(wayX, restX, offset.x)
  const placeY = numbers[POSITION + 1] + numbers[ANCHOR + 1]
  const wayY = placeY - ray.oy
  const restY = sumError(numbers[POSITION + 1], numbers[ANCHOR + 1], placeY) + sumError(placeY, -ray.oy, wayY)
  offset.y = wayY + restY
  offset.yLow = sumError(wayY, restY, offset.y)
  const placeZ = numbers[POSITION + 2] + numbers[ANCHOR + 2]
  const wayZ = placeZ - ray.oz
  const restZ = sumError(numbers[POSITION + 2], numbers[ANCHOR + 2], placeZ) + sumError(placeZ, -ray.oz, wayZ)
  offset.z = wayZ + restZ
  offset.zLow = sumError(wayZ, restZ, offset.z)
}

// The part of a ray's line that lies in a body: where it enters and leaves, within which bounds that is known, and what it means for
// the ray.
//
// Method: ends are kept as intervals (R. E. Moore, Interval Analysis, 1966). Every ray function fills a span in rounded arithmetic and
// asks `settle` whether its signs are beyond doubt; where they are not, it calls its exact counterpart.
// Frame: as above: ends are measured from the anchor's foot, normals are world directions.

export const MISS = 0
export const HIT = 1
/** Rounding leaves it open. */
export const UNSURE = 2
export type Verdict = typeof MISS | typeof HIT | typeof UNSURE

/** One end of a span. */
export interface SpanEnd {
  at: number
  /** It lies between these. */
  low: number
  high: number
  nx: number
  ny: number
  nz: number
  /** The feature of the body there: one core point, two, the corners of a face of its surface (`face` ≥ 0), or none of these. */
  first: number
  second: number
  face: number
  /** Set by `clipByFaces`: other planes are crossed within rounding of there, so that with a skin any of their faces may be met. */
  isTied: boolean
}

export interface RaySpan {
  /** The ray's origin is in the body. */
  inside: boolean
  /** The ray leaves the body within its length. */
  exits: boolean
  enter: SpanEnd
  leave: SpanEnd
}

function createEnd(): SpanEnd {
  return { at: 0, low: 0, high: 0, nx: 0, ny: 0, nz: 0, first: -1, second: -1, face: -1, isTied: false }
}

export function createRaySpan(): RaySpan {
  return { inside: false, exits: false, enter: createEnd(), leave: createEnd() }
}

export function setPlace(end: SpanEnd, at: number, slack: number): void {
  end.at = at
  end.low = at - slack
  end.high = at + slack
}

export function setNormal(end: SpanEnd, nx: number, ny: number, nz: number): void {
  end.nx = nx
  end.ny = ny
  end.nz = nz
}

/** Names no core point for the surface, one for a vertex, two for an edge. */
export function setFeature(end: SpanEnd, first: number, second: number): void {
  end.first = first
  end.second = second
  end.face = -1
}

export function setFace(end: SpanEnd, face: number): void {
  end.first = -1
  end.second = -1
  end.face = face
}

/** The verdict about a span that is certainly not empty. `reach`: of the body. */
export function settle(line: RayLine, span: RaySpan, reach: number): Verdict {
  const { along, floor, maxDistance } = line
  const { enter, leave } = span
  const rounding = 8 * UNIT_ROUNDOFF * (Math.abs(along) + Math.abs(enter.at)) + floor
  const enterLow = along + enter.low - rounding
  const enterHigh = along + enter.high + rounding
  const leaving = 8 * UNIT_ROUNDOFF * (Math.abs(along) + Math.abs(leave.at)) + floor
  const leaveLow = along + leave.low - leaving
  const leaveHigh = along + leave.high + leaving
  if (leaveHigh < 0 || enterLow > maxDistance) return MISS
  if (enterLow > 0) {
    if (enterHigh > maxDistance) return UNSURE
    span.inside = false
  } else if (enterHigh < 0 && leaveLow > 0) span.inside = true
  else return UNSURE
  if (leaveHigh <= maxDistance) span.exits = true
  else if (leaveLow > maxDistance) span.exits = false
  else return UNSURE
  const tolerance = RAY_POINT_RATIO * reach + 4 * rounding
  return enter.high - enter.low > tolerance || leave.high - leave.low > tolerance ? UNSURE : HIT
}

// Where a line lies in a quadric Σ w·x² ≤ k about its centre: spheres, infinite cylinders, ellipsoids.
//
// Method: the line is counted from its point t₀ of least Σ w·x², where the discriminant k − Σ w·x² does not cancel; the half chord is
// its root. The bound on its error is that of the sum where it equals k: 2·√(w·k) times the error of each coordinate. So a chord that
// is not shorter than its bound allows is one for certain.
// Frame: any; the line's points are p + t·u.

/** A line and a quadric. Weights are ≥ 0. */
export interface Quadric {
  px: number
  py: number
  pz: number
  ux: number
  uy: number
  uz: number
  wx: number
  wy: number
  wz: number
  k: number
  /** Bound on the error of each coordinate of p, of u where it matters. */
  error: number
}

export function createQuadric(): Quadric {
  return { px: 0, py: 0, pz: 0, ux: 0, uy: 0, uz: 0, wx: 0, wy: 0, wz: 0, k: 0, error: 0 }
}

/** The parameters between which the line lies in the quadric, each within `slack`. */
interface Chord {
  low: number
  high: number
  slack: number
}

export function createChord(): Chord {
  return { low: 0, high: 0, slack: 0 }
}

/** Sets `out` where the line meets the quadric; its square of weights along the line, Σ w·u², is not 0. */
export function findChord(q: Quadric, out: Chord): Verdict {
  const { ux, uy, uz, wx, wy, wz, k, error } = q
  const a = wx * ux * ux + wy * uy * uy + wz * uz * uz
  const middle = -(wx * q.px * ux + wy * q.py * uy + wz * q.pz * uz) / a
  const x = q.px + middle * ux
  const y = q.py + middle * uy
  const z = q.pz + middle * uz
  const value = wx * x * x + wy * y * y + wz * z * z
  // The residual after counting from the middle.
  const rest = wx * x * ux + wy * y * uy + wz * z * uz
  const excess = k - value + (rest * rest) / a
  const far = Math.abs(middle)
  const errorX = error + 8 * UNIT_ROUNDOFF * (Math.abs(q.px) + far * Math.abs(ux))
  const errorY = error + 8 * UNIT_ROUNDOFF * (Math.abs(q.py) + far * Math.abs(uy))
  const errorZ = error + 8 * UNIT_ROUNDOFF * (Math.abs(q.pz) + far * Math.abs(uz))
  const edge =
    Math.sqrt(wx * k) * errorX +
    Math.sqrt(wy * k) * errorY +
    Math.sqrt(wz * k) * errorZ +
    (wx * errorX * errorX + wy * errorY * errorY + wz * errorZ * errorZ)
  const bound = 2 * edge + 16 * UNIT_ROUNDOFF * (k + value)
  if (excess < -bound) return MISS
  if (!(excess > 4 * bound)) return UNSURE
  const half = Math.sqrt(excess / a)
  const shift = rest / a
  out.low = middle - shift - half
  out.high = middle - shift + half
  out.slack = bound / (a * half) + 4 * UNIT_ROUNDOFF * (far + half)
  return HIT
}

// A ray's line in the own axes of a cylinder, cone or ellipsoid, and vectors back in the world's.
// Frame: the body's own axes from its centre, which is its anchor; the axis of cylinders and cones is y.

/** Sets the line of `out`, and its error. */
export function turnLine(line: RayLine, { numbers }: Body, out: Quadric): void {
  const { qx, qy, qz, ux, uy, uz } = line
  const r = ROTATION
  out.px = numbers[r] * qx + numbers[r + 3] * qy + numbers[r + 6] * qz
  out.py = numbers[r + 1] * qx + numbers[r + 4] * qy + numbers[r + 7] * qz
  out.pz = numbers[r + 2] * qx + numbers[r + 5] * qy + numbers[r + 8] * qz
  out.ux = numbers[r] * ux + numbers[r + 3] * uy + numbers[r + 6] * uz
  out.uy = numbers[r + 1] * ux + numbers[r + 4] * uy + numbers[r + 7] * uz
  out.uz = numbers[r + 2] * ux + numbers[r + 5] * uy + numbers[r + 8] * uz
  out.error = line.error
}

/** Sets the end's normal along (x, y, z) of the body's own axes, of any length; false where there is none. */
export function setOwnNormal(body: Body, end: SpanEnd, x: number, y: number, z: number): boolean {
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  if (size > LARGEST_SAFE_EXTENT || !(size >= SMALLEST_SAFE_EXTENT)) {
    return size > 0 && size < Infinity && setOwnNormal(body, end, x / size, y / size, z / size)
  }
  const { numbers } = body
  const length = Math.sqrt(x * x + y * y + z * z)
  const r = ROTATION
  setNormal(
    end,
    (numbers[r] * x + numbers[r + 1] * y + numbers[r + 2] * z) / length,
    (numbers[r + 3] * x + numbers[r + 4] * y + numbers[r + 5] * z) / length,
    (numbers[r + 6] * x + numbers[r + 7] * y + numbers[r + 8] * z) / length,
  )
  return true
}
