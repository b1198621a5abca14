/**
 * A scene as the fold over its operations: `apply` is the one place where it changes.
 *
 * Equal entries give equal scenes, to the last bit: ids and times arrive inside them, and slots are given out in a fixed order.
 */

import { finishAtOnce, Pace, type Slices } from '../../containers/budget.ts'
import { validateDynamicTree } from '../../core/dynamic-tree.ts'
import {
  adoptElsewhere,
  beginRebuild,
  bodyHasMoved,
  finishRebuild,
  forgetBody,
  measureBox,
  noteBox,
  placeInTree,
  prepareRow,
  rebuildTree,
  rebuildTreeInSlices,
  removeFromTree,
  sideCount,
  validateBoxes,
} from './body-cache.ts'
import {
  type BodyTable,
  createBodyTable,
  createTableLike,
  freeSlot,
  patchRow,
  poseStart,
  readRow,
  reserveSlots,
  shapeSlot,
  takeSlot,
  turns,
  writeRow,
} from './body-table.ts'
import { type Kinds, PLANE, type Plane, type Prepares, type SceneDimension, SPACE } from './geometry.ts'
import { idOf, reserveIndex, slotOfId } from './ids.ts'
import { dropPairs, validateKeptPairs } from './kept-pairs.ts'
import {
  type BodyPatch,
  type BodyStore,
  type CreateOperation,
  changedBody,
  checkOperations,
  type Entry,
  type Operation,
  type OperationFault,
  operationsWeight,
  type SceneBody,
  type SceneSettings,
  takeEffect,
} from './operation.ts'
import {
  type FoundBody,
  foundOf,
  hasCostlyShapes,
  heldContents,
  holdContents,
  isCostlyShape,
  letGoContents,
  reserveShapes,
  shapeNumbers,
  validateShapes,
} from './shape-pool.ts'
import { boundsOfScene, closeView, keepRow, openView, type View } from './view.ts'

/** `K`: the types of its dimension. */
export interface Scene<K extends Kinds = Kinds> {
  id: string
  name: string | null
  dimension: SceneDimension
  /** Seconds; null: the scene does not expire by itself. */
  ttl: number | null
  margin: number
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  /** Number of the last entry; 0 before the first. */
  version: number
  /** Digest of the last entry, 16 bytes; zeros where entries come without. */
  digest: Uint8Array
  table: BodyTable<K>
  /** How bodies of each dimension are prepared. */
  prepares: Prepares
  /** Open views, which keep what is overwritten. */
  views: Set<View<K>>
  /** While an entry is applied in slices, readers see the version before, with its bounds; null at other times. */
  front: View<K> | null
  frontBounds: Float64Array | null
}

export type PlaneScene = Scene<Plane>

/** An entry that places so many bodies, and one for so many that there are, makes the tree anew instead of changing it. */
const REBUILD_COUNT = 1024
const REBUILD_SHARE_COUNT = 8

/** Weight of an entry from which it is applied in slices, and cost of an operation, in points of bodies. */
const SLICED_WEIGHT = 2 ** 10
const OPERATION_POINTS = 32
const ID_POINTS = 4

const NO_DIGEST = new Uint8Array(16)

/** Before its first entry. */
export function createScene(prepares: Prepares): Scene {
  return {
    id: '',
    name: null,
    dimension: 2,
    ttl: null,
    margin: 0,
    createdAt: 0,
    updatedAt: 0,
    version: 0,
    digest: NO_DIGEST,
    table: createBodyTable(PLANE, prepares[2], 0),
    prepares,
    views: new Set(),
    front: null,
    frontBounds: null,
  }
}

/** The fault that prevents an entry with these operations from being applied, or null. */
export function check({ table }: Scene, operations: readonly Operation[]): OperationFault | null {
  return checkOperations((id) => slotOfId(table.ids, id) >= 0, operations)
}

/** How many bodies readers see. */
export function bodyCountOf({ front, table }: Scene): number {
  return front === null ? table.count : front.count
}

