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
import { createDynamicTree } from '../../core2d/broad-phase/dynamic-tree.ts'
import { createExtents, measureExtents, measureOuterBox, placeExtents } from '../../core2d/queries/body-boxes.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  copyNumbers,
  createBody,
  isCurved,
  X,
  Y,
} from '../../core2d/shape/body.ts'
import { touchesItself } from '../../core2d/shape/composite.ts'
import { type BodyTable, prepareAt, rotationOf, shapeSlot, xOf, yOf } from './body-table.ts'
import { isCostlyShape, shapeValue } from './shape-pool.ts'

/** Bodies with more points are not for the shelf. */
const LIGHT_POINTS = 64
const SHELF_BITS = 13
/** Points and leaves that a table keeps prepared, and what a body counts for besides, and each part of a compound. */
const KEPT_WEIGHT = 2 ** 18
const BODY_WEIGHT = 16
const CURVE_WEIGHT = 128

const shelf: Body[] = []
/** Of what lies in each place: its table, and its key, the serial number of a shape, ≥ 0, or ~slot of a body. */
const owners = new Float64Array(2 * 2 ** SHELF_BITS).fill(-1)

/** The body in a row, until the next one is asked for; it must not be changed. */
export function preparedBody(table: BodyTable, slot: number): Body {
  const rotation = rotationOf(table, slot)
  const key = rotation === 0 ? table.shapes.serials[shapeSlot(table, slot)] : ~slot
  const place = placeOf(table, key)
  if (isOwner(place, table, key)) return putAt(shelf[place], table, slot)
  const kept = table.kept.size === 0 ? undefined : (table.kept.get(~slot) ?? table.kept.get(key))
  if (kept !== undefined) return kept.kind === COMPOSITE ? kept : putAt(kept, table, slot)
  shelf[place] ??= createBody()
  const body = shelf[place]
  owners[2 * place] = -1
  prepareAt(table, slot, xOf(table, slot), yOf(table, slot), rotation, body)
  const weight = weightOf(body)
  if (body.kind === COMPOSITE || weight > LIGHT_POINTS) {
    shelf[place] = createBody()
    keep(table, body.kind === COMPOSITE ? ~slot : key, body)
  } else {
    owners[2 * place] = table.serial
    owners[2 * place + 1] = key
  }
  return body
}

function placeOf({ serial }: BodyTable, key: number): number {
  return Math.imul(key ^ Math.imul(serial, 0x85ebca6b), 0x9e3779b1) >>> (32 - SHELF_BITS)
}

function isOwner(place: number, { serial }: BodyTable, key: number): boolean {
  return owners[2 * place] === serial && owners[2 * place + 1] === key
}

/** Nothing of a convex body but its position hangs on where it stands. */
function putAt(body: Body, table: BodyTable, slot: number): Body {
  body.numbers[X] = xOf(table, slot)
  body.numbers[Y] = yOf(table, slot)
  return body
}

function weightOf({ kind, composite, count }: Body): number {
  return kind === COMPOSITE ? (composite as Composite).leafCount : count
}

/** Weight of a body that is kept prepared. */
function keptWeight(body: Body): number {
  return (
    weightOf(body) + (body.kind === COMPOSITE ? BODY_WEIGHT * (body.composite as Composite).partCount : BODY_WEIGHT)
  )
}

/** The oldest make room. */
function keep(table: BodyTable, key: number, body: Body): void {
  const { kept } = table
  table.keptWeight += keptWeight(body)
  kept.set(key, body)
  for (const [oldest, old] of kept) {
    if (table.keptWeight <= KEPT_WEIGHT || oldest === key) break
    kept.delete(oldest)
    table.keptWeight -= keptWeight(old)
  }
}

/** The body in a row, in `own` unless it is kept anyway; it stays as it is whatever is asked for next. */
export function holdBody(table: BodyTable, slot: number, own: Body): Body {
  const body = preparedBody(table, slot)
  if (body.kind === COMPOSITE) return body
  prepareAt(table, slot, xOf(table, slot), yOf(table, slot), rotationOf(table, slot), own)
  return own
}

