/**
 * Checks of a write before it is sent, and the refusals that they lead to.
 *
 * A write that comes while entries are in flight is checked against `PendingBodies`, the scene's bodies as they will be once those are
 * applied: an overlay that holds only the differences from the scene below.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import { readRow, turns } from '../state/body-table.ts'
import type { SceneDimension } from '../state/geometry.ts'
import { slotOfId } from '../state/ids.ts'
import {
  type BodyStore,
  bodyIdOf,
  changedBody,
  checkOperationsInSlices,
  type Operation,
  type OperationFault,
  type SceneBody,
  takeEffect,
} from '../state/operation.ts'
import { bodyCountOf, type Scene } from '../state/scene.ts'
import { findBody, sceneBodyAt, type View } from '../state/view.ts'

/** Cost of adding a change and forgetting it, in points of bodies. */
const CHANGE_POINTS = 16
const FORGET_POINTS = 4

/** The complaint about a body that an operation would leave, or null. `isKnownShape`: its shape was accepted before. */
export type BodyCheck = (body: SceneBody, index: number, isKnownShape: boolean) => object | null

/** The same for scenes of every dimension. */
export type DimensionedCheck = (
  dimension: SceneDimension,
  body: SceneBody,
  index: number,
  isKnownShape: boolean,
) => object | null

/** The base of an overlay: a scene, or another overlay. */
export interface Below {
  readonly dimension: SceneDimension
  /** Bodies. */
  count(): number
  has(id: string): boolean
  body(id: string): SceneBody | undefined
}

export class PendingBodies implements Below {
  readonly dimension: SceneDimension
  private readonly below: Below
  /** The body as the entry of that version left it; null: removed. */
  private readonly changed = new Map<string, { version: number; body: SceneBody | null }>()
  /** Version of the last entry that cleared the scene; 0: none. */
  private clearedAt = 0

  private total: number

  constructor(below: Below) {
    this.below = below
    this.dimension = below.dimension
    this.total = below.count()
  }

  /** The base has changed by entries that were not added. No added entry may be left. */
  rebase(): void {
    this.total = this.below.count()
  }

  count(): number {
    return this.total
  }

  has(id: string): boolean {
    const change = this.changed.get(id)
    if (change !== undefined) return change.body !== null
    return this.clearedAt === 0 && this.below.has(id)
  }

  body(id: string): SceneBody | undefined {
    const change = this.changed.get(id)
    if (change !== undefined) return change.body ?? undefined
    return this.clearedAt === 0 ? this.below.body(id) : undefined
  }

  /**
   * Adds the operations of the entry `version`, whose bodies are known to be there. `check` sees each body that an
   * operation makes out of another; the first complaint ends it.
   */
  add(version: number, operations: readonly Operation[], check?: BodyCheck): object | null {
    const work = this.addInSlices(version, operations, new Pace(), check)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
    }
  }

  /** Adds an entry with pauses, in which nobody else may add anything. */
  *addInSlices(
    version: number,
    operations: readonly Operation[],
    pace: Pace,
    check?: BodyCheck,
  ): Slices<object | null> {
    let fault: object | null = null
    let index = 0
    const { changed } = this
    const store: BodyStore = {
      put: (body) => {
        if (!this.has(body.id)) this.total++
        changed.set(body.id, { version, body })
      },
      change: (id, fields) => {
        const body = changedBody(this.body(id) as SceneBody, fields)
        fault = check?.(body, index, fields.shape === undefined) ?? null
        if (fault === null) changed.set(id, { version, body })
      },
      remove: (id) => {
        this.total--
        changed.set(id, { version, body: null })
      },
      clear: () => {
        changed.clear()
        this.clearedAt = version
        this.total = 0
      },
    }
    for (; index < operations.length; index++) {
      takeEffect(operations[index], store)
      if (fault !== null) return fault
      if (pace.isDue(CHANGE_POINTS)) yield
    }
    return null
  }

  /** The latest state of each added body; null: removed. In the order in which they were first added since the last clear. */
  *changes(): Iterable<SceneBody | null> {
    for (const { body } of this.changed.values()) yield body
  }

  /** Ids of the bodies that operations which have been added are about, since all were cleared. */
  changedIds(): Iterable<string> {
    return this.changed.keys()
  }

  /** Whether an operation that has been added is about the body. */
  isAbout(id: string): boolean {
    return this.changed.has(id)
  }

  /** Whether nothing that was below is left but what has been added. */
  get isCleared(): boolean {
    return this.clearedAt !== 0
  }

  /** The entry `version`, which was added, is part of the scene below now. */
  forget(version: number, operations: readonly Operation[]): void {
    const work = this.forgetInSlices(version, operations, new Pace())
    while (work.next().done !== true);
  }

  /** Works with pauses, in which the overlay reads the same as before and after. */
  *forgetInSlices(version: number, operations: readonly Operation[], pace: Pace): Slices<void> {
    if (this.clearedAt === version) this.clearedAt = 0
    for (const operation of operations) {
      const id = bodyIdOf(operation)
      if (id !== null && this.changed.get(id)?.version === version) this.changed.delete(id)
      if (pace.isDue(FORGET_POINTS)) yield
    }
  }
}

