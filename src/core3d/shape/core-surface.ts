/**
 * The surface of a body's core: its faces, edges and planes, for those who ask a core of three points or more by its faces.
 *
 * Method: hulls have made most of theirs when they were set, boxes and triangles by their form; what is left is the convex hull of the core
 * points. A turn rounds the corners, so that what was a flat face no longer is one to the last bit: the surface of before is then right
 * within the errors of its planes, and `exactSurface` asks the hull of the rounded corners.
 * Planes: the cross product of the two edges that span the largest triangle of a face's fan, to twice the digits
 * (`numeric/expansion.ts`), so that needles have normals too.
 * Frame: local, counting from the anchor.
 */

import { spend } from '../../containers/budget.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, vectorLength3d } from '../../numeric/safe-range.ts'
import { LATE_HULL_COUNT, PLANE_TWOFOLD_RATIO, WIDE_TRIANGLE_RATIO } from '../tolerances.ts'
import { type Body, type CoreSurface, REACH, VERTICES } from './body.ts'
import { convexHull, hullFacesByPoint } from './convex-hull.ts'
import { type ConvexHull, hullFaces } from './hull-surface.ts'

/** Numbers of a plane. */
export const PLANE_SIZE = 5

/** The surface of a hull, given which core point each of its corners is. */
function hullSurface(hull: ConvexHull, coreOf: Int32Array, isExact: boolean): CoreSurface {
  const { dimension, origins, twins, faces, faceStarts } = hull
  const size = origins.length
  const corners = new Int32Array(size)
  const neighbours = new Int32Array(size)
  for (let e = 0; e < size; e++) {
    corners[e] = coreOf[origins[e]]
    neighbours[e] = faces[twins[e]]
  }
  return {
    dimension: dimension < 0 ? 0 : (dimension as CoreSurface['dimension']),
    starts: faceStarts,
    corners,
    neighbours,
    extremes: null,
    edges: null,
    isExact,
    planes: null,
    exact: null,
  }
}

/** Faces of a box: those at the least and the greatest x, then y, then z. */
const BOX_STARTS = Int32Array.of(0, 4, 8, 12, 16, 20, 24)
/** Four for each of them, counter-clockwise from outside, as `setBox` names them. */
export const BOX_CORNERS = Int32Array.of(0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6)
const BOX_NEIGHBOURS = Int32Array.of(2, 5, 3, 4, 4, 3, 5, 2, 4, 1, 5, 0, 0, 5, 1, 4, 0, 3, 1, 2, 2, 1, 3, 0)

function boxSurface(isExact: boolean): CoreSurface {
  return {
    dimension: 3,
    starts: BOX_STARTS,
    corners: BOX_CORNERS,
    neighbours: BOX_NEIGHBOURS,
    extremes: null,
    edges: null,
    isExact,
    planes: null,
    exact: null,
  }
}

/** Both faces of a triangle. */
const TRIANGLE_STARTS = Int32Array.of(0, 3, 6)
const TRIANGLE_CORNERS = Int32Array.of(0, 1, 2, 0, 2, 1)
const TRIANGLE_NEIGHBOURS = Int32Array.of(1, 1, 1, 0, 0, 0)

/** Three points that are not on one line as far as rounding can tell. */
function triangleSurface(): CoreSurface {
  return {
    dimension: 2,
    starts: TRIANGLE_STARTS,
    corners: TRIANGLE_CORNERS,
    neighbours: TRIANGLE_NEIGHBOURS,
    extremes: null,
    edges: null,
    isExact: true,
    planes: null,
    exact: null,
  }
}

/** The surface of a body of core points, right within the errors of its planes. It is kept with the body. */
export function surfaceOf(body: Body): CoreSurface {
  if (body.surface !== null) return body.surface
  const { hull } = body
  if (hull !== null)
    body.surface =
      hull.corners === null ? lateSurface(body) : hullSurface(hullFaces(hull.corners), hull.coreOf, body.aligned)
  else if (body.isBox) body.surface = boxSurface(body.aligned)
  else {
    if (body.count === 3) {
      const surface = triangleSurface()
      body.surface = surface
      // Its error bound tells whether there is a triangle at all.
      if (isWide(body) || planesWith(body, surface, 0)[PLANE_SIZE - 1] < body.numbers[REACH]) return surface
    }
    body.surface = pointsSurface(body)
  }
  return body.surface
}

