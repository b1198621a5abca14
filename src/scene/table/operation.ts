/**
 * The one vocabulary of change: what can happen to a scene, as entries of its log hold it.
 *
 * Operations are plain JSON values that have been checked before; ids and times arrive inside them, so that replaying a log
 * gives the same scene. Units and frames are those of the wire: world, radians, seconds.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import { PackedShape } from './packed-shape.ts'

/** What it costs to look whether a body is there, in points of bodies. */
const CHECK_POINTS = 8

export interface Vec2 {
  x: number
  y: number
}

/** A body as it was put: what is absent was absent, and stays so when it is read back. */
export interface SceneBody {
  id: string
  /** The caller's own JSON value, or that packed; what it means is known to whoever prepares bodies. */
  shape: object
  position?: Vec2
  rotation?: number
  velocity?: Vec2
  angularVelocity?: number
  tags?: readonly string[]
  sensor?: boolean
  /** Any JSON value, handed back untouched. */
  data?: unknown
}

/** Fields that replace those of a body; null takes an optional one away. */
export type BodyPatch = { -readonly [Field in Exclude<keyof SceneBody, 'id' | 'shape'>]?: SceneBody[Field] | null } & {
  shape?: object
}

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
  dimension: 2
  at: number
}

export interface ConfigureOperation extends SceneSettings {
  op: 'configure'
  at: number
}

export interface PutOperation {
  op: 'put'
  body: SceneBody
}

export interface MoveOperation {
  op: 'move'
  id: string
  position?: Vec2
  rotation?: number
  velocity?: Vec2
  angularVelocity?: number
}

export interface PatchOperation {
  op: 'patch'
  id: string
  fields: BodyPatch
}

export interface RemoveOperation {
  op: 'remove'
  id: string
}

export interface ClearOperation {
  op: 'clear'
}

export type Operation =
  | CreateOperation
  | ConfigureOperation
  | PutOperation
  | MoveOperation
  | PatchOperation
  | RemoveOperation
  | ClearOperation

/** One accepted write. */
export interface Entry {
  /** Number of the entry: 1, 2, 3, … */
  version: number
  at: number
  operations: readonly Operation[]
  /** What makes a retry of the request safe. */
  key?: { key: string; fingerprint: string }
}

/**
 * What operations cost, more or less: one for each, and for each item of a list in a shape that comes with it; no more than `most` is
 * counted.
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
  const fields: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let weight = Array.isArray(value) ? value.length : 0
  for (let k = 0; k < fields.length && weight < most; k++) {
    const field = fields[k]
    if (typeof field === 'object' && field !== null) weight += shapeWeight(field, most - weight)
  }
  return weight
}

/** The first operation that cannot be applied, and why. */
export interface OperationFault {
  code: 'unknown-body'
  /** Of the operation in its entry. */
  index: number
  id: string
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
  if (!operations.some(isAboutBody)) return null
  /** Bodies whose presence the operations have changed so far. */
  let changed = new Map<string, boolean>()
  let isCleared = false
  for (let index = 0; index < operations.length; index++) {
    const operation = operations[index]
    switch (operation.op) {
      case 'put':
        changed.set(operation.body.id, true)
        break
      case 'clear':
        isCleared = true
        changed = new Map()
        break
      case 'move':
      case 'patch':
      case 'remove': {
        const { id } = operation
        if (!(changed.get(id) ?? (!isCleared && has(id)))) return { code: 'unknown-body', index, id }
        if (operation.op === 'remove') changed.set(id, false)
      }
    }
    if (pace.isDue(CHECK_POINTS)) yield
  }
  return null
}

function isAboutBody({ op }: Operation): boolean {
  return op === 'move' || op === 'patch' || op === 'remove'
}

/** The body after a move. */
export function movedBody(body: SceneBody, move: MoveOperation): SceneBody {
  const { position, rotation, velocity, angularVelocity } = move
  return {
    ...body,
    ...(position !== undefined && { position }),
    ...(rotation !== undefined && { rotation }),
    ...(velocity !== undefined && { velocity }),
    ...(angularVelocity !== undefined && { angularVelocity }),
  }
}

/** The body after a patch. */
export function patchedBody(body: SceneBody, fields: BodyPatch): SceneBody {
  const patched = { ...body } as Record<string, unknown>
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (value === null) delete patched[name]
    else patched[name] = value
  }
  return patched as unknown as SceneBody
}
