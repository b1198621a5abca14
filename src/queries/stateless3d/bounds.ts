// The query `bounds`.

import { createBounds, motionBounds } from '../../core3d/measures/bounds.ts'
import { createBody } from '../../core3d/shape/body.ts'
import { createMotion } from '../../core3d/shape/motion.ts'
import { checkDuration } from '../../wire/bodies/body.ts'
import { decodeMovingBody } from '../../wire/bodies/body-3d.ts'
import { encodeBounds } from '../../wire/encode3d/encode-bounds.ts'
import { under } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

const slot = createBody()
const motion = createMotion()
const found = createBounds()

export const bounds3dQuery: Query3dOf<'bounds'> = {
  tag: 'shapes',
  summary: 'Which box holds a body, or all of its motion?',
  description:
    'The least axis-aligned box, also where the body turns; rounded outward, so that it holds the body exactly where it stands or moves without turning.',
  advice: 'Ask about shapes with fewer points.',
  problems: QUERY_3D_PROBLEMS,
  answer({ body, duration = 0 }, limits) {
    const problem = checkDuration(duration) ?? under('/body', decodeMovingBody(body, slot, motion, limits))
    if (problem !== null) return problem
    motionBounds(slot, motion, duration, found)
    return encodeBounds(found)
  },
}
