/**
 * Hulls of parts: the corners that matter, and their volume.
 *
 * A cloud is the points whose hull, with a ball of `CUT_RADIUS` about each rounded one, covers a part (`cell-cut.ts`).
 * Frame: coordinates below 2. Cost: that of a hull, O(n log n).
 */

import { spend } from '../../containers/budget.ts'
import { createPlacedPoint } from '../mesh/exact-placed.ts'
import { type MeshSide, sideOfMesh } from '../mesh/in-mesh.ts'
import { createPlacement, type Mesh } from '../mesh/mesh.ts'
import { bodiesMeet } from '../queries/overlap.ts'
import { type Body, createBody, setPose, type Vector } from '../shape/body.ts'
import { setMesh } from '../shape/composite.ts'
import { hullTriangles } from '../shape/convex-hull.ts'
import { setAabb } from '../shape/shapes.ts'
import { CORNER_REACH, INWARD_SHARES, LOW_TRIANGLE_RATIO, NEAR_HULL } from '../tolerances.ts'
import { CELL_FACE, MINOR, type Part } from './cell-cut.ts'

export interface Cloud {
  points: Float64Array
  isRounded: Uint8Array
  /** Of the hull; 0 for what is flat. */
  volume: number
}

export const EMPTY: Cloud = { points: new Float64Array(0), isRounded: new Uint8Array(0), volume: 0 }

/** The mesh that is taken apart, a body of it, and one of its surface alone. */
export interface Solid {
  mesh: Mesh
  body: Body
  surface: Body
  /** It has triangles that are so low beside its size that distances from them take exact arithmetic. */
  hasSlivers: boolean
}

const ORIGIN: Vector = [0, 0, 0]

export function solidOf(mesh: Mesh): Solid {
  return { mesh, body: bodyOf(mesh), surface: bodyOf({ ...mesh, isSolid: false }), hasSlivers: hasSlivers(mesh) }
}

function hasSlivers({ vertices, triangles }: Mesh): boolean {
  spend(triangles.length)
  const along = (from: number, to: number, k: number): number => vertices[3 * to + k] - vertices[3 * from + k]
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3)
    const [ux, uy, uz] = [along(a, b, 0), along(a, b, 1), along(a, b, 2)]
    const [vx, vy, vz] = [along(a, c, 0), along(a, c, 1), along(a, c, 2)]
    const twiceArea = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
    const longest = Math.max(Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz), Math.hypot(vx - ux, vy - uy, vz - uz))
    if (twiceArea < LOW_TRIANGLE_RATIO * longest) return true
  }
  return false
}

function bodyOf(mesh: Mesh): Body {
  const body = createBody()
  setPose(body, { position: ORIGIN })
  setMesh(body, mesh)
  return body
}

const placement = createPlacement()
const placed = createPlacedPoint()
const box = createBody()

/** 1 inside the solid, 0 on its surface, −1 outside. */
export function sideOfSolid({ mesh }: Solid, x: number, y: number, z: number): MeshSide {
  placed.sum[0] = x
  placed.sum[1] = y
  placed.sum[2] = z
  return sideOfMesh(mesh, placement, placed)
}

/**
 * Whether the solid fills the cell at a corner. What only touches the corner from outside of the cell is of another part; where the surface
 * passes through the cell there, its corners tell of it.
 */
function fillsCorner(solid: Solid, { points, isRounded }: Part, i: number, middle: Float64Array): boolean {
  const isExact = isRounded[i] === 0
  const share = INWARD_SHARES[isExact ? 0 : 1]
  const [x, y, z] = [0, 1, 2].map((k) => points[3 * i + k] + share * (middle[k] - points[3 * i + k]))
  if (sideOfSolid(solid, x, y, z) >= 0) return true
  if (isExact) return false
  setPose(box, { position: ORIGIN })
  const [low, high] = [-1, 1].map((s): Vector => [x + s * CORNER_REACH, y + s * CORNER_REACH, z + s * CORNER_REACH])
  setAabb(box, low, high)
  return bodiesMeet(box, solid.body)
}

function middleOfCell({ points, rings, starts, sources, polygonCount }: Part): Float64Array {
  const middle = new Float64Array(3)
  let count = 0
  for (let p = 0; p < polygonCount; p++) {
    if (sources[p] !== CELL_FACE) continue
    for (let k = starts[p]; k < starts[p + 1]; k++, count++)
      for (let c = 0; c < 3; c++) middle[c] += points[3 * rings[k] + c]
  }
  return middle.map((sum) => sum / Math.max(1, count))
}

