/**
 * Convex pieces that cover clouds for certain.
 *
 * Method: a piece is the hull of a cloud, exactly, where no point of it is rounded. Else rounded points are moved away from the middle of
 * the hull: the hull of the moved point and of a ball of radius r within holds a ball about the old place, of the way it was moved times r over its distance from the middle.
 * Then the exact side of each face is asked for the corners of a cube about the old place; where one is outside, those corners join the hull.
 * Frame: coordinates below 2. Cost: that of a few hulls, and O(rounded points · faces).
 */

import { spend } from '../../containers/budget.ts'
import { orientationAt } from '../mesh/orientation.ts'
import { convexHull, hullTriangles } from '../shape/convex-hull.ts'
import type { ConvexHull } from '../shape/hull-surface.ts'
import { CLEAR_FACE_AREA, CLEARLY_BELOW, CUT_RADIUS, LEAST_COVER_BALL } from '../tolerances.ts'
import { type Cloud, facePlanes, highest, hullVolume } from './part-hull.ts'

export interface ConvexPiece {
  points: Float64Array
  hull: ConvexHull
  volume: number
}

export function coverOf({ points, isRounded, volume }: Cloud): ConvexPiece {
  const isFlat = volume === 0
  const moved = isFlat ? null : movedOut(points, isRounded)
  const isOutside = (i: number): boolean => isFlat || (isRounded[i] === 1 && (moved === null || !moved.holds(i)))
  const list = moved === null ? [] : [...moved.points]
  for (let i = 0; i < isRounded.length; i++) {
    if (isOutside(i)) addCube(points, i, list)
    else if (moved === null) list.push(points[3 * i], points[3 * i + 1], points[3 * i + 2])
  }
  const all = Float64Array.from(list)
  const hull = convexHull(all, all.length / 3)
  return { points: all, hull, volume: hullVolume(all, trianglesOf(hull)) }
}

/** The corners of a cube about the ball of a rounded point. */
function addCube(points: Float64Array, i: number, out: number[]): void {
  for (let c = 0; c < 8; c++) {
    for (let k = 0; k < 3; k++) out.push(points[3 * i + k] + ((c >> k) & 1 ? CUT_RADIUS : -CUT_RADIUS))
  }
}

/** The points, rounded ones moved outward, and whether their hull holds the cube about a rounded point; null where there is nothing to move by. */
function movedOut(
  points: Float64Array,
  isRounded: Uint8Array,
): { points: Float64Array; holds(i: number): boolean } | null {
  if (!isRounded.includes(1)) return { points, holds: () => true }
  const count = isRounded.length
  const first = hullTriangles(points, count)
  if (first === null) return null
  const middle = new Float64Array(3)
  for (const i of first) for (let k = 0; k < 3; k++) middle[k] += points[3 * i + k] / first.length
  const radius = -highest(facePlanes(points, first), middle, 0)
  if (!(radius > LEAST_COVER_BALL)) return null
  const share = (4 * CUT_RADIUS) / radius
  const moved = points.map((x, n) => (isRounded[Math.floor(n / 3)] === 1 ? x + share * (x - middle[n % 3]) : x))
  const triangles = hullTriangles(moved, count)
  if (triangles === null) return null
  // The corners of the cubes stand behind the points.
  const both = new Float64Array(moved.length + 24)
  both.set(moved)
  const planes = widePlanes(moved, triangles)
  return {
    points: moved,
    holds(i) {
      const cube: number[] = []
      addCube(points, i, cube)
      both.set(cube, moved.length)
      spend(triangles.length)
      for (let t = 0; t < triangles.length; t += 3) {
        const at = (4 / 3) * t
        const height =
          planes[at] * points[3 * i] +
          planes[at + 1] * points[3 * i + 1] +
          planes[at + 2] * points[3 * i + 2] -
          planes[at + 3]
        if (height < CLEARLY_BELOW) continue
        for (let c = 0; c < 8; c++) {
          if (orientationAt(both, triangles[t], triangles[t + 1], triangles[t + 2], count + c) > 0) return false
        }
      }
      return true
    },
  }
}

/** Normal and height of each triangle; 0 for those that are too small to be sure of. */
function widePlanes(points: Float64Array, triangles: Int32Array): Float64Array {
  const planes = new Float64Array((4 / 3) * triangles.length)
  for (let t = 0; t < triangles.length; t += 3) {
    const one = facePlanes(points, triangles.subarray(t, t + 3))
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]]
    const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]]
    if (Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) > CLEAR_FACE_AREA)
      planes.set(one, (4 / 3) * t)
  }
  return planes
}

/** Fans of the faces. */
function trianglesOf({ vertices, faceStarts, origins, dimension }: ConvexHull): Int32Array {
  const list: number[] = []
  if (dimension === 3) {
    for (let f = 0; f + 1 < faceStarts.length; f++) {
      for (let k = faceStarts[f] + 2; k < faceStarts[f + 1]; k++) {
        list.push(vertices[origins[faceStarts[f]]], vertices[origins[k - 1]], vertices[origins[k]])
      }
    }
  }
  return Int32Array.from(list)
}
