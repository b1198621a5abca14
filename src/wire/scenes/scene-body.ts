// Bodies of scenes: checked on the way in, and prepared for the core whenever a query needs them.

import { MAX_DATA_BYTES } from '../../../schemas/scenes/body.ts'
import type { Body2d, MovingBody2d } from '../../../schemas/shapes2d.ts'
import { measureOuterBox } from '../../core2d/measures/outer-box.ts'
import { type Body, COMPOSITE, createBody } from '../../core2d/shape/body.ts'
import { touchesItself } from '../../core2d/shape/composite.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import type { Prepare } from '../../scene/table/body-table.ts'
import { type FoundBody, noteFound } from '../../scene/table/found-bodies.ts'
import type { BodyPatch, MoveOperation, SceneBody } from '../../scene/table/operation.ts'
import { decodeBody, decodeMovingBody } from '../decode/decode-body.ts'
import { SCHEMA_LIMITS, type ShapeLimits } from '../decode/shape-limits.ts'
import { releaseLarge } from '../decode/slots.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt, vectorOutOfRange } from '../problems/decode-problem.ts'

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
 * What is wrong with a body, with pointers relative to it, or null. `data` is text. What was found about a shape that is dear to
 * prepare is noted.
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

/** Boxes of a body with fewer points are found as fast as it is looked up what they were. */
const NOTED_POINTS = 32

function isWorthNoting({ kind, count }: Body): boolean {
  return kind === COMPOSITE || count >= NOTED_POINTS
}

/** What a scene is told of a body that has been decoded; `isHandedOn`: with the body, which is left as it is then. */
export function findBody(body: Body, rotation = 0, isHandedOn = false): FoundBody {
  const { x, y } = body
  const box = new Float64Array(4)
  measureOuterBox(body, box, 0)
  return { x, y, rotation, box, isPlain: !touchesItself(body), core: isHandedOn ? body : null }
}

/** The same for what can be said of new fields of a body without knowing the body. */
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

/** What is wrong with the data of a body, as text; or null. */
export function checkDataSize(data: unknown): DecodeProblem | null {
  if (typeof data !== 'string' || 3 * data.length <= MAX_DATA_BYTES) return null
  const actual = Buffer.byteLength(data)
  if (actual <= MAX_DATA_BYTES) return null
  const detail = `data may have at most ${MAX_DATA_BYTES} bytes, got ${actual}.`
  return problemAt('/data', 'data-too-large', detail, { limit: MAX_DATA_BYTES, actual })
}
