/**
 * Core bodies of a table's rows, prepared on demand and cached, and their boxes.
 *
 * Method: a convex shape that is not rotated differs only in its position, so it is prepared once for all bodies that have it, and moved
 * to each. Those and rotated ones with few points share one cache of fixed size for all tables, in which a newcomer replaces another.
 * Costlier bodies, with many points and composites, each table keeps up to a total weight, the latest ones.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import { hasItem, insertItem, moveItem, removeItem, reserveItemsInSlices } from '../../core/dynamic-tree.ts'
import { buildDynamicTreeInSlices } from '../../core/dynamic-tree-build.ts'
import { type BodyTable, isTurned, poseOf, poseStart, prepareRowInto, shapeSlot } from './body-table.ts'
import { GEOMETRIES, type Geometry, type Kinds, type SceneDimension } from './geometry.ts'
import { isCostlyShape, shapeValue } from './shape-pool.ts'

/** Bodies with more points are not for the shelf. */
const LIGHT_POINTS = 64
const SHELF_BITS = 13
/** Points and leaves that a table keeps prepared, and what a body counts for besides, and each part of a compound. */
const KEPT_WEIGHT = 2 ** 18
const BODY_WEIGHT = 16

/** Bodies of tables of one dimension. */
interface Shelf<K extends Kinds> {
  readonly bodies: K['body'][]
  /** Of what lies in each place: its table, and its key, the serial number of a shape, ≥ 0, or ~slot of a body. */
  readonly owners: Float64Array
  /** Extents that were measured, of shapes: a newcomer takes the place of another. And of which table and shape they are. */
  readonly extents: Float64Array
  readonly extentOwners: Float64Array
}

const PLACE_COUNT = 2 ** SHELF_BITS

function createShelf<K extends Kinds>({ extentCount }: Geometry<K>): Shelf<K> {
  return {
    bodies: [],
    owners: new Float64Array(2 * PLACE_COUNT).fill(-1),
    extents: new Float64Array(extentCount * PLACE_COUNT),
    extentOwners: new Float64Array(2 * PLACE_COUNT).fill(-1),
  }
}

const shelves = { 2: createShelf(GEOMETRIES[2]), 3: createShelf(GEOMETRIES[3]) } as const satisfies Record<
  SceneDimension,
  unknown
>

function shelfOf<K extends Kinds>({ geometry }: BodyTable<K>): Shelf<K> {
  return shelves[geometry.dimension] as Shelf<Kinds> as Shelf<K>
}

/** The body in a row, until the next one is asked for; it must not be changed. */
export function preparedBody<K extends Kinds>(table: BodyTable<K>, slot: number): K['body'] {
  const { geometry, kept, places } = table
  const { bodies, owners } = shelfOf(table)
  const key = isTurned(table, slot) ? ~slot : table.shapes.serials[shapeSlot(table, slot)]
  const place = placeOf(table, key)
  if (isOwner(owners, place, table, key)) {
    geometry.putAt(bodies[place], places, poseStart(table, slot))
    return bodies[place]
  }
  const known = kept.size === 0 ? undefined : (kept.get(~slot) ?? kept.get(key))
  if (known !== undefined) {
    // Nothing of a convex body but its position hangs on where it stands.
    if (known.kind !== geometry.compositeKind) geometry.putAt(known, places, poseStart(table, slot))
    return known
  }
  bodies[place] ??= geometry.createBody()
  const body = bodies[place]
  owners[2 * place] = -1
  prepareRowInto(table, slot, body)
  const isComposite = body.kind === geometry.compositeKind
  if (isComposite || weightOf(table, body) > LIGHT_POINTS) {
    bodies[place] = geometry.createBody()
    keep(table, isComposite ? ~slot : key, body)
  } else {
    owners[2 * place] = table.serial
    owners[2 * place + 1] = key
  }
  return body
}

function placeOf({ serial }: BodyTable, key: number): number {
  return Math.imul(key ^ Math.imul(serial, 0x85ebca6b), 0x9e3779b1) >>> (32 - SHELF_BITS)
}

function isOwner(owners: Float64Array, place: number, { serial }: BodyTable, key: number): boolean {
  return owners[2 * place] === serial && owners[2 * place + 1] === key
}

