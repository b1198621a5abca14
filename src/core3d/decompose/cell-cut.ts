/**
 * Parts of a solid mesh: what lies of it in a convex cell, cut in two by a plane.
 *
 * Method: a part is a soup of convex polygons, cut one by one (I. E. Sutherland, G. W. Hodgman, "Reentrant polygon clipping", CACM
 * 17 (1974)), so that a mesh may cross itself and touch itself anywhere: the surface, the faces of the cell, and the caps that close it
 * where it was cut, as signed fans, for the volume alone. An extreme point of the solid within the cell is a corner of the surface cut by
 * the cell, or a corner of the cell within the solid: the hull of these covers the part, and no cap has to be triangulated.
 * Rounding: a corner is exact, or rounded. Where a plane through three exact corners, or across an axis, cuts an edge between exact
 * corners in a point that doubles hold, the new corner is exact. Elsewhere both sides are cut beyond the plane by its slack. By induction over the cuts, what lies of a
 * surface polygon on a side lies in the hull of its corners, with a ball of `CUT_RADIUS` about each rounded one: a cut puts new corners within 4
 * roundoffs of the edge, and what the balls reach beyond the plane is less than its slack.
 * Frame: coordinates below 2. Cost: O(polygons) for each cut.
 */

import { spend } from '../../containers/budget.ts'
import { orientation as turnOf } from '../../core2d/outline/orientation.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { acrossOf } from '../fit/turned-box.ts'
import type { Mesh } from '../mesh/mesh.ts'
import { edgeClass, FLAT_EDGE } from '../mesh/mesh-check.ts'
import { orientationAt } from '../mesh/orientation.ts'
import { cross, dot, type Vector } from '../shape/body.ts'
import { CUT_RADIUS, SMALLEST_CUT_NORMAL, THINNEST_CUT_RATIO } from '../tolerances.ts'

/** All points p with normal · (p − anchor) = 0. */
export interface CutPlane {
  normal: Vector
  anchor: Vector
  /** Of the normal. */
  length: number
  /** Across an axis: sides are comparisons. −1 for none. */
  axis: -1 | 0 | 1 | 2
  /** Through three points of the mesh, nine numbers, counter-clockwise seen from above: sides are exact. Null for none. */
  corners: Float64Array | null
  /** As heights are measured: beyond what rounding of the normal and of corners may hide. */
  slack: number
  /** Of the triangle, twice. */
  area: number
}

export function axisPlane(axis: 0 | 1 | 2, at: number): CutPlane {
  const along = (value: number): Vector => [axis === 0 ? value : 0, axis === 1 ? value : 0, axis === 2 ? value : 0]
  return { normal: along(1), anchor: along(at), length: 1, axis, corners: null, slack: 2 * CUT_RADIUS, area: 0 }
}

/** A plane that is no more exact than its normal, which is of length 1. */
export function tiltedPlane(normal: Vector, height: number): CutPlane {
  const anchor: Vector = [normal[0] * height, normal[1] * height, normal[2] * height]
  return { normal, anchor, length: 1, axis: -1, corners: null, slack: 2 * CUT_RADIUS, area: 0 }
}

/** Through a triangle; null where it is too thin to tell. Its normal is the product of its sides, times a power of two. */
export function trianglePlane(points: Float64Array, i: number, j: number, k: number): CutPlane | null {
  const anchor: Vector = [points[3 * i], points[3 * i + 1], points[3 * i + 2]]
  const [ux, uy, uz] = [0, 1, 2].map((c) => points[3 * j + c] - anchor[c])
  const [vx, vy, vz] = [0, 1, 2].map((c) => points[3 * k + c] - anchor[c])
  const normal: Vector = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const length = Math.hypot(...normal)
  const sides = Math.hypot(ux, uy, uz) * Math.hypot(vx, vy, vz)
  if (!(length > THINNEST_CUT_RATIO * sides) || length < SMALLEST_CUT_NORMAL) return null
  const scale = 1 / 2 ** Math.floor(Math.log2(length))
  const corners = new Float64Array(9)
  corners.set(anchor)
  corners.set(points.subarray(3 * j, 3 * j + 3), 3)
  corners.set(points.subarray(3 * k, 3 * k + 3), 6)
  const axis = [0, 1, 2].find((c) => normal[(c + 1) % 3] === 0 && normal[(c + 2) % 3] === 0) as 0 | 1 | 2 | undefined
  return {
    normal: [normal[0] * scale, normal[1] * scale, normal[2] * scale],
    anchor,
    length: length * scale,
    axis: axis ?? -1,
    corners,
    slack: 4 * CUT_RADIUS + (128 * UNIT_ROUNDOFF * sides) / length,
    area: length,
  }
}

