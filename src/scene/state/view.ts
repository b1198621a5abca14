/**
 * Reads of one version of a scene, across pauses in which the scene is written to.
 *
 * Method: while a view is open, the row of a slot is copied away before the first write to it, into a table of old rows with
 * a tree of their own. The view's bodies are the scene's, without those whose slots have changed, and the old rows. A scene that is
 * cleared leaves its table to the views. While an entry is applied that takes long, everybody sees one view of the version before,
 * the front.
 * Slots name the bodies of a view for as long as it is open.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import { type FarSlices, goingOn } from '../../containers/far-call.ts'
import { createItemList, growItems, type ItemList } from '../../containers/item-list.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import {
  adoptBody,
  boxInTree,
  holdBody,
  keptBody,
  measureBox,
  placeInTree,
  preparedBody,
  sideCount,
} from './body-cache.ts'
import {
  type BodyTable,
  copyRow,
  createOldTable,
  IS_SENSOR,
  poseOf,
  prepareAt,
  readRow,
  releaseRows,
  shapeSlot,
} from './body-table.ts'
import type { Kinds, Plane } from './geometry.ts'
import { idByteCount, idOf, slotOfId } from './ids.ts'
import { noteChange } from './kept-pairs.ts'
import type { SceneBody } from './operation.ts'
import { formAt, shapeNumbers, sharedValue } from './shape-pool.ts'

// The box around the bodies of a scene, without looking at all of them.
//
// Method: the box of a node holds those of its items, so each side is found by going down where it may still get farther, the
// farther child first.

/** The fields of a scene that bounds are read from. */
interface BoundedScene {
  table: Pick<BodyTable, 'tree' | 'geometry'>
  front: View | null
  frontBounds: Float64Array | null
}

/** Of those that have bounds, rounded outward: its low sides, then its high ones; null without any. */
export function boundsOfScene({ front, frontBounds, table: { tree, geometry } }: BoundedScene): Float64Array | null {
  if (front !== null) return frontBounds
  if (tree.count === 0) return null
  const { axes } = geometry
  return Float64Array.from({ length: 2 * axes }, (_, side) =>
    side < axes ? -farthest(tree, axes, side, -1) : farthest(tree, axes, side, 1),
  )
}

/** The greatest sign · side of all items. */
function farthest({ boxes, child, itemBoxes }: DynamicTree, axes: number, side: number, sign: number): number {
  const sides = 2 * axes
  let best = -Infinity
  const nodes = [0]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (sign * boxes[sides * node + side] <= best) continue
    const first = child[node]
    if (first < 0) {
      best = Math.max(best, sign * itemBoxes[sides * ~first + side])
      continue
    }
    const isFirstFarther = sign * boxes[sides * first + side] >= sign * boxes[sides * (first + 1) + side]
    nodes.push(isFirstFarther ? first + 1 : first, isFirstFarther ? first : first + 1)
  }
  return best
}

/** `K`: the types of its dimension. */
export interface View<K extends Kinds = Kinds> {
  readonly version: number
  readonly digest: Uint8Array
  readonly table: BodyTable<K>
  /** Slots from here on were taken later. */
  readonly limit: number
  /** The slots below that have changed since: the row in `old`, or −1 where there was no body. */
  readonly changed: Map<number, number>
  old: BodyTable<K> | null
  /** Slots of the old rows. */
  readonly oldSlots: number[]
  /** Bodies, and what their ids take. */
  readonly count: number
  readonly idBytes: number
  /** How many keep it open. */
  holders: number
}

export type PlaneView = View<Plane>

/** A scene that views are opened on. */
export interface Viewed<K extends Kinds = Kinds> {
  version: number
  digest: Uint8Array
  table: BodyTable<K>
  views: Set<View<K>>
  /** The view that everybody sees while an entry is being applied; null at other times. */
  front: View<K> | null
}

/** Good until the next write: for what does not pause. */
export function presentView<K extends Kinds>({ version, digest, table, front }: Viewed<K>): View<K> {
  if (front !== null) return front
  const { used: limit, count } = table
  const idBytes = idByteCount(table.ids)
  return { version, digest, table, limit, changed: new Map(), old: null, oldSlots: [], count, idBytes, holders: 0 }
}

/** Good until it is closed. */
export function openView<K extends Kinds>(scene: Viewed<K>): View<K> {
  return holdView(scene, presentView(scene))
}

function holdView<K extends Kinds>(scene: Viewed<K>, view: View<K>): View<K> {
  if (view.holders++ === 0) scene.views.add(view)
  return view
}

/** To be called by everybody who has opened the view. */
export function closeView(scene: Viewed, view: View): void {
  if (--view.holders > 0 || !scene.views.delete(view) || view.old === null) return
  releaseRows(view.old)
}

/** Work that pauses now and then, on a view that is open for as long as it takes. It must be run to its end or returned. */
export function* onView<Result, K extends Kinds>(
  scene: Viewed<K>,
  ask: (view: View<K>) => FarSlices<Result>,
): FarSlices<Result> {
  const view = openView(scene)
  return yield* finishOn(scene, view, ask(view))
}

