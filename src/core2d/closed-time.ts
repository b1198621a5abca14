/**
 * When a moving feature comes to another one, rounded once: a corner to a circle about a corner, to the line of an edge, to the
 * boundary of a half-plane. A ray is a corner that moves by its direction.
 *
 * Method: as `closed-gap.ts`; times are twofold numbers, so that a length along the motion, or a point of it, is rounded once
 * as well. The ends of a chord are roots of t²·w² − 2t·a + q² − r²: the one that cancels is the other's product with it over
 * the other.
 * Frame: velocities are those of the moving body as seen from the owner, which stays. Only their direction may be extreme:
 * `setVelocity` brings their size near 1.
 */
import type { Body } from './body.ts'
import { scaleBy } from './body-scaling.ts'
import { exactCircleTime, exactLineTime, type VectorTerms } from './closed-exact.ts'
import { normalTerms } from './closed-gap.ts'
import { edgeTerms, offsetTerms, putBoundary, putEdge, putOffset } from './exact-offset.ts'
import { binaryExponent } from './exact-ring.ts'
import { productError, sumError } from './expansion.ts'
import { CANCELLED_RATIO, LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT, SMALLEST_SAFE_SQUARE } from './tolerances.ts'
import type { Twofold } from './twofold.ts'

/** A velocity times 2^-exponent, as twofold numbers x and y. */
export interface Velocity {
  x: number
  xLow: number
  y: number
  yLow: number
  exponent: number
}

export function createVelocity(): Velocity {
  return { x: 1, xLow: 0, y: 0, yLow: 0, exponent: 0 }
}

/** Scratch: the offset of the moving corner, and the edge. */
const q = new Float64Array(4)
const e = new Float64Array(4)

/** Sizes between these need no scaling. */
const LARGEST_SPEED = 2 ** 64

/** Sets `out` to (toX − fromX, toY − fromY), times a power of two that brings a very small or large one near 1. */
export function setVelocity(toX: number, toY: number, fromX: number, fromY: number, out: Velocity): void {
  const x = toX - fromX
  const y = toY - fromY
  out.x = x
  out.xLow = sumError(toX, -fromX, x)
  out.y = y
  out.yLow = sumError(toY, -fromY, y)
  out.exponent = 0
  const size = Math.max(Math.abs(x), Math.abs(y))
  if (size < LARGEST_SPEED && size > 1 / LARGEST_SPEED) return
  const exponent = losslessExponent(x, y, size)
  out.x = scaleBy(x, -exponent)
  out.xLow = scaleBy(out.xLow, -exponent)
  out.y = scaleBy(y, -exponent)
  out.yLow = scaleBy(out.yLow, -exponent)
  out.exponent = exponent
}

/**
 * Exponent of the power of two by which (x, y), whose larger component is `size`, is to be divided so that it comes near 1: less
 * than its own where the smaller component would lose digits.
 */
export function losslessExponent(x: number, y: number, size: number): number {
  const exponent = binaryExponent(size)
  const other = Math.min(Math.abs(x), Math.abs(y))
  if (exponent <= 0 || other === 0) return exponent
  // Its last digit must not fall below the least double.
  return Math.max(Math.min(exponent, binaryExponent(other) - 52 + 1074), 0)
}

/** Sets `out` to −v. */
export function reverseVelocity(v: Velocity, out: Velocity): void {
  out.x = -v.x
  out.xLow = -v.xLow
  out.y = -v.y
  out.yLow = -v.yLow
  out.exponent = v.exponent
}

function velocityTerms({ x, xLow, y, yLow }: Velocity): VectorTerms {
  return { x: [x, xLow].filter((value) => value !== 0), y: [y, yLow].filter((value) => value !== 0) }
}

function put(out: Twofold, high: number, low: number): void {
  out.high = high + low
  out.low = low - (out.high - high)
}

/** Sets `out` to (a + aLow)/(b + bLow). */
function putQuotient(out: Twofold, a: number, aLow: number, b: number, bLow: number): void {
  const quotient = a / b
  const product = quotient * b
  put(out, quotient, (a - product - productError(quotient, b, product) + (aLow - quotient * bLow)) / b)
}

/**
 * When corner `vertex` of `other`, moving at v, comes to the line of an edge of `owner` as near as both radii. In the unit of
 * time of `v`. Precondition: it does not move along the edge.
 */
export function edgeTime(owner: Body, edge: number, other: Body, vertex: number, v: Velocity, out: Twofold): void {
  putEdge(owner, edge, e)
  putOffset(owner, edge, other, vertex, q)
  const level = owner.radius + other.radius
  if (lineTime(level, sumError(owner.radius, other.radius, level), v, out)) return
  const radii = [owner.radius, other.radius]
  const exact = exactLineTime(edgeTerms(owner, edge), offsetTerms(owner, edge, other, vertex), velocityTerms(v), radii)
  put(out, exact.high, exact.low)
}

