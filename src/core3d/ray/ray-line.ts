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
import { COMPENSATED_ERROR_RATIO, UNDERFLOW_LENGTH } from '../../numeric/roundoff.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { ANCHOR, type Body, POSITION, REACH } from '../shape/body.ts'
import { RAY_ERROR_RATIO } from '../tolerances.ts'

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
