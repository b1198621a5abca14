/**
 * glTF 2.0, binary or as JSON with its buffers: every node of the scene that has a mesh or says what collides becomes a body of its name.
 *
 * The position and orientation of the body are those of the node; scale and shear are in its shape. Bodies that show one mesh alike share one
 * shape. Each primitive is a group of the mesh. Where nodes have colliders or triggers (`gltf-colliders.ts`), the file says what collides, and
 * meshes of other nodes are for the eye alone. Names may end in what Godot reads there: -col and -colonly, -convcol and -convcolonly for the
 * hull of the mesh, -noimp for what is left out. EXT_mesh_gpu_instancing makes a body of each instance. Files that this service has
 * exported say in `extras` what their bodies are.
 * Frame: that of the file, in which y points up.
 */

import type { Shape3d } from '../../schemas/shapes3d.ts'
import { MAX_HULL_POINTS } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { spend } from '../containers/budget.ts'
import { convexHull } from '../core3d/shape/convex-hull.ts'
import type { ShapeLimits } from '../wire/body.ts'
import { isProblem } from '../wire/decode-problem.ts'
import { decodeMesh, rememberMesh } from '../wire/mesh-3d.ts'
import { type Drawing3d, draw, noteRepaired, skip } from './drawing.ts'
import { type Collider, type NodePhysics, PHYSICS_EXTENSIONS, physicsOf, scaledShape } from './gltf-colliders.ts'
import { exportedBody } from './gltf-extras.ts'
import { bakedOf, instanceBelow, type Placement, placedBelow, poseOf, ROOT, turnedBy } from './gltf-placement.ts'
import { accessorOf, checkExtensions, type GltfFile, openGltf } from './meshes/gltf-file.ts'
import { addMesh, hasMorePrimitives } from './meshes/gltf-mesh.ts'
import { type Matrix, rootsOf } from './meshes/gltf-nodes.ts'
import { type Fields, list, record, whole } from './meshes/json-fields.ts'
import { MeshBuilder, type MeshData, malformed, weld } from './meshes/mesh-data.ts'
import { takeBody } from './scene-json.ts'
import { fileNamed, type SourceFile, type SourceFiles } from './source-files.ts'

const INSTANCING = 'EXT_mesh_gpu_instancing'
const READ = [...PHYSICS_EXTENSIONS, INSTANCING]

/** Vertices and triangles of all shapes of a file, those of one mesh at different scales counted again. */
const MOST_BAKED = 2 ** 23

export interface GltfRun {
  readonly file: GltfFile
  readonly drawing: Drawing3d
  readonly limits: ShapeLimits
  readonly isSolid: boolean
  /** Whether nodes say what collides. */
  readonly hasColliders: boolean
  readonly nodes: readonly Fields[]
  /** By mesh, what of it is taken, and what it is scaled by. A text says why there is none. */
  readonly shapes: Map<string, Shape3d | string>
  /** Of all files that are read together. */
  readonly baked: { count: number }
}

/** A node of the scene. */
interface Node {
  readonly index: number
  readonly fields: Fields
  /** What the id of its body is made of. */
  readonly name: string
  readonly suffix: Suffix | null
  readonly where: string
  readonly placement: Placement
  /** The name of the nearest node above it that moves, if any does. */
  readonly movers: readonly string[]
  /** What the scene around the file says about it, if there is one. */
  readonly around?: GltfAround
}

/** What bodies of a file have from the scene that shows it. */
export interface GltfAround {
  readonly layer: string
  readonly isHidden: boolean
  readonly tags: readonly string[]
  readonly data: Record<string, unknown>
}

export function importGltf(files: SourceFiles, isSolid: boolean, limits: ShapeLimits, drawing: Drawing3d): void {
  const run = openGltfRun(files, files.main, { isSolid, limits, drawing, baked: { count: 0 } })
  const { nodes } = run
  const visited = new Uint8Array(nodes.length)
  for (const index of rootsOf(run.file.root, nodes.length)) {
    visitNodes(
      nodes,
      visited,
      index,
      (node) => importNode(run, node),
      (node) => skipLeftOut(run, node),
    )
  }
  for (let k = 0; k < nodes.length; k++) {
    if (visited[k] === 0) skip(drawing, `nodes/${k}`, 'node', 'It is not in the scene that the file shows.')
  }
}

