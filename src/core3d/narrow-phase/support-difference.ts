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
    for (let k = 0; k < 3; k++) {
      a[i + k] = first.numbers[atA + k]
      b[i + k] = second.numbers[atB + k]
    }
    w[i] = a[i] - b[i] - dx
    w[i + 1] = a[i + 1] - b[i + 1] - dy
    w[i + 2] = a[i + 2] - b[i + 2] - dz
    return x * w[i] + y * w[i + 1] + z * w[i + 2]
  }
  pointA[0] = 0
  pointA[1] = 0
  pointA[2] = 0
  indexA[at] = kindOf(first).support(first, x, y, z, pointA)
  // Where all of a line or disc of the second is as far, the point that faces the first brings the two nearest.
  pointB[0] = pointA[0] - dx
  pointB[1] = pointA[1] - dy
  pointB[2] = pointA[2] - dz
  indexB[at] = kindOf(second).support(second, -x, -y, -z, pointB)
  for (let k = 0; k < 3; k++) {
    a[i + k] = pointA[k]
    b[i + k] = pointB[k]
  }
  w[i] = pointA[0] - pointB[0] - dx
  w[i + 1] = pointA[1] - pointB[1] - dy
  w[i + 2] = pointA[2] - pointB[2] - dz
  return x * w[i] + y * w[i + 1] + z * w[i + 2]
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