function weightOf<K extends Kinds>({ geometry }: BodyTable<K>, { kind, composite, count }: K['body']): number {
  return kind === geometry.compositeKind && composite !== null ? composite.leafCount : count
}

/** Weight of a body that is kept prepared. */
function keptWeight<K extends Kinds>(table: BodyTable<K>, body: K['body']): number {
  const { kind, composite } = body
  const parts = kind === table.geometry.compositeKind && composite !== null ? composite.partCount : 1
  return weightOf(table, body) + BODY_WEIGHT * parts
}

/** The oldest make room. */
function keep<K extends Kinds>(table: BodyTable<K>, key: number, body: K['body']): void {
  const { kept } = table
  table.keptWeight += keptWeight(table, body)
  kept.set(key, body)
  for (const [oldest, old] of kept) {
    if (table.keptWeight <= KEPT_WEIGHT || oldest === key) break
    kept.delete(oldest)
    table.keptWeight -= keptWeight(table, old)
  }
}

/** The body in a row, in `own` unless it is kept anyway; it stays as it is whatever is asked for next. */
export function holdBody<K extends Kinds>(table: BodyTable<K>, slot: number, own: K['body']): K['body'] {
  const body = preparedBody(table, slot)
  if (body.kind === table.geometry.compositeKind) return body
  prepareRowInto(table, slot, own)
  return own
}

/** Keeps a body that was prepared elsewhere from what a row says. */
export function adoptBody<K extends Kinds>(table: BodyTable<K>, slot: number, body: K['body']): void {
  if (!table.geometry.touchesItself(body)) table.shapes.plain[shapeSlot(table, slot)] = 1
  forgetBody(table, slot)
  keep(table, ~slot, body)
}

/** Whether the body of a row takes long to prepare, of 100,000 vertices say, and is not prepared yet. */
export function isCostlyRow(table: BodyTable, row: number): boolean {
  return isCostlyShape(table.shapes, shapeSlot(table, row)) && keptBody(table, row) === null
}

/** Prepares the body of a row, if it is costly, with pauses in which the row must stay as it is. */
export function* prepareRow(table: BodyTable, row: number): Slices<void> {
  if (isCostlyRow(table, row)) adoptBody(table, row, yield* prepareInSlices(table, row))
}

/** The body of a row, freshly prepared, with pauses in which the row may get another number. */
export function* prepareInSlices<K extends Kinds>(table: BodyTable<K>, row: number): Slices<K['body']> {
  const { geometry, prepare, shapes } = table
  const pose = poseOf(table, row)
  const shape = shapeSlot(table, row)
  const value = shapeValue(shapes, shape)
  const isPlain = shapes.plain[shape] === 1
  yield
  const body = geometry.createBody()
  prepare(value, pose, 0, body, isPlain)
  yield
  return body
}

/** Keeps the body that was prepared elsewhere from the row's shape as it is turned, but perhaps at another place. */
export function adoptElsewhere<K extends Kinds>(table: BodyTable<K>, slot: number, body: K['body']): void {
  const moved = table.geometry.bodyAtPlace(body, table.places, poseStart(table, slot))
  if (moved !== null) adoptBody(table, slot, moved)
}

/** The body that is kept prepared for a row, or null. */
export function keptBody<K extends Kinds>({ kept }: BodyTable<K>, slot: number): K['body'] | null {
  return kept.size === 0 ? null : (kept.get(~slot) ?? null)
}

/** To be called when a row has got another position, and nothing else that its body hangs on has changed. */
export function bodyHasMoved(table: BodyTable, slot: number): void {
  const kept = keptBody(table, slot)
  forgetBody(table, slot)
  if (kept !== null) adoptElsewhere(table, slot, kept)
}

/** To be called before a body's pose or shape changes, or it goes. */
export function forgetBody(table: BodyTable, slot: number): void {
  const key = ~slot
  const place = placeOf(table, key)
  const { owners } = shelfOf(table)
  if (isOwner(owners, place, table, key)) owners[2 * place] = -1
  if (table.kept.size === 0) return
  const kept = table.kept.get(key)
  if (kept === undefined) return
  table.kept.delete(key)
  table.keptWeight -= keptWeight(table, kept)
}

