// The query `support`.

import { createSupport, support } from '../../core3d/measures/support.ts'
import { createBody } from '../../core3d/shape/body.ts'
import { decodeBody } from '../../wire/bodies/body-3d.ts'
import { encodeFeature3d, encodeVec3 } from '../../wire/bodies/encode.ts'
import { checkDirection } from '../../wire/decode3d/decode-direction.ts'
import { under } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

const slot = createBody()
const found = createSupport()

export const support3dQuery: Query3dOf<'support'> = {
  tag: 'shapes',
  summary: 'Which point of a body lies farthest along a direction?',
  description:
    'The support mapping, for shapes of every type. Which of several corners is the farthest is decided exactly.',
  advice: 'Ask about shapes with fewer points.',
  problems: [...QUERY_3D_PROBLEMS, 'direction-zero'],
  answer({ body, direction }, limits) {
    const problem = checkDirection(direction) ?? under('/body', decodeBody(body, slot, limits))
    if (problem !== null) return problem
    support(slot, direction.x, direction.y, direction.z, found)
    if (!found.bounded) return { point: null, feature: null }
    return { point: encodeVec3(found.x, found.y, found.z), feature: encodeFeature3d(found.feature) }
  },
}
