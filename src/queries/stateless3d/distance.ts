// The query `distance`.

import { createDistance, distance } from '../../core3d/pair-queries/distance.ts'
import { bodyA, bodyB, decodePair } from '../../wire/decode3d/decode-pair.ts'
import { encodeDistance } from '../../wire/encode3d/encode-distance.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

const found = createDistance()

export const distance3dQuery: Query3dOf<'distance'> = {
  tag: 'pairs',
  summary: 'How far apart are two bodies, and between which points?',
  description:
    'The distance is 0 when the bodies touch or overlap; the points are then one common point and the normal is null.',
  advice: 'Ask about shapes with fewer points.',
  problems: QUERY_3D_PROBLEMS,
  answer(request, limits) {
    const problem = decodePair(request, limits)
    if (problem !== null) return problem
    distance(bodyA, bodyB, found)
    return encodeDistance(found)
  },
}