/** One of the files. `isSolid`: closed meshes have an inside. */
export function openGltfRun(
  files: SourceFiles,
  { bytes }: SourceFile,
  given: Pick<GltfRun, 'isSolid' | 'limits' | 'drawing' | 'baked'>,
): GltfRun {
  const file = openGltf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), (uri, at) => {
    const { bytes: own } = fileNamed(files, decoded(uri), at, 'buffer')
    return Buffer.from(own.buffer, own.byteOffset, own.length)
  })
  checkExtensions(file.root, READ)
  const nodes = list(file.root.nodes, 'nodes').map((node, k) => record(node, `nodes/${k}`))
  const hasColliders = nodes.some((node, k) => physicsOf(file.root, node, `nodes/${k}`).colliders.length > 0)
  return { ...given, file, nodes, hasColliders, shapes: new Map() }
}

/** Names in URIs have their blanks and other letters as codes. */
function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** From the top down, in the order of the file. `leaveOut`: is told of nodes that are not to be imported, nor what is below them. */
function visitNodes(
  nodes: readonly Fields[],
  visited: Uint8Array,
  root: number,
  visit: (node: Node) => void,
  leaveOut: (node: Node) => void,
): void {
  const waiting = [{ index: root, around: ROOT, movers: [] as readonly string[], isLeftOut: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    spend(16)
    const { index, around, movers } = next
    const where = `nodes/${index}`
    if (index >= nodes.length) throw malformed(where, `There are only ${nodes.length} nodes.`)
    if (visited[index] === 1) throw malformed(where, 'A node must have one parent, and must not be below itself.')
    visited[index] = 1
    const fields = nodes[index]
    const name = typeof fields.name === 'string' && fields.name !== '' ? fields.name : `node.${index}`
    const placement = placedBelow(around, fields, where)
    const suffix = suffixOf(name)
    const isLeftOut = next.isLeftOut || suffix === 'noimp'
    const node = { index, fields, name, suffix, where: fields.name === name ? name : where, placement, movers }
    if (isLeftOut) leaveOut(node)
    else visit(node)
    const moving = hasMotion(fields) ? [name] : movers
    const children = list(fields.children, `${where}/children`)
    for (let k = children.length - 1; k >= 0; k--) {
      waiting.push({
        index: whole(children[k], `${where}/children/${k}`),
        around: placement,
        movers: moving,
        isLeftOut,
      })
    }
  }
}

function hasMotion({ extensions }: Fields): boolean {
  if (extensions === undefined) return false
  const { KHR_physics_rigid_bodies: khr, OMI_physics_body: omi } = record(extensions, 'extensions')
  return [khr, omi].some((body) => (body as Fields | undefined)?.motion !== undefined)
}

export type Suffix = 'col' | 'colonly' | 'convcol' | 'convcolonly' | 'noimp'

const SUFFIX = /-(col|colonly|convcol|convcolonly|noimp)(\.\d+)?$/i

/** What a name says at its end; editors put numbers behind names that are taken. */
export function suffixOf(name: string): Suffix | null {
  const found = SUFFIX.exec(name)?.[1].toLowerCase()
  return (found as Suffix | undefined) ?? null
}

function skipLeftOut({ drawing }: GltfRun, { where }: Node): void {
  skip(drawing, where, 'node', 'Its name, or that of a node above it, ends in -noimp.')
}

export function importNode(run: GltfRun, node: Node): void {
  const { file, drawing } = run
  const { fields, where, around } = node
  // what an export says of itself has its own ids and tags, and counts where it is the main file
  const exported = around ? null : exportedBody(fields, node.placement, (data) => meshShape(run, node, data))
  if (exported !== null) {
    takeBody(drawing, exported, where)
    return
  }
  const physics = physicsOf(file.root, fields, `nodes/${node.index}`)
  for (const collider of physics.colliders) importCollider(run, node, collider, physics)
  if (physics.colliders.length > 0) return
  if (fields.mesh === undefined) {
    skip(drawing, where, ...withoutMesh(fields))
  } else if (run.hasColliders) {
    skip(drawing, where, 'mesh', 'Other nodes of the file say what collides, and this one does not.')
  } else importMesh(run, node)
}

function withoutMesh({ children, camera }: Fields): [what: string, why: string] {
  if (camera !== undefined) return ['camera', 'It has no mesh.']
  if (children !== undefined)
    return ['group', 'It has no mesh of its own; its transform is that of the nodes below it.']
  return ['node', 'It has no mesh.']
}

/** `kinds`: of its tags. */
function importMesh(run: GltfRun, node: Node): void {
  const { fields, name, index, suffix, around } = node
  const mesh = whole(fields.mesh, `nodes/${index}/mesh`)
  const isConvex = suffix === 'convcol' || suffix === 'convcolonly'
  noteWhatIsLeft(run, node, mesh)
  const drawn = { tags: suffix !== null ? ['collider'] : around ? ['visual'] : [], isConvex }
  const instances = instancesOf(run, node)
  if (instances === null) drawMesh(run, node, mesh, node.placement, name, drawn)
  else for (const [k, placement] of instances.entries()) drawMesh(run, node, mesh, placement, `${name}:${k}`, drawn)
}

/** What its body does not show. */
function noteWhatIsLeft({ file, drawing }: GltfRun, { fields, where }: Node, mesh: number): void {
  if (fields.skin !== undefined) {
    noteRepaired(drawing, where, 'skin', 'It is taken as its mesh lies in the file, not as its bones bend it.')
  }
  const { weights } = record(list(file.root.meshes, 'meshes')[mesh] ?? {}, `meshes/${mesh}`)
  if (list(fields.weights ?? weights, 'weights').some((weight) => weight !== 0)) {
    noteRepaired(drawing, where, 'weights', 'It is taken as its mesh lies in the file, without its morph targets.')
  }
  if (hasMorePrimitives(file, mesh)) {
    noteRepaired(drawing, where, 'mesh', 'Points and lines of it are left out: they have no extent here.')
  }
}

function drawMesh(
  run: GltfRun,
  node: Node,
  mesh: number,
  placement: Placement,
  key: string,
  { tags, isConvex, sensor }: { tags: readonly string[]; isConvex: boolean; sensor?: boolean },
  motion: NodePhysics['motion'] = null,
): void {
  const shape = shapeOfMesh(run, mesh, isConvex, placement, node.where)
  if (typeof shape === 'string') {
    skip(run.drawing, node.where, 'mesh', shape)
    return
  }
  drawNode(run, node, key, shape, placement, [...meshTags(run, mesh), ...tags], sensor, motion)
}

function meshTags({ file }: GltfRun, mesh: number): string[] {
  const { name } = record(list(file.root.meshes, 'meshes')[mesh] ?? {}, `meshes/${mesh}`)
  return typeof name === 'string' && name !== '' ? [`mesh:${name}`] : []
}

function drawNode(
  { drawing }: GltfRun,
  { fields, where, movers, around }: Node,
  key: string,
  shape: Shape3d,
  placement: Placement,
  tags: readonly string[],
  sensor: boolean | undefined,
  motion: NodePhysics['motion'],
): void {
  const turn = poseOf(placement).orientation
  const inWorld = (v: Vec3) => (turn === undefined ? v : turnedBy(turn, v))
  const { extras } = fields
  const data = typeof extras === 'object' && extras !== null && !Array.isArray(extras) ? extras : { extras }
  const motionTags = motion === null ? [] : [`motion:${motion.kind}`]
  const bodyTags = movers.map((name) => `body:${name}`)
  draw(drawing, {
    ...(around && { layer: around.layer, isHidden: around.isHidden }),
    key,
    kind: 'node',
    shape,
    ...poseOf(placement),
    ...(motion?.velocity && { velocity: inWorld(motion.velocity) }),
    ...(motion?.angularVelocity && { angularVelocity: inWorld(motion.angularVelocity) }),
    ...(sensor && { sensor }),
    tags: [...(around?.tags ?? []), ...tags, ...motionTags, ...bodyTags],
    data: { ...around?.data, ...(extras !== undefined && (data as Record<string, unknown>)) },
    where,
  })
}

function importCollider(
  run: GltfRun,
  node: Node,
  { geometry, isTrigger }: Collider,
  { motion, colliders }: NodePhysics,
): void {
  const { name, placement, where } = node
  const kind = isTrigger ? 'trigger' : 'collider'
  const key = isTrigger && colliders.length > 1 ? `${name}:trigger` : name
  if ('why' in geometry) {
    skip(run.drawing, where, kind, geometry.why)
  } else if ('mesh' in geometry) {
    const drawn = { tags: [kind], isConvex: geometry.isConvex, sensor: isTrigger }
    drawMesh(run, node, geometry.mesh, placement, key, drawn, motion)
  } else {
    const shape =
      placement.rigid === null ? sheared(geometry.shape, placement) : scaledShape(geometry.shape, placement.rigid.scale)
    if (typeof shape === 'string') skip(run.drawing, where, kind, shape)
    else drawNode(run, node, key, shape, placement, [kind], isTrigger, motion)
  }
}

/** A box that is sheared is the hull of its corners. */
function sheared(shape: Shape3d, placement: Placement): Shape3d | string {
  if (shape.type !== 'box') return `A ${shape.type} is sheared.`
  const m = bakedOf(placement)
  const points = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
    const x = (k & 1 ? 0.5 : -0.5) * shape.size.x
    const y = (k & 2 ? 0.5 : -0.5) * shape.size.y
    const z = (k & 4 ? 0.5 : -0.5) * shape.size.z
    return {
      x: m[0] * x + m[4] * y + m[8] * z,
      y: m[1] * x + m[5] * y + m[9] * z,
      z: m[2] * x + m[6] * y + m[10] * z,
    }
  })
  return { type: 'hull', points }
}

