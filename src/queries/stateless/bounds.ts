// The query `bounds`.

import { bounds, createBounds } from '../../core2d/measures/bounds.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import { checkDuration, createSlot, decodeMovingBody } from '../../wire/bodies/body.ts'
import { encodeBounds } from '../../wire/encode/encode-bounds.ts'
import { under } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

const slot = createSlot()
const motion = createMotion()
const found = createBounds()

export const boundsQuery: QueryOf<'bounds'> = {
  tag: 'shapes',
  summary: 'Which box holds a body, or all of its motion?',
  description: 'The least axis-aligned box, also where the body turns: not that of a circle around it.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: QUERY_PROBLEMS,
  answer({ body, duration = 0 }, limits) {
    const problem = checkDuration(duration) ?? under('/body', decodeMovingBody(body, slot, motion, limits))
    if (problem !== null) return problem
    bounds(slot, motion, duration, found)
    return encodeBounds(found)
  },
}
