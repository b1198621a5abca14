// POST /v1/2d/trajectory

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { TrajectoryRequest, TrajectoryResponse } from '../../schemas/trajectory.ts'
import { type Config, shapeLimits } from '../config.ts'
import { bounce } from '../wire/bounce.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

export const trajectoryRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = { maxTargets: config.MAX_TARGETS, maxImpacts: config.MAX_IMPACTS, ...shapeLimits(config) }
  app.post('/v1/2d/trajectory', {
    schema: {
      operationId: 'trajectory',
      tags: ['motion'],
      summary: 'Which way does a body take that bounces off obstacles?',
      description:
        'At each impact the velocity, relative to the obstacle, is reflected about the contact normal, and the rest of the time goes on from the exact instant of the impact. Nothing pulls on the body in between.',
      body: reference(TrajectoryRequest),
      response: { 200: reference(TrajectoryResponse) },
    },
    config: {
      problems: [...QUERY_PROBLEMS, 'too-many-obstacles', 'too-many-impacts', 'body-not-convex', 'trajectory-spinning'],
    },
    handler: ({ body }, reply) => {
      const answer = bounce(body, limits)
      return 'code' in answer ? reply.geometryProblem(answer) : answer
    },
  })
}