/** Sign of the speed at which v leads away from the line of an edge, to its outer side; 0 also where twofold numbers do not tell. */
export function slopeSign(owner: Body, edge: number, v: Velocity): number {
  putEdge(owner, edge, e)
  const left = e[2] * v.x
  const right = e[0] * v.y
  const slope = left - right
  const rest = productError(e[2], v.x, left) - productError(e[0], v.y, right)
  const lows = e[2] * v.xLow + e[3] * v.x - (e[0] * v.yLow + e[1] * v.y)
  const sum = slope + (sumError(left, -right, slope) + (rest + lows))
  return Math.abs(sum) > CANCELLED_RATIO * CANCELLED_RATIO * (Math.abs(left) + Math.abs(right)) ? Math.sign(sum) : 0
}

/** As `edgeTime`, of the boundary of a half-plane. */
export function planeTime(plane: Body, body: Body, vertex: number, v: Velocity, out: Twofold): void {
  const { offset } = plane
  const level = offset + body.radius
  if (putBoundary(plane, e)) {
    putOffset(plane, 0, body, vertex, q)
    if (lineTime(level, sumError(offset, body.radius, level), v, out)) return
  }
  const exact = exactLineTime(normalTerms(plane), offsetTerms(plane, 0, body, vertex), velocityTerms(v), [
    offset,
    body.radius,
  ])
  put(out, exact.high, exact.low)
}

/** When `q`, moving at v, comes to the level over the line along `e`; false where twofold numbers do not tell. */
function lineTime(level: number, levelLow: number, v: Velocity, out: Twofold): boolean {
  const ex = e[0]
  const ey = e[2]
  if (ex === 0 || ey === 0) return axisTime(level, levelLow, v, out)
  const left = ey * v.x
  const right = ex * v.y
  const slope = left - right
  const slopeSize = Math.abs(left) + Math.abs(right)
  if (!(Math.abs(slope) >= CANCELLED_RATIO * slopeSize && slopeSize > SMALLEST_SAFE_SQUARE)) return false
  const slopeLow =
    sumError(left, -right, slope) +
    (productError(ey, v.x, left) -
      productError(ex, v.y, right) +
      (ey * v.xLow + e[3] * v.x - (ex * v.yLow + e[1] * v.y)))
  const over = ey * q[0]
  const under = ex * q[2]
  const cross = over - under
  const crossLow =
    sumError(over, -under, cross) +
    (productError(ey, q[0], over) -
      productError(ex, q[2], under) +
      (ey * q[1] + e[3] * q[0] - (ex * q[3] + e[1] * q[2])))
  const size = Math.abs(over) + Math.abs(under)
  if (level === 0) {
    if (!(Math.abs(cross) >= CANCELLED_RATIO * size && size > SMALLEST_SAFE_SQUARE)) return false
    putQuotient(out, -cross, -crossLow, slope, slopeLow)
    return true
  }
  const xx = ex * ex
  const yy = ey * ey
  const square = xx + yy
  if (!(square > SMALLEST_SAFE_SQUARE)) return false
  const low =
    sumError(xx, yy, square) + (productError(ex, ex, xx) + productError(ey, ey, yy) + 2 * (ex * e[1] + ey * e[3]))
  const length = Math.sqrt(square)
  const again = length * length
  const lengthLow = (square - again - productError(length, length, again) + low) / (2 * length)
  const offset = level * length
  const offsetLow = productError(level, length, offset) + (level * lengthLow + levelLow * length)
  const top = offset - cross
  if (!(Math.abs(top) >= CANCELLED_RATIO * (size + Math.abs(offset)) && size > SMALLEST_SAFE_SQUARE)) return false
  putQuotient(out, top, sumError(offset, -cross, top) + (offsetLow - crossLow), slope, slopeLow)
  return true
}

/** The same for an edge along an axis: heights are differences. */
function axisTime(level: number, levelLow: number, v: Velocity, out: Twofold): boolean {
  const isLevel = e[0] === 0
  // The outward normal is (ey, −ex).
  const side = (isLevel ? e[2] : -e[0]) > 0 ? 1 : -1
  const k = isLevel ? 0 : 2
  const height = side * q[k]
  const slope = side * (isLevel ? v.x : v.y)
  const slopeLow = side * (isLevel ? v.xLow : v.yLow)
  const top = level - height
  if (
    !(Math.abs(top) >= CANCELLED_RATIO * (Math.abs(level) + Math.abs(height)) && Math.abs(top) > SMALLEST_SAFE_SQUARE)
  ) {
    return false
  }
  if (!(Math.abs(slope) > SMALLEST_SAFE_EXTENT)) return false
  putQuotient(out, top, sumError(level, -height, top) + (levelLow - side * q[k + 1]), slope, slopeLow)
  return true
}

/**
 * When corner j of `b`, moving at v, comes as near to corner i of `a` as both radii, for the first (end −1) or last (end 1)
 * time. Precondition: it does.
 */
