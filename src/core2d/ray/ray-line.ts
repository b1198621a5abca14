/**
 * A ray as a body sees it: unit direction, and the body's anchor in the frame of the ray.
 *
 * Method: the anchor's offset from the ray's origin and its cross product with the direction are summed without rounding
 * the terms (two-sum and two-product, T. J. Dekker, "A floating-point technique for extending the available precision",
 * Numerische Mathematik 18 (1971)). So the distance `side` from the anchor to the ray's line is right to a few roundoffs
 * of itself, however far away the origin is, and everything that follows is done near the body.
 * Frame: anchor = origin + along·u + side·(−uy, ux). A point of the line is named by its distance from the origin, or by
 * its distance τ from the anchor's foot on the line: distance = along + τ.
 */

import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { halvesError, leadingHalf, sumError } from '../../numeric/expansion.ts'
import { COMPENSATED_ERROR_RATIO, UNDERFLOW_LENGTH, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { scaleBy, vectorLength } from '../../numeric/safe-range.ts'
import { type FeatureCode, NO_FEATURE } from '../feature.ts'
import { losslessExponent } from '../narrow-phase/closed-time.ts'
import { ANCHOR_X, ANCHOR_Y, type Body, REACH, X, X_LOW, Y, Y_LOW } from '../shape/body.ts'
import { includeBody } from '../shape/exact-points.ts'
import {
  type Displacement,
  displacementOf,
  exactSum,
  includeDisplacement,
  type RelativeMotion,
  scaleDisplacement,
} from '../shape/motion.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

// The part of a ray's line that lies in a body: where it enters and leaves, and what that means for the ray.
//
// Every ray function fills a span in rounded arithmetic and asks `settleSpan` whether its signs are beyond doubt; where
// they are not, it calls its exact counterpart.
// Frame: as in `ray-line.ts`; `enter` and `leave` are measured from the anchor's foot, normals are world directions.

export interface RaySpan {
  /** The ray's origin is in the body. */
  inside: boolean
  /** The ray leaves the body within its length. */
  exits: boolean
  enter: number
  enterNx: number
  enterNy: number
  enterFeature: FeatureCode
  leave: number
  leaveNx: number
  leaveNy: number
  leaveFeature: FeatureCode
}

export function createRaySpan(): RaySpan {
  return {
    inside: false,
    exits: false,
    enter: 0,
    enterNx: 0,
    enterNy: 0,
    enterFeature: NO_FEATURE,
    leave: 0,
    leaveNx: 0,
    leaveNy: 0,
    leaveFeature: NO_FEATURE,
  }
}

export const MISS = 0
export const HIT = 1
/** Rounding leaves it open. */
export const UNSURE = 2
export type Verdict = typeof MISS | typeof HIT | typeof UNSURE

/**
 * Verdict on a ray from its span's ends, which are known to within their slacks; the span is non-empty for certain.
 * `size`: bound on |enter| and |leave| where the line meets the body.
 */
export function settleSpan(
  line: RayLine,
  span: RaySpan,
  enterSlack: number,
  leaveSlack: number,
  size: number,
): Verdict {
  const { along, maxDistance } = line
  const rounding = 8 * UNIT_ROUNDOFF * (Math.abs(along) + size) + line.floor
  return settleDistances(
    span,
    along + span.enter,
    enterSlack + rounding,
    along + span.leave,
    leaveSlack + rounding,
    maxDistance,
  )
}

/** `settleSpan` for ends given by their distances from the origin. */
export function settleDistances(
  span: RaySpan,
  enter: number,
  enterSlack: number,
  leave: number,
  leaveSlack: number,
  maxDistance: number,
): Verdict {
  if (leave < -leaveSlack || enter > maxDistance + enterSlack) return MISS
  if (enter > enterSlack) {
    if (enter > maxDistance - enterSlack) return UNSURE
    span.inside = false
  } else if (enter < -enterSlack && leave > leaveSlack) span.inside = true
  else return UNSURE
  if (leave <= maxDistance - leaveSlack) span.exits = true
  else if (leave > maxDistance + leaveSlack) span.exits = false
  else return UNSURE
  return HIT
}

/** Records exactly decided signs. */
export function settleExactly(span: RaySpan, inside: boolean, exits: boolean): true {
  span.inside = inside
  span.exits = exits
  return true
}

export function setEnter(span: RaySpan, at: number, nx: number, ny: number, feature: FeatureCode): void {
  span.enter = at
  span.enterNx = nx
  span.enterNy = ny
  span.enterFeature = feature
}

export function setLeave(span: RaySpan, at: number, nx: number, ny: number, feature: FeatureCode): void {
  span.leave = at
  span.leaveNx = nx
  span.leaveNy = ny
  span.leaveFeature = feature
}

export interface Ray {
  ox: number
  oy: number
  /** Direction, times 2^-exponent: `setDirection` brings a very long or short one near 1. */
  dx: number
  dy: number
  exponent: number
  /** World length; Infinity when unlimited. */
  maxDistance: number
  /** Of a ray that is the path of a moving body: what direction and maxDistance are rounded from; null for other rays. */
  motion: RelativeMotion | null
}

export function createRay(): Ray {
  return { ox: 0, oy: 0, dx: 1, dy: 0, exponent: 0, maxDistance: Infinity, motion: null }
}

/** Directions between these need no scaling: their products with coordinates up to 1e100 stay normal. */
const LARGEST_DIRECTION = 2 ** 64
const SMALLEST_DIRECTION = 1 / LARGEST_DIRECTION

/** Sets the direction to (x, y), of any length from the least to the greatest double, without rounding. */
export function setDirection(ray: Ray, x: number, y: number): void {
  const size = Math.max(Math.abs(x), Math.abs(y))
  const isNear1 = size === 0 || (size <= LARGEST_DIRECTION && size >= SMALLEST_DIRECTION)
  const exponent = isNear1 ? 0 : losslessExponent(x, y, size)
  ray.dx = scaleBy(x, -exponent)
  ray.dy = scaleBy(y, -exponent)
  ray.exponent = exponent
}

export interface RayHit {
  /** World length from the origin. */
  distance: number
  /** Point = origin + fraction · direction; the largest double where that is beyond all doubles. */
  fraction: number
  x: number
  y: number
  /** False where the origin is inside and counts as the hit. */
  hasNormal: boolean
  nx: number
  ny: number
  feature: FeatureCode
  /** Part of a composite that the feature belongs to; 0 for convex bodies. */
  part: number
  startedInside: boolean
  /** Whether the ray leaves the body within maxDistance, and where. */
  hasExit: boolean
  exitDistance: number
  exitX: number
  exitY: number
  exitNx: number
  exitNy: number
}

export function createRayHit(): RayHit {
  return {
    distance: 0,
    fraction: 0,
    x: 0,
    y: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    feature: NO_FEATURE,
    part: 0,
    startedInside: false,
    hasExit: false,
    exitDistance: 0,
    exitX: 0,
    exitY: 0,
    exitNx: 0,
    exitNy: 0,
  }
}

export interface RayLine {
  ox: number
  oy: number
  /** The direction as given, times a power of two when that is very large or small; and its length. */
  dx: number
  dy: number
  length: number
  /** The direction as given to the ray is (dx, dy) · 2^exponent. */
  exponent: number
  ux: number
  uy: number
  maxDistance: number
  /** The anchor in the ray's frame. */
  along: number
  side: number
  /** Foot of the anchor on the line, relative to the anchor. */
  qx: number
  qy: number
  /** Bound on the error of `side` beyond a few roundoffs of itself. */
  floor: number
  /** Bound on the rounding error of heights and sides of the body's features near the line. */
  error: number
  /** The last point given to `locate`, in the ray's frame. */
  pointAlong: number
  pointSide: number
}

export function createRayLine(): RayLine {
  return {
    ox: 0,
    oy: 0,
    dx: 1,
    dy: 0,
    length: 1,
    exponent: 0,
    ux: 1,
    uy: 0,
    maxDistance: 0,
    along: 0,
    side: 0,
    qx: 0,
    qy: 0,
    floor: 0,
    error: 0,
    pointAlong: 0,
    pointSide: 0,
  }
}

/** Fills `line` with `ray` as seen from `body`. */
export function aim(line: RayLine, ray: Ray, body: Body): void {
  let { dx, dy } = ray
  const size = Math.max(Math.abs(dx), Math.abs(dy))
  let { exponent } = ray
  if (size > LARGEST_DIRECTION || size < SMALLEST_DIRECTION) {
    const own = binaryExponent(size)
    exponent += own
    dx = scaleBy(dx, -own)
    dy = scaleBy(dy, -own)
  }
  const length = Math.sqrt(dx * dx + dy * dy)
  line.ox = ray.ox
  line.oy = ray.oy
  line.dx = dx
  line.dy = dy
  line.length = length
  line.exponent = exponent
  line.ux = dx / length
  line.uy = dy / length
  line.maxDistance = ray.maxDistance
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  locate(line, body, ANCHOR_X)
  const side = line.pointSide
  line.along = line.pointAlong
  line.side = side
  line.qx = side * line.uy
  line.qy = -side * line.ux
  const coordinates =
    Math.abs(x) + Math.abs(y) + Math.abs(anchorX) + Math.abs(anchorY) + Math.abs(ray.ox) + Math.abs(ray.oy)
  line.floor = COMPENSATED_ERROR_RATIO * coordinates + UNDERFLOW_LENGTH + (body.difference?.error ?? 0)
  line.error = SEPARATION_ERROR_RATIO * body.numbers[REACH] + line.floor
}

/** Sets `pointAlong` and `pointSide` of the point at `at` in the numbers of `body`, relative to its position. The sign of a side of 0 is not kept. */
export function locate(line: RayLine, body: Body, at: number): void {
  const { dx, dy, length } = line
  const vx = body.numbers[at]
  const vy = body.numbers[at + 1]
  const sx = body.numbers[X] + vx
  const tx = sx - line.ox
  const ex = sumError(body.numbers[X], vx, sx) + sumError(sx, -line.ox, tx) + body.numbers[X_LOW]
  const px = tx + ex
  const sy = body.numbers[Y] + vy
  const ty = sy - line.oy
  const ey = sumError(body.numbers[Y], vy, sy) + sumError(sy, -line.oy, ty) + body.numbers[Y_LOW]
  const py = ty + ey
  const dxHigh = leadingHalf(dx)
  const dyHigh = leadingHalf(dy)
  const pxHigh = leadingHalf(px)
  const pyHigh = leadingHalf(py)
  const left = dx * py
  const right = dy * px
  const cross = left - right
  const rest =
    sumError(left, -right, cross) +
    (halvesError(dxHigh, dx - dxHigh, pyHigh, py - pyHigh, left) -
      halvesError(dyHigh, dy - dyHigh, pxHigh, px - pxHigh, right)) +
    (dx * sumError(ty, ey, py) - dy * sumError(tx, ex, px))
  line.pointSide = (cross + rest) / length
  line.pointAlong = (dx * px + dy * py) / length
}

// The ray as exact numbers, and how far it reaches: shared by the exact ray predicates.
//
// The ray is the set origin + t·d with 0 ≤ t·|d| ≤ maxDistance. Since |d| is irrational in general, a limit is compared
// as t·√(d·d) ≤ maxDistance, by squaring (`numeric/exact-ring.ts`). The path of a moving body is the
// segment 0 ≤ t ≤ 1 instead, its d an exact sum. Vectors of which only the direction counts are first
// multiplied by a power of two that brings them near the coordinates' magnitude, which keeps the arithmetic short.

export interface ExactRay<T> {
  ring: Ring<T>
  ox: T
  oy: T
  dx: T
  dy: T
  /** d·d. */
  square: T
  /** |d| as a double: t·length is a world length. */
  length: number
  /** World length; null when that is not what limits the ray. */
  maxDistance: T | null
  /** The ray is the segment of length |d|: the path of a moving body. */
  wholeOnly: boolean
}

/**
 * Runs `predicate` where polynomials up to `degree` in the numbers of the ray and the body are exact.
 * `more`: further numbers that the predicate will pass to the ring.
 */
export function exactRay<R>(
  ray: Ray,
  body: Body,
  more: number[],
  degree: number,
  predicate: <T>(ray: ExactRay<T>) => R,
): R {
  const range = createInputRange()
  const { ox, oy, maxDistance, motion } = ray
  includeBody(range, body)
  for (const value of [ox, oy, ...more]) includeInput(range, value)
  const limited = motion === null && maxDistance < Infinity
  if (limited) includeInput(range, maxDistance)
  // Of a plain ray only the direction counts, so its length may come near the coordinates'.
  const direction = motion === null ? scaledDirection(ray, range.largest) : displacementOf(motion)
  includeDisplacement(range, direction)
  return exactly(range, degree, (ring) => {
    const { of, add, mul } = ring
    const x = exactSum(ring, direction.x)
    const y = exactSum(ring, direction.y)
    return predicate({
      ring,
      ox: of(ox),
      oy: of(oy),
      dx: x,
      dy: y,
      square: add(mul(x, x), mul(y, y)),
      length: vectorLength(direction.x[0] ?? 0, direction.y[0] ?? 0),
      maxDistance: limited ? of(maxDistance) : null,
      wholeOnly: motion !== null,
    })
  })
}

/** The direction times the power of two that brings it near `magnitude`, where that loses no bit. */
function scaledDirection({ dx, dy }: Ray, magnitude: number): Displacement {
  const given = { x: [dx], y: [dy] }
  if (magnitude === 0) return given
  const exponent = binaryExponent(magnitude) - binaryExponent(Math.max(Math.abs(dx), Math.abs(dy)))
  return scaleDisplacement(given, exponent) ?? given
}

/**
 * Sign of the ray's parameter (along + root·√p)/d·d against its limit: 1 when that lies beyond its end; −1 when the ray has
 * none. `along` is a product with d.
 */
export function signPastEnd<T>(exact: ExactRay<T>, along: T, root: T, p: T): Sign {
  const { ring, square, maxDistance, wholeOnly } = exact
  if (wholeOnly) return signOfRootSum(ring, ring.sub(along, square), root, p)
  if (maxDistance === null) return -1
  return signOfTwoRootSum(ring, along, ring.sub(ring.integer(0), maxDistance), square, root, p)
}
