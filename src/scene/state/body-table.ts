/**
 * The bodies of a scene as columns: one number or byte for each body and field, in typed arrays by slot, and a tree over their boxes.
 *
 * A body keeps its slot while it is there; a new one takes the lowest free slot, so that the slots hang on the bodies that came
 * and went and on nothing else. What few bodies have (velocities, spins) has a column from the first of them on.
 * Boxes are rounded outward: bodies whose boxes are apart are apart. A body without bounds is in no tree, but in a set
 * that every query looks at too.
 */

import type { DynamicTree } from '../../core/dynamic-tree.ts'
import { createDynamicTree } from '../../core2d/broad-phase/dynamic-tree.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { touchesItself } from '../../core2d/shape/composite.ts'
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
import type { BodyPatch, SceneBody, Vec2 } from './operation.ts'
import { createShapePool, dropShape, readShapeAt, type ShapePool, sharedValue, takeShape } from './shape-pool.ts'

/**
 * Fills `out` with the shape at a pose. Shapes that it is given have been accepted before. `isPlain`: it is known that no region in
 * the shape touches itself.
 */
export type Prepare = (shape: object, x: number, y: number, rotation: number, out: Body, isPlain?: boolean) => void

/** Which fields were given, and what `sensor` was. */
const HAS_POSITION = 1
const HAS_ROTATION = 2
const HAS_VELOCITY = 4
const HAS_SPIN = 8
const HAS_SENSOR = 16
export const IS_SENSOR = 32
/** The slot is in use. */
export const IN_USE = 64

/** Numbers of a slot that lie side by side. */
export const PLACE_NUMBERS = 4
/** Columns that are there from the first body on that has one of them. */
export const MOTIONS = ['vx', 'vy', 'spin'] as const

export interface BodyTable {
  /** No two tables have the same. */
  serial: number
  prepare: Prepare
  /** Bodies. */
  count: number
  /** All slots in use lie below; so do `used - count` free ones, the lowest not below `lowestFree`. */
  used: number
  lowestFree: number
  ids: IdList
  /** 0 where a slot is free. */
  flags: Uint8Array
  /**
   * Of slot k at 4k … 4k + 3: position x and y, rotation, and the slot of its shape in the pool. They are looked at together, each
   * time those of another body: side by side they cost one cache miss and not four.
   */
  places: Float64Array
  vx: Float64Array | null
  vy: Float64Array | null
  spin: Float64Array | null
  /** −1 for a body without a list of tags. */
  tagsOf: Int32Array
  /** JSON text, of those that have any. */
  data: Map<number, string>
  shapes: ShapePool
  tags: TagSets
  /** Items are slots. */
  tree: DynamicTree
  unbounded: Set<number>
  /** How far from the origin any side of a box has been, along an axis. */
  reach: number
  /** Prepared bodies that cost much, see `body-cache.ts`, and what they weigh. */
  kept: Map<number, Body>
  keptWeight: number
  /** Null while nobody asks for them. */
  pairs: KeptPairs | null
}

let serials = 0

