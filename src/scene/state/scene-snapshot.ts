/**
 * A scene as bytes, so that it can be restored without replaying its entries, and copied.
 *
 * Format: a frame with the scene's settings, frames with the contents of the kept shapes that it holds, then blocks of rows in the order of slots: the columns as they are (little-endian),
 * without those that hold only zeros, the shapes that occur for the first time (form and numbers), the ids, the boxes of the bodies, and
 * JSON with the forms of shapes and the lists of tags that occur for the first time, and with data.
 * The boxes lie where readers of earlier releases look for nothing, and are believed only by a release that measures them alike: to
 * measure them again takes most of the time of a start.
 * The bytes depend only on the bodies and their slots: equal entries give equal bytes, with or without a snapshot in between. Checksums
 * are up to the store.
 */

import { finishAtOnce, Pace, type Slices } from '../../containers/budget.ts'
import { Numbering } from '../../containers/numbering.ts'
import { beginRebuild, finishRebuild, noteBox, noteBoxes, prepareRow, sideCount } from './body-cache.ts'
import { type BodyTable, reserveSlots, setShapeSlot, shapeSlot } from './body-table.ts'
import type { Prepares, SceneDimension } from './geometry.ts'
import { addIdBytes, dropTags, idLength, reserveIdBytes, reserveIndex, takeTags } from './ids.ts'
import { keptContent } from './kept-content.ts'
import { createScene, emptyTable, type Scene } from './scene.ts'
import { addParts, dropShape, formAt, heldContents, holdContents, reserveShapes, shapeNumbers } from './shape-pool.ts'
import { boxAt, closeView, hasBody, openView, rowAt, slotLimit, tableOf, type View } from './view.ts'

/** "TGSC" in bytes. */
const MAGIC = 0x43534754
/** By dimension. Releases that know no scenes of space, or no kept shapes in scenes, refuse what they would misread. */
const FORMATS: Readonly<Record<SceneDimension, number>> = { 2: 1, 3: 2 }
/** Of those that hold kept shapes. */
const KEPT_FORMATS: Readonly<Record<SceneDimension, number>> = { 2: 3, 3: 4 }
const READ_FORMATS: readonly number[] = [...Object.values(FORMATS), ...Object.values(KEPT_FORMATS)]
/** To be raised when boxes are measured otherwise than before, in any digit. */
const BOX_RULES = 1
/** Bytes of the content of kept shapes in a frame. */
const CONTENT_BYTES = 2 ** 18
/** Of the first frame: magic, format, 0, 0, 0; of contents: bytes, 0, 0, 0, 0; of a block: rows, columns, shapes, numbers of shapes, bytes of ids and boxes. Then the length of the JSON. */
const HEADER_BYTES = 24
/** Rows of a block, and letters and numbers from which on it ends earlier: a block is made without a pause. */
const BLOCK_ROWS = 2 ** 13
const BLOCK_WEIGHT = 2 ** 18

/** After the doubles: shape and list of tags of each row, −1 for none, its flags, and the length of its id, 0 for no body. */
const ROW_BYTES = 4 + 4 + 1 + 1

interface Settings
  extends Pick<Scene, 'id' | 'name' | 'dimension' | 'ttl' | 'margin' | 'createdAt' | 'updatedAt' | 'version'> {
  /** Bodies, and rows up to the last of them. */
  count: number
  rows: number
  /** Bytes that ids take in memory; absent in snapshots of earlier releases. */
  idBytes?: number
  /** In hexadecimal digits; absent in snapshots of earlier releases. */
  digest?: string
  /** Rules by which the boxes were measured; absent where there are none. */
  boxes?: number
  /** Kept shapes, and how many bytes their contents have; absent where there are none. */
  kept?: [id: string, length: number][]
  extra: unknown
}

interface BlockText {
  /** Forms of shapes with how many numbers each takes, and lists of tags, numbered on from those of earlier blocks. */
  forms: [text: string, count: number][]
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
    const { count, idBytes } = view
    const times = { createdAt, updatedAt, version }
    const digest = Buffer.from(scene.digest).toString('hex')
    const boxes = BOX_RULES
    const contents = [...heldContents(view.table.shapes).values()]
    const kept: Settings['kept'] = contents.map((content) => [content.id, Buffer.byteLength(content.text)])
    const format = (contents.length > 0 ? KEPT_FORMATS : FORMATS)[dimension]
    const settings: Settings = {
      id,
      name,
      dimension,
      ttl,
      margin,
      ...times,
      digest,
      count,
      rows,
      idBytes,
      boxes,
      ...(contents.length > 0 && { kept }),
      extra,
    }
    yield frame([MAGIC, format, 0, 0, 0], 0, settings)
    for (const { text } of contents) yield* contentFrames(text)
    const numbers = { shapes: new Numbering(), forms: new Map(), tags: new Map() }
    for (let start = 0; start < rows; ) {
      const block = encodeBlock(view, start, Math.min(BLOCK_ROWS, rows - start), numbers)
      start += block.rows
      yield block.bytes
    }
  } finally {
    closeView(scene, view)
  }
}

