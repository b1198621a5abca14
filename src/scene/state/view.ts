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
import { type MovingBox, queryBox, visitMovingBox } from '../../core2d/broad-phase/dynamic-tree-queries.ts'
import type { Bounds } from '../../core2d/queries/bounds.ts'
import type { Body } from '../../core2d/shape/body.ts'
import type { Motion } from '../../core2d/shape/motion.ts'
import {
  adoptBody,
  bodyWeight,
  boxInTree,
  holdBody,
  keptBody,
  measureBox,
  placeInTree,
  preparedBody,
} from './body-cache.ts'
import {
  type BodyTable,
  copyRow,
  createBodyTable,
  IS_SENSOR,
  prepareAt,
  readRow,
  releaseRows,
  rotationOf,
  xOf,
  yOf,
} from './body-table.ts'
import { idByteCount, idOf, slotOfId } from './ids.ts'
import { noteChange } from './kept-pairs.ts'
import type { SceneBody, Vec2 } from './operation.ts'

// The box around the bodies of a scene, without looking at all of them.
//
// Method: the box of a node holds those of its items, so each side is found by going down where it may still get farther, the
// farther child first.

/** The fields of a scene that bounds are read from. */
interface BoundedScene {
  table: Pick<BodyTable, 'tree'>
  front: View | null
  frontBounds: Bounds | null
}

/** Of those that have bounds, rounded outward; null without any. */
export function boundsOfScene({ front, frontBounds, table: { tree } }: BoundedScene): Bounds | null {
  if (front !== null) return frontBounds
  if (tree.count === 0) return null
  return {
    minX: -farthest(tree, 0, -1),
    minY: -farthest(tree, 1, -1),
    maxX: farthest(tree, 2, 1),
    maxY: farthest(tree, 3, 1),
  }
}

/** The greatest sign · side of all items. */
function farthest({ boxes, child, itemBoxes }: DynamicTree, side: number, sign: number): number {
  let best = -Infinity
  const nodes = [0]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (sign * boxes[4 * node + side] <= best) continue
    const first = child[node]
    if (first < 0) {
      best = Math.max(best, sign * itemBoxes[4 * ~first + side])
      continue
    }
    const isFirstFarther = sign * boxes[4 * first + side] >= sign * boxes[4 * first + 4 + side]
    nodes.push(isFirstFarther ? first + 1 : first, isFirstFarther ? first : first + 1)
  }
  return best
}

export interface View {
  readonly version: number
  readonly digest: Uint8Array
  readonly table: BodyTable
  /** Slots from here on were taken later. */
  readonly limit: number
  /** The slots below that have changed since: the row in `old`, or −1 where there was no body. */
  readonly changed: Map<number, number>
  old: BodyTable | null
  /** Slots of the old rows. */
  readonly oldSlots: number[]
  /** Bodies, and what their ids take. */
  readonly count: number
  readonly idBytes: number
  /** How many keep it open. */
  holders: number
}

/** A scene that views are opened on. */
export interface Viewed {
  version: number
  digest: Uint8Array
  table: BodyTable
  views: Set<View>
  /** The view that everybody sees while an entry is being applied; null at other times. */
  front: View | null
}

/** Good until the next write: for what does not pause. */
export function presentView({ version, digest, table, front }: Viewed): View {
  if (front !== null) return front
  const { used: limit, count } = table
  const idBytes = idByteCount(table.ids)
  return { version, digest, table, limit, changed: new Map(), old: null, oldSlots: [], count, idBytes, holders: 0 }
}

/** Good until it is closed. */
export function openView(scene: Viewed): View {
  return holdView(scene, presentView(scene))
}

function holdView(scene: Viewed, view: View): View {
  if (view.holders++ === 0) scene.views.add(view)
  return view
}

/** To be called by everybody who has opened the view. */
export function closeView(scene: Viewed, view: View): void {
  if (--view.holders > 0 || !scene.views.delete(view) || view.old === null) return
  releaseRows(view.old)
}

/** Work that pauses now and then, on a view that is open for as long as it takes. It must be run to its end or returned. */
export function* onView<Result>(scene: Viewed, ask: (view: View) => FarSlices<Result>): FarSlices<Result> {
  const view = openView(scene)
  return yield* finishOn(scene, view, ask(view))
}

/** Runs up to the first pause at once: work without a pause needs no view that stays open. Run the rest too, or the view stays open. */
export function onViewAtOnce<Result extends object>(
  scene: Viewed,
  ask: (view: View) => FarSlices<Result>,
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
    view.old ??= createBodyTable(table.prepare, 0, table)
    const row = copyRow(table, slot, view.old)
    placeInTree(view.old, row, boxInTree(table, slot))
    const kept = keptBody(table, slot)
    if (kept !== null) adoptBody(view.old, row, kept)
    view.changed.set(slot, row)
    view.oldSlots[row] = slot
  }
}

