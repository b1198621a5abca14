/**
 * How the triangles of a mesh hang together: whether they enclose something, which way they are wound, and how their edges bend.
 *
 * Method: vertices of equal coordinates are one. Edges are sorted by their two vertices, by counting and then at each vertex, so that the triangles
 * at an edge stand side by side, however many there are at an edge or a vertex. A mesh is closed where each edge is passed as often one
 * way as the other: then the surface goes round each point beside it a whole number of times. It is inward where it encloses less than
 * nothing. How an edge bends is the exact side of one triangle's plane on which the other's far corner lies.
 * Frame: the mesh's own. Cost O(triangles + vertices), with many edges at a vertex O(edges · log edges) for these; some 36 bytes a triangle while it works.
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { orientation, orientationAt } from './orientation.ts'

/** A border, or between more than two triangles, or beside one of no area: any normal may be its own. */
export const FREE_EDGE = 0
/** Between two triangles that continue each other in one plane: no normal of its own. */
export const FLAT_EDGE = 1
/** Between two triangles that bend towards where they are seen counter-clockwise from, a valley: no normal of its own there. */
export const REFLEX_EDGE = 2
/** A ridge as seen from there: its normals are those between the normals of its two triangles. */
export const CONVEX_EDGE = 3
export type EdgeClass = typeof FREE_EDGE | typeof FLAT_EDGE | typeof REFLEX_EDGE | typeof CONVEX_EDGE

/** An edge that not as many triangles pass one way as the other. */
export interface OpenEdge {
  /** The edge leads from the first vertex to the second in this triangle: indices of the caller's. */
  triangle: number
  from: number
  to: number
}

export interface MeshCheck {
  /** Of all open edges the one first passed in the caller's order; null where the mesh is closed. */
  open: OpenEdge | null
  /** Of a closed mesh whether it is wound clockwise as seen from outside, as a whole. */
  isInward: boolean
  /** For each triangle the classes of its edges 0→1, 1→2, 2→0, two bits each from the lowest; of an inward mesh as seen from outside. */
  edges: Uint8Array
}

/** Of the class of one edge of a triangle, 0→1, 1→2 or 2→0. */
export function edgeClass(edges: Uint8Array, triangle: number, edge: number): EdgeClass {
  return ((edges[triangle] >> (2 * edge)) & 3) as EdgeClass
}

/** Bytes for each triangle that a check works in. */
export const CHECK_SIZE = 24

/** Vertices are finite; triangles name three of them each. It works in `room`. */
export function checkMesh(
  vertices: Float64Array,
  triangles: Uint32Array,
  room = new ArrayBuffer(8 * triangles.length),
): MeshCheck {
  spend(triangles.length + vertices.length / 3)
  const corners = joinVertices(vertices, triangles, new Uint32Array(room, 0, triangles.length))
  const order = sortEdges(corners, vertices.length / 3, new Uint32Array(room, 4 * triangles.length, triangles.length))
  const edges = new Uint8Array(triangles.length / 3)
  let open = triangles.length
  for (let start = 0; start < order.length; ) {
    const { low, high, sum, end } = setRun(corners, order, start)
    if (low !== high) {
      if (sum !== 0) for (let i = start; i < end; i++) open = Math.min(open, order[i])
      if (end - start === 2) classify(vertices, corners, edges, order[start], order[start + 1])
    }
    start = end
  }
  const isClosed = open === triangles.length
  const isInward = isClosed && enclosesLessThanNothing(vertices, triangles)
  if (isInward) for (let i = 0; i < edges.length; i++) edges[i] = turned(edges[i])
  const openEdge = { triangle: Math.floor(open / 3), from: triangles[open], to: triangles[nextCorner(open)] }
  return { open: isClosed ? null : openEdge, isInward, edges }
}

/** Both vertices of each open edge, once for each time that it is passed more often that way than the other. */
export function openEdges(vertices: Float64Array, triangles: Uint32Array): number[] {
  spend(triangles.length + vertices.length / 3)
  const corners = joinVertices(vertices, triangles)
  const order = sortEdges(corners, vertices.length / 3, new Uint32Array(triangles.length))
  const open: number[] = []
  for (let start = 0; start < order.length; ) {
    const { low, high, sum, end } = setRun(corners, order, start)
    if (low !== high) for (let i = 0; i < Math.abs(sum); i++) open.push(sum > 0 ? low : high, sum > 0 ? high : low)
    start = end
  }
  return open
}

/** The corner after this one in its triangle; a corner also names the edge that begins there. */
function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1
}

function lowEnd(corners: Uint32Array, edge: number): number {
  return Math.min(corners[edge], corners[nextCorner(edge)])
}

