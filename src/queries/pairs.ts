// The query `pairs`.

import { PairsRequest, PairsResponse } from '../../schemas/pairs.ts'
import { findPairs } from '../wire/find-pairs.ts'
import { QUERY_PROBLEMS } from '../wire/problem-lists.ts'
import type { Query } from './query.ts'

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
