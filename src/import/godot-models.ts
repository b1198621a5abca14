/**
 * Models (`.glb`, `.gltf`) that scenes of Godot have instances of: their nodes as nodes of the scene, and their meshes as bodies.
 *
 * What ends in -col, -colonly, -convcol or -convcolonly is a static body in Godot too; what ends otherwise is only seen there, and its body
 * has the tag `visual`. Names are those that Godot gives the nodes, so that changes of the scene find them.
 * Source: "Node type customization using name suffixes" (https://docs.godotengine.org). Frame: metres, y up, as both formats have it.
 */

import { spend } from '../containers/budget.ts'
import type { ShapeLimits } from '../wire/body.ts'
import { type Affine3d, isAligned, turnedOf } from './affine-3d.ts'
import { type Drawing3d, skip } from './drawing.ts'
import { type GltfAround, type GltfRun, importNode, openGltfRun, suffixOf } from './gltf.ts'
import { physicsOf } from './gltf-colliders.ts'
import type { Placement } from './gltf-placement.ts'
import type { GodotModelNode, GodotNode, Property } from './godot-scene.ts'
import { GodotCall } from './godot-text.ts'
import { matrixOf, rootsOf } from './meshes/gltf-nodes.ts'
import { list, whole } from './meshes/json-fields.ts'
import { malformed } from './meshes/mesh-data.ts'
import { ImportFault, type SourceFile, type SourceFiles } from './source-files.ts'

/** How deep nodes of a model may lie in each other. */
const MOST_DEPTH = 256
/** In place of the index of a node: all of the model. */
const WHOLE = -1

export class GodotModels {
  readonly #files: SourceFiles
  readonly #given: Pick<GltfRun, 'isSolid' | 'limits' | 'drawing' | 'baked'>
  readonly #runs = new Map<SourceFile, GltfRun>()

  constructor(files: SourceFiles, isSolid: boolean, limits: ShapeLimits, drawing: Drawing3d) {
    this.#files = files
    this.#given = { isSolid, limits, drawing, baked: { count: 0 } }
  }

  /** The nodes of a model below one that stands for all of it. `count` is told of each. */
  tree(source: SourceFile, count: () => void): GodotNode {
    return within(source, () => {
      const run = this.#runOf(source)
      const visited = new Uint8Array(run.nodes.length)
      const root = plainNode('', 'Node3D', { source, index: WHOLE, suffix: null })
      for (const index of rootsOf(run.file.root, run.nodes.length)) {
        addNode(root, { source, run, visited, count }, index, 0)
      }
      return root
    })
  }

  /** Draws what collides of a node, or is seen of it. False where that is nothing. */
  draw(
    { source, index, suffix }: GodotModelNode,
    map: Affine3d,
    around: GltfAround,
    path: string,
    where: string,
  ): boolean {
    return within(source, () => {
      if (index === WHOLE) return false
      const run = this.#runOf(source)
      const fields = run.nodes[index]
      if (suffix === 'noimp') {
        skip(run.drawing, where, 'node', 'Its name in the model ends in -noimp.')
        return true
      }
      const { colliders } = physicsOf(run.file.root, fields, `nodes/${index}`)
      if (fields.mesh === undefined && colliders.length === 0) return false
      const placement = placementIn(map, colliders.length === 0)
      importNode(run, { index, fields, name: path, suffix, where, placement, movers: [], around })
      return true
    })
  }

  #runOf(source: SourceFile): GltfRun {
    const run = this.#runs.get(source) ?? openGltfRun(this.#files, source, this.#given)
    this.#runs.set(source, run)
    return run
  }
}

/** Faults say which of the files they are in. */
function within<Result>({ name }: SourceFile, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ImportFault) || error.code !== 'import-malformed') throw error
    throw new ImportFault(error.code, `${name}, ${error.where}`, error.message)
  }
}

interface Growing {
  source: SourceFile
  run: GltfRun
  visited: Uint8Array
  count: () => void
}

function addNode(parent: GodotNode, growing: Growing, index: number, depth: number): void {
  const { source, run, visited, count } = growing
  const where = `nodes/${index}`
  spend(16)
  count()
  if (index >= run.nodes.length) throw malformed(where, `There are only ${run.nodes.length} nodes.`)
  if (visited[index] === 1) throw malformed(where, 'A node must have one parent, and must not be below itself.')
  if (depth === MOST_DEPTH) throw malformed(where, `Nodes lie in nodes more than ${MOST_DEPTH} deep.`)
  visited[index] = 1
  const fields = run.nodes[index]
  const given = typeof fields.name === 'string' && fields.name !== '' ? fields.name : `node.${index}`
  const suffix = suffixOf(given)
  const type = fields.mesh === undefined ? 'Node3D' : 'MeshInstance3D'
  const node = plainNode(freeName(parent, nameInGodot(given)), type, { source, index, suffix })
  const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = matrixOf(fields, where)
  // rows in Godot
  node.properties.set('transform', { value: new GodotCall('Transform3D', [a, d, g, b, e, h, c, f, i, x, y, z]) })
  parent.children.set(node.name, node)
  if (suffix === 'noimp') return
  for (const [k, child] of list(fields.children, `${where}/children`).entries()) {
    addNode(node, growing, whole(child, `${where}/children/${k}`), depth + 1)
  }
}

function plainNode(name: string, type: string, model: GodotModelNode): GodotNode {
  return {
    name,
    type,
    properties: new Map<string, Property>(),
    groups: new Set(),
    children: new Map(),
    instanceOf: null,
    missing: null,
    model,
  }
}

/** Without its suffix, and without letters that paths of nodes have a use for. */
function nameInGodot(name: string): string {
  return name.replace(/-(col|colonly|convcol|convcolonly|noimp)(?=(\.\d+)?$)/i, '').replaceAll(/[.:@/"%]/g, '_')
}

function freeName({ children }: GodotNode, name: string): string {
  let free = name
  for (let number = 2; children.has(free); number++) free = `${name}${number}`
  return free
}

/** `isExact`: a quarter turn goes into the shape, which it rounds nothing of. */
function placementIn(map: Affine3d, isExact: boolean): Placement {
  const { x, y, z, origin } = map
  const matrix = [x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, 0, origin.x, origin.y, origin.z, 1]
  const turned = turnedOf(map)
  const isTurned = turned?.orientation !== undefined
  if (turned === null || (isExact && isTurned && isAligned(map))) return { matrix, rigid: null }
  const { scale, isMirrored, orientation = { x: 0, y: 0, z: 0, w: 1 } } = turned
  return { matrix, rigid: { position: origin, orientation, scale: isMirrored ? { ...scale, z: -scale.z } : scale } }
}
