// POST /v1/2d/minkowski

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MinkowskiRequest, MinkowskiResponse } from '../../schemas/minkowski.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { createMinkowskiSum, minkowskiDifference, minkowskiSum } from '../core2d/minkowski-sum.ts'
import { decodeMinkowski } from '../wire/decode-minkowski.ts'
import { bodyA, bodyB } from '../wire/decode-pair.ts'
import { encodeMinkowski } from '../wire/encode-minkowski.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const found = createMinkowskiSum()

export const minkowskiRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/minkowski', {
    schema: {
      operationId: 'minkowski',
      tags: ['pairs'],
      summary: 'What do all sums, or all differences, of the points of two bodies make?',
      description:
        'The sum is what a sweeps when its origin is put at every point of b: a body grown by another. The difference is where relative motion is read off: a and b meet where it holds the origin.',
      body: reference(MinkowskiRequest),
      response: { 200: reference(MinkowskiResponse) },
    },
    config: { problems: [...QUERY_PROBLEMS, 'minkowski-shape-unsupported'] },
    handler: ({ body }, reply) => {
      const problem = decodeMinkowski(body, limits)
      if (problem !== null) return reply.geometryProblem(problem)
      if (body.operation === 'sum') minkowskiSum(bodyA, bodyB, found)
      else minkowskiDifference(bodyA, bodyB, found)
      return encodeMinkowski(found)
    },
  })
}
