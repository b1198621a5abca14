// The query `shape-cast`.

import { ShapeCastRequest, ShapeCastResponse } from '../../../schemas/queries/shape-cast.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query } from '../ask/query.ts'
import { castShape } from './cast-shape.ts'

export const shapeCastQuery: Query<typeof ShapeCastRequest, typeof ShapeCastResponse> = {
  op: 'shape-cast',
  tag: 'motion',
  summary: 'What does a body hit on its way?',
  description:
    'The body moves along a translation, and turns if asked; targets stand still. Touching is hitting. Every target is checked, also those behind the answer.',
  advice: 'Send fewer targets, or shapes with fewer vertices or parts.',
  request: ShapeCastRequest,
  response: ShapeCastResponse,
  problems: [...QUERY_PROBLEMS, 'too-many-targets'],
  answer: castShape,
}
