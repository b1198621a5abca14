// POST /v1/2d/…: every stateless query over a path of its own, answered with numbers or with a picture.

import type { FastifyPluginAsync } from 'fastify'
import { Picture, PictureParameters } from '../../schemas/picture.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { inCohort } from '../plugins/cohorts.ts'
import { checkPictureSize, PICTURE_TYPE, wantsPicture } from '../plugins/picture-replies.ts'
import { sendInSlices, sendOutcome } from '../plugins/query-replies.ts'
import { queries } from '../queries/all.ts'
import { isSlices } from '../queries/slices.ts'

export const queryRoutes: FastifyPluginAsync<Config> = async (app, config) => {
  const limits = queryLimits(config)
  for (const query of queries) {
    const { op, tag, summary, description, problems } = query
    app.post(`/v1/2d/${op}`, {
      schema: {
        operationId: op.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        tags: [tag],
        summary,
        description,
        querystring: PictureParameters,
        body: reference(query.request),
        response: {
          200: {
            description: 'The answer.',
            content: {
              'application/json': { schema: reference(query.response) },
              [PICTURE_TYPE]: { schema: Picture },
            },
          },
        },
      },
      config: { problems: [...problems, 'picture-too-large'] },
      preHandler: inCohort,
      handler: (request, reply) => {
        const body = request.body as Record<string, unknown>
        const inPicture = wantsPicture(request)
        const problem = inPicture ? checkPictureSize(body) : null
        if (problem !== null) return reply.geometryProblem(problem)
        const outcome = query.answer(body, limits)
        if (isSlices(outcome)) return sendInSlices(reply, query, outcome, inPicture)
        return sendOutcome(reply, query, outcome, inPicture)
      },
    })
  }
}
