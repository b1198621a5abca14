// The query `support`.

import { SupportRequest, SupportResponse } from '../../schemas/support.ts'
import { createSupport, support } from '../core2d/support.ts'
import { decodeBody } from '../wire/decode-body.ts'
import { checkDirection } from '../wire/decode-direction.ts'
import { under } from '../wire/decode-problem.ts'
import { encodeSupport } from '../wire/encode-support.ts'
import { QUERY_PROBLEMS } from '../wire/problem-lists.ts'
import { createSlot } from '../wire/slots.ts'
import type { Query } from './query.ts'

const slot = createSlot()
const found = createSupport()

export const supportQuery: Query<typeof SupportRequest, typeof SupportResponse> = {
  op: 'support',
  tag: 'shapes',
  summary: 'Which point of a body lies farthest along a direction?',
  description:
    'The support mapping, for shapes of every type. Which of several corners is the farthest is decided exactly, also between the parts of a compound that have the same radius.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  request: SupportRequest,
  response: SupportResponse,
  problems: [...QUERY_PROBLEMS, 'direction-zero'],
  answer({ body, direction }, limits) {
    const problem = checkDirection(direction) ?? under('/body', decodeBody(body, slot, limits))
    if (problem !== null) return problem
    support(slot, direction.x, direction.y, found)
    return encodeSupport(found, slot)
  },
}