function* contentFrames(text: string): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at += CONTENT_BYTES) {
    // letters of JSON of shapes, of one byte each
    const bytes = Buffer.from(text.slice(at, at + CONTENT_BYTES))
    const framed = frame([bytes.length, 0, 0, 0, 0], bytes.length, {})
    framed.set(bytes, HEADER_BYTES)
    yield framed
  }
}

function rowCount(view: View): number {
  let rows = slotLimit(view)
  while (rows > 0 && !hasBody(view, rows - 1)) rows--
  return rows
}

const MOST_SIDES = 6
const box = new Float64Array(MOST_SIDES)

/** Five numbers, the length of the JSON, room for `room` bytes, and the JSON. */
function frame(numbers: readonly number[], room: number, value: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(value))
  const bytes = new Uint8Array(HEADER_BYTES + room + json.length)
  const header = new DataView(bytes.buffer)
  for (const [k, number] of [...numbers, json.length].entries()) header.setUint32(4 * k, number, true)
  bytes.set(json, HEADER_BYTES + room)
  return bytes
}

/** How many columns of doubles there are, in the order of their bits: of poses, then of motions. */
function columnsOf({ width, motions }: BodyTable): { places: number; motions: number } {
  return { places: width - 1, motions: motions.length }
}

interface Numbers {
  shapes: Numbering
  /** By text. */
  forms: Map<string, number>
  /** By slot. */
  tags: Map<number, number>
}

/** At most `mostRows`, at least one. */
function encodeBlock(view: View, start: number, mostRows: number, given: Numbers): { rows: number; bytes: Uint8Array } {
  const { places, motions } = columnsOf(view.table)
  const sides = sideCount(view.table)
  const doubles = Array.from({ length: places + motions }, () => new Float64Array(mostRows))
  const shapeNumbers = new Int32Array(mostRows).fill(-1)
  const tagNumbers = new Int32Array(mostRows).fill(-1)
  const flags = new Uint8Array(mostRows)
  const idLengths = new Uint8Array(mostRows)
  const ids = new Bytes()
  const boxes = new Float64Array(sides * mostRows)
  let boxNumbers = 0
  const text: BlockText = { forms: [], tags: [], data: [] }
  const formNumbers: number[] = []
  const shapeValues: number[] = []
  let columns = 0
  let weight = 0
  let rows = 0
  while (rows < mostRows && weight < BLOCK_WEIGHT) {
    const k = rows++
    const row = rowAt(view, start + k)
    const table = tableOf(view, start + k)
    if (row < 0 || table.flags[row] === 0) continue
    flags[k] = table.flags[row]
    idLengths[k] = idLength(table.ids, row)
    ids.add(table.ids.bytes, table.ids.startOf[row] + 1, idLengths[k])
    boxAt(view, start + k, box)
    for (let side = 0; side < sides; side++) boxes[boxNumbers++] = box[side]
    for (let d = 0; d < doubles.length; d++) {
      const value = d < places ? table.places[table.width * row + d] : (table.motions[d - places]?.[row] ?? 0)
      doubles[d][k] = value
      if (!Object.is(value, 0)) columns |= 1 << d
    }
    const shape = shapeSlot(table, row)
    const known = given.shapes.find(shape)
    shapeNumbers[k] = known < 0 ? given.shapes.last : known
    if (known < 0) {
      const { numbers, placeOf } = table.shapes
      const form = formAt(table.shapes, shape)
      if (!given.forms.has(form.text)) {
        given.forms.set(form.text, given.forms.size)
        text.forms.push([form.text, form.count])
        weight += form.text.length
      }
      weight += form.count
      formNumbers.push(given.forms.get(form.text) as number)
      for (let i = 0; i < form.count; i++) shapeValues.push(numbers[placeOf[shape] + i])
    }
    const list = table.tagsOf[row]
    if (list >= 0) {
      if (!given.tags.has(list)) {
        given.tags.set(list, given.tags.size)
        text.tags.push(table.tags.lists[list])
      }
      tagNumbers[k] = given.tags.get(list) as number
    }
    const data = table.data.get(row)
    if (data === undefined) continue
    text.data.push([k, data])
    weight += data.length
  }
  const full = doubles.filter((_, d) => columns & (1 << d)).map((column) => column.slice(0, rows))
  const parts = [
    ...full,
    Float64Array.from(shapeValues),
    Int32Array.from(formNumbers),
    shapeNumbers.slice(0, rows),
    tagNumbers.slice(0, rows),
    flags.slice(0, rows),
    idLengths.slice(0, rows),
  ]
  const numbers = [rows, columns, formNumbers.length, shapeValues.length, 0]
  const boxesAt = aligned(blockRoom(numbers) + ids.length)
  numbers[4] = boxesAt + 8 * boxNumbers - blockRoom(numbers)
  const bytes = frame(numbers, blockRoom(numbers), text)
  let at = HEADER_BYTES
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer), at)
    at += part.byteLength
  }
  bytes.set(ids.written(), at)
  bytes.set(new Uint8Array(boxes.buffer, 0, 8 * boxNumbers), HEADER_BYTES + boxesAt)
  return { rows, bytes }
}