/** The points that a body was given by, unturned; module scratch. */
const given = new Float64Array(3 * LATE_HULL_COUNT)

/** Of a hull all of whose points are core points. */
function lateSurface({ numbers, count, local, aligned }: Body): CoreSurface {
  const from = local + 3 * count
  for (let i = 0; i < 3 * count; i++) given[i] = numbers[from + i]
  const solid = hullFacesByPoint(given, count, PLANE_SIZE)
  if (solid === null) {
    const hull = convexHull(given, count)
    return hullSurface(hull, hull.vertices, aligned)
  }
  const { starts, corners, neighbours, numbers: planes } = solid
  return {
    dimension: 3,
    starts,
    corners,
    neighbours,
    extremes: null,
    edges: null,
    isExact: aligned,
    planes,
    exact: null,
  }
}

/**
 * Whether plain doubles tell that three points are so far off one line that the error bound of their plane is no matter. Edges are no longer than
 * twice the reach R, and their cross product is off by less than 2^-46·R²; one above 2^-35·R² leaves an error bound below 2^-47·R.
 */
function isWide(body: Body): boolean {
  const reach = body.numbers[REACH]
  return isSafeExtent(reach) && areaOf(body, 0, 1, 2) > (WIDE_TRIANGLE_RATIO * reach * reach) ** 2
}

/** The surface of the core points as they are. It is kept with the body. */
export function exactSurface(body: Body): CoreSurface {
  const surface = surfaceOf(body)
  if (surface.isExact) return surface
  surface.exact ??= pointsSurface(body)
  return surface.exact
}

/** The face of the surface that shares most corners with face `f` of another surface of the same core. */
export function faceLike({ starts, corners }: CoreSurface, other: CoreSurface, f: number): number {
  const wanted = other.corners.subarray(other.starts[f], other.starts[f + 1])
  spend(corners.length)
  let best = -1
  let most = 0
  for (let g = 0; g + 1 < starts.length; g++) {
    let shared = 0
    for (let c = starts[g]; c < starts[g + 1]; c++) if (wanted.includes(corners[c])) shared++
    if (shared <= most) continue
    most = shared
    best = g
  }
  return best
}

function pointsSurface({ numbers, count }: Body): CoreSurface {
  const hull = convexHull(numbers.slice(VERTICES, VERTICES + 3 * count), count)
  return hullSurface(hull, hull.vertices, true)
}

/** Two core points for each edge of the surface. */
export function edgesOf(surface: CoreSurface): Int32Array {
  surface.edges ??= findEdges(surface)
  return surface.edges
}

function findEdges({ starts, corners, neighbours, dimension }: CoreSurface): Int32Array {
  if (dimension < 2) return corners
  const edges = new Int32Array(corners.length)
  let size = 0
  for (let f = 0; f + 1 < starts.length; f++) {
    for (let c = starts[f]; c < starts[f + 1]; c++) {
      if (neighbours[c] < f) continue
      edges[size++] = corners[c]
      edges[size++] = corners[c + 1 < starts[f + 1] ? c + 1 : starts[f]]
    }
  }
  return edges
}

/** The planes of the surface, which is the body's. */
export function planesOf(body: Body, surface: CoreSurface): Float64Array {
  if (surface.extremes === null) surface.extremes = findExtremes(body, surface)
  return surface.planes as Float64Array
}

/** The same numbers, of which those of face `f` are set, and others may still be 0. */
export function planesWith(body: Body, surface: CoreSurface, f: number): Float64Array {
  surface.planes ??= new Float64Array(PLANE_SIZE * (surface.starts.length - 1))
  const { planes } = surface
  // Each has an error.
  if (planes[PLANE_SIZE * f + 4] === 0) findPlane(body, surface, f, planes)
  return planes
}

