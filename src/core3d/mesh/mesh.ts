/**
 * Meshes: triangles in space, prepared once, and never changed after.
 *
 * A mesh is the surface that its triangles cover, all of them closed sets, whatever they are: crossing each other, of no area, given
 * twice. There is at least one, so the tree has a root, where walks begin. A solid mesh also has an inside, so it is closed and wound one way
 * all over (`mesh-check.ts`).
 * Everything lies in one block of memory, which may be shared with other threads, written to a file and mapped again as it is: a
 * header of 32 doubles, then tree nodes, vertices, triangles, groups, names, records and edge classes, found by the counts in the
 * header.
 * Frame: the mesh's own. A placement turns a vertex, rounded once, and always in one way, so that triangles that share a vertex share
 * it in the world too; its position is kept apart, so that position + vertex can be taken exactly.
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk } from '../../containers/scratch.ts'
import { CHECK_SIZE, checkMesh, type OpenEdge } from './mesh-check.ts'
import { BUILD_SIZE, buildMeshTree, MESH_DEPTH_COUNT, NODE_SIZE, putRecords, RECORD_SIZE } from './mesh-tree.ts'

export interface Mesh {
  /** Holds all arrays below. */
  buffer: ArrayBufferLike
  vertexCount: number
  triangleCount: number
  nodeCount: number
  /** The inside belongs to the mesh. */
  isSolid: boolean
  /** A solid whose triangles were wound clockwise as seen from outside, as a whole. */
  isInward: boolean
  /** The numbers of the header. */
  header: Float64Array
  /** x, y, z of each vertex, as the caller has them. */
  vertices: Float64Array
  /** Three vertices for each triangle, in the caller's order. */
  triangles: Uint32Array
  /** A number for each triangle, null where the caller has none. */
  groups: Int32Array | null
  /** The caller's index of each triangle, null where that is its own; cells of height fields leave out some. */
  names: Uint32Array | null
  /** For each edge 0→1, 1→2, 2→0 of each triangle two bits, from the lowest: see `mesh-check.ts`. */
  edges: Uint8Array
  /** The triangles once more in the order of the tree, `mesh-tree.ts`. */
  records: Uint16Array
  /** The tree, `mesh-tree.ts`: boxes, and in the same memory what lies below. */
  nodes: Float32Array
  links: Uint32Array
}

// Places in the header.

const FORMAT = 0
const VERTEX_COUNT = 1
const TRIANGLE_COUNT = 2
const NODE_COUNT = 3
const FLAGS = 4
/** Least and greatest x, y, z of the triangles, exactly: six numbers. */
export const MESH_BOX = 5
/** Boxes of the tree count from here: three numbers … */
export const TREE_ORIGIN = 11
/** … times this power of two. */
export const TREE_SCALE = 14
const HEADER_SIZE = 32

/**
 * The root of the tree lies so many bytes behind the header: large blocks of memory begin 16 bytes behind a page, where most allocators have
 * their own head, so that two nodes that stand together share a cache line of 64 bytes.
 */
const ROOT_PLACE = 16

/** Changes with the layout: a block of another one is not read. */
const LAYOUT = 3

const SOLID = 1
const INWARD = 2
const GROUPED = 4
const NAMED = 8

interface Counts {
  vertexCount: number
  triangleCount: number
  nodeCount: number
  flags: number
}

/** Where each part of the block begins, in bytes, and where it ends. */
function placesOf({
  vertexCount,
  triangleCount,
  nodeCount,
  flags,
}: Counts): Record<'nodes' | 'vertices' | 'triangles' | 'groups' | 'names' | 'records' | 'edges' | 'end', number> {
  const nodes = 8 * HEADER_SIZE + ROOT_PLACE
  const vertices = nodes + 4 * NODE_SIZE * nodeCount
  const triangles = vertices + 24 * vertexCount
  const groups = triangles + 12 * triangleCount
  const names = groups + ((flags & GROUPED) !== 0 ? 4 * triangleCount : 0)
  const records = names + ((flags & NAMED) !== 0 ? 4 * triangleCount : 0)
  const edges = records + 2 * RECORD_SIZE * triangleCount
  return { nodes, vertices, triangles, groups, names, records, edges, end: edges + triangleCount }
}

