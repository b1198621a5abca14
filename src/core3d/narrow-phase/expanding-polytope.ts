/**
 * The direction along which the cores of two bodies overlap least, between two bounds that are both proven.
 *
 * Method: the expanding polytope of G. van den Bergen ("Proximity queries and penetration depth computation on 3D game objects", Game
 * Developers Conference 2001), of farthest points of the difference first − second: the face whose plane lies nearest to the origin,
 * or farthest beyond it, is replaced by those to the farthest point across it. The plane through that point bounds the depth from
 * above, the nearest face from below. It starts from the tetrahedron that GJK ended with, or from any of the difference: the origin
 * need not lie in it, nor in the difference, so that touching pairs are no special case. A difference without volume has its own
 * normal. Faces know their neighbours, so that what a new point sees is found from the face below it.
 * Frame: world axes; points count from the anchors. Cost: O(faces + points of both) a step.
 */

import { spend } from '../../containers/budget.ts'
import { POINTS } from '../shape/body.ts'
import {
  CURVED_POLYTOPE_GAP_RATIO,
  POLYTOPE_CORNER_COUNT,
  POLYTOPE_GAP_RATIO,
  POLYTOPE_PLANE_RATIO,
} from '../tolerances.ts'
import { createDifferencePlaces, putDifference, type Simplex } from './gjk.ts'
import type { PairFrame } from './pair-frame.ts'

export interface Penetration {
  /** How far along the normal the second has to move for the cores just to touch; no less than the true depth. */
  upper: number
  /** No more than the true depth, but for rounding. */
  lower: number
  /** Unit vector from the first to the second. */
  nx: number
  ny: number
  nz: number
  /** The deepest points of the first along the normal there and of the second against it, from their anchors: a depth apart. */
  a: Float64Array
  b: Float64Array
  /** Which core points the three corners of the face are of, that the normal is that of; −1 on curved surfaces. */
  indexA: Int32Array
  indexB: Int32Array
}

export function createPenetration(): Penetration {
  const places = {
    a: new Float64Array(3),
    b: new Float64Array(3),
    indexA: new Int32Array(3),
    indexB: new Int32Array(3),
  }
  return { upper: 0, lower: 0, nx: 0, ny: 0, nz: 0, ...places }
}

/** Corners of the difference. */
const corners = createDifferencePlaces(POLYTOPE_CORNER_COUNT)
const { w, a, b, indexA, indexB } = corners
let cornerCount = 0

/** By Euler's formula twice the corners, and as many again while some are replaced. */
const FACE_COUNT = 4 * POLYTOPE_CORNER_COUNT

/** Corners of each face, counter-clockwise from outside. */
const faceCorners = new Int32Array(3 * FACE_COUNT)
/** Edge m of face f leads from its corner m to the next one; of each, at 3 f + m, where the same edge of the face beyond stands. */
const neighbours = new Int32Array(3 * FACE_COUNT)
const normals = new Float64Array(3 * FACE_COUNT)
/** Height of each plane over the origin. */
const offsets = new Float64Array(FACE_COUNT)
/** Heights of the faces that may be the nearest, Infinity for others. */
const keys = new Float64Array(FACE_COUNT)
const isThere = new Uint8Array(FACE_COUNT)
let faceCount = 0

/** Places of faces that are gone, to be used again. */
const spare = new Int32Array(FACE_COUNT)
let spareCount = 0

/** Round what a new corner sees: edges, as in `neighbours`, of the faces beyond. */
const rim = new Int32Array(FACE_COUNT)
let rimCount = 0

function put(frame: PairFrame, x: number, y: number, z: number): number {
  return putDifference(frame, x, y, z, corners, cornerCount)
}

/**
 * Bounds the penetration of a pair without half-spaces; `start`: what GJK ended with. `share`, up to 1: with a lower bound above 0 that
 * is no less than this part of the upper one it is enough.
 */
export function penetrate(frame: PairFrame, start: Simplex, out: Penetration, share = 1): void {
  faceCount = 0
  spareCount = 0
  cornerCount = 0
  if (!takeTetrahedron(start) && !startTetrahedron(frame, out)) return
  out.upper = Infinity
  out.lower = -Infinity
  expandAll(frame, share, out)
  setFoot(out)
}

