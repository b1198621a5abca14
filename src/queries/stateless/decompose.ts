// The query `decompose`.

import { DecomposeRequest, DecomposeResponse } from '../../../schemas/queries/decompose.ts'
import { REQUEST_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query } from '../ask/query.ts'
import { decomposeRegion } from './decompose-region.ts'

export const decomposeQuery: Query<typeof DecomposeRequest, typeof DecomposeResponse> = {
  op: 'decompose',
  tag: 'shapes',
  summary: 'Which convex pieces make up this region?',
  description:
    'Triangles, few pieces, or no more than a given number that cover it. Holes stay open, and rings may touch themselves and each other. Every turn is decided exactly, so the pieces of exact can be sent back as polygons as they are.',
  advice: 'Send a region with fewer vertices, or ask for another method.',
  request: DecomposeRequest,
  response: DecomposeResponse,
  problems: [
    ...REQUEST_PROBLEMS,
    'too-many-vertices',
    'coordinate-out-of-range',
    'region-hole-misplaced',
    'region-self-intersecting',
  ],
  answer: decomposeRegion,
}
