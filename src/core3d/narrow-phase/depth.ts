/**
 * Penetration depth: the shortest translation that parts two bodies that meet.
 *
 * Method: a body that only its skin brings to the other has its way out along the nearest points of the cores; deeper ones along the
 * nearest face of an expanding polytope, which for core points is a face of the difference itself, and for curved bodies lies
 * between two proven bounds (`expanding-polytope.ts`). Half-spaces have but one way.
 * Frame: world. The normal points from the first body to the second.
 */

import { spend } from '../../containers/budget.ts'
import { exactly, type Ring } from '../../numeric/exact-ring.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import {
  addTwofold,
  divideTwofold,
  dotTwofold,
  multiplyTwofold,
  negateTwofold,
  rootTwofold,
  roundTwofold,
  twofold,
} from '../../numeric/twofold.ts'
import { ANCHOR, type Body, HALFSPACE, NORMAL, OFFSET, POINTS, POSITION, RADIUS, UNIT } from '../shape/body.ts'
import {
  cross,
  dot,
  type Exact,
  exactOffset,
  exactTriple,
  exactVertex,
  inputRangeOf,
  isZero,
  largestOf,
  minus,
  plus,
} from '../shape/exact-points.ts'
import { kindOf } from '../shape/kinds.ts'
import {
  CURVED_POLYTOPE_GAP_RATIO,
  DUALITY_GAP_RATIO,
  EXACT_FACE_COUNT,
  LEAST_DEPTH_SHARE,
  OPEN_GAP_RATIO,
  SHORTENING_COUNT,
  SHORTENING_REACH_RATIO,
} from '../tolerances.ts'
import { CORES_DEGREE, type ExactCores, exactCores, lowest } from './exact-cores.ts'
import { createPenetration, type Penetration, penetrate } from './expanding-polytope.ts'
import { type Bounds, boundDistance, createBounds } from './gjk.ts'
import { lowestHeight } from './halfspace-any.ts'
import type { PairFrame } from './pair-frame.ts'
import { boundCurved, searchWays, settle, settleWay } from './smooth-contact.ts'

export interface Depth {
  /** Length of the shortest translation that just parts the pair; Infinity where none does. */
  depth: number
  /** Unit vector from the first to the second; 0 0 0 where nothing parts them. */
  nx: number
  ny: number
  nz: number
  /** Point of the first body's surface that lies deepest in the second along it. */
  px: number
  py: number
  pz: number
}

export function createDepth(): Depth {
  return { depth: 0, nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0 }
}

const bounds = createBounds()
const penetration = createPenetration()
const point = new Float64Array(3)

/** Of a half-space, the second, and any body that it meets. */
export function measureHalfspaceDepth(frame: PairFrame, out: Depth): void {
  if (frame.first.kind === HALFSPACE) measureHalfspaces(frame.first, frame.second, out)
  else measureHalfspace(frame, out)
}

/** The pair, without half-spaces, meets; `found`: what GJK has found of it, `isSettled`: of curved cores that are apart as well as can be. */
export function measureDepth(frame: PairFrame, found: Bounds, out: Depth, isSettled = false): void {
  const { first, second, extent } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  const { upper, simplex } = found
  if (upper > OPEN_GAP_RATIO * extent) {
    // Of points the simplex is the nearest to the last digit; beside what is curved the direction is, once it has settled.
    if (first.kind === POINTS && second.kind === POINTS)
      setWay(out, -simplex.x / upper, -simplex.y / upper, -simplex.z / upper, Math.max(skins - upper, 0))
    else {
      if (!isSettled) settle(frame, found)
      setWay(out, -found.nx, -found.ny, -found.nz, Math.max(skins - found.lower, 0))
    }
    blend(simplex.a, simplex.weights, simplex.count)
  } else {
    penetrate(frame, simplex, penetration)
    if (first.kind !== POINTS || second.kind !== POINTS) {
      const isFound = settleWay(frame, penetration)
      // Only a curved body leaves the polytope short of the shortest way.
      if (penetration.upper - penetration.lower > CURVED_POLYTOPE_GAP_RATIO * extent) {
        if (shorten(frame) || !isFound) settleWay(frame, penetration)
        searchWays(frame, penetration)
      }
    }
    setWay(out, penetration.nx, penetration.ny, penetration.nz, Math.max(skins + penetration.upper, 0))
    point.set(penetration.a)
  }
  setPoint(first, out)
}

/** A depth that the pair, without half-spaces, surely has, no less than about half of its own where that is clear; 0 or less where none is known. */
export function leastDepth(frame: PairFrame, { upper, simplex }: Bounds): number {
  const { first, second, extent } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (upper > OPEN_GAP_RATIO * extent) return skins - upper
  penetrate(frame, simplex, penetration, LEAST_DEPTH_SHARE)
  return skins + Math.min(penetration.lower, penetration.upper)
}

/**
 * Shortens the way in `penetration`: where a shape of revolution has a circle of shortest ways, the polytope ends before it is round.
 * The second body is put beyond the end of the way, and the nearest points of the pair so parted give a way that is no longer: the
 * step of the proximal point method (R. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
 * and Optimization 14 (1976)). Returns whether it is shorter.
 */