/** Runs up to the first pause at once: work without a pause needs no view that stays open. Run the rest too, or the view stays open. */
export function onViewAtOnce<Result extends object, K extends Kinds>(
  scene: Viewed<K>,
  ask: (view: View<K>) => FarSlices<Result>,
): Result | FarSlices<Result> {
  const view = presentView(scene)
  const work = ask(view)
  const { done, value } = work.next()
  if (done) return value
  holdView(scene, view)
  return finishOn(scene, view, value === undefined ? work : goingOn(value, work))
}

function* finishOn<Result>(scene: Viewed, view: View, work: FarSlices<Result>): FarSlices<Result> {
  try {
    return yield* work
  } finally {
    closeView(scene, view)
  }
}

/** To be called before the row of a slot changes; `isNew`: it holds no body. */
export function keepRow({ views, table }: Viewed, slot: number, isNew: boolean): void {
  noteChange(table, slot)
  for (const view of views) {
    if (view.table !== table || hasChanged(view, slot)) continue
    if (isNew) {
      view.changed.set(slot, -1)
      continue
    }
    view.old ??= createOldTable(table)
    const row = copyRow(table, slot, view.old)
    placeInTree(view.old, row, boxInTree(table, slot))
    const kept = keptBody(table, slot)
    if (kept !== null) adoptBody(view.old, row, kept)
    view.changed.set(slot, row)
    view.oldSlots[row] = slot
  }
}

/** The table that holds a slot's row as it was, and where: read `rowAt` next. */
export function tableOf<K extends Kinds>(view: View<K>, slot: number): BodyTable<K> {
  return view.changed.size > 0 && view.changed.has(slot) ? (view.old as BodyTable<K>) : view.table
}

/** Whether the table's row of a slot is not the view's. */
export function hasChanged({ limit, changed }: View, slot: number): boolean {
  return slot >= limit || (changed.size > 0 && changed.has(slot))
}

/** Ids of the bodies that a table has. */
export function* idsOf(table: BodyTable): Generator<string, void, undefined> {
  for (let slot = 0; slot < table.used; slot++) if (table.flags[slot] !== 0) yield idOf(table.ids, slot)
}

/**
 * Ids of the bodies that were put, changed or removed since, other ones among them; null: any may have been. What is applied
 * meanwhile may be left out.
 */
export function* idsChangedSince(view: View, { table }: Viewed): Slices<Set<string> | null> {
  if (table !== view.table) return null
  const ids = new Set<string>()
  const pace = new Pace()
  const add = (slot: number) => {
    const row = view.changed.get(slot) ?? -1
    if (row >= 0) ids.add(idOf((view.old as BodyTable).ids, row))
    if (table.flags[slot] !== 0) ids.add(idOf(table.ids, slot))
  }
  for (const slot of view.changed.keys()) {
    if (pace.isDue(1)) yield
    add(slot)
  }
  for (let slot = view.limit; slot < table.used; slot++) {
    if (pace.isDue(1)) yield
    add(slot)
  }
  return ids
}

export function rowAt({ changed }: View, slot: number): number {
  return changed.size > 0 ? (changed.get(slot) ?? slot) : slot
}

/** Slots lie below; not all of them hold a body. */
export function slotLimit({ limit }: View): number {
  return limit
}

export function hasBody(view: View, slot: number): boolean {
  const row = rowAt(view, slot)
  return row >= 0 && tableOf(view, slot).flags[row] !== 0
}

/** The slot of a body, −1 when there is none of that id. */
export function findBody(view: View, id: string): number {
  const { table, old, oldSlots } = view
  const row = old === null ? -1 : slotOfId(old.ids, id)
  if (row >= 0) return oldSlots[row]
  const slot = slotOfId(table.ids, id)
  return hasChanged(view, slot) ? -1 : slot
}

export function idAt(view: View, slot: number): string {
  return idOf(tableOf(view, slot).ids, rowAt(view, slot))
}

/** As it was put. */
export function sceneBodyAt(view: View, slot: number): SceneBody {
  return readRow(tableOf(view, slot), rowAt(view, slot))
}

/** The shape, long ones with meshes shared with all who ask: it must not be changed. Cost O(its size) for others. */
export function shapeAt(view: View, slot: number): object {
  const table = tableOf(view, slot)
  return sharedValue(table.shapes, shapeSlot(table, rowAt(view, slot)))
}

/** How many numbers the shape has, about, without a look at it. */
export function shapeNumbersAt(view: View, slot: number): number {
  const table = tableOf(view, slot)
  return shapeNumbers(table.shapes, shapeSlot(table, rowAt(view, slot)))
}

/** Whether the shape is known, without a look at it, to be an outline or to have a mesh of its own. */
export function isCompositeAt(view: View, slot: number): boolean {
  const table = tableOf(view, slot)
  const { isOutline, hasMesh } = formAt(table.shapes, shapeSlot(table, rowAt(view, slot)))
  return isOutline || hasMesh
}

