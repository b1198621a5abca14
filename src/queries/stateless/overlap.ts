// The query `overlap`.

import { containment } from '../../core2d/containment/containment.ts'
import { createOverlap, overlap, relate } from '../../core2d/pair-queries/overlap.ts'
import { bodyA, bodyB, decodePair } from '../../wire/decode/decode-pair.ts'
import { encodeOverlap, encodeRelation } from '../../wire/encode/encode-overlap.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

const found = createOverlap()

export const overlapQuery: QueryOf<'overlap'> = {
  tag: 'pairs',
  summary: 'Do two bodies overlap?',
  description:
    'Touching counts as overlapping. The answer is exact for unrotated shapes. With explain the answer carries a certificate that the client can check by itself, and says whether one body contains the other.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: QUERY_PROBLEMS,
  answer(request, limits) {
    const problem = decodePair(request, limits)
    if (problem !== null) return problem
    if (request.explain !== true) return encodeRelation(relate(bodyA, bodyB))
    overlap(bodyA, bodyB, found)
    return encodeOverlap(found, containment(bodyA, bodyB, found.relation))
  },
}
