/**
 * How far apart the cores of two bounded bodies are, between two bounds that are both proven.
 *
 * Method: GJK (E. Gilbert, D. Johnson, S. Keerthi, 1988). The nearest point of the simplex bounds the distance from above; the plane
 * through the support across it bounds it from below (G. van den Bergen, "A fast and robust GJK implementation", Journal of Graphics
 * Tools 4 (1999)). The best of either are kept, so that what rounding does late undoes nothing.
 * Frame: world axes; points of the first body count from its anchor, those of the second from its own.
 * Cost: O(points of both) a step.
 */

import { spend } from '../../containers/budget.ts'
import { POINTS, RADIUS } from '../shape/body.ts'
import { kindOf, topPoint } from '../shape/kinds.ts'
import {
  DUALITY_GAP_RATIO,
  GJK_ITERATION_COUNT,
  SEPARATION_ERROR_RATIO,
  STALLED_ITERATION_COUNT,
  VOLUME_ERROR_RATIO,
  WEIGHT_STEP_COUNT,
} from '../tolerances.ts'
import type { PairFrame } from './pair-frame.ts'

export interface Bounds {
  /** No larger than the distance of the cores, but for a height's rounding error; negative where nothing is known. */
  lower: number
  /** No smaller than that, likewise; 0 where the cores meet. */
  upper: number
  /** Unit vector from the second to the first, along which the lower bound holds; 0 0 0 where the cores meet. */
  nx: number
  ny: number
  nz: number
  /** The simplex that the upper bound holds for. */
  simplex: Simplex
}

export function createBounds(): Bounds {
  return { lower: 0, upper: 0, nx: 0, ny: 0, nz: 0, simplex: createSimplex() }
}

function putSupport(frame: PairFrame, simplex: Simplex, x: number, y: number, z: number): number {
  return putDifference(frame, x, y, z, simplex, simplex.count)
}

function isRepeated(simplex: Simplex): boolean {
  const { count, indexA, indexB, w } = simplex
  for (let i = 0; i < count; i++) {
    if (indexA[i] >= 0 && indexB[i] >= 0) {
      if (indexA[i] === indexA[count] && indexB[i] === indexB[count]) return true
    } else if (w[3 * i] === w[3 * count] && w[3 * i + 1] === w[3 * count + 1] && w[3 * i + 2] === w[3 * count + 2]) {
      return true
    }
  }
  return false
}

/** Bounds the distance of the cores of a pair without half-spaces, to within `gap` of the extent if rounding lets it. */
export function boundDistance(frame: PairFrame, out: Bounds, gap = DUALITY_GAP_RATIO): void {
  begin(frame, out)
  isOpen = search(frame, out, gap * frame.extent)
}

function begin(frame: PairFrame, out: Bounds): void {
  const { dx, dy, dz } = frame
  const work = scratch
  work.count = 0
  clearBounds(out)
  // Towards the second body, if there is a way.
  putSupport(frame, work, dx === 0 && dy === 0 && dz === 0 ? 1 : dx, dy, dz)
  work.count = 1
}

function clearBounds(out: Bounds): void {
  out.lower = -Infinity
  out.upper = Infinity
  out.nx = 0
  out.ny = 0
  out.nz = 0
}

/** `boundDistance` that ends where the distance is known to be less than `near`, or more than `far`. */
export function boundSide(frame: PairFrame, out: Bounds, near: number, far: number, gap = DUALITY_GAP_RATIO): void {
  begin(frame, out)
  isOpen = search(frame, out, gap * frame.extent, near, far)
}

/**
 * Bounds the distance of a pair of core points as `boundDistance` does, but starts from the simplex of `out`, which another pose of the
 * same two bodies has left: where the nearest features are the same, one support ends the search.
 */
export function boundDistanceAgain(frame: PairFrame, out: Bounds): void {
  const { count, indexA, indexB } = out.simplex
  const work = scratch
  for (let i = 0; i < count; i++) putCorners(frame, indexA[i], indexB[i], work, i)
  work.count = count
  clearBounds(out)
  isOpen = search(frame, out, DUALITY_GAP_RATIO * frame.extent)
}

