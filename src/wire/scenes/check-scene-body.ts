// Bodies that come into scenes, and into questions about them: checked here or, where that takes long, elsewhere.

import type { Body2d } from '../../../schemas/shapes2d.ts'
import { OutOfBudget, within } from '../../containers/budget.ts'
import { callFar, type FarSlices } from '../../containers/far-call.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { stepsHere } from '../../scene/queries/narrowing.ts'
import type { PrepareTask } from '../../scene/state/dear-body.ts'
import { farShapeOf } from '../../scene/state/far-body.ts'
import { foundOf, noteFound } from '../../scene/table/found-bodies.ts'
import { type BodyPatch, type SceneBody, shapeWeight } from '../../scene/table/operation.ts'
import { PackedShape, plainShape } from '../../scene/table/packed-shape.ts'
import { decodeBody } from '../decode/decode-body.ts'
import type { ShapeLimits } from '../decode/shape-limits.ts'
import { type DecodeProblem, isProblem } from '../problems/decode-problem.ts'
import type { CheckedShape, CheckTask, ReadShape, ReadTask } from './read-shape.ts'
import { checkFields, checkSceneBody } from './scene-body.ts'
import { UnreadShape } from './unread-shape.ts'

/** Items of the lists of a shape up to which it is checked at once, and from which on it is not even tried here. */
const LIGHT_WEIGHT = 2 ** 8
const HEAVY_WEIGHT = 2 ** 12

const POINT = { type: 'point' }
const ORIGIN = { x: 0, y: 0 }

/**
 * What is wrong with a body that is to be kept, with pointers relative to it, or null. A shape that was not read is packed then.
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
    const weight = stepsHere() > 0 ? shapeWeight(shape, HEAVY_WEIGHT) : HEAVY_WEIGHT
    if (weight <= LIGHT_WEIGHT) return checkSceneBody(body, limits)
    try {
      if (weight < HEAVY_WEIGHT) return within(stepsHere(), () => checkSceneBody(body, limits))
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

/** The same of new fields of a body, as far as it can be told without knowing the body. */
export function* checkFieldsInSlices(
  fields: BodyPatch,
  limits: ShapeLimits,
  where: string,
): FarSlices<DecodeProblem | null> {
  if (!(fields.shape instanceof UnreadShape)) return checkFields(fields)
  return (yield* readInto(fields as { shape: object }, {}, limits, where, true)) ?? checkFields(fields)
}

/** Fills `slot` with the body of a request, whose shape is read and checked elsewhere where that takes long; the problem, or null. */
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
  const isHeavy = stepsHere() === 0 || shapeWeight(shape, HEAVY_WEIGHT) >= HEAVY_WEIGHT
  if (!isHeavy) return decodeBody(wire, slot, limits)
  const checked = yield* callFar<DecodeProblem | CheckedShape>(checkTask(wire, limits))
  return isProblem(checked) ? checked : decodeBody(wire, slot, { ...limits, isPlain: checked.found?.isPlain === true })
}

/** The same of a body whose shape has been read and found to be one, perhaps at another pose: nothing of the slot is shared. */
function* decodePacked(wire: Body2d, slot: Body, limits: ShapeLimits): FarSlices<DecodeProblem | null> {
  const { position = ORIGIN, rotation = 0 } = wire
  const packed = wire.shape as object as PackedShape
  const found = foundOf(packed)
  const isPlain = found?.isPlain === true
  if (found !== null && found.core !== null) {
    const misplaced = checkFields({ position, rotation })
    if (misplaced !== null) return misplaced
    const shape = farShapeOf(packed.form, isPlain)
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

/** Packs the shape of `holder`, which was not read, if a body that has it is one; else the problem. */
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

/** What is wrong with a body whose shape was accepted before. */
export function checkPose(body: SceneBody, limits: ShapeLimits): DecodeProblem | null {
  const { shape } = body
  // what is decoded is not looked at
  const known = { ...limits, isPlain: true }
  // whether a shape takes a rotation is all that hangs on the pose
  if (!(shape instanceof PackedShape) || ((body.rotation ?? 0) !== 0 && shape.form.includes('"aabb"'))) {
    return checkSceneBody({ ...body, shape: plainShape(shape) }, known)
  }
  return checkSceneBody({ ...body, shape: POINT }, known)
}
