// The query `ray-cast`. A ray against many bodies.

import type { RayCastRequest, RayCastResponse } from '../../../schemas/queries/ray-cast.ts'
import { createRay, createRayHit, rayCast } from '../../core2d/ray/ray-cast.ts'
import { decodeRay } from '../../wire/decode/decode-ray.ts'
import { encodeRayHit } from '../../wire/encode/encode-ray-cast.ts'
import { type DecodeProblem, under } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'
import { type CastLimits, castAtTargets, checkTargets, decodeTarget, targetBody } from './cast-at-targets.ts'

export const rayCastQuery: QueryOf<'ray-cast'> = {
  tag: 'rays',
  summary: 'What does a ray hit?',
  description:
    'Targets are closed sets: a ray through a vertex or along an edge hits. Every target is checked, also those behind the answer.',
  advice: 'Send fewer targets, or targets with fewer vertices or parts.',
  problems: [...QUERY_PROBLEMS, 'too-many-targets', 'ray-direction-zero'],
  answer: castRay,
}

const ray = createRay()
const found = createRayHit()

const nearness = () => found.distance
const encode = (target: number) => encodeRayHit(target, found, targetBody)

/** The hits as the answer lists them, or the first problem, with pointers into the request. */
function castRay(request: RayCastRequest, limits: CastLimits): RayCastResponse | DecodeProblem {
  const { targets, mode = 'closest', startInside = 'hit' } = request
  const problem = checkTargets(targets, limits) ?? under('/ray', decodeRay(request.ray, ray))
  if (problem !== null) return problem
  const meets = () => rayCast(ray, targetBody, startInside, found)
  return castAtTargets({ targets, mode, decode: decodeTarget(limits), meets, nearness, encode })
}