/** Whether the last search could have gone on. */
let isOpen = false

/** Narrows the bounds that `boundDistance` has just found of the same pair as far as rounding lets it. */
export function narrowDistance(frame: PairFrame, out: Bounds): void {
  const stop = DUALITY_GAP_RATIO * frame.extent
  if (!isOpen || out.upper - out.lower <= stop) return
  scratch.count++
  isOpen = search(frame, out, stop)
}

/** Returns whether it ended at bounds so near that a search for nearer ones might go on with one more point. */
function search(frame: PairFrame, out: Bounds, stop: number, near = -Infinity, far = Infinity): boolean {
  const { extent } = frame
  const { simplex } = out
  const work = scratch
  let stalled = 0
  for (let step = 0; step < GJK_ITERATION_COUNT; step++) {
    spend(2 + ((frame.first.count + frame.second.count) >> 2))
    reduceSimplex(work, extent)
    const distance = work.holds > 0 ? 0 : Math.sqrt(work.square)
    const flat = work.x * work.x + work.y * work.y + work.z * work.z
    const length = flat === work.square ? distance : Math.sqrt(flat)
    const isInside = distance === 0 || length === 0
    const x = isInside ? 0 : work.x / length
    const y = isInside ? 0 : work.y / length
    const z = isInside ? 0 : work.z / length
    if (distance < out.upper) {
      out.upper = distance
      copySimplex(work, simplex)
      simplex.x = x * distance
      simplex.y = y * distance
      simplex.z = z * distance
      stalled = 0
    } else if (++stalled > STALLED_ITERATION_COUNT) return false
    if (isInside) return false
    const lower = -putSupport(frame, work, -x, -y, -z)
    if (lower > out.lower) {
      out.lower = lower
      out.nx = x
      out.ny = y
      out.nz = z
    }
    if (isRepeated(work)) return false
    if (out.upper - out.lower <= stop || out.lower > far || out.upper < near) return true
    work.count++
  }
  return false
}

const scratch = createSimplex()

function copySimplex(from: Simplex, to: Simplex): void {
  const { count } = from
  to.count = count
  for (let i = 0; i < count; i++) {
    to.indexA[i] = from.indexA[i]
    to.indexB[i] = from.indexB[i]
    to.weights[i] = from.weights[i]
  }
  // Copied one by one: three calls would cost more.
  for (let i = 0; i < 3 * count; i++) {
    to.w[i] = from.w[i]
    to.a[i] = from.a[i]
    to.b[i] = from.b[i]
  }
  to.holds = from.holds
}

// A simplex of up to four points of the difference A − B, and its point nearest the origin.
//
// Method: of all faces whose nearest point of their plane or line lies inside them, the nearest (D. Johnson's subalgorithm, as in
// E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional
// space", IEEE Journal of Robotics and Automation 4 (1988)), with the distances compared instead of the signs of cofactors, so that
// rounding leaves some face to take. The newest point lies nearer than the plane through the nearest point of the others, so it is a
// corner of the face: others are not tried, which near parallel faces may be as near as doubles tell.

export interface Simplex extends DifferencePlaces {
  count: number
  /** Of the nearest point: weights of the points, itself as its direction is known best, and the square of its distance. */
  weights: Float64Array
  x: number
  y: number
  z: number
  square: number
  /** Whether the origin lies inside: 2 for certain, 1 as far as rounding tells, 0 not. */
  holds: 0 | 1 | 2
}

function createSimplex(): Simplex {
  return {
    count: 0,
    ...createDifferencePlaces(5),
    weights: new Float64Array(5),
    x: 0,
    y: 0,
    z: 0,
    square: 0,
    holds: 0,
  }
}

const best = { square: Infinity, mask: 0, x: 0, y: 0, z: 0, weights: new Float64Array(4) }

/** Sets the nearest point of the simplex, whose last point is new, and leaves the points that it lies between. */
function reduceSimplex(simplex: Simplex, extent: number): void {
  const { count } = simplex
  best.square = Infinity
  simplex.holds = 0
  if (count === 4 && holdsOrigin(simplex, extent)) return
  const newest = count - 1
  tryVertex(simplex, newest)
  for (let j = 0; j < newest; j++) {
    trySegment(simplex, j, newest)
    for (let k = 0; k < j; k++) tryTriangle(simplex, k, j, newest)
  }
  keepBest(simplex)
}

