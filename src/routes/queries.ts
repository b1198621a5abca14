// POST /v1/2d/…, /v1/3d/…: every stateless query over a path of its own, answered with numbers or with a picture.

import { type TObject, Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { type PictureOptions, SvgPicture } from '../../schemas/picture.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { inCohort } from '../plugins/cohorts.ts'
import { answerAtOnce, answerByWorker } from '../plugins/workers.ts'
import { catalogues } from '../queries/answers/catalogues.ts'
import { PICTURE_TYPE, pictureParameters } from '../queries/answers/picture.ts'
import { answerQuery } from '../queries/ask/answer-query.ts'
import { operationName, tagName } from '../queries/ask/operation-names.ts'
import type { Query } from '../queries/ask/query.ts'
import { offering, wantsPicture } from '../replies/picture-replies.ts'
import { isProblem } from '../wire/problems/decode-problem.ts'
import { WORK_PROBLEMS } from '../wire/problems/problem-lists.ts'

const JSON_TYPE = 'application/json'
const NO_PARAMETERS = Type.Object({}, { additionalProperties: false })

export const queryRoutes: FastifyPluginAsync<Config> = async (app, config) => {
  const limits = queryLimits(config)
  for (const { dimension, queries } of Object.values(catalogues)) {
    for (const query of queries) {
      const { op, tag, summary, description, problems } = query
      const parameters = pictureParameters(query)
      const types = parameters === null ? [JSON_TYPE] : [JSON_TYPE, PICTURE_TYPE]
      const pictureProblems = parameters === null ? [] : (['picture-too-large'] as const)
      app.post(`/v1/${dimension}/${op}`, {
        schema: {
          operationId: operationName(op, dimension),
          tags: [tagName(tag, dimension)],
          summary,
          description,
          body: reference(query.request),
          ...answers(query, parameters),
        },
        config: {
          problems: [...problems, ...WORK_PROBLEMS, ...pictureProblems, 'not-acceptable'],
          byWorkers: true,
          isQuery: true,
        },
        preParsing: offering(...types),
        preHandler: inCohort,
        handler: (request, reply) => {
          const picture = parameters !== null && wantsPicture(request) ? (request.query as PictureOptions) : null
          const outcome =
            picture === null ? answerAtOnce(request, (body: object) => answerQuery(query, body, limits)) : null
          if (outcome === null) return answerByWorker(reply, query, picture)
          return isProblem(outcome) ? reply.geometryProblem(outcome) : outcome
        },
      })
    }
  }
}

/** The form of the answer, and what may be said of its picture. */
function answers({ response }: Query, parameters: TObject | null) {
  const numbers = { [JSON_TYPE]: { schema: reference(response) } }
  if (parameters === null)
    return { querystring: NO_PARAMETERS, response: { 200: { description: 'The answer.', content: numbers } } }
  const description = 'The answer; with `Accept: image/svg+xml` a drawing of it instead, which is a self-contained SVG.'
  const content = { ...numbers, [PICTURE_TYPE]: { schema: SvgPicture } }
  return { querystring: parameters, response: { 200: { description, content } } }
}