/** What a polygon is, below 0; a triangle of the mesh otherwise. */
export const CAP = -1
export const CELL_FACE = -2

/** What an edge lies on, below 0: an edge of the mesh, or one within a face of it. The number of a plane of the part otherwise. */
const REAL_EDGE = -1
const FLAT = -2

/** Of points: exact, rounded, or rounded and within a face of the mesh, where it is no corner of what was cut. */
const EXACT = 0
const ROUNDED = 1
export const MINOR = 2

export interface Part {
  /** x0, y0, z0, x1, … */
  points: Float64Array
  count: number
  /** 0 for an exact point, `MINOR` for one that no hull needs. */
  isRounded: Uint8Array
  /** The corners of polygon p are rings[starts[p]] … rings[starts[p + 1] − 1], counter-clockwise seen from outside. */
  rings: Int32Array
  starts: Int32Array
  /** Of each polygon its triangle, `CAP` or `CELL_FACE`. */
  sources: Int32Array
  /** Of each corner of a ring what the edge from it to the next lies on. */
  edges: Int32Array
  /** By which it was cut. */
  planes: readonly CutPlane[]
  mesh: Pick<Mesh, 'vertices' | 'triangles'>
  polygonCount: number
  /** How many cuts have made it. */
  depth: number
}

/** A list that grows. */
class Numbers {
  list = new Int32Array(256)
  size = 0
  push(value: number): void {
    if (this.size === this.list.length) {
      const longer = new Int32Array(2 * this.size)
      longer.set(this.list)
      this.list = longer
    }
    this.list[this.size++] = value
  }
}

/** The whole of a mesh within its box. */
export function wholePart(mesh: Mesh, isRounded: Uint8Array): Part {
  const { vertices, triangles } = mesh
  const vertexCount = vertices.length / 3
  const triangleCount = triangles.length / 3
  spend(vertexCount + triangleCount)
  const box = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]
  for (let i = 0; i < vertices.length; i++) {
    if (vertices[i] < box[0][i % 3]) box[0][i % 3] = vertices[i]
    if (vertices[i] > box[1][i % 3]) box[1][i % 3] = vertices[i]
  }
  const points = new Float64Array(vertices.length + 24)
  points.set(vertices)
  for (let c = 0; c < 8; c++) for (let k = 0; k < 3; k++) points[vertices.length + 3 * c + k] = box[(c >> k) & 1][k]
  const rounded = new Uint8Array(vertexCount + 8)
  rounded.set(isRounded)
  const rings = new Int32Array(triangles.length + 24)
  rings.set(triangles)
  rings.set(
    BOX_FACES.map((corner) => vertexCount + corner),
    triangles.length,
  )
  const starts = new Int32Array(triangleCount + 7)
  for (let t = 0; t <= triangleCount; t++) starts[t] = 3 * t
  for (let f = 1; f <= 6; f++) starts[triangleCount + f] = 3 * triangleCount + 4 * f
  const sources = Int32Array.from({ length: triangleCount + 6 }, (_, p) => (p < triangleCount ? p : CELL_FACE))
  const edges = new Int32Array(rings.length).fill(REAL_EDGE)
  for (let e = 0; e < triangles.length; e++) {
    if (edgeClass(mesh.edges, Math.floor(e / 3), e % 3) === FLAT_EDGE) edges[e] = FLAT
  }
  return {
    points,
    count: vertexCount + 8,
    isRounded: rounded,
    rings,
    starts,
    sources,
    edges,
    planes: [],
    mesh,
    polygonCount: triangleCount + 6,
    depth: 0,
  }
}

/** Corners of the faces of a box, bit k of which says whether it lies high along axis k. */
const BOX_FACES = [0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6]

/** Whether the part can be cut, as far as rounding is accounted for. */
export function mayCut({ depth }: Part): boolean {
  return depth < MOST_CUTS
}

/** Cuts one after the other, each of which moves the surface by some roundoffs: `CUT_RADIUS` is for as many. */
const MOST_CUTS = 200