/** Applies the next entry, whose operations have been checked. The slots of the bodies that it has placed, and that are there. */
export function apply(scene: Scene, entry: Entry): Iterable<number> {
  const { operations } = entry
  holdShapes(scene, entry)
  const { isBulk, puts } = planOf(scene, operations)
  let boxes = isBulk ? finishAtOnce(beginBulk(scene, newBodyCount(scene, operations, puts))) : null
  const rows = new Rows(scene, !isBulk)
  for (const operation of operations) {
    applyOperation(scene, operation, rows)
    // The table is another one from here on, and the old one's boxes belong to its views.
    if (operation.op === 'clear' && isBulk) boxes = finishAtOnce(beginBulk(scene, puts))
  }
  for (const [slot, box] of rows.touched) place(scene.table, slot, boxes, box)
  if (boxes !== null) rebuildTree(scene.table, boxes)
  finishEntry(scene, entry)
  return rows.touched.keys()
}

/** Holds the contents of kept shapes that an entry brings, and no longer those that it lets go of: before its operations. */
export function holdShapes({ table: { shapes } }: Scene, { kept = [], letGo = [] }: Entry): void {
  letGoContents(shapes, letGo)
  holdContents(shapes, kept)
}

/** Whether an entry takes so long that it is to be applied in slices. */
export function takesLong({ table }: Scene, { operations }: Pick<Entry, 'operations'>): boolean {
  if (operationsWeight(operations, SLICED_WEIGHT) >= SLICED_WEIGHT) return true
  const { shapes, ids } = table
  const changesCostly = (operation: Operation) => {
    if (operation.op !== 'move' && operation.op !== 'patch') return false
    const slot = slotOfId(ids, operation.id)
    return slot >= 0 && isCostlyShape(shapes, shapeSlot(table, slot))
  }
  return hasCostlyShapes(shapes) && operations.some(changesCostly)
}

/**
 * Applies an entry as `apply` does, to the last bit, with pauses in which readers see the version before. Run it to its end, and apply
 * nothing else to the scene meanwhile.
 */
export function* applyInSlices(scene: Scene, entry: Entry): Slices<Iterable<number>> {
  const { operations } = entry
  const front = openView(scene)
  scene.frontBounds = boundsOfScene(scene)
  scene.front = front
  const pace = new Pace()
  try {
    holdShapes(scene, entry)
    const { isBulk, puts } = planOf(scene, operations)
    const brought = yield* countNew(scene, operations, pace)
    yield* makeRoom(scene, brought, pace)
    let boxes = isBulk ? yield* beginBulk(scene, brought) : null
    const rows = new Rows(scene, !isBulk)
    for (const operation of operations) {
      applyOperation(scene, operation, rows)
      if (operation.op === 'clear') {
        yield* makeRoom(scene, puts, pace)
        if (isBulk) boxes = yield* beginBulk(scene, puts)
      }
      if (pace.isDue(OPERATION_POINTS * operationsWeight([operation], SLICED_WEIGHT))) yield
    }
    for (const [slot, box] of rows.touched) {
      if (box === null) yield* prepareRow(scene.table, slot)
      place(scene.table, slot, boxes, box)
      if (pace.isDue(OPERATION_POINTS + shapeNumbers(scene.table.shapes, shapeSlot(scene.table, slot)))) yield
    }
    if (boxes !== null) yield* rebuildTreeInSlices(scene.table, boxes, pace)
    finishEntry(scene, entry)
    return rows.touched.keys()
  } finally {
    scene.front = null
    scene.frontBounds = null
    closeView(scene, front)
  }
}

/**
 * Applies some operations of an entry to a scene that nobody reads yet, as `apply` does, but for the tree, which is made when all entries
 * are applied (`finishReplay`), and for what `finishEntry` does.
 */
export function* replayInSlices(scene: Scene, operations: readonly Operation[]): Slices<void> {
  const pace = new Pace()
  const { puts } = planOf(scene, operations)
  const rows = new Rows(scene, false)
  let boxes = yield* makeRoomForReplay(scene, puts, pace)
  for (const operation of operations) {
    applyOperation(scene, operation, rows)
    if (operation.op === 'clear') boxes = yield* makeRoomForReplay(scene, puts, pace)
    if (pace.isDue(OPERATION_POINTS * operationsWeight([operation], SLICED_WEIGHT))) yield
  }
  const { table } = scene
  for (const slot of rows.touched.keys()) {
    yield* prepareRow(table, slot)
    noteBox(table, slot, boxes)
    if (pace.isDue(OPERATION_POINTS + shapeNumbers(table.shapes, shapeSlot(table, slot)))) yield
  }
}

function* makeRoomForReplay(scene: Scene, puts: number, pace: Pace): Slices<Float64Array> {
  yield* makeRoom(scene, puts, pace)
  return yield* beginBulk(scene, puts)
}

