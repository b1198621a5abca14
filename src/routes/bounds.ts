// POST /v1/2d/bounds

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { BoundsRequest, BoundsResponse } from '../../schemas/bounds.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { createBody } from '../core2d/body.ts'
import { bounds, createBounds } from '../core2d/bounds.ts'
import { createMotion } from '../core2d/motion.ts'
import { decodeMovingBody } from '../wire/decode-body.ts'
import { checkDuration } from '../wire/decode-duration.ts'
import { under } from '../wire/decode-problem.ts'
import { encodeBounds } from '../wire/encode-bounds.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const slot = createBody()
const motion = createMotion()
const found = createBounds()

export const boundsRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/bounds', {
    schema: {
      operationId: 'bounds',
      tags: ['shapes'],
      summary: 'Which box holds a body, or all of its motion?',
      description: 'The least axis-aligned box, also where the body turns: not that of a circle around it.',
      body: reference(BoundsRequest),
      response: { 200: reference(BoundsResponse) },
    },
    config: { problems: QUERY_PROBLEMS },
    handler: ({ body: { body, duration = 0 } }, reply) => {
      const problem = checkDuration(duration) ?? under('/body', decodeMovingBody(body, slot, motion, limits))
      if (problem !== null) return reply.geometryProblem(problem)
      bounds(slot, motion, duration, found)
      return encodeBounds(found)
    },
  })
}
