/**
 * What a skin of some radius adds to a convex hull: volume, area, centroid and second moments.
 *
 * Method: J. Steiner's formula for parallel bodies, piece by piece, with moments: a slab on each face, a sector of a cylinder along
 * each edge, a sector of a ball about each corner. The unit normals of a corner's sector fill a polygon of arcs; their first and
 * second moments are integrals along these arcs, since on a unit sphere the Laplacian of a coordinate is −2 times it, and that of
 * a product of two −6 times it and twice their scalar product: so ∫ n = ½ Σ θ m and ∫ n nᵀ = ⅙ (2 Ω + Σ (m Xᵀ + X mᵀ)) over arcs of
 * length θ with inward normals m and ∫ n ds = X. Solid angles: F. Eriksson, "On the measure of solid angles", Mathematics Magazine 63
 * (1990).
 * Frame: relative to the first corner of the surface, in its unit.
 */

import { spend } from '../../containers/budget.ts'
import type { ConvexHull } from '../points/hull-surface.ts'
import { addPiece, addSquare, createLump, type Lump, type Moments, setPiece } from './lump.ts'
import { createCorners, type Surface, takeCorner } from './surface-corners.ts'
import { addFace, vectorLength3 } from './surface-lump.ts'

type Vector = [number, number, number]

const corners = createCorners()
const piece = createLump()

/** Of half-edge e of the hull: unit vector along it, angle between its faces' normals, the unit vector halfway between these. */
interface Arc {
  along: Vector
  angle: number
  middle: Vector
}

/** Adds the skin of a flat or solid hull to `out`; returns the area of the whole, given that of the core's surface. */
export function addSkin(surface: Surface, hull: ConvexHull, radius: number, coreArea: number, out: Lump): number {
  const { origins, twins, faces, vertices } = hull
  const faceCount = surface.starts.length - 1
  const normals: Vector[] = []
  for (let f = 0; f < faceCount; f++) normals.push(addFace(surface, f, radius, out))
  spend(8 * origins.length)
  let area = coreArea + 4 * Math.PI * radius * radius
  const arcs: Arc[] = []
  for (let e = 0; e < origins.length; e++) {
    takeEdge(surface, hull, e)
    const [x, y, z] = corners.high.subarray(3, 6)
    const length = vectorLength3(x, y, z)
    const along: Vector = [x / length, y / length, z / length]
    const normal = normals[faces[e]]
    const other = normals[faces[twins[e]]]
    const angle = Math.atan2(Math.max(0, dot(along, crossOf(normal, other))), dot(normal, other))
    const [sine, cosine] = [Math.sin(angle / 2), Math.cos(angle / 2)]
    const sideways = crossOf(along, normal)
    const middle = normal.map((c, axis) => cosine * c + sine * sideways[axis]) as Vector
    arcs.push({ along, angle, middle })
    if (twins[e] < e) continue
    area += angle * radius * length
    addEdgeSector(arcs[e], length, radius, out)
  }
  const firsts = firstEdges(hull)
  for (let k = 0; k < vertices.length; k++) addCornerSector(surface, hull, firsts[k], normals, arcs, radius, out)
  return area
}

/** Corner 0 is where a half-edge starts, seen from the first corner; corner 1 where it ends, seen from that. */
function takeEdge(surface: Surface, { origins, twins, vertices }: ConvexHull, e: number): void {
  const start = vertices[origins[e]]
  takeCorner(surface, start, surface.corners[0], [0, 0, 0], 0, corners)
  takeCorner(surface, vertices[origins[twins[e]]], start, [0, 0, 0], 1, corners)
}

function addEdgeSector({ along, angle, middle }: Arc, length: number, radius: number, out: Lump): void {
  const { high } = corners
  const volume = (angle * radius * radius * length) / 2
  // Of the centroid from the edge; a narrow sector's is at two thirds of the radius.
  const far = angle > 0 ? (4 * radius * Math.sin(angle / 2)) / (3 * angle) : (2 * radius) / 3
  const place = [0, 1, 2].map((axis) => high[axis] + high[axis + 3] / 2 + far * middle[axis])
  setPiece(piece, volume, place[0], place[1], place[2])
  addSquare(piece, (volume * length * length) / 12, along[0], along[1], along[2])
  const ratio = angle > 0 ? Math.sin(angle) / angle : 1
  const across = crossOf(along, middle)
  addSquare(piece, volume * ((radius * radius * (1 + ratio)) / 4 - far * far), middle[0], middle[1], middle[2])
  addSquare(piece, (volume * radius * radius * (1 - ratio)) / 4, across[0], across[1], across[2])
  addPiece(out, piece)
}

/** Of each corner a half-edge that starts there. */
function firstEdges({ origins, vertices }: ConvexHull): Int32Array {
  const firsts = new Int32Array(vertices.length)
  for (let e = 0; e < origins.length; e++) firsts[origins[e]] = e
  return firsts
}

function addCornerSector(
  surface: Surface,
  hull: ConvexHull,
  first: number,
  normals: readonly Vector[],
  arcs: readonly Arc[],
  radius: number,
  out: Lump,
): void {
  const { twins, faces, faceStarts } = hull
  /** ∫ n and ∫ n nᵀ over the unit normals, and how many there are. */
  const sum: Vector = [0, 0, 0]
  const squares = createLump()
  let angle = 0
  const { middle: start } = arcs[first]
  let e = first
  do {
    // Round the corner, counter-clockwise: over edge e, the face left of it, and on to that face's other edge.
    const { along, middle, angle: length } = arcs[e]
    const chord = 2 * Math.sin(length / 2)
    for (let axis = 0; axis < 3; axis++) sum[axis] -= (length / 2) * along[axis]
    addProduct(squares, -chord / 6, along, middle)
    const next = twins[e === faceStarts[faces[e]] ? faceStarts[faces[e] + 1] - 1 : e - 1]
    angle += solidAngle(start, normals[faces[e]], arcs[next].middle)
    if (next !== first) angle += solidAngle(start, arcs[next].middle, normals[faces[next]])
    e = next
  } while (e !== first)
  if (!(angle > 0)) return
  takeEdge(surface, hull, first)
  const { high } = corners
  const volume = (angle * radius ** 3) / 3
  const [x, y, z] = sum.map((c) => (0.75 * radius * c) / angle)
  setPiece(piece, volume, high[0] + x, high[1] + y, high[2] + z)
  const share = radius ** 5 / 5
  piece.xx = share * (squares.xx + angle / 3)
  piece.yy = share * (squares.yy + angle / 3)
  piece.zz = share * (squares.zz + angle / 3)
  piece.xy = share * squares.xy
  piece.xz = share * squares.xz
  piece.yz = share * squares.yz
  addSquare(piece, -volume, x, y, z)
  addPiece(out, piece)
}

/** Adds weight · (m nᵀ + n mᵀ). */
function addProduct(moments: Moments, weight: number, [mx, my, mz]: Vector, [nx, ny, nz]: Vector): void {
  moments.xx += 2 * weight * mx * nx
  moments.yy += 2 * weight * my * ny
  moments.zz += 2 * weight * mz * nz
  moments.xy += weight * (mx * ny + my * nx)
  moments.xz += weight * (mx * nz + mz * nx)
  moments.yz += weight * (my * nz + mz * ny)
}

/** Of the triangle of arcs between three unit vectors, positive where they turn left seen from outside. */
function solidAngle(a: Vector, b: Vector, c: Vector): number {
  return 2 * Math.atan2(dot(a, crossOf(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a))
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function crossOf(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