function shorten(frame: PairFrame): boolean {
  const { extent, dx, dy, dz } = frame
  const stop = DUALITY_GAP_RATIO * extent
  let isShorter = false
  for (let step = 0; step < SHORTENING_COUNT; step++) {
    const { upper, nx, ny, nz } = penetration
    const way = upper + SHORTENING_REACH_RATIO * extent
    const parted = { ...frame, dx: dx + way * nx, dy: dy + way * ny, dz: dz + way * nz }
    boundCurved(parted, bounds)
    const gap = bounds.lower
    const cosine = -(bounds.nx * nx + bounds.ny * ny + bounds.nz * nz)
    const shorter = cosine * way - gap
    if (!(shorter < upper)) return isShorter
    isShorter = true
    penetration.upper = shorter
    penetration.nx = -bounds.nx
    penetration.ny = -bounds.ny
    penetration.nz = -bounds.nz
    blend(bounds.simplex.a, bounds.simplex.weights, bounds.simplex.count)
    penetration.a.set(point)
    blend(bounds.simplex.b, bounds.simplex.weights, bounds.simplex.count)
    penetration.b.set(point)
    if (upper - shorter <= stop) return isShorter
  }
  return isShorter
}

function setWay(out: Depth, nx: number, ny: number, nz: number, depth: number): void {
  out.depth = depth
  out.nx = nx
  out.ny = ny
  out.nz = nz
}

/** The nearest point of the simplex in `point`. */
function blend(points: Float64Array, weights: Float64Array, count: number): void {
  point.fill(0)
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) point[k] += weights[i] * points[3 * i + k]
}

/** Sets the point of the answer: `point`, which counts from the anchor, moved out to the skin and into the world. */
function setPoint({ numbers }: Body, out: Depth): void {
  const radius = numbers[RADIUS]
  out.px = numbers[POSITION] + (numbers[ANCHOR] + point[0] + radius * out.nx)
  out.py = numbers[POSITION + 1] + (numbers[ANCHOR + 1] + point[1] + radius * out.ny)
  out.pz = numbers[POSITION + 2] + (numbers[ANCHOR + 2] + point[2] + radius * out.nz)
}

function measureHalfspace({ first, second, dx, dy, dz }: PairFrame, out: Depth): void {
  const { numbers } = second
  const nx = -numbers[UNIT]
  const ny = -numbers[UNIT + 1]
  const nz = -numbers[UNIT + 2]
  point.fill(0)
  kindOf(first).support(first, nx, ny, nz, point)
  const height = (point[0] - dx) * nx + (point[1] - dy) * ny + (point[2] - dz) * nz
  setWay(out, nx, ny, nz, Math.max(height + numbers[OFFSET] + first.numbers[RADIUS], 0))
  setPoint(first, out)
}

/** Two half-spaces can be parted only where their normals are opposite. */
function measureHalfspaces({ numbers: a }: Body, { numbers: b }: Body, out: Depth): void {
  const isOpposite = [0, 1, 2].every((k) => a[UNIT + k] === -b[UNIT + k])
  if (!isOpposite) {
    setWay(out, 0, 0, 0, Infinity)
    return
  }
  let apart = 0
  for (let k = 0; k < 3; k++) apart += (b[POSITION + k] - a[POSITION + k]) * a[UNIT + k]
  setWay(out, a[UNIT], a[UNIT + 1], a[UNIT + 2], Math.max(a[OFFSET] + b[OFFSET] - apart, 0))
  out.px = a[POSITION] + a[OFFSET] * a[UNIT]
  out.py = a[POSITION + 1] + a[OFFSET] * a[UNIT + 1]
  out.pz = a[POSITION + 2] + a[OFFSET] * a[UNIT + 2]
}

// The depth of two bodies of core points where it is so small that rounding dominates it, to the last digits.
//
// Method: cores that are apart by less than their skins by their exact distance. Others by the face of their difference that is
// nearest to the origin: from the one that the polytope ended at, to the farthest point over its plane in exact arithmetic, as long as
// there is one. Then the height of its plane is a quotient of exact numbers. In a half-space the lowest point counts.

/** Steps of one exact face. */
const FACE_STEPS = 64

/** Sets the depth of a pair that overlaps, and the normal where that is one of a face; false, with nothing said, where it is not of core points. */
export function setExactDepth(frame: PairFrame, out: Depth): boolean {
  const { first, second } = frame
  if (first.kind !== POINTS || (second.kind !== POINTS && second.kind !== HALFSPACE)) return false
  const depth = second.kind === HALFSPACE ? 0 - exactGap(first, second) : coreDepth(frame, out)
  if (!(depth > 0)) return false
  out.depth = depth
  return true
}

