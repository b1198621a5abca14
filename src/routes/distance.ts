// POST /v1/2d/distance

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DistanceRequest, DistanceResponse } from '../../schemas/distance.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { createDistance, distance } from '../core2d/distance.ts'
import { bodyA, bodyB, decodePair } from '../wire/decode-pair.ts'
import { encodeDistance } from '../wire/encode-distance.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const found = createDistance()

export const distanceRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/distance', {
    schema: {
      operationId: 'distance',
      tags: ['pairs'],
      summary: 'How far apart are two bodies, and between which points?',
      description:
        'The distance is 0 when the bodies touch or overlap; the points are then one common point and the normal is null.',
      body: reference(DistanceRequest),
      response: { 200: reference(DistanceResponse) },
    },
    config: { problems: QUERY_PROBLEMS },
    handler: ({ body }, reply) => {
      const problem = decodePair(body, limits)
      if (problem !== null) return reply.geometryProblem(problem)
      distance(bodyA, bodyB, found)
      return encodeDistance(found)
    },
  })
}
