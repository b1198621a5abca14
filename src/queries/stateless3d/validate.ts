// The query `validate`.

import { inspectShape } from '../../wire/findings3d/inspect-shape.ts'
import { REQUEST_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

export const validate3dQuery: Query3dOf<'validate'> = {
  tag: 'shapes',
  summary: 'Would queries take this shape, and as what?',
  description:
    'Lists everything about the shape that queries refuse, or take otherwise than it is written, with its places and what the service does about it: points of a hull that are no corners, shapes without volume. What does not fit the schema is a problem, as it is anywhere.',
  advice: 'Ask about shapes with fewer points.',
  problems: REQUEST_PROBLEMS,
  answer: inspectShape,
}