/** The mesh in a block that `prepareMesh` made; null where the block is of another layout or cut short. Cost O(1). */
export function meshOf(buffer: ArrayBufferLike): Mesh | null {
  if (buffer.byteLength < 8 * HEADER_SIZE) return null
  const header = new Float64Array(buffer, 0, HEADER_SIZE)
  if (header[FORMAT] !== LAYOUT) return null
  const counts = {
    vertexCount: header[VERTEX_COUNT],
    triangleCount: header[TRIANGLE_COUNT],
    nodeCount: header[NODE_COUNT],
    flags: header[FLAGS],
  }
  const at = placesOf(counts)
  if (buffer.byteLength < at.end) return null
  const { vertexCount, triangleCount, nodeCount, flags } = counts
  return {
    buffer,
    vertexCount,
    triangleCount,
    nodeCount,
    isSolid: (flags & SOLID) !== 0,
    isInward: (flags & INWARD) !== 0,
    header,
    vertices: new Float64Array(buffer, at.vertices, 3 * vertexCount),
    triangles: new Uint32Array(buffer, at.triangles, 3 * triangleCount),
    groups: (flags & GROUPED) !== 0 ? new Int32Array(buffer, at.groups, triangleCount) : null,
    names: (flags & NAMED) !== 0 ? new Uint32Array(buffer, at.names, triangleCount) : null,
    edges: new Uint8Array(buffer, at.edges, triangleCount),
    records: new Uint16Array(buffer, at.records, RECORD_SIZE * triangleCount),
    nodes: new Float32Array(buffer, at.nodes, NODE_SIZE * nodeCount),
    links: new Uint32Array(buffer, at.nodes, NODE_SIZE * nodeCount),
  }
}

export interface MeshSource {
  /** x, y, z of each vertex: finite. */
  vertices: ArrayLike<number>
  /** Three vertices for each triangle, at least one triangle, counter-clockwise as seen from outside. */
  triangles: ArrayLike<number>
  solid: boolean
  /** A number for each triangle. */
  groups?: ArrayLike<number> | null
  /** The caller's index of each triangle, where that is not its own. */
  names?: ArrayLike<number> | null
}

/**
 * The mesh, or of a solid that is not closed and wound one way an open edge. Cost O(triangles · log triangles) of the budget and time,
 * some 40 bytes for each triangle beside the caller's own numbers. The block is a SharedArrayBuffer if `isShared`.
 */
export function prepareMesh(source: MeshSource, isShared = false): Mesh | OpenEdge {
  const vertices = source.vertices instanceof Float64Array ? source.vertices : new Float64Array(source.vertices)
  const triangles = source.triangles instanceof Uint32Array ? source.triangles : new Uint32Array(source.triangles)
  const triangleCount = triangles.length / 3
  spend(triangles.length)
  // One after the other they work in the same memory: what was never touched costs more time than the work in it.
  const room = new ArrayBuffer(Math.max(CHECK_SIZE, BUILD_SIZE) * triangleCount)
  const check = checkMesh(vertices, triangles, room)
  if (source.solid && check.open !== null) return check.open
  const isInward = source.solid && check.isInward
  const tree = buildMeshTree(vertices, triangles, room)
  const hasGroups = source.groups !== undefined && source.groups !== null
  const hasNames = source.names !== undefined && source.names !== null
  const counts = {
    vertexCount: vertices.length / 3,
    triangleCount,
    nodeCount: tree.nodeCount,
    flags: (source.solid ? SOLID : 0) | (isInward ? INWARD : 0) | (hasGroups ? GROUPED : 0) | (hasNames ? NAMED : 0),
  }
  const { end } = placesOf(counts)
  const buffer = isShared ? new SharedArrayBuffer(end) : new ArrayBuffer(end)
  const header = new Float64Array(buffer, 0, HEADER_SIZE)
  header[FORMAT] = LAYOUT
  header[VERTEX_COUNT] = counts.vertexCount
  header[TRIANGLE_COUNT] = counts.triangleCount
  header[NODE_COUNT] = counts.nodeCount
  header[FLAGS] = counts.flags
  header.set(tree.box, MESH_BOX)
  header.set(tree.origin, TREE_ORIGIN)
  header[TREE_SCALE] = tree.scale
  const mesh = meshOf(buffer) as Mesh
  mesh.vertices.set(vertices)
  mesh.triangles.set(triangles)
  putRecords(vertices, triangles, tree, mesh.records)
  mesh.edges.set(check.edges)
  mesh.links.set(tree.links.subarray(0, NODE_SIZE * tree.nodeCount))
  if (hasGroups) mesh.groups?.set(source.groups as ArrayLike<number>)
  if (hasNames) mesh.names?.set(source.names as ArrayLike<number>)
  return mesh
}

