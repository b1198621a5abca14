// The query `trajectory`.

import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'
import { bounce } from './bounce.ts'

export const trajectoryQuery: QueryOf<'trajectory'> = {
  tag: 'motion',
  summary: 'Which way does a body take that bounces off obstacles?',
  description:
    'At each impact the velocity, relative to the obstacle, is reflected about the contact normal, and the rest of the time goes on from the exact instant of the impact. Nothing pulls on the body in between.',
  advice: 'Ask for fewer bounces, or a shorter time, among fewer obstacles.',
  problems: [...QUERY_PROBLEMS, 'too-many-obstacles', 'too-many-impacts', 'body-not-convex', 'trajectory-spinning'],
  answer: bounce,
}
