/**
 * What operations do to bodies, said once for all who keep some: the rows of a scene, the bodies of entries in flight, and the
 * ids of those that an entry may be about.
 *
 * Operations of settings do nothing to bodies. Whether a body is there that an operation is about is asked before.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import type { BodyPatch, Operation, SceneBody } from './operation.ts'

/** What it costs to look whether a body is there, in points of bodies. */
const CHECK_POINTS = 8

/** Whoever keeps bodies. */
export interface BodyStore {
  /** A body comes, or takes the place of the one of its id. */
  put(body: SceneBody): void
  /** Fields of a body take the places of those that it has; null takes one away, and what is undefined stays. */
  change(id: string, fields: BodyPatch): void
  remove(id: string): void
  /** No body is there any more. */
  clear(): void
}

/** Does to the bodies of `store` what the operation says. */
export function takeEffect(operation: Operation, store: BodyStore): void {
  switch (operation.op) {
    case 'create':
    case 'configure':
    case 'drop':
      return
    case 'put':
      store.put(operation.body)
      return
    case 'move': {
      const { position, rotation, velocity, angularVelocity } = operation
      store.change(operation.id, { position, rotation, velocity, angularVelocity })
      return
    }
    case 'patch':
      store.change(operation.id, operation.fields)
      return
    case 'remove':
      store.remove(operation.id)
      return
    case 'clear':
      store.clear()
  }
}

/** The body that an operation is about, where it is about one. */
export function bodyIdOf(operation: Operation): string | null {
  if (operation.op === 'put') return operation.body.id
  return 'id' in operation ? operation.id : null
}

/** The body after a change of fields. */
export function changedBody(body: SceneBody, fields: BodyPatch): SceneBody {
  const changed = { ...body } as Record<string, unknown>
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (value === null) delete changed[name]
    else changed[name] = value
  }
  return changed as unknown as SceneBody
}

/** The first operation that cannot be applied, and why. */
export interface OperationFault {
  code: 'unknown-body'
  /** Of the operation in its entry. */
  index: number
  id: string
}

/** Which bodies are there, after each operation. */
class Presence implements BodyStore {
  /** The first body that an operation was about and that was not there. */
  missing: string | null = null
  readonly #before: (id: string) => boolean
  readonly #changed = new Map<string, boolean>()
  #isCleared = false

  constructor(before: (id: string) => boolean) {
    this.#before = before
  }

  put({ id }: SceneBody): void {
    this.#changed.set(id, true)
  }

  change(id: string): void {
    if (!(this.#changed.get(id) ?? (!this.#isCleared && this.#before(id)))) this.missing ??= id
  }

  remove(id: string): void {
    this.change(id)
    this.#changed.set(id, false)
  }

  clear(): void {
    this.#isCleared = true
    this.#changed.clear()
  }
}

/**
 * The first operation about a body that is not there, or null. `has`: the bodies before the first operation. Cost O(operations).
 */
export function checkOperations(has: (id: string) => boolean, operations: readonly Operation[]): OperationFault | null {
  const work = checkOperationsInSlices(has, operations, new Pace())
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** The same with pauses, in which the bodies must stay the same. */
export function* checkOperationsInSlices(
  has: (id: string) => boolean,
  operations: readonly Operation[],
  pace: Pace,
): Slices<OperationFault | null> {
  if (!operations.some(mustFindBody)) return null
  const presence = new Presence(has)
  for (let index = 0; index < operations.length; index++) {
    takeEffect(operations[index], presence)
    if (presence.missing !== null) return { code: 'unknown-body', index, id: presence.missing }
    if (pace.isDue(CHECK_POINTS)) yield
  }
  return null
}

function mustFindBody({ op }: Operation): boolean {
  return op === 'move' || op === 'patch' || op === 'remove'
}
