/**
 * Farthest points of the difference of two bodies, first − second: of the first along a direction, of the second against it.
 * Frame: world axes; points of either body count from its own anchor.
 */

import { POINTS } from '../shape/body.ts'
import { kindOf, topPoint } from '../shape/kinds.ts'
import type { PairFrame } from './pair-frame.ts'

const pointA = new Float64Array(3)
const pointB = new Float64Array(3)

/** Writes what is farthest along (x, y, z) into place `at` of the arrays that are wanted. Returns its height. */
export function putDifference(
  { first, second, dx, dy, dz }: PairFrame,
  x: number,
  y: number,
  z: number,
  places: DifferencePlaces,
  at: number,
): number {
  const { w, a, b, indexA, indexB } = places
  const i = 3 * at
  if (first.kind === POINTS && second.kind === POINTS) {
    const indexFirst = topPoint(first, x, y, z)
    const indexSecond = topPoint(second, -x, -y, -z)
    const atA = first.local + 3 * indexFirst
    const atB = second.local + 3 * indexSecond
    indexA[at] = indexFirst
    indexB[at] = indexSecond
    pointA[0] = first.numbers[atA]
    pointA[1] = first.numbers[atA + 1]
    pointA[2] = first.numbers[atA + 2]
    pointB[0] = second.numbers[atB]
    pointB[1] = second.numbers[atB + 1]
    pointB[2] = second.numbers[atB + 2]
  } else {
    pointA[0] = 0
    pointA[1] = 0
    pointA[2] = 0
    indexA[at] = kindOf(first).support(first, x, y, z, pointA)
    // Where all of a line or disc of the second is as far, the point that faces the first brings the two nearest.
    pointB[0] = pointA[0] - dx
    pointB[1] = pointA[1] - dy
    pointB[2] = pointA[2] - dz
    indexB[at] = kindOf(second).support(second, -x, -y, -z, pointB)
  }
  const ax = pointA[0]
  const ay = pointA[1]
  const az = pointA[2]
  const bx = pointB[0]
  const by = pointB[1]
  const bz = pointB[2]
  a[i] = ax
  a[i + 1] = ay
  a[i + 2] = az
  b[i] = bx
  b[i + 1] = by
  b[i + 2] = bz
  const wx = ax - bx - dx
  const wy = ay - by - dy
  const wz = az - bz - dz
  w[i] = wx
  w[i + 1] = wy
  w[i + 2] = wz
  return x * wx + y * wy + z * wz
}

/** Where points of the difference are kept, three numbers each. */
export interface DifferencePlaces {
  w: Float64Array
  /** The points of the first and second body that they are the differences of. */
  a: Float64Array
  b: Float64Array
  /** Which core points these are; −1 on curved surfaces. */
  indexA: Int32Array
  indexB: Int32Array
}

export function createDifferencePlaces(count: number): DifferencePlaces {
  return {
    w: new Float64Array(3 * count),
    a: new Float64Array(3 * count),
    b: new Float64Array(3 * count),
    indexA: new Int32Array(count),
    indexB: new Int32Array(count),
  }
}
