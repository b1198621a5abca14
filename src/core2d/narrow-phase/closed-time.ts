/**
 * When a moving feature comes to another one, rounded once: a corner to a circle about a corner, to the line of an edge, to the
 * boundary of a half-plane. A ray is a corner that moves by its direction.
 *
 * Method: as `closed-gap.ts`; times are twofold numbers, so that a length along the motion, or a point of it, is rounded once
 * as well. The ends of a chord are taken as doubles from the root that does not cancel, and then once by Newton's method from
 * what |q + t·v|² − r² leaves there in twofold numbers; what is left after that has a bound.
 * Frame: velocities are those of the moving body as seen from the owner, which stays. Only their direction may be extreme:
 * `setVelocity` brings their size near 1.
 */

import { binaryExponent } from '../../numeric/exact-ring.ts'
import { halvesError, leadingHalf, productError, squareError, sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT, SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import { scaleBy, vectorLength } from '../../numeric/safe-range.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import { type Body, type Direction, following, isBehind, OFFSET, preceding, RADIUS, X, Y } from '../shape/body.ts'
import type { RelativeMotion } from '../shape/motion.ts'
import {
  CANCELLED_RATIO,
  CLEAR_COSINE_RATIO,
  NEWTON_ERROR_RATIO,
  SLOPE_ERROR_RATIO,
  TWOFOLD_ERROR_RATIO,
} from '../tolerances.ts'
import {
  edgeTerms,
  exactCircleTime,
  exactLineTime,
  normalTerms,
  offsetTerms,
  putBoundary,
  putEdge,
  putOffset,
  type VectorTerms,
} from './closed-gap.ts'
import { lowestVertex } from './sat.ts'

/** A velocity times 2^-exponent, as twofold numbers x and y. */
export interface Velocity {
  x: number
  xLow: number
  y: number
  yLow: number
  exponent: number
}

/** Where a corner is as seen from the start of an edge or from another corner, and where the end of the edge is as seen from it. */
interface Place {
  x: number
  y: number
  toX: number
  toY: number
}

export function createVelocity(): Velocity {
  return { x: 1, xLow: 0, y: 0, yLow: 0, exponent: 0 }
}

/** Scratch: the offset of the moving corner, the edge, and the level over its line, or the radius, as a twofold number. */
const q = new Float64Array(4)
const e = new Float64Array(4)
const over = new Float64Array(2)

/** Sets the level to a + b. */
function putLevel(a: number, b: number): void {
  over[0] = a + b
  over[1] = sumError(a, b, over[0])
}

/** Sizes between these need no scaling. */
const LARGEST_SPEED = 2 ** 64

/** Sets `out` to the velocity of A less that of B, times a power of two that brings a very small or large one near 1. */
export function setVelocity({ ax, ay, bx, by }: RelativeMotion, out: Velocity): void {
  out.x = ax - bx
  out.xLow = sumError(ax, -bx, out.x)
  out.y = ay - by
  out.yLow = sumError(ay, -by, out.y)
  bringNear1(out)
}

/** Sets `out` to a velocity that is known to twice the digits. */
export function setTwofoldVelocity(x: Twofold, y: Twofold, out: Velocity): void {
  out.x = x.high
  out.xLow = x.low
  out.y = y.high
  out.yLow = y.low
  bringNear1(out)
}

/** Sets `out` to the direction that the ray has, scaled likewise. */
export function setRayVelocity({ dx, dy }: { dx: number; dy: number }, out: Velocity): void {
  out.x = dx
  out.xLow = 0
  out.y = dy
  out.yLow = 0
  bringNear1(out)
}

function bringNear1(out: Velocity): void {
  const { x, y } = out
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
function reverseVelocity(v: Velocity, out: Velocity): void {
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
  const high = leadingHalf(quotient)
  const bHigh = leadingHalf(b)
  const rest = a - product - halvesError(high, quotient - high, bHigh, b - bHigh, product)
  put(out, quotient, (rest + (aLow - quotient * bLow)) / b)
}

/**
 * When corner `vertex` of `other`, moving at v, comes to the line of an edge of `owner` as near as both radii. In the unit of
 * time of `v`. Precondition: it does not move along the edge.
 */
function edgeTime(owner: Body, edge: number, other: Body, vertex: number, v: Velocity, out: Twofold): void {
  putEdge(owner, edge, e)
  putOffset(owner, edge, other, vertex, q)
  putLevel(owner.numbers[RADIUS], other.numbers[RADIUS])
  if (lineTime(v, out)) return
  const radii = [owner.numbers[RADIUS], other.numbers[RADIUS]]
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
  if (putBoundary(plane, e)) {
    putOffset(plane, 0, body, vertex, q)
    putLevel(plane.numbers[OFFSET], body.numbers[RADIUS])
    if (lineTime(v, out)) return
  }
  const levels = [plane.numbers[OFFSET], body.numbers[RADIUS]]
  const exact = exactLineTime(normalTerms(plane), offsetTerms(plane, 0, body, vertex), velocityTerms(v), levels)
  put(out, exact.high, exact.low)
}

/** When `q`, moving at v, comes to the level over the line along `e`; false where twofold numbers do not tell. */
function lineTime(v: Velocity, out: Twofold): boolean {
  const ex = e[0]
  const ey = e[2]
  if (ex === 0 || ey === 0) return axisTime(v, out)
  const { x: vx, y: vy } = v
  const x = q[0]
  const y = q[2]
  const level = over[0]
  const left = ey * vx
  const right = ex * vy
  const slope = left - right
  const slopeSize = Math.abs(left) + Math.abs(right)
  if (!(Math.abs(slope) >= CANCELLED_RATIO * slopeSize && slopeSize > SMALLEST_SAFE_SQUARE)) return false
  const exHigh = leadingHalf(ex)
  const exRest = ex - exHigh
  const eyHigh = leadingHalf(ey)
  const eyRest = ey - eyHigh
  const vxHigh = leadingHalf(vx)
  const vyHigh = leadingHalf(vy)
  const slopeErrors =
    halvesError(eyHigh, eyRest, vxHigh, vx - vxHigh, left) - halvesError(exHigh, exRest, vyHigh, vy - vyHigh, right)
  const slopeLow = sumError(left, -right, slope) + (slopeErrors + (ey * v.xLow + e[3] * vx - (ex * v.yLow + e[1] * vy)))
  const above = ey * x
  const below = ex * y
  const cross = above - below
  const size = Math.abs(above) + Math.abs(below)
  const xHigh = leadingHalf(x)
  const yHigh = leadingHalf(y)
  const crossErrors =
    halvesError(eyHigh, eyRest, xHigh, x - xHigh, above) - halvesError(exHigh, exRest, yHigh, y - yHigh, below)
  const crossLow = sumError(above, -below, cross) + (crossErrors + (ey * q[1] + e[3] * x - (ex * q[3] + e[1] * y)))
  let top = -cross
  let topLow = -crossLow
  let topSize = size
  if (level !== 0) {
    const xx = ex * ex
    const yy = ey * ey
    const square = xx + yy
    if (!(square > SMALLEST_SAFE_SQUARE)) return false
    const errors = squareError(exHigh, exRest, xx) + squareError(eyHigh, eyRest, yy)
    const low = sumError(xx, yy, square) + (errors + 2 * (ex * e[1] + ey * e[3]))
    const length = Math.sqrt(square)
    const again = length * length
    const lengthHigh = leadingHalf(length)
    const lengthRest = length - lengthHigh
    const lengthLow = (square - again - squareError(lengthHigh, lengthRest, again) + low) / (2 * length)
    const offset = level * length
    const levelHigh = leadingHalf(level)
    const error = halvesError(levelHigh, level - levelHigh, lengthHigh, lengthRest, offset)
    top = offset - cross
    topLow = sumError(offset, -cross, top) + (error + (level * lengthLow + over[1] * length) - crossLow)
    topSize = size + Math.abs(offset)
  }
  if (!(Math.abs(top) >= CANCELLED_RATIO * topSize && size > SMALLEST_SAFE_SQUARE)) return false
  putQuotient(out, top, topLow, slope, slopeLow)
  return true
}

/** Time at an edge along an axis, where heights are differences. */
function axisTime(v: Velocity, out: Twofold): boolean {
  const isLevel = e[0] === 0
  // The outward normal is (ey, −ex).
  const side = (isLevel ? e[2] : -e[0]) > 0 ? 1 : -1
  const k = isLevel ? 0 : 2
  const level = over[0]
  const height = side * q[k]
  const slope = side * (isLevel ? v.x : v.y)
  const slopeLow = side * (isLevel ? v.xLow : v.yLow)
  const top = level - height
  const size = Math.abs(top)
  if (!(size >= CANCELLED_RATIO * (Math.abs(level) + Math.abs(height)) && size > SMALLEST_SAFE_SQUARE)) return false
  if (!(Math.abs(slope) > SMALLEST_SAFE_EXTENT)) return false
  putQuotient(out, top, sumError(level, -height, top) + (over[1] - side * q[k + 1]), slope, slopeLow)
  return true
}

/**
 * When corner j of `b`, moving at v, comes as near to corner i of `a` as both radii, for the first (end −1) or last (end 1)
 * time. Precondition: it does.
 */
export function circleTime(a: Body, i: number, b: Body, j: number, v: Velocity, end: -1 | 1, out: Twofold): void {
  putOffset(a, i, b, j, q)
  putLevel(a.numbers[RADIUS], b.numbers[RADIUS])
  if (over[0] === 0 ? pointTime(v, out) : chordTime(v, end, out)) return
  const exact = exactCircleTime(offsetTerms(a, i, b, j), velocityTerms(v), [a.numbers[RADIUS], b.numbers[RADIUS]], end)
  put(out, exact.high, exact.low)
}

/** A point that is met is met head-on: the way along the motion over the speed. */
function pointTime(v: Velocity, out: Twofold): boolean {
  const x = q[0]
  const y = q[2]
  const extent = Math.abs(x) + Math.abs(y)
  if (!(extent > SMALLEST_SAFE_EXTENT && extent < LARGEST_SAFE_EXTENT)) return false
  const wxx = v.x * v.x
  const wyy = v.y * v.y
  const speed = wxx + wyy
  const speedLow =
    sumError(wxx, wyy, speed) +
    (productError(v.x, v.x, wxx) + productError(v.y, v.y, wyy) + 2 * (v.x * v.xLow + v.y * v.yLow))
  const alongX = -(v.x * x)
  const alongY = -(v.y * y)
  const along = alongX + alongY
  if (!(Math.abs(along) >= CANCELLED_RATIO * (Math.abs(alongX) + Math.abs(alongY)))) return false
  const alongLow =
    sumError(alongX, alongY, along) +
    (productError(-v.x, x, alongX) +
      productError(-v.y, y, alongY) -
      (v.x * q[1] + v.xLow * x + (v.y * q[3] + v.yLow * y)))
  putQuotient(out, along, alongLow, speed, speedLow)
  return true
}

function chordTime(v: Velocity, end: -1 | 1, out: Twofold): boolean {
  const { x: vx, y: vy } = v
  const x = q[0]
  const y = q[2]
  const radius = over[0]
  const extent = Math.abs(x) + Math.abs(y)
  if (!(extent > SMALLEST_SAFE_EXTENT && extent < LARGEST_SAFE_EXTENT)) return false
  if (!(radius > SMALLEST_SAFE_EXTENT && radius < LARGEST_SAFE_EXTENT)) return false
  const rr = radius * radius
  const speed = vx * vx + vy * vy
  const along = -(vx * x + vy * y)
  const side = vx * y - vy * x
  const square = rr * speed - side * side
  if (!(square > 0)) return false
  const hand = along > 0 ? 1 : -1
  const sum = along + hand * Math.sqrt(square)
  const t = hand === end ? sum / speed : (x * x + y * y - rr) / sum
  // Where that is, and by how much it misses the circle.
  const tHigh = leadingHalf(t)
  const tRest = t - tHigh
  const vxHigh = leadingHalf(vx)
  const vyHigh = leadingHalf(vy)
  const wayX = vx * t
  const wayY = vy * t
  const wx = x + wayX
  const wy = y + wayY
  const wayXLow = halvesError(vxHigh, vx - vxHigh, tHigh, tRest, wayX) + (q[1] + v.xLow * t)
  const wayYLow = halvesError(vyHigh, vy - vyHigh, tHigh, tRest, wayY) + (q[3] + v.yLow * t)
  const wxLow = sumError(x, wayX, wx) + wayXLow
  const wyLow = sumError(y, wayY, wy) + wayYLow
  const xx = wx * wx
  const yy = wy * wy
  const wxHigh = leadingHalf(wx)
  const wyHigh = leadingHalf(wy)
  const radiusHigh = leadingHalf(radius)
  const squareErrors = squareError(wxHigh, wx - wxHigh, xx) + squareError(wyHigh, wy - wyHigh, yy)
  const errors = squareErrors - squareError(radiusHigh, radius - radiusHigh, rr)
  const distance = xx + yy
  const lows = 2 * (wx * wxLow + wy * wyLow - radius * over[1])
  const excess = distance - rr + (sumError(xx, yy, distance) + (errors + lows))
  const slope = vx * wx + vy * wy
  const step = -excess / (2 * slope)
  // The error: a second step's share, the loss where the slope cancels, and the error of the excess itself.
  const size = Math.abs(step)
  const second = size * (size * speed + SLOPE_ERROR_RATIO * (Math.abs(vx * wx) + Math.abs(vy * wy)))
  const lost = TWOFOLD_ERROR_RATIO * radius * (radius + extent + Math.abs(wayX) + Math.abs(wayY))
  // Going out is the other end: of a chord too short for doubles to tell its ends apart.
  if (!(end * slope > 0 && second + lost <= NEWTON_ERROR_RATIO * Math.abs(t * slope))) return false
  put(out, t, step)
  return true
}

/**
 * Sets `out` to where the moving corner of the last `edgeTime` or `circleTime` is at the given time: as good as doubles can say,
 * however far it comes from and however long the edge is. `toX` and `toY` are set for edges only.
 */
function putPlace(v: Velocity, { high, low }: Twofold, out: Place): void {
  const half = leadingHalf(high)
  const rest = high - half
  const vxHigh = leadingHalf(v.x)
  const vyHigh = leadingHalf(v.y)
  const wayX = v.x * high
  const wayY = v.y * high
  const wayXLow = halvesError(vxHigh, v.x - vxHigh, half, rest, wayX) + (v.xLow * high + v.x * low)
  const wayYLow = halvesError(vyHigh, v.y - vyHigh, half, rest, wayY) + (v.yLow * high + v.y * low)
  const x = q[0] + wayX
  const y = q[2] + wayY
  const xLow = sumError(q[0], wayX, x) + (q[1] + wayXLow)
  const yLow = sumError(q[2], wayY, y) + (q[3] + wayYLow)
  out.x = x + xLow
  out.y = y + yLow
  const toX = e[0] - x
  const toY = e[2] - y
  out.toX = toX + (sumError(e[0], -x, toX) + (e[1] - xLow))
  out.toY = toY + (sumError(e[2], -y, toY) + (e[3] - yLow))
}

/** The time in seconds, or the fraction of a direction: rounded once, and at most the largest double. */
export function roundTime({ high, low }: Twofold, exponent: number): number {
  const time = high + low
  return Math.min(exponent === 0 ? time : scaleBy(time, -exponent), Number.MAX_VALUE)
}

/** Sets `out` to |v|, in its own unit. */
export function putSpeed({ x, xLow, y, yLow }: Velocity, out: Twofold): void {
  if (y === 0) put(out, Math.abs(x), x < 0 ? -xLow : xLow)
  else if (x === 0) put(out, Math.abs(y), y < 0 ? -yLow : yLow)
  else {
    const xx = x * x
    const yy = y * y
    const square = xx + yy
    const xHigh = leadingHalf(x)
    const yHigh = leadingHalf(y)
    const xRest = x - xHigh
    const yRest = y - yHigh
    const xAcross = xHigh * xRest
    const yAcross = yHigh * yRest
    const errors =
      xRest * xRest -
      (xx - xHigh * xHigh - xAcross - xAcross) +
      (yRest * yRest - (yy - yHigh * yHigh - yAcross - yAcross))
    const low = sumError(xx, yy, square) + (errors + 2 * (x * xLow + y * yLow))
    const length = Math.sqrt(square)
    const again = length * length
    const lengthHigh = leadingHalf(length)
    const lengthRest = length - lengthHigh
    const across = lengthHigh * lengthRest
    const lost = lengthRest * lengthRest - (again - lengthHigh * lengthHigh - across - across)
    const lengthLow = (square - again - lost + low) / (2 * length)
    out.high = length + lengthLow
    out.low = lengthLow - (out.high - length)
  }
}

// When two bodies that move without spin start or stop touching, or a ray enters or leaves a body: the time of a crossing that is
// known but for its last digits, rounded once.
//
// Method: the crossing names the features that meet. Where they are the right ones for certain, the time is theirs.
// Next to the end of an edge, or where the other body runs nearly along it, the neighbours
// count too: of polygons the last face that is crossed inward (the first outward), of rounded ones the first (last) crossing of
// any.
// Frame: A moves at v as seen from B.

/** Core points of A and of B between which they meet: the same twice for a corner. Edges run counter-clockwise. */
export interface Meeting {
  a0: number
  a1: number
  b0: number
  b1: number
}

const opposite = createVelocity()
const normal: Direction = { nx: 0, ny: 0 }
const place: Place = { x: 0, y: 0, toX: 0, toY: 0 }
const time: Twofold = { high: 0, low: 0 }

/** Sets `out` to the time at which they begin (end −1) or cease (end 1) to meet, in the unit of `v`. */
export function crossingTime(a: Body, b: Body, at: Meeting, v: Velocity, end: -1 | 1, out: Twofold): void {
  const { a0, a1, b0, b1 } = at
  // Two edges that meet along each other are parallel to the last bit.
  if (a0 !== a1 && b0 !== b1 && a.numbers[RADIUS] + b.numbers[RADIUS] === 0) {
    edgeTime(b, b0, a, a0, v, out)
    return
  }
  let isSure: boolean
  if (b0 !== b1) isSure = faceTime(b, b0, a, a0, v, out)
  else if (a0 === a1) isSure = cornerTime(a, a0, b, b0, v, end, out)
  else {
    reverseVelocity(v, opposite)
    isSure = faceTime(a, a0, b, b0, opposite, out)
  }
  if (isSure) return
  if (a.numbers[RADIUS] + b.numbers[RADIUS] > 0) searchRounded(a, b, at, v, end, out)
  else searchFaces(a, b, at, v, end, out)
}

/** Corners, and whether their neighbours are farther away for certain. */
function cornerTime(a: Body, i: number, b: Body, j: number, v: Velocity, end: -1 | 1, out: Twofold): boolean {
  circleTime(b, j, a, i, v, end, out)
  if (a.numbers[RADIUS] + b.numbers[RADIUS] === 0 || (a.count === 1 && b.count === 1)) return true
  putPlace(v, out, place)
  const { x, y } = place
  const length = vectorLength(x, y)
  normal.nx = x / length
  normal.ny = y / length
  return isBehind(a, i, normal, 1) && isBehind(b, j, normal, -1)
}

/** An edge of `owner` and a corner of `other`, which moves at v; and whether it is these that meet for certain. */
function faceTime(owner: Body, edge: number, other: Body, vertex: number, v: Velocity, out: Twofold): boolean {
  edgeTime(owner, edge, other, vertex, v, out)
  normal.nx = owner.numbers[owner.normals + 2 * edge]
  normal.ny = owner.numbers[owner.normals + 2 * edge + 1]
  return isBehind(other, vertex, normal, 1) && standsOver(owner, edge, v, out)
}

/** Whether the corner of the last `edgeTime` stands between the ends of the edge at time t, for certain. */
function standsOver({ vertices, count, numbers }: Body, edge: number, v: Velocity, t: Twofold): boolean {
  putPlace(v, t, place)
  const { x, y, toX, toY } = place
  const next = edge + 1 === count ? 0 : edge + 1
  const ex = numbers[vertices + 2 * next] - numbers[vertices + 2 * edge]
  const ey = numbers[vertices + 2 * next + 1] - numbers[vertices + 2 * edge + 1]
  const pastX = ex * x
  const pastY = ey * y
  const leftX = ex * toX
  const leftY = ey * toY
  return (
    pastX + pastY > SLOPE_ERROR_RATIO * (Math.abs(pastX) + Math.abs(pastY)) &&
    leftX + leftY > SLOPE_ERROR_RATIO * (Math.abs(leftX) + Math.abs(leftY))
  )
}

/** The features at both ends of a meeting and next to them. */
function around(body: Body, i: number, j: number): number[] {
  return [...new Set([i, j, preceding(body, i), following(body, j)])]
}

/** Keeps the later time for end −1, the earlier for 1; `isFirst`: there is none yet. */
function isBetter(candidate: Twofold, best: Twofold, later: boolean): boolean {
  const difference = candidate.high - best.high + (candidate.low - best.low)
  return later ? difference > 0 : difference < 0
}

function copyTime(from: Twofold, to: Twofold): void {
  to.high = from.high
  to.low = from.low
}

/** Among polygons: they meet from when the last face has been crossed inward until the first is crossed outward. */
function searchFaces(a: Body, b: Body, { a0, a1, b0, b1 }: Meeting, v: Velocity, end: -1 | 1, out: Twofold): void {
  const best: Twofold = { high: end * Infinity, low: 0 }
  reverseVelocity(v, opposite)
  tryFaces(b, around(b, b0, b1), a, v, end, best)
  tryFaces(a, around(a, a0, a1), b, opposite, end, best)
  if (Number.isFinite(best.high)) copyTime(best, out)
}

function tryFaces(owner: Body, edges: readonly number[], other: Body, v: Velocity, end: -1 | 1, best: Twofold): void {
  if (owner.count === 1) return
  const { normals, numbers } = owner
  for (const edge of edges) {
    const nx = numbers[normals + 2 * edge]
    const ny = numbers[normals + 2 * edge + 1]
    if (end * slopeSign(owner, edge, v) <= 0) continue
    const lowest = lowestVertex(other, numbers, normals + 2 * edge, 1, 0)
    const own: Twofold = { high: -end * Infinity, low: 0 }
    for (const k of around(other, lowest, lowest)) {
      if (k !== lowest && !isLevel(other, lowest, k, nx, ny)) continue
      edgeTime(owner, edge, other, k, v, time)
      // The lowest corner comes to the face first, and leaves it last.
      if (isBetter(time, own, end > 0)) copyTime(time, own)
    }
    if (isBetter(own, best, end < 0)) copyTime(own, best)
  }
}

/** Whether vertex k lies as high as the lowest as far as rounding tells. */
function isLevel({ vertices, numbers }: Body, lowest: number, k: number, nx: number, ny: number): boolean {
  const ex = numbers[vertices + 2 * k] - numbers[vertices + 2 * lowest]
  const ey = numbers[vertices + 2 * k + 1] - numbers[vertices + 2 * lowest + 1]
  return nx * ex + ny * ey <= CLEAR_COSINE_RATIO * (Math.abs(ex) + Math.abs(ey))
}

/** Among bodies with skins: they meet from the first time at which any two features do until the last. */
function searchRounded(a: Body, b: Body, { a0, a1, b0, b1 }: Meeting, v: Velocity, end: -1 | 1, out: Twofold): void {
  const best: Twofold = { high: -end * Infinity, low: 0 }
  const nearA = around(a, a0, a1)
  const nearB = around(b, b0, b1)
  const isNamed = (i: number, j: number): boolean => a0 === a1 && b0 === b1 && i === a0 && j === b0
  for (const i of nearA) {
    for (const j of nearB) {
      if (!isNamed(i, j) && !crossesDisc(a, i, b, j, v)) continue
      circleTime(b, j, a, i, v, end, time)
      if (isBetter(time, best, end > 0)) copyTime(time, best)
    }
  }
  reverseVelocity(v, opposite)
  tryEdges(b, nearB, a, nearA, v, end, best)
  tryEdges(a, nearA, b, nearB, opposite, end, best)
  if (Number.isFinite(best.high)) copyTime(best, out)
}

/** Whether the way of corner i of `a` crosses the disc about corner j of `b`, and does not only graze it. */
function crossesDisc(a: Body, i: number, b: Body, j: number, v: Velocity): boolean {
  const x = a.numbers[X] - b.numbers[X] + (a.numbers[a.vertices + 2 * i] - b.numbers[b.vertices + 2 * j])
  const y = a.numbers[Y] - b.numbers[Y] + (a.numbers[a.vertices + 2 * i + 1] - b.numbers[b.vertices + 2 * j + 1])
  const side = Math.abs(v.x * y - v.y * x) / vectorLength(v.x, v.y)
  return side < (a.numbers[RADIUS] + b.numbers[RADIUS]) * (1 - CLEAR_COSINE_RATIO)
}

function tryEdges(
  owner: Body,
  edges: readonly number[],
  other: Body,
  vertices: readonly number[],
  v: Velocity,
  end: -1 | 1,
  best: Twofold,
): void {
  if (owner.count === 1) return
  for (const edge of edges) {
    if (end * slopeSign(owner, edge, v) <= 0) continue
    for (const k of vertices) {
      edgeTime(owner, edge, other, k, v, time)
      if (isBetter(time, best, end > 0) && standsOver(owner, edge, v, time)) copyTime(time, best)
    }
  }
}
