// Bodies of scenes: checked when they arrive, and prepared for the core whenever a query needs them.

import { reference } from '../../schemas/reference.ts'
import { MAX_DATA_BYTES } from '../../schemas/scenes/body.ts'
import { type Body2d, type MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import { OutOfBudget, within } from '../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import { measureOuterBox } from '../core2d/queries/body-boxes.ts'
import { type Body, COMPOSITE, createBody } from '../core2d/shape/body.ts'
import { touchesItself } from '../core2d/shape/composite.ts'
import { createMotion } from '../core2d/shape/motion.ts'
import { TooMuchToRead } from '../json/brackets.ts'
import { assertReadable } from '../json/input.ts'
import { describeText } from '../scene/queries/described-body.ts'
import type { PrepareTask } from '../scene/queries/scene-tasks.ts'
import { COSTLY_SHAPE_ITEMS, LIGHT_SHAPE_ITEMS, LIGHT_STEPS } from '../scene/queries/thresholds.ts'
import type { Prepare } from '../scene/state/body-table.ts'
import { type BodyPatch, type MoveOperation, type SceneBody, shapeWeight } from '../scene/state/operation.ts'
import { type FoundBody, foundOf, noteFound } from '../scene/state/shape-pool.ts'
import { canonicalText, PackedShape, plainShape } from '../scene/state/shape-text.ts'
import { decodeBody, decodeMovingBody, releaseLarge, SCHEMA_LIMITS, type ShapeLimits } from './body.ts'
import {
  type DecodeProblem,
  inRange,
  isProblem,
  outOfRange,
  problemAt,
  problemOf,
  under,
  vectorOutOfRange,
} from './decode-problem.ts'
import { schemasByName } from './named-schemas.ts'
import { parseKept } from './scene-data.ts'
import { violationProblem } from './schema-violation.ts'
import { UnreadShape } from './unread-shape.ts'
import { bodyCompiler, takeErrors } from './validators.ts'

const scratch: Body = createBody()
const motion = createMotion()

const PLAIN: ShapeLimits = { ...SCHEMA_LIMITS, isPlain: true }

/** Fills `out` with a shape that was accepted before, under whatever limits there were then. */
export const prepareShape: Prepare = (shape, x, y, rotation, out, isPlain = false) => {
  const limits = isPlain ? PLAIN : SCHEMA_LIMITS
  const problem = decodeBody({ shape, position: { x, y }, rotation } as Body2d, out, limits)
  if (problem !== null) throw new Error(`A shape of a scene is none: ${problem.detail}`)
}

/**
 * The problem of a body, with pointers relative to it, or null. `data` is text. Properties of a shape that is costly to
 * prepare are noted.
 */
export function checkSceneBody(body: Omit<SceneBody, 'id'>, limits: ShapeLimits): DecodeProblem | null {
  try {
    const problem = decodeMovingBody(body as MovingBody2d, scratch, motion, limits)
    if (problem !== null) return problem
    if (limits.isPlain !== true && isWorthNoting(scratch)) noteFound(body.shape, findBody(scratch, body.rotation))
    return checkDataSize(body.data)
  } finally {
    releaseLarge(scratch)
  }
}

/** Properties of a body with fewer points are computed as fast as they are looked up. */
const NOTED_POINTS = 32

function isWorthNoting({ kind, count }: Body): boolean {
  return kind === COMPOSITE || count >= NOTED_POINTS
}

/** Properties of a decoded body that a scene keeps; `isHandedOn`: with the body itself, which must not change afterwards. */
export function findBody(body: Body, rotation = 0, isHandedOn = false): FoundBody {
  const { x, y } = body
  const box = new Float64Array(4)
  measureOuterBox(body, box, 0)
  return { x, y, rotation, box, isPlain: !touchesItself(body), core: isHandedOn ? body : null }
}

/** The problem of new fields of a body, as far as it does not depend on the body; or null. */
export function checkFields(fields: BodyPatch | Omit<MoveOperation, 'op' | 'id'>): DecodeProblem | null {
  const { position, rotation, velocity, angularVelocity } = fields
  if (position && !(inRange(position.x) && inRange(position.y))) return vectorOutOfRange(position, '/position')
  if (rotation && !inRange(rotation)) return outOfRange(rotation, '/rotation', 'Angles')
  if (velocity && !(inRange(velocity.x) && inRange(velocity.y))) {
    return vectorOutOfRange(velocity, '/velocity', 'Velocities')
  }
  if (angularVelocity && !inRange(angularVelocity)) {
    return outOfRange(angularVelocity, '/angularVelocity', 'Angular velocities')
  }
  return 'data' in fields ? checkDataSize(fields.data) : null
}

/** The problem of the data of a body, which is text; or null. */
export function checkDataSize(data: unknown): DecodeProblem | null {
  if (typeof data !== 'string' || 3 * data.length <= MAX_DATA_BYTES) return null
  const actual = Buffer.byteLength(data)
  if (actual <= MAX_DATA_BYTES) return null
  const detail = `data may have at most ${MAX_DATA_BYTES} bytes, got ${actual}.`
  return problemAt('/data', 'data-too-large', detail, { limit: MAX_DATA_BYTES, actual })
}

// Tasks that a worker does: shapes are read, checked and prepared.

/** Check a body. */
interface CheckTask extends FarTask {
  readonly kind: 'check'
  /** JSON text of the body, without its id and its data. */
  readonly text: string
  readonly limits: ShapeLimits
}

/** The body is valid; properties of it. */
interface CheckedShape {
  readonly found: FoundBody | null
}

/** Read, check and prepare a shape. */
interface ReadTask extends FarTask {
  readonly kind: 'read'
  /** JSON text of the shape, perhaps. */
  readonly bytes: Uint8Array
  /** Of the body. */
  readonly pose: {
    readonly [Field in 'position' | 'rotation' | 'velocity' | 'angularVelocity']: SceneBody[Field] | undefined
  }
  readonly limits: ShapeLimits
  /** Pointer to the body. */
  readonly where: string
  /** Whether it is for a scene to keep; scenes do not distinguish −0 from 0. */
  readonly isKept: boolean
}

/** See `PackedShape`. */
export interface ReadShape {
  readonly form: string
  readonly items: number
  readonly found: FoundBody
}

let validate: ReturnType<ReturnType<typeof bodyCompiler>> | undefined

export function isBodyTask(task: FarTask): task is CheckTask | ReadTask {
  return task.kind === 'check' || task.kind === 'read'
}

export function doBodyTask(task: CheckTask | ReadTask): ReadShape | CheckedShape | DecodeProblem {
  if (task.kind === 'read') return readShape(task)
  const body = JSON.parse(task.text)
  return checkSceneBody(body, task.limits) ?? { found: foundOf(body.shape) }
}

/** The problem has pointers relative to the body. */
function readShape({ bytes, pose, limits, where, isKept }: ReadTask): ReadShape | DecodeProblem {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let shape: object
  try {
    assertReadable(buffer)
    shape = isKept ? parseKept(buffer.toString()) : JSON.parse(buffer.toString())
  } catch (error) {
    if (error instanceof TooMuchToRead) {
      return error.pointer === null
        ? problemOf('schema-violation', error.message)
        : problemAt(`/shape${error.pointer}`, 'schema-violation', error.message)
    }
    return problemOf('malformed-json', `The body is not JSON: ${(error as Error).message}.`)
  }
  const violation = violationOf(shape, where)
  if (violation !== null) return violation
  // not a kept one, because it may be transferred
  const core = createBody()
  const problem = decodeMovingBody({ shape, ...pose } as Body2d, core, createMotion(), limits)
  if (problem !== null) return problem
  const found = findBody(core, pose.rotation, isCheapToHandOn(core))
  return { form: canonicalText(shape), items: shapeWeight(shape, Infinity), found }
}

function violationOf(shape: object, where: string): DecodeProblem | null {
  validate ??= bodyCompiler(schemasByName)(reference(Shape2d))
  if (validate(shape)) return null
  return under('/shape', violationProblem(takeErrors(validate)[0], `${where}/shape`))
}

/** A few large arrays, and not many small ones. */
function isCheapToHandOn({ composite }: Body): boolean {
  return composite !== null && composite.partCount === 1 && composite.parts[0].outline !== null
}

// Bodies of requests: small ones are checked here, and costly ones by a worker.

const POINT = { type: 'point' }
const ORIGIN = { x: 0, y: 0 }

/**
 * The problem of a body that a scene is to keep, with pointers relative to it, or null. A shape that was not read is packed then.
 * `where`: the pointer to the body.
 */
export function* checkInSlices(
  body: Omit<SceneBody, 'id'>,
  limits: ShapeLimits,
  where: string,
): FarSlices<DecodeProblem | null> {
  const { shape, data, ...pose } = body
  let problem: DecodeProblem | null
  if (shape instanceof UnreadShape) {
    problem = yield* readInto(body, body, limits, where, true)
  } else {
    const items = shapeWeight(shape, COSTLY_SHAPE_ITEMS)
    if (items <= LIGHT_SHAPE_ITEMS) return checkSceneBody(body, limits)
    try {
      if (items < COSTLY_SHAPE_ITEMS) return within(LIGHT_STEPS, () => checkSceneBody(body, limits))
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
    }
    const checked = yield* callFar<DecodeProblem | CheckedShape>(checkTask({ shape, ...pose }, limits))
    problem = isProblem(checked) ? checked : null
    if (!isProblem(checked) && checked.found !== null) noteFound(shape, checked.found)
  }
  return problem ?? checkSceneBody({ shape: POINT, data }, limits)
}

function checkTask(body: object, limits: ShapeLimits): CheckTask {
  return { kind: 'check', text: JSON.stringify(body), limits: { ...limits } }
}

/** The problem of new fields of a body, as far as it does not depend on the body, or null. A costly shape is checked by a worker. */
export function* checkFieldsInSlices(
  fields: BodyPatch,
  limits: ShapeLimits,
  where: string,
): FarSlices<DecodeProblem | null> {
  if (!(fields.shape instanceof UnreadShape)) return checkFields(fields)
  return (yield* readInto(fields as { shape: object }, {}, limits, where, true)) ?? checkFields(fields)
}

/** Fills `slot` with the body of a request; a worker reads and checks a costly shape. Returns the problem, or null. */
export function* decodeInSlices(
  wire: Body2d,
  slot: Body,
  limits: ShapeLimits,
  where: string,
): FarSlices<DecodeProblem | null> {
  const { shape } = wire
  if ((shape as object) instanceof PackedShape) return yield* decodePacked(wire, slot, limits)
  if ((shape as object) instanceof UnreadShape) {
    const problem = yield* readInto(wire, wire, limits, where, false)
    const core = foundOf(wire.shape)?.core ?? null
    if (problem !== null || core === null) return problem ?? (yield* decodePacked(wire, slot, limits))
    Object.assign(slot, core)
    return null
  }
  if (shapeWeight(shape, COSTLY_SHAPE_ITEMS) < COSTLY_SHAPE_ITEMS) return decodeBody(wire, slot, limits)
  const checked = yield* callFar<DecodeProblem | CheckedShape>(checkTask(wire, limits))
  return isProblem(checked) ? checked : decodeBody(wire, slot, { ...limits, isPlain: checked.found?.isPlain === true })
}

/** Fills `slot` with a body whose shape has been read and checked, perhaps at another pose. The slot shares nothing. */
function* decodePacked(wire: Body2d, slot: Body, limits: ShapeLimits): FarSlices<DecodeProblem | null> {
  const { position = ORIGIN, rotation = 0 } = wire
  const packed = wire.shape as object as PackedShape
  const found = foundOf(packed)
  const isPlain = found?.isPlain === true
  if (found !== null && found.core !== null) {
    const misplaced = checkFields({ position, rotation })
    if (misplaced !== null) return misplaced
    const shape = describeText(packed.form, isPlain)
    const { x, y } = position
    const task: PrepareTask = { kind: 'prepare', body: { shape, x, y, rotation, atX: x, atY: y } }
    Object.assign(slot, yield* callFar<Body>(task))
    return null
  }
  yield
  const shape = packed.toJSON() as Body2d['shape']
  yield
  const problem = decodeBody({ shape, position, rotation }, slot, { ...limits, isPlain })
  yield
  return problem
}

/** Packs the unread shape of `holder`, if a body with it is valid; returns the problem otherwise. */
function* readInto(
  holder: { shape: object },
  body: Omit<SceneBody, 'id' | 'shape'>,
  limits: ShapeLimits,
  where: string,
  isKept: boolean,
): FarSlices<DecodeProblem | null> {
  const { bytes } = holder.shape as UnreadShape
  const { position, rotation, velocity, angularVelocity } = body
  const pose = { position, rotation, velocity, angularVelocity }
  const task: ReadTask = { kind: 'read', bytes, pose, limits: { ...limits }, where, isKept }
  const read = yield* callFar<ReadShape | DecodeProblem>(task)
  if (isProblem(read)) return read
  holder.shape = new PackedShape(read.form, read.items)
  noteFound(holder.shape, read.found)
  return null
}

/** The problem of a body whose shape was accepted before, or null. */
export function checkPose(body: SceneBody, limits: ShapeLimits): DecodeProblem | null {
  const { shape } = body
  // only the problem is of interest
  const known = { ...limits, isPlain: true }
  // of the pose, only a rotation can be a problem: not every shape takes one
  if (!(shape instanceof PackedShape) || ((body.rotation ?? 0) !== 0 && shape.form.includes('"aabb"'))) {
    return checkSceneBody({ ...body, shape: plainShape(shape) }, known)
  }
  return checkSceneBody({ ...body, shape: POINT }, known)
}
