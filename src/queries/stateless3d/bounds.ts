// The query `bounds`.

import { bounds, createBounds } from '../../core3d/measures/bounds.ts'
import { createBody } from '../../core3d/shape/body.ts'
import { decodeBody } from '../../wire/decode3d/decode-body.ts'
import { encodeBounds } from '../../wire/encode3d/encode-bounds.ts'
import { under } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

const slot = createBody()
const found = createBounds()

export const bounds3dQuery: Query3dOf<'bounds'> = {
  tag: 'shapes',
  summary: 'Which box holds a body?',
  description: 'The least axis-aligned box, rounded outward, so that it holds the body exactly.',
  advice: 'Ask about shapes with fewer points.',
  problems: QUERY_3D_PROBLEMS,
  answer({ body }, limits) {
    const problem = under('/body', decodeBody(body, slot, limits))
    if (problem !== null) return problem
    bounds(slot, found)
    return encodeBounds(found)
  },
}
