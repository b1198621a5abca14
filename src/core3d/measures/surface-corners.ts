/**
 * A closed surface of planar faces, and what the corners of its triangles span, to twice the digits of a double.
 *
 * Method: each face is a fan of triangles from its first corner. Differences keep what rounding cuts off, and so do products and
 * sums of them (`numeric/expansion.ts`): neither distance from the origin nor thinness costs digits.
 * Frame: relative to a corner, in units of a power of two near the largest coordinate.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import type { ConvexHull } from '../points/hull-surface.ts'

export interface Surface {
  /** x0, y0, z0, x1, … */
  points: Float64Array
  /** Face by face its corners, counter-clockwise from outside, as indices of the points. */
  corners: Int32Array
  /** The corners of face f are starts[f] … starts[f + 1] − 1. */
  starts: Int32Array
  /** A power of two. */
  unit: number
}

/** Of a hull and a skin about it. Its unit is of the size of the largest coordinate, or of the skin. */
export function hullSurface(
  points: Float64Array,
  { vertices, origins, faceStarts }: ConvexHull,
  radius: number,
): Surface {
  spend(vertices.length + origins.length)
  return {
    points,
    corners: origins.map((k) => vertices[k]),
    starts: faceStarts,
    unit: unitOf(points, vertices, radius),
  }
}

function unitOf(points: Float64Array, vertices: Int32Array, radius: number): number {
  let largest = radius
  for (let k = 0; k < vertices.length; k++) {
    const i = 3 * vertices[k]
    largest = Math.max(largest, Math.abs(points[i]), Math.abs(points[i + 1]), Math.abs(points[i + 2]))
  }
  return largest === 0 ? 1 : 2 ** binaryExponent(largest)
}

/** Three corners of a triangle from a common point: each coordinate is high + low. */
export interface Corners {
  high: Float64Array
  low: Float64Array
}

export function createCorners(): Corners {
  return { high: new Float64Array(9), low: new Float64Array(9) }
}

/** Puts point i, seen from point `from` and then from (x, y, z), in the place 0, 1 or 2. */
export function takeCorner(
  { points, unit }: Surface,
  i: number,
  from: number,
  eye: readonly [number, number, number],
  place: number,
  out: Corners,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const value = points[3 * i + axis] / unit
    const origin = points[3 * from + axis] / unit
    const difference = value - origin
    const high = difference - eye[axis]
    out.high[3 * place + axis] = high
    out.low[3 * place + axis] = sumError(value, -origin, difference) + sumError(difference, -eye[axis], high)
  }
}

/** The cross product of corners 1 and 2, or more: high and low of each coordinate. */
const cross = new Float64Array(6)

/** Sets `out` to the cross product of corners 1 and 2: three highs, three lows. */
export function crossCorners({ high, low }: Corners, out: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    const i = axis === 2 ? 0 : axis + 1
    const j = axis === 0 ? 2 : axis - 1
    const left = high[3 + i] * high[6 + j]
    const right = high[3 + j] * high[6 + i]
    const leftLow = productError(high[3 + i], high[6 + j], left) + (high[3 + i] * low[6 + j] + low[3 + i] * high[6 + j])
    const rightLow =
      productError(high[3 + j], high[6 + i], right) + (high[3 + j] * low[6 + i] + low[3 + j] * high[6 + i])
    const difference = left - right
    out[axis] = difference
    out[axis + 3] = sumError(left, -right, difference) + (leftLow - rightLow)
  }
}

/** Six times the signed volume of the tetrahedron of the common point and the corners: out[0] + out[1]. */
export function spanCorners(corners: Corners, out: Float64Array): void {
  crossCorners(corners, cross)
  let sum = 0
  let rest = 0
  for (let axis = 0; axis < 3; axis++) {
    const a = corners.high[axis]
    const product = a * cross[axis]
    rest += productError(a, cross[axis], product) + (a * cross[axis + 3] + corners.low[axis] * cross[axis])
    const next = sum + product
    rest += sumError(sum, product, next)
    sum = next
  }
  out[0] = sum
  out[1] = rest
}