/** Makes the tree, after the last entry. */
export function finishReplay({ table }: Scene): Slices<void> {
  return finishRebuild(table, new Pace())
}

/** How many bodies are put, and whether so many are placed that the tree is made anew. */
function planOf({ margin, table }: Scene, operations: readonly Operation[]): { isBulk: boolean; puts: number } {
  let puts = 0
  let moves = 0
  for (const { op } of operations) {
    if (op === 'put') puts++
    if (op === 'move' || op === 'patch') moves++
  }
  // With a margin, small moves change nothing in the tree.
  const placed = margin === 0 ? puts + moves : puts
  return { isBulk: placed >= REBUILD_COUNT && REBUILD_SHARE_COUNT * placed >= table.count, puts }
}

function* countNew({ table: { ids } }: Scene, operations: readonly Operation[], pace: Pace): Slices<number> {
  let count = 0
  for (const operation of operations) {
    if (operation.op === 'put' && slotOfId(ids, operation.body.id) < 0) count++
    if (pace.isDue(ID_POINTS)) yield
  }
  return count
}

/** Makes room for what would otherwise be made in one go when it is needed. */
function* makeRoom({ table: { ids, shapes } }: Scene, puts: number, pace: Pace): Slices<void> {
  yield* reserveIndex(ids, ids.count + puts, pace)
  yield* reserveShapes(shapes, shapes.count + puts, pace)
}

/** Sets what an entry leaves besides its operations. */
export function finishEntry(scene: Scene, { version, at, digest }: Entry): void {
  scene.version = version
  if (digest !== undefined) scene.digest = digest
  scene.updatedAt = at
}

/** How many bodies the operations bring at most; where there is room for all that they put, it is not asked which are new. */
function newBodyCount({ table: { ids, used, flags } }: Scene, operations: readonly Operation[], puts: number): number {
  if (used + puts <= flags.length) return puts
  let count = 0
  for (const operation of operations) if (operation.op === 'put' && slotOfId(ids, operation.body.id) < 0) count++
  return count
}

/** Makes room for `count` more bodies. */
function* beginBulk({ table }: Scene, count: number): Slices<Float64Array> {
  reserveSlots(table, table.used + count)
  yield
  return yield* beginRebuild(table, table.used + count)
}

function applyOperation(scene: Scene, operation: Operation, rows: Rows): void {
  if (operation.op === 'create') create(scene, operation)
  else if (operation.op === 'configure') configure(scene, operation)
  else takeEffect(operation, rows)
}

/** Of the dimension of the scene. */
export function emptyTable({ dimension, prepares, margin }: Scene): BodyTable {
  return dimension === 2 ? createBodyTable(PLANE, prepares[2], margin) : createBodyTable(SPACE, prepares[3], margin)
}

function create(scene: Scene, operation: CreateOperation): void {
  scene.id = operation.sceneId
  scene.dimension = operation.dimension
  if (scene.table.geometry.dimension !== operation.dimension) replaceTable(scene, emptyTable(scene))
  scene.createdAt = operation.at
  configure(scene, operation)
}

/** Kept shapes are held as before: operations behind this one may name them. */
function replaceTable(scene: Scene, table: BodyTable): void {
  holdContents(table.shapes, heldContents(scene.table.shapes).values())
  scene.table = table
}

function configure(scene: Scene, { name, ttl, margin }: SceneSettings): void {
  if (name !== undefined) scene.name = name
  if (ttl !== undefined) scene.ttl = ttl
  if (margin === undefined) return
  scene.margin = margin
  scene.table.tree.margin = margin
}

/** The bodies of a scene, while an entry is applied to them. */
class Rows implements BodyStore {
  /**
   * Bodies whose boxes are to be measured, each once, when all operations are applied: in the order in which they were first
   * placed. The box, where it is known.
   */
  readonly touched = new Map<number, Float64Array | null>()
  readonly #scene: Scene
  readonly #isTree: boolean

  /** `isTree`: whether the tree is changed body by body, and not made anew in the end. */
  constructor(scene: Scene, isTree: boolean) {
    this.#scene = scene
    this.#isTree = isTree
  }