/** What lies below the plane, and what above. */
export function cutPart(part: Part, plane: CutPlane): [Part, Part] {
  const lies = liesOver(part, plane)
  return [halfOf(part, plane, lies, 1), halfOf(part, plane, lies, -1)]
}

/** Where the points lie over a plane. */
interface Lies {
  heights: Float64Array
  /** Of the heights of exact points. */
  signs: Int8Array
}

function liesOver({ points, count, isRounded }: Part, { normal, anchor, axis, corners }: CutPlane): Lies {
  spend(count)
  const heights = new Float64Array(count)
  const signs = new Int8Array(count)
  const five = new Float64Array(12)
  if (corners !== null) five.set(corners)
  for (let i = 0; i < count; i++) {
    const height =
      normal[0] * (points[3 * i] - anchor[0]) +
      normal[1] * (points[3 * i + 1] - anchor[1]) +
      normal[2] * (points[3 * i + 2] - anchor[2])
    heights[i] = height
    if (isRounded[i] !== EXACT || (axis < 0 && corners === null)) continue
    if (axis !== -1) signs[i] = Math.sign(normal[axis]) * Math.sign(points[3 * i + axis] - anchor[axis])
    else {
      five[9] = points[3 * i]
      five[10] = points[3 * i + 1]
      five[11] = points[3 * i + 2]
      signs[i] = orientationAt(five, 0, 1, 2, 3)
    }
  }
  return { heights, signs }
}

/** Of two points on either side of the plane the ends, and how the cut between them is made. */
interface Half extends Lies {
  part: Part
  plane: CutPlane
  /** 1 for what lies below, −1 for what lies above. */
  side: 1 | -1
  points: number[]
  rounded: number[]
  /** Of each point whether it lies on the plane, or so near it that it was not cut. */
  on: boolean[]
  /** Of each point of the part its index here, −1 for none. */
  indices: Int32Array
  /** What the edges of the rings lie on. */
  edges: number[]
  /** By edge and kind of cut: the new corner. */
  corners: Map<number, number>
}

function halfOf(part: Part, plane: CutPlane, lies: Lies, side: 1 | -1): Part {
  const { rings, starts, sources, polygonCount, count } = part
  spend(polygonCount)
  const indices = new Int32Array(count).fill(-1)
  const half: Half = {
    ...lies,
    part,
    plane,
    side,
    points: [],
    rounded: [],
    on: [],
    indices,
    edges: [],
    corners: new Map(),
  }
  const { on } = half
  const isExactPlane = plane.axis >= 0 || plane.corners !== null
  const newRings = new Numbers()
  const newStarts = new Numbers()
  const newSources = new Numbers()
  const caps = new Map<number, number[]>()
  const face = new Set<number>()
  newStarts.push(0)
  for (let p = 0; p < polygonCount; p++) {
    const [from, to] = [starts[p], starts[p + 1]]
    const source = sources[p]
    const begin = newRings.size
    if (!cutRing(half, rings, from, to, isExactPlane, source, newRings)) {
      newRings.size = begin
      half.edges.length = begin
      continue
    }
    newStarts.push(newRings.size)
    newSources.push(source)
    for (let k = begin; k < newRings.size; k++) {
      const a = newRings.list[k]
      const b = newRings.list[k + 1 === newRings.size ? begin : k + 1]
      if (!on[a]) continue
      if (source === CELL_FACE) face.add(a)
      else if (on[b]) addEdge(caps, a, b)
    }
  }
  const pushRing = (ring: readonly number[], source: number): void => {
    for (const corner of ring) {
      newRings.push(corner)
      half.edges.push(part.planes.length)
    }
    newStarts.push(newRings.size)
    newSources.push(source)
  }
  let apex = -1
  for (const [a, ends] of caps) {
    if (ends.length === 0) continue
    if (apex < 0) apex = a
    for (const b of ends) if (a !== apex && b !== apex) pushRing([apex, b, a], CAP)
  }
  if (face.size > 2) pushRing(ringOf(half, [...face]), CELL_FACE)
  return {
    points: Float64Array.from(half.points),
    count: half.points.length / 3,
    isRounded: Uint8Array.from(half.rounded),
    rings: newRings.list.slice(0, newRings.size),
    starts: newStarts.list.slice(0, newStarts.size),
    sources: newSources.list.slice(0, newSources.size),
    edges: Int32Array.from(half.edges),
    planes: [...part.planes, plane],
    mesh: part.mesh,
    polygonCount: newSources.size,
    depth: part.depth + 1,
  }
}

