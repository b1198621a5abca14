// Decodes meshes and height fields: wire shape → prepared mesh of the core, or the problem and the place in the shape where it lies.

import type { HeightfieldShape3d, MeshShape3d, Shape3d } from '../../schemas/shapes3d.ts'
import { spend } from '../containers/budget.ts'
import { gridTriangles, gridVertices } from '../core3d/mesh/height-field.ts'
import { isOpenEdge, type Mesh, type MeshSource, prepareMesh } from '../core3d/mesh/mesh.ts'
import { type Body, COMPOSITE } from '../core3d/shape/body.ts'
import { tooManyVertices } from './body.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt } from './decode-problem.ts'

/** Meshes of kept shapes are prepared already, and found by their shapes. */
const prepared = new WeakMap<MeshShape3d | HeightfieldShape3d, Mesh>()

export function rememberMesh(shape: MeshShape3d | HeightfieldShape3d, mesh: Mesh): void {
  prepared.set(shape, mesh)
}

export function preparedMesh(shape: MeshShape3d | HeightfieldShape3d): Mesh | undefined {
  return prepared.get(shape)
}

/** Calls `visit` for the shape, or for each shape in a compound that is none, in the order of the parts of its body. */
function visitLeaves(shape: Shape3d, visit: (leaf: Shape3d) => void): void {
  if (shape.type !== 'compound') visit(shape)
  else for (const child of shape.children) visitLeaves(child.shape, visit)
}

/** Remembers the meshes of a body that was decoded from the shape, for the next body that is. */
export function rememberMeshes(shape: Shape3d, { kind, composite }: Body): void {
  if (kind !== COMPOSITE || composite === null) return
  let part = 0
  visitLeaves(shape, (leaf) => {
    const { mesh } = composite.parts[part++]
    if (mesh !== null) rememberMesh(leaf as MeshShape3d, mesh)
  })
}

/** Whether it has meshes, and all of them are prepared. */
export function hasPreparedMeshes(shape: Shape3d): boolean {
  let meshes = 0
  let known = 0
  visitLeaves(shape, (leaf) => {
    if (leaf.type !== 'mesh' && leaf.type !== 'heightfield') return
    meshes++
    if (prepared.has(leaf)) known++
  })
  return meshes > 0 && known === meshes
}

/** The shape as JSON has it: those that are kept have their numbers in typed arrays. Its meshes stay prepared. */
export function plainShape3d(shape: Shape3d): Shape3d {
  if (shape.type === 'compound') {
    return { ...shape, children: shape.children.map((child) => ({ ...child, shape: plainShape3d(child.shape) })) }
  }
  if (shape.type !== 'mesh' && shape.type !== 'heightfield') return shape
  const fields = Object.entries(shape).map(([name, value]) => [
    name,
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  ])
  const plain = Object.fromEntries(fields) as MeshShape3d
  const mesh = prepared.get(shape)
  if (mesh !== undefined) rememberMesh(plain, mesh)
  return plain
}

/** Triangles for each vertex that is accepted: a closed mesh has two. */
export const TRIANGLES_PER_VERTEX = 2

/** `isShared`: its memory may be read by other threads. */
export function decodeMesh(
  shape: MeshShape3d | HeightfieldShape3d,
  maxVertices: number,
  isShared = false,
): Mesh | DecodeProblem {
  const known = prepared.get(shape)
  if (known !== undefined) return known
  const source = shape.type === 'mesh' ? meshSource(shape, maxVertices) : gridSource(shape, maxVertices)
  if ('ok' in source) return source
  const made = prepareMesh(source, isShared)
  return isOpenEdge(made) ? notClosed(made) : made
}

function meshSource(shape: MeshShape3d, maxVertices: number): MeshSource | DecodeProblem {
  const { vertices, triangles, groups, solid = false } = shape
  const vertexCount = vertices.length / 3
  const triangleCount = triangles.length / 3
  if (vertexCount > maxVertices) return tooManyVertices('A mesh', '/vertices', maxVertices, Math.ceil(vertexCount))
  const limit = TRIANGLES_PER_VERTEX * maxVertices
  if (triangleCount > limit) {
    const actual = Math.ceil(triangleCount)
    const detail = `A mesh may have at most ${limit} triangles, got ${actual}.`
    return problemAt('/triangles', 'too-many-triangles', detail, { limit, actual })
  }
  const misshapen = (pointer: string, detail: string) => problemAt(pointer, 'mesh-misshapen', detail)
  if (!Number.isInteger(vertexCount)) {
    return misshapen('/vertices', `A mesh has three coordinates for each vertex, got ${vertices.length} numbers.`)
  }
  if (!Number.isInteger(triangleCount)) {
    return misshapen('/triangles', `A mesh has three indices for each triangle, got ${triangles.length} numbers.`)
  }
  if (groups !== undefined && groups.length !== triangleCount) {
    return misshapen('/groups', `There are ${triangleCount} triangles, but ${groups.length} groups.`)
  }
  spend(vertices.length / 8 + triangles.length / 8)
  for (let i = 0; i < vertices.length; i++) {
    if (!inRange(vertices[i])) return outOfRange(vertices[i], `/vertices/${i}`)
  }
  for (let i = 0; i < triangles.length; i++) {
    if (triangles[i] < vertexCount) continue
    const detail = `Triangle ${Math.floor(i / 3)} names the vertex ${triangles[i]}, but the mesh has ${vertexCount}, counted from 0.`
    return problemAt(`/triangles/${i}`, 'mesh-index-out-of-range', detail)
  }
  return { vertices, triangles, solid, groups: groups ?? null }
}

interface OpenEdge {
  readonly triangle: number
  readonly from: number
  readonly to: number
}

function notClosed({ triangle, from, to }: OpenEdge): DecodeProblem {
  const detail = `A solid mesh must be closed and wound one way, but no triangle answers the edge from vertex ${from} to ${to} of triangle ${triangle} with the opposite direction.`
  return problemAt(`/triangles/${3 * triangle}`, 'mesh-not-closed', detail)
}

function gridSource(shape: HeightfieldShape3d, maxVertices: number): MeshSource | DecodeProblem {
  const { heights, columns, cellSize } = shape
  const count = heights.length
  if (count > maxVertices) return tooManyVertices('A height field', '/heights', maxVertices, count)
  const rows = count / columns
  if (!Number.isInteger(rows) || rows < 2) {
    const detail = `A height field has two rows or more of ${columns} heights each, got ${count} heights.`
    return problemAt('/heights', 'heightfield-misshapen', detail)
  }
  if (!inRange(cellSize.x * (columns - 1))) return outOfRange(cellSize.x * (columns - 1), '/cellSize/x')
  if (!inRange(cellSize.z * (rows - 1))) return outOfRange(cellSize.z * (rows - 1), '/cellSize/z')
  spend(count / 8)
  for (let i = 0; i < count; i++) {
    const height = heights[i] ?? 0
    if (!inRange(height)) return outOfRange(height, `/heights/${i}`)
  }
  const { triangles, names } = gridTriangles(shape)
  if (triangles.length > 0) return { vertices: gridVertices(shape), triangles, solid: false, names }
  return problemAt('/heights', 'heightfield-misshapen', 'No three neighbours of the height field have heights.')
}