/** Height of the lowest point of a body of core points over the boundary of a half-space, rounded once but for a hair. */
function exactGap(body: Body, halfspace: Body): number {
  return exactly(inputRangeOf(body, halfspace), CORES_DEGREE, (ring) => {
    const normal = exactTriple(ring, halfspace, NORMAL)
    const offset = exactOffset(ring, body, halfspace)
    const height = ring.add(dot(ring, normal, offset), lowestHeight(ring, body, normal).rational)
    const largest = largestOf(ring, normal)
    const [x, y, z] = normal.map((component) => ring.quotient(component, largest, 0))
    const length = rootTwofold(addTwofold(dotTwofold(x, y, x, y), multiplyTwofold(z, z)))
    const gap = divideTwofold(ring.quotient(height, largest, 1), length)
    return roundTwofold(addTwofold(gap, negateTwofold(twofold(halfspace.numbers[OFFSET], body.numbers[RADIUS]))))
  })
}

/** 0 where it is not told. */
function coreDepth(frame: PairFrame, out: Depth): number {
  const { first, second } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  boundDistance(frame, bounds)
  penetrate(frame, bounds.simplex, penetration)
  return exactly(inputRangeOf(first, second), CORES_DEGREE, (ring) => {
    const cores = exactCores(ring, first, second, bounds.simplex)
    return cores.meet ? skins + faceDepth(ring, frame, penetration, out) : skinDepth(ring, frame, cores)
  })
}

/** The depth of the skins, beyond the distance d of the cores: from e = d²/R² − 1, so that nothing cancels. */
function skinDepth<T>(ring: Ring<T>, { first, second }: PairFrame, { face }: ExactCores<T>): number {
  const skins = ring.add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
  if (ring.sign(skins) <= 0) return 0
  const { over, under } = face.square
  const square = ring.mul(ring.mul(skins, skins), under)
  const excess = ring.ratio(ring.sub(over, square), square)
  const radius = first.numbers[RADIUS] + second.numbers[RADIUS]
  return (-radius * excess) / (1 + Math.sqrt(Math.max(1 + excess, 0)))
}

/** Of three corners of the difference, with the normal of their plane out of it. */
interface Face<T> {
  corners: readonly [Exact<T>, Exact<T>, Exact<T>]
  normal: Exact<T>
}

/** Height of the face of the difference that is nearest to the origin, or of a plane that is no farther. */
function faceDepth<T>(ring: Ring<T>, { first, second }: PairFrame, near: Penetration, out: Depth): number {
  const offset = exactOffset(ring, first, second)
  const corner = (i: number, j: number): Exact<T> =>
    minus(ring, plus(ring, offset, exactVertex(ring, first, i)), exactVertex(ring, second, j))
  const [p, q, r] = [0, 1, 2].map((m) => corner(near.indexA[m], near.indexB[m]))
  let face = faceOf(ring, p, q, r)
  for (let step = 0; face !== null && step < EXACT_FACE_COUNT; step++) {
    spend(FACE_STEPS)
    const { corners, normal } = face
    const top = corner(lowest(ring, first, normal, -1), lowest(ring, second, normal, 1))
    if (ring.sign(dot(ring, normal, minus(ring, top, corners[0]))) <= 0) return takeFace(ring, face, near, out)
    face = lowestBelow(ring, face, top)
  }
  return 0
}

function faceOf<T>(ring: Ring<T>, p: Exact<T>, q: Exact<T>, r: Exact<T>): Face<T> | null {
  const normal = cross(ring, minus(ring, q, p), minus(ring, r, p))
  return isZero(ring, normal) ? null : { corners: [p, q, r], normal }
}

/** Of the faces from the sides of one to a point above it the lowest that looks the same way. */
function lowestBelow<T>(ring: Ring<T>, { corners: [p, q, r], normal }: Face<T>, top: Exact<T>): Face<T> | null {
  let best: Face<T> | null = null
  let least = Infinity
  for (const face of [faceOf(ring, p, q, top), faceOf(ring, q, r, top), faceOf(ring, r, p, top)]) {
    if (face === null || ring.sign(dot(ring, face.normal, normal)) <= 0) continue
    const { height } = measureFace(ring, face)
    if (height >= least) continue
    least = height
    best = face
  }
  return best
}

/** Height of the plane, with the unit normal. */
function measureFace<T>(ring: Ring<T>, { corners, normal }: Face<T>): { height: number; unit: readonly number[] } {
  const largest = largestOf(ring, normal)
  const side = ring.sign(largest)
  const [x, y, z] = normal.map((component) => side * ring.ratio(component, largest))
  const length = vectorLength3d(x, y, z)
  const height = (side * ring.length(dot(ring, normal, corners[0]), largest)) / length
  return { height, unit: [x / length, y / length, z / length] }
}

function takeFace<T>(ring: Ring<T>, face: Face<T>, near: Penetration, out: Depth): number {
  const { height, unit } = measureFace(ring, face)
  // The corners may run round the polytope's face either way.
  const side = unit[0] * near.nx + unit[1] * near.ny + unit[2] * near.nz < 0 ? -1 : 1
  out.nx = side * unit[0]
  out.ny = side * unit[1]
  out.nz = side * unit[2]
  return side * height
}
