// The query `shape-cast`. A moving body against many bodies at rest: the time of impact with each, the whole motion
// being the unit of time.

import type { ShapeCast3dRequest, ShapeCast3dResponse } from '../../../schemas/queries/shape-cast.ts'
import { createTimeOfImpact, timeOfImpact } from '../../core3d/impact/time-of-impact.ts'
import { createBody } from '../../core3d/shape/body.ts'
import { createMotion } from '../../core3d/shape/motion.ts'
import { decodeBody, isVectorInRange, vectorOutOfRange } from '../../wire/bodies/body-3d.ts'
import { encodeCastHit } from '../../wire/encode3d/encode-shape-cast.ts'
import { type DecodeProblem, under } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf, QueryLimits } from '../ask/query.ts'
import { castAtTargets, checkTargets } from '../stateless/cast-at-targets.ts'

export const shapeCast3dQuery: Query3dOf<'shape-cast'> = {
  tag: 'motion',
  summary: 'What does a body hit on its way?',
  description:
    'The body moves along a translation, and turns if asked; targets stand still. Touching is hitting. Every target is checked, also those behind the answer.',
  advice: 'Send fewer targets, or shapes with fewer points.',
  problems: [...QUERY_3D_PROBLEMS, 'too-many-targets'],
  answer: castShape,
}

const body = createBody()
const targetSlot = createBody()
const motion = createMotion()
const atRest = createMotion()
const found = createTimeOfImpact()

const STILL = { x: 0, y: 0, z: 0 }

const nearness = () => found.time

/** The hits as the answer lists them, or the first problem, with pointers into the request. */
function castShape(request: ShapeCast3dRequest, limits: QueryLimits): ShapeCast3dResponse | DecodeProblem {
  const { targets, mode = 'closest', ignoreSeparating = false } = request
  const problem = checkTargets(targets, limits) ?? decodeCast(request, limits)
  if (problem !== null) return problem
  const length = Math.hypot(motion.vx, motion.vy, motion.vz)
  const decode = (target: ShapeCast3dRequest['body']) => decodeBody(target, targetSlot, limits)
  const meets = () => {
    timeOfImpact(targetSlot, atRest, body, motion, 1, ignoreSeparating, found)
    return found.hit
  }
  const encode = (target: number) => encodeCastHit(target, found, targets[target].shape, length)
  return castAtTargets({ targets, mode, decode, meets, nearness, encode })
}

/** Fills `body` and `motion`. */
function decodeCast(request: ShapeCast3dRequest, limits: QueryLimits): DecodeProblem | null {
  const { translation, rotation = STILL } = request
  if (!isVectorInRange(translation)) return vectorOutOfRange(translation, '/translation')
  if (!isVectorInRange(rotation)) return vectorOutOfRange(rotation, '/rotation', 'Angles')
  motion.vx = translation.x
  motion.vy = translation.y
  motion.vz = translation.z
  motion.wx = rotation.x
  motion.wy = rotation.y
  motion.wz = rotation.z
  return under('/body', decodeBody(request.body, body, limits))
}