function keepBest(simplex: Simplex): void {
  const { w, a, b, indexA, indexB, weights, count } = simplex
  let kept = 0
  for (let i = 0; i < count; i++) {
    if (((best.mask >> i) & 1) === 0) continue
    if (kept < i) {
      for (let k = 0; k < 3; k++) {
        w[3 * kept + k] = w[3 * i + k]
        a[3 * kept + k] = a[3 * i + k]
        b[3 * kept + k] = b[3 * i + k]
      }
      indexA[kept] = indexA[i]
      indexB[kept] = indexB[i]
    }
    weights[kept++] = best.weights[i]
  }
  simplex.count = kept
  simplex.x = best.x
  simplex.y = best.y
  simplex.z = best.z
  simplex.square = best.square
}

function take(mask: number, x: number, y: number, z: number): boolean {
  const square = x * x + y * y + z * z
  if (!(square < best.square)) return false
  setBest(mask, square, x, y, z)
  return true
}

function setBest(mask: number, square: number, x: number, y: number, z: number): void {
  best.square = square
  best.mask = mask
  best.x = x
  best.y = y
  best.z = z
}

function tryVertex({ w }: Simplex, i: number): void {
  if (take(1 << i, w[3 * i], w[3 * i + 1], w[3 * i + 2])) best.weights[i] = 1
}

function trySegment({ w }: Simplex, i: number, j: number): void {
  const px = w[3 * i]
  const py = w[3 * i + 1]
  const pz = w[3 * i + 2]
  const ex = w[3 * j] - px
  const ey = w[3 * j + 1] - py
  const ez = w[3 * j + 2] - pz
  const square = ex * ex + ey * ey + ez * ez
  const along = -(px * ex + py * ey + pz * ez)
  if (!(along > 0 && along < square)) return
  const t = along / square
  const x = px + t * ex
  const y = py + t * ey
  const z = pz + t * ez
  // Nearly all of it may have cancelled: what is left is across the edge again, as its direction is what counts.
  const rest = (x * ex + y * ey + z * ez) / square
  if (take((1 << i) | (1 << j), x - rest * ex, y - rest * ey, z - rest * ez)) {
    best.weights[i] = 1 - t
    best.weights[j] = t
  }
}

function tryTriangle({ w }: Simplex, i: number, j: number, k: number): void {
  const ax = w[3 * i]
  const ay = w[3 * i + 1]
  const az = w[3 * i + 2]
  const bx = w[3 * j]
  const by = w[3 * j + 1]
  const bz = w[3 * j + 2]
  const cx = w[3 * k]
  const cy = w[3 * k + 1]
  const cz = w[3 * k + 2]
  const abx = bx - ax
  const aby = by - ay
  const abz = bz - az
  const acx = cx - ax
  const acy = cy - ay
  const acz = cz - az
  const bcx = cx - bx
  const bcy = cy - by
  const bcz = cz - bz
  const ab = abx * abx + aby * aby + abz * abz
  const ac = acx * acx + acy * acy + acz * acz
  // Across the short sides of a sliver, which lose nothing where long ones cancel.
  const isShort = bcx * bcx + bcy * bcy + bcz * bcz < Math.max(ab, ac)
  const ex = isShort ? bcx : abx
  const ey = isShort ? bcy : aby
  const ez = isShort ? bcz : abz
  const fx = isShort ? (ab < ac ? -abx : -acx) : acx
  const fy = isShort ? (ab < ac ? -aby : -acy) : acy
  const fz = isShort ? (ab < ac ? -abz : -acz) : acz
  const nx = ey * fz - ez * fy
  const ny = ez * fx - ex * fz
  const nz = ex * fy - ey * fx
  const square = nx * nx + ny * ny + nz * nz
  if (!(square > 0)) return
  const u = nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx)
  const v = nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)
  const t = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx)
  if (!(u > 0 && v > 0 && t > 0)) return
  const sum = u + v + t
  const p = u / sum
  const q = v / sum
  const r = t / sum
  // The normal of a sliver says little about how near it is; the point of the triangle does.
  const x = p * ax + q * bx + r * cx
  const y = p * ay + q * by + r * cy
  const z = p * az + q * bz + r * cz
  const nearest = x * x + y * y + z * z
  if (!(nearest < best.square)) return
  const height = (nx * ax + ny * ay + nz * az) / square
  setBest((1 << i) | (1 << j) | (1 << k), nearest, nx * height, ny * height, nz * height)
  best.weights[i] = p
  best.weights[j] = q
  best.weights[k] = r
}

