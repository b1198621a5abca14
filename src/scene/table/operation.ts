/**
 * The one vocabulary of change: what can happen to a scene, as entries of its log hold it.
 *
 * Operations are plain JSON values that have been checked before; ids and times arrive inside them, so that replaying a log
 * gives the same scene. Units and frames are those of the wire: world, radians, seconds.
 */

import { PackedShape } from './packed-shape.ts'

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
  dimension: 2
  at: number
}

export interface ConfigureOperation extends SceneSettings {
  op: 'configure'
  at: number
}

/** The last that happens to a scene. */
export interface DropOperation {
  op: 'drop'
  reason: 'deleted' | 'expired'
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
  /** What makes a retry of the request safe. */
  key?: EntryKey
  /** 16 bytes by which the write is known wherever it arrives; absent in logs of earlier releases. */
  writeId?: Uint8Array
  /** See `store/digest.ts`; absent where nobody asks for it. */
  digest?: Uint8Array
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
