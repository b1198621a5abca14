/**
 * The nearest point of a simplex to the origin, exactly.
 *
 * Method: every face whose nearest point lies strictly inside it is tried, by signs of cofactors; it is the one for which no other
 * corner of the simplex lies nearer along the direction to that point. Some face without superfluous corners is (C. Carathéodory).
 * Points of 3D have weights of at most degree 4 in the coordinates, so nothing grows from step to step.
 */

import type { Ring } from '../../numeric/exact-ring.ts'
import { cross, dot, type Exact, isZero, minus, plus, signOfDifference, times } from '../shape/exact-points.ts'

export interface NearestFace<T> {
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
