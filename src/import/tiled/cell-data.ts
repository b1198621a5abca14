/**
 * The cells of a tile layer of Tiled, however they are packed: as numbers, or as base64 of gzip, zlib, zstd or nothing.
 */

import { gunzipSync, inflateSync } from 'node:zlib'
import { Decompress } from 'fzstd'
import { ImportFault } from '../reading/import-fault.ts'
import { type JsonObject, kindOf } from '../reading/json-fields.ts'

/** Global tile ids, row by row: `count` of them. `data` of the layer or of one of its chunks. */
export function readCells(data: unknown, layer: JsonObject, count: number, where: string): Uint32Array {
  if (Array.isArray(data)) {
    if (data.length !== count) throw wrongCount(data.length, count, where)
    // Flags in the upper bits may have made a number negative.
    return Uint32Array.from(data, (value) => (typeof value === 'number' ? value >>> 0 : 0))
  }
  if (typeof data !== 'string') {
    throw new ImportFault('import-malformed', where, `The cells must be a list or a text, got ${kindOf(data)}.`)
  }
  if (layer.encoding === 'csv') return readCommas(data, count, where)
  const bytes = unpacked(Buffer.from(data, 'base64'), layer.compression ?? '', 4 * count, where)
  if (bytes.length !== 4 * count) throw wrongCount(bytes.length / 4, count, where)
  return Uint32Array.from({ length: count }, (_, k) => bytes.readUInt32LE(4 * k))
}

const DIGIT_0 = 48
const DIGIT_9 = 57
const COMMA = 44

/** Numbers between commas, as XML has them. Millions are read without a text for each. */
function readCommas(text: string, count: number, where: string): Uint32Array {
  const cells = new Uint32Array(count)
  let size = 0
  let value = -1
  for (let k = 0; k <= text.length; k++) {
    const code = k < text.length ? text.charCodeAt(k) : COMMA
    if (code >= DIGIT_0 && code <= DIGIT_9) value = Math.max(value, 0) * 10 + (code - DIGIT_0)
    else if (code === COMMA && value >= 0) {
      if (size < count) cells[size] = value
      size++
      value = -1
    } else if (code > 32 || (code === COMMA && k < text.length)) {
      const message = `Cells are numbers between commas, got ${JSON.stringify(text.slice(k, k + 10))} at character ${k}.`
      throw new ImportFault('import-malformed', where, message)
    }
  }
  if (size !== count) throw wrongCount(size, count, where)
  return cells
}

function wrongCount(actual: number, count: number, where: string): ImportFault {
  return new ImportFault('import-malformed', where, `There must be ${count} cells, got ${actual}.`)
}

/** No more than so many bytes come out, whatever is packed. */
function unpacked(packed: Buffer, compression: unknown, length: number, where: string): Buffer {
  // One byte more, to tell too many from enough.
  const options = { maxOutputLength: length + 1 }
  try {
    if (compression === '') return packed
    if (compression === 'gzip') return gunzipSync(packed, options)
    if (compression === 'zlib') return inflateSync(packed, options)
    if (compression === 'zstd') return unpackZstd(packed, length)
  } catch (error) {
    throw new ImportFault('import-malformed', where, `The cells do not unpack: ${(error as Error).message}.`)
  }
  throw new ImportFault(
    'import-malformed',
    where,
    `Cells are packed by gzip, zlib or zstd, not by ${kindOf(compression)}.`,
  )
}

function unpackZstd(packed: Buffer, length: number): Buffer {
  const chunks: Uint8Array[] = []
  let total = 0
  const stream = new Decompress((chunk) => {
    total += chunk.length
    if (total > length) throw new Error(`more than ${length} bytes come out`)
    chunks.push(chunk)
  })
  stream.push(packed, true)
  return Buffer.concat(chunks)
}