/** Six times the signed volume of the origin and three points. */
function volume(w: Float64Array, i: number, j: number, k: number): number {
  const a = 3 * i
  const b = 3 * j
  const c = 3 * k
  return (
    w[a] * (w[b + 1] * w[c + 2] - w[b + 2] * w[c + 1]) +
    w[a + 1] * (w[b + 2] * w[c] - w[b] * w[c + 2]) +
    w[a + 2] * (w[b] * w[c + 1] - w[b + 1] * w[c])
  )
}

function holdsOrigin(simplex: Simplex, extent: number): boolean {
  const { w, weights } = simplex
  const v0 = volume(w, 1, 2, 3)
  const v1 = -volume(w, 0, 2, 3)
  const v2 = volume(w, 0, 1, 3)
  const v3 = -volume(w, 0, 1, 2)
  const inside = (v0 > 0 && v1 > 0 && v2 > 0 && v3 > 0) || (v0 < 0 && v1 < 0 && v2 < 0 && v3 < 0)
  if (!inside) return false
  const sum = v0 + v1 + v2 + v3
  weights[0] = v0 / sum
  weights[1] = v1 / sum
  weights[2] = v2 / sum
  weights[3] = v3 / sum
  const least = Math.min(Math.abs(v0), Math.abs(v1), Math.abs(v2), Math.abs(v3))
  const isSure = least > VOLUME_ERROR_RATIO * extent * extent * extent
  // Of a sliver the volumes may be nothing but rounding.
  if (!isSure && measureRest(simplex) > SEPARATION_ERROR_RATIO * extent) return false
  simplex.holds = isSure ? 2 : 1
  simplex.x = 0
  simplex.y = 0
  simplex.z = 0
  return true
}

/** The residual of the nearest point where the weights make it the origin. */
const rest = new Float64Array(3)

/** Sets `rest`, and returns the largest component of it. */
function measureRest({ w, weights }: Simplex): number {
  for (let k = 0; k < 3; k++) {
    rest[k] = weights[0] * w[k] + weights[1] * w[3 + k] + weights[2] * w[6 + k] + weights[3] * w[9 + k]
  }
  return Math.max(Math.abs(rest[0]), Math.abs(rest[1]), Math.abs(rest[2]))
}

/**
 * Brings the weights of a tetrahedron that surely holds the origin nearer to those of the origin: where it is thin, what rounding has
 * left in its volumes moves the point far along it. Each step leaves a small part of what they were off.
 */
export function sharpenWeights(simplex: Simplex, extent: number): void {
  const { w, weights } = simplex
  let before = Infinity
  for (let step = 0; step < WEIGHT_STEP_COUNT; step++) {
    const size = measureRest(simplex)
    if (!(size > SEPARATION_ERROR_RATIO * extent && size < before / 2)) return
    before = size
    for (let i = 0; i < 9; i++) edges[i] = w[3 + i] - w[i % 3]
    const whole = determinant(edges, 0, edges, 3, edges, 6)
    const shares = [
      determinant(rest, 0, edges, 3, edges, 6),
      determinant(edges, 0, rest, 0, edges, 6),
      determinant(edges, 0, edges, 3, rest, 0),
    ]
    for (const [i, share] of shares.entries()) {
      weights[i + 1] -= share / whole
      weights[0] += share / whole
    }
  }
}

const edges = new Float64Array(9)

