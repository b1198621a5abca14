/**
 * Points brought near 1: what the quick tests of a hull compute with.
 *
 * Method: each axis is scaled by a power of two of its own, which changes neither a digit nor on which side of a plane a point lies,
 * so that slabs and needles of any proportions fill a cube, and no product over- or underflows. For heights over planes the points
 * are also kept relative to the middle of their box, rounded.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/kept-entries.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { SMALLEST_SAFE_COORDINATE } from '../tolerances.ts'

export interface ScaledPoints {
  /** The caller's: x0, y0, z0, x1, … */
  given: Float64Array
  count: number
  /** The largest magnitude of each axis lies between 1 and 2. */
  scaled: Float64Array
  /** Whether `scaled` are the given points exactly, and none of them too small for the adaptive test of `orientation.ts`. */
  isSafe: boolean
  /** From the middle of the box of `scaled`, rounded once. */
  local: Float64Array
  /** At least the magnitudes of `local`, for each axis. */
  half: [number, number, number]
}

/** Made once: even an empty one takes its time. */
const NONE = new Float64Array(0)

export function createScaledPoints(): ScaledPoints {
  return { given: NONE, count: 0, scaled: NONE, isSafe: true, local: NONE, half: [0, 0, 0] }
}

/** Sets all of `out` for so many points. Cost O(count). */
export function setScaledPoints(out: ScaledPoints, points: Float64Array, count: number): void {
  spend(count)
  if (out.scaled.length < 3 * count) {
    out.scaled = new Float64Array(Math.max(96, 4 * count))
    out.local = new Float64Array(out.scaled.length)
  }
  out.given = points
  out.count = count
  out.isSafe = true
  for (let axis = 0; axis < 3; axis++) setAxis(out, axis)
}

/** Lets go of the points, and of room that only many of them need. */
export function releaseScaledPoints(out: ScaledPoints): void {
  out.given = NONE
  if (out.scaled.length <= 3 * KEPT_ENTRIES) return
  out.scaled = NONE
  out.local = NONE
}

function setAxis(out: ScaledPoints, axis: number): void {
  const { given, scaled, local } = out
  const end = 3 * out.count
  let least = Infinity
  let largest = -Infinity
  for (let k = axis; k < end; k += 3) {
    const value = given[k]
    if (value < least) least = value
    if (value > largest) largest = value
  }
  const magnitude = Math.max(-least, largest)
  const exponent = magnitude === 0 ? 0 : binaryExponent(magnitude)
  // In two steps: the reciprocal of the least double is none.
  const half = -Math.trunc(exponent / 2)
  const first = 2 ** half
  const second = 2 ** (-exponent - half)
  const middle = (least * first * second + largest * first * second) / 2
  let isSafe = true
  for (let k = axis; k < end; k += 3) {
    const value = given[k] * first * second
    if (Math.abs(value) < SMALLEST_SAFE_COORDINATE && given[k] !== 0) isSafe = false
    scaled[k] = value
    local[k] = value - middle
  }
  if (!isSafe) out.isSafe = false
  out.half[axis] = Math.max(largest * first * second - middle, middle - least * first * second)
}

/** The order of points p and q of a list: by x, then y, then z. */
export function comparePoints(points: Float64Array, p: number, q: number): number {
  const i = 3 * p
  const j = 3 * q
  if (points[i] !== points[j]) return points[i] < points[j] ? -1 : 1
  if (points[i + 1] !== points[j + 1]) return points[i + 1] < points[j + 1] ? -1 : 1
  return points[i + 2] < points[j + 2] ? -1 : points[i + 2] > points[j + 2] ? 1 : 0
}
