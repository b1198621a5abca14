/**
 * The surface of a growing hull: triangles with their neighbours, their planes, and the points that see them.
 *
 * Method: half-edges 3f, 3f + 1, 3f + 2 are those of triangle f, counter-clockwise from outside, in one typed array each; triangles
 * that fall are used again. A plane is kept as a rounded normal and offset with a bound on the error of any point's height over it;
 * where that leaves the sign open, the exact test decides (`orientation.ts`).
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { binaryExponent, type Sign } from '../../numeric/exact-ring.ts'
import { adaptiveOrientationAt, orientationAt } from '../mesh/orientation.ts'
import { PLANE_ERROR_RATIO, PLANE_UNDERFLOW, SMALLEST_SAFE_COORDINATE } from '../tolerances.ts'

// Points brought near 1: what the quick tests of a hull compute with.
//
// Method: each axis is scaled by a power of two of its own, which changes neither a digit nor on which side of a plane a point lies,
// so that slabs and needles of any proportions fill a cube, and no product over- or underflows. For heights over planes the points
// are also kept relative to the middle of their box, rounded.

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

/** Numbers of a plane: normal, offset from the middle of the points' box, error bound. */
export const PLANE_SIZE = 5

export interface HullTriangles {
  /** Triangles that stand or have fallen: there are none from here on. */
  end: number
  /** Where a half-edge starts; −1 at 3f where triangle f has fallen. */
  origin: Int32Array
  twin: Int32Array
  planes: Float64Array
  /** The first of the points that see a triangle, −1 for none; `next` of a point leads on. */
  firstSeer: Int32Array
  /** Of these the farthest, and how far. */
  farthest: Int32Array
  farthestHeight: Float64Array
  /** Set by walks over the surface. */
  mark: Int32Array
  /** The fallen triangles, to be used again. */
  free: Int32Array
  freeCount: number
}

export function createHullTriangles(): HullTriangles {
  const empty = { end: 0, freeCount: 0 } as HullTriangles
  return setRoom(empty, 0)
}

/** Forgets all triangles; gives back room that only many points need. */
export function clearTriangles(t: HullTriangles): void {
  t.end = 0
  t.freeCount = 0
  if (t.firstSeer.length > KEPT_ENTRIES) setRoom(t, 0)
}

function setRoom(t: HullTriangles, room: number): HullTriangles {
  t.origin = grown(t.origin, 3 * room)
  t.twin = grown(t.twin, 3 * room)
  t.firstSeer = grown(t.firstSeer, room)
  t.farthest = grown(t.farthest, room)
  t.mark = grown(t.mark, room)
  t.free = grown(t.free, room)
  const { planes, farthestHeight } = t
  t.planes = new Float64Array(PLANE_SIZE * room)
  t.farthestHeight = new Float64Array(room)
  if (room > 0 && planes !== undefined) {
    t.planes.set(planes)
    t.farthestHeight.set(farthestHeight)
  }
  return t
}

function grown(array: Int32Array | undefined, length: number): Int32Array {
  const longer = new Int32Array(length)
  if (length > 0 && array !== undefined) longer.set(array)
  return longer
}

/** Makes room for so many triangles more. */
export function reserveTriangles(t: HullTriangles, more: number): void {
  const needed = t.end + more - t.freeCount
  if (needed > t.firstSeer.length) setRoom(t, 2 * needed + 32)
}

/** A triangle of three points, counter-clockwise from outside, that no point sees yet. The caller sets its neighbours. */
export function addTriangle(t: HullTriangles, points: ScaledPoints, a: number, b: number, c: number): number {
  const f = t.freeCount > 0 ? t.free[--t.freeCount] : t.end++
  const { origin } = t
  origin[3 * f] = a
  origin[3 * f + 1] = b
  origin[3 * f + 2] = c
  t.firstSeer[f] = -1
  t.mark[f] = 0
  setPlane(t.planes, PLANE_SIZE * f, points, a, b, c)
  return f
}

export function removeTriangle(t: HullTriangles, f: number): void {
  t.origin[3 * f] = -1
  t.free[t.freeCount++] = f
}

