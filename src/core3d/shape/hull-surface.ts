/**
 * The surface of a convex hull: corners, planar faces, and edges with the faces on both sides.
 *
 * Method: triangles on both sides of an edge are one face if they lie in one plane, exactly. What is a corner then shows in the
 * edges that are left: three or more meet in it; two meet in a point on an edge, none in a point on a face.
 * Order: corners by x, then y, then z; the half-edges of a face counter-clockwise from outside, from its first corner; faces by
 * their first corner, then their second. So the surface hangs on the set of points alone.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { orderOfKeys } from '../../containers/sorting.ts'
import { comparePoints, type HullTriangles, isFlatEdge, nextEdge, type ScaledPoints } from './hull-triangles.ts'

export interface ConvexHull {
  /** −1 none, 0 a point, 1 a segment, 2 flat, 3 solid. */
  dimension: -1 | 0 | 1 | 2 | 3
  /** The corners, as indices of the points; of equal points the least one. */
  vertices: Int32Array
  /** The half-edges of face f are faceStarts[f] … faceStarts[f + 1] − 1. What is flat has two faces, back to back; a segment none. */
  faceStarts: Int32Array
  /** Of each half-edge the corner that it starts from, as an index of `vertices`. */
  origins: Int32Array
  /** Of each half-edge the one on the other side, from its end to its start. */
  twins: Int32Array
  /** Of each half-edge its face; −1 for the two of a segment. */
  faces: Int32Array
}

/** The corners of a hull, and what its faces are made of, if anybody asks for them. */
export interface HullCorners {
  dimension: ConvexHull['dimension']
  /** As in `ConvexHull`. */
  vertices: Int32Array
  /**
   * Of each half-edge of the triangles the corner that it starts from, −1 for other points; then of each its twin t, or −1 − t inside
   * a face.
   */
  mesh: Int32Array | null
  /** The hull, where there is no mesh. */
  whole: ConvexHull | null
}

/** The faces of a solid hull by points, in one buffer. Order as in `ConvexHull`. */
export interface SolidFaces {
  /** The corners of face f are starts[f] … starts[f + 1] − 1. */
  starts: Int32Array
  /** Of each corner of a face which point it is. */
  corners: Int32Array
  /** Of each the face beyond the edge that leads from it to the next one. */
  neighbours: Int32Array
  /** Room for numbers about each face, all 0. */
  numbers: Float64Array
}

const NONE = new Int32Array(0)

export function withoutMesh(whole: ConvexHull): HullCorners {
  return { dimension: whole.dimension, vertices: whole.vertices, mesh: null, whole }
}

export function pointHull(dimension: -1 | 0, vertices: Int32Array): ConvexHull {
  return { dimension, vertices, faceStarts: new Int32Array(1), origins: NONE, twins: NONE, faces: NONE }
}

/** Of two points, any order. */
export function segmentHull(points: Float64Array, a: number, b: number): ConvexHull {
  return {
    dimension: 1,
    vertices: inOrder(points, Int32Array.of(a, b)),
    faceStarts: new Int32Array(1),
    origins: Int32Array.of(0, 1),
    twins: Int32Array.of(1, 0),
    faces: Int32Array.of(-1, -1),
  }
}

/** Of the corners of a flat hull, in order around it, either way. */
export function flatHull(points: Float64Array, ring: Int32Array): ConvexHull {
  const size = ring.length
  const vertices = inOrder(points, ring.slice())
  const placeOf = new Map<number, number>()
  for (let k = 0; k < size; k++) placeOf.set(vertices[k], k)
  const places = ring.map((p) => placeOf.get(p) as number)
  const start = places.indexOf(0)
  const at = (k: number): number => places[(start + k + 2 * size) % size]
  const turn = at(1) < at(-1) ? 1 : -1
  const origins = new Int32Array(2 * size)
  const twins = new Int32Array(2 * size)
  for (let k = 0; k < size; k++) {
    origins[k] = at(turn * k)
    origins[size + k] = at(-turn * k)
    twins[k] = 2 * size - 1 - k
    twins[2 * size - 1 - k] = k
  }
  const faces = new Int32Array(2 * size).fill(1, size)
  return { dimension: 2, vertices, faceStarts: Int32Array.of(0, size, 2 * size), origins, twins, faces }
}

/** Scratch: of each half-edge of the triangles, of each point, of each face and of each corner. */
let isFlat = new Uint8Array(0)
let edgesAround = new Int32Array(0)
let placeOf = new Int32Array(0)
let ranks = new Int32Array(0)
let loopStarts = new Int32Array(0)
let firstRanks = new Int32Array(0)
let secondRanks = new Int32Array(0)
let bySecond = new Int32Array(0)
let order = new Int32Array(0)
let places = new Int32Array(0)
/** As in `HullCorners`: the mesh and the corners of the hull that is made. */
let meshRoom = new Int32Array(0)
let cornerRoom = new Int32Array(0)