/** Where a double may lie. */
function aligned(at: number): number {
  return 8 * Math.ceil(at / 8)
}

/** Bytes that come one run after the other. */
class Bytes {
  length = 0
  #bytes = new Uint8Array(2 ** 16)

  add(from: Uint8Array, at: number, length: number): void {
    if (this.length + length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.length + length))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    for (let k = 0; k < length; k++) this.#bytes[this.length + k] = from[at + k]
    this.length += length
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}

function blockRoom([rows, columns, shapes, shapeValues, ids]: readonly number[]): number {
  let doubles = 0
  for (let left = columns; left > 0; left >>= 1) doubles += left & 1
  return rows * (8 * doubles + ROW_BYTES) + 4 * shapes + 8 * shapeValues + ids
}

/** The digest of the scene whose first chunk this is, as `encodeScene` gave it; zeros where it says none. */
export function digestInSnapshot(first: Uint8Array): Uint8Array {
  const json = first.subarray(HEADER_BYTES, HEADER_BYTES + headerOf(first, 0)[5])
  const { digest = '0'.repeat(32) } = JSON.parse(new TextDecoder().decode(json)) as Settings
  return new Uint8Array(Buffer.from(digest, 'hex'))
}

/** The five numbers of the frame at `at`, and the length of its JSON. */
function headerOf(bytes: Uint8Array, at: number): number[] {
  const header = new DataView(bytes.buffer, bytes.byteOffset + at, HEADER_BYTES)
  return [0, 4, 8, 12, 16, 20].map((place) => header.getUint32(place, true))
}

// A scene out of the bytes of its snapshot, as `scene-snapshot.ts` writes them.

/** With its length. */
const MOST_ID_BYTES = 256

/** Cost of measuring the box of a body, in points, besides its numbers. */
const BOX_POINTS = 4

/** Thrown for bytes that are no snapshot, or a snapshot of another format. */
export class SnapshotFault extends Error {}

/** Puts a scene together from the bytes of its snapshot, however they are cut. */
export class SceneDecoder {
  readonly #scene: Scene
  #settings: Settings | null = null
  /** Bytes that do not make a frame yet. */
  #pending = new Uint8Array(0)
  /** Kept shapes whose contents are still to come, and what has come of the first. */
  #kept: NonNullable<Settings['kept']> = []
  #content: Buffer[] = []
  #contentLength = 0
  #rows = 0
  /** Columns of the block that is being read. */
  #columns = new Uint8Array(0)
  /** Their slots by number. */
  #shapes = new Int32Array(64)
  #shapeCount = 0
  readonly #forms: BlockText['forms'] = []
  readonly #tags: number[] = []
  /** Of slots; null where none are kept, or by other rules. */
  #boxes: Float64Array | null = null

  constructor(prepares: Prepares) {
    this.#scene = createScene(prepares)
  }

  /** Throws a `SnapshotFault` for bytes that are none. */
  push(chunk: Uint8Array): void {
    finishAtOnce(this.pushInSlices(chunk))
  }

