/**
 * A scene as bytes, and back: what a scene is after so many entries, without replaying them.
 *
 * Format: a frame with the scene's settings, then blocks of rows in the order of slots: the columns as they are (little-endian),
 * those that hold only zeros left out, and JSON with the ids and with the shapes and lists of tags that come up for the first time.
 * The bytes hang on the bodies and their slots alone: the same entries give the same bytes, with or without a snapshot on the
 * way. A checksum is the business of whoever stores them.
 */
import { beginRebuild, noteBox, rebuildTree } from './boxes.ts'
import { type BodyTable, type Prepare, reserveSlots } from './columns.ts'
import { createScene, type Scene } from './scene.ts'
import { dropShape, takeShapeText } from './shape-pool.ts'
import { dropTags, takeTags } from './tag-sets.ts'
import { closeView, openView, rowAt, slotLimit, tableOf, type View } from './view.ts'

/** "TGSC" in bytes. */
const MAGIC = 0x43534754
const FORMAT = 1
/** Of the first frame: magic, format, length of its JSON; of a block: rows, columns, length of its JSON. */
const HEADER_BYTES = 12
const BLOCK_ROWS = 2 ** 13

/** Columns of doubles, in the order of their bits. */
const DOUBLES = ['x', 'y', 'rotation', 'vx', 'vy', 'spin'] as const
/** After the doubles: shape and list of tags of each row, −1 for none, and its flags. */
const ROW_BYTES = 4 + 4 + 1

interface Settings {
  id: string
  name: string | null
  dimension: 2
  ttl: number | null
  margin: number
  createdAt: number
  updatedAt: number
  version: number
  /** Bodies, and rows up to the last of them. */
  count: number
  rows: number
  extra: unknown
}

interface BlockText {
  /** Of each row; '' where there is no body. */
  ids: string[]
  /** Canonical texts of shapes, and lists of tags, numbered on from those of earlier blocks. */
  shapes: string[]
  tags: (readonly string[])[]
  /** Row of the block and JSON text. */
  data: [row: number, text: string][]
}

/**
 * The bytes in chunks of at most some hundred kilobytes, of the scene as it is when the first one is asked for, whatever is
 * written to it in between. `extra`: JSON that is kept with it. The generator must be run to its end or returned.
 */
export function* encodeScene(scene: Scene, extra: unknown = null): Generator<Uint8Array, void, undefined> {
  const view = openView(scene)
  try {
    const rows = rowCount(view)
    const { id, name, dimension, ttl, margin, createdAt, updatedAt, version } = scene
    const { count } = scene.table
    const times = { createdAt, updatedAt, version }
    const settings: Settings = { id, name, dimension, ttl, margin, ...times, count, rows, extra }
    yield frame([MAGIC, FORMAT], 0, settings)
    const shapes = new Map<number, number>()
    const tags = new Map<number, number>()
    for (let start = 0; start < rows; start += BLOCK_ROWS) {
      yield encodeBlock(view, start, Math.min(BLOCK_ROWS, rows - start), shapes, tags)
    }
  } finally {
    closeView(scene, view)
  }
}

function rowCount(view: View): number {
  const { flags } = view.table
  let rows = slotLimit(view)
  while (rows > 0 && flags[rows - 1] === 0) rows--
  return rows
}

/** Two numbers, the length of the JSON, room for `room` bytes, and the JSON. */
function frame([first, second]: readonly [number, number], room: number, value: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(value))
  const bytes = new Uint8Array(HEADER_BYTES + room + json.length)
  const header = new DataView(bytes.buffer)
  header.setUint32(0, first, true)
  header.setUint32(4, second, true)
  header.setUint32(8, json.length, true)
  bytes.set(json, HEADER_BYTES + room)
  return bytes
}

function encodeBlock(
  view: View,
  start: number,
  rows: number,
  shapes: Map<number, number>,
  tags: Map<number, number>,
): Uint8Array {
  const doubles = DOUBLES.map(() => new Float64Array(rows))
  const shapeNumbers = new Int32Array(rows).fill(-1)
  const tagNumbers = new Int32Array(rows).fill(-1)
  const flags = new Uint8Array(rows)
  const text: BlockText = { ids: new Array(rows).fill(''), shapes: [], tags: [], data: [] }
  let columns = 0
  for (let k = 0; k < rows; k++) {
    const row = rowAt(view, start + k)
    const table = tableOf(view, start + k)
    if (row < 0 || table.flags[row] === 0) continue
    flags[k] = table.flags[row]
    text.ids[k] = table.ids[row]
    for (let d = 0; d < DOUBLES.length; d++) {
      const value = table[DOUBLES[d]]?.[row] ?? 0
      doubles[d][k] = value
      if (!Object.is(value, 0)) columns |= 1 << d
    }
    const shape = table.shapeOf[row]
    if (!shapes.has(shape)) {
      shapes.set(shape, shapes.size)
      text.shapes.push(table.shapes.texts[shape])
    }
    shapeNumbers[k] = shapes.get(shape) as number
    const list = table.tagsOf[row]
    if (list >= 0) {
      if (!tags.has(list)) {
        tags.set(list, tags.size)
        text.tags.push(table.tags.lists[list])
      }
      tagNumbers[k] = tags.get(list) as number
    }
    const data = table.data.get(row)
    if (data !== undefined) text.data.push([k, data])
  }
  const given = doubles.filter((_, d) => columns & (1 << d))
  const parts = [...given, shapeNumbers, tagNumbers, flags]
  const bytes = frame([rows, columns], blockRoom(rows, columns), text)
  let at = HEADER_BYTES
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer), at)
    at += part.byteLength
  }
  return bytes
}

