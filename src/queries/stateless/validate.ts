// The query `validate`: whether queries take a shape, and as what.

import { inspectShape as inspectShape2d } from '../../wire/findings.ts'
import { inspectShape as inspectShape3d } from '../../wire/findings-3d.ts'
import { REQUEST_PROBLEMS } from '../../wire/problem-lists.ts'
import type { InBoth } from './geometry.ts'

const QUESTION = { tag: 'shapes', summary: 'Would queries take this shape, and as what?' } as const

export const validateQuery: InBoth<'validate'> = {
  '2d': {
    ...QUESTION,
    description:
      'Lists everything about the shape that queries refuse, or take otherwise than it is written, with its places and what the service does about it. Every crossing is found, not only the first, and whether there is one is decided exactly. What does not fit the schema is a problem, as it is anywhere; so are compounds nested too deep.',
    advice: 'Ask about shapes with fewer vertices or parts.',
    problems: [...REQUEST_PROBLEMS, 'compound-too-deep', 'shape-unknown'],
    answer: inspectShape2d,
  },
  '3d': {
    ...QUESTION,
    description:
      'Lists everything about the shape that queries refuse, or take otherwise than it is written, with its places and what the service does about it: points of a hull that are no corners, shapes without volume. What does not fit the schema is a problem, as it is anywhere.',
    advice: 'Ask about shapes with fewer points.',
    problems: [...REQUEST_PROBLEMS, 'compound-too-deep', 'shape-unknown'],
    answer: inspectShape3d,
  },
}