  put(body: SceneBody): void {
    const { table } = this.#scene
    const known = slotOfId(table.ids, body.id)
    const isNew = known < 0
    const slot = isNew ? takeSlot(table, body.id) : known
    keepRow(this.#scene, slot, isNew)
    if (!isNew) forgetBody(table, slot)
    writeRow(table, slot, body, isNew)
    this.touched.set(slot, takeFound(table, slot, foundOf(body) ?? foundOf(body.shape)))
  }

  /** A shape that stays is not looked at: it may have 100,000 vertices. */
  change(id: string, fields: BodyPatch): void {
    const { table } = this.#scene
    const slot = slotOfId(table.ids, id)
    if (fields.shape !== undefined) {
      this.put(changedBody(readRow(table, slot), fields))
      return
    }
    keepRow(this.#scene, slot, false)
    patchRow(table, slot, fields)
    const isTurning = turns(fields)
    if (!isTurning && fields.position === undefined) return
    if (isTurning) forgetBody(table, slot)
    else bodyHasMoved(table, slot)
    this.touched.set(slot, null)
  }

  remove(id: string): void {
    const { table } = this.#scene
    const slot = slotOfId(table.ids, id)
    keepRow(this.#scene, slot, false)
    forgetBody(table, slot)
    freeSlot(table, slot)
    this.touched.delete(slot)
    if (this.#isTree) removeFromTree(table, slot)
  }

  clear(): void {
    this.touched.clear()
    dropPairs(this.#scene.table)
    // Views that are open keep the old table as it is.
    replaceTable(this.#scene, createTableLike(this.#scene.table, this.#scene.margin))
  }
}

/** Makes use of what was found while a shape was checked; the box of the body, if it is known. */
function takeFound(table: BodyTable, slot: number, found: FoundBody | null): Float64Array | null {
  if (found === null) return null
  const { pose, core, box } = found
  const { places, geometry } = table
  const at = poseStart(table, slot)
  for (let k = geometry.axes; k < pose.length; k++) if (pose[k] !== places[at + k]) return null
  if (core !== null) adoptElsewhere(table, slot, core)
  for (let k = 0; k < geometry.axes; k++) if (pose[k] !== places[at + k]) return null
  return box
}

function place(table: BodyTable, slot: number, boxes: Float64Array | null, known: Float64Array | null): void {
  if (boxes === null) placeInTree(table, slot, known)
  else noteBox(table, slot, boxes, known)
}

/** The first fault in a scene, for tests; null without any. */
export function validateScene({ table, views }: Scene): string | null {
  const { count, used, ids, flags, lowestFree, shapes, tags, data, tagsOf } = table
  const shapeReferences = new Map<number, number>()
  const tagReferences = new Map<number, number>()
  const add = (references: Map<number, number>, slot: number) => references.set(slot, (references.get(slot) ?? 0) + 1)
  let inUse = 0
  for (let slot = 0; slot < flags.length; slot++) {
    if (flags[slot] === 0) {
      if (slot < lowestFree) return `slot ${slot} is free, below the lowest free one`
      if (slot < used && (idOf(ids, slot) !== '' || data.has(slot))) return `slot ${slot} is free and holds a body`
      continue
    }
    inUse++
    if (slot >= used) return `slot ${slot} lies beyond those used`
    if (slotOfId(ids, idOf(ids, slot)) !== slot) return `body ${idOf(ids, slot)} does not know its slot ${slot}`
    add(shapeReferences, shapeSlot(table, slot))
    if (tagsOf[slot] >= 0) add(tagReferences, tagsOf[slot])
  }
  if (inUse !== count || ids.count !== count) return `${inUse} slots in use of ${count} bodies, ${ids.count} known`
  for (const { old, table: viewed } of views) {
    if (old === null || viewed !== table) continue
    for (let row = 0; row < old.used; row++) {
      add(shapeReferences, shapeSlot(old, row))
      if (old.tagsOf[row] >= 0) add(tagReferences, old.tagsOf[row])
    }
  }
  const wrongShapes = validateShapes(shapes, shapeReferences)
  if (wrongShapes !== null) return wrongShapes
  if (tags.slotOf.size !== tagReferences.size) return `${tags.slotOf.size} lists of tags of ${tagReferences.size} used`
  for (const [slot, references] of tagReferences) {
    if (tags.references[slot] !== references) return `list of tags ${slot} has ${references} bodies`
  }
  const boxOf = (slot: number) => {
    if (flags[slot] === 0) return null
    const box = new Float64Array(sideCount(table))
    measureBox(table, slot, box, 0)
    return box
  }
  return validateBoxes(table) ?? validateDynamicTree(table.tree) ?? validateKeptPairs(table, used, boxOf)
}
