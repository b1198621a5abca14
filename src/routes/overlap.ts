// POST /v1/2d/overlap

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OverlapRequest, OverlapResponse } from '../../schemas/overlap.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { createOverlap, overlap, relate } from '../core2d/overlap.ts'
import { bodyA, bodyB, decodePair } from '../wire/decode-pair.ts'
import { encodeOverlap, encodeRelation } from '../wire/encode-overlap.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const found = createOverlap()

export const overlapRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/overlap', {
    schema: {
      operationId: 'overlap',
      tags: ['pairs'],
      summary: 'Do two bodies overlap?',
      description:
        'Touching counts as overlapping. The answer is exact for unrotated shapes. With explain the answer carries a certificate that the client can check by itself.',
      body: reference(OverlapRequest),
      response: { 200: reference(OverlapResponse) },
    },
    config: { problems: QUERY_PROBLEMS },
    handler: ({ body }, reply) => {
      const problem = decodePair(body, limits)
      if (problem !== null) return reply.geometryProblem(problem)
      if (body.explain !== true) return encodeRelation(relate(bodyA, bodyB))
      overlap(bodyA, bodyB, found)
      return encodeOverlap(found)
    },
  })
}
