// POST /v1/2d/pairs

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PairsRequest, PairsResponse } from '../../schemas/pairs.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { findPairs } from '../wire/find-pairs.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

export const pairsRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = { maxBodies: config.MAX_BODIES, maxPairs: config.MAX_PAIRS, ...shapeLimits(config) }
  app.post('/v1/2d/pairs', {
    schema: {
      operationId: 'pairs',
      tags: ['many'],
      summary: 'Which of many bodies meet?',
      description:
        'Bodies are closed sets: touching counts. Bodies near each other are found by their axis-aligned boxes, then each such pair is decided as overlap does. The pairs and their order do not depend on the method.',
      body: reference(PairsRequest),
      response: { 200: reference(PairsResponse) },
    },
    config: { problems: [...QUERY_PROBLEMS, 'too-many-bodies'] },
    handler: ({ body }, reply) => {
      const answer = findPairs(body, limits)
      return 'code' in answer ? reply.geometryProblem(answer) : answer
    },
  })
}
