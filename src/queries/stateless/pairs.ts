// The query `pairs`.

import { PairsRequest, PairsResponse } from '../../../schemas/queries/pairs.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query } from '../ask/query.ts'
import { findPairs } from './find-pairs.ts'

export const pairsQuery: Query<typeof PairsRequest, typeof PairsResponse> = {
  op: 'pairs',
  tag: 'many',
  summary: 'Which of many bodies meet?',
  description:
    'Bodies are closed sets: touching counts. Bodies near each other are found by their axis-aligned boxes, then each such pair is decided as overlap does. The pairs and their order do not depend on the method.',
  advice: 'Send fewer bodies.',
  request: PairsRequest,
  response: PairsResponse,
  problems: [...QUERY_PROBLEMS, 'too-many-bodies'],
  answer: findPairs,
}
