/**
 * Vectors between core points to twice the digits, and as exact terms: from a corner of one body to a corner of another, along
 * an edge, and the sum of two radii.
 *
 * Method: differences of two doubles are exact as twofold numbers, and a sum of two such is good to 2^-104 of itself also
 * where it cancels (`numeric/twofold.ts`), so a pair far from the origin loses nothing.
 * Frame: world axes. Bodies have core points, or are half-planes, whose position stands for a point.
 */

import { sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT } from '../../numeric/roundoff.ts'
import { type Body, HALFPLANE } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
import { UNCANCELLED_RATIO } from '../tolerances.ts'
import type { Terms, VectorTerms } from './exact-forms.ts'

/** A vector as x, what x is rounded by, y, what y is rounded by: at most 2^-50 of either. */
export type TwofoldVector = Float64Array

/** Sets `out` to (corner j of `to`) − (corner i of `from`). */
export function putOffset(from: Body, i: number, to: Body, j: number, out: TwofoldVector): void {
  putCoordinate(from, i, to, j, 0, out)
  putCoordinate(from, i, to, j, 1, out)
}

/** The same along one axis (0: x, 1: y). It takes no doubles, which engines would have to allocate. */
function putCoordinate(from: Body, i: number, to: Body, j: number, axis: 0 | 1, out: TwofoldVector): void {
  const toPosition = axis === 0 ? to.x : to.y
  const fromPosition = axis === 0 ? from.x : from.y
  const low = axis === 0 ? to.xLow - from.xLow : to.yLow - from.yLow
  const toPoint = to.vertices[2 * j + axis]
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
  const { vertices } = body
  const j = following(body, i)
  const x = vertices[2 * j] - vertices[2 * i]
  const y = vertices[2 * j + 1] - vertices[2 * i + 1]
  out[0] = x
  out[1] = sumError(vertices[2 * j], -vertices[2 * i], x)
  out[2] = y
  out[3] = sumError(vertices[2 * j + 1], -vertices[2 * i + 1], y)
}

/** The same of the boundary of a half-plane, as an edge whose normal is the half-plane's; false where that is too small or too large. */
export function putBoundary({ normalX, normalY }: Body, out: TwofoldVector): boolean {
  const size = Math.max(Math.abs(normalX), Math.abs(normalY))
  if (!(size > SMALLEST_SAFE_EXTENT && size < LARGEST_SAFE_EXTENT)) return false
  out[0] = -normalY
  out[1] = 0
  out[2] = normalX
  out[3] = 0
  return true
}

/** The same offset as exact terms. */
export function offsetTerms(from: Body, i: number, to: Body, j: number): VectorTerms {
  return {
    x: known([to.x, to.xLow, cornerOf(to, 2 * j), -from.x, -from.xLow, -cornerOf(from, 2 * i)]),
    y: known([to.y, to.yLow, cornerOf(to, 2 * j + 1), -from.y, -from.yLow, -cornerOf(from, 2 * i + 1)]),
  }
}

/** The same edge as exact terms. */
export function edgeTerms(body: Body, i: number): VectorTerms {
  const { vertices } = body
  const j = following(body, i)
  return {
    x: known([vertices[2 * j], -vertices[2 * i]]),
    y: known([vertices[2 * j + 1], -vertices[2 * i + 1]]),
  }
}

/** Coordinate of a core point; a half-plane stands at its position. */
function cornerOf({ kind, vertices }: Body, k: number): number {
  return kind === HALFPLANE ? 0 : vertices[k]
}

function known(terms: number[]): Terms {
  return terms.filter((value) => value !== 0)
}