/** The table that holds a slot's row as it was, and where: read `rowAt` next. */
export function tableOf(view: View, slot: number): BodyTable {
  return view.changed.size > 0 && view.changed.has(slot) ? (view.old as BodyTable) : view.table
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

/** (0, 0) where none was given. */
export function positionAt(view: View, slot: number): Vec2 {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  return { x: xOf(table, row), y: yOf(table, row) }
}

/** The prepared body, until the next one is asked for; it must not be changed. */
export function bodyAt(view: View, slot: number): Body {
  return preparedBody(tableOf(view, slot), rowAt(view, slot))
}

/** Cost of looking at the body once, in points, including its preparation where it is not kept. */
export function weightAt(view: View, slot: number): number {
  return bodyWeight(bodyAt(view, slot))
}

/** The body in `own` or elsewhere; it stays valid when other bodies are read. */
export function heldBodyAt(view: View, slot: number, own: Body): Body {
  return holdBody(tableOf(view, slot), rowAt(view, slot), own)
}

/** Fills `out` with the body's shape at another pose; what is not given stays. */
export function posedBodyAt(view: View, slot: number, position: Vec2 | null, rotation: number | null, out: Body): void {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  const { x, y } = position ?? { x: xOf(table, row), y: yOf(table, row) }
  prepareAt(table, row, x, y, rotation ?? rotationOf(table, row), out)
}

export function motionAt(view: View, slot: number, out: Motion): void {
  const { vx, vy, spin } = tableOf(view, slot)
  const row = rowAt(view, slot)
  out.vx = vx === null ? 0 : vx[row]
  out.vy = vy === null ? 0 : vy[row]
  out.spin = spin === null ? 0 : spin[row]
}

/** Whether any body of the view may have a velocity or a spin. */
export function mayMove({ table, old }: View): boolean {
  return [table, old].some((rows) => rows !== null && (rows.vx !== null || rows.vy !== null || rows.spin !== null))
}

export function isSensorAt(view: View, slot: number): boolean {
  return (tableOf(view, slot).flags[rowAt(view, slot)] & IS_SENSOR) !== 0
}

/** Slot of the body's list of tags, −1 without one; it means the same list for as long as the view is open. */
export function tagsAt(view: View, slot: number): number {
  return tableOf(view, slot).tagsOf[rowAt(view, slot)]
}

/** Puts the body's box at out[0…3]: min x, min y, max x, max y, rounded outward; infinite where it has no bounds. */
export function boxAt(view: View, slot: number, out: Float64Array): void {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  const { itemBoxes } = table.tree
  if (table.unbounded.has(row)) {
    measureBox(table, row, out, 0)
    return
  }
  for (let k = 0; k < 4; k++) out[k] = itemBoxes[4 * row + k]
}

/** A bound on the coordinates of all bounded bodies. */
export function reachOf({ table, old }: View): number {
  return Math.max(table.reach, old?.reach ?? 0)
}

/**
 * Calls `visit` with the bodies whose boxes the moving box may meet up to the time that it last returned (`limit` at first), nearer
 * ones first more or less, and when at the earliest; the unbounded ones too.
 */
export function visitOnTheWay(
  view: View,
  moving: MovingBox,
  limit: number,
  visit: (slot: number, time: number) => number,
): void {
  const { table, old, oldSlots } = view
  let latest = limit
  visitMovingBox(table.tree, moving, limit, (slot, time) => {
    if (!hasChanged(view, slot)) latest = visit(slot, time)
    return latest
  })
  if (old !== null) {
    visitMovingBox(old.tree, moving, latest, (row, time) => {
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
const box = new Float64Array(4)

/** The slots of bodies whose boxes meet the given one, in no particular order, replacing what `out` held; the unbounded ones too. */
export function bodiesInBox(view: View, minX: number, minY: number, maxX: number, maxY: number, out: ItemList): void {
  const { table, limit, old, changed, oldSlots } = view
  box[0] = minX
  box[1] = minY
  box[2] = maxX
  box[3] = maxY
  queryBox(table.tree, box, 0, out)
  if (changed.size > 0 || table.used > limit) {
    let kept = 0
    for (let k = 0; k < out.count; k++) {
      if (!hasChanged(view, out.items[k])) out.items[kept++] = out.items[k]
    }
    out.count = kept
    if (old !== null) {
      queryBox(old.tree, box, 0, found)
      for (let k = 0; k < found.count; k++) add(out, oldSlots[found.items[k]])
    }
  }
  visitUnbounded(view, (slot) => add(out, slot))
}

function add(list: ItemList, item: number): void {
  if (list.count === list.items.length) growItems(list)
  list.items[list.count++] = item
}

/** The box around all bodies, infinite where one has no bounds; null without bodies. O(bodies). */
export function boundsOfView(view: View): Bounds | null {
  const bounds: Bounds = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (!hasBody(view, slot)) continue
    boxAt(view, slot, box)
    bounds.minX = Math.min(bounds.minX, box[0])
    bounds.minY = Math.min(bounds.minY, box[1])
    bounds.maxX = Math.max(bounds.maxX, box[2])
    bounds.maxY = Math.max(bounds.maxY, box[3])
  }
  return bounds.maxX === -Infinity && bounds.minX === Infinity ? null : bounds
}
