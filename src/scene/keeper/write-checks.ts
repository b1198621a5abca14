/** Checks of a write before it is sent, and the refusals that they lead to. */

import type { Pace, Slices } from '../../containers/pace.ts'
import { bodyCountOf, type Scene } from '../state/scene.ts'
import { findBody, sceneBodyAt, type View } from '../state/view.ts'
import { readRow } from '../table/body-table.ts'
import { slotOfId } from '../table/ids.ts'
import { checkOperationsInSlices, type Operation, type OperationFault } from '../table/operation.ts'
import { type Below, type BodyCheck, PendingBodies } from './pending-bodies.ts'

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
  readonly accepts?: BodyCheck
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
  const onlyOnce = accepts === undefined ? () => null : checkingOnce(accepts)
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
  operation.op === 'patch' || (operation.op === 'move' && operation.rotation !== undefined)

// Checks of the bodies that a write would leave.

/** Stands for a shape that has been accepted, so that only the pose is looked at. */
const ACCEPTED = { type: 'point' }

/**
 * Checks no shape more than twice in a write, as it lies and turned: whether it is accepted does not hang on the pose but for that.
 * The same body may be changed 100,000 times, and have as many vertices.
 */
export function checkingOnce(accepts: BodyCheck): BodyCheck {
  const asItLies = new WeakSet<object>()
  const turned = new WeakSet<object>()
  return (body, at, isKnownShape) => {
    const accepted = (body.rotation ?? 0) === 0 ? asItLies : turned
    if (accepted.has(body.shape)) return accepts({ ...body, shape: ACCEPTED }, at, isKnownShape)
    const fault = accepts(body, at, isKnownShape)
    if (fault === null) accepted.add(body.shape)
    return fault
  }
}
