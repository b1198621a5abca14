// The query `minkowski`.

import { createMinkowskiSum, minkowskiDifference, minkowskiSum } from '../../core2d/shape/minkowski-difference.ts'
import { decodeMinkowski } from '../../wire/decode/decode-minkowski.ts'
import { bodyA, bodyB } from '../../wire/decode/decode-pair.ts'
import { encodeMinkowski } from '../../wire/encode/encode-minkowski.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

const found = createMinkowskiSum()

export const minkowskiQuery: QueryOf<'minkowski'> = {
  tag: 'pairs',
  summary: 'What do all sums, or all differences, of the points of two bodies make?',
  description:
    'The sum is what a sweeps when its origin is put at every point of b: a body grown by another. The difference is where relative motion is read off: a and b meet where it holds the origin.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: [...QUERY_PROBLEMS, 'minkowski-shape-unsupported'],
  answer(request, limits) {
    const problem = decodeMinkowski(request, limits)
    if (problem !== null) return problem
    if (request.operation !== 'difference') minkowskiSum(bodyA, bodyB, found)
    else minkowskiDifference(bodyA, bodyB, found)
    return encodeMinkowski(found)
  },
}
