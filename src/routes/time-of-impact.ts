// POST /v1/2d/time-of-impact

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { TimeOfImpactRequest, TimeOfImpactResponse } from '../../schemas/time-of-impact.ts'
import { type Config, shapeLimits } from '../config.ts'
import { createTimeOfImpact, timeOfImpact } from '../core2d/time-of-impact.ts'
import { checkDuration } from '../wire/decode-duration.ts'
import { bodyA, bodyB, decodeMovingPair, motionA, motionB } from '../wire/decode-pair.ts'
import { encodeTimeOfImpact } from '../wire/encode-time-of-impact.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const found = createTimeOfImpact()

export const timeOfImpactRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/time-of-impact', {
    schema: {
      operationId: 'timeOfImpact',
      tags: ['motion'],
      summary: 'When do two moving bodies first touch?',
      description:
        'Gives the first time from 0 to duration at which the bodies touch, both moving and turning at constant speed, and the first later time at which they part. However fast or thin the bodies are, an impact is not missed.',
      body: reference(TimeOfImpactRequest),
      response: { 200: reference(TimeOfImpactResponse) },
    },
    config: { problems: QUERY_PROBLEMS },
    handler: ({ body }, reply) => {
      const problem = checkDuration(body.duration) ?? decodeMovingPair(body, limits)
      if (problem !== null) return reply.geometryProblem(problem)
      timeOfImpact(bodyA, motionA, bodyB, motionB, body.duration, body.ignoreSeparating ?? false, found)
      return encodeTimeOfImpact(found, body.duration)
    },
  })
}
