// The query `shape-cast`. A moving body against many bodies at rest: the time of impact with each, the whole motion
// being the unit of time.

import type { ShapeCastRequest, ShapeCastResponse } from '../../../schemas/queries/shape-cast.ts'
import { createTimeOfImpact, timeOfImpact } from '../../core2d/impact/time-of-impact.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import { createSlot, decodeBody, type ShapeLimits } from '../../wire/bodies/body.ts'
import { encodeCastHit } from '../../wire/encode/encode-shape-cast.ts'
import { type DecodeProblem, inRange, outOfRange, under, vectorOutOfRange } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'
import { type CastLimits, castAtTargets, checkTargets, decodeTarget, targetBody } from './cast-at-targets.ts'

export const shapeCastQuery: QueryOf<'shape-cast'> = {
  tag: 'motion',
  summary: 'What does a body hit on its way?',
  description:
    'The body moves along a translation, and turns if asked; targets stand still. Touching is hitting. Every target is checked, also those behind the answer.',
  advice: 'Send fewer targets, or shapes with fewer vertices or parts.',
  problems: [...QUERY_PROBLEMS, 'too-many-targets'],
  answer: castShape,
}

const body = createSlot()
const motion = createMotion()
const atRest = createMotion()
const found = createTimeOfImpact()

const nearness = () => found.time

/** The hits as the answer lists them, or the first problem, with pointers into the request. */
function castShape(request: ShapeCastRequest, limits: CastLimits): ShapeCastResponse | DecodeProblem {
  const { targets, mode = 'closest', ignoreSeparating = false } = request
  const problem = checkTargets(targets, limits) ?? decodeCast(request, limits)
  if (problem !== null) return problem
  const length = Math.hypot(motion.vx, motion.vy)
  const meets = () => {
    timeOfImpact(targetBody, atRest, body, motion, 1, ignoreSeparating, found)
    return found.hit
  }
  const encode = (target: number) => encodeCastHit(target, found, targetBody, length)
  return castAtTargets({ targets, mode, decode: decodeTarget(limits), meets, nearness, encode })
}

/** Fills `body` and `motion`. */
function decodeCast(request: ShapeCastRequest, limits: ShapeLimits): DecodeProblem | null {
  return decodeCastMotion(request, motion) ?? under('/body', decodeBody(request.body, body, limits))
}

/** Fills `out`; null when all is well. The problem has pointers into the request. */
export function decodeCastMotion(
  { translation, rotation = 0 }: Pick<ShapeCastRequest, 'translation' | 'rotation'>,
  out: Motion,
): DecodeProblem | null {
  if (!inRange(translation.x) || !inRange(translation.y)) return vectorOutOfRange(translation, '/translation')
  if (!inRange(rotation)) return outOfRange(rotation, '/rotation', 'Angles')
  out.vx = translation.x
  out.vy = translation.y
  out.spin = rotation
  return null
}
