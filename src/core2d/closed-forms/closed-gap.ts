/**
 * Gaps between two features, rounded once: corner and corner, corner and edge, corner and the boundary of a half-plane.
 *
 * Method: the vector between the features, its length and its height over the edge are taken in twofold numbers, written
 * out step by step because they are hot (`numeric/twofold.ts`). Where the result has cancelled too far for that, or its terms
 * may have underflowed, `exact-forms.ts` gives it. Along the axes a height is a difference, and nothing is divided.
 * So every gap is within one unit in the last place of the true one, whatever is subtracted from what.
 */

import { halvesError, leadingHalf, productError, squareError, sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT } from '../../numeric/roundoff.ts'
import type { Body } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
import { CANCELLED_RATIO, SMALLEST_SAFE_TURN, UNCANCELLED_RATIO } from '../tolerances.ts'
import { exactLineGap, exactPointGap } from './exact-forms.ts'
import { edgeTerms, offsetTerms, putBoundary, putEdge, putOffset } from './exact-offset.ts'

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
  const radius = a.radius + b.radius
  const radiusLow = sumError(a.radius, b.radius, radius)
  const ax = Math.abs(x)
  const ay = Math.abs(y)
  // Along an axis there is no root.
  if (y === 0) return roundGap(ax, x < 0 ? -q[1] : q[1], radius, radiusLow, a, i, b, j)
  if (x === 0) return roundGap(ay, y < 0 ? -q[3] : q[3], radius, radiusLow, a, i, b, j)
  const size = Math.max(ax, ay)
  if (!(size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) return slowPointGap(a, i, b, j)
  const xHigh = leadingHalf(x)
  const yHigh = leadingHalf(y)
  const xx = x * x
  const yy = y * y
  const square = xx + yy
  const errors = squareError(xHigh, x - xHigh, xx) + squareError(yHigh, y - yHigh, yy)
  const low = sumError(xx, yy, square) + (errors + 2 * (x * q[1] + y * q[3]))
  const length = Math.sqrt(square)
  const again = length * length
  const lengthHigh = leadingHalf(length)
  const lengthLow = (square - again - squareError(lengthHigh, length - lengthHigh, again) + low) / (2 * length)
  return roundGap(length, lengthLow, radius, radiusLow, a, i, b, j)
}

function roundGap(
  length: number,
  lengthLow: number,
  radius: number,
  radiusLow: number,
  a: Body,
  i: number,
  b: Body,
  j: number,
): number {
  const gap = length - radius
  const value = gap + (sumError(length, -radius, gap) + (lengthLow - radiusLow))
  return Math.abs(value) >= CANCELLED_RATIO * (length + radius) ? value : slowPointGap(a, i, b, j)
}

function slowPointGap(a: Body, i: number, b: Body, j: number): number {
  return exactPointGap(offsetTerms(a, i, b, j), [a.radius, b.radius])
}

/**
 * Height of corner `vertex` of `other` over the line of an edge of `owner`, less both radii. The hottest of all: `putEdge`, `putOffset`
 * and `lineGap` in one function, whose numbers engines keep in registers.
 */
export function edgeGap(owner: Body, edge: number, other: Body, vertex: number): number {
  const { vertices } = owner
  const i = 2 * edge
  const j = 2 * following(owner, edge)
  const startX = vertices[i]
  const startY = vertices[i + 1]
  const endX = vertices[j]
  const endY = vertices[j + 1]
  const ex = endX - startX
  const ey = endY - startY
  const otherX = other.vertices[2 * vertex]
  const otherY = other.vertices[2 * vertex + 1]

  const px = other.x - owner.x
  const pxLow = sumError(other.x, -owner.x, px)
  const vx = otherX - startX
  const vxLow = sumError(otherX, -startX, vx)
  const lowX = other.xLow - owner.xLow
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
  const py = other.y - owner.y
  const pyLow = sumError(other.y, -owner.y, py)
  const vy = otherY - startY
  const vyLow = sumError(otherY, -startY, vy)
  const lowY = other.yLow - owner.yLow
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

  const level = owner.radius + other.radius
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
    const errors =
      halvesError(eyHigh, eyRest, xHigh, x - xHigh, left) - halvesError(exHigh, exRest, yHigh, y - yHigh, right)
    const crossLow = sumError(left, -right, cross) + (errors + (ey * xLow + eyLow * x - (ex * yLow + exLow * y)))
    const xx = ex * ex
    const yy = ey * ey
    const square = xx + yy
    const squareErrors = squareError(exHigh, exRest, xx) + squareError(eyHigh, eyRest, yy)
    const low = sumError(xx, yy, square) + (squareErrors + 2 * (ex * exLow + ey * eyLow))
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
    if (!(square > SMALLEST_SAFE_TURN && size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) size = Number.NaN
  }
  const gap = height - level
  const levelLow = sumError(owner.radius, other.radius, level)
  const value = gap + (sumError(height, -level, gap) + (heightLow - levelLow))
  if (Math.abs(value) >= CANCELLED_RATIO * (size + Math.abs(level))) return value
  return exactLineGap(edgeTerms(owner, edge), offsetTerms(owner, edge, other, vertex), [owner.radius, other.radius])
}

/** The same between the cores, without radii. */
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
    putLevel(plane.offset, body.radius)
    putOffset(plane, 0, body, vertex, q)
    const value = lineGap()
    if (!Number.isNaN(value)) return value
  }
  return exactLineGap(normalTerms(plane), offsetTerms(plane, 0, body, vertex), [plane.offset, body.radius])
}

/** The edge whose outward normal is that of the half-plane. */
export function normalTerms({ normalX, normalY }: Body): { x: number[]; y: number[] } {
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
    // What underflows is nothing beside the extents that are measured as they are.
    if (!(size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) return Number.NaN
  }
  const gap = height - level
  const value = gap + (sumError(height, -level, gap) + (heightLow - over[1]))
  return Math.abs(value) >= CANCELLED_RATIO * (size + Math.abs(level)) ? value : Number.NaN
}
