// A glTF 2.0 file: its document, its buffers, and the numbers in them.
//
// Source: Khronos, "glTF 2.0 specification", sections 3.6 (buffers, accessors) and 4.4 (GLB), and the extensions KHR_mesh_quantization and
// EXT_meshopt_compression (`meshopt.ts`). The claims of the file are checked against its bytes before memory is taken for them.

import { spend } from '../../containers/budget.ts'
import { behindMark, parseReadable } from '../../json/input.ts'
import { bytesIn, type Fields, list, record, text, whole } from './json-fields.ts'
import { malformed } from './mesh-data.ts'
import { MESHOPT_NAMES, MOST_UNPACKED, unpackView } from './meshopt.ts'

const MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
const HEADER_LENGTH = 12
const CHUNK_HEADER_LENGTH = 8

/** Extensions without which the triangles are still what they are. */
const HARMLESS =
  /^(KHR_mesh_quantization$|(EXT|KHR)_meshopt_compression$|KHR_(materials|texture|lights|node|animation|xmp)_|EXT_(texture|lights)_)/
/** Ways to pack triangles, and what to do instead. */
const PACKED: Readonly<Record<string, string>> = {
  KHR_draco_mesh_compression: 'Save the file without Draco compression.',
}

export interface GltfFile {
  readonly root: Fields
  /** The bytes of a buffer. `at`: who names it. */
  buffer(index: number, at: string): Buffer
  /** Of packed buffer views, by their indices, and how many bytes they may still have. */
  readonly unpacked: Map<number, Buffer>
  unpackedLeft: number
}

/** `fileNamed`: the bytes of a file that a buffer names. */
export function openGltf(bytes: Buffer, fileNamed: (uri: string, at: string) => Buffer): GltfFile {
  const { root, binary } = isGlb(bytes)
    ? chunksOf(bytes)
    : { root: parsed(bytes, behindMark(bytes), bytes.length), binary: null }
  if (
    record(root.asset ?? {}, 'asset')
      .version?.toString()
      .startsWith('1')
  ) {
    throw malformed('asset/version', 'Only version 2 of glTF is read.')
  }
  const buffers = new Map<number, Buffer>()
  const buffer = (index: number, at: string): Buffer => {
    const known = buffers.get(index)
    if (known !== undefined) return known
    const all = list(root.buffers, 'buffers')
    if (index >= all.length) throw malformed(at, `There are only ${all.length} buffers.`)
    const { uri } = record(all[index], `buffers/${index}`)
    const found = uri === undefined && index === 0 ? binary : bytesOf(uri, `buffers/${index}/uri`, at, fileNamed)
    if (found === null) throw malformed(at, 'Its numbers are in a binary chunk, which the file does not have.')
    buffers.set(index, found)
    return found
  }
  return { root, buffer, unpacked: new Map(), unpackedLeft: MOST_UNPACKED }
}

export function isGlb(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32LE(0) === MAGIC
}

const DATA_URI = /^data:[^,;]*(;[^,;]*)*;base64,/

function bytesOf(uri: unknown, where: string, at: string, fileNamed: (uri: string, at: string) => Buffer): Buffer {
  const name = text(uri, where)
  const begin = DATA_URI.exec(name.slice(0, 200))?.[0]
  return begin === undefined ? fileNamed(name, at) : Buffer.from(name.slice(begin.length), 'base64')
}

export function chunksOf(bytes: Buffer): { root: Fields; binary: Buffer } {
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

/** `others`: what is read besides. */
export function checkExtensions(root: Fields, others: readonly string[] = []): void {
  for (const name of list(root.extensionsRequired, 'extensionsRequired')) {
    if (typeof name !== 'string') throw malformed('extensionsRequired', 'Names of extensions must be texts.')
    refusePacked(name)
    if (!HARMLESS.test(name) && !others.includes(name)) {
      throw malformed(
        'extensionsRequired',
        `The file needs the extension ${JSON.stringify(name.slice(0, 80))}, which is not read.`,
      )
    }
  }
}

export function refusePacked(name: string): void {
  if (!Object.hasOwn(PACKED, name)) return
  throw malformed('extensionsRequired', `Its triangles are packed by ${name}, which is not read. ${PACKED[name]}`)
}

// Accessors: numbers in buffers.

export function countOf({ root }: GltfFile, index: number): number {
  const accessors = list(root.accessors, 'accessors')
  if (index >= accessors.length) throw malformed(`accessors/${index}`, `There are only ${accessors.length} accessors.`)
  return whole(record(accessors[index], `accessors/${index}`).count, `accessors/${index}/count`)
}

/** Whether the numbers of an accessor are in the file. */
export function hasNumbers({ root }: GltfFile, index: number): boolean {
  const accessor = record(list(root.accessors, 'accessors')[index] ?? {}, `accessors/${index}`)
  return accessor.bufferView !== undefined || accessor.sparse !== undefined
}

export interface Accessor {
  readonly count: number
  /** A component of an element. */
  read(element: number, component: number): number
}

/** Components of an element. */
const SIZES = { SCALAR: 1, VEC3: 3, VEC4: 4 } as const
type ElementType = keyof typeof SIZES

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

export function accessorOf(file: GltfFile, index: number, type: ElementType): Accessor {
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
  readonly type: ElementType
  readonly componentType: unknown
  readonly isUnsigned: boolean
  readonly count: number
  readonly divisor: number
}

/** Those of the buffer view that `place` names. */
function numbersOf(
  file: GltfFile,
  place: Fields,
  { type, componentType, isUnsigned, count, divisor }: Numbers,
  where: string,
): Accessor {
  const component = COMPONENTS.get(whole(componentType, `${where}/componentType`))
  if (component === undefined || (isUnsigned && !UNSIGNED.includes(componentType as number))) {
    throw malformed(`${where}/componentType`, `Numbers of the type ${componentType} are not expected here.`)
  }
  const { read, size } = component
  const element = SIZES[type] * size
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
function withChanges(file: GltfFile, base: Accessor, sparse: Fields, numbers: Numbers, where: string): Accessor {
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

function viewOf(file: GltfFile, place: Fields, where: string): View {
  const { root } = file
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
  return { bytes: bytesIn(view, file.buffer(whole(view.buffer, `${at}/buffer`), at), at), stride }
}

function unpackedView(file: GltfFile, index: number, packed: Fields, at: string): Buffer {
  let found = file.unpacked.get(index)
  if (found === undefined) {
    found = unpackView(packed, file.buffer(whole(packed.buffer, `${at}/buffer`), at), file.unpackedLeft, at)
    file.unpackedLeft -= found.length
    file.unpacked.set(index, found)
  }
  return found
}
