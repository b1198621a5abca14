// The query `hull`.

import { HullRequest, HullResponse } from '../../../schemas/queries/hull.ts'
import { REQUEST_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query } from '../ask/query.ts'
import { findHull } from './find-hull.ts'

export const hullQuery: Query<typeof HullRequest, typeof HullResponse> = {
  op: 'hull',
  tag: 'shapes',
  summary: 'What is the convex hull of these points?',
  description: 'Every turn is decided exactly, so the corners can be sent back as a polygon as they are.',
  advice: 'Send fewer points.',
  request: HullRequest,
  response: HullResponse,
  problems: [...REQUEST_PROBLEMS, 'too-many-vertices', 'coordinate-out-of-range'],
  answer: findHull,
}