function highEnd(corners: Uint32Array, edge: number): number {
  return Math.max(corners[edge], corners[nextCorner(edge)])
}

/** Valleys become ridges, and ridges valleys. */
function turned(classes: number): number {
  // of two bits, the lower one of those whose upper one is set
  return classes ^ ((classes >> 1) & 0b010101)
}

// Vertices of equal coordinates.

const coordinates = new Float64Array(3)
const words = new Uint32Array(coordinates.buffer)

/** The corners of all triangles, each with the first vertex of the same coordinates, in `corners`. */
export function joinVertices(
  vertices: Float64Array,
  triangles: Uint32Array,
  corners = new Uint32Array(triangles.length),
): Uint32Array {
  const count = vertices.length / 3
  const size = 2 ** Math.ceil(Math.log2(2 * count + 1))
  const table = new Int32Array(size).fill(-1)
  const first = new Uint32Array(count)
  for (let vertex = 0; vertex < count; vertex++) {
    const x = vertices[3 * vertex]
    const y = vertices[3 * vertex + 1]
    const z = vertices[3 * vertex + 2]
    let slot = hashOf(x, y, z) & (size - 1)
    let tries = 0
    while (table[slot] >= 0) {
      const at = 3 * table[slot]
      if (vertices[at] === x && vertices[at + 1] === y && vertices[at + 2] === z) break
      slot = (slot + 1) & (size - 1)
      tries++
    }
    // Vertices that crowd together in the table cost steps.
    if (tries > MANY_TRIES) spend(tries)
    if (table[slot] < 0) table[slot] = vertex
    first[vertex] = table[slot]
  }
  for (let i = 0; i < triangles.length; i++) corners[i] = first[triangles[i]]
  return corners
}

const MANY_TRIES = 16

/** The mixing of MurmurHash3 (A. Appleby) over the bits of three numbers; 0 and −0 are one. */
function hashOf(x: number, y: number, z: number): number {
  coordinates[0] = x + 0
  coordinates[1] = y + 0
  coordinates[2] = z + 0
  let hash = 0
  for (let k = 0; k < 6; k++) {
    let word = Math.imul(words[k], 0xcc9e2d51)
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593)
    hash ^= word
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

// Edges by their vertices: those of the same two stand side by side, in the caller's order.

/** Up to so many edges at a vertex are sorted by insertion. */
const FEW_EDGES = 32
const far = new Uint32Array(FEW_EDGES)

/** Fills `order`, first by the lower ends of edges, then at each of these by the higher ones. */
function sortEdges(corners: Uint32Array, vertexCount: number, order: Uint32Array): Uint32Array {
  const starts = new Uint32Array(vertexCount + 1)
  for (let i = 0; i < corners.length; i += 3) {
    const a = corners[i]
    const b = corners[i + 1]
    const c = corners[i + 2]
    starts[Math.min(a, b) + 1]++
    starts[Math.min(b, c) + 1]++
    starts[Math.min(c, a) + 1]++
  }
  for (let vertex = 0; vertex < vertexCount; vertex++) starts[vertex + 1] += starts[vertex]
  for (let i = 0; i < corners.length; i += 3) {
    const a = corners[i]
    const b = corners[i + 1]
    const c = corners[i + 2]
    order[starts[Math.min(a, b)]++] = i
    order[starts[Math.min(b, c)]++] = i + 1
    order[starts[Math.min(c, a)]++] = i + 2
  }
  // now each start is where the vertex ends
  let start = 0
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const end = starts[vertex]
    if (end - start > FEW_EDGES) sortMany(corners, order, start, end)
    else if (end - start > 1) sortFew(corners, order, start, end)
    start = end
  }
  return order
}

function sortFew(corners: Uint32Array, order: Uint32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const edge = order[i]
    const key = highEnd(corners, edge)
    let to = i
    for (; to > start && far[to - 1 - start] > key; to--) {
      far[to - start] = far[to - 1 - start]
      order[to] = order[to - 1]
    }
    far[to - start] = key
    order[to] = edge
  }
}

/** A double has room for a vertex and a place: of both no mesh in memory has more than 2^26. */
function sortMany(corners: Uint32Array, order: Uint32Array, start: number, end: number): void {
  const count = end - start
  spend(count)
  const edges = order.slice(start, end)
  const keys = new Float64Array(count)
  for (let i = 0; i < count; i++) keys[i] = highEnd(corners, edges[i]) * count + i
  keys.sort()
  for (let i = 0; i < count; i++) order[start + i] = edges[keys[i] - count * Math.floor(keys[i] / count)]
}

/** Two vertices, how much more often their edge is passed from the lower to the higher one than back, and where the sorted edges go on. */
const run = { low: 0, high: 0, sum: 0, end: 0 }