function reserveEdges(edges: number): void {
  if (placeOf.length >= edges && placeOf.length <= KEPT_ENTRIES) return
  const room = 2 * edges
  isFlat = new Uint8Array(room)
  edgesAround = new Int32Array(room)
  placeOf = new Int32Array(room)
  loopStarts = new Int32Array(room)
  firstRanks = new Int32Array(room)
  secondRanks = new Int32Array(room)
  bySecond = new Int32Array(room)
  order = new Int32Array(room)
  meshRoom = new Int32Array(2 * room)
}

function reservePoints(points: number): void {
  if (ranks.length >= points && ranks.length <= KEPT_ENTRIES) return
  ranks = new Int32Array(2 * points)
  places = new Int32Array(2 * points + 1)
  cornerRoom = new Int32Array(2 * points)
}

/** The corners of a closed surface of triangles. */
export function solidCorners(t: HullTriangles, points: ScaledPoints): HullCorners {
  const size = setMesh(t, points)
  const mesh = meshRoom.slice(0, 6 * t.end)
  return { dimension: 3, vertices: cornerRoom.slice(0, size), mesh, whole: null }
}

/** The faces of a closed surface of triangles, with so many numbers for each. */
export function solidFaces(t: HullTriangles, points: ScaledPoints, numbers: number): SolidFaces {
  const size = setMesh(t, points)
  const edges = 3 * t.end
  const count = findLoops(meshRoom, edges)
  orderFaces(meshRoom, count, size)
  return writeSolid(meshRoom, edges, count, numbers)
}

/** Sets the mesh, and the corners in order; returns how many. */
function setMesh(t: HullTriangles, points: ScaledPoints): number {
  const edges = 3 * t.end
  spend(t.end)
  reserveEdges(edges)
  reservePoints(points.count)
  findFlatEdges(t, points)
  const size = findCorners(t, points)
  const { origin, twin } = t
  for (let edge = 0; edge < edges; edge++) {
    meshRoom[edge] = origin[edge] < 0 ? -1 : ranks[origin[edge]]
    meshRoom[edges + edge] = isFlat[edge] === 1 ? -1 - twin[edge] : twin[edge]
  }
  return size
}

/** Sets which half-edges lie inside a face; those of triangles that have fallen count as such. */
function findFlatEdges(t: HullTriangles, points: ScaledPoints): void {
  const { origin, twin, end } = t
  for (let f = 0; f < end; f++) {
    for (let edge = 3 * f; edge < 3 * f + 3; edge++) {
      if (origin[3 * f] < 0) isFlat[edge] = 1
      else if (twin[edge] > edge) isFlat[edge] = isFlat[twin[edge]] = isFlatEdge(t, points, edge) ? 1 : 0
    }
  }
}

/** Sets the corners in order, and the place of each point among them, −1 for points that are none; returns how many there are. */
function findCorners({ origin, end }: HullTriangles, { given, count }: ScaledPoints): number {
  for (let p = 0; p < count; p++) ranks[p] = 0
  let size = 0
  for (let edge = 0; edge < 3 * end; edge++) {
    if (isFlat[edge] === 0 && ++ranks[origin[edge]] === 3) cornerRoom[size++] = origin[edge]
  }
  putInOrder(given, cornerRoom, size)
  for (let p = 0; p < count; p++) ranks[p] = -1
  for (let k = 0; k < size; k++) ranks[cornerRoom[k]] = k
  return size
}

/** The corners, put in order. */
function inOrder(points: Float64Array, corners: Int32Array): Int32Array {
  putInOrder(points, corners, corners.length)
  return corners
}

/** Puts the first `length` corners in order. */
function putInOrder(points: Float64Array, corners: Int32Array, length: number): void {
  if (length > FEW_CORNERS) {
    putInKeyOrder(points, corners, length)
    return
  }
  for (let k = 1; k < length; k++) {
    const corner = corners[k]
    let place = k
    for (; place > 0 && comparePoints(points, corner, corners[place - 1]) < 0; place--) {
      corners[place] = corners[place - 1]
    }
    corners[place] = corner
  }
}

/** Of no more than that insertion is the quicker way to sort. */
const FEW_CORNERS = 32

function putInKeyOrder(points: Float64Array, corners: Int32Array, length: number): void {
  const keys = new Float64Array(length)
  for (let k = 0; k < length; k++) keys[k] = points[3 * corners[k]]
  const sorted = orderOfKeys(keys, (k, l) => comparePoints(points, corners[k], corners[l]))
  corners.set(sorted.map((k) => corners[k]))
}

/** The hull of these corners, with its faces. */
export function hullFaces({ vertices, mesh, whole }: HullCorners): ConvexHull {
  if (mesh === null) return whole as ConvexHull
  const edges = mesh.length >> 1
  spend(edges >> 1)
  reserveEdges(edges)
  reservePoints(vertices.length)
  const count = findLoops(mesh, edges)
  orderFaces(mesh, count, vertices.length)
  return writeFaces(mesh, edges, vertices, count)
}