function determinant(p: Float64Array, a: number, q: Float64Array, b: number, r: Float64Array, c: number): number {
  return (
    p[a] * (q[b + 1] * r[c + 2] - q[b + 2] * r[c + 1]) +
    p[a + 1] * (q[b + 2] * r[c] - q[b] * r[c + 2]) +
    p[a + 2] * (q[b] * r[c + 1] - q[b + 1] * r[c])
  )
}

// Farthest points of the difference of two bodies, first − second: of the first along a direction, of the second against it.

const pointA = new Float64Array(3)
const pointB = new Float64Array(3)

/** Writes what is farthest along (x, y, z) into place `at` of the arrays that are wanted. Returns its height. */
export function putDifference(
  frame: PairFrame,
  x: number,
  y: number,
  z: number,
  places: DifferencePlaces,
  at: number,
): number {
  const { first, second } = frame
  const { w } = places
  if (first.kind === POINTS && second.kind === POINTS) {
    putCorners(frame, topPoint(first, x, y, z), topPoint(second, -x, -y, -z), places, at)
  } else {
    pointA[0] = 0
    pointA[1] = 0
    pointA[2] = 0
    places.indexA[at] = kindOf(first).support(first, x, y, z, pointA)
    // Where all of a line or disc of the second is as far, the point that faces the first brings the two nearest.
    pointB[0] = pointA[0] - frame.dx
    pointB[1] = pointA[1] - frame.dy
    pointB[2] = pointA[2] - frame.dz
    places.indexB[at] = kindOf(second).support(second, -x, -y, -z, pointB)
    putPoints(frame, places, at)
  }
  return x * w[3 * at] + y * w[3 * at + 1] + z * w[3 * at + 2]
}

/** Moves a point of the difference on by both skins, along a unit vector. */
export function addSkins(
  { first, second }: PairFrame,
  x: number,
  y: number,
  z: number,
  { w, a, b }: DifferencePlaces,
  at: number,
): void {
  const i = 3 * at
  const radiusA = first.numbers[RADIUS]
  const radiusB = second.numbers[RADIUS]
  a[i] += radiusA * x
  a[i + 1] += radiusA * y
  a[i + 2] += radiusA * z
  b[i] -= radiusB * x
  b[i + 1] -= radiusB * y
  b[i + 2] -= radiusB * z
  w[i] += (radiusA + radiusB) * x
  w[i + 1] += (radiusA + radiusB) * y
  w[i + 2] += (radiusA + radiusB) * z
}

/** Writes the difference of two core points. */
function putCorners(frame: PairFrame, i: number, j: number, places: DifferencePlaces, at: number): void {
  const { first, second } = frame
  const atA = first.local + 3 * i
  const atB = second.local + 3 * j
  places.indexA[at] = i
  places.indexB[at] = j
  pointA[0] = first.numbers[atA]
  pointA[1] = first.numbers[atA + 1]
  pointA[2] = first.numbers[atA + 2]
  pointB[0] = second.numbers[atB]
  pointB[1] = second.numbers[atB + 1]
  pointB[2] = second.numbers[atB + 2]
  putPoints(frame, places, at)
}

function putPoints({ dx, dy, dz }: PairFrame, { w, a, b }: DifferencePlaces, at: number): void {
  const i = 3 * at
  const ax = pointA[0]
  const ay = pointA[1]
  const az = pointA[2]
  const bx = pointB[0]
  const by = pointB[1]
  const bz = pointB[2]
  a[i] = ax
  a[i + 1] = ay
  a[i + 2] = az
  b[i] = bx
  b[i + 1] = by
  b[i + 2] = bz
  w[i] = ax - bx - dx
  w[i + 1] = ay - by - dy
  w[i + 2] = az - bz - dz
}

/** Where points of the difference are kept, three numbers each. */
interface DifferencePlaces {
  w: Float64Array
  /** The points of the first and second body that they are the differences of. */
  a: Float64Array
  b: Float64Array
  /** Which core points these are; −1 on curved surfaces. */
  indexA: Int32Array
  indexB: Int32Array
}

export function createDifferencePlaces(count: number): DifferencePlaces {
  return {
    w: new Float64Array(3 * count),
    a: new Float64Array(3 * count),
    b: new Float64Array(3 * count),
    indexA: new Int32Array(count),
    indexB: new Int32Array(count),
  }
}
