/**
 * The bodies of a scene as columns: one number or byte for each body and field, in typed arrays by slot, and a tree over their boxes.
 *
 * A body keeps its slot while it is there; a new one takes the lowest free slot, so that the slots hang on the bodies that came
 * and went and on nothing else. What few bodies have (velocities, spins) has a column from the first of them on.
 * Boxes are rounded outward: bodies whose boxes are apart are apart. A body without bounds is in no tree, but in a set
 * that every query looks at too.
 */

import type { DynamicTree } from '../../core/dynamic-tree.ts'
import type { Geometry, Kinds, MotionColumns, Prepare } from './geometry.ts'
import {
  addId,
  createIdList,
  createTagSets,
  dropTags,
  type IdList,
  idOf,
  removeId,
  reserveIds,
  type TagSets,
  takeTags,
} from './ids.ts'
import { type KeptPairs, noteArrival } from './kept-pairs.ts'
import type { BodyPatch, SceneBody } from './operation.ts'
import { createShapePool, dropShape, readShapeAt, type ShapePool, sharedValue, takeShape } from './shape-pool.ts'

/** Which fields were given, and what `sensor` was. */
const HAS_POSITION = 1
const HAS_TURN = 2
const HAS_VELOCITY = 4
const HAS_SPIN = 8
const HAS_SENSOR = 16
export const IS_SENSOR = 32
/** The slot is in use. */
export const IN_USE = 64

/** `K`: the types of its dimension. */
export interface BodyTable<K extends Kinds = Kinds> {
  /** No two tables have the same. */
  serial: number
  geometry: Geometry<K>
  /** A `Prepare`. */
  prepare(shape: object, poses: ArrayLike<number>, at: number, out: K['body'], isPlain?: boolean): void
  /** Bodies. */
  count: number
  /** All slots in use lie below; so do `used - count` free ones, the lowest not below `lowestFree`. */
  used: number
  lowestFree: number
  ids: IdList
  /** 0 where a slot is free. */
  flags: Uint8Array
  /**
   * Of slot k, from `width` · k on: its pose, and the slot of its shape in the pool. They are looked at together, each time those of
   * another body: side by side they cost one cache miss and not one for each.
   */
  places: Float64Array
  width: number
  /** Columns that are there from the first body on that has one of them. */
  motions: MotionColumns
  /** −1 for a body without a list of tags. */
  tagsOf: Int32Array
  /** JSON text, of those that have any. */
  data: Map<number, string>
  shapes: ShapePool
  tags: TagSets
  /** Items are slots. */
  tree: DynamicTree
  unbounded: Set<number>
  /** How far from the origin any side of a box has been, or any position, along an axis. */
  reach: number
  /** Prepared bodies that cost much, see `body-cache.ts`, and what they weigh. */
  kept: Map<number, K['body']>
  keptWeight: number
  /** Null while nobody asks for them. */
  pairs: KeptPairs | null
}

let serials = 0

export function createBodyTable<K extends Kinds>(
  geometry: Geometry<K>,
  prepare: Prepare<K['body']>,
  margin: number,
): BodyTable<K> {
  const width = geometry.restingPose.length + 1
  return {
    serial: serials++,
    geometry,
    prepare,
    count: 0,
    used: 0,
    lowestFree: 0,
    ids: createIdList(),
    flags: new Uint8Array(8),
    places: new Float64Array(8 * width),
    width,
    motions: new Array(geometry.motionCount).fill(null),
    tagsOf: new Int32Array(8),
    data: new Map(),
    shapes: createShapePool(),
    tags: createTagSets(),
    tree: geometry.createTree(margin),
    unbounded: new Set(),
    reach: 0,
    kept: new Map(),
    keptWeight: 0,
    pairs: null,
  }
}

/** An empty table of its kind. */
export function createTableLike<K extends Kinds>({ geometry, prepare }: BodyTable<K>, margin: number): BodyTable<K> {
  return createBodyTable(geometry, prepare, margin)
}