export function isOpenEdge(made: Mesh | OpenEdge): made is OpenEdge {
  return 'from' in made
}

/** Where a mesh stands: world point = position + low + rotation · vertex. */
export interface Placement {
  /** Six numbers: the position, and what rounding has cut off from it where it is a sum. */
  position: Float64Array
  /** Nine numbers, row by row. */
  rotation: Float64Array
  /** Whether the rotation is any but the identity. */
  turns: boolean
}

export function createPlacement(): Placement {
  return { position: new Float64Array(6), rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), turns: false }
}

/** Writes the vertex, turned and rounded once, relative to the position. */
export function putPlacedVertex(
  { vertices }: Mesh,
  { rotation: r, turns }: Placement,
  vertex: number,
  out: Float64Array,
  at: number,
): void {
  const x = vertices[3 * vertex]
  const y = vertices[3 * vertex + 1]
  const z = vertices[3 * vertex + 2]
  if (!turns) {
    out[at] = x
    out[at + 1] = y
    out[at + 2] = z
    return
  }
  out[at] = r[0] * x + r[1] * y + r[2] * z
  out[at + 1] = r[3] * x + r[4] * y + r[5] * z
  out[at + 2] = r[6] * x + r[7] * y + r[8] * z
}

/** Writes the vertices of a triangle as `putPlacedVertex` does. */
export function putPlacedCorners(mesh: Mesh, placement: Placement, triangle: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) putPlacedVertex(mesh, placement, mesh.triangles[3 * triangle + k], out, 3 * k)
}

/** The greatest absolute value of a coordinate of the triangles. */
export function meshReach({ header }: Mesh): number {
  let reach = 0
  for (let k = 0; k < 6; k++) reach = Math.max(reach, Math.abs(header[MESH_BOX + k]))
  return reach
}

/** Sets `out`, which must be another array, to the box about a turned box, rounded: six numbers, as those in `from` that begin at `at`. */
export function turnBox(r: Float64Array, from: Float64Array, at: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    let low = 0
    let high = 0
    for (let j = 0; j < 3; j++) {
      const entry = r[3 * k + j]
      if (entry === 0) continue
      low += entry * from[entry > 0 ? at + j : at + 3 + j]
      high += entry * from[entry > 0 ? at + 3 + j : at + j]
    }
    out[k] = low
    out[k + 3] = high
  }
}

/** As `turnBox` by the rotation's inverse, of a box that begins at 0. */
export function turnBoxBack(r: Float64Array, from: Float64Array, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    let low = 0
    let high = 0
    for (let j = 0; j < 3; j++) {
      const entry = r[3 * j + k]
      if (entry === 0) continue
      low += entry * from[entry > 0 ? j : j + 3]
      high += entry * from[entry > 0 ? j + 3 : j]
    }
    out[k] = low
    out[k + 3] = high
  }
}

/**
 * Calls `visit` for the leaves of the tree whose boxes meet the box, which counts in the frame of the tree, with their first record and the one
 * after their last, until it returns true; whether it did. A visit may walk trees itself.
 */
export function visitMesh(
  { nodes, links }: Mesh,
  box: Float64Array,
  visit: (first: number, end: number) => boolean,
): boolean {
  const [minX, minY, minZ, maxX, maxY, maxZ] = box
  const { nodes: stack } = beginWalk(MESH_DEPTH_COUNT + 2)
  try {
    let top = 1
    stack[0] = 0
    while (top > 0) {
      spend(1)
      const at = NODE_SIZE * stack[--top]
      if (nodes[at] > maxX || nodes[at + 3] < minX || nodes[at + 1] > maxY) continue
      if (nodes[at + 4] < minY || nodes[at + 2] > maxZ || nodes[at + 5] < minZ) continue
      const first = links[at + 6]
      const count = links[at + 7]
      if (count === 0) {
        stack[top++] = first + 1
        stack[top++] = first
      } else if (visit(first, first + count)) return true
    }
    return false
  } finally {
    endWalk()
  }
}
