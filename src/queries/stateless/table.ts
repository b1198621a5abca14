// The query `table`.

import { TableRequest, TableResponse } from '../../../schemas/queries/table.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query } from '../ask/query.ts'
import { fillTable } from './fill-table.ts'

export const tableQuery: Query<typeof TableRequest, typeof TableResponse> = {
  op: 'table',
  tag: 'many',
  summary: 'How do all bodies of one list stand to all of another?',
  description:
    'Answers one question about every pair of a body of a and a body of b: do they overlap, how far are they apart, how deep do they overlap, or when do they first touch. Every value is the one that the query about that pair alone gives, to the last bit.',
  advice: 'Ask for fewer cells at a time, or for shapes with fewer vertices or parts.',
  request: TableRequest,
  response: TableResponse,
  problems: [...QUERY_PROBLEMS, 'too-many-bodies', 'too-many-cells'],
  answer: fillTable,
}
