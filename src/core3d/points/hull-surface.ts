/**
 * The surface of a convex hull: corners, planar faces, and edges with the faces on both sides.
 *
 * Method: triangles on both sides of an edge are one face if they lie in one plane, exactly. What is a corner then shows in the
 * edges that are left: three or more meet in it; two meet in a point on an edge, none in a point on a face.
 * Order: corners by x, then y, then z; the half-edges of a face counter-clockwise from outside, from its first corner; faces by
 * their first corner, then their second. So the surface hangs on the set of points alone.
 */

import { spend } from '../../containers/budget.ts'
import { orderOfKeys } from '../../containers/sort-by-keys.ts'
import { type HullTriangles, isFlatEdge, nextEdge } from './hull-triangles.ts'
import type { ScaledPoints } from './scaled-points.ts'

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

const NONE = new Int32Array(0)

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
  const vertices = inOrder(points, ring)
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

/** Of a closed surface of triangles. */
export function solidHull(t: HullTriangles, points: ScaledPoints): ConvexHull {
  spend(2 * t.end)
  const isFlat = flatEdges(t, points)
  const { ranks, vertices } = corners(t, points, isFlat)
  const loops = faceLoops(t, isFlat, ranks)
  return writeFaces(t, isFlat, ranks, vertices, loops)
}

/** Which half-edges lie inside a face; those of triangles that have fallen count as such. */
function flatEdges(t: HullTriangles, points: ScaledPoints): Uint8Array {
  const isFlat = new Uint8Array(3 * t.end)
  for (let edge = 0; edge < 3 * t.end; edge++) {
    if (t.origin[edge - (edge % 3)] < 0) isFlat[edge] = 1
    else if (t.twin[edge] > edge && isFlatEdge(t, points, edge)) isFlat[edge] = isFlat[t.twin[edge]] = 1
  }
  return isFlat
}

/** The corners in order, and the place of each point among them, −1 for points that are none. */
function corners(
  { origin, end }: HullTriangles,
  { given, count }: ScaledPoints,
  isFlat: Uint8Array,
): { ranks: Int32Array; vertices: Int32Array } {
  const ranks = new Int32Array(count)
  const found = new Int32Array(Math.min(count, end))
  let size = 0
  for (let edge = 0; edge < 3 * end; edge++) {
    if (isFlat[edge] === 0 && ++ranks[origin[edge]] === 3) found[size++] = origin[edge]
  }
  const vertices = inOrder(given, found.subarray(0, size))
  ranks.fill(-1)
  for (let k = 0; k < size; k++) ranks[vertices[k]] = k
  return { ranks, vertices }
}

function inOrder(points: Float64Array, corners: Int32Array): Int32Array {
  const keys = new Float64Array(corners.length)
  for (let k = 0; k < corners.length; k++) keys[k] = points[3 * corners[k]]
  const order = orderOfKeys(keys, (k, l) => {
    const i = 3 * corners[k]
    const j = 3 * corners[l]
    return points[i + 1] - points[j + 1] || points[i + 2] - points[j + 2]
  })
  return order.map((k) => corners[k])
}

/** The edges that start in corners, face by face, in order around each and from its first corner on. */
interface FaceLoops {
  edges: Int32Array
  starts: Int32Array
  count: number
}

/** The edge after this one around its face, which may start on an edge and not in a corner. */
function following({ twin }: HullTriangles, isFlat: Uint8Array, edge: number): number {
  let next = nextEdge(edge)
  while (isFlat[next] === 1) next = nextEdge(twin[next])
  return next
}

function faceLoops(t: HullTriangles, isFlat: Uint8Array, ranks: Int32Array): FaceLoops {
  const { origin, end } = t
  const edges = new Int32Array(3 * end)
  const starts = new Int32Array(end + 1)
  const isTaken = new Uint8Array(3 * end)
  let size = 0
  let count = 0
  for (let first = 0; first < 3 * end; first++) {
    if (isFlat[first] === 1 || isTaken[first] === 1 || ranks[origin[first]] < 0) continue
    // The first corner of the face.
    let least = first
    let edge = first
    do {
      isTaken[edge] = 1
      const rank = ranks[origin[edge]]
      if (rank >= 0 && rank < ranks[origin[least]]) least = edge
      edge = following(t, isFlat, edge)
    } while (edge !== first)
    edge = least
    do {
      if (ranks[origin[edge]] >= 0) edges[size++] = edge
      edge = following(t, isFlat, edge)
    } while (edge !== least)
    starts[++count] = size
  }
  return { edges: edges.subarray(0, size), starts, count }
}

function writeFaces(
  t: HullTriangles,
  isFlat: Uint8Array,
  ranks: Int32Array,
  vertices: Int32Array,
  loops: FaceLoops,
): ConvexHull {
  const { origin, twin } = t
  const { count } = loops
  const size = loops.edges.length
  const rankAt = (f: number, k: number): number => ranks[origin[loops.edges[loops.starts[f] + k]]]
  const seconds = countingOrder(null, count, vertices.length, (f) => rankAt(f, 1))
  const order = countingOrder(seconds, count, vertices.length, (f) => rankAt(f, 0))
  const faceStarts = new Int32Array(count + 1)
  const origins = new Int32Array(size)
  const faces = new Int32Array(size)
  const twins = new Int32Array(size)
  const written = new Int32Array(size)
  /** Of each half-edge that starts in a corner the place where it is written. */
  const placeOf = new Int32Array(3 * t.end)
  let place = 0
  for (let f = 0; f < count; f++) {
    for (let k = loops.starts[order[f]]; k < loops.starts[order[f] + 1]; k++) {
      const edge = loops.edges[k]
      origins[place] = ranks[origin[edge]]
      faces[place] = f
      written[place] = edge
      placeOf[edge] = place++
    }
    faceStarts[f + 1] = place
  }
  for (let k = 0; k < size; k++) {
    let last = written[k]
    for (;;) {
      const after = following(t, isFlat, last)
      if (ranks[origin[after]] >= 0) break
      last = after
    }
    twins[k] = placeOf[twin[last]]
  }
  return { dimension: 3, vertices, faceStarts, origins, twins, faces }
}

/** What `before` lists (null: all of 0 … count − 1), in order of their keys below `end`, those of equal keys as they were. */
function countingOrder(
  before: Int32Array | null,
  count: number,
  end: number,
  keyOf: (item: number) => number,
): Int32Array {
  const places = new Int32Array(end + 1)
  for (let k = 0; k < count; k++) places[keyOf(k) + 1]++
  for (let key = 0; key < end; key++) places[key + 1] += places[key]
  const order = new Int32Array(count)
  for (let k = 0; k < count; k++) {
    const item = before === null ? k : before[k]
    order[places[keyOf(item)]++] = item
  }
  return order
}