function setPlane(planes: Float64Array, at: number, points: ScaledPoints, a: number, b: number, c: number): void {
  const { scaled, local, half } = points
  const i = 3 * a
  const j = 3 * b
  const k = 3 * c
  const ux = scaled[j] - scaled[i]
  const uy = scaled[j + 1] - scaled[i + 1]
  const uz = scaled[j + 2] - scaled[i + 2]
  const vx = scaled[k] - scaled[i]
  const vy = scaled[k + 1] - scaled[i + 1]
  const vz = scaled[k + 2] - scaled[i + 2]
  const yz = uy * vz
  const zy = uz * vy
  const zx = uz * vx
  const xz = ux * vz
  const xy = ux * vy
  const yx = uy * vx
  const nx = yz - zy
  const ny = zx - xz
  const nz = xy - yx
  planes[at] = nx
  planes[at + 1] = ny
  planes[at + 2] = nz
  planes[at + 3] = nx * local[i] + ny * local[i + 1] + nz * local[i + 2]
  const share =
    (Math.abs(yz) + Math.abs(zy)) * half[0] +
    (Math.abs(zx) + Math.abs(xz)) * half[1] +
    (Math.abs(xy) + Math.abs(yx)) * half[2]
  planes[at + 4] = PLANE_ERROR_RATIO * share + PLANE_UNDERFLOW
}

/** 1 when point p lies outside triangle f, −1 inside, 0 in its plane. */
export function sideOf(t: HullTriangles, points: ScaledPoints, f: number, p: number): Sign {
  const { planes } = t
  const { local } = points
  const at = PLANE_SIZE * f
  const height =
    planes[at] * local[3 * p] + planes[at + 1] * local[3 * p + 1] + planes[at + 2] * local[3 * p + 2] - planes[at + 3]
  const bound = planes[at + 4]
  if (height > bound) return 1
  if (height < -bound) return -1
  return exactSideOf(t, points, f, p)
}

/** `sideOf` where rounding leaves the sign open. */
export function exactSideOf({ origin }: HullTriangles, points: ScaledPoints, f: number, p: number): Sign {
  return exactSide(points, origin[3 * f], origin[3 * f + 1], origin[3 * f + 2], p)
}

function exactSide(points: ScaledPoints, a: number, b: number, c: number, p: number): Sign {
  if (a === p || b === p || c === p) return 0
  const { scaled, isSafe, given } = points
  if (!isSafe) return orientationAt(given, a, b, c, p)
  // The faces of boxes, the layers of grids.
  for (let axis = 0; axis < 3; axis++) {
    const value = scaled[3 * p + axis]
    if (scaled[3 * a + axis] === value && scaled[3 * b + axis] === value && scaled[3 * c + axis] === value) return 0
  }
  return adaptiveOrientationAt(scaled, a, b, c, p)
}

/** The side of the plane of any three points: 1 when p lies on the side from which they are seen counter-clockwise. */
export function sideOfThree(points: ScaledPoints, a: number, b: number, c: number, p: number): Sign {
  return points.isSafe ? orientationAt(points.scaled, a, b, c, p) : orientationAt(points.given, a, b, c, p)
}

/** Whether the triangles on both sides of a half-edge lie in one plane. */
export function isFlatEdge(t: HullTriangles, points: ScaledPoints, edge: number): boolean {
  const other = t.twin[edge]
  const opposite = other % 3 === 0 ? other + 2 : other - 1
  return sideOf(t, points, (edge / 3) | 0, t.origin[opposite]) === 0
}

export function nextEdge(edge: number): number {
  return edge % 3 === 2 ? edge - 2 : edge + 1
}

/** Sets the neighbours of a half-edge and its twin. */
export function joinEdges(t: HullTriangles, edge: number, other: number): void {
  t.twin[edge] = other
  t.twin[other] = edge
}

/** Steps that looking at so many points and triangles takes: a few are as much as one step of the budget. */
export function spendLooks(looks: number): void {
  spend(1 + (looks >> 2))
}
