// The query `validate`.

import { inspectShape } from '../../wire/findings/inspect-shape.ts'
import { REQUEST_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

export const validateQuery: QueryOf<'validate'> = {
  tag: 'shapes',
  summary: 'Would queries take this shape, and as what?',
  description:
    'Lists everything about the shape that queries refuse, or take otherwise than it is written, with its places and what the service does about it. Every crossing is found, not only the first, and whether there is one is decided exactly. What does not fit the schema is a problem, as it is anywhere; so are compounds nested too deep.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: [...REQUEST_PROBLEMS, 'compound-too-deep'],
  answer: inspectShape,
}