/** Sets `run` to the one that begins at `start` in the sorted edges. */
function setRun(corners: Uint32Array, order: Uint32Array, start: number): typeof run {
  const low = lowEnd(corners, order[start])
  const high = highEnd(corners, order[start])
  let sum = 0
  let end = start
  while (end < order.length && lowEnd(corners, order[end]) === low && highEnd(corners, order[end]) === high) {
    sum += corners[order[end]] === low ? 1 : -1
    end++
  }
  run.low = low
  run.high = high
  run.sum = sum
  run.end = end
  return run
}

// How an edge between two triangles bends.

function classify(
  vertices: Float64Array,
  corners: Uint32Array,
  edges: Uint8Array,
  first: number,
  second: number,
): void {
  const a = corners[first]
  const b = corners[nextCorner(first)]
  const c = corners[nextCorner(nextCorner(first))]
  const d = corners[nextCorner(nextCorner(second))]
  const side = orientationAt(vertices, a, b, c, d)
  const areOpposite = corners[second] !== a
  const own: EdgeClass = side === 0 ? flatClass(vertices, a, b, c, d) : side > 0 ? REFLEX_EDGE : CONVEX_EDGE
  // Wound the other way, the second triangle is seen from its other side.
  const other = areOpposite || side === 0 ? own : side > 0 ? CONVEX_EDGE : REFLEX_EDGE
  putClass(edges, first, own)
  putClass(edges, second, other)
}

function putClass(edges: Uint8Array, edge: number, value: EdgeClass): void {
  edges[Math.floor(edge / 3)] |= value << (2 * (edge % 3))
}

/** Of two triangles in one plane: flat where they lie on either side of their edge, a ridge where one is folded onto the other. */
function flatClass(vertices: Float64Array, a: number, b: number, c: number, d: number): EdgeClass {
  for (let axis = 0; axis < 3; axis++) {
    const own = sideInView(vertices, a, b, c, axis)
    if (own === 0) continue
    const other = sideInView(vertices, a, b, d, axis)
    return other === 0 ? FREE_EDGE : own === other ? CONVEX_EDGE : FLAT_EDGE
  }
  return FREE_EDGE
}

/** The side of a → b on which c lies, as seen along an axis. */
function sideInView(vertices: Float64Array, a: number, b: number, c: number, axis: number): Sign {
  const u = (axis + 1) % 3
  const v = (axis + 2) % 3
  const [i, j, k] = [3 * a, 3 * b, 3 * c]
  const au = vertices[i + u]
  const av = vertices[i + v]
  // The side of a plane that is seen as the line.
  return orientation(au, av, 0, vertices[j + u], vertices[j + v], 0, au, av, -1, vertices[k + u], vertices[k + v], 0)
}

// Which way a closed mesh is wound.

/**
 * Whether the sum of the volumes from a corner to all triangles is less than 0 for certain. Terms are within 16 roundoffs of the product of their largest
 * sizes, and their sum within a roundoff of its magnitude for each term.
 */
function enclosesLessThanNothing(vertices: Float64Array, triangles: Uint32Array): boolean {
  const at = 3 * triangles[0]
  const ox = vertices[at]
  const oy = vertices[at + 1]
  const oz = vertices[at + 2]
  let size = 0
  for (let i = 0; i < triangles.length; i++) {
    const k = 3 * triangles[i]
    size = Math.max(size, Math.abs(vertices[k] - ox), Math.abs(vertices[k + 1] - oy), Math.abs(vertices[k + 2] - oz))
  }
  if (size === 0) return false
  let sum = 0
  let magnitude = 0
  for (let i = 0; i < triangles.length; i += 3) {
    const p = 3 * triangles[i]
    const q = 3 * triangles[i + 1]
    const r = 3 * triangles[i + 2]
    const ax = (vertices[p] - ox) / size
    const ay = (vertices[p + 1] - oy) / size
    const az = (vertices[p + 2] - oz) / size
    const bx = (vertices[q] - ox) / size
    const by = (vertices[q + 1] - oy) / size
    const bz = (vertices[q + 2] - oz) / size
    const cx = (vertices[r] - ox) / size
    const cy = (vertices[r + 1] - oy) / size
    const cz = (vertices[r + 2] - oz) / size
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    magnitude +=
      (Math.abs(ax) + Math.abs(ay) + Math.abs(az)) *
      (Math.abs(bx) + Math.abs(by) + Math.abs(bz)) *
      (Math.abs(cx) + Math.abs(cy) + Math.abs(cz))
  }
  return sum < -(triangles.length + 16) * UNIT_ROUNDOFF * magnitude
}