function expandAll(frame: PairFrame, share: number, out: Penetration): void {
  const { first, second, extent } = frame
  const isCurved = first.kind !== POINTS || second.kind !== POINTS
  const stop = (isCurved ? CURVED_POLYTOPE_GAP_RATIO : POLYTOPE_GAP_RATIO) * extent
  const plane = POLYTOPE_PLANE_RATIO * extent
  for (let step = 0; step < FACE_COUNT; step++) {
    spend(4 + (faceCount >> 2) + ((first.count + second.count) >> 2))
    const face = nearestFace()
    const offset = keys[face]
    if (offset === Infinity) return
    const height = put(frame, normals[3 * face], normals[3 * face + 1], normals[3 * face + 2])
    if (height < out.upper) take(out, face, height)
    // The nearest face lies ever farther out.
    if (offset > out.lower) out.lower = offset
    if (out.upper - offset <= stop || cornerCount + 1 === POLYTOPE_CORNER_COUNT) return
    if (share < 1 && offset > 0 && offset >= share * out.upper) return
    // A face whose own corner is the farthest point across it, yet far above it, is a sliver: its normal says nothing.
    if (isCorner(face) || !expand(face, plane)) keys[face] = Infinity
  }
}

function take(out: Penetration, face: number, height: number): void {
  out.upper = height
  out.nx = normals[3 * face]
  out.ny = normals[3 * face + 1]
  out.nz = normals[3 * face + 2]
  best[0] = 3 * faceCorners[3 * face]
  best[1] = 3 * faceCorners[3 * face + 1]
  best[2] = 3 * faceCorners[3 * face + 2]
}

/** Where the corners of the face stand that the normal is that of, which may be gone. */
const best = new Int32Array(3)
const shares = new Float64Array(3)

/** The points of both bodies whose difference is where the normal through the origin meets the face, or near its rim. */
function setFoot(out: Penetration): void {
  const { nx, ny, nz } = out
  let sum = 0
  for (let m = 0; m < 3; m++) {
    const p = best[(m + 1) % 3]
    const q = best[(m + 2) % 3]
    const x = w[p + 1] * w[q + 2] - w[p + 2] * w[q + 1]
    const y = w[p + 2] * w[q] - w[p] * w[q + 2]
    const z = w[p] * w[q + 1] - w[p + 1] * w[q]
    shares[m] = Math.max(nx * x + ny * y + nz * z, 0)
    sum += shares[m]
  }
  out.a.fill(0)
  out.b.fill(0)
  for (let m = 0; m < 3; m++) {
    const at = best[m]
    out.indexA[m] = indexA[at / 3]
    out.indexB[m] = indexB[at / 3]
    const share = sum > 0 ? shares[m] / sum : 1 / 3
    for (let k = 0; k < 3; k++) {
      out.a[k] += share * a[at + k]
      out.b[k] += share * b[at + k]
    }
  }
}

/** Whether the newest point is a corner of the face. */
function isCorner(face: number): boolean {
  const at = 3 * cornerCount
  for (let m = 3 * face; m < 3 * face + 3; m++) {
    const i = 3 * faceCorners[m]
    if (w[at] === w[i] && w[at + 1] === w[i + 1] && w[at + 2] === w[i + 2]) return true
  }
  return false
}

function nearestFace(): number {
  let nearest = 0
  let least = keys[0]
  for (let face = 1; face < faceCount; face++) {
    const key = keys[face]
    if (key >= least) continue
    least = key
    nearest = face
  }
  return nearest
}

/** Replaces what the newest point sees of the polytope, from the face below it on, by faces to it. False where rounding forbids it. */
function expand(face: number, plane: number): boolean {
  if (!isSeen(face, plane)) return false
  const before = spareCount
  rimCount = 0
  remove(face)
  for (let edge = 3 * face; edge < 3 * face + 3; edge++) follow(neighbours[edge], plane)
  if (!isRing()) {
    // The faces it sees form no disc: leave the polytope as it was.
    while (spareCount > before) isThere[spare[--spareCount]] = 1
    return false
  }
  for (let i = before; i < spareCount; i++) keys[spare[i]] = Infinity
  addFan()
  return true
}

