// Buffer views of glTF that are packed by the extension EXT_meshopt_compression, which the decoder of meshoptimizer unpacks.
//
// The decoder is WebAssembly, so whoever reads such files awaits `loadMeshopt` first. What a view claims to hold is bounded before memory is
// taken for it: few bytes may stand for many.

import { spend } from '../../containers/budget.ts'
import { bytesIn, type Fields, text, whole } from './json-fields.ts'
import { malformed } from './mesh-data.ts'

type Decoder = typeof import('meshoptimizer/decoder')['MeshoptDecoder']

/** Either is read; they are one format. */
export const MESHOPT_NAMES = ['EXT_meshopt_compression', 'KHR_meshopt_compression']

/** Bytes that the views of a file may unpack to, each counted once. */
export const MOST_UNPACKED = 2 ** 28
const BYTES_PER_STEP = 16
const MOST_STRIDE = 256

const MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES']
const FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR']

let decoder: Decoder | null = null

/** Resolves when packed files can be read on this thread; null where they can already. */
export function loadMeshopt(): Promise<void> | null {
  return decoder === null ? load() : null
}

async function load(): Promise<void> {
  const { MeshoptDecoder } = await import('meshoptimizer/decoder')
  await MeshoptDecoder.ready
  decoder = MeshoptDecoder
}

/** The bytes that a packed view stands for. `bytes`: of its buffer; `most`: bytes that it may stand for. */
export function unpackView(extension: Fields, bytes: Buffer, most: number, where: string): Buffer {
  const source = bytesIn(extension, bytes, where)
  const mode = oneOf(extension.mode, MODES, `${where}/mode`)
  const filter = oneOf(extension.filter ?? 'NONE', FILTERS, `${where}/filter`)
  const stride = whole(extension.byteStride, `${where}/byteStride`)
  const isFit =
    mode === 'ATTRIBUTES' ? stride % 4 === 0 && stride > 0 && stride <= MOST_STRIDE : stride === 2 || stride === 4
  if (!isFit) throw malformed(`${where}/byteStride`, `${mode} do not lie ${stride} bytes from each other.`)
  const count = whole(extension.count, `${where}/count`)
  if (mode === 'TRIANGLES' && count % 3 !== 0) throw malformed(`${where}/count`, `${count} are no whole triangles.`)
  if (count * stride > most) {
    throw malformed(
      where,
      `It unpacks to ${count * stride} bytes, but only ${most} of the ${MOST_UNPACKED} for a file are left.`,
    )
  }
  spend((source.length + count * stride) / BYTES_PER_STEP)
  const target = Buffer.alloc(count * stride)
  try {
    ;(decoder as Decoder).decodeGltfBuffer(target, count, stride, source, mode, filter)
  } catch (error) {
    throw malformed(where, `It cannot be unpacked: ${(error as Error).message}.`)
  }
  return target
}

function oneOf(value: unknown, names: readonly string[], where: string): string {
  const name = text(value, where)
  if (names.includes(name)) return name
  throw malformed(where, `One of ${names.join(', ')} is expected here.`)
}