/** Adds an edge of what is open, or takes off the one that leads back. */
function addEdge(edges: Map<number, number[]>, a: number, b: number): void {
  const back = edges.get(b)
  const at = back === undefined ? -1 : back.indexOf(a)
  if (at >= 0) back?.splice(at, 1)
  else if (edges.has(a)) edges.get(a)?.push(b)
  else edges.set(a, [b])
}

/** The corners of a convex face in order, as seen from the side that is cut away. */
function ringOf({ points, side, plane }: Half, corners: readonly number[]): number[] {
  const way = plane.normal.map((x) => (side * x) / plane.length) as unknown as Vector
  const u = acrossOf(way)
  const v = cross(way, u)
  const middle = [0, 0, 0]
  for (const i of corners) for (let k = 0; k < 3; k++) middle[k] += points[3 * i + k] / corners.length
  const angles = corners.map((i) => {
    const from: Vector = [points[3 * i] - middle[0], points[3 * i + 1] - middle[1], points[3 * i + 2] - middle[2]]
    return { i, angle: Math.atan2(dot(v, from), dot(u, from)) }
  })
  return angles.sort((a, b) => a.angle - b.angle || a.i - b.i).map(({ i }) => i)
}

/** Writes the ring of what lies on the side; false for nothing. */
function cutRing(
  half: Half,
  rings: Int32Array,
  from: number,
  to: number,
  isExactPlane: boolean,
  source: number,
  out: Numbers,
): boolean {
  const { part, plane, side, heights, signs } = half
  const { isRounded } = part
  const isExact = (i: number): boolean => isExactPlane && isRounded[i] === EXACT
  /** Over the plane: 1 cut away, 0 on it, −1 kept. */
  const sideOf = (i: number): number => {
    if (isExact(i)) return side * signs[i]
    const height = side * heights[i]
    return height > plane.slack ? 1 : height < -plane.slack ? -1 : 0
  }
  let [below, above] = [0, 0]
  for (let k = from; k < to; k++) {
    const lie = sideOf(rings[k])
    if (lie > 0) above++
    else if (lie < 0) below++
  }
  if (below === 0) {
    // In the plane, or so near it that the other side keeps all of it: it belongs to what it is the surface of.
    if (above > 0 || source < 0 || !facesUp(part, plane, source, side)) return false
  }
  const begin = out.size
  for (let k = from; k < to; k++) {
    const i = rings[k]
    const j = rings[k + 1 === to ? from : k + 1]
    const [own, next] = [sideOf(i), sideOf(j)]
    const edge = part.edges[k]
    if (own <= 0) {
      out.push(keptPoint(half, i, own === 0))
      half.edges.push(edge)
    }
    if (own > 0 === next > 0) continue
    // A point on the plane is its own cut.
    if ((own === 0 && isExact(i)) || (next === 0 && isExact(j))) {
      if (own === 0) half.edges[half.edges.length - 1] = part.planes.length
      continue
    }
    out.push(own > 0 ? newCorner(half, j, i, edge, source) : newCorner(half, i, j, edge, source))
    half.edges.push(own > 0 ? edge : part.planes.length)
  }
  return out.size - begin > 2
}

/** Whether a triangle in the plane is seen counter-clockwise from the side that is cut away. */
function facesUp({ mesh }: Part, { normal }: CutPlane, source: number, side: number): boolean {
  const { vertices: v, triangles } = mesh
  const [a, b, c] = [3 * triangles[3 * source], 3 * triangles[3 * source + 1], 3 * triangles[3 * source + 2]]
  let sum = 0
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3]
    sum += normal[k] * ((v[b + i] - v[a + i]) * (v[c + j] - v[a + j]) - (v[b + j] - v[a + j]) * (v[c + i] - v[a + i]))
  }
  return side * sum >= 0
}

function keptPoint(half: Half, i: number, isOnPlane: boolean): number {
  const { indices, on } = half
  if (indices[i] < 0) {
    const { points, isRounded } = half.part
    indices[i] = addPoint(half, points[3 * i], points[3 * i + 1], points[3 * i + 2], isRounded[i])
    on[indices[i]] = false
  }
  if (isOnPlane) {
    on[indices[i]] = true
    // What lies within a face is a corner where two cuts meet.
    if (half.rounded[indices[i]] === MINOR) half.rounded[indices[i]] = ROUNDED
  }
  return indices[i]
}

