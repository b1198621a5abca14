// POST /v1/2d/hull

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { HullRequest, HullResponse } from '../../schemas/hull.ts'
import { reference } from '../../schemas/reference.ts'
import type { Config } from '../config.ts'
import { findHull } from '../wire/find-hull.ts'
import { REQUEST_PROBLEMS } from '../wire/problems.ts'

export const hullRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  app.post('/v1/2d/hull', {
    schema: {
      operationId: 'hull',
      tags: ['shapes'],
      summary: 'What is the convex hull of these points?',
      description: 'Every turn is decided exactly, so the corners can be sent back as a polygon as they are.',
      body: reference(HullRequest),
      response: { 200: reference(HullResponse) },
    },
    config: { problems: [...REQUEST_PROBLEMS, 'too-many-vertices', 'coordinate-out-of-range'] },
    handler: ({ body }, reply) => {
      const answer = findHull(body, config.MAX_VERTICES)
      return 'code' in answer ? reply.geometryProblem(answer) : answer
    },
  })
}