/** Where the instances of a node stand; null of a node that is one. */
function instancesOf({ file, drawing }: GltfRun, { fields, index, placement }: Node): Placement[] | null {
  const extension = record(fields.extensions ?? {}, `nodes/${index}/extensions`)[INSTANCING]
  if (extension === undefined) return null
  const where = `nodes/${index}/extensions/${INSTANCING}`
  const attributes = record(record(extension, where).attributes ?? {}, `${where}/attributes`)
  const columns = (['TRANSLATION', 'ROTATION', 'SCALE'] as const).flatMap((name) => {
    if (attributes[name] === undefined) return []
    const size = name === 'ROTATION' ? 4 : 3
    const accessor = accessorOf(
      file,
      whole(attributes[name], `${where}/attributes/${name}`),
      size === 4 ? 'VEC4' : 'VEC3',
    )
    return [{ name: name.toLowerCase(), size, accessor }]
  })
  const count = Math.min(...columns.map(({ accessor }) => accessor.count))
  if (columns.length === 0) return []
  // more are refused when they are drawn
  return Array.from({ length: Math.min(count, drawing.mostBodies + 1) }, (_, k) => {
    spend(32)
    const instance = Object.fromEntries(
      columns.map(({ name, size, accessor }) => [name, Array.from({ length: size }, (__, c) => accessor.read(k, c))]),
    )
    return instanceBelow(placement, instance, `${where}, instance ${k}`)
  })
}

