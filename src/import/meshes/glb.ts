// Reads the triangles of a binary glTF 2.0 file.
//
// The result is what the scene shows: the triangles of its nodes, with the transforms of each node and its ancestors applied. Each primitive
// is a group, in the order of the nodes. Points, lines, skins, morphs, materials and images say nothing about triangles and are left out.
// Corners at the same place are one.

import { spend } from '../../containers/budget.ts'
import { checkExtensions, type GltfFile, isGlb, openGltf } from './gltf-file.ts'
import { addMesh, countsOf } from './gltf-mesh.ts'
import { IDENTITY, type Matrix, matrixOf, product, rootsOf } from './gltf-nodes.ts'
import { type Fields, list, record, whole } from './json-fields.ts'
import { MeshBuilder, type MeshData, type MeshLimits, malformed, TooManyOfMesh, weld } from './mesh-data.ts'

/** A mesh of a node, as the scene shows it. */
interface Placed {
  readonly mesh: number
  readonly matrix: Matrix
}

/** `node`: name or index of the one that is taken, with those below it; null for the whole scene. */
export function readGlb(bytes: Buffer, node: string | null, limits: MeshLimits): MeshData {
  if (!isGlb(bytes)) throw malformed('', 'This is no binary glTF file: it does not begin with "glTF".')
  const file = openGltf(bytes, (uri, at) => {
    const named = JSON.stringify(uri.slice(0, 80))
    throw malformed(at, `Its numbers are in another file (${named}): save all of it as one binary file.`)
  })
  checkExtensions(file.root)
  // seams and instances repeat corners, which are made one in the end
  const mesh = new MeshBuilder({ ...limits, maxVertices: 3 * limits.maxTriangles })
  const placed = placedMeshes(file, node)
  checkCounts(file, placed, limits)
  let group = 0
  for (const each of placed) group = addMesh(file, each.mesh, each.matrix, mesh, group)
  if (mesh.triangleCount === 0) throw malformed('', 'Nothing in the scene of this file has triangles.')
  return weld(mesh.finish())
}

function placedMeshes({ root }: GltfFile, wanted: string | null): Placed[] {
  const nodes = list(root.nodes, 'nodes')
  const placed: Placed[] = []
  const chosen = wanted === null ? -1 : indexOfNode(nodes, wanted)
  const visited = new Uint8Array(nodes.length)
  const waiting = rootsOf(root, nodes.length).map((index) => ({
    index,
    around: IDENTITY,
    isTaken: wanted === null,
  }))
  waiting.reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    spend(4)
    const { index, around } = next
    const where = `nodes/${index}`
    if (index >= nodes.length) throw malformed(where, `There are only ${nodes.length} nodes.`)
    if (visited[index] === 1) throw malformed(where, 'A node must have one parent, and must not be below itself.')
    visited[index] = 1
    const node = record(nodes[index], where)
    const matrix = product(around, matrixOf(node, where))
    const isTaken = next.isTaken || index === chosen
    if (isTaken && node.mesh !== undefined) placed.push({ mesh: whole(node.mesh, `${where}/mesh`), matrix })
    const children = list(node.children, `${where}/children`)
    for (let k = children.length - 1; k >= 0; k--) {
      waiting.push({ index: whole(children[k], `${where}/children/${k}`), around: matrix, isTaken })
    }
  }
  if (chosen >= 0 && visited[chosen] === 0)
    throw malformed(`nodes/${chosen}`, 'The node is not in the scene of the file.')
  return placed
}

function indexOfNode(nodes: readonly unknown[], wanted: string): number {
  const named = nodes.findIndex((node) => (node as Fields | null)?.name === wanted)
  if (named >= 0) return named
  const index = /^\d{1,9}$/.test(wanted) ? Number(wanted) : Number.POSITIVE_INFINITY
  if (index < nodes.length) return index
  throw malformed('nodes', `No node is called ${JSON.stringify(wanted.slice(0, 80))}, and there are ${nodes.length}.`)
}

/** Throws where the scene has more than is accepted. Each mesh is looked at once, however often it is shown. */
function checkCounts(file: GltfFile, placed: readonly Placed[], { maxTriangles }: MeshLimits): void {
  const known = new Map<number, { triangles: number; vertices: number }>()
  let triangles = 0
  let vertices = 0
  for (const { mesh } of placed) {
    spend(1)
    const counts = known.get(mesh) ?? countsOf(file, mesh)
    known.set(mesh, counts)
    triangles += counts.triangles
    vertices += counts.vertices
    if (triangles > maxTriangles) throw new TooManyOfMesh('triangles', maxTriangles)
    if (vertices > 3 * maxTriangles) throw new TooManyOfMesh('vertices', 3 * maxTriangles)
  }
}
