// The query `support`.

import { createSupport, support } from '../../core2d/measures/support.ts'
import { createSlot, decodeBody } from '../../wire/bodies/body.ts'
import { checkDirection } from '../../wire/decode/decode-direction.ts'
import { encodeSupport } from '../../wire/encode/encode-support.ts'
import { under } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

const slot = createSlot()
const found = createSupport()

export const supportQuery: QueryOf<'support'> = {
  tag: 'shapes',
  summary: 'Which point of a body lies farthest along a direction?',
  description:
    'The support mapping, for shapes of every type. Which of several corners is the farthest is decided exactly, also between the parts of a compound that have the same radius.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: [...QUERY_PROBLEMS, 'direction-zero'],
  answer({ body, direction }, limits) {
    const problem = checkDirection(direction) ?? under('/body', decodeBody(body, slot, limits))
    if (problem !== null) return problem
    support(slot, direction.x, direction.y, found)
    return encodeSupport(found, slot)
  },
}