function addPoint(half: Half, x: number, y: number, z: number, rounded: number): number {
  half.points.push(x, y, z)
  half.rounded.push(rounded)
  return half.rounded.length - 1
}

/** Where the edge from i, which is kept, to j crosses the plane, or comes to its slack beyond it. */
function newCorner(half: Half, i: number, j: number, edge: number, source: number): number {
  const { part, plane, side, corners, heights } = half
  const { points, count } = part
  const key = Math.min(i, j) * count + Math.max(i, j)
  const known = corners.get(key)
  if (known !== undefined) return known
  const [low, high] = [side * heights[i], side * heights[j]]
  const at = (k: number, share: number): number => {
    const [p, q] = [points[3 * i + k], points[3 * j + k]]
    // From the nearer end, which rounds less; the same way from either side.
    return share <= 0.5 ? p + share * (q - p) : q - (1 - share) * (q - p)
  }
  const shareAt = (height: number): number => (high > low ? Math.min(1, Math.max(0, (height - low) / (high - low))) : 1)
  const crossing = shareAt(0)
  let place = [at(0, crossing), at(1, crossing), at(2, crossing)]
  const across = edge >= 0 ? part.planes[edge] : null
  for (const one of [plane, across]) if (one !== null && one.axis !== -1) place[one.axis] = one.anchor[one.axis]
  let rounded = EXACT
  if (!isTrueCorner(part, plane, across, i, j, source, place)) {
    const share = shareAt(plane.slack)
    place = [at(0, share), at(1, share), at(2, share)]
    rounded = edge === FLAT ? MINOR : ROUNDED
  }
  const corner = addPoint(half, place[0], place[1], place[2], rounded)
  corners.set(key, corner)
  half.on[corner] = true
  return corner
}

const probe = new Float64Array(12)

/** Whether the point is where the edge between i and j crosses the plane, exactly: on its line, or on the planes that it lies on. */
function isTrueCorner(
  { points, isRounded, mesh }: Part,
  plane: CutPlane,
  across: CutPlane | null,
  i: number,
  j: number,
  source: number,
  place: readonly number[],
): boolean {
  if (!isOnPlane(plane, place)) return false
  const [x, y, z] = place
  if (isRounded[i] === EXACT && isRounded[j] === EXACT) {
    const [a, b] = [3 * i, 3 * j]
    return (
      turnOf(points[a], points[a + 1], points[b], points[b + 1], x, y) === 0 &&
      turnOf(points[a + 1], points[a + 2], points[b + 1], points[b + 2], y, z) === 0 &&
      turnOf(points[a + 2], points[a], points[b + 2], points[b], z, x) === 0
    )
  }
  if (across === null || source < 0 || !isOnPlane(across, place)) return false
  const { vertices, triangles } = mesh
  for (let k = 0; k < 3; k++)
    probe.set(vertices.subarray(3 * triangles[3 * source + k], 3 * triangles[3 * source + k] + 3), 3 * k)
  probe.set(place, 9)
  return orientationAt(probe, 0, 1, 2, 3) === 0
}

/** Exactly; false for planes that are no more exact than their normals. */
function isOnPlane({ axis, anchor, corners }: CutPlane, place: readonly number[]): boolean {
  if (axis !== -1) return place[axis] === anchor[axis]
  if (corners === null) return false
  probe.set(corners)
  probe.set(place, 9)
  return orientationAt(probe, 0, 1, 2, 3) === 0
}

/** Volume of the part; negative for what is wound inward. */
export function volumeOfPart({ points, rings, starts, sources, polygonCount }: Part): number {
  let sum = 0
  const [ox, oy, oz] = points
  for (let p = 0; p < polygonCount; p++) {
    if (sources[p] === CELL_FACE) continue
    const a = 3 * rings[starts[p]]
    const [ax, ay, az] = [points[a] - ox, points[a + 1] - oy, points[a + 2] - oz]
    for (let k = starts[p] + 2; k < starts[p + 1]; k++) {
      const [b, c] = [3 * rings[k - 1], 3 * rings[k]]
      const [bx, by, bz] = [points[b] - ox, points[b + 1] - oy, points[b + 2] - oz]
      const [cx, cy, cz] = [points[c] - ox, points[c + 1] - oy, points[c + 2] - oz]
      sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    }
  }
  return sum / 6
}
