// Reads the triangles of a binary glTF 2.0 file.
//
// Source: Khronos, "glTF 2.0 specification", sections 3.5 (scenes, nodes, transforms), 3.6 (buffers, accessors), 3.7 (meshes), 4.4 (GLB), and
// the extensions KHR_mesh_quantization and EXT_meshopt_compression (`meshopt.ts`). The result is what the scene shows: the lists, strips and
// fans of triangles of its nodes, with the transforms of each node and its ancestors applied; a node that mirrors turns its triangles round.
// Each primitive is a group, in the order of the nodes. Points, lines, skins, morphs, materials and images say nothing about triangles and
// are left out. Corners at the same place are one.
// The claims of the file are checked against its bytes before memory is taken for them.

import { spend } from '../../containers/budget.ts'
import { parseReadable } from '../../json/input.ts'
import { bytesIn, type Fields, list, numbers, record, text, whole } from './json-fields.ts'
import { MeshBuilder, type MeshData, type MeshLimits, malformed, TooManyOfMesh, weld } from './mesh-data.ts'
import { MESHOPT_NAMES, MOST_UNPACKED, unpackView } from './meshopt.ts'

const MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
const HEADER_LENGTH = 12
const CHUNK_HEADER_LENGTH = 8

/** Extensions without which the triangles are still what they are. */
const HARMLESS =
  /^(KHR_mesh_quantization$|(EXT|KHR)_meshopt_compression$|KHR_materials_|KHR_texture_|KHR_lights_|EXT_texture_)/
/** Ways to pack triangles, and what to do instead. */
const PACKED: Readonly<Record<string, string>> = {
  KHR_draco_mesh_compression: 'Save the file without Draco compression.',
}

/** Of its fields, whatever is in it. */
const PRIMITIVE_STEPS = 32

const TRIANGLES = 4
const STRIP = 5
const FAN = 6

/** Column by column, as files have it: 16 numbers. */
type Matrix = readonly number[]
const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

interface File {
  readonly root: Fields
  readonly bytes: Buffer
  readonly mesh: MeshBuilder
  group: number
  /** Of packed buffer views, by their indices, and how many bytes they may still have. */
  readonly unpacked: Map<number, Buffer>
  unpackedLeft: number
}

/** A mesh of a node, as the scene shows it. */
interface Placed {
  readonly mesh: number
  readonly matrix: Matrix
}

/** `node`: name or index of the one that is taken, with those below it; null for the whole scene. */
export function readGlb(bytes: Buffer, node: string | null, limits: MeshLimits): MeshData {
  const { root, binary } = chunksOf(bytes)
  checkExtensions(root)
  // seams and instances repeat corners, which are made one in the end
  const mesh = new MeshBuilder({ ...limits, maxVertices: 3 * limits.maxTriangles })
  const file: File = { root, bytes: binary, mesh, group: 0, unpacked: new Map(), unpackedLeft: MOST_UNPACKED }
  const placed = placedMeshes(file, node)
  checkCounts(file, placed, limits)
  for (const each of placed) addMesh(file, each)
  if (mesh.triangleCount === 0) throw malformed('', 'Nothing in the scene of this file has triangles.')
  return weld(mesh.finish())
}

function chunksOf(bytes: Buffer): { root: Fields; binary: Buffer } {
  if (bytes.length < HEADER_LENGTH + CHUNK_HEADER_LENGTH || bytes.readUInt32LE(0) !== MAGIC) {
    throw malformed('', 'This is no binary glTF file: it does not begin with "glTF".')
  }
  const version = bytes.readUInt32LE(4)
  if (version !== 2) throw malformed('byte 4', `Only version 2 of glTF is read, got version ${version}.`)
  const length = bytes.readUInt32LE(8)
  if (length > bytes.length)
    throw malformed('byte 8', `The file says that it has ${length} bytes, but has ${bytes.length}.`)
  let root: Fields | null = null
  let binary: Buffer = Buffer.alloc(0)
  for (let at = HEADER_LENGTH; at + CHUNK_HEADER_LENGTH <= length; ) {
    spend(1)
    const size = bytes.readUInt32LE(at)
    const kind = bytes.readUInt32LE(at + 4)
    const start = at + CHUNK_HEADER_LENGTH
    if (start + size > length) throw malformed(`byte ${at}`, `A chunk of ${size} bytes does not fit into the file.`)
    if (root === null) {
      if (kind !== JSON_CHUNK) throw malformed(`byte ${at}`, 'The first chunk must be JSON.')
      root = parsed(bytes, start, start + size)
    } else if (kind === BINARY_CHUNK && binary.length === 0) binary = bytes.subarray(start, start + size)
    at = start + size
  }
  if (root === null) throw malformed('', 'The file has no JSON chunk.')
  return { root, binary }
}

