// The query `ray-cast`. A ray against many bodies.

import type { RayCast3dRequest, RayCast3dResponse } from '../../../schemas/queries/ray-cast.ts'
import { createRay, createRayHit, rayCast } from '../../core3d/ray/ray-cast.ts'
import { createBody } from '../../core3d/shape/body.ts'
import { decodeBody } from '../../wire/bodies/body-3d.ts'
import { decodeRay } from '../../wire/decode3d/decode-ray.ts'
import { encodeRayHit } from '../../wire/encode3d/encode-ray-cast.ts'
import { type DecodeProblem, under } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf, QueryLimits } from '../ask/query.ts'
import { castAtTargets, checkTargets } from '../stateless/cast-at-targets.ts'

export const rayCast3dQuery: Query3dOf<'ray-cast'> = {
  tag: 'rays',
  summary: 'What does a ray hit?',
  description:
    'Targets are closed sets: a ray through a vertex, along an edge or within a face hits. Every target is checked, also those behind the answer.',
  advice: 'Send fewer targets, or targets with fewer points.',
  problems: [...QUERY_3D_PROBLEMS, 'too-many-targets', 'ray-direction-zero'],
  answer: castRay,
}

const ray = createRay()
const found = createRayHit()
const slot = createBody()

const nearness = () => found.distance
const encode = (target: number) => encodeRayHit(target, found, slot)

/** The hits as the answer lists them, or the first problem, with pointers into the request. */
function castRay(request: RayCast3dRequest, limits: QueryLimits): RayCast3dResponse | DecodeProblem {
  const { targets, mode = 'closest', startInside = 'hit' } = request
  const problem = checkTargets(targets, limits) ?? under('/ray', decodeRay(request.ray, ray))
  if (problem !== null) return problem
  const decode = (target: RayCast3dRequest['targets'][number]) => decodeBody(target, slot, limits)
  const meets = () => rayCast(ray, slot, startInside, found)
  return castAtTargets({ targets, mode, decode, meets, nearness, encode })
}
