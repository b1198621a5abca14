// The triangles of the meshes of a glTF file.
//
// Source: Khronos, "glTF 2.0 specification", section 3.7 (meshes). Lists, strips and fans of triangles are taken; points and lines are not.
// Under a transform that mirrors, triangles are turned round.

import { spend } from '../../containers/budget.ts'
import { accessorOf, countOf, type GltfFile, hasNumbers, refusePacked } from './gltf-file.ts'
import { isMirrored, type Matrix } from './gltf-nodes.ts'
import { type Fields, list, record, whole } from './json-fields.ts'
import { type MeshBuilder, malformed } from './mesh-data.ts'

/** Of its fields, whatever is in it. */
const PRIMITIVE_STEPS = 32

const TRIANGLES = 4
const STRIP = 5
const FAN = 6

/** Of a mesh: each with where it lies. */
export function primitivesOf({ root }: GltfFile, index: number): (readonly [primitive: Fields, where: string])[] {
  const meshes = list(root.meshes, 'meshes')
  const where = `meshes/${index}`
  if (index >= meshes.length) throw malformed(where, `There are only ${meshes.length} meshes.`)
  return list(record(meshes[index], where).primitives, `${where}/primitives`).map((primitive, k) => {
    return [record(primitive, `${where}/primitives/${k}`), `${where}/primitives/${k}`]
  })
}

export function countsOf(file: GltfFile, mesh: number): { triangles: number; vertices: number } {
  let triangles = 0
  let vertices = 0
  for (const [primitive, where] of primitivesOf(file, mesh)) {
    spend(PRIMITIVE_STEPS)
    const mode = modeOf(primitive, where)
    if (mode === null) continue
    const { POSITION } = record(primitive.attributes, `${where}/attributes`)
    const count = countOf(file, whole(POSITION, `${where}/attributes/POSITION`))
    const { indices } = primitive
    const corners = indices === undefined ? count : countOf(file, whole(indices, `${where}/indices`))
    vertices += count
    triangles += mode === TRIANGLES ? Math.floor(corners / 3) : Math.max(corners - 2, 0)
  }
  return { triangles, vertices }
}

/** Whether some of its primitives are points or lines, and others are not. */
export function hasMorePrimitives(file: GltfFile, mesh: number): boolean {
  const without = primitivesOf(file, mesh).map(([primitive, where]) => modeOf(primitive, where) === null)
  return without.includes(true) && without.includes(false)
}

/** Null of points and lines. */
function modeOf({ mode }: Fields, where: string): number | null {
  const found = mode === undefined ? TRIANGLES : whole(mode, `${where}/mode`)
  return found === TRIANGLES || found === STRIP || found === FAN ? found : null
}

/** Triangles of a mesh for the builder, each primitive a group from `group` on; the group behind them. */
export function addMesh(file: GltfFile, index: number, matrix: Matrix, mesh: MeshBuilder, group: number): number {
  // by their accessors: primitives may share vertices
  const firsts = new Map<number, number>()
  for (const [primitive, where] of primitivesOf(file, index)) {
    if (addPrimitive(file, primitive, matrix, mesh, group, firsts, where)) group++
  }
  return group
}

function addPrimitive(
  file: GltfFile,
  primitive: Fields,
  matrix: Matrix,
  mesh: MeshBuilder,
  group: number,
  firsts: Map<number, number>,
  where: string,
): boolean {
  spend(PRIMITIVE_STEPS)
  const mode = modeOf(primitive, where)
  if (mode === null) return false
  const attributes = record(primitive.attributes, `${where}/attributes`)
  const accessor = whole(attributes.POSITION, `${where}/attributes/POSITION`)
  if (!hasNumbers(file, accessor)) {
    for (const name of Object.keys(record(primitive.extensions ?? {}, `${where}/extensions`))) refusePacked(name)
  }
  const positions = accessorOf(file, accessor, 'VEC3')
  const known = firsts.get(accessor)
  const first = known ?? mesh.vertexCount
  firsts.set(accessor, first)
  const read = positions.read
  for (let v = 0; known === undefined && v < positions.count; v++) {
    const [x, y, z] = [read(v, 0), read(v, 1), read(v, 2)]
    const px = matrix[0] * x + matrix[4] * y + matrix[8] * z + matrix[12]
    const py = matrix[1] * x + matrix[5] * y + matrix[9] * z + matrix[13]
    const pz = matrix[2] * x + matrix[6] * y + matrix[10] * z + matrix[14]
    if (!Number.isFinite(px) || !Number.isFinite(py) || !Number.isFinite(pz)) {
      throw malformed(where, `The place of vertex ${v} must be finite, got ${px}, ${py}, ${pz}.`)
    }
    mesh.addVertex(px, py, pz)
  }
  const { indices } = primitive
  const corners = indices === undefined ? null : accessorOf(file, whole(indices, `${where}/indices`), 'SCALAR')
  const count = corners === null ? positions.count : corners.count
  const corner = (at: number): number => {
    const vertex = corners === null ? at : corners.read(at, 0)
    if (vertex < positions.count) return first + vertex
    throw malformed(`${where}/indices`, `Index ${at} is ${vertex}, but there are ${positions.count} vertices.`)
  }
  addTriangles(mesh, group, { mode, count, corner, isTurned: isMirrored(matrix) })
  return true
}

interface Corners {
  readonly mode: number
  readonly count: number
  corner(at: number): number
  readonly isTurned: boolean
}

function addTriangles(mesh: MeshBuilder, group: number, { mode, count, corner, isTurned }: Corners): void {
  const step = mode === TRIANGLES ? 3 : 1
  for (let at = 0; at + 2 < count; at += step) {
    const a = corner(mode === FAN ? 0 : at)
    const b = corner(at + 1)
    const c = corner(at + 2)
    const isOdd = mode === STRIP && at % 2 === 1
    if (isOdd === isTurned) mesh.addTriangle(a, b, c, group)
    else mesh.addTriangle(a, c, b, group)
  }
}