/** Cost of looking at a body once, in points. */
export function bodyWeight(body: Body): number {
  return isCurved(body) ? CURVE_WEIGHT : Math.max(1, weightOf(body))
}

/** Keeps a body that was prepared elsewhere from what a row says. */
export function adoptBody(table: BodyTable, slot: number, body: Body): void {
  if (!touchesItself(body)) table.shapes.plain[shapeSlot(table, slot)] = 1
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
export function* prepareInSlices(table: BodyTable, row: number): Slices<Body> {
  const x = xOf(table, row)
  const y = yOf(table, row)
  const rotation = rotationOf(table, row)
  const { prepare, shapes } = table
  const shape = shapeSlot(table, row)
  const value = shapeValue(shapes, shape)
  const isPlain = shapes.plain[shape] === 1
  yield
  const body = createBody()
  prepare(value, x, y, rotation, body, isPlain)
  yield
  return body
}

/** Keeps the body that was prepared elsewhere from the row's shape and rotation, but perhaps at another place. */
export function adoptElsewhere(table: BodyTable, slot: number, body: Body): void {
  const moved = bodyAtPlace(body, xOf(table, slot), yOf(table, slot))
  if (moved !== null) adoptBody(table, slot, moved)
}

/** The body that is kept prepared for a row, or null. */
export function keptBody({ kept }: BodyTable, slot: number): Body | null {
  return kept.size === 0 ? null : (kept.get(~slot) ?? null)
}

/**
 * A body of one outline as it would be prepared at (x, y), to the last bit; it shares what does not hang on that. Null: another
 * body, or one that rounding has its part in.
 */
function bodyAtPlace(body: Body, x: number, y: number): Body | null {
  const { composite } = body
  if (body.kind !== COMPOSITE || composite === null || composite.partCount !== 1) return null
  const [part] = composite.parts
  if (part.outline === null || part.path.length > 0) return null
  return { ...placed(body, x, y), composite: { ...composite, parts: [{ ...part, body: placed(part.body, x, y) }] } }
}

function placed(body: Body, x: number, y: number): Body {
  const numbers = copyNumbers(body.numbers)
  numbers[X] = x
  numbers[Y] = y
  return { ...body, numbers }
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
  if (isOwner(place, table, key)) owners[2 * place] = -1
  if (table.kept.size === 0) return
  const kept = table.kept.get(key)
  if (kept === undefined) return
  table.kept.delete(key)
  table.keptWeight -= keptWeight(kept)
}

// The boxes of a table's bodies and the tree over them. Boxes are rounded outward, so bodies overlap only where their boxes do. The
// extents of a convex shape that is not rotated are measured once, and the box of each of its bodies is made of them and its position.

/** Cost of inserting an item into a tree, or of removing it, in points of bodies. */
const ITEM_POINTS = 16

const EXTENT_BITS = 13
/** Extents that were measured, of shapes of all tables: a newcomer takes the place of another. Five numbers each. */
const extentShelf = new Float64Array(5 * 2 ** EXTENT_BITS)
const ownerTables = new Float64Array(2 ** EXTENT_BITS).fill(-1)
const ownerSerials = new Float64Array(2 ** EXTENT_BITS)

const extents = createExtents()
const box = new Float64Array(4)

/** Puts the box of the body in a row at out[at…]: min x, min y, max x, max y; infinite where it has no bounds. */
export function measureBox(table: BodyTable, slot: number, out: Float64Array, at: number): void {
  if (rotationOf(table, slot) !== 0) {
    measureOuterBox(preparedBody(table, slot), out, at)
    return
  }
  const serial = table.shapes.serials[shapeSlot(table, slot)]
  const place = Math.imul(serial ^ Math.imul(table.serial, 0x85ebca6b), 0x9e3779b1) >>> (32 - EXTENT_BITS)
  const held = 5 * place
  if (ownerTables[place] === table.serial && ownerSerials[place] === serial) {
    extents.minX = extentShelf[held]
    extents.minY = extentShelf[held + 1]
    extents.maxX = extentShelf[held + 2]
    extents.maxY = extentShelf[held + 3]
    extents.radius = extentShelf[held + 4]
  } else {
    const body = preparedBody(table, slot)
    if (!measureExtents(body, extents)) {
      measureOuterBox(body, out, at)
      return
    }
    extentShelf[held] = extents.minX
    extentShelf[held + 1] = extents.minY
    extentShelf[held + 2] = extents.maxX
    extentShelf[held + 3] = extents.maxY
    extentShelf[held + 4] = extents.radius
    ownerTables[place] = table.serial
    ownerSerials[place] = serial
  }
  placeExtents(extents, xOf(table, slot), yOf(table, slot), out, at)
}

/** Puts the body in a row where it belongs: the tree, or the set of those without bounds. `known`: its box, if it is known. */
export function placeInTree(table: BodyTable, slot: number, known: Float64Array | null = null): void {
  const { tree, unbounded } = table
  if (known === null) measureBox(table, slot, box, 0)
  else box.set(known)
  noteReach(table, box, 0)
  if (!isBounded(box, 0)) {
    removeItem(tree, slot)
    unbounded.add(slot)
    return
  }
  unbounded.delete(slot)
  if (hasItem(tree, slot)) moveItem(tree, slot, box, 0)
  else insertItem(tree, slot, box, 0)
}

/** The box of a body as it lies in the tree; null for one without bounds. */
export function boxInTree({ tree, unbounded }: BodyTable, slot: number): Float64Array | null {
  return unbounded.has(slot) ? null : tree.itemBoxes.slice(4 * slot, 4 * slot + 4)
}

export function removeFromTree(table: BodyTable, slot: number): void {
  if (!removeItem(table.tree, slot)) table.unbounded.delete(slot)
}

function isBounded(boxes: Float64Array, at: number): boolean {
  return boxes[at] > -Infinity && boxes[at + 1] > -Infinity && boxes[at + 2] < Infinity && boxes[at + 3] < Infinity
}

function noteReach(table: BodyTable, boxes: Float64Array, at: number): void {
  for (let k = at; k < at + 4; k++) {
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
  if (known === null) measureBox(table, slot, boxes, 4 * slot)
  else boxes.set(known, 4 * slot)
  noteReach(table, boxes, 4 * slot)
  if (isBounded(boxes, 4 * slot)) table.unbounded.delete(slot)
  else table.unbounded.add(slot)
}

/** Notes the boxes of the bodies in so many rows, in their order. */
export function noteBoxes(table: BodyTable, start: number, count: number, boxes: Float64Array): void {
  const { flags, unbounded } = table
  const { itemBoxes } = table.tree
  let at = 0
  for (let slot = start; slot < start + count; slot++) {
    if (flags[slot] === 0) continue
    for (let side = 0; side < 4; side++) itemBoxes[4 * slot + side] = boxes[at + side]
    noteReach(table, boxes, at)
    if (!isBounded(boxes, at)) unbounded.add(slot)
    at += 4
  }
}

/** Makes the tree anew, many times faster than body by body. O(n log n). */
export function rebuildTree(table: BodyTable, boxes: Float64Array): void {
  const work = rebuildTreeInSlices(table, boxes, new Pace())
  while (work.next().done !== true);
}

/** Rebuilds with pauses. Readers of open views see the old tree until the end, when the new one replaces it. */
export function* rebuildTreeInSlices(table: BodyTable, boxes: Float64Array, pace: Pace): Slices<void> {
  const tree = createDynamicTree(table.tree.margin)
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
    for (let slot = 0; slot < used; slot++) {
      if (!isForTree(table, slot)) boxes.copyWithin(4 * slot, 4 * some, 4 * some + 4)
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
    measureBox(table, slot, box, 0)
    if (box.some((side, k) => side !== tree.itemBoxes[4 * slot + k])) return `body ${slot} has another box`
  }
  return null
}
