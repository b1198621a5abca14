// POST /v1/2d/support

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { SupportRequest, SupportResponse } from '../../schemas/support.ts'
import { type Config, shapeLimits } from '../config.ts'
import { createBody } from '../core2d/body.ts'
import { createSupport, support } from '../core2d/support.ts'
import { decodeBody } from '../wire/decode-body.ts'
import { checkDirection } from '../wire/decode-direction.ts'
import { under } from '../wire/decode-problem.ts'
import { encodeSupport } from '../wire/encode-support.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const slot = createBody()
const found = createSupport()

export const supportRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/support', {
    schema: {
      operationId: 'support',
      tags: ['shapes'],
      summary: 'Which point of a body lies farthest along a direction?',
      description:
        'The support mapping, for shapes of every type. Which of several corners is the farthest is decided exactly, also between the parts of a compound that have the same radius.',
      body: reference(SupportRequest),
      response: { 200: reference(SupportResponse) },
    },
    config: { problems: [...QUERY_PROBLEMS, 'direction-zero'] },
    handler: ({ body: { body, direction } }, reply) => {
      const problem = checkDirection(direction) ?? under('/body', decodeBody(body, slot, limits))
      if (problem !== null) return reply.geometryProblem(problem)
      support(slot, direction.x, direction.y, found)
      return encodeSupport(found, slot)
    },
  })
}