// The boxes of a table's bodies and the tree over them. Boxes are rounded outward, so bodies overlap only where their boxes do. The
// extents of a convex shape that is not rotated are measured once, and the box of each of its bodies is made of them and its position.

/** Cost of inserting an item into a tree, or of removing it, in points of bodies. */
const ITEM_POINTS = 16

/** Most sides of a box. */
const MOST_SIDES = 6

const box = new Float64Array(MOST_SIDES)

/** Puts the box of the body in a row at out[at…]: its low sides, then its high ones; infinite where it has no bounds. */
export function measureBox<K extends Kinds>(table: BodyTable<K>, slot: number, out: Float64Array, at: number): void {
  const { geometry, places } = table
  if (isTurned(table, slot)) {
    geometry.measureOuterBox(preparedBody(table, slot), out, at)
    return
  }
  const { extents, extentOwners } = shelfOf(table)
  const serial = table.shapes.serials[shapeSlot(table, slot)]
  const place = placeOf(table, serial)
  const held = geometry.extentCount * place
  if (!isOwner(extentOwners, place, table, serial)) {
    const body = preparedBody(table, slot)
    if (!geometry.measureExtents(body, extents, held)) {
      extentOwners[2 * place] = -1
      geometry.measureOuterBox(body, out, at)
      return
    }
    extentOwners[2 * place] = table.serial
    extentOwners[2 * place + 1] = serial
  }
  geometry.placeExtents(extents, held, places, poseStart(table, slot), out, at)
}

/** Puts the body in a row where it belongs: the tree, or the set of those without bounds. `known`: its box, if it is known. */
export function placeInTree(table: BodyTable, slot: number, known: Float64Array | null = null): void {
  const { tree, unbounded } = table
  if (known === null) measureBox(table, slot, box, 0)
  else box.set(known)
  noteReach(table, slot, box, 0)
  if (!isBounded(table, box, 0)) {
    removeItem(tree, slot)
    unbounded.add(slot)
    return
  }
  unbounded.delete(slot)
  if (hasItem(tree, slot)) moveItem(tree, slot, box, 0)
  else insertItem(tree, slot, box, 0)
}

/** The box of a body as it lies in the tree; null for one without bounds. */
export function boxInTree(table: BodyTable, slot: number): Float64Array | null {
  const sides = sideCount(table)
  return table.unbounded.has(slot) ? null : table.tree.itemBoxes.slice(sides * slot, sides * (slot + 1))
}

/** Sides of a box. */
export function sideCount({ geometry }: BodyTable): number {
  return 2 * geometry.axes
}

export function removeFromTree(table: BodyTable, slot: number): void {
  if (!removeItem(table.tree, slot)) table.unbounded.delete(slot)
}

function isBounded({ geometry }: BodyTable, boxes: Float64Array, at: number): boolean {
  const { axes } = geometry
  for (let k = at; k < at + axes; k++) if (!(boxes[k] > -Infinity && boxes[k + axes] < Infinity)) return false
  return true
}

/** A shape may lie far from the position of its body, which rounding hangs on too. */
function noteReach(table: BodyTable, slot: number, boxes: Float64Array, at: number): void {
  const { places } = table
  const start = poseStart(table, slot)
  for (let k = start; k < start + table.geometry.axes; k++) {
    const place = Math.abs(places[k])
    if (place > table.reach) table.reach = place
  }
  for (let k = at; k < at + sideCount(table); k++) {
    const side = Math.abs(boxes[k])
    if (side > table.reach && side < Infinity) table.reach = side
  }
}

/**
 * Many changes at once: the boxes of all slots, those of the bodies that are there and room for `count` slots. To be filled by
 * `noteBox` for each row that is written, and then given to `rebuildTree`.
 */
export function* beginRebuild({ tree }: BodyTable, count: number): Slices<Float64Array> {
  yield* reserveItemsInSlices(tree, count)
  return tree.itemBoxes
}