/** One for old rows, which shares shapes and tags. */
export function createOldTable<K extends Kinds>(table: BodyTable<K>): BodyTable<K> {
  const { shapes, tags } = table
  return { ...createTableLike(table, 0), shapes, tags }
}

/** The lowest free slot, in use from now on; its row is yet to be written. */
export function takeSlot(table: BodyTable, id: string): number {
  const { flags, count, used } = table
  let slot = used
  if (count < used) {
    slot = flags.indexOf(0, table.lowestFree)
    table.lowestFree = slot + 1
  } else {
    table.lowestFree = used + 1
  }
  if (slot === used) {
    table.used = used + 1
    reserveSlots(table, used + 1)
  }
  table.count++
  noteArrival(table)
  table.flags[slot] = IN_USE
  addId(table.ids, slot, id)
  return slot
}

/** Gives the slot and what its row holds back; the tree and prepared bodies are the caller's. */
export function freeSlot(table: BodyTable, slot: number): void {
  removeId(table.ids, slot)
  table.flags[slot] = 0
  table.data.delete(slot)
  dropShape(table.shapes, shapeSlot(table, slot))
  if (table.tagsOf[slot] >= 0) dropTags(table.tags, table.tagsOf[slot])
  table.count--
  noteArrival(table)
  if (slot < table.lowestFree) table.lowestFree = slot
}

/** Gives back what the rows of a table share with another; nobody uses it any more. */
export function releaseRows(table: BodyTable): void {
  for (let slot = 0; slot < table.used; slot++) {
    if (table.flags[slot] === 0) continue
    dropShape(table.shapes, shapeSlot(table, slot))
    if (table.tagsOf[slot] >= 0) dropTags(table.tags, table.tagsOf[slot])
  }
}

/** Makes room for `count` slots. */
export function reserveSlots(table: BodyTable, count: number): void {
  if (table.flags.length >= count) return
  // Powers of two: columns that are given up leave holes behind them, so there should be few.
  const larger = 2 ** Math.ceil(Math.log2(count))
  reserveIds(table.ids, larger)
  table.flags = grown(table.flags, new Uint8Array(larger))
  table.places = grown(table.places, new Float64Array(larger * table.width))
  table.tagsOf = grown(table.tagsOf, new Int32Array(larger))
  const { motions } = table
  for (const [k, column] of motions.entries()) {
    if (column !== null) motions[k] = grown(column, new Float64Array(larger))
  }
}

function grown<Column extends Uint8Array | Int32Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

/** Writes a whole row. `isNew`: the slot has just been taken, and holds nothing yet. */
export function writeRow(table: BodyTable, slot: number, body: SceneBody, isNew: boolean): void {
  const { shapes, tags } = table
  // Taken before the old one is dropped: it may be the same.
  const shape = takeShape(shapes, body.shape)
  const list = body.tags === undefined ? -1 : takeTags(tags, body.tags)
  if (!isNew) {
    dropShape(shapes, shapeSlot(table, slot))
    if (table.tagsOf[slot] >= 0) dropTags(tags, table.tagsOf[slot])
    table.data.delete(slot)
  }
  setShapeSlot(table, slot, shape)
  table.tagsOf[slot] = list
  table.flags[slot] = IN_USE
  if (body.sensor !== undefined) table.flags[slot] |= body.sensor ? HAS_SENSOR | IS_SENSOR : HAS_SENSOR
  writePosition(table, slot, body.position)
  writeTurn(table, slot, body.rotation ?? body.orientation)
  writeVelocity(table, slot, body.velocity)
  writeSpin(table, slot, body.angularVelocity)
  if (body.data !== undefined) table.data.set(slot, JSON.stringify(body.data))
}

