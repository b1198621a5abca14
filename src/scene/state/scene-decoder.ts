/**
 * A scene out of the bytes of its snapshot, as `scene-snapshot.ts` writes them.
 */

import { finishAtOnce, Pace, type Slices } from '../../containers/pace.ts'
import {
  type BodyTable,
  MOTIONS,
  PLACE_NUMBERS,
  type Prepare,
  reserveSlots,
  setShapeSlot,
  shapeSlot,
} from '../table/body-table.ts'
import { addIdBytes, reserveIdBytes, reserveIndex } from '../table/ids.ts'
import { dropShape, shapeNumbers, takeParts } from '../table/shape-pool.ts'
import { beginRebuild, noteBox, rebuildTreeInSlices } from '../table/table-boxes.ts'
import { dropTags, takeTags } from '../table/tag-sets.ts'
import { prepareRow } from './dear-body.ts'
import { createScene, type Scene } from './scene.ts'
import {
  type BlockText,
  blockRoom,
  DOUBLES,
  FORMAT,
  HEADER_BYTES,
  headerOf,
  MAGIC,
  PLACES,
  type Settings,
} from './scene-snapshot.ts'

/** With its length. */
const MOST_ID_BYTES = 256

/** What it costs to measure the box of a body, in points, besides its numbers. */
const BOX_POINTS = 4

/** What is wrong with bytes that are no snapshot, or one of another format. */
export class SnapshotFault extends Error {}

/** Puts a scene together from the bytes of its snapshot, however they are cut. */
export class SceneDecoder {
  readonly #scene: Scene
  #settings: Settings | null = null
  /** Bytes that do not make a frame yet. */
  #pending = new Uint8Array(0)
  #rows = 0
  /** Columns of the block that is being read. */
  #columns = new Uint8Array(0)
  /** Their slots by number. */
  #shapes = new Int32Array(64)
  #shapeCount = 0
  readonly #forms: BlockText['forms'] = []
  readonly #tags: number[] = []

  constructor(prepare: Prepare) {
    this.#scene = createScene(prepare)
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
    const pace = new Pace()
    const scene = this.#scene
    const settings = this.#settings
    if (settings === null || this.#rows !== settings.rows || this.#pending.length > 0) {
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
    const boxes = yield* beginRebuild(table, table.used)
    for (let slot = 0; slot < table.used; slot++) {
      if (table.flags[slot] === 0) continue
      yield* prepareRow(table, slot)
      noteBox(table, slot, boxes)
      if (pace.isDue(BOX_POINTS + shapeNumbers(table.shapes, shapeSlot(table, slot)))) yield
    }
    yield* rebuildTreeInSlices(table, boxes, pace)
    return { scene, extra: settings.extra }
  }

  /** Of the frame at `at`; Infinity as long as that is not to be seen. */
  #frameLength(bytes: Uint8Array, at: number): number {
    if (bytes.length - at < HEADER_BYTES) return Infinity
    const header = headerOf(bytes, at)
    const [first, second] = header
    const json = header[5]
    if (this.#settings !== null) return HEADER_BYTES + blockRoom(header) + json
    if (first !== MAGIC) throw new SnapshotFault('The bytes are no snapshot of a scene.')
    if (second !== FORMAT) throw new SnapshotFault(`The snapshot has format ${second}; this version reads ${FORMAT}.`)
    return HEADER_BYTES + json
  }

  *#begin(bytes: Uint8Array): Slices<void> {
    const settings = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_BYTES))) as Settings
    const { count: _count, rows, idBytes = 0, extra: _extra, digest, ...rest } = settings
    Object.assign(this.#scene, rest)
    if (digest !== undefined) this.#scene.digest = new Uint8Array(Buffer.from(digest, 'hex'))
    this.#scene.table.tree.margin = settings.margin
    reserveSlots(this.#scene.table, rows)
    reserveIdBytes(this.#scene.table.ids, Math.min(idBytes, 1 + MOST_ID_BYTES * rows))
    yield* reserveIndex(this.#scene.table.ids, rows, new Pace())
    this.#settings = settings
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
    for (let d = 0; d < DOUBLES; d++) {
      if ((columns & (1 << d)) === 0) continue
      const column = new Float64Array(buffer, at, rows)
      at += 8 * rows
      if (d < PLACES) {
        for (let k = 0; k < rows; k++) table.places[PLACE_NUMBERS * (start + k) + d] = column[k]
        continue
      }
      const name = MOTIONS[d - PLACES]
      table[name] ??= new Float64Array(table.flags.length)
      table[name].set(column, start)
    }
    yield
    const values = new Float64Array(buffer, at, valueCount)
    at += 8 * valueCount
    this.#addShapes(table, new Int32Array(buffer, at, shapeCount), values)
    at += 4 * shapeCount
    const shapes = new Int32Array(buffer, at, rows)
    const tags = new Int32Array(buffer, at + 4 * rows, rows)
    table.flags.set(new Uint8Array(buffer, at + 8 * rows, rows), start)
    const idLengths = new Uint8Array(buffer, at + 9 * rows, rows)
    const ids = new Uint8Array(buffer, at + 10 * rows, idBytes)
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
      this.#shapes[this.#shapeCount++] = takeParts(shapes, text, values, at, count)
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

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}