export type WriteRefusal =
  | { readonly refusal: 'unknown-scene' | 'scene-exists' | 'too-many-scenes' | 'key-reused' }
  | { readonly refusal: 'scene-damaged'; readonly damage: string }
  /** `version`: where the scene stands, or will once the writes in flight are durable. */
  | { readonly refusal: 'other-version'; readonly version: number; readonly digest: Uint8Array }
  | { readonly refusal: 'unknown-body'; readonly fault: OperationFault }
  /** `count`: the bodies that there would be. */
  | { readonly refusal: 'too-many-bodies'; readonly count: number }
  /** The complaint of `accepts` about the body that the operation `index` would leave. */
  | { readonly refusal: 'unacceptable-body'; readonly index: number; readonly fault: object }

/** Limits and functions that a write is checked with. */
export interface WriteChecks {
  readonly accepts?: DimensionedCheck
  readonly maxBodies?: number
}

/** The refusal of the operations against `below`, or null. `below` must not change in pauses. */
export function* refusalOf(
  below: Below,
  operations: readonly Operation[],
  { accepts, maxBodies = Infinity }: WriteChecks,
  pace: Pace,
): Slices<WriteRefusal | null> {
  const fault = yield* checkOperationsInSlices((id) => below.has(id), operations, pace)
  if (fault !== null) return { refusal: 'unknown-body', fault }
  const makesOthers = accepts !== undefined && operations.some(makesAnotherBody)
  const mayBeTooMany = maxBodies < Infinity && below.count() + putCount(operations) > maxBodies
  if (!makesOthers && !mayBeTooMany) return null
  let index = 0
  const trial = new PendingBodies(below)
  const onlyOnce = accepts === undefined ? () => null : checkingOnce((...asked) => accepts(below.dimension, ...asked))
  const check: BodyCheck = (body, at, isKnownShape) => {
    index = at
    return makesOthers && makesAnotherBody(operations[at]) ? onlyOnce(body, at, isKnownShape) : null
  }
  const complaint = yield* trial.addInSlices(1, operations, pace, check)
  if (complaint !== null) return { refusal: 'unacceptable-body', index, fault: complaint }
  const count = mayBeTooMany ? trial.count() : 0
  return count > maxBodies ? { refusal: 'too-many-bodies', count } : null
}

function putCount(operations: readonly Operation[]): number {
  let count = 0
  for (const { op } of operations) if (op === 'put') count++
  return count
}

/** The bodies of a scene as readers see them. */
export function bodiesOf(scene: Scene): Below {
  const slotOf = (id: string) => (scene.front === null ? slotOfId(scene.table.ids, id) : findBody(scene.front, id))
  return {
    dimension: scene.dimension,
    count: () => bodyCountOf(scene),
    has: (id) => slotOf(id) >= 0,
    body: (id) => {
      const slot = slotOf(id)
      if (slot < 0) return undefined
      return scene.front === null ? readRow(scene.table, slot) : sceneBodyAt(scene.front, slot)
    },
  }
}

/** The bodies of a view. */
export function bodiesIn(view: View): Below {
  return {
    dimension: view.table.geometry.dimension,
    count: () => view.count,
    has: (id) => findBody(view, id) >= 0,
    body: (id) => {
      const slot = findBody(view, id)
      return slot < 0 ? undefined : sceneBodyAt(view, slot)
    },
  }
}

/** Puts were checked where they came from; moves that do not turn a body leave it acceptable. */
const makesAnotherBody = (operation: Operation) =>
  operation.op === 'patch' || (operation.op === 'move' && turns(operation))

// Checks of the bodies that a write would leave.

/** Stands for a shape that has been accepted, so that only the pose is looked at. */
const ACCEPTED = { type: 'point' }

/**
 * Checks no shape more than twice in a write, unrotated and rotated: acceptance depends on the pose in no other way. One write may
 * change a body of 100,000 vertices 100,000 times.
 */
/** `orientation` is one of unit length. */
function isTurnedBody({ rotation = 0, orientation }: SceneBody): boolean {
  if (orientation === undefined) return rotation !== 0
  const { x, y, z } = orientation
  return x !== 0 || y !== 0 || z !== 0
}

export function checkingOnce(accepts: BodyCheck): BodyCheck {
  const asItLies = new WeakSet<object>()
  const turned = new WeakSet<object>()
  return (body, at, isKnownShape) => {
    const accepted = isTurnedBody(body) ? turned : asItLies
    if (accepted.has(body.shape)) return accepts({ ...body, shape: ACCEPTED }, at, isKnownShape)
    const fault = accepts(body, at, isKnownShape)
    if (fault === null) accepted.add(body.shape)
    return fault
  }
}
