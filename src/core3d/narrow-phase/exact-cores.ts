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
  cross,
  dot,
  type Exact,
  exactOffset,
  exactVertex,
  isZero,
  minus,
  plus,
  signOfDifference,
  times,
} from '../shape/exact-points.ts'
import { HEIGHT_ERROR_RATIO } from '../tolerances.ts'
import type { Simplex } from './gjk.ts'

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

// The nearest point of a simplex to the origin, exactly.
//
// Method: every face whose nearest point lies strictly inside it is tried, by signs of cofactors; it is the one for which no other
// corner of the simplex lies nearer along the direction to that point. Some face without superfluous corners is (C. Carathéodory).
// Points of 3D have weights of at most degree 4 in the coordinates, so nothing grows from step to step.

interface NearestFace<T> {
  /** Which of the given points: one to four. */
  members: number[]
  /** Their weights, all positive, not divided by their sum. */
  weights: T[]
  /** A vector along the nearest point, or the zero vector where the origin lies in the face. */
  toward: Exact<T>
  /** Squared distance as a fraction. */
  square: { over: T; under: T }
}

export function nearestFace<T>(ring: Ring<T>, points: readonly Exact<T>[]): NearestFace<T> {
  const count = points.length
  // The face is one and the same whatever is tried first; that of all points costs the least to tell.
  const whole = count === 2 ? segmentFace(ring, points, 0, 1) : count === 3 ? triangleFace(ring, points, 0, 1, 2) : null
  if (whole !== null) return whole
  for (let i = 0; i < count; i++) {
    const face = vertexFace(ring, points, i)
    if (isNearest(ring, points, face)) return face
  }
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const face = segmentFace(ring, points, i, j)
      if (face !== null && isNearest(ring, points, face)) return face
    }
  }
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        const face = triangleFace(ring, points, i, j, k)
        if (face !== null && isNearest(ring, points, face)) return face
      }
    }
  }
  // Only rounding, whose result is thrown away, leaves a smaller simplex without a face.
  return count === 4 ? wholeTetrahedron(ring, points) : vertexFace(ring, points, 0)
}

/** Whether no corner of the simplex lies nearer along the way to the face. */
function isNearest<T>(ring: Ring<T>, points: readonly Exact<T>[], { members, toward }: NearestFace<T>): boolean {
  if (isZero(ring, toward)) return true
  const height = dot(ring, toward, points[members[0]])
  return points.every(
    (point, i) => members.includes(i) || signOfDifference(ring, dot(ring, toward, point), height) >= 0,
  )
}

function vertexFace<T>(ring: Ring<T>, points: readonly Exact<T>[], i: number): NearestFace<T> {
  const p = points[i]
  const one = ring.integer(1)
  return { members: [i], weights: [one], toward: p, square: { over: dot(ring, p, p), under: one } }
}

function segmentFace<T>(ring: Ring<T>, points: readonly Exact<T>[], i: number, j: number): NearestFace<T> | null {
  const p = points[i]
  const q = points[j]
  const edge = minus(ring, q, p)
  const beforeEnd = dot(ring, q, edge)
  const afterStart = ring.sub(ring.integer(0), dot(ring, p, edge))
  if (ring.sign(beforeEnd) <= 0 || ring.sign(afterStart) <= 0) return null
  const normal = cross(ring, p, q)
  const under = dot(ring, edge, edge)
  return {
    members: [i, j],
    weights: [beforeEnd, afterStart],
    toward: plus(ring, times(ring, beforeEnd, p), times(ring, afterStart, q)),
    square: { over: dot(ring, normal, normal), under },
  }
}

function triangleFace<T>(
  ring: Ring<T>,
  points: readonly Exact<T>[],
  i: number,
  j: number,
  k: number,
): NearestFace<T> | null {
  const a = points[i]
  const b = points[j]
  const c = points[k]
  const normal = cross(ring, minus(ring, b, a), minus(ring, c, a))
  const weights = [
    dot(ring, normal, cross(ring, b, c)),
    dot(ring, normal, cross(ring, c, a)),
    dot(ring, normal, cross(ring, a, b)),
  ]
  if (weights.some((weight) => ring.sign(weight) <= 0)) return null
  const height = dot(ring, normal, a)
  return {
    members: [i, j, k],
    weights,
    toward: times(ring, ring.integer(ring.sign(height)), normal),
    square: { over: ring.mul(height, height), under: dot(ring, normal, normal) },
  }
}

function wholeTetrahedron<T>(ring: Ring<T>, [a, b, c, d]: readonly Exact<T>[]): NearestFace<T> {
  const { sub, integer, sign } = ring
  const zero = integer(0)
  const volumes = [
    dot(ring, b, cross(ring, c, d)),
    sub(zero, dot(ring, a, cross(ring, c, d))),
    dot(ring, a, cross(ring, b, d)),
    sub(zero, dot(ring, a, cross(ring, b, c))),
  ]
  // All of one sign: no face was nearest.
  const turned = sign(volumes[0]) < 0
  return {
    members: [0, 1, 2, 3],
    weights: turned ? volumes.map((volume) => sub(zero, volume)) : volumes,
    toward: [zero, zero, zero],
    square: { over: zero, under: integer(1) },
  }
}