function blockRoom(rows: number, columns: number): number {
  let doubles = 0
  for (let d = 0; d < DOUBLES.length; d++) if (columns & (1 << d)) doubles++
  return rows * (8 * doubles + ROW_BYTES)
}

/** What is wrong with bytes that are no snapshot, or one of another format. */
export class SnapshotFault extends Error {}

/** Puts a scene together from the bytes of its snapshot, however they are cut. */
export class SceneDecoder {
  readonly #scene: Scene
  #settings: Settings | null = null
  /** Bytes that do not make a frame yet. */
  #pending = new Uint8Array(0)
  #rows = 0
  readonly #shapes: number[] = []
  readonly #tags: number[] = []

  constructor(prepare: Prepare) {
    this.#scene = createScene(prepare)
  }

  /** Throws a `SnapshotFault` for bytes that are none. */
  push(chunk: Uint8Array): void {
    const bytes = this.#pending.length === 0 ? chunk : joined(this.#pending, chunk)
    let at = 0
    for (;;) {
      const length = this.#frameLength(bytes, at)
      if (length > bytes.length - at) break
      const whole = bytes.subarray(at, at + length)
      if (this.#settings === null) this.#begin(whole)
      else this.#addBlock(whole, this.#settings)
      at += length
    }
    this.#pending = new Uint8Array(bytes.subarray(at))
  }

  /** The scene, after the last chunk, and what was kept with it. */
  finish(): { scene: Scene; extra: unknown } {
    const scene = this.#scene
    const settings = this.#settings
    if (settings === null || this.#rows !== settings.rows || this.#pending.length > 0) {
      throw new SnapshotFault('The snapshot ends before its last row.')
    }
    const { table } = scene
    for (const slot of this.#shapes) dropShape(table.shapes, slot)
    for (const slot of this.#tags) dropTags(table.tags, slot)
    if (table.count !== settings.count)
      throw new SnapshotFault('The snapshot has another number of bodies than it says.')
    const boxes = beginRebuild(table, table.used)
    for (let slot = 0; slot < table.used; slot++) if (table.flags[slot] !== 0) noteBox(table, slot, boxes)
    rebuildTree(table, boxes)
    return { scene, extra: settings.extra }
  }

  /** Of the frame at `at`; Infinity as long as that is not to be seen. */
  #frameLength(bytes: Uint8Array, at: number): number {
    if (bytes.length - at < HEADER_BYTES) return Infinity
    const header = viewOf(bytes, at)
    const json = header.getUint32(8, true)
    if (this.#settings !== null)
      return HEADER_BYTES + blockRoom(header.getUint32(0, true), header.getUint32(4, true)) + json
    const format = header.getUint32(4, true)
    if (header.getUint32(0, true) !== MAGIC) throw new SnapshotFault('The bytes are no snapshot of a scene.')
    if (format !== FORMAT) throw new SnapshotFault(`The snapshot has format ${format}; this version reads ${FORMAT}.`)
    return HEADER_BYTES + json
  }

  #begin(bytes: Uint8Array): void {
    const settings = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_BYTES))) as Settings
    const { count: _count, rows, extra: _extra, ...rest } = settings
    Object.assign(this.#scene, rest)
    this.#scene.table.tree.margin = settings.margin
    reserveSlots(this.#scene.table, rows)
    this.#settings = settings
  }

  #addBlock(bytes: Uint8Array, settings: Settings): void {
    const header = viewOf(bytes, 0)
    const rows = header.getUint32(0, true)
    const columns = header.getUint32(4, true)
    const start = this.#rows
    if (rows === 0 || start + rows > settings.rows) throw new SnapshotFault('The snapshot has more rows than it says.')
    const room = blockRoom(rows, columns)
    const text = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_BYTES + room))) as BlockText
    const { table } = this.#scene
    for (const shape of text.shapes) this.#shapes.push(takeShapeText(table.shapes, shape))
    for (const list of text.tags) this.#tags.push(takeTags(table.tags, list))
    // A copy, because columns must be aligned.
    const { buffer } = new Uint8Array(bytes.subarray(HEADER_BYTES, HEADER_BYTES + room))
    let at = 0
    for (let d = 0; d < DOUBLES.length; d++) {
      if ((columns & (1 << d)) === 0) continue
      table[DOUBLES[d]] ??= new Float64Array(table.flags.length)
      ;(table[DOUBLES[d]] as Float64Array).set(new Float64Array(buffer, at, rows), start)
      at += 8 * rows
    }
    const shapes = new Int32Array(buffer, at, rows)
    const tags = new Int32Array(buffer, at + 4 * rows, rows)
    table.flags.set(new Uint8Array(buffer, at + 8 * rows, rows), start)
    for (let k = 0; k < rows; k++) this.#addRow(table, start + k, text.ids[k], shapes[k], tags[k])
    for (const [row, data] of text.data) table.data.set(start + row, data)
    this.#rows += rows
    table.used = this.#rows
  }

  #addRow(table: BodyTable, slot: number, id: string, shape: number, tags: number): void {
    table.ids[slot] = id
    if (table.flags[slot] === 0) return
    table.slotOf.set(id, slot)
    table.count++
    table.shapeOf[slot] = this.#shapes[shape]
    table.shapes.references[table.shapeOf[slot]]++
    table.tagsOf[slot] = tags < 0 ? -1 : this.#tags[tags]
    if (tags >= 0) table.tags.references[table.tagsOf[slot]]++
  }
}

function viewOf(bytes: Uint8Array, at: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at, HEADER_BYTES)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}
