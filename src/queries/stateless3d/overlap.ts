// The query `overlap`.

import { containment } from '../../core3d/pair-queries/containment.ts'
import { createOverlap, overlap, relate } from '../../core3d/pair-queries/overlap.ts'
import { bodyA, bodyB, decodePair } from '../../wire/decode3d/decode-pair.ts'
import { encodeOverlap, encodeRelation } from '../../wire/encode3d/encode-overlap.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

const found = createOverlap()

export const overlap3dQuery: Query3dOf<'overlap'> = {
  tag: 'pairs',
  summary: 'Do two bodies overlap?',
  description:
    'Touching counts as overlapping. The answer is exact for points, segments, triangles, boxes, hulls, half-spaces, spheres and capsules as they are placed, and where bent bodies are in line with the axes. With explain the answer carries a certificate that the client can check by itself, and says whether one body contains the other.',
  advice: 'Ask about shapes with fewer points.',
  problems: QUERY_3D_PROBLEMS,
  answer(request, limits) {
    const problem = decodePair(request, limits)
    if (problem !== null) return problem
    if (request.explain !== true) return encodeRelation(relate(bodyA, bodyB))
    overlap(bodyA, bodyB, found)
    return encodeOverlap(found, containment(bodyA, bodyB, found.relation))
  },
}