// Whether two cores that have a point in common overlap or only touch, exactly: whether the origin lies inside their difference or on
// its boundary.
//
// Method: a plane through the origin with all of the difference on one side of it goes through the whole face of the difference that
// the origin lies inside of. So the difference is looked at along that face: its shadow is a point, or a set in a line, a plane or
// space, and GJK in exact arithmetic walks from farthest point to farthest point of the shadow until a direction has nothing beyond
// the origin, or the origin lies inside a simplex; where that does not fill the shadow, it is a larger face, and the next shadow has
// fewer dimensions. Each step brings the nearest point strictly nearer, so no simplex comes twice.

/** Degree of the polynomials in the coordinates that come up. */
export const INTERIOR_DEGREE = 16

/** Steps of one exact face. */
const FACE_STEPS = 64

interface Difference<T> {
  ring: Ring<T>
  first: Body
  second: Body
  /** Steps left before what rounding does is given up. */
  left: number
}

/** `cores`: what the exact search has found of two cores that meet. */
export function coresOverlap<T>(ring: Ring<T>, first: Body, second: Body, cores: ExactCores<T>): boolean {
  const difference = { ring, first, second, left: LEAST_STEP_LIMIT + first.count + second.count }
  const offset = exactOffset(ring, first, second)
  const points = cores.indexA.map((i, m) =>
    minus(ring, plus(ring, offset, exactVertex(ring, first, i)), exactVertex(ring, second, cores.indexB[m])),
  )
  return surroundsFace(difference, points)
}

/** Whether the difference surrounds the face of these corners, none of them superfluous, inside which the origin lies. */
function surroundsFace<T>(difference: Difference<T>, points: readonly Exact<T>[]): boolean {
  const { ring } = difference
  if (points.length === 4) return true
  if (points.length === 1) return surroundsPoint(difference)
  const edge = minus(ring, points[1], points[0])
  return points.length === 2
    ? surroundsLine(difference, edge)
    : surroundsPlane(difference, cross(ring, edge, minus(ring, points[2], points[0])))
}

/** The farthest point of the difference against the direction, if it lies beyond the origin. */
function beyond<T>({ ring, first, second }: Difference<T>, direction: Exact<T>): Exact<T> | null {
  const i = lowest(ring, first, direction, 1)
  const j = lowest(ring, second, direction, -1)
  const offset = exactOffset(ring, first, second)
  const point = minus(ring, plus(ring, offset, exactVertex(ring, first, i)), exactVertex(ring, second, j))
  return ring.sign(dot(ring, direction, point)) < 0 ? point : null
}

function surroundsPlane<T>(difference: Difference<T>, normal: Exact<T>): boolean {
  const { ring } = difference
  const zero = ring.integer(0)
  if (beyond(difference, normal) === null) return false
  return beyond(difference, minus(ring, [zero, zero, zero], normal)) !== null
}

/**
 * Looked at along a line: with k an axis that it is not across, the shadow of p is p·e_k − e·p_k, which has no component k, and the
 * height of the shadow along v is that of p along v·e_k − (v·e) on axis k.
 */
function surroundsLine<T>(difference: Difference<T>, edge: Exact<T>): boolean {
  const { ring } = difference
  const zero = ring.integer(0)
  const k = ring.sign(edge[2]) !== 0 ? 2 : ring.sign(edge[1]) !== 0 ? 1 : 0
  const shadowOf = (p: Exact<T>): Exact<T> => minus(ring, times(ring, edge[k], p), times(ring, p[k], edge))
  const normalOf = (v: Exact<T>): Exact<T> => {
    const rest = ring.sub(zero, dot(ring, v, edge))
    const along = times(ring, edge[k], v)
    return [k === 0 ? rest : along[0], k === 1 ? rest : along[1], k === 2 ? rest : along[2]]
  }
  const one = ring.integer(1)
  const start: Exact<T> = k === 0 ? [zero, one, zero] : [one, zero, zero]
  const face = surround(difference, start, shadowOf, normalOf)
  if (face === null) return false
  return face.length === 3 || surroundsPlane(difference, cross(ring, edge, face[0]))
}

/** Of a difference with a corner at the origin. */
function surroundsPoint<T>(difference: Difference<T>): boolean {
  const { ring } = difference
  const zero = ring.integer(0)
  const same = (p: Exact<T>): Exact<T> => p
  const face = surround(difference, [ring.integer(1), zero, zero], same, same)
  return face !== null && surroundsFace(difference, face)
}

/**
 * Points of the difference whose shadows span a simplex, none of them superfluous, inside which the origin lies; null where a plane
 * through it has nothing beyond. The shadows lie in two or three dimensions.
 */
function surround<T>(
  difference: Difference<T>,
  start: Exact<T>,
  shadowOf: (point: Exact<T>) => Exact<T>,
  normalOf: (direction: Exact<T>) => Exact<T>,
): Exact<T>[] | null {
  const { ring } = difference
  let points: Exact<T>[] = []
  let shadows: Exact<T>[] = []
  let toward = start
  for (;;) {
    spend(FACE_STEPS)
    const point = beyond(difference, normalOf(toward))
    if (point === null || difference.left-- <= 0) return null
    points.push(point)
    shadows.push(shadowOf(point))
    const face = nearestFace(ring, shadows)
    points = face.members.map((m) => points[m])
    shadows = face.members.map((m) => shadows[m])
    if (face.toward.every((component) => ring.sign(component) === 0)) return points
    toward = face.toward
  }
}
