/**
 * What a core without a skin contains of what is bent: whether a curved body, or core points whose skin is larger than the holder's,
 * lies behind every face of the holder's core.
 *
 * Method: a convex set with a skin of r lies in one with a skin of R < r where with a skin of r − R it lies in the other's core, so
 * behind the planes of its faces. The highest point over each in closed form; where rounding leaves it open, the sign of a sum of a
 * rational number and one root in exact arithmetic. What is flat lies between its two faces and the planes through its edges.
 * Frame: world. Cost O(faces · points of the guest).
 */

import { spend } from '../../containers/budget.ts'
import { exactly, type Ring, signOfRootSum } from '../../numeric/exact-ring.ts'
import { HEIGHT_DEGREE, lowestHeight } from '../narrow-phase/exact-height.ts'
import { type Body, POINTS, RADIUS, REACH } from '../shape/body.ts'
import { exactSurface, PLANE_SIZE, planesOf } from '../shape/core-surface.ts'
import { cross, dot, type Exact, exactOffset, exactVertex, inputRangeOf, minus } from '../shape/exact-points.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Lie, Triple } from './lie.ts'

/** Steps of an exact height. */
const HEIGHT_STEPS = 32

/** Exact for core points, and for curved bodies in line with the axes; others to within the error of heights. */
export function isWithinFaces(holder: Body, guest: Body, { offset, error, extent }: Lie): boolean {
  const surface = exactSurface(holder)
  const isPoints = guest.kind === POINTS
  // What is bent is no point, line or, with a skin, flat.
  if (surface.dimension < 2 || (isPoints && surface.dimension < 3)) return false
  const planes = planesOf(holder, surface)
  const { starts, corners } = surface
  const isExact = isPoints || guest.aligned
  for (let f = 0; f + 1 < starts.length; f++) {
    const at = PLANE_SIZE * f
    const around = corners.subarray(starts[f], starts[f + 1])
    spend(2 + (guest.count >> 2))
    const height = highest(holder, guest, offset, planes[at], planes[at + 1], planes[at + 2]) - planes[at + 3]
    const bound = 2 * error + (planes[at + 4] * extent) / holder.numbers[REACH]
    if (height > bound) return false
    if (!isExact || height < -bound) continue
    if (!isBehind(holder, guest, (ring) => ({ normal: faceNormal(ring, holder, around), on: around[0] }))) return false
  }
  if (surface.dimension === 3) return true
  const around = corners.subarray(starts[0], starts[1])
  return isExact
    ? isWithinEdges(holder, guest, around)
    : isNearlyWithinEdges(holder, guest, around, { offset, error, extent })
}

/** Height of the guest along a unit vector, from the anchor of the holder; of core points with what their skin is larger. */
function highest(holder: Body, guest: Body, offset: Triple, nx: number, ny: number, nz: number): number {
  point.fill(0)
  kindOf(guest).support(guest, nx, ny, nz, point)
  const skin = guest.kind === POINTS ? guest.numbers[RADIUS] - holder.numbers[RADIUS] : 0
  return nx * (offset[0] + point[0]) + ny * (offset[1] + point[1]) + nz * (offset[2] + point[2]) + skin
}

const point = new Float64Array(3)

/** Whether the guest lies within a flat polygon, given that it lies in its plane. */
function isWithinEdges(holder: Body, guest: Body, around: Int32Array): boolean {
  for (let c = 0; c < around.length; c++) {
    const i = around[c]
    const j = around[(c + 1) % around.length]
    const isInside = isBehind(holder, guest, (ring) => {
      const edge = minus(ring, exactVertex(ring, holder, j), exactVertex(ring, holder, i))
      return { normal: cross(ring, edge, faceNormal(ring, holder, around)), on: i }
    })
    if (!isInside) return false
  }
  return true
}

/** The same of a turned guest. */
function isNearlyWithinEdges(holder: Body, guest: Body, around: Int32Array, { offset, error }: Lie): boolean {
  return around.every(
    (i, c) => edgeHeight(holder, guest, offset, around, [i, around[(c + 1) % around.length]]) <= error,
  )
}

/** How far the guest lies beyond the plane through an edge across the polygon. */
function edgeHeight(holder: Body, guest: Body, offset: Triple, around: Int32Array, [i, j]: [number, number]): number {
  const { numbers, local } = holder
  const corner = (c: number): number[] => [0, 1, 2].map((k) => numbers[local + 3 * c + k])
  const [p, q, a, b, c] = [i, j, around[0], around[1], around[2]].map(corner)
  const way = (from: number[], to: number[]): number[] => to.map((x, k) => x - from[k])
  const product = (u: number[], v: number[]): number[] =>
    [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])
  const normal = product(way(p, q), product(way(a, b), way(a, c)))
  const length = Math.hypot(...normal)
  if (!(length > 0)) return Infinity
  const [x, y, z] = normal.map((component) => component / length)
  return highest(holder, guest, offset, x, y, z) - (x * p[0] + y * p[1] + z * p[2])
}

/** Of any three corners of a face: no three of them are on one line. */
function faceNormal<T>(ring: Ring<T>, body: Body, around: Int32Array): Exact<T> {
  const a = exactVertex(ring, body, around[0])
  return cross(
    ring,
    minus(ring, exactVertex(ring, body, around[1]), a),
    minus(ring, exactVertex(ring, body, around[2]), a),
  )
}

interface Plane<T> {
  normal: Exact<T>
  /** A core point of the holder on it. */
  on: number
}

/** Whether the guest does not reach over the plane. */
function isBehind(holder: Body, guest: Body, planeOf: <T>(ring: Ring<T>) => Plane<T>): boolean {
  spend(HEIGHT_STEPS)
  return exactly(inputRangeOf(holder, guest), HEIGHT_DEGREE, (ring) => {
    const { sub, of, integer } = ring
    const { normal, on } = planeOf(ring)
    const zero = integer(0)
    const lowest = lowestHeight(ring, guest, minus(ring, [zero, zero, zero], normal))
    const from = minus(ring, exactOffset(ring, guest, holder), exactVertex(ring, holder, on))
    const rational = sub(dot(ring, normal, from), lowest.rational)
    if (guest.kind !== POINTS) return signOfRootSum(ring, rational, integer(1), lowest.square) <= 0
    const skin = sub(of(guest.numbers[RADIUS]), of(holder.numbers[RADIUS]))
    return signOfRootSum(ring, rational, skin, dot(ring, normal, normal)) <= 0
  })
}
