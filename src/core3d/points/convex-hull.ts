/**
 * The convex hull of points in space, whatever they are.
 *
 * Method: the dimension first, by four points that span it, exactly. Points of a plane are those of their shadow along an axis
 * (`core2d/points/convex-hull.ts`); all others `hull-growth.ts` joins in triangles, of which `hull-surface.ts` makes faces.
 * Every sign is exact, so the hull is that of the given doubles, to the last bit.
 * Frame: that of the points.
 */

import { spend } from '../../containers/budget.ts'
import { convexHull as flatConvexHull } from '../../core2d/points/convex-hull.ts'
import { FARTHEST_FIRST_COUNT } from '../tolerances.ts'
import { areCollinearAt, normalSignAt } from './collinearity.ts'
import { giveBackGrowth, growHull } from './hull-growth.ts'
import {
  type ConvexHull,
  flatHull,
  giveBackSurface,
  type HullCorners,
  hullFaces,
  pointHull,
  segmentHull,
  solidCorners,
  withoutMesh,
} from './hull-surface.ts'
import {
  addTriangle,
  clearTriangles,
  createHullTriangles,
  PLANE_SIZE,
  reserveTriangles,
  sideOf,
} from './hull-triangles.ts'
import {
  comparePoints,
  createScaledPoints,
  releaseScaledPoints,
  type ScaledPoints,
  setScaledPoints,
} from './scaled-points.ts'

const cloud = createScaledPoints()
const triangles = createHullTriangles()

/**
 * The hull of so many points x0, y0, z0, x1, … (finite). It does not depend on the order of the points, but for the indices that
 * name them: of equal points the least one. Cost O(n log n) expected.
 * `farthestFirst`: how much to do before points go at random, in the measure of `FARTHEST_FIRST_COUNT`; no matter for the hull.
 */
export function convexHull(points: Float64Array, count: number, farthestFirst = FARTHEST_FIRST_COUNT): ConvexHull {
  try {
    return hullFaces(hullCorners(points, count, farthestFirst))
  } finally {
    giveBackSurface()
  }
}

/** The corners of the same hull, whose faces may be asked for later. */
export function hullCorners(points: Float64Array, count: number, farthestFirst = FARTHEST_FIRST_COUNT): HullCorners {
  if (count === 0) return withoutMesh(pointHull(-1, new Int32Array(0)))
  // However it ends: what many points need is given back.
  try {
    setScaledPoints(cloud, points, count)
    clearTriangles(triangles)
    reserveTriangles(triangles, 4)
    return spannedHull(cloud, farthestFirst)
  } finally {
    releaseScaledPoints(cloud)
    clearTriangles(triangles)
    giveBackGrowth()
  }
}

function spannedHull(points: ScaledPoints, farthestFirst: number): HullCorners {
  const { given } = points
  const [a, b] = farEnds(points)
  if (a === b) return withoutMesh(pointHull(0, Int32Array.of(a)))
  const c = offLine(points, a, b)
  if (c < 0) return withoutMesh(segmentHull(given, a, b))
  const probe = addTriangle(triangles, points, a, b, c)
  const d = offPlane(points, probe)
  if (d < 0) return withoutMesh(flatHull(given, ringOf(points, a, b, c)))
  const isBelow = sideOf(triangles, points, probe, d) < 0
  clearTriangles(triangles)
  growHull(triangles, points, [a, isBelow ? b : c, isBelow ? c : b, d], farthestFirst)
  return solidCorners(triangles, points)
}

/** The first and the last point along x, of these along y, of these along z; two that are the same if all points are. */
function farEnds({ given, count }: ScaledPoints): [first: number, last: number] {
  spend(count)
  let first = 0
  let last = 0
  for (let p = 1; p < count; p++) {
    if (comparePoints(given, p, first) < 0) first = p
    if (comparePoints(given, p, last) > 0) last = p
  }
  return [first, last]
}

/** A point far off the line through a and b, −1 where all are on it. */
function offLine({ given, scaled, count }: ScaledPoints, a: number, b: number): number {
  spend(count)
  const ux = scaled[3 * b] - scaled[3 * a]
  const uy = scaled[3 * b + 1] - scaled[3 * a + 1]
  const uz = scaled[3 * b + 2] - scaled[3 * a + 2]
  let best = 0
  let farthest = -1
  for (let p = 0; p < count; p++) {
    const vx = scaled[3 * p] - scaled[3 * a]
    const vy = scaled[3 * p + 1] - scaled[3 * a + 1]
    const vz = scaled[3 * p + 2] - scaled[3 * a + 2]
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    const square = x * x + y * y + z * z
    if (square > farthest) {
      farthest = square
      best = p
    }
  }
  if (!areCollinearAt(given, a, b, best)) return best
  for (let p = 0; p < count; p++) if (!areCollinearAt(given, a, b, p)) return p
  return -1
}

/** A point far off the plane of a triangle, −1 where all are in it. */
function offPlane(points: ScaledPoints, probe: number): number {
  const { local, count } = points
  const { planes } = triangles
  const at = PLANE_SIZE * probe
  spend(count)
  let best = 0
  let farthest = -1
  for (let p = 0; p < count; p++) {
    const height = Math.abs(
      planes[at] * local[3 * p] +
        planes[at + 1] * local[3 * p + 1] +
        planes[at + 2] * local[3 * p + 2] -
        planes[at + 3],
    )
    if (height > farthest) {
      farthest = height
      best = p
    }
  }
  if (sideOf(triangles, points, probe, best) !== 0) return best
  for (let p = 0; p < count; p++) if (sideOf(triangles, points, probe, p) !== 0) return p
  return -1
}

/** The corners of points in a plane, in order around them. */
function ringOf({ given, count }: ScaledPoints, a: number, b: number, c: number): Int32Array {
  let axis = 0
  while (normalSignAt(given, a, b, c, axis) === 0) axis++
  const u = (axis + 1) % 3
  const v = (axis + 2) % 3
  const shadow = new Float64Array(2 * count)
  for (let p = 0; p < count; p++) {
    shadow[2 * p] = given[3 * p + u]
    shadow[2 * p + 1] = given[3 * p + v]
  }
  const ring = new Int32Array(count)
  return ring.slice(0, flatConvexHull(shadow, count, ring))
}