function parsed(bytes: Buffer, start: number, end: number): Fields {
  try {
    return record(parseReadable(bytes, start, end), 'The JSON chunk')
  } catch (error) {
    throw malformed('JSON', `The JSON chunk is not to be read: ${(error as Error).message}`)
  }
}

function checkExtensions(root: Fields): void {
  for (const name of list(root.extensionsRequired, 'extensionsRequired')) {
    if (typeof name !== 'string') throw malformed('extensionsRequired', 'Names of extensions must be texts.')
    refusePacked(name)
    if (!HARMLESS.test(name)) {
      throw malformed(
        'extensionsRequired',
        `The file needs the extension ${JSON.stringify(name.slice(0, 80))}, which is not read.`,
      )
    }
  }
}

function refusePacked(name: string): void {
  if (!Object.hasOwn(PACKED, name)) return
  throw malformed('extensionsRequired', `Its triangles are packed by ${name}, which is not read. ${PACKED[name]}`)
}

// Nodes

function placedMeshes({ root }: File, wanted: string | null): Placed[] {
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

/** Of the scene that is shown, or of all nodes where there is none. */
function rootsOf(root: Fields, count: number): number[] {
  const scenes = list(root.scenes, 'scenes')
  if (scenes.length > 0) {
    const index = root.scene === undefined ? 0 : whole(root.scene, 'scene')
    if (index >= scenes.length) throw malformed('scene', `There are only ${scenes.length} scenes.`)
    const { nodes } = record(scenes[index], `scenes/${index}`)
    return list(nodes, `scenes/${index}/nodes`).map((node, k) => whole(node, `scenes/${index}/nodes/${k}`))
  }
  const below = new Set<unknown>()
  for (const node of list(root.nodes, 'nodes'))
    for (const child of list((node as Fields).children, 'children')) below.add(child)
  return Array.from({ length: count }, (_, k) => k).filter((k) => !below.has(k))
}

function matrixOf(node: Fields, where: string): Matrix {
  if (node.matrix !== undefined) return numbers(node.matrix, 16, `${where}/matrix`)
  if (node.translation === undefined && node.rotation === undefined && node.scale === undefined) return IDENTITY
  const [tx, ty, tz] = node.translation === undefined ? [0, 0, 0] : numbers(node.translation, 3, `${where}/translation`)
  const [x, y, z, w] = node.rotation === undefined ? [0, 0, 0, 1] : numbers(node.rotation, 4, `${where}/rotation`)
  const [sx, sy, sz] = node.scale === undefined ? [1, 1, 1] : numbers(node.scale, 3, `${where}/scale`)
  const square = x * x + y * y + z * z + w * w
  if (square === 0) throw malformed(`${where}/rotation`, 'A rotation must not be four zeros.')
  const turn = (value: number) => (2 * value) / square
  return [
    sx * (1 - turn(y * y + z * z)), sx * turn(x * y + w * z), sx * turn(x * z - w * y), 0,
    sy * turn(x * y - w * z), sy * (1 - turn(x * x + z * z)), sy * turn(y * z + w * x), 0,
    sz * turn(x * z + w * y), sz * turn(y * z - w * x), sz * (1 - turn(x * x + y * y)), 0,
    tx, ty, tz, 1,
  ] // biome-ignore format: a matrix
}

/** The matrix that applies `b` first, then `a`. Identities cost no rounding. */
function product(a: Matrix, b: Matrix): Matrix {
  if (a === IDENTITY) return b
  if (b === IDENTITY) return a
  return Array.from({ length: 16 }, (_, at) => {
    const [column, row] = [4 * (at >> 2), at & 3]
    return a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] + a[row + 12] * b[column + 3]
  })
}

function isMirrored([a, b, c, , d, e, f, , g, h, i]: Matrix): boolean {
  return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e) < 0
}

// Meshes

/** Of a mesh: each with where it lies. */
function primitivesOf({ root }: File, index: number): (readonly [primitive: Fields, where: string])[] {
  const meshes = list(root.meshes, 'meshes')
  const where = `meshes/${index}`
  if (index >= meshes.length) throw malformed(where, `There are only ${meshes.length} meshes.`)
  return list(record(meshes[index], where).primitives, `${where}/primitives`).map((primitive, k) => {
    return [record(primitive, `${where}/primitives/${k}`), `${where}/primitives/${k}`]
  })
}

