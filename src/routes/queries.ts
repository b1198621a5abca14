// POST /v1/2d/…: every stateless query over a path of its own, answered with numbers or with a picture.

import type { FastifyPluginAsync } from 'fastify'
import { PictureParameters, SvgPicture } from '../../schemas/picture.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { inCohort } from '../plugins/cohorts.ts'
import { answerAtOnce, answerByWorker } from '../plugins/workers.ts'
import { PICTURE_TYPE } from '../queries/answers/picture.ts'
import { answerQuery } from '../queries/ask/answer-query.ts'
import { queries } from '../queries/stateless/all.ts'
import { offering, wantsPicture } from '../replies/picture-replies.ts'
import { isProblem } from '../wire/problems/decode-problem.ts'
import { WORK_PROBLEMS } from '../wire/problems/problem-lists.ts'

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
            description:
              'The answer; with `Accept: image/svg+xml` a drawing of it instead, which is a self-contained SVG.',
            content: {
              'application/json': { schema: reference(query.response) },
              [PICTURE_TYPE]: { schema: SvgPicture },
            },
          },
        },
      },
      config: { problems: [...problems, ...WORK_PROBLEMS, 'picture-too-large', 'not-acceptable'], byWorkers: true },
      preParsing: offering('application/json', PICTURE_TYPE),
      preHandler: inCohort,
      handler: (request, reply) => {
        const { yDown } = request.query as { yDown?: boolean }
        const picture = wantsPicture(request) ? { yDown: yDown === true } : null
        const outcome =
          picture === null ? answerAtOnce(request, (body: object) => answerQuery(query, body, limits)) : null
        if (outcome === null) return answerByWorker(reply, query, picture)
        return isProblem(outcome) ? reply.geometryProblem(outcome) : outcome
      },
    })
  }
}
