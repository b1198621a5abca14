/**
 * Whether two cores that have a point in common overlap or only touch, exactly: whether the origin lies inside their difference or on
 * its boundary.
 *
 * Method: a plane through the origin with all of the difference on one side of it goes through the whole face of the difference that
 * the origin lies inside of. So the difference is looked at along that face: its shadow is a point, or a set in a line, a plane or
 * space, and GJK in exact arithmetic walks from farthest point to farthest point of the shadow until a direction has nothing beyond
 * the origin, or the origin lies inside a simplex; where that does not fill the shadow, it is a larger face, and the next shadow has
 * fewer dimensions. Each step brings the nearest point strictly nearer, so no simplex comes twice.
 * Frame: world, relative to the first body's position. Cost: a few steps, each O(points) rounded and O(near points) exact.
 */

import { spend } from '../../containers/budget.ts'
import type { Ring } from '../../numeric/exact-ring.ts'
import type { Body } from '../shape/body.ts'
import { cross, dot, type Exact, exactOffset, exactVertex, minus, plus, times } from '../shape/exact-points.ts'
import { type ExactCores, lowest } from './exact-cores.ts'
import { nearestFace } from './exact-simplex.ts'

/** Degree of the polynomials in the coordinates that come up. */
export const INTERIOR_DEGREE = 16

/** Where rounding is tried first, it may go in circles; exact steps are a few. */
const LEAST_STEP_LIMIT = 64

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
