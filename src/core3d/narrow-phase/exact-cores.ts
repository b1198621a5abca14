/**
 * The distance of two sets of core points, exactly: which of them span the nearest points, and how far apart these are.
 *
 * Method: GJK in exact arithmetic, started from where the rounded one ended. Each step brings the nearest point strictly nearer, so
 * no simplex comes twice, and the end is proven: no point of the difference lies beyond the plane through the nearest point.
 * Nothing but the points themselves is needed, so interior, repeated and coplanar points do no harm.
 * Frame: world, relative to the first body's position. Cost: a few steps, each O(points) rounded and O(near points) exact.
 */

import { spend } from '../../containers/budget.ts'
import type { Ring } from '../../numeric/exact-ring.ts'
import type { Body } from '../shape/body.ts'
import {
  dot,
  type Exact,
  exactOffset,
  exactVertex,
  isZero,
  minus,
  plus,
  signOfDifference,
} from '../shape/exact-points.ts'
import { HEIGHT_ERROR_RATIO } from '../tolerances.ts'
import { type NearestFace, nearestFace } from './exact-simplex.ts'
import type { Simplex } from './simplex.ts'

/** Degree of the polynomials in the coordinates that come up. */
export const CORES_DEGREE = 8

/** Where rounding is tried first, it may go in circles; exact steps are a few. */
const LEAST_STEP_LIMIT = 64

/** Steps of an exact comparison. */
const COMPARISON_STEPS = 8

export interface ExactCores<T> {
  face: NearestFace<T>
  /** Core points of the first and second body, for each member of the face. */
  indexA: number[]
  indexB: number[]
  /** Whether the cores have a point in common. */
  meet: boolean
}

/** `first` and `second` are of core points, and so is the simplex. */
export function exactCores<T>(ring: Ring<T>, first: Body, second: Body, start: Simplex): ExactCores<T> {
  const offset = exactOffset(ring, first, second)
  const pointOf = (i: number, j: number): Exact<T> =>
    minus(ring, plus(ring, offset, exactVertex(ring, first, i)), exactVertex(ring, second, j))
  let indexA = Array.from(start.indexA.subarray(0, start.count))
  let indexB = Array.from(start.indexB.subarray(0, start.count))
  let points = indexA.map((i, m) => pointOf(i, indexB[m]))
  const limit = LEAST_STEP_LIMIT + first.count + second.count
  for (let step = 0; ; step++) {
    const face = nearestFace(ring, points)
    indexA = face.members.map((m) => indexA[m])
    indexB = face.members.map((m) => indexB[m])
    points = face.members.map((m) => points[m])
    face.members = face.members.map((_, m) => m)
    if (isZero(ring, face.toward)) return { face, indexA, indexB, meet: true }
    const i = lowest(ring, first, face.toward, 1)
    const j = lowest(ring, second, face.toward, -1)
    const candidate = pointOf(i, j)
    const nearer = signOfDifference(ring, dot(ring, face.toward, candidate), dot(ring, face.toward, points[0])) < 0
    if (!nearer || step > limit) return { face, indexA, indexB, meet: false }
    points.push(candidate)
    indexA.push(i)
    indexB.push(j)
  }
}

/** The core point farthest against side · direction; of several the first. */
export function lowest<T>(ring: Ring<T>, body: Body, direction: Exact<T>, side: 1 | -1): number {
  const { count, numbers, local } = body
  spend(1 + (count >> 1))
  if (count === 1) return 0
  const [x, y, z] = roundedDirection(ring, direction)
  let best = Infinity
  let largest = 0
  for (let i = 0; i < count; i++) {
    const at = local + 3 * i
    const height = side * (numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z)
    if (height < best) best = height
    largest = Math.max(largest, Math.abs(numbers[at]), Math.abs(numbers[at + 1]), Math.abs(numbers[at + 2]))
  }
  const margin = HEIGHT_ERROR_RATIO * largest
  let found = -1
  let least: T | null = null
  for (let i = 0; i < count; i++) {
    const at = local + 3 * i
    const height = side * (numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z)
    // A comparison that fails only for what is surely higher: numbers out of range compare as not.
    if (height > best + margin) continue
    spend(COMPARISON_STEPS)
    const exact = dot(ring, direction, exactVertex(ring, body, i))
    if (least === null || signOfDifference(ring, exact, least) === -side) {
      least = exact
      found = i
    }
  }
  return found
}

/** The direction with its greatest component about 1, to a few roundoffs. */
function roundedDirection<T>(ring: Ring<T>, direction: Exact<T>): readonly number[] {
  let greatest = 0
  for (let k = 1; k < 3; k++) {
    const one = direction[k]
    const other = direction[greatest]
    const square = (value: T): T => ring.mul(value, value)
    if (signOfDifference(ring, square(one), square(other)) > 0) greatest = k
  }
  const under = direction[greatest]
  const sign = ring.sign(under)
  return direction.map((component) => sign * ring.ratio(component, under))
}
