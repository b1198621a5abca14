// The query `distance`.

import { createDistance, distance } from '../../core2d/pair-queries/distance.ts'
import { bodyA, bodyB, decodePair } from '../../wire/decode/decode-pair.ts'
import { encodeDistance } from '../../wire/encode/encode-distance.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

const found = createDistance()

export const distanceQuery: QueryOf<'distance'> = {
  tag: 'pairs',
  summary: 'How far apart are two bodies, and between which points?',
  description:
    'The distance is 0 when the bodies touch or overlap; the points are then one common point and the normal is null.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: QUERY_PROBLEMS,
  answer(request, limits) {
    const problem = decodePair(request, limits)
    if (problem !== null) return problem
    distance(bodyA, bodyB, found)
    return encodeDistance(found)
  },
}