function isSeen(face: number, plane: number): boolean {
  const at = 3 * cornerCount
  const n = 3 * face
  return normals[n] * w[at] + normals[n + 1] * w[at + 1] + normals[n + 2] * w[at + 2] - offsets[face] > plane
}

function remove(face: number): void {
  isThere[face] = 0
  spare[spareCount++] = face
}

/** Goes on over an edge of a face: what is seen goes, and round it the edges of what stays are written down, in order. */
function follow(edge: number, plane: number): void {
  const face = (edge / 3) | 0
  if (isThere[face] === 0) return
  if (!isSeen(face, plane)) {
    rim[rimCount++] = edge
    return
  }
  remove(face)
  const next = afterEdge(edge)
  follow(neighbours[next], plane)
  follow(neighbours[afterEdge(next)], plane)
}

/** The next edge round the same face; also where the corner at an edge's end stands. */
function afterEdge(edge: number): number {
  return edge % 3 === 2 ? edge - 2 : edge + 1
}

/** Whether each edge of the rim begins where the next one ends. */
function isRing(): boolean {
  if (rimCount < 3) return false
  let last = rim[rimCount - 1]
  for (let i = 0; i < rimCount; i++) {
    if (faceCorners[last] !== faceCorners[afterEdge(rim[i])]) return false
    last = rim[i]
  }
  return true
}

/** Faces from the rim to the newest corner. */
function addFan(): void {
  let first = -1
  let last = -1
  for (let i = 0; i < rimCount; i++) {
    const edge = rim[i]
    const face = spareCount > 0 ? spare[--spareCount] : faceCount++
    setFace(face, faceCorners[afterEdge(edge)], faceCorners[edge], cornerCount)
    link(3 * face, edge)
    // To the newest corner and back.
    if (last < 0) first = face
    else link(3 * last + 1, 3 * face + 2)
    last = face
  }
  link(3 * last + 1, 3 * first + 2)
  cornerCount++
}

function link(edge: number, other: number): void {
  neighbours[edge] = other
  neighbours[other] = edge
}

function setFace(face: number, i: number, j: number, k: number): void {
  const at = 3 * face
  faceCorners[at] = i
  faceCorners[at + 1] = j
  faceCorners[at + 2] = k
  isThere[face] = 1
  const p = 3 * i
  const q = 3 * j
  const r = 3 * k
  const ux = w[q] - w[p]
  const uy = w[q + 1] - w[p + 1]
  const uz = w[q + 2] - w[p + 2]
  const vx = w[r] - w[p]
  const vy = w[r + 1] - w[p + 1]
  const vz = w[r + 2] - w[p + 2]
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  const length = Math.sqrt(x * x + y * y + z * z)
  // A face without area is kept, to keep the surface closed, and never nearest.
  const share = length > 0 ? 1 / length : 0
  normals[at] = x * share
  normals[at + 1] = y * share
  normals[at + 2] = z * share
  offsets[face] = normals[at] * w[p] + normals[at + 1] * w[p + 1] + normals[at + 2] * w[p + 2]
  keys[face] = length > 0 ? offsets[face] : Infinity
}

/** Faces of the tetrahedron of the first four corners: p and q are the first two, in the order in which the fourth lies below. */
function setTetrahedron(p: 0 | 1, q: 0 | 1): void {
  setFace(0, p, q, 2)
  setFace(1, q, p, 3)
  setFace(2, 2, q, 3)
  setFace(3, p, 2, 3)
  faceCount = 4
  cornerCount = 4
  link(0, 3)
  link(1, 6)
  link(2, 9)
  link(4, 11)
  link(5, 7)
  link(8, 10)
}

