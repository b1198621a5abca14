// The query `ray-cast`.

import { RayCastRequest, RayCastResponse } from '../../../schemas/queries/ray-cast.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query } from '../ask/query.ts'
import { castRay } from './cast-ray.ts'

export const rayCastQuery: Query<typeof RayCastRequest, typeof RayCastResponse> = {
  op: 'ray-cast',
  tag: 'rays',
  summary: 'What does a ray hit?',
  description:
    'Targets are closed sets: a ray through a vertex or along an edge hits. Every target is checked, also those behind the answer.',
  advice: 'Send fewer targets, or targets with fewer vertices or parts.',
  request: RayCastRequest,
  response: RayCastResponse,
  problems: [...QUERY_PROBLEMS, 'too-many-targets', 'ray-direction-zero'],
  answer: castRay,
}