/** A copy of the body's pose: its position, then what turns it. */
export function poseAt(view: View, slot: number): Float64Array {
  return poseOf(tableOf(view, slot), rowAt(view, slot))
}

/** The prepared body, until the next one is asked for; it must not be changed. */
export function bodyAt<K extends Kinds>(view: View<K>, slot: number): K['body'] {
  return preparedBody(tableOf(view, slot), rowAt(view, slot))
}

/** Cost of looking at the body once, in points, including its preparation where it is not kept. */
export function weightAt(view: View, slot: number): number {
  return view.table.geometry.points(bodyAt(view, slot))
}

/** The body in `own` or elsewhere; it stays valid when other bodies are read. */
export function heldBodyAt<K extends Kinds>(view: View<K>, slot: number, own: K['body']): K['body'] {
  return holdBody(tableOf(view, slot), rowAt(view, slot), own)
}

/** Fills `out` with the body's shape at another pose. */
export function posedBodyAt<K extends Kinds>(
  view: View<K>,
  slot: number,
  pose: ArrayLike<number>,
  out: K['body'],
): void {
  prepareAt(tableOf(view, slot), rowAt(view, slot), pose, 0, out)
}

export function motionAt<K extends Kinds>(view: View<K>, slot: number, out: K['motion']): void {
  const { geometry, motions } = tableOf(view, slot)
  geometry.setMotion(out, motions, rowAt(view, slot))
}

/** Whether any body of the view may have a velocity or a spin. */
export function mayMove({ table, old }: View): boolean {
  return [table, old].some((rows) => rows?.motions.some((column) => column !== null) === true)
}

export function isSensorAt(view: View, slot: number): boolean {
  return (tableOf(view, slot).flags[rowAt(view, slot)] & IS_SENSOR) !== 0
}

/** Slot of the body's list of tags, −1 without one; it means the same list for as long as the view is open. */
export function tagsAt(view: View, slot: number): number {
  return tableOf(view, slot).tagsOf[rowAt(view, slot)]
}

/** Puts the body's box at out[0…]: its low sides, then its high ones, rounded outward; infinite where it has no bounds. */
export function boxAt(view: View, slot: number, out: Float64Array): void {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  const { itemBoxes } = table.tree
  if (table.unbounded.has(row)) {
    measureBox(table, row, out, 0)
    return
  }
  const sides = sideCount(table)
  for (let k = 0; k < sides; k++) out[k] = itemBoxes[sides * row + k]
}

/** A bound on the coordinates of all bounded bodies, and of the positions of all. */
export function reachOf({ table, old }: View): number {
  return Math.max(table.reach, old?.reach ?? 0)
}

/**
 * Calls `visit` with the bodies whose boxes the moving box may meet up to the time that it last returned (`limit` at first), nearer
 * ones first more or less, and when at the earliest; the unbounded ones too.
 */
export function visitOnTheWay<K extends Kinds>(
  view: View<K>,
  moving: K['movingBox'],
  limit: number,
  visit: (slot: number, time: number) => number,
): void {
  const { table, old, oldSlots } = view
  const { geometry } = table
  let latest = limit
  geometry.visitMovingBox(table.tree, moving, limit, (slot, time) => {
    if (!hasChanged(view, slot)) latest = visit(slot, time)
    return latest
  })
  if (old !== null) {
    geometry.visitMovingBox(old.tree, moving, latest, (row, time) => {
      latest = visit(oldSlots[row], time)
      return latest
    })
  }
  visitUnbounded(view, (slot) => visit(slot, 0))
}

/** Calls `visit` for the bodies that no box bounds, more or less. */
export function visitUnbounded(view: View, visit: (slot: number) => void): void {
  const { table, old, oldSlots } = view
  for (const slot of table.unbounded) if (!hasChanged(view, slot)) visit(slot)
  if (old !== null) for (const row of old.unbounded) visit(oldSlots[row])
}

const found = createItemList()

/** The slots of bodies whose boxes meet the one at box[0…], in no particular order, replacing what `out` held; the unbounded ones too. */
export function bodiesInBox(view: View, box: Float64Array, out: ItemList): void {
  const { table, limit, old, changed, oldSlots } = view
  const { geometry } = table
  geometry.queryBox(table.tree, box, out)
  if (changed.size > 0 || table.used > limit) {
    let kept = 0
    for (let k = 0; k < out.count; k++) {
      if (!hasChanged(view, out.items[k])) out.items[kept++] = out.items[k]
    }
    out.count = kept
    if (old !== null) {
      geometry.queryBox(old.tree, box, found)
      for (let k = 0; k < found.count; k++) add(out, oldSlots[found.items[k]])
    }
  }
  visitUnbounded(view, (slot) => add(out, slot))
}

function add(list: ItemList, item: number): void {
  if (list.count === list.items.length) growItems(list)
  list.items[list.count++] = item
}
