/**
 * The cells of a tile layer of Tiled, however they are packed: as numbers, or as base64 of gzip, zlib, zstd or nothing. They are
 * unpacked to where they stay, as many as the layer says and no more.
 */

import { gunzipSync, inflateSync } from 'node:zlib'
import { Decompress } from 'fzstd'
import { type JsonObject, kindOf } from './json-file.ts'
import { ImportFault, LongText, NumberList } from './source-files.ts'

/** Global tile ids, row by row: `count` of them. `data` of the layer or of one of its chunks. */
export function readCells(data: unknown, layer: JsonObject, count: number, where: string): Uint32Array {
  if (data instanceof NumberList) {
    if (data.values.length !== count) throw wrongCount(data.values.length, count, where)
    return data.values
  }
  if (Array.isArray(data)) {
    if (data.length !== count) throw wrongCount(data.length, count, where)
    // Flags in the upper bits may have made a number negative.
    return Uint32Array.from(data, (value) => (typeof value === 'number' ? value >>> 0 : 0))
  }
  const bytes = typeof data === 'string' ? Buffer.from(data) : data instanceof LongText ? data.bytes : null
  if (bytes === null) {
    throw new ImportFault('import-malformed', where, `The cells must be a list or a text, got ${kindOf(data)}.`)
  }
  if (layer.encoding === 'csv') return readCommas(bytes, count, where)
  const unpacked = unpack(decodeBase64(bytes), layer.compression ?? '', 4 * count, where)
  if (unpacked.length !== 4 * count) throw wrongCount(unpacked.length / 4, count, where)
  // they lie at the start of memory of their own; all machines that are served have the lowest byte first
  return new Uint32Array(unpacked.buffer, unpacked.byteOffset, count)
}

/** Whether there are no cells in it: what Tiled writes of an empty layer of an infinite map. */
export function hasNoCells(data: unknown): boolean {
  if (data === undefined || data === null) return true
  if (Array.isArray(data)) return data.length === 0
  if (data instanceof LongText) return data.bytes.every((byte) => byte <= LAST_SPACE)
  return typeof data === 'string' && data.trim() === ''
}

const DIGIT_0 = 48
const DIGIT_9 = 57
const COMMA = 44
const LAST_SPACE = 32

/** Numbers between commas, as XML has them. */
function readCommas(bytes: Uint8Array, count: number, where: string): Uint32Array {
  const cells = new Uint32Array(count)
  let size = 0
  let value = -1
  for (let k = 0; k <= bytes.length; k++) {
    const byte = k < bytes.length ? bytes[k] : COMMA
    if (byte >= DIGIT_0 && byte <= DIGIT_9) value = Math.max(value, 0) * 10 + (byte - DIGIT_0)
    else if (byte === COMMA && value >= 0) {
      if (size < count) cells[size] = value
      size++
      value = -1
    } else if (byte > LAST_SPACE && k < bytes.length) {
      const got = JSON.stringify(Buffer.from(bytes.subarray(k, k + 10)).toString())
      const message = `Cells are numbers between commas, got ${got} at character ${k}.`
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
function unpack(packed: Uint8Array<ArrayBuffer>, compression: unknown, length: number, where: string): Uint8Array {
  // One byte more, to tell too many from enough. All comes out in one piece, and what is not written to takes no memory.
  const options = { maxOutputLength: length + 1, chunkSize: Math.max(length + 1, 1024) }
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

/** Bytes that are handed on at a time: of few, many may come out. */
const ZSTD_PIECE_LENGTH = 2 ** 12

function unpackZstd(packed: Uint8Array, length: number): Uint8Array {
  const unpacked = new Uint8Array(length)
  let total = 0
  const stream = new Decompress((chunk) => {
    if (total + chunk.length > length) throw new Error(`more than ${length} bytes come out`)
    unpacked.set(chunk, total)
    total += chunk.length
  })
  for (let at = 0; at < packed.length; at += ZSTD_PIECE_LENGTH) {
    stream.push(packed.subarray(at, at + ZSTD_PIECE_LENGTH), at + ZSTD_PIECE_LENGTH >= packed.length)
  }
  return unpacked.subarray(0, total)
}

// Base64, with blanks and line breaks wherever they are, from bytes to bytes: RFC 4648. Cost O(bytes).

const NONE = 0xff
const PADDING = 61

const values = new Uint8Array(256).fill(NONE)
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  values[letter.charCodeAt(0)] = value
}
values['-'.charCodeAt(0)] = 62
values['_'.charCodeAt(0)] = 63

/** In memory of its own. What is no letter of base64 is passed over, as everywhere; it ends where it is padded. */
function decodeBase64(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4))
  let size = 0
  let bits = 0
  let held = 0
  for (let k = 0; k < text.length; k++) {
    const byte = text[k]
    const value = values[byte]
    if (value === NONE) {
      if (byte === PADDING) break
      continue
    }
    bits = ((bits << 6) | value) & 0xffffff
    if (++held === 4) {
      bytes[size++] = bits >> 16
      bytes[size++] = (bits >> 8) & 0xff
      bytes[size++] = bits & 0xff
      held = 0
    }
  }
  // two letters more are a byte, three are two
  if (held >= 2) bytes[size++] = (bits >> (held === 2 ? 4 : 10)) & 0xff
  if (held === 3) bytes[size++] = (bits >> 2) & 0xff
  return bytes.subarray(0, size)
}