/** The points of which a part is in the hull: the corners of its surface, and those of its cell that lie in the solid. */
export function cloudOfPart(part: Part, solid: Solid): Cloud {
  const { points, count, rings, starts, sources, polygonCount, isRounded } = part
  const middle = middleOfCell(part)
  spend(count + polygonCount)
  // A cell that the surface does not pass through is full, or empty.
  if (!sources.some((source) => source >= 0) && sideOfSolid(solid, middle[0], middle[1], middle[2]) <= 0) return EMPTY
  const use = new Uint8Array(count)
  for (const isFace of [false, true]) {
    for (let p = 0; p < polygonCount; p++) {
      if (isFace ? sources[p] !== CELL_FACE : sources[p] < 0) continue
      for (let k = starts[p]; k < starts[p + 1]; k++) {
        const i = rings[k]
        if (use[i] !== 0) continue
        if (!isFace) use[i] = isRounded[i] === MINOR ? 2 : 1
        else {
          use[i] = fillsCorner(solid, part, i, middle) ? 1 : 2
        }
      }
    }
  }
  const kept: number[] = []
  for (let i = 0; i < count; i++) if (use[i] === 1) kept.push(i)
  const all = new Float64Array(3 * kept.length)
  for (let k = 0; k < kept.length; k++) all.set(points.subarray(3 * kept[k], 3 * kept[k] + 3), 3 * k)
  return outerCloud(
    all,
    Uint8Array.from(kept, (i) => isRounded[i]),
  )
}

/** The hull of two clouds. */
export function joinedCloud(a: Cloud, b: Cloud): Cloud {
  const points = new Float64Array(a.points.length + b.points.length)
  points.set(a.points)
  points.set(b.points, a.points.length)
  const isRounded = new Uint8Array(a.isRounded.length + b.isRounded.length)
  isRounded.set(a.isRounded)
  isRounded.set(b.isRounded, a.isRounded.length)
  return outerCloud(points, isRounded)
}

/** The cloud without what lies deep in its hull. */
function outerCloud(points: Float64Array, isRounded: Uint8Array): Cloud {
  const count = isRounded.length
  const faces = count < 4 ? null : hullTriangles(points, count)
  if (faces === null) return { points, isRounded, volume: 0 }
  const isCorner = new Uint8Array(count)
  for (const i of faces) isCorner[i] = 1
  const planes = facePlanes(points, faces)
  const kept: number[] = []
  for (let i = 0; i < count; i++) {
    if (isCorner[i] === 1 || (isRounded[i] === 1 && highest(planes, points, 3 * i) > -NEAR_HULL)) kept.push(i)
  }
  const outer = new Float64Array(3 * kept.length)
  for (let k = 0; k < kept.length; k++) outer.set(points.subarray(3 * kept[k], 3 * kept[k] + 3), 3 * k)
  return { points: outer, isRounded: Uint8Array.from(kept, (i) => isRounded[i]), volume: hullVolume(points, faces) }
}

/** x, y, z of the outward unit normal, and height, of each triangle that is wide enough to have one. */
export function facePlanes(points: Float64Array, triangles: Int32Array): Float64Array {
  const planes = new Float64Array((4 / 3) * triangles.length)
  spend(triangles.length)
  let size = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]]
    const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]]
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
    if (!(length > 0)) continue
    planes[size] = nx / length
    planes[size + 1] = ny / length
    planes[size + 2] = nz / length
    planes[size + 3] = (nx * points[a] + ny * points[a + 1] + nz * points[a + 2]) / length
    size += 4
  }
  return planes.subarray(0, size)
}

/** The greatest height of a point over planes. */
export function highest(planes: Float64Array, points: Float64Array, at: number): number {
  const [x, y, z] = [points[at], points[at + 1], points[at + 2]]
  spend(1 + (planes.length >> 5))
  let most = -Infinity
  for (let k = 0; k < planes.length; k += 4) {
    const height = planes[k] * x + planes[k + 1] * y + planes[k + 2] * z - planes[k + 3]
    if (height > most) most = height
  }
  return most
}

export function hullVolume(points: Float64Array, triangles: Int32Array): number {
  let sum = 0
  const o = 3 * triangles[0]
  const [ox, oy, oz] = [points[o], points[o + 1], points[o + 2]]
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const [ax, ay, az] = [points[a] - ox, points[a + 1] - oy, points[a + 2] - oz]
    const [bx, by, bz] = [points[b] - ox, points[b + 1] - oy, points[b + 2] - oz]
    const [cx, cy, cz] = [points[c] - ox, points[c + 1] - oy, points[c + 2] - oz]
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
  }
  return Math.max(0, sum / 6)
}
