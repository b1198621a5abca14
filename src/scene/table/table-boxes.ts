/**
 * The boxes of a table's bodies and the tree over them.
 *
 * Boxes are rounded outward, so that bodies meet only where their boxes do. Of a convex shape that is not rotated the extents are
 * measured once, and each body's box is those and its position.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import {
  createDynamicTree,
  hasItem,
  insertItem,
  moveItem,
  removeItem,
  reserveItemsInSlices,
} from '../../core2d/bvh/dynamic-tree.ts'
import { buildDynamicTreeInSlices } from '../../core2d/bvh/dynamic-tree-build.ts'
import { createExtents, measureExtents, measureOuterBox, placeExtents } from '../../core2d/measures/body-boxes.ts'
import { preparedBody } from './body-cache.ts'
import { type BodyTable, rotationOf, shapeSlot, xOf, yOf } from './body-table.ts'

/** Cost of inserting an item into a tree, or of removing it, in points of bodies. */
const ITEM_POINTS = 16

const SHELF_BITS = 13
/** Extents that were measured, of shapes of all tables: a newcomer takes the place of another. Five numbers each. */
const shelf = new Float64Array(5 * 2 ** SHELF_BITS)
const ownerTables = new Float64Array(2 ** SHELF_BITS).fill(-1)
const ownerSerials = new Float64Array(2 ** SHELF_BITS)

const extents = createExtents()
const box = new Float64Array(4)

/** Puts the box of the body in a row at out[at…]: min x, min y, max x, max y; infinite where it has no bounds. */
export function measureBox(table: BodyTable, slot: number, out: Float64Array, at: number): void {
  if (rotationOf(table, slot) !== 0) {
    measureOuterBox(preparedBody(table, slot), out, at)
    return
  }
  const serial = table.shapes.serials[shapeSlot(table, slot)]
  const place = Math.imul(serial ^ Math.imul(table.serial, 0x85ebca6b), 0x9e3779b1) >>> (32 - SHELF_BITS)
  const held = 5 * place
  if (ownerTables[place] === table.serial && ownerSerials[place] === serial) {
    extents.minX = shelf[held]
    extents.minY = shelf[held + 1]
    extents.maxX = shelf[held + 2]
    extents.maxY = shelf[held + 3]
    extents.radius = shelf[held + 4]
  } else {
    const body = preparedBody(table, slot)
    if (!measureExtents(body, extents)) {
      measureOuterBox(body, out, at)
      return
    }
    shelf[held] = extents.minX
    shelf[held + 1] = extents.minY
    shelf[held + 2] = extents.maxX
    shelf[held + 3] = extents.maxY
    shelf[held + 4] = extents.radius
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
  if (hasItem(tree, slot)) moveItem(tree, slot, box[0], box[1], box[2], box[3])
  else insertItem(tree, slot, box[0], box[1], box[2], box[3])
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

/** Makes the tree anew, many times faster than body by body. O(n log n). */
export function rebuildTree(table: BodyTable, boxes: Float64Array): void {
  const work = rebuildTreeInSlices(table, boxes, new Pace())
  while (work.next().done !== true);
}

/** Rebuilds with pauses. Readers of open views see the old tree until the end, when the new one replaces it. */
export function* rebuildTreeInSlices(table: BodyTable, boxes: Float64Array, pace: Pace): Slices<void> {
  const { used, count, flags, unbounded } = table
  for (const slot of unbounded) if (flags[slot] === 0) unbounded.delete(slot)
  const bounded = count - unbounded.size
  const tree = createDynamicTree(table.tree.margin)
  if (2 * bounded <= used) {
    for (let slot = 0; slot < used; slot++) {
      const at = 4 * slot
      if (isForTree(table, slot)) insertItem(tree, slot, boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
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
  table.tree = tree
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
