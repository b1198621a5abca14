// A ray against many bodies.

import type { RayCastRequest, RayCastResponse } from '../../../schemas/queries/ray-cast.ts'
import { createRay, createRayHit, rayCast } from '../../core2d/ray/ray-cast.ts'
import { decodeRay } from '../../wire/decode/decode-ray.ts'
import { encodeRayHit } from '../../wire/encode/encode-ray-cast.ts'
import { type DecodeProblem, under } from '../../wire/problems/decode-problem.ts'
import { type CastLimits, castAtTargets, checkTargets, targetBody } from './cast-at-targets.ts'

const ray = createRay()
const found = createRayHit()

const nearness = () => found.distance
const encode = (target: number) => encodeRayHit(target, found, targetBody)

/** The hits as the answer lists them, or the first problem, with pointers into the request. */
export function castRay(request: RayCastRequest, limits: CastLimits): RayCastResponse | DecodeProblem {
  const { targets, mode = 'closest', startInside = 'hit' } = request
  const problem = checkTargets(targets, limits) ?? under('/ray', decodeRay(request.ray, ray))
  if (problem !== null) return problem
  const meets = () => rayCast(ray, targetBody, startInside, found)
  return castAtTargets({ targets, mode, limits, meets, nearness, encode })
}