/** `like`: a table whose shapes and tags this one shares. */
export function createBodyTable(prepare: Prepare, margin: number, like: BodyTable | null = null): BodyTable {
  return {
    serial: serials++,
    prepare,
    count: 0,
    used: 0,
    lowestFree: 0,
    ids: createIdList(),
    flags: new Uint8Array(8),
    places: new Float64Array(8 * PLACE_NUMBERS),
    vx: null,
    vy: null,
    spin: null,
    tagsOf: new Int32Array(8),
    data: new Map(),
    shapes: like?.shapes ?? createShapePool(),
    tags: like?.tags ?? createTagSets(),
    tree: createDynamicTree(margin),
    unbounded: new Set(),
    reach: 0,
    kept: new Map(),
    keptWeight: 0,
    pairs: null,
  }
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
  table.places = grown(table.places, new Float64Array(larger * PLACE_NUMBERS))
  table.tagsOf = grown(table.tagsOf, new Int32Array(larger))
  for (const name of MOTIONS) {
    const column = table[name]
    if (column !== null) table[name] = grown(column, new Float64Array(larger))
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
  writeRotation(table, slot, body.rotation)
  writeVelocity(table, slot, body.velocity)
  writeSpin(table, slot, body.angularVelocity)
  if (body.data !== undefined) table.data.set(slot, JSON.stringify(body.data))
}

/** Writes what a patch gives, but for the shape: that stays as it is. Null takes a field away. */
export function patchRow(table: BodyTable, slot: number, fields: Omit<BodyPatch, 'shape'>): void {
  const { position, rotation, velocity, angularVelocity, tags, sensor, data } = fields
  if (position !== undefined) writePosition(table, slot, position ?? undefined)
  if (rotation !== undefined) writeRotation(table, slot, rotation ?? undefined)
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

function writePosition(table: BodyTable, slot: number, position: Vec2 | undefined): void {
  setFlag(table, slot, HAS_POSITION, position !== undefined)
  table.places[PLACE_NUMBERS * slot] = position?.x ?? 0
  table.places[PLACE_NUMBERS * slot + 1] = position?.y ?? 0
}

function writeRotation(table: BodyTable, slot: number, rotation: number | undefined): void {
  setFlag(table, slot, HAS_ROTATION, rotation !== undefined)
  table.places[PLACE_NUMBERS * slot + 2] = rotation ?? 0
}

function writeVelocity(table: BodyTable, slot: number, velocity: Vec2 | undefined): void {
  setFlag(table, slot, HAS_VELOCITY, velocity !== undefined)
  writeLazily(table, 'vx', slot, velocity?.x ?? 0)
  writeLazily(table, 'vy', slot, velocity?.y ?? 0)
}

function writeSpin(table: BodyTable, slot: number, spin: number | undefined): void {
  setFlag(table, slot, HAS_SPIN, spin !== undefined)
  writeLazily(table, 'spin', slot, spin ?? 0)
}

function setFlag({ flags }: BodyTable, slot: number, flag: number, isSet: boolean): void {
  flags[slot] = isSet ? flags[slot] | flag : flags[slot] & ~flag
}

function writeLazily(table: BodyTable, name: (typeof MOTIONS)[number], slot: number, value: number): void {
  // Columns hold 0 where nothing was written; −0 is written.
  if (table[name] === null && Object.is(value, 0)) return
  table[name] ??= new Float64Array(table.flags.length)
  table[name][slot] = value
}

export function xOf({ places }: BodyTable, slot: number): number {
  return places[PLACE_NUMBERS * slot]
}

export function yOf({ places }: BodyTable, slot: number): number {
  return places[PLACE_NUMBERS * slot + 1]
}

export function rotationOf({ places }: BodyTable, slot: number): number {
  return places[PLACE_NUMBERS * slot + 2]
}

/** The slot of a body's shape in the pool. */
export function shapeSlot({ places }: BodyTable, slot: number): number {
  return places[PLACE_NUMBERS * slot + 3]
}

export function setShapeSlot({ places }: BodyTable, slot: number, shape: number): void {
  places[PLACE_NUMBERS * slot + 3] = shape
}

/** The body as it was put, with a long shape packed. Cost O(size of the rest of its JSON). */
export function readRow(table: BodyTable, slot: number): SceneBody {
  const { flags, vx, vy, spin, tagsOf, data } = table
  const given = flags[slot]
  const body: SceneBody = { id: idOf(table.ids, slot), shape: readShapeAt(table.shapes, shapeSlot(table, slot)) }
  if (given & HAS_POSITION) body.position = { x: xOf(table, slot), y: yOf(table, slot) }
  if (given & HAS_ROTATION) body.rotation = rotationOf(table, slot)
  if (given & HAS_VELOCITY) body.velocity = { x: vx?.[slot] ?? 0, y: vy?.[slot] ?? 0 }
  if (given & HAS_SPIN) body.angularVelocity = spin?.[slot] ?? 0
  if (tagsOf[slot] >= 0) body.tags = [...table.tags.lists[tagsOf[slot]]]
  if (given & HAS_SENSOR) body.sensor = (given & IS_SENSOR) !== 0
  const text = data.get(slot)
  if (text !== undefined) body.data = JSON.parse(text)
  return body
}

/** Copies a row to a new slot of another table that shares shapes and tags; its box is the caller's. */
export function copyRow(from: BodyTable, slot: number, to: BodyTable): number {
  const row = takeSlot(to, idOf(from.ids, slot))
  to.flags[row] = from.flags[slot]
  const place = PLACE_NUMBERS * slot
  to.places.set(from.places.subarray(place, place + PLACE_NUMBERS), PLACE_NUMBERS * row)
  for (const name of MOTIONS) writeLazily(to, name, row, from[name]?.[slot] ?? 0)
  from.shapes.references[shapeSlot(from, slot)]++
  to.tagsOf[row] = from.tagsOf[slot]
  if (from.tagsOf[slot] >= 0) from.tags.references[from.tagsOf[slot]]++
  const text = from.data.get(slot)
  if (text !== undefined) to.data.set(row, text)
  return row
}

/** Fills `out` with the body of a row at a pose; whether a region in it touches itself is found out once. */
export function prepareAt(table: BodyTable, slot: number, x: number, y: number, rotation: number, out: Body): void {
  const { plain } = table.shapes
  const shape = shapeSlot(table, slot)
  table.prepare(shapeAt(table, slot), x, y, rotation, out, plain[shape] === 1)
  if (!touchesItself(out)) plain[shape] = 1
}

/** The value of a body's shape, which must not be changed. */
function shapeAt(table: BodyTable, slot: number): object {
  return sharedValue(table.shapes, shapeSlot(table, slot))
}
