/**
 * The one vocabulary of change: what can happen to a scene, as entries of its log hold it.
 *
 * Operations are plain JSON values that have been checked before; ids and times arrive inside them, so that replaying a log
 * gives the same scene. Units and frames are those of the wire: world, radians, seconds.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { SceneDimension } from './geometry.ts'
import type { KeptContent } from './kept-content.ts'
import { PackedShape } from './shape-text.ts'

export interface Vec2 {
  x: number
  y: number
}

/** `z` in space. */
interface Place extends Vec2 {
  z?: number
}

interface Orientation extends Vec2 {
  z: number
  w: number
}

/** A body as it was put: what is absent was absent, and stays so when it is read back. */
export interface SceneBody {
  id: string
  /** The caller's own JSON value, or that packed; what it means is known to whoever prepares bodies. */
  shape: object
  position?: Place
  /** In the plane. */
  rotation?: number
  /** In space. */
  orientation?: Orientation
  velocity?: Place
  /** A number in the plane. */
  angularVelocity?: number | Place
  tags?: readonly string[]
  sensor?: boolean
  /** Any JSON value, handed back untouched. */
  data?: unknown
}

/** Fields that replace those of a body; null takes an optional one away, and those that are undefined stay. */
export type BodyPatch = {
  -readonly [Field in Exclude<keyof SceneBody, 'id' | 'shape'>]?: SceneBody[Field] | null | undefined
} & { shape?: object | undefined }

/** `ttl` in seconds, `at` and other times in milliseconds since 1970. */
export interface SceneSettings {
  name?: string | null
  ttl?: number | null
  /** Length by which boxes in the tree are wider, so that small moves change nothing. */
  margin?: number
}

export interface CreateOperation extends SceneSettings {
  op: 'create'
  sceneId: string
  dimension: SceneDimension
  at: number
}

interface ConfigureOperation extends SceneSettings {
  op: 'configure'
  at: number
}

/** The last that happens to a scene. */
export interface DropOperation {
  op: 'drop'
  reason: 'deleted' | 'expired'
  at: number
}

interface PutOperation {
  op: 'put'
  body: SceneBody
}

export interface MoveOperation {
  op: 'move'
  id: string
  position?: Place
  rotation?: number
  orientation?: Orientation
  velocity?: Place
  angularVelocity?: number | Place
}

interface PatchOperation {
  op: 'patch'
  id: string
  fields: BodyPatch
}

interface RemoveOperation {
  op: 'remove'
  id: string
}

interface ClearOperation {
  op: 'clear'
}

export type Operation =
  | CreateOperation
  | ConfigureOperation
  | DropOperation
  | PutOperation
  | MoveOperation
  | PatchOperation
  | RemoveOperation
  | ClearOperation

/** `answer`: what its answer says beside the version, as text; true: the settings of the scene. */
export interface EntryKey {
  key: string
  fingerprint: string
  answer?: string | true
}

/** One accepted write. */
export interface Entry {
  /** Number of the entry: 1, 2, 3, … */
  version: number
  at: number
  operations: readonly Operation[]
  /** Of kept shapes that the operations name, and that the scene does not hold before; it holds them from now on. */
  kept?: readonly KeptContent[]
  /** Ids of kept shapes that no body names, and that the scene holds no more. */
  letGo?: readonly string[]
  /** Makes a retry of the request safe. */
  key?: EntryKey
  /** 16 bytes by which the write is known wherever it arrives; absent in logs of earlier releases. */
  writeId?: Uint8Array
  /** See `store/checksum-frame.ts`; absent where nobody asks for it. */
  digest?: Uint8Array
}

/**
 * The approximate cost of operations: one for each, and one for each item of a list in its shape. Counting stops at `most`.
 */
export function operationsWeight(operations: readonly Operation[], most: number): number {
  let weight = 0
  for (let k = 0; k < operations.length && weight < most; k++) {
    const operation = operations[k]
    weight++
    const shape =
      operation.op === 'put' ? operation.body.shape : operation.op === 'patch' ? operation.fields.shape : null
    if (shape) weight += shapeWeight(shape, most - weight)
  }
  return weight
}

/** The items of all lists in a shape, as long as they are no more than `most`. */
export function shapeWeight(value: object, most: number): number {
  if (value instanceof PackedShape) return value.items
  if (ArrayBuffer.isView(value)) return (value as Float64Array).length
  // the items of a list are of one kind: numbers, points, or what may have lists
  if (Array.isArray(value) && isFlat(value[0])) return value.length
  const fields: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let weight = Array.isArray(value) ? value.length : 0
  for (let k = 0; k < fields.length && weight < most; k++) {
    const field = fields[k]
    if (typeof field === 'object' && field !== null) weight += shapeWeight(field, most - weight)
  }
  return weight
}

/** Whether nothing lies in an item of a list but words and numbers. */
function isFlat(item: unknown): boolean {
  if (typeof item !== 'object') return true
  for (const name in item) if (typeof (item as Record<string, unknown>)[name] === 'object') return false
  return true
}

// Effects of operations on bodies, defined once for every keeper of bodies: the rows of a scene, the bodies of entries in flight, and the
// ids that an entry may touch. Operations of settings do nothing to bodies. Callers first check that the body of an operation exists.

/** Cost of looking up a body, in points of bodies. */
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
      const { position, rotation, orientation, velocity, angularVelocity } = operation
      store.change(operation.id, { position, rotation, orientation, velocity, angularVelocity })
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

/** Applies them with pauses, in which nothing else may change the bodies. */
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
