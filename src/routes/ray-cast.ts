// POST /v1/2d/ray-cast

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RayCastRequest, RayCastResponse } from '../../schemas/ray-cast.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { castRay } from '../wire/cast-ray.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const RAY_PROBLEMS = [
  ...QUERY_PROBLEMS,
  'too-many-targets',
  'ray-direction-zero',
  'ray-direction-out-of-range',
] as const

export const rayCastRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = { maxTargets: config.MAX_TARGETS, ...shapeLimits(config) }
  app.post('/v1/2d/ray-cast', {
    schema: {
      operationId: 'rayCast',
      tags: ['rays'],
      summary: 'What does a ray hit?',
      description:
        'Targets are closed sets: a ray through a vertex or along an edge hits. Every target is checked, also those behind the answer.',
      body: reference(RayCastRequest),
      response: { 200: reference(RayCastResponse) },
    },
    config: { problems: RAY_PROBLEMS },
    handler: ({ body }, reply) => {
      const hits = castRay(body, limits)
      return Array.isArray(hits) ? { hits } : reply.geometryProblem(hits)
    },
  })
}