/** Writes what a patch gives, but for the shape: that stays as it is. Null takes a field away. */
export function patchRow(table: BodyTable, slot: number, fields: Omit<BodyPatch, 'shape'>): void {
  const { position, velocity, angularVelocity, tags, sensor, data } = fields
  const turn = fields.rotation ?? fields.orientation
  if (position !== undefined) writePosition(table, slot, position ?? undefined)
  if (turns(fields)) writeTurn(table, slot, turn ?? undefined)
  if (velocity !== undefined) writeVelocity(table, slot, velocity ?? undefined)
  if (angularVelocity !== undefined) writeSpin(table, slot, angularVelocity ?? undefined)
  if (tags !== undefined) {
    const list = tags === null ? -1 : takeTags(table.tags, tags)
    if (table.tagsOf[slot] >= 0) dropTags(table.tags, table.tagsOf[slot])
    table.tagsOf[slot] = list
  }
  if (sensor !== undefined) {
    setFlag(table, slot, HAS_SENSOR, sensor !== null)
    setFlag(table, slot, IS_SENSOR, sensor === true)
  }
  if (data === undefined) return
  if (data === null) table.data.delete(slot)
  else table.data.set(slot, JSON.stringify(data))
}

/** Whether a patch is about how the body is turned. */
export function turns({ rotation, orientation }: BodyPatch): boolean {
  return rotation !== undefined || orientation !== undefined
}

function writePosition(table: BodyTable, slot: number, position: SceneBody['position']): void {
  setFlag(table, slot, HAS_POSITION, position !== undefined)
  const { places, width, geometry } = table
  const at = width * slot
  places[at] = position?.x ?? 0
  places[at + 1] = position?.y ?? 0
  if (geometry.axes === 3) places[at + 2] = position?.z ?? 0
}

function writeTurn(table: BodyTable, slot: number, turn: SceneBody['rotation' | 'orientation']): void {
  setFlag(table, slot, HAS_TURN, turn !== undefined)
  const { places, width, geometry } = table
  const at = width * slot + geometry.axes
  if (geometry.axes === 2) {
    places[at] = typeof turn === 'number' ? turn : 0
    return
  }
  const { x, y, z, w } = typeof turn === 'object' ? turn : NO_TURN
  places[at] = x
  places[at + 1] = y
  places[at + 2] = z
  places[at + 3] = w
}

const NO_TURN = { x: 0, y: 0, z: 0, w: 1 }

function writeVelocity(table: BodyTable, slot: number, velocity: SceneBody['velocity']): void {
  setFlag(table, slot, HAS_VELOCITY, velocity !== undefined)
  writeMotion(table, 0, slot, velocity?.x ?? 0)
  writeMotion(table, 1, slot, velocity?.y ?? 0)
  if (table.geometry.axes === 3) writeMotion(table, 2, slot, velocity?.z ?? 0)
}

function writeSpin(table: BodyTable, slot: number, spin: SceneBody['angularVelocity']): void {
  setFlag(table, slot, HAS_SPIN, spin !== undefined)
  if (table.geometry.axes === 2) {
    writeMotion(table, 2, slot, typeof spin === 'number' ? spin : 0)
    return
  }
  const { x, y, z = 0 } = typeof spin === 'object' ? spin : NO_TURN
  writeMotion(table, 3, slot, x)
  writeMotion(table, 4, slot, y)
  writeMotion(table, 5, slot, z)
}

function setFlag({ flags }: BodyTable, slot: number, flag: number, isSet: boolean): void {
  flags[slot] = isSet ? flags[slot] | flag : flags[slot] & ~flag
}

/** `k`: of the column. */
function writeMotion({ motions, flags }: BodyTable, k: number, slot: number, value: number): void {
  // Columns hold 0 where nothing was written; −0 is written.
  if (motions[k] === null && Object.is(value, 0)) return
  const column = motions[k] ?? new Float64Array(flags.length)
  motions[k] = column
  column[slot] = value
}

/** Where the pose of a body begins in `places`. */
export function poseStart({ width }: BodyTable, slot: number): number {
  return width * slot
}

export function isTurned({ geometry, places, width }: BodyTable, slot: number): boolean {
  return geometry.isTurned(places, width * slot)
}

/** A copy of the pose of a body. */
export function poseOf({ places, width }: BodyTable, slot: number): Float64Array {
  return places.slice(width * slot, width * (slot + 1) - 1)
}

