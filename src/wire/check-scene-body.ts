// Bodies that come into scenes, checked here or, where that takes long, elsewhere.

import type { Body2d } from '../../schemas/body.ts'
import { OutOfBudget, within } from '../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import type { Body } from '../core2d/body.ts'
import { narrowing } from '../scene/narrow.ts'
import { type SceneBody, shapeWeight } from '../scene/operation.ts'
import { decodeBody, type ShapeLimits } from './decode-body.ts'
import type { DecodeProblem } from './decode-problem.ts'
import { checkSceneBody } from './scene-body.ts'

/** What is wrong with a body? */
export interface CheckTask extends FarTask {
  readonly kind: 'check'
  /** JSON text of the body, without its id and its data. */
  readonly text: string
  readonly limits: ShapeLimits
}

/** Items of the lists of a shape up to which it is checked at once, and from which on it is not even tried here. */
const LIGHT_WEIGHT = 2 ** 8
const HEAVY_WEIGHT = 2 ** 12

/** What is wrong with a body, with pointers relative to it, or null. */
export function* checkInSlices(body: Omit<SceneBody, 'id'>, limits: ShapeLimits): FarSlices<DecodeProblem | null> {
  const weight = narrowing.steps > 0 ? shapeWeight(body.shape, HEAVY_WEIGHT) : HEAVY_WEIGHT
  if (weight <= LIGHT_WEIGHT) return checkSceneBody(body, limits)
  try {
    if (weight < HEAVY_WEIGHT) return within(narrowing.steps, () => checkSceneBody(body, limits))
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
  }
  const { data, ...rest } = body
  const task: CheckTask = { kind: 'check', text: JSON.stringify(rest), limits: { ...limits } }
  return (yield* callFar<DecodeProblem | null>(task)) ?? checkSceneBody({ shape: POINT, data }, limits)
}

/** Fills `slot` with the body of a request, whose shape is checked elsewhere where that takes long; the problem, or null. */
export function* decodeInSlices(wire: Body2d, slot: Body, limits: ShapeLimits): FarSlices<DecodeProblem | null> {
  const { shape, position, rotation } = wire
  const isHeavy = narrowing.steps === 0 || shapeWeight(shape, HEAVY_WEIGHT) >= HEAVY_WEIGHT
  if (!isHeavy) return decodeBody(wire, slot, limits)
  const text = JSON.stringify({ shape, position, rotation })
  const task: CheckTask = { kind: 'check', text, limits: { ...limits } }
  const problem = yield* callFar<DecodeProblem | null>(task)
  return problem ?? decodeBody(wire, slot, { ...limits, isKnown: true })
}

const POINT = { type: 'point' }

export function isCheckTask(task: FarTask): task is CheckTask {
  return task.kind === 'check'
}

export function doCheckTask({ text, limits }: CheckTask): DecodeProblem | null {
  return checkSceneBody(JSON.parse(text), limits)
}
