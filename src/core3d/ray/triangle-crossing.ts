/**
 * Where a ray goes through a triangle: distance, fraction, point and normal, each rounded once.
 *
 * Method: t = n·(a − origin)/n·d with n = (b − a) × (c − a), in numbers of twice the digits (`numeric/twofold.ts`), from the exact differences
 * of the given doubles; distance t·|d| and point origin + t·d likewise. So it does not depend on which corner of the triangle comes first.
 * With e the larger edge, n is off by 2^-100·e² at most, and so are its products beside w = a − origin and d: where |n·d| is not
 * below `CROSSING_SLOPE_RATIO`·e²·|d|, that is no more than 2^-56 of |w|/|d|, far below a roundoff of what the answer is made of.
 * Frame: world, in and out.
 */

import { isSafeExtent, scaleBy } from '../../numeric/safe-range.ts'
import {
  putCross,
  putDot,
  putExactDifference,
  putProduct,
  putQuotient,
  putRoot,
  putScaled,
  putSum,
  VECTOR_SIZE,
} from '../../numeric/twofold.ts'
import type { Placement } from '../mesh/mesh.ts'
import { CROSSING_SLOPE_RATIO, EDGE_PASS_RATIO } from '../tolerances.ts'
import type { RayHit } from './ray-convex.ts'
import type { Ray } from './ray-line.ts'

const EDGE = 0
const OTHER = VECTOR_SIZE
const NORMAL = 2 * VECTOR_SIZE
const WAY = 3 * VECTOR_SIZE
const DIRECTION = 4 * VECTOR_SIZE
const TRAVEL = 5 * VECTOR_SIZE
const SLOPE = 6 * VECTOR_SIZE
const HEIGHT = SLOPE + 2
const TIME = SLOPE + 4
const SPEED = SLOPE + 6
const NUMBER = SLOPE + 8
const CORNERS = SLOPE + 10
const SIZE = CORNERS + 3 * VECTOR_SIZE

const r = new Float64Array(SIZE)

/**
 * Whether the line of a ray passes through the triangle off its edges, or past it; null where these digits leave that open. With all
 * corners within M of the origin, d·(a × b) of two of them is off by less than `EDGE_PASS_RATIO`·M²·|d|.
 */
export function passesTriangle(
  { dx, dy, dz, ox, oy, oz }: Ray,
  { position }: Placement,
  corners: Float64Array,
): boolean | null {
  let way = 0
  for (let i = 0; i < 9; i++) {
    const k = i % 3
    const origin = k === 0 ? ox : k === 1 ? oy : oz
    const at = CORNERS + 2 * i
    putExactDifference(r, at, position[k], origin)
    r[NUMBER] = corners[i]
    r[NUMBER + 1] = position[k + 3]
    putSum(r, at, at, NUMBER, 1)
    way = Math.max(way, Math.abs(position[k] - origin) + Math.abs(corners[i]))
  }
  const size = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz))
  if (!isSafeExtent(way) || !isSafeExtent(size)) return null
  for (let k = 0; k < 3; k++) {
    r[DIRECTION + 2 * k] = k === 0 ? dx : k === 1 ? dy : dz
    r[DIRECTION + 2 * k + 1] = 0
  }
  const bound = EDGE_PASS_RATIO * way * way * size
  let turns = 0
  let isOpen = false
  for (let i = 0; i < 3; i++) {
    putCross(r, NORMAL, CORNERS + VECTOR_SIZE * i, CORNERS + VECTOR_SIZE * ((i + 1) % 3))
    putDot(r, SLOPE, NORMAL, DIRECTION)
    if (Math.abs(r[SLOPE]) <= bound) isOpen = true
    else turns |= r[SLOPE] > 0 ? 1 : 2
  }
  return turns === 3 ? false : isOpen ? null : true
}

/**
 * Sets the entry and the exit of a hit to where the ray's line goes through the plane of the triangle, whose nine numbers count from the
 * placement; false, and nothing set, where these digits do not do, as of a ray nearly in the plane. The face of the feature is the one that the ray meets.
 */
export function setTriangleCrossing(ray: Ray, { position }: Placement, corners: Float64Array, out: RayHit): boolean {
  const { dx, dy, dz, ox, oy, oz, exponent, maxDistance } = ray
  let edge = 0
  let way = 0
  for (let k = 0; k < 3; k++) {
    const at = 2 * k
    const origin = k === 0 ? ox : k === 1 ? oy : oz
    putExactDifference(r, EDGE + at, corners[3 + k], corners[k])
    putExactDifference(r, OTHER + at, corners[6 + k], corners[k])
    putExactDifference(r, WAY + at, position[k], origin)
    r[NUMBER] = corners[k]
    r[NUMBER + 1] = position[k + 3]
    putSum(r, WAY + at, WAY + at, NUMBER, 1)
    r[DIRECTION + at] = k === 0 ? dx : k === 1 ? dy : dz
    r[DIRECTION + at + 1] = 0
    edge = Math.max(edge, Math.abs(r[EDGE + at]), Math.abs(r[OTHER + at]))
    way = Math.max(way, Math.abs(position[k] - origin), Math.abs(corners[k]))
  }
  if (!isSafeExtent(edge) || !isSafeExtent(way)) return false
  putCross(r, NORMAL, EDGE, OTHER)
  putDot(r, SLOPE, NORMAL, DIRECTION)
  const size = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz))
  if (!isSafeExtent(size) || !(Math.abs(r[SLOPE]) >= CROSSING_SLOPE_RATIO * edge * edge * size)) return false
  putDot(r, HEIGHT, NORMAL, WAY)
  putQuotient(r, TIME, HEIGHT, SLOPE)
  putDot(r, SPEED, DIRECTION, DIRECTION)
  putRoot(r, SPEED, SPEED)
  putProduct(r, NUMBER, TIME, SPEED)
  // Before the origin, or beyond the end, it is by rounding alone.
  const isBefore = !(r[TIME] > 0)
  const isBeyond = r[NUMBER] > maxDistance
  out.distance = isBefore ? 0 : isBeyond ? maxDistance : r[NUMBER]
  out.fraction = isBefore ? 0 : Math.min(scaleBy(r[TIME], -exponent), Number.MAX_VALUE)
  putScaled(r, TRAVEL, TIME, DIRECTION)
  for (let k = 0; k < 3; k++) {
    r[NUMBER] = k === 0 ? ox : k === 1 ? oy : oz
    r[NUMBER + 1] = 0
    putSum(r, TRAVEL + 2 * k, TRAVEL + 2 * k, NUMBER, 1)
  }
  out.x = isBefore ? ox : r[TRAVEL]
  out.y = isBefore ? oy : r[TRAVEL + 2]
  out.z = isBefore ? oz : r[TRAVEL + 4]
  const nx = r[NORMAL]
  const ny = r[NORMAL + 2]
  const nz = r[NORMAL + 4]
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz) * (r[SLOPE] > 0 ? -1 : 1)
  // Adding 0 turns −0 into 0.
  out.nx = nx / length + 0
  out.ny = ny / length + 0
  out.nz = nz / length + 0
  out.hasExit = true
  out.exitDistance = out.distance
  out.exitX = out.x
  out.exitY = out.y
  out.exitZ = out.z
  out.exitNx = 0 - out.nx
  out.exitNy = 0 - out.ny
  out.exitNz = 0 - out.nz
  out.face = r[SLOPE] < 0 ? 0 : 1
  return true
}