/** Sets all planes. */
function findExtremes(body: Body, surface: CoreSurface): Int32Array {
  const extremes = new Int32Array(6)
  spend(surface.corners.length)
  for (let f = 0; f + 1 < surface.starts.length; f++) {
    const planes = planesWith(body, surface, f)
    for (let k = 0; k < 3; k++) {
      const along = planes[PLANE_SIZE * f + k]
      if (along < planes[PLANE_SIZE * extremes[2 * k] + k]) extremes[2 * k] = f
      if (along > planes[PLANE_SIZE * extremes[2 * k + 1] + k]) extremes[2 * k + 1] = f
    }
  }
  return extremes
}

/** Two edges of a face from a common corner, high and low of each coordinate; module scratch. */
const high = new Float64Array(6)
const low = new Float64Array(6)
const cross = new Float64Array(3)

function findPlane(body: Body, surface: CoreSurface, f: number, planes: Float64Array): void {
  const { numbers, local } = body
  const { starts, corners } = surface
  const a = corners[starts[f]]
  let best = starts[f] + 1
  let largest = -1
  for (let c = starts[f] + 1; c + 1 < starts[f + 1] && starts[f + 1] - starts[f] > 3; c++) {
    const area = areaOf(body, a, corners[c], corners[c + 1])
    if (area <= largest) continue
    largest = area
    best = c
  }
  takeEdge(body, a, corners[best], 0)
  takeEdge(body, a, corners[best + 1], 3)
  crossEdges()
  const length = vectorLength3d(cross[0], cross[1], cross[2])
  const first = vectorLength3d(high[0], high[1], high[2])
  const second = vectorLength3d(high[3], high[4], high[5])
  const reach = numbers[REACH]
  const at = PLANE_SIZE * f
  const anchor = local + 3 * a
  let offset = 0
  for (let k = 0; k < 3; k++) {
    planes[at + k] = length > 0 ? cross[k] / length : 0
    offset += planes[at + k] * numbers[anchor + k]
  }
  planes[at + 3] = offset
  // A turn moved corners by roundoffs, and tilted the plane of a narrow triangle by as much over its height.
  const tilt = surface.isExact ? 0 : (16 * reach * Math.max(first, second)) / length
  const twofold = (PLANE_TWOFOLD_RATIO * first * second) / length
  const error = reach * (UNIT_ROUNDOFF * (32 + tilt) + twofold)
  planes[at + 4] = length > 0 ? error : Infinity
}

function areaOf({ numbers, local }: Body, a: number, b: number, c: number): number {
  const i = local + 3 * a
  const j = local + 3 * b
  const k = local + 3 * c
  const ux = numbers[j] - numbers[i]
  const uy = numbers[j + 1] - numbers[i + 1]
  const uz = numbers[j + 2] - numbers[i + 2]
  const vx = numbers[k] - numbers[i]
  const vy = numbers[k + 1] - numbers[i + 1]
  const vz = numbers[k + 2] - numbers[i + 2]
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  return x * x + y * y + z * z
}

function takeEdge({ numbers }: Body, from: number, to: number, place: 0 | 3): void {
  for (let k = 0; k < 3; k++) {
    const start = numbers[VERTICES + 3 * from + k]
    const end = numbers[VERTICES + 3 * to + k]
    const difference = end - start
    high[place + k] = difference
    low[place + k] = sumError(end, -start, difference)
  }
}

/** Sets `cross` to the product of the two edges, each coordinate rounded once. */
function crossEdges(): void {
  for (let k = 0; k < 3; k++) {
    const i = k === 2 ? 0 : k + 1
    const j = k === 0 ? 2 : k - 1
    const left = high[i] * high[3 + j]
    const right = high[j] * high[3 + i]
    const difference = left - right
    const rest =
      productError(high[i], high[3 + j], left) -
      productError(high[j], high[3 + i], right) +
      (high[i] * low[3 + j] + low[i] * high[3 + j] - (high[j] * low[3 + i] + low[j] * high[3 + i]))
    cross[k] = difference + (sumError(left, -right, difference) + rest)
  }
}