export function noteBox(table: BodyTable, slot: number, boxes: Float64Array, known: Float64Array | null = null): void {
  const at = sideCount(table) * slot
  if (known === null) measureBox(table, slot, boxes, at)
  else boxes.set(known, at)
  noteReach(table, slot, boxes, at)
  if (isBounded(table, boxes, at)) table.unbounded.delete(slot)
  else table.unbounded.add(slot)
}

/** Notes the boxes of the bodies in so many rows, in their order. */
export function noteBoxes(table: BodyTable, start: number, count: number, boxes: Float64Array): void {
  const { flags, unbounded } = table
  const { itemBoxes } = table.tree
  const sides = sideCount(table)
  let at = 0
  for (let slot = start; slot < start + count; slot++) {
    if (flags[slot] === 0) continue
    for (let side = 0; side < sides; side++) itemBoxes[sides * slot + side] = boxes[at + side]
    noteReach(table, slot, boxes, at)
    if (!isBounded(table, boxes, at)) unbounded.add(slot)
    at += sides
  }
}

/** Makes the tree anew, many times faster than body by body. O(n log n). */
export function rebuildTree(table: BodyTable, boxes: Float64Array): void {
  const work = rebuildTreeInSlices(table, boxes, new Pace())
  while (work.next().done !== true);
}

/** Rebuilds with pauses. Readers of open views see the old tree until the end, when the new one replaces it. */
export function* rebuildTreeInSlices(table: BodyTable, boxes: Float64Array, pace: Pace): Slices<void> {
  const tree = table.geometry.createTree(table.tree.margin)
  yield* buildInSlices(table, boxes, tree, pace)
  table.tree = tree
}

/** Ends a rebuild of a table that nobody reads yet, and whose tree has held nothing. */
export function finishRebuild(table: BodyTable, pace: Pace): Slices<void> {
  return buildInSlices(table, table.tree.itemBoxes, table.tree, pace)
}

function* buildInSlices(table: BodyTable, boxes: Float64Array, tree: DynamicTree, pace: Pace): Slices<void> {
  const { used, count, flags, unbounded } = table
  for (const slot of unbounded) if (flags[slot] === 0) unbounded.delete(slot)
  const bounded = count - unbounded.size
  if (2 * bounded <= used) {
    for (let slot = 0; slot < used; slot++) {
      if (isForTree(table, slot)) insertItem(tree, slot, boxes, slot)
      if (pace.isDue(ITEM_POINTS)) yield
    }
  } else {
    // The tree is built over slots without gaps: one of the boxes stands in for each that is missing, and is taken out again.
    let some = 0
    while (!isForTree(table, some)) some++
    const sides = sideCount(table)
    for (let slot = 0; slot < used; slot++) {
      if (!isForTree(table, slot)) boxes.copyWithin(sides * slot, sides * some, sides * (some + 1))
      if (pace.isDue(1)) yield
    }
    yield* buildDynamicTreeInSlices(tree, boxes, used, pace)
    for (let slot = 0; slot < used && tree.count > bounded; slot++) {
      if (!isForTree(table, slot)) removeItem(tree, slot)
      if (pace.isDue(ITEM_POINTS)) yield
    }
  }
}

/** Whether the body in a row is one for the tree, once those that are not are known. */
function isForTree({ flags, unbounded }: BodyTable, slot: number): boolean {
  return flags[slot] !== 0 && !unbounded.has(slot)
}

/** The first fault in the boxes of a table, for tests; null without any. */
export function validateBoxes(table: BodyTable): string | null {
  const { used, flags, tree, unbounded, count } = table
  if (tree.count + unbounded.size !== count) return `${tree.count} boxes and ${unbounded.size} without, of ${count}`
  for (let slot = 0; slot < used; slot++) {
    const isInside = hasItem(tree, slot)
    if (isInside === unbounded.has(slot) && flags[slot] !== 0)
      return `body ${slot} is in the tree and beside it, or in neither`
    if (flags[slot] === 0 && (isInside || unbounded.has(slot))) return `slot ${slot} is free and has a box`
    if (!isInside) continue
    const sides = sideCount(table)
    const measured = box.subarray(0, sides)
    measureBox(table, slot, measured, 0)
    if (measured.some((side, k) => side !== tree.itemBoxes[sides * slot + k])) return `body ${slot} has another box`
  }
  return null
}