// Shapes.

/** A text says why there is none. */
function shapeOfMesh(
  run: GltfRun,
  mesh: number,
  isConvex: boolean,
  placement: Placement,
  where: string,
): Shape3d | string {
  const matrix = bakedOf(placement)
  const key = `${mesh} ${isConvex} ${matrix.join(' ')}`
  const known = run.shapes.get(key)
  if (known !== undefined) return known
  const data = readMesh(run, mesh, matrix)
  const shape =
    data.triangles.length === 0
      ? 'It has no triangles: points and lines have no extent here.'
      : isConvex
        ? hullOf(data)
        : surfaceOf(run, weld(data), run.isSolid, where)
  run.shapes.set(key, shape)
  return shape
}

/** The mesh of an exported node as it was: corners at one place may be several. */
function meshShape(run: GltfRun, { fields, index, placement, where }: Node, isSolid: boolean): Shape3d | string | null {
  if (fields.mesh === undefined) return null
  const data = readMesh(run, whole(fields.mesh, `nodes/${index}/mesh`), bakedOf(placement))
  return data.triangles.length === 0 ? null : surfaceOf(run, data, isSolid, where)
}

function readMesh(run: GltfRun, mesh: number, matrix: Matrix): MeshData {
  const { maxVertices } = run.limits
  const builder = new MeshBuilder({ maxVertices: 6 * maxVertices, maxTriangles: 2 * maxVertices })
  addMesh(run.file, mesh, matrix, builder, 0)
  run.baked.count += builder.vertexCount + builder.triangleCount
  if (run.baked.count > MOST_BAKED) {
    const message = `With this one, the shapes of its nodes have more than ${MOST_BAKED} vertices and triangles.`
    throw malformed(`meshes/${mesh}`, message)
  }
  return builder.finish()
}

function hullOf({ vertices }: MeshData): Shape3d | string {
  const count = vertices.length / 3
  const corners = convexHull(vertices, count).vertices
  if (corners.length > MAX_HULL_POINTS) {
    return `Its hull has ${corners.length} corners; a hull has at most ${MAX_HULL_POINTS}.`
  }
  const points = Array.from(corners, (v) => ({ x: vertices[3 * v], y: vertices[3 * v + 1], z: vertices[3 * v + 2] }))
  return { type: 'hull', points }
}

/** Prepared: the bodies that share it are checked in no time. */
function surfaceOf(run: GltfRun, data: MeshData, isSolid: boolean, where: string): Shape3d | string {
  const { maxVertices } = run.limits
  const groups = data.groups === null ? {} : { groups: Array.from(data.groups) }
  const shape = {
    type: 'mesh' as const,
    vertices: Array.from(data.vertices),
    triangles: Array.from(data.triangles),
    ...groups,
  }
  const solid = { ...shape, solid: true }
  const closed = isSolid ? decodeMesh(solid, maxVertices, true) : null
  if (closed !== null && !isProblem(closed)) {
    rememberMesh(solid, closed)
    return solid
  }
  if (closed !== null) noteRepaired(run.drawing, where, 'mesh', `${closed.detail} Its surface is taken.`)
  const mesh = decodeMesh(shape, maxVertices, true)
  if (isProblem(mesh)) return mesh.detail
  rememberMesh(shape, mesh)
  return shape
}
