// POST /v1/2d/shape-cast

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { ShapeCastRequest, ShapeCastResponse } from '../../schemas/shape-cast.ts'
import { type Config, shapeLimits } from '../config.ts'
import { castShape } from '../wire/cast-shape.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

export const shapeCastRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = { maxTargets: config.MAX_TARGETS, ...shapeLimits(config) }
  app.post('/v1/2d/shape-cast', {
    schema: {
      operationId: 'shapeCast',
      tags: ['motion'],
      summary: 'What does a body hit on its way?',
      description:
        'The body moves along a translation, and turns if asked; targets stand still. Touching is hitting. Every target is checked, also those behind the answer.',
      body: reference(ShapeCastRequest),
      response: { 200: reference(ShapeCastResponse) },
    },
    config: { problems: [...QUERY_PROBLEMS, 'too-many-targets'] },
    handler: ({ body }, reply) => {
      const hits = castShape(body, limits)
      return Array.isArray(hits) ? { hits } : reply.geometryProblem(hits)
    },
  })
}