/** Gives back room that only many points need. */
export function giveBackSurface(): void {
  if (placeOf.length > KEPT_ENTRIES) reserveEdges(0)
  if (ranks.length > KEPT_ENTRIES) reservePoints(0)
}

/** The edge after this one around its face, which may start on an edge and not in a corner. */
function following(mesh: Int32Array, edges: number, edge: number): number {
  let next = nextEdge(edge)
  while (mesh[edges + next] < 0) next = nextEdge(-1 - mesh[edges + next])
  return next
}

/** Sets the edges that start in corners, face by face, in order around each and from its first corner on. Returns how many faces. */
function findLoops(mesh: Int32Array, edges: number): number {
  placeOf.fill(-1, 0, edges)
  let size = 0
  let count = 0
  for (let first = 0; first < edges; first++) {
    if (mesh[first] < 0 || mesh[edges + first] < 0 || placeOf[first] >= 0) continue
    // The first corner of the face.
    let least = first
    let edge = first
    do {
      placeOf[edge] = count
      const rank = mesh[edge]
      if (rank >= 0 && rank < mesh[least]) least = edge
      edge = following(mesh, edges, edge)
    } while (edge !== first)
    loopStarts[count] = size
    edge = least
    do {
      if (mesh[edge] >= 0) edgesAround[size++] = edge
      edge = following(mesh, edges, edge)
    } while (edge !== least)
    count++
  }
  loopStarts[count] = size
  return count
}

/** Sets the order of the faces: by their first corner, then their second. */
function orderFaces(mesh: Int32Array, count: number, corners: number): void {
  for (let f = 0; f < count; f++) {
    firstRanks[f] = mesh[edgesAround[loopStarts[f]]]
    secondRanks[f] = mesh[edgesAround[loopStarts[f] + 1]]
    order[f] = f
  }
  sortByCounting(order, count, secondRanks, corners, bySecond)
  sortByCounting(bySecond, count, firstRanks, corners, order)
}

/** Writes a list in order of its items’ keys below `end`, those of equal keys as they were. */
function sortByCounting(list: Int32Array, count: number, keys: Int32Array, end: number, out: Int32Array): void {
  places.fill(0, 0, end + 1)
  for (let k = 0; k < count; k++) places[keys[k] + 1]++
  for (let key = 0; key < end; key++) places[key + 1] += places[key]
  for (let k = 0; k < count; k++) out[places[keys[list[k]]]++] = list[k]
}

function writeFaces(mesh: Int32Array, edges: number, vertices: Int32Array, count: number): ConvexHull {
  const size = loopStarts[count]
  const faceStarts = new Int32Array(count + 1)
  const origins = new Int32Array(size)
  const faces = new Int32Array(size)
  const twins = new Int32Array(size)
  let place = 0
  for (let f = 0; f < count; f++) {
    const end = loopStarts[order[f] + 1]
    for (let k = loopStarts[order[f]]; k < end; k++) {
      const edge = edgesAround[k]
      origins[place] = mesh[edge]
      faces[place] = f
      // The half-edge of the triangles itself, until the places of all are known.
      twins[place] = edge
      placeOf[edge] = place++
    }
    faceStarts[f + 1] = place
  }
  for (let k = 0; k < size; k++) twins[k] = placeOf[mesh[edges + lastAlong(mesh, edges, twins[k])]]
  return { dimension: 3, vertices, faceStarts, origins, twins, faces }
}

/** Of the half-edges of triangles that are one edge of a face, the last, given the first. */
function lastAlong(mesh: Int32Array, edges: number, first: number): number {
  let last = first
  for (;;) {
    const after = following(mesh, edges, last)
    if (mesh[after] >= 0) return last
    last = after
  }
}

/** Of a mesh whose corners are in `cornerRoom`. */
function writeSolid(mesh: Int32Array, edges: number, count: number, numbersOfEach: number): SolidFaces {
  const size = loopStarts[count]
  const doubles = numbersOfEach * count
  // One buffer for all: several small ones would cost more than what goes into them.
  const buffer = new ArrayBuffer(8 * doubles + 4 * (count + 1 + 2 * size))
  const numbers = new Float64Array(buffer, 0, doubles)
  const starts = new Int32Array(buffer, 8 * doubles, count + 1)
  const corners = new Int32Array(buffer, 8 * doubles + 4 * (count + 1), size)
  const neighbours = new Int32Array(buffer, 8 * doubles + 4 * (count + 1 + size), size)
  let place = 0
  for (let f = 0; f < count; f++) {
    const end = loopStarts[order[f] + 1]
    for (let k = loopStarts[order[f]]; k < end; k++) {
      const edge = edgesAround[k]
      corners[place] = cornerRoom[mesh[edge]]
      // The half-edge of the triangles itself, until the faces of all are known.
      neighbours[place++] = edge
      placeOf[edge] = f
    }
    starts[f + 1] = place
  }
  for (let k = 0; k < size; k++) neighbours[k] = placeOf[mesh[edges + lastAlong(mesh, edges, neighbours[k])]]
  return { starts, corners, neighbours, numbers }
}
