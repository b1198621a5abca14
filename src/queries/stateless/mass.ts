// The query `mass`.

import { MassRequest, MassResponse } from '../../../schemas/queries/mass.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query } from '../ask/query.ts'
import { weigh } from './weigh.ts'

export const massQuery: Query<typeof MassRequest, typeof MassResponse> = {
  op: 'mass',
  tag: 'shapes',
  summary: 'What does a shape weigh, where is its centre, and how hard is it to turn?',
  description:
    'In closed form for every shape, rounded ones and regions with holes included. A compound weighs what its children weigh together: what two of them cover counts twice.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  request: MassRequest,
  response: MassResponse,
  problems: [...QUERY_PROBLEMS, 'shape-unbounded', 'answer-out-of-range'],
  answer: weigh,
}
