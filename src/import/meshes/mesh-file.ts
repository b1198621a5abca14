// Files of meshes: which format a media type names, and the mesh in the frame that is asked for.

import { spend } from '../../containers/budget.ts'
import { readGlb } from './glb.ts'
import { type MeshData, type MeshLimits, malformed } from './mesh-data.ts'
import { readObj } from './obj.ts'
import { readStl } from './stl.ts'

/** By media type. */
export const MESH_FORMATS = {
  'model/gltf-binary': 'glb',
  'model/obj': 'obj',
  'model/stl': 'stl',
} as const
export type MeshFormat = (typeof MESH_FORMATS)[keyof typeof MESH_FORMATS]

export interface MeshFrame {
  /** Coordinates are multiplied by it. */
  readonly scale: number
  /** Which axis of the file points up: it becomes y. */
  readonly up: 'x' | 'y' | 'z'
  /** Of glTF: the node that is taken, null for all. */
  readonly node: string | null
}

/** Throws `ImportFault` or `TooManyOfMesh`. */
export function readMeshFile(
  format: MeshFormat,
  bytes: Buffer,
  { scale, up, node }: MeshFrame,
  limits: MeshLimits,
): MeshData {
  const mesh =
    format === 'glb' ? readGlb(bytes, node, limits) : format === 'obj' ? readObj(bytes, limits) : readStl(bytes, limits)
  if (mesh.triangles.length === 0) throw malformed('', 'The file has no triangles: expected at least one.')
  if (scale !== 1 || up !== 'y') intoFrame(mesh.vertices, scale, up)
  return mesh
}

/** A turn that takes the axis to y, so the order of corners stays. */
function intoFrame(vertices: Float64Array, scale: number, up: MeshFrame['up']): void {
  spend(vertices.length)
  for (let i = 0; i < vertices.length; i += 3) {
    const x = scale * vertices[i]
    const y = scale * vertices[i + 1]
    const z = scale * vertices[i + 2]
    // −0 + 0 is 0
    vertices[i] = (up === 'x' ? -y : x) + 0
    vertices[i + 1] = (up === 'x' ? x : up === 'y' ? y : z) + 0
    vertices[i + 2] = (up === 'z' ? -y : z) + 0
  }
}
