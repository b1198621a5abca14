// Maps of Tiled of any size, in all the ways in which it packs cells. Tile 1 is solid; 0 is empty.

import { deflateSync, gzipSync } from 'node:zlib'

export type Packing = 'csv' | 'json' | 'base64' | 'gzip' | 'zlib' | 'zstd'

export interface Cells {
  columns: number
  rows: number
  values: Uint32Array
}

export function cellsOf(columns: number, rows: number, value: (column: number, row: number) => number): Cells {
  const values = new Uint32Array(columns * rows)
  for (let k = 0; k < values.length; k++) values[k] = value(k % columns, Math.floor(k / columns))
  return { columns, rows, values }
}

/** Solid cells in no order, as many as a share of all; the same every time. */
export function noise(columns: number, rows: number, share: number): Cells {
  let state = 12345
  return cellsOf(columns, rows, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state < share * 2 ** 32 ? 1 : 0
  })
}

export const solid = (columns: number, rows: number): Cells => cellsOf(columns, rows, () => 1)
export const checkerboard = (columns: number, rows: number): Cells => cellsOf(columns, rows, (c, r) => (c + r) % 2)

const COLLISION = { id: 1, x: 0, y: 0, width: 16, height: 16 }
const TILESET = {
  firstgid: 1,
  name: 't',
  tilewidth: 16,
  tileheight: 16,
  tiles: [{ id: 0, objectgroup: { objects: [COLLISION] } }],
}
export const TILESET_XML =
  '<tileset firstgid="1" name="t" tilewidth="16" tileheight="16"><tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile></tileset>'

export function mapJson(fields: object): Record<string, unknown> {
  return { orientation: 'orthogonal', tilewidth: 16, tileheight: 16, tilesets: [TILESET], ...fields }
}

export function mapXml(inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">${TILESET_XML}${inside}</map>`
}

/** Bytes of the cells, packed and not yet written as base64. */
function packed({ values }: Cells, packing: Packing): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  if (packing === 'gzip') return gzipSync(bytes, { level: 1 })
  if (packing === 'zlib') return deflateSync(bytes, { level: 1 })
  return packing === 'zstd' ? rawZstd(bytes) : bytes
}

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd]
const ZSTD_BLOCK = 2 ** 17

/** Frames are made here, of blocks that are not compressed or of one byte: nothing at hand writes others. */
function zstdFrame(windowDescriptor: number, blocks: Uint8Array[]): Uint8Array {
  return Buffer.concat([Buffer.from([...ZSTD_MAGIC, 0x00, windowDescriptor]), ...blocks])
}

function zstdHeader(type: 0 | 1, size: number, isLast: boolean): Uint8Array {
  const header = Buffer.alloc(3)
  header.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3)
  return header
}

/** Window of 2 ** (10 + exponent) bytes. */
const windowOf = (exponent: number): number => exponent << 3

function rawZstd(bytes: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += ZSTD_BLOCK) {
    const block = bytes.subarray(at, at + ZSTD_BLOCK)
    blocks.push(zstdHeader(0, block.length, at + ZSTD_BLOCK >= bytes.length), block)
  }
  return zstdFrame(windowOf(7), blocks)
}

/** Comes to `blocks` times 128 KiB. */
export function zstdBomb(blocks: number, exponent = 7): Uint8Array {
  const all = Array.from({ length: blocks }, (_, k) =>
    Buffer.concat([zstdHeader(1, ZSTD_BLOCK, k === blocks - 1), Buffer.from([1])]),
  )
  return zstdFrame(windowOf(exponent), all)
}

/** The cells between brackets or tags; in JSON lists lie bare. */
export function cellText(cells: Cells, packing: Packing): string {
  if (packing === 'csv' || packing === 'json') return cells.values.join(',')
  return Buffer.from(packed(cells, packing)).toString('base64')
}

export const COMPRESSIONS: Readonly<Record<Packing, string>> = {
  csv: '',
  json: '',
  base64: '',
  gzip: 'gzip',
  zlib: 'zlib',
  zstd: 'zstd',
}

export function layerXml(cells: Cells, packing: Packing, name = 'ground'): string {
  const { columns, rows } = cells
  const how = packing === 'csv' ? 'encoding="csv"' : `encoding="base64" compression="${COMPRESSIONS[packing]}"`
  return `<layer id="1" name="${name}" width="${columns}" height="${rows}"><data ${how}>\n${cellText(cells, packing)}\n</data></layer>`
}

export function layerJson(cells: Cells, packing: Packing, name = 'ground'): string {
  const { columns: width, rows: height } = cells
  const head = JSON.stringify({ type: 'tilelayer', name, width, height }).slice(0, -1)
  if (packing === 'json') return `${head},"data":[${cellText(cells, packing)}]}`
  return `${head},"encoding":"base64","compression":"${COMPRESSIONS[packing]}","data":"${cellText(cells, packing)}"}`
}

/** Cut in chunks of 16 × 16 or more, as Tiled saves infinite maps. */
export function chunksJson({ columns, rows, values }: Cells, side: number, name = 'ground'): string {
  const chunks: string[] = []
  for (let y = 0; y < rows; y += side) {
    for (let x = 0; x < columns; x += side) {
      const data: number[] = []
      for (let r = 0; r < side; r++) for (let c = 0; c < side; c++) data.push(values[(y + r) * columns + x + c] ?? 0)
      chunks.push(`{"x":${x},"y":${y},"width":${side},"height":${side},"data":[${data}]}`)
    }
  }
  return `{"type":"tilelayer","name":"${name}","chunks":[${chunks}]}`
}

export function mapOfLayers(layers: string[]): string {
  return JSON.stringify(mapJson({ layers: [] })).replace('"layers":[]', `"layers":[${layers}]`)
}