  *pushInSlices(chunk: Uint8Array): Slices<void> {
    const bytes = this.#pending.length === 0 ? chunk : joined(this.#pending, chunk)
    let at = 0
    for (;;) {
      const length = this.#frameLength(bytes, at)
      if (length > bytes.length - at) break
      const whole = bytes.subarray(at, at + length)
      if (this.#settings === null) yield* this.#begin(whole)
      else if (this.#kept.length > 0) this.#addContent(whole)
      else yield* this.#addBlock(whole, this.#settings)
      at += length
      yield
    }
    this.#pending = new Uint8Array(bytes.subarray(at))
  }

  /** The scene, after the last chunk, and what was kept with it. */
  finish(): { scene: Scene; extra: unknown } {
    return finishAtOnce(this.finishInSlices())
  }

  *finishInSlices(): Slices<{ scene: Scene; extra: unknown }> {
    const finished = yield* this.finishBodies()
    yield* finishRebuild(finished.scene.table, new Pace())
    return finished
  }

  /** The scene without its tree: the boxes are where a rebuild has them. */
  *finishBodies(): Slices<{ scene: Scene; extra: unknown }> {
    const pace = new Pace()
    const scene = this.#scene
    const settings = this.#settings
    if (settings === null || this.#kept.length > 0 || this.#rows !== settings.rows || this.#pending.length > 0) {
      throw new SnapshotFault('The snapshot ends before its last row.')
    }
    const { table } = scene
    for (let k = 0; k < this.#shapeCount; k++) {
      dropShape(table.shapes, this.#shapes[k])
      if (pace.isDue(1)) yield
    }
    for (const slot of this.#tags) dropTags(table.tags, slot)
    if (table.count !== settings.count)
      throw new SnapshotFault('The snapshot has another number of bodies than it says.')
    if (this.#boxes === null) yield* this.#measureBoxes(table, pace)
    return { scene, extra: settings.extra }
  }

  *#measureBoxes(table: BodyTable, pace: Pace): Slices<void> {
    const boxes = yield* beginRebuild(table, table.used)
    for (let slot = 0; slot < table.used; slot++) {
      if (table.flags[slot] === 0) continue
      yield* prepareRow(table, slot)
      noteBox(table, slot, boxes)
      if (pace.isDue(BOX_POINTS + shapeNumbers(table.shapes, shapeSlot(table, slot)))) yield
    }
  }

  /** Of the frame at `at`; Infinity as long as that is not to be seen. */
  #frameLength(bytes: Uint8Array, at: number): number {
    if (bytes.length - at < HEADER_BYTES) return Infinity
    const header = headerOf(bytes, at)
    const [first, second] = header
    const json = header[5]
    if (this.#kept.length > 0) return HEADER_BYTES + first + json
    if (this.#settings !== null) return HEADER_BYTES + blockRoom(header) + json
    if (first !== MAGIC) throw new SnapshotFault('The bytes are no snapshot of a scene.')
    if (!READ_FORMATS.includes(second)) {
      throw new SnapshotFault(
        `The snapshot has format ${second}; this version reads ${READ_FORMATS[0]} to ${READ_FORMATS.at(-1)}.`,
      )
    }
    return HEADER_BYTES + json
  }

  *#begin(bytes: Uint8Array): Slices<void> {
    const settings = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_BYTES))) as Settings
    const { count: _count, rows, idBytes = 0, extra: _extra, digest, boxes, kept = [], ...rest } = settings
    Object.assign(this.#scene, rest)
    if (digest !== undefined) this.#scene.digest = new Uint8Array(Buffer.from(digest, 'hex'))
    if (this.#scene.table.geometry.dimension !== this.#scene.dimension) this.#scene.table = emptyTable(this.#scene)
    const { table } = this.#scene
    table.tree.margin = settings.margin
    reserveSlots(table, rows)
    reserveIdBytes(table.ids, Math.min(idBytes, 1 + MOST_ID_BYTES * rows))
    yield* reserveIndex(table.ids, rows, new Pace())
    if (boxes === BOX_RULES) this.#boxes = yield* beginRebuild(table, rows)
    this.#kept = kept.slice()
    this.#settings = settings
  }

  #addContent(bytes: Uint8Array): void {
    const [length] = headerOf(bytes, 0)
    const [[id, whole]] = this.#kept
    this.#content.push(Buffer.from(bytes.slice(HEADER_BYTES, HEADER_BYTES + length)))
    this.#contentLength += length
    if (this.#contentLength < whole) return
    if (this.#contentLength > whole) throw new SnapshotFault('A kept shape is longer than the snapshot says.')
    holdContents(this.#scene.table.shapes, [keptContent(id, Buffer.concat(this.#content).toString())])
    this.#kept.shift()
    this.#content = []
    this.#contentLength = 0
  }

  *#addBlock(bytes: Uint8Array, settings: Settings): Slices<void> {
    const pace = new Pace()
    const header = headerOf(bytes, 0)
    const [rows, columns, shapeCount, valueCount, idBytes] = header
    const start = this.#rows
    if (rows === 0 || start + rows > settings.rows) throw new SnapshotFault('The snapshot has more rows than it says.')
    const room = blockRoom(header)
    const text = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_BYTES + room))) as BlockText
    const { table } = this.#scene
    for (const form of text.forms) this.#forms.push(form)
    for (const list of text.tags) this.#tags.push(takeTags(table.tags, list))
    const buffer = this.#aligned(bytes.subarray(HEADER_BYTES, HEADER_BYTES + room))
    yield
    let at = 0
    const { places, motions } = columnsOf(table)
    for (let d = 0; d < places + motions; d++) {
      if ((columns & (1 << d)) === 0) continue
      const column = new Float64Array(buffer, at, rows)
      at += 8 * rows
      if (d < places) {
        for (let k = 0; k < rows; k++) table.places[table.width * (start + k) + d] = column[k]
        continue
      }
      const motion = table.motions[d - places] ?? new Float64Array(table.flags.length)
      motion.set(column, start)
      table.motions[d - places] = motion
    }
    yield
    yield* reserveShapes(table.shapes, table.shapes.count + shapeCount, pace)
    const values = new Float64Array(buffer, at, valueCount)
    at += 8 * valueCount
    this.#addShapes(table, new Int32Array(buffer, at, shapeCount), values)
    at += 4 * shapeCount
    const shapes = new Int32Array(buffer, at, rows)
    const tags = new Int32Array(buffer, at + 4 * rows, rows)
    table.flags.set(new Uint8Array(buffer, at + 8 * rows, rows), start)
    const idLengths = new Uint8Array(buffer, at + 9 * rows, rows)
    const ids = new Uint8Array(buffer, at + 10 * rows, idBytes)
    if (this.#boxes !== null) {
      const boxes = boxesBehind(buffer, room, at + 10 * rows, idLengths, sideCount(table))
      noteBoxes(table, start, rows, boxes)
    }
    yield
    let idStart = 0
    for (let k = 0; k < rows; k++) {
      if (table.flags[start + k] === 0) continue
      addIdBytes(table.ids, start + k, ids, idStart, idLengths[k])
      idStart += idLengths[k]
      this.#addRow(table, start + k, shapes[k], tags[k])
      if (pace.isDue(1)) yield
    }
    for (const [row, data] of text.data) table.data.set(start + row, data)
    this.#rows += rows
    table.used = this.#rows
  }

  /** A copy, because columns must be aligned; in memory that all blocks take, for new memory is what collections come of. */
  #aligned(columns: Uint8Array): ArrayBuffer {
    if (this.#columns.length < columns.length) this.#columns = new Uint8Array(columns.length)
    this.#columns.set(columns)
    return this.#columns.buffer as ArrayBuffer
  }

  #addShapes({ shapes }: BodyTable, forms: Int32Array, values: Float64Array): void {
    if (this.#shapeCount + forms.length > this.#shapes.length) {
      const larger = new Int32Array(2 * (this.#shapeCount + forms.length))
      larger.set(this.#shapes)
      this.#shapes = larger
    }
    let at = 0
    for (const form of forms) {
      const [text, count] = this.#forms[form]
      this.#shapes[this.#shapeCount++] = addParts(shapes, text, values, at, count)
      at += count
    }
  }

  #addRow(table: BodyTable, slot: number, shape: number, tags: number): void {
    table.count++
    setShapeSlot(table, slot, this.#shapes[shape])
    table.shapes.references[this.#shapes[shape]]++
    table.tagsOf[slot] = tags < 0 ? -1 : this.#tags[tags]
    if (tags >= 0) table.tags.references[table.tagsOf[slot]]++
  }
}

/** The boxes of a block of so many bytes, behind the ids that begin at `idsAt`. */
function boxesBehind(
  buffer: ArrayBuffer,
  room: number,
  idsAt: number,
  idLengths: Uint8Array,
  sides: number,
): Float64Array {
  let count = 0
  let end = idsAt
  for (const length of idLengths) {
    end += length
    if (length > 0) count++
  }
  const at = aligned(end)
  if (at + 8 * sides * count > room) throw new SnapshotFault('The snapshot has fewer boxes than it says.')
  return new Float64Array(buffer, at, sides * count)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}

/** A copy of the scene as it is when the work begins, whatever is written to the scene meanwhile. */
export function* copyScene(scene: Scene): Slices<Scene> {
  const decoder = new SceneDecoder(scene.prepares)
  for (const chunk of encodeScene(scene)) {
    yield
    yield* decoder.pushInSlices(chunk)
    yield
  }
  return (yield* decoder.finishInSlices()).scene
}