export function circleTime(a: Body, i: number, b: Body, j: number, v: Velocity, end: -1 | 1, out: Twofold): void {
  putOffset(a, i, b, j, q)
  const radius = a.radius + b.radius
  if (chordTime(radius, sumError(a.radius, b.radius, radius), v, end, out)) return
  const exact = exactCircleTime(offsetTerms(a, i, b, j), velocityTerms(v), [a.radius, b.radius], end)
  put(out, exact.high, exact.low)
}

function chordTime(radius: number, radiusLow: number, v: Velocity, end: -1 | 1, out: Twofold): boolean {
  const x = q[0]
  const y = q[2]
  const extent = Math.abs(x) + Math.abs(y)
  if (!(extent > SMALLEST_SAFE_EXTENT && extent < LARGEST_SAFE_EXTENT && radius < LARGEST_SAFE_EXTENT)) return false
  if (radius !== 0 && !(radius > SMALLEST_SAFE_EXTENT)) return false
  // Squares of speed and distance, along and across the motion; each with what it is rounded by.
  const wxx = v.x * v.x
  const wyy = v.y * v.y
  const speed = wxx + wyy
  const speedLow =
    sumError(wxx, wyy, speed) +
    (productError(v.x, v.x, wxx) + productError(v.y, v.y, wyy) + 2 * (v.x * v.xLow + v.y * v.yLow))
  const alongX = -(v.x * x)
  const alongY = -(v.y * y)
  const along = alongX + alongY
  const alongLow =
    sumError(alongX, alongY, along) +
    (productError(-v.x, x, alongX) +
      productError(-v.y, y, alongY) -
      (v.x * q[1] + v.xLow * x + (v.y * q[3] + v.yLow * y)))
  if (radius === 0) {
    // A point that is met is met head-on.
    if (!(Math.abs(along) >= CANCELLED_RATIO * (Math.abs(alongX) + Math.abs(alongY)))) return false
    putQuotient(out, along, alongLow, speed, speedLow)
    return true
  }
  const left = v.x * y
  const right = v.y * x
  const side = left - right
  const sideLow =
    sumError(left, -right, side) +
    (productError(v.x, y, left) - productError(v.y, x, right) + (v.x * q[3] + v.xLow * y - (v.y * q[1] + v.yLow * x)))
  const rr = radius * radius
  const rrLow = productError(radius, radius, rr) + 2 * radius * radiusLow
  const reach = rr * speed
  const reachLow = productError(rr, speed, reach) + (rr * speedLow + rrLow * speed)
  const sideSquare = side * side
  const sideSquareLow = productError(side, side, sideSquare) + 2 * side * sideLow
  const square = reach - sideSquare
  if (!(square >= CANCELLED_RATIO * (reach + Math.abs(side) * (Math.abs(left) + Math.abs(right))))) return false
  const squareLow = sumError(reach, -sideSquare, square) + (reachLow - sideSquareLow)
  const half = Math.sqrt(square)
  const again = half * half
  const halfLow = (square - again - productError(half, half, again) + squareLow) / (2 * half)
  // The end that does not cancel.
  const hand = along > 0 ? 1 : -1
  const sum = along + hand * half
  const sumLow = sumError(along, hand * half, sum) + (alongLow + hand * halfLow)
  if (!(Math.abs(sum) >= CANCELLED_RATIO * (Math.abs(alongX) + Math.abs(alongY)))) return false
  if (hand === end) {
    putQuotient(out, sum, sumLow, speed, speedLow)
    return true
  }
  const xx = x * x
  const yy = y * y
  const distance = xx + yy
  const distanceLow =
    sumError(xx, yy, distance) + (productError(x, x, xx) + productError(y, y, yy) + 2 * (x * q[1] + y * q[3]))
  const excess = distance - rr
  if (!(Math.abs(excess) >= CANCELLED_RATIO * (distance + rr))) return false
  putQuotient(out, excess, sumError(distance, -rr, excess) + (distanceLow - rrLow), sum, sumLow)
  return true
}

/** The time in seconds, or the fraction of a direction: rounded once, and at most the largest double. */
export function roundTime({ high, low }: Twofold, exponent: number): number {
  return Math.min(scaleBy(high + low, -exponent), Number.MAX_VALUE)
}

/** Sets `out` to |v|, in its own unit. */
export function putSpeed({ x, xLow, y, yLow }: Velocity, out: Twofold): void {
  if (y === 0) put(out, Math.abs(x), x < 0 ? -xLow : xLow)
  else if (x === 0) put(out, Math.abs(y), y < 0 ? -yLow : yLow)
  else {
    const xx = x * x
    const yy = y * y
    const square = xx + yy
    const low = sumError(xx, yy, square) + (productError(x, x, xx) + productError(y, y, yy) + 2 * (x * xLow + y * yLow))
    const length = Math.sqrt(square)
    const again = length * length
    put(out, length, (square - again - productError(length, length, again) + low) / (2 * length))
  }
}