/** Throws where the scene has more than is accepted. Each mesh is looked at once, however often it is shown. */
function checkCounts(file: File, placed: readonly Placed[], { maxTriangles }: MeshLimits): void {
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

function countsOf(file: File, mesh: number): { triangles: number; vertices: number } {
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

function countOf({ root }: File, index: number): number {
  const accessors = list(root.accessors, 'accessors')
  if (index >= accessors.length) throw malformed(`accessors/${index}`, `There are only ${accessors.length} accessors.`)
  return whole(record(accessors[index], `accessors/${index}`).count, `accessors/${index}/count`)
}

/** Null of points and lines. */
function modeOf({ mode }: Fields, where: string): number | null {
  const found = mode === undefined ? TRIANGLES : whole(mode, `${where}/mode`)
  return found === TRIANGLES || found === STRIP || found === FAN ? found : null
}

function addMesh(file: File, { mesh, matrix }: Placed): void {
  for (const [primitive, where] of primitivesOf(file, mesh)) addPrimitive(file, primitive, matrix, where)
}

function addPrimitive(file: File, primitive: Fields, matrix: Matrix, where: string): void {
  const { mesh } = file
  spend(PRIMITIVE_STEPS)
  const mode = modeOf(primitive, where)
  if (mode === null) return
  for (const name of Object.keys(record(primitive.extensions ?? {}, `${where}/extensions`))) refusePacked(name)
  const attributes = record(primitive.attributes, `${where}/attributes`)
  const positions = accessorOf(file, whole(attributes.POSITION, `${where}/attributes/POSITION`), 'VEC3')
  const first = mesh.vertexCount
  const read = positions.read
  for (let v = 0; v < positions.count; v++) {
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
  addTriangles(file, { mode, count, corner, isTurned: isMirrored(matrix) })
  file.group++
}

interface Corners {
  readonly mode: number
  readonly count: number
  corner(at: number): number
  readonly isTurned: boolean
}

function addTriangles({ mesh, group }: File, { mode, count, corner, isTurned }: Corners): void {
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

// Accessors: numbers in the binary chunk.

interface Accessor {
  readonly count: number
  /** A component of an element. */
  read(element: number, component: number): number
}

type ReadComponent = (bytes: Buffer, at: number) => number

const COMPONENTS: ReadonlyMap<number, { size: number; most: number; read: ReadComponent }> = new Map([
  [5120, { size: 1, most: 127, read: (bytes, at) => bytes.readInt8(at) }],
  [5121, { size: 1, most: 255, read: (bytes, at) => bytes[at] }],
  [5122, { size: 2, most: 32767, read: (bytes, at) => bytes.readInt16LE(at) }],
  [5123, { size: 2, most: 65535, read: (bytes, at) => bytes.readUInt16LE(at) }],
  [5125, { size: 4, most: 2 ** 32 - 1, read: (bytes, at) => bytes.readUInt32LE(at) }],
  [5126, { size: 4, most: 1, read: (bytes, at) => bytes.readFloatLE(at) }],
])
const FLOAT = 5126
const UNSIGNED = [5121, 5123, 5125]

function accessorOf(file: File, index: number, type: 'VEC3' | 'SCALAR'): Accessor {
  const where = `accessors/${index}`
  const count = countOf(file, index)
  const accessor = record(list(file.root.accessors, 'accessors')[index], where)
  if (text(accessor.type, `${where}/type`) !== type) throw malformed(`${where}/type`, `${type} is expected here.`)
  const divisor = accessor.normalized === true ? mostOf(accessor.componentType) : 1
  const numbers = { type, componentType: accessor.componentType, isUnsigned: type === 'SCALAR', count, divisor }
  const { sparse } = accessor
  if (accessor.bufferView === undefined) {
    if (sparse === undefined) throw malformed(where, 'It has no buffer view: its numbers are not in the file.')
    return withChanges(file, { count, read: () => 0 }, record(sparse, `${where}/sparse`), numbers, `${where}/sparse`)
  }
  const base = numbersOf(file, accessor, numbers, where)
  if (sparse === undefined) return base
  return withChanges(file, base, record(sparse, `${where}/sparse`), numbers, `${where}/sparse`)
}

/** What normalised numbers are divided by. */
function mostOf(componentType: unknown): number {
  return componentType === FLOAT ? 1 : (COMPONENTS.get(componentType as number)?.most ?? 1)
}

interface Numbers {
  readonly type: 'VEC3' | 'SCALAR'
  readonly componentType: unknown
  readonly isUnsigned: boolean
  readonly count: number
  readonly divisor: number
}

/** Those of the buffer view that `place` names. */
function numbersOf(
  file: File,
  place: Fields,
  { type, componentType, isUnsigned, count, divisor }: Numbers,
  where: string,
): Accessor {
  const component = COMPONENTS.get(whole(componentType, `${where}/componentType`))
  if (component === undefined || (isUnsigned && !UNSIGNED.includes(componentType as number))) {
    throw malformed(`${where}/componentType`, `Numbers of the type ${componentType} are not expected here.`)
  }
  const { read, size } = component
  const element = (type === 'VEC3' ? 3 : 1) * size
  const { bytes, stride } = viewOf(file, place, where)
  const offset = place.byteOffset === undefined ? 0 : whole(place.byteOffset, `${where}/byteOffset`)
  const step = stride === 0 ? element : stride
  if (step < element)
    throw malformed(where, `Its elements have ${element} bytes, but lie ${step} bytes from each other.`)
  if (count > 0 && offset + step * (count - 1) + element > bytes.length) {
    throw malformed(where, `Its ${count} elements do not fit into the ${bytes.length} bytes of its buffer view.`)
  }
  return {
    count,
    read: (at, k) => {
      const value = read(bytes, offset + step * at + size * k)
      return divisor === 1 ? value : Math.max(value / divisor, -1)
    },
  }
}

/** A sparse accessor: some elements have other numbers than the base has. */
function withChanges(file: File, base: Accessor, sparse: Fields, numbers: Numbers, where: string): Accessor {
  const count = whole(sparse.count, `${where}/count`)
  if (count > base.count) throw malformed(`${where}/count`, `${count} of ${base.count} elements cannot be others.`)
  const places = record(sparse.indices, `${where}/indices`)
  const ofPlaces = { type: 'SCALAR', componentType: places.componentType, isUnsigned: true, count, divisor: 1 } as const
  const changed = numbersOf(file, places, ofPlaces, `${where}/indices`)
  const values = numbersOf(file, record(sparse.values, `${where}/values`), { ...numbers, count }, `${where}/values`)
  const placeOf = new Map<number, number>()
  for (let k = 0; k < count; k++) {
    spend(1)
    const at = changed.read(k, 0)
    if (at >= base.count) throw malformed(`${where}/indices`, `Index ${k} is ${at}, of ${base.count} elements.`)
    placeOf.set(at, k)
  }
  return {
    count: base.count,
    read: (at, component) => {
      const place = placeOf.get(at)
      return place === undefined ? base.read(at, component) : values.read(place, component)
    },
  }
}

interface View {
  readonly bytes: Buffer
  /** 0: elements lie next to each other. */
  readonly stride: number
}

function viewOf(file: File, place: Fields, where: string): View {
  const { root, bytes } = file
  const index = whole(place.bufferView, `${where}/bufferView`)
  const views = list(root.bufferViews, 'bufferViews')
  const at = `bufferViews/${index}`
  if (index >= views.length) throw malformed(at, `There are only ${views.length} buffer views.`)
  const view = record(views[index], at)
  const stride = view.byteStride === undefined ? 0 : whole(view.byteStride, `${at}/byteStride`)
  const extensions = record(view.extensions ?? {}, `${at}/extensions`)
  for (const name of Object.keys(extensions)) refusePacked(name)
  const name = MESHOPT_NAMES.find((each) => extensions[each] !== undefined)
  if (name !== undefined) {
    const unpacked = unpackedView(file, index, record(extensions[name], `${at}/extensions/${name}`), at)
    return { bytes: unpacked, stride }
  }
  checkBuffer(root, view.buffer, at)
  return { bytes: bytesIn(view, bytes, at), stride }
}

function unpackedView(file: File, index: number, packed: Fields, at: string): Buffer {
  let found = file.unpacked.get(index)
  if (found === undefined) {
    checkBuffer(file.root, packed.buffer, at)
    found = unpackView(packed, file.bytes, file.unpackedLeft, at)
    file.unpackedLeft -= found.length
    file.unpacked.set(index, found)
  }
  return found
}

/** The bytes of the file are those of its first buffer. */
function checkBuffer(root: Fields, buffer: unknown, at: string): void {
  const index = whole(buffer, `${at}/buffer`)
  const { uri } = record(list(root.buffers, 'buffers')[0], 'buffers/0')
  if (index === 0 && uri === undefined) return
  const named = typeof uri === 'string' ? ` (${JSON.stringify(uri.slice(0, 80))})` : ''
  throw malformed(at, `Its numbers are in another file${named}: save all of it as one binary file.`)
}