/** The tetrahedron that GJK found to hold the origin, where it surely does. */
function takeTetrahedron(start: Simplex): boolean {
  if (start.holds !== 2) return false
  for (let i = 0; i < 12; i++) {
    w[i] = start.w[i]
    a[i] = start.a[i]
    b[i] = start.b[i]
  }
  for (let i = 0; i < 4; i++) {
    indexA[i] = start.indexA[i]
    indexB[i] = start.indexB[i]
  }
  setFace(0, 0, 1, 2)
  const isBelow = normals[0] * w[9] + normals[1] * w[10] + normals[2] * w[11] < offsets[0]
  if (isBelow) setTetrahedron(0, 1)
  else setTetrahedron(1, 0)
  return true
}

/** Four corners that span a volume; where there are none, the answer is set and it returns false. */
function startTetrahedron(frame: PairFrame, out: Penetration): boolean {
  const flat = POLYTOPE_PLANE_RATIO * frame.extent
  const line = longestAxisPair(frame)
  if (line === null) {
    setFlat(frame, out, 1, 0, 0)
    return false
  }
  cornerCount = 2
  const [ux, uy, uz] = line
  const [px, py, pz] = across(ux, uy, uz)
  const isBeyond = (x: number, y: number, z: number): boolean =>
    put(frame, x, y, z) - (x * w[0] + y * w[1] + z * w[2]) > flat
  const isBeside = (x: number, y: number, z: number): boolean => isBeyond(x, y, z) || isBeyond(-x, -y, -z)
  if (!isBeside(px, py, pz) && !isBeside(uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px)) {
    setFlat(frame, out, px, py, pz)
    return false
  }
  cornerCount = 3
  setFace(0, 0, 1, 2)
  const nx = normals[0]
  const ny = normals[1]
  const nz = normals[2]
  const offset = offsets[0]
  if (put(frame, -nx, -ny, -nz) + offset > flat) setTetrahedron(0, 1)
  else if (put(frame, nx, ny, nz) - offset > flat) setTetrahedron(1, 0)
  else {
    setFlat(frame, out, nx, ny, nz)
    return false
  }
  return true
}

const AXES: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** Puts the farthest points along the axis of the world that the difference is longest along; returns the unit vector between them. */
function longestAxisPair(frame: PairFrame): [number, number, number] | null {
  let longest = 0
  let best = AXES[0]
  for (const axis of AXES) {
    const length = put(frame, axis[0], axis[1], axis[2]) + put(frame, -axis[0], -axis[1], -axis[2])
    if (length <= longest) continue
    longest = length
    best = axis
  }
  if (longest <= POLYTOPE_PLANE_RATIO * frame.extent) return null
  put(frame, best[0], best[1], best[2])
  cornerCount = 1
  put(frame, -best[0], -best[1], -best[2])
  const x = w[3] - w[0]
  const y = w[4] - w[1]
  const z = w[5] - w[2]
  const length = Math.sqrt(x * x + y * y + z * z)
  return [x / length, y / length, z / length]
}

/** A unit vector across the given one: along an axis where that lies across. */
function across(x: number, y: number, z: number): [number, number, number] {
  const least = Math.min(Math.abs(x), Math.abs(y), Math.abs(z))
  const [px, py, pz] = least === Math.abs(x) ? [0, z, -y] : least === Math.abs(y) ? [-z, 0, x] : [y, -x, 0]
  const length = Math.sqrt(px * px + py * py + pz * pz)
  return [px / length, py / length, pz / length]
}

/** A difference that is flat across this direction. */
function setFlat(frame: PairFrame, out: Penetration, x: number, y: number, z: number): void {
  const there = put(frame, x, y, z)
  const back = put(frame, -x, -y, -z)
  const side = back < there ? -1 : 1
  out.upper = put(frame, side * x, side * y, side * z)
  out.lower = out.upper
  out.nx = side * x
  out.ny = side * y
  out.nz = side * z
  for (let k = 0; k < 3; k++) {
    out.a[k] = a[3 * cornerCount + k]
    out.b[k] = b[3 * cornerCount + k]
  }
  out.indexA.fill(indexA[cornerCount])
  out.indexB.fill(indexB[cornerCount])
}
