/**
 * The direction along which the cores of two bodies overlap least, between two bounds that are both proven.
 *
 * Method: the expanding polytope of G. van den Bergen ("Proximity queries and penetration depth computation on 3D game objects", Game
 * Developers Conference 2001), of farthest points of the difference first − second: the face whose plane lies nearest to the origin,
 * or farthest beyond it, is replaced by those to the farthest point across it. The plane through that point bounds the depth from
 * above, the nearest face from below. It starts from any tetrahedron of the difference: the origin need not lie in it, nor in the
 * difference, so that touching pairs are no special case. A difference without volume has its own normal.
 * Frame: world axes; points count from the anchors. Cost: O(faces + points of both) a step.
 */

import { spend } from '../../containers/budget.ts'
import { POLYTOPE_CORNER_COUNT, POLYTOPE_GAP_RATIO, POLYTOPE_PLANE_RATIO } from '../tolerances.ts'
import type { PairFrame } from './pair-frame.ts'
import { createDifferencePlaces, putDifference } from './support-difference.ts'

export interface Penetration {
  /** How far along the normal the second has to move for the cores just to touch; no less than the true depth. */
  upper: number
  /** No more than the true depth, but for rounding. */
  lower: number
  /** Unit vector from the first to the second. */
  nx: number
  ny: number
  nz: number
  /** The deepest point of the first along the normal there, from its anchor. */
  a: Float64Array
}

export function createPenetration(): Penetration {
  return { upper: 0, lower: 0, nx: 0, ny: 0, nz: 0, a: new Float64Array(3) }
}

/** Corners of the difference. */
const corners = createDifferencePlaces(POLYTOPE_CORNER_COUNT)
const { w, a } = corners
let cornerCount = 0

interface Face {
  i: number
  j: number
  k: number
  nx: number
  ny: number
  nz: number
  /** Height of its plane over the origin. */
  offset: number
}

let faces: Face[] = []

function put(frame: PairFrame, x: number, y: number, z: number): number {
  return putDifference(frame, x, y, z, corners, cornerCount)
}

/** Bounds the penetration of a pair without half-spaces. */
export function penetrate(frame: PairFrame, out: Penetration): void {
  const { extent } = frame
  faces = []
  cornerCount = 0
  if (!startTetrahedron(frame, out)) return
  const stop = POLYTOPE_GAP_RATIO * extent
  out.upper = Infinity
  out.lower = -Infinity
  for (;;) {
    spend(4 + (faces.length >> 2) + ((frame.first.count + frame.second.count) >> 2))
    const face = nearestFace()
    const height = put(frame, face.nx, face.ny, face.nz)
    // The nearest face lies ever farther out.
    out.lower = Math.max(out.lower, face.offset)
    if (height < out.upper) take(out, face, height)
    const isCorner = isAt(face.i) || isAt(face.j) || isAt(face.k)
    if (out.upper - face.offset <= stop || isCorner || cornerCount + 1 === POLYTOPE_CORNER_COUNT) return
    if (!expand(extent)) return
  }
}

function take(out: Penetration, { nx, ny, nz }: Face, height: number): void {
  out.upper = height
  out.nx = nx
  out.ny = ny
  out.nz = nz
  for (let k = 0; k < 3; k++) out.a[k] = a[3 * cornerCount + k]
}

/** Whether the newest point is corner i. */
function isAt(i: number): boolean {
  const at = 3 * cornerCount
  return w[at] === w[3 * i] && w[at + 1] === w[3 * i + 1] && w[at + 2] === w[3 * i + 2]
}

function nearestFace(): Face {
  let nearest = faces[0]
  for (const face of faces) if (face.offset < nearest.offset) nearest = face
  return nearest
}

/** Replaces what the newest point sees of the polytope by faces to it. False where rounding lets it see nothing. */
function expand(extent: number): boolean {
  const at = 3 * cornerCount
  const tolerance = POLYTOPE_PLANE_RATIO * extent
  const rest: Face[] = []
  const rim = new Map<number, [number, number]>()
  for (const face of faces) {
    const height = face.nx * w[at] + face.ny * w[at + 1] + face.nz * w[at + 2] - face.offset
    if (!(height > tolerance)) {
      rest.push(face)
      continue
    }
    addToRim(rim, face.i, face.j)
    addToRim(rim, face.j, face.k)
    addToRim(rim, face.k, face.i)
  }
  if (rim.size === 0) return false
  faces = rest
  for (const [i, j] of rim.values()) addFace(i, j, cornerCount)
  cornerCount++
  return true
}

/** Edges that both faces beside them are gone from cancel out. */
function addToRim(rim: Map<number, [number, number]>, i: number, j: number): void {
  if (!rim.delete(j * POLYTOPE_CORNER_COUNT + i)) rim.set(i * POLYTOPE_CORNER_COUNT + j, [i, j])
}

function addFace(i: number, j: number, k: number): void {
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
  if (!(length > 0)) {
    faces.push({ i, j, k, nx: 0, ny: 0, nz: 0, offset: Infinity })
    return
  }
  const nx = x / length
  const ny = y / length
  const nz = z / length
  faces.push({ i, j, k, nx, ny, nz, offset: nx * w[p] + ny * w[p + 1] + nz * w[p + 2] })
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
  const sides: [number, number, number][] = [
    [px, py, pz],
    [uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px],
  ]
  const third = sides
    .flatMap(([x, y, z]): [number, number, number][] => [
      [x, y, z],
      [-x, -y, -z],
    ])
    .some(([x, y, z]) => put(frame, x, y, z) - (x * w[0] + y * w[1] + z * w[2]) > flat)
  if (!third) {
    setFlat(frame, out, px, py, pz)
    return false
  }
  cornerCount = 3
  addFace(0, 1, 2)
  const [{ nx, ny, nz, offset }] = faces
  if (put(frame, -nx, -ny, -nz) + offset > flat) {
    addFace(1, 0, 3)
    addFace(2, 1, 3)
    addFace(0, 2, 3)
  } else if (put(frame, nx, ny, nz) - offset > flat) {
    faces = []
    addFace(1, 0, 2)
    addFace(0, 1, 3)
    addFace(1, 2, 3)
    addFace(2, 0, 3)
  } else {
    setFlat(frame, out, nx, ny, nz)
    return false
  }
  cornerCount = 4
  return true
}

/** Puts the farthest points along the axis of the world that the difference is longest along; returns the unit vector between them. */
function longestAxisPair(frame: PairFrame): [number, number, number] | null {
  let longest = 0
  let best = [1, 0, 0]
  for (const axis of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]) {
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
  for (let k = 0; k < 3; k++) out.a[k] = a[3 * cornerCount + k]
}
