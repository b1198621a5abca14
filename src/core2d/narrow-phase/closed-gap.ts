/**
 * Gaps between two features, rounded once: corner and corner, corner and edge, corner and the boundary of a half-plane.
 *
 * Method: the vector between the features, its length and its height over the edge are taken in twofold numbers, written
 * out step by step because they are hot (`numeric/twofold.ts`). Where the result has cancelled too far for that, or its terms
 * may have underflowed, exact forms (below) give it. Along the axes a height is a difference, and nothing is divided.
 * So every gap is within one unit in the last place of the true one, whatever is subtracted from what.
 */

import { createInputRange, exactly, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import { halvesError, leadingHalf, productError, squareError, sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT } from '../../numeric/roundoff.ts'
import {
  addTwofold,
  divideTwofold,
  multiplyTwofold,
  negateTwofold,
  rootTwofold,
  roundTwofold,
  type Twofold,
} from '../../numeric/twofold.ts'
import {
  type Body,
  following,
  HALFPLANE,
  NORMAL_X,
  NORMAL_Y,
  OFFSET,
  RADIUS,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { exactSum } from '../shape/motion.ts'
import { CANCELLED_RATIO, SMALLEST_SAFE_TURN, UNCANCELLED_RATIO } from '../tolerances.ts'

/** Scratch: the vector between the features, the edge, and the level over its line as a twofold number. */
const q = new Float64Array(4)
const e = new Float64Array(4)
const over = new Float64Array(2)

/** Sets the level to a + b. */
function putLevel(a: number, b: number): void {
  over[0] = a + b
  over[1] = sumError(a, b, over[0])
}

/** Distance of corner i of `a` from corner j of `b`, less both radii. */
export function pointGap(a: Body, i: number, b: Body, j: number): number {
  putOffset(a, i, b, j, q)
  const x = q[0]
  const y = q[2]
  const radius = a.numbers[RADIUS] + b.numbers[RADIUS]
  const radiusLow = sumError(a.numbers[RADIUS], b.numbers[RADIUS], radius)
  // Along an axis there is no root.
  let length = y === 0 ? Math.abs(x) : Math.abs(y)
  let lengthLow = y === 0 ? (x < 0 ? -q[1] : q[1]) : y < 0 ? -q[3] : q[3]
  if (x !== 0 && y !== 0) {
    const size = Math.max(Math.abs(x), Math.abs(y))
    if (!(size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) return slowPointGap(a, i, b, j)
    const xHigh = leadingHalf(x)
    const yHigh = leadingHalf(y)
    const xRest = x - xHigh
    const yRest = y - yHigh
    const xAcross = xHigh * xRest
    const yAcross = yHigh * yRest
    const xx = x * x
    const yy = y * y
    const square = xx + yy
    const errors =
      xRest * xRest -
      (xx - xHigh * xHigh - xAcross - xAcross) +
      (yRest * yRest - (yy - yHigh * yHigh - yAcross - yAcross))
    const low = sumError(xx, yy, square) + (errors + 2 * (x * q[1] + y * q[3]))
    length = Math.sqrt(square)
    const again = length * length
    const lengthHigh = leadingHalf(length)
    const lengthRest = length - lengthHigh
    const across = lengthHigh * lengthRest
    const lost = lengthRest * lengthRest - (again - lengthHigh * lengthHigh - across - across)
    lengthLow = (square - again - lost + low) / (2 * length)
  }
  const gap = length - radius
  const value = gap + (sumError(length, -radius, gap) + (lengthLow - radiusLow))
  return Math.abs(value) >= CANCELLED_RATIO * (length + radius) ? value : slowPointGap(a, i, b, j)
}

function slowPointGap(a: Body, i: number, b: Body, j: number): number {
  return exactPointGap(offsetTerms(a, i, b, j), [a.numbers[RADIUS], b.numbers[RADIUS]])
}

/**
 * Height of corner `vertex` of `other` over the line of an edge of `owner`, less both radii. The hottest of all: `putEdge`, `putOffset`
 * and `lineGap` in one function, whose numbers engines keep in registers.
 */
export function edgeGap(owner: Body, edge: number, other: Body, vertex: number): number {
  const { vertices, numbers } = owner
  const i = 2 * edge
  const j = 2 * following(owner, edge)
  const startX = numbers[vertices + i]
  const startY = numbers[vertices + i + 1]
  const endX = numbers[vertices + j]
  const endY = numbers[vertices + j + 1]
  const ex = endX - startX
  const ey = endY - startY
  const otherX = other.numbers[other.vertices + 2 * vertex]
  const otherY = other.numbers[other.vertices + 2 * vertex + 1]

  const px = other.numbers[X] - owner.numbers[X]
  const pxLow = sumError(other.numbers[X], -owner.numbers[X], px)
  const vx = otherX - startX
  const vxLow = sumError(otherX, -startX, vx)
  const lowX = other.numbers[X_LOW] - owner.numbers[X_LOW]
  const lowsX = pxLow + vxLow
  let x = px + vx
  const firstX = sumError(px, vx, x) + lowsX
  let xLow = firstX + lowX
  if (!(Math.abs(x) > UNCANCELLED_RATIO * (Math.abs(px) + Math.abs(vx)))) {
    const high = x + firstX
    const rest = firstX - (high - x) + sumError(pxLow, vxLow, lowsX) + lowX
    x = high + rest
    xLow = sumError(high, rest, x)
  }
  const py = other.numbers[Y] - owner.numbers[Y]
  const pyLow = sumError(other.numbers[Y], -owner.numbers[Y], py)
  const vy = otherY - startY
  const vyLow = sumError(otherY, -startY, vy)
  const lowY = other.numbers[Y_LOW] - owner.numbers[Y_LOW]
  const lowsY = pyLow + vyLow
  let y = py + vy
  const firstY = sumError(py, vy, y) + lowsY
  let yLow = firstY + lowY
  if (!(Math.abs(y) > UNCANCELLED_RATIO * (Math.abs(py) + Math.abs(vy)))) {
    const high = y + firstY
    const rest = firstY - (high - y) + sumError(pyLow, vyLow, lowsY) + lowY
    y = high + rest
    yLow = sumError(high, rest, y)
  }

  const level = owner.numbers[RADIUS] + other.numbers[RADIUS]
  let height: number
  let heightLow: number
  let size: number
  if (ex === 0 || ey === 0) {
    const positive = ex === 0 ? ey > 0 : ex < 0
    height = ex === 0 ? x : y
    heightLow = ex === 0 ? xLow : yLow
    if (!positive) {
      height = -height
      heightLow = -heightLow
    }
    size = Math.abs(height)
  } else {
    const exLow = sumError(endX, -startX, ex)
    const eyLow = sumError(endY, -startY, ey)
    const exHigh = leadingHalf(ex)
    const eyHigh = leadingHalf(ey)
    const exRest = ex - exHigh
    const eyRest = ey - eyHigh
    const xHigh = leadingHalf(x)
    const yHigh = leadingHalf(y)
    const left = ey * x
    const right = ex * y
    const cross = left - right
    const xRest = x - xHigh
    const yRest = y - yHigh
    const errors =
      eyRest * xRest -
      (left - eyHigh * xHigh - eyRest * xHigh - eyHigh * xRest) -
      (exRest * yRest - (right - exHigh * yHigh - exRest * yHigh - exHigh * yRest))
    const crossLow = sumError(left, -right, cross) + (errors + (ey * xLow + eyLow * x - (ex * yLow + exLow * y)))
    const xx = ex * ex
    const yy = ey * ey
    const square = xx + yy
    const exAcross = exHigh * exRest
    const eyAcross = eyHigh * eyRest
    const squareErrors =
      exRest * exRest -
      (xx - exHigh * exHigh - exAcross - exAcross) +
      (eyRest * eyRest - (yy - eyHigh * eyHigh - eyAcross - eyAcross))
    const low = sumError(xx, yy, square) + (squareErrors + 2 * (ex * exLow + ey * eyLow))
    const length = Math.sqrt(square)
    const again = length * length
    const lengthHigh = leadingHalf(length)
    const lengthRest = length - lengthHigh
    const across = lengthHigh * lengthRest
    const lost = lengthRest * lengthRest - (again - lengthHigh * lengthHigh - across - across)
    const lengthLow = (square - again - lost + low) / (2 * length)
    height = cross / length
    const product = height * length
    const heightHigh = leadingHalf(height)
    const heightRest = height - heightHigh
    const error =
      heightRest * lengthRest - (product - heightHigh * lengthHigh - heightRest * lengthHigh - heightHigh * lengthRest)
    heightLow = (cross - product - error + (crossLow - height * lengthLow)) / length
    size = (Math.abs(left) + Math.abs(right)) / length
    if (!(square > SMALLEST_SAFE_TURN && size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) size = Number.NaN
  }
  const gap = height - level
  const levelLow = sumError(owner.numbers[RADIUS], other.numbers[RADIUS], level)
  const value = gap + (sumError(height, -level, gap) + (heightLow - levelLow))
  if (Math.abs(value) >= CANCELLED_RATIO * (size + Math.abs(level))) return value
  return exactLineGap(edgeTerms(owner, edge), offsetTerms(owner, edge, other, vertex), [
    owner.numbers[RADIUS],
    other.numbers[RADIUS],
  ])
}

/** `edgeGap` between the cores, without radii. */
export function coreEdgeGap(owner: Body, edge: number, other: Body, vertex: number): number {
  putEdge(owner, edge, e)
  putOffset(owner, edge, other, vertex, q)
  putLevel(0, 0)
  const value = lineGap()
  return Number.isNaN(value) ? exactLineGap(edgeTerms(owner, edge), offsetTerms(owner, edge, other, vertex), []) : value
}

/** Whether corner `vertex` of `other` stands between the ends of an edge of `owner`, as far as twofold numbers tell. */
export function standsOver(owner: Body, edge: number, other: Body, vertex: number): boolean {
  const next = following(owner, edge)
  putEdge(owner, edge, e)
  putOffset(owner, edge, other, vertex, q)
  if (dot() < 0) return false
  putOffset(owner, next, other, vertex, q)
  return dot() <= 0
}

function dot(): number {
  const left = e[0] * q[0]
  const right = e[2] * q[2]
  const sum = left + right
  const lows = e[0] * q[1] + e[1] * q[0] + (e[2] * q[3] + e[3] * q[2])
  return sum + (sumError(left, right, sum) + (productError(e[0], q[0], left) + productError(e[2], q[2], right) + lows))
}

/** Height of corner `vertex` of `body` over the boundary of a half-plane, less the radius. */
export function planeGap(body: Body, vertex: number, plane: Body): number {
  if (putBoundary(plane, e)) {
    putLevel(plane.numbers[OFFSET], body.numbers[RADIUS])
    putOffset(plane, 0, body, vertex, q)
    const value = lineGap()
    if (!Number.isNaN(value)) return value
  }
  return exactLineGap(normalTerms(plane), offsetTerms(plane, 0, body, vertex), [
    plane.numbers[OFFSET],
    body.numbers[RADIUS],
  ])
}

/** The edge whose outward normal is that of the half-plane. */
export function normalTerms({ numbers }: Body): { x: number[]; y: number[] } {
  const normalX = numbers[NORMAL_X]
  const normalY = numbers[NORMAL_Y]
  return { x: normalY === 0 ? [] : [-normalY], y: normalX === 0 ? [] : [normalX] }
}

/** Height of `q` over the line along `e`, less the level; NaN where twofold numbers do not tell. */
function lineGap(): number {
  const ex = e[0]
  const ey = e[2]
  const level = over[0]
  let height: number
  let heightLow: number
  let size: number
  if (ex === 0 || ey === 0) {
    const positive = ex === 0 ? ey > 0 : ex < 0
    const k = ex === 0 ? 0 : 2
    height = positive ? q[k] : -q[k]
    heightLow = positive ? q[k + 1] : -q[k + 1]
    size = Math.abs(height)
  } else {
    const x = q[0]
    const y = q[2]
    const exHigh = leadingHalf(ex)
    const eyHigh = leadingHalf(ey)
    const exLow = ex - exHigh
    const eyLow = ey - eyHigh
    const xHigh = leadingHalf(x)
    const yHigh = leadingHalf(y)
    const left = ey * x
    const right = ex * y
    const cross = left - right
    const errors =
      halvesError(eyHigh, eyLow, xHigh, x - xHigh, left) - halvesError(exHigh, exLow, yHigh, y - yHigh, right)
    const crossLow = sumError(left, -right, cross) + (errors + (ey * q[1] + e[3] * x - (ex * q[3] + e[1] * y)))
    const xx = ex * ex
    const yy = ey * ey
    const square = xx + yy
    if (!(square > SMALLEST_SAFE_TURN)) return Number.NaN
    const squareErrors = squareError(exHigh, exLow, xx) + squareError(eyHigh, eyLow, yy)
    const low = sumError(xx, yy, square) + (squareErrors + 2 * (ex * e[1] + ey * e[3]))
    const length = Math.sqrt(square)
    const again = length * length
    const lengthHigh = leadingHalf(length)
    const lengthRest = length - lengthHigh
    const lengthLow = (square - again - squareError(lengthHigh, lengthRest, again) + low) / (2 * length)
    height = cross / length
    const product = height * length
    const heightHigh = leadingHalf(height)
    const error = halvesError(heightHigh, height - heightHigh, lengthHigh, lengthRest, product)
    heightLow = (cross - product - error + (crossLow - height * lengthLow)) / length
    size = (Math.abs(left) + Math.abs(right)) / length
    // Underflow is negligible beside the extents that are measured as they are.
    if (!(size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) return Number.NaN
  }
  const gap = height - level
  const value = gap + (sumError(height, -level, gap) + (heightLow - over[1]))
  return Math.abs(value) >= CANCELLED_RATIO * (size + Math.abs(level)) ? value : Number.NaN
}

// Vectors between core points to twice the digits, and as exact terms: from a corner of one body to a corner of another, along
// an edge, and the sum of two radii.
//
// Method: differences of two doubles are exact as twofold numbers, and a sum of two such is good to 2^-104 of itself also
// where it cancels (`numeric/twofold.ts`), so a pair far from the origin loses nothing.
// Frame: world axes. Bodies have core points, or are half-planes, whose position stands for a point.

/** A vector as x, what x is rounded by, y, what y is rounded by: at most 2^-50 of either. */
export type TwofoldVector = Float64Array

/** Sets `out` to (corner j of `to`) − (corner i of `from`). */
export function putOffset(from: Body, i: number, to: Body, j: number, out: TwofoldVector): void {
  putCoordinate(from, i, to, j, 0, out)
  putCoordinate(from, i, to, j, 1, out)
}

/** Sets one coordinate (0: x, 1: y) of the offset. It takes no doubles, which engines would have to allocate. */
function putCoordinate(from: Body, i: number, to: Body, j: number, axis: 0 | 1, out: TwofoldVector): void {
  const toPosition = axis === 0 ? to.numbers[X] : to.numbers[Y]
  const fromPosition = axis === 0 ? from.numbers[X] : from.numbers[Y]
  const low = axis === 0 ? to.numbers[X_LOW] - from.numbers[X_LOW] : to.numbers[Y_LOW] - from.numbers[Y_LOW]
  const toPoint = to.numbers[to.vertices + 2 * j + axis]
  const fromPoint = cornerOf(from, 2 * i + axis)
  const p = toPosition - fromPosition
  const pLow = sumError(toPosition, -fromPosition, p)
  const v = toPoint - fromPoint
  const vLow = sumError(toPoint, -fromPoint, v)
  const sum = p + v
  const lows = pLow + vLow
  const first = sumError(p, v, sum) + lows
  if (Math.abs(sum) > UNCANCELLED_RATIO * (Math.abs(p) + Math.abs(v))) {
    out[2 * axis] = sum
    out[2 * axis + 1] = first + low
    return
  }
  const high = sum + first
  const rest = first - (high - sum) + sumError(pLow, vLow, lows) + low
  out[2 * axis] = high + rest
  out[2 * axis + 1] = sumError(high, rest, high + rest)
}

/** Sets `out` to the vector along edge `i`. */
export function putEdge(body: Body, i: number, out: TwofoldVector): void {
  const { vertices, numbers } = body
  const j = following(body, i)
  const x = numbers[vertices + 2 * j] - numbers[vertices + 2 * i]
  const y = numbers[vertices + 2 * j + 1] - numbers[vertices + 2 * i + 1]
  out[0] = x
  out[1] = sumError(numbers[vertices + 2 * j], -numbers[vertices + 2 * i], x)
  out[2] = y
  out[3] = sumError(numbers[vertices + 2 * j + 1], -numbers[vertices + 2 * i + 1], y)
}

/** Sets `out` to the boundary of a half-plane, as an edge with its normal; false where that is too small or too large. */
export function putBoundary({ numbers }: Body, out: TwofoldVector): boolean {
  const normalX = numbers[NORMAL_X]
  const normalY = numbers[NORMAL_Y]
  const size = Math.max(Math.abs(normalX), Math.abs(normalY))
  if (!(size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) return false
  out[0] = -normalY
  out[1] = 0
  out[2] = normalX
  out[3] = 0
  return true
}

/** The offset of `putOffset` as exact terms. */
export function offsetTerms(from: Body, i: number, to: Body, j: number): VectorTerms {
  return {
    x: known([
      to.numbers[X],
      to.numbers[X_LOW],
      cornerOf(to, 2 * j),
      -from.numbers[X],
      -from.numbers[X_LOW],
      -cornerOf(from, 2 * i),
    ]),
    y: known([
      to.numbers[Y],
      to.numbers[Y_LOW],
      cornerOf(to, 2 * j + 1),
      -from.numbers[Y],
      -from.numbers[Y_LOW],
      -cornerOf(from, 2 * i + 1),
    ]),
  }
}

/** The edge of `putEdge` as exact terms. */
export function edgeTerms(body: Body, i: number): VectorTerms {
  const { vertices, numbers } = body
  const j = following(body, i)
  return {
    x: known([numbers[vertices + 2 * j], -numbers[vertices + 2 * i]]),
    y: known([numbers[vertices + 2 * j + 1], -numbers[vertices + 2 * i + 1]]),
  }
}

/** Coordinate of a core point; a half-plane stands at its position. */
function cornerOf({ kind, vertices, numbers }: Body, k: number): number {
  return kind === HALFPLANE ? 0 : numbers[vertices + k]
}

function known(terms: number[]): Terms {
  return terms.filter((value) => value !== 0)
}

// Gaps and times of closed forms from exact numbers, for what cancels beyond the digits of twofold arithmetic: bodies that
// nearly touch, rays that nearly run along an edge or graze a circle, and numbers of very different size.
//
// Method: numerators are exact in a ring (`numeric/exact-ring.ts`); a difference with a root, which may cancel, is the
// difference of the squares over the sum. What is left are quotients, products and sums of one sign, in twofold numbers. So
// each answer is rounded once, however small it is.
// Frame: vectors are sums of the given terms; an edge's outward normal is (ey, −ex).

/** A number as terms whose exact sum it is. */
type Terms = readonly number[]

export interface VectorTerms {
  x: Terms
  y: Terms
}

const ONE: Twofold = { high: 1, low: 0 }

function run<R>(degree: number, numbers: readonly Terms[], predicate: <T>(ring: Ring<T>) => R): R {
  const range = createInputRange()
  for (const terms of numbers) for (const value of terms) includeInput(range, value)
  return exactly(range, degree, predicate)
}

/** |q| − radius. */
function exactPointGap(q: VectorTerms, radius: Terms): number {
  return run(2, [q.x, q.y, radius], (ring) => {
    const { add, sub, mul, quotient } = ring
    const x = exactSum(ring, q.x)
    const y = exactSum(ring, q.y)
    const r = exactSum(ring, radius)
    const { large, share } = lengthOf(ring, x, y)
    if (ring.sign(large) === 0) return -roundTwofold(quotient(r, ring.integer(1), 1))
    const excess = sub(add(mul(x, x), mul(y, y)), mul(r, r))
    // (d² − r²)/(d + r), both by the larger of them.
    const unit = ring.sign(sub(r, large)) > 0 ? r : large
    const sum = addTwofold(multiplyTwofold(share, quotient(large, unit, 0)), quotient(r, unit, 0))
    return roundTwofold(divideTwofold(quotient(excess, unit, 1), sum))
  })
}

/** (n·q)/|n| − level, n = (ey, −ex). */
export function exactLineGap(e: VectorTerms, q: VectorTerms, level: Terms): number {
  return run(4, [e.x, e.y, q.x, q.y, level], (ring) => {
    const { ex, ey, height } = lineOf(ring, e, q)
    const { large, share } = lengthOf(ring, ex, ey)
    const sum = rootSumOver(ring, height, exactSum(ring, level), ex, ey, large, 1)
    return roundTwofold(divideTwofold(sum, share))
  })
}

/** When q + t·w comes to the level over the line: (level·|n| − n·q)/(n·w), n·w ≠ 0. */
export function exactLineTime(e: VectorTerms, q: VectorTerms, w: VectorTerms, level: Terms): Twofold {
  return run(4, [e.x, e.y, q.x, q.y, w.x, w.y, level], (ring) => {
    const { sub, mul } = ring
    const { ex, ey, height } = lineOf(ring, e, q)
    const slope = sub(mul(ey, exactSum(ring, w.x)), mul(ex, exactSum(ring, w.y)))
    return negateTwofold(rootSumOver(ring, height, exactSum(ring, level), ex, ey, slope, 0))
  })
}

/** When |q + t·w| comes to the radius for the first (end −1) or last (end 1) time. The line of motion meets the circle. */
export function exactCircleTime(q: VectorTerms, w: VectorTerms, radius: Terms, end: -1 | 1): Twofold {
  return run(4, [q.x, q.y, w.x, w.y, radius], (ring) => {
    const { add, sub, mul, quotient } = ring
    const x = exactSum(ring, q.x)
    const y = exactSum(ring, q.y)
    const wx = exactSum(ring, w.x)
    const wy = exactSum(ring, w.y)
    const r = exactSum(ring, radius)
    const square = add(mul(wx, wx), mul(wy, wy))
    const along = sub(ring.integer(0), add(mul(wx, x), mul(wy, y)))
    const side = sub(mul(wx, y), mul(wy, x))
    const discriminant = sub(mul(mul(r, r), square), mul(side, side))
    const middle = quotient(along, square, 0)
    const half = rootTwofold(quotient(discriminant, mul(square, square), 0))
    const sign = ring.sign(along)
    if (sign === 0 || sign === end) return addTwofold(middle, end < 0 ? negateTwofold(half) : half)
    // The two cancel: their product, (q² − r²)/w², over the other end.
    const product = quotient(sub(add(mul(x, x), mul(y, y)), mul(r, r)), square, 0)
    const other = addTwofold(middle, end < 0 ? half : negateTwofold(half))
    return other.high === 0 ? other : divideTwofold(product, other)
  })
}

/** The edge, and the height of q over its line times its length. */
function lineOf<T>(ring: Ring<T>, e: VectorTerms, q: VectorTerms): { ex: T; ey: T; height: T } {
  const { sub, mul } = ring
  const ex = exactSum(ring, e.x)
  const ey = exactSum(ring, e.y)
  return { ex, ey, height: sub(mul(ey, exactSum(ring, q.x)), mul(ex, exactSum(ring, q.y))) }
}

/** |(x, y)| as the product of its larger component, without sign, and `share`. */
function lengthOf<T>(ring: Ring<T>, x: T, y: T): { large: T; share: Twofold } {
  const ax = magnitude(ring, x)
  const ay = magnitude(ring, y)
  const isTall = ring.sign(ring.sub(ay, ax)) > 0
  const large = isTall ? ay : ax
  if (ring.sign(large) === 0) return { large, share: ONE }
  const slope = ring.quotient(isTall ? ax : ay, large, 0)
  return { large, share: rootTwofold(addTwofold(ONE, multiplyTwofold(slope, slope))) }
}

function magnitude<T>(ring: Ring<T>, value: T): T {
  return ring.sign(value) < 0 ? ring.sub(ring.integer(0), value) : value
}

/** (height − level·|e|)/slope, free of cancellation; `degree` is that of the result. */
function rootSumOver<T>(ring: Ring<T>, height: T, level: T, ex: T, ey: T, slope: T, degree: 0 | 1): Twofold {
  const { add, sub, mul, quotient } = ring
  const { large, share } = lengthOf(ring, ex, ey)
  const heightSign = ring.sign(height)
  const levelSign = ring.sign(level)
  if (levelSign === 0) return quotient(height, slope, degree)
  const root = mul(level, large)
  if (heightSign !== levelSign) {
    return addTwofold(
      quotient(height, slope, degree),
      negateTwofold(multiplyTwofold(quotient(root, slope, degree), share)),
    )
  }
  const square = add(mul(ex, ex), mul(ey, ey))
  const heightSquare = mul(height, height)
  const rootSquare = mul(mul(level, level), square)
  const excess = sub(heightSquare, rootSquare)
  // (h² − l²)/(h + l), both by the larger of them.
  if (ring.sign(excess) >= 0) {
    const other = rootTwofold(quotient(rootSquare, heightSquare, 0))
    return divideTwofold(quotient(excess, mul(height, slope), degree), addTwofold(ONE, other))
  }
  const other = rootTwofold(quotient(heightSquare, rootSquare, 0))
  const over = multiplyTwofold(share, addTwofold(ONE, other))
  return divideTwofold(quotient(excess, mul(root, slope), degree), over)
}
