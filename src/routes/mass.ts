// POST /v1/2d/mass

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MassRequest, MassResponse } from '../../schemas/mass.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'
import { weigh } from '../wire/weigh.ts'

export const massRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/mass', {
    schema: {
      operationId: 'mass',
      tags: ['shapes'],
      summary: 'What does a shape weigh, where is its centre, and how hard is it to turn?',
      description:
        'In closed form for every shape, rounded ones and regions with holes included. A compound weighs what its children weigh together: what two of them cover counts twice.',
      body: reference(MassRequest),
      response: { 200: reference(MassResponse) },
    },
    config: { problems: [...QUERY_PROBLEMS, 'shape-unbounded', 'answer-out-of-range'] },
    handler: ({ body }, reply) => {
      const answer = weigh(body, limits)
      return 'code' in answer ? reply.geometryProblem(answer) : answer
    },
  })
}
