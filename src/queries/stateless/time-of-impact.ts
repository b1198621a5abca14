// The query `time-of-impact`.

import { createTimeOfImpact, timeOfImpact } from '../../core2d/impact/time-of-impact.ts'
import { checkDuration } from '../../wire/bodies/body.ts'
import { bodyA, bodyB, decodeMovingPair, motionA, motionB } from '../../wire/decode/decode-pair.ts'
import { encodeTimeOfImpact } from '../../wire/encode/encode-time-of-impact.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

const found = createTimeOfImpact()

export const timeOfImpactQuery: QueryOf<'time-of-impact'> = {
  tag: 'motion',
  summary: 'When do two moving bodies first touch?',
  description:
    'Gives the first time from 0 to duration at which the bodies touch, both moving and turning at constant speed, and the first later time at which they part. However fast or thin the bodies are, an impact is not missed.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: QUERY_PROBLEMS,
  answer(request, limits) {
    const { duration, ignoreSeparating = false } = request
    const problem = checkDuration(duration) ?? decodeMovingPair(request, limits)
    if (problem !== null) return problem
    timeOfImpact(bodyA, motionA, bodyB, motionB, duration, ignoreSeparating, found)
    return encodeTimeOfImpact(found, duration)
  },
}