/** The slot of a body's shape in the pool. */
export function shapeSlot({ places, width }: BodyTable, slot: number): number {
  return places[width * slot + width - 1]
}

export function setShapeSlot({ places, width }: BodyTable, slot: number, shape: number): void {
  places[width * slot + width - 1] = shape
}

/** The body as it was put, with a long shape packed. Cost O(size of the rest of its JSON). */
export function readRow(table: BodyTable, slot: number): SceneBody {
  const { flags, tagsOf, data } = table
  const given = flags[slot]
  const body: SceneBody = { id: idOf(table.ids, slot), shape: readShapeAt(table.shapes, shapeSlot(table, slot)) }
  if (table.geometry.axes === 2) readPlacement(table, slot, body)
  else readPlacementInSpace(table, slot, body)
  if (tagsOf[slot] >= 0) body.tags = [...table.tags.lists[tagsOf[slot]]]
  if (given & HAS_SENSOR) body.sensor = (given & IS_SENSOR) !== 0
  const text = data.get(slot)
  if (text !== undefined) body.data = JSON.parse(text)
  return body
}

function readPlacement({ flags, places, width, motions }: BodyTable, slot: number, body: SceneBody): void {
  const [vx, vy, spin] = motions
  const given = flags[slot]
  const at = width * slot
  if (given & HAS_POSITION) body.position = { x: places[at], y: places[at + 1] }
  if (given & HAS_TURN) body.rotation = places[at + 2]
  if (given & HAS_VELOCITY) body.velocity = { x: vx?.[slot] ?? 0, y: vy?.[slot] ?? 0 }
  if (given & HAS_SPIN) body.angularVelocity = spin?.[slot] ?? 0
}

function readPlacementInSpace({ flags, places, width, motions }: BodyTable, slot: number, body: SceneBody): void {
  const given = flags[slot]
  const [x, y, z, turnX, turnY, turnZ, turnW] = places.subarray(width * slot)
  const [vx, vy, vz, wx, wy, wz] = motions.map((column) => column?.[slot] ?? 0)
  if (given & HAS_POSITION) body.position = { x, y, z }
  if (given & HAS_TURN) body.orientation = { x: turnX, y: turnY, z: turnZ, w: turnW }
  if (given & HAS_VELOCITY) body.velocity = { x: vx, y: vy, z: vz }
  if (given & HAS_SPIN) body.angularVelocity = { x: wx, y: wy, z: wz }
}

/** Copies a row to a new slot of another table that shares shapes and tags; its box is the caller's. */
export function copyRow(from: BodyTable, slot: number, to: BodyTable): number {
  const row = takeSlot(to, idOf(from.ids, slot))
  to.flags[row] = from.flags[slot]
  const { places, width, motions } = from
  to.places.set(places.subarray(width * slot, width * (slot + 1)), width * row)
  for (let k = 0; k < motions.length; k++) writeMotion(to, k, row, motions[k]?.[slot] ?? 0)
  from.shapes.references[shapeSlot(from, slot)]++
  to.tagsOf[row] = from.tagsOf[slot]
  if (from.tagsOf[slot] >= 0) from.tags.references[from.tagsOf[slot]]++
  const text = from.data.get(slot)
  if (text !== undefined) to.data.set(row, text)
  return row
}

/**
 * Fills `out` with the body of a row at the pose at poses[at…]; whether a region in it touches itself is found out once.
 */
export function prepareAt<K extends Kinds>(
  table: BodyTable<K>,
  slot: number,
  poses: ArrayLike<number>,
  at: number,
  out: K['body'],
): void {
  const { geometry, shapes } = table
  const { plain } = shapes
  const shape = shapeSlot(table, slot)
  table.prepare(sharedValue(shapes, shape), poses, at, out, plain[shape] === 1)
  if (!geometry.touchesItself(out)) plain[shape] = 1
}

/** Fills `out` with the body of a row where it is. */
export function prepareRowInto<K extends Kinds>(table: BodyTable<K>, slot: number, out: K['body']): void {
  prepareAt(table, slot, table.places, table.width * slot, out)
}
