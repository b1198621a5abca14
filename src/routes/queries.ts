// POST /v1/2d/…, /v1/3d/…: every stateless query over a path of its own, answered with numbers or with a picture.

import type { TObject } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { type PictureOptions, SvgPicture } from '../../schemas/picture.ts'
import { reference } from '../../schemas/reference.ts'
import type { Config } from '../config.ts'
import { keepJsonBytes, LINES } from '../plugins/json-body.ts'
import { parametersOnly } from '../plugins/validation.ts'
import { answerByWorker, inCohort, send, withinShare } from '../plugins/workers.ts'
import { operationName, type Query, tagName } from '../queries/ask/query.ts'
import { MAIN_BYTES } from '../queries/ask/slices.ts'
import { catalogues } from '../queries/stateless/all.ts'
import { PICTURE_TYPE, pictureParameters } from '../queries/stateless/picture.ts'
import { answerInLines, sendOnlyLine, wantsLines } from '../replies/progress-lines.ts'
import { offering, wantsPicture } from '../replies/query-replies.ts'
import { WORK_PROBLEMS } from '../wire/problem-lists.ts'

const JSON_TYPE = 'application/json'

export const queryRoutes: FastifyPluginAsync<Config> = async (app) => {
  keepJsonBytes(app)
  for (const { dimension, queries } of Object.values(catalogues)) {
    const answerer = app.answerers[dimension]
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
          isQuery: true,
        },
        preParsing: offering(...types),
        validatorCompiler: parametersOnly,
        preHandler: inCohort,
        handler: (request, reply) => {
          const bytes = request.body as Buffer | null | undefined
          if (bytes == null) return reply.problem('empty-body', 'The body is empty: expected a JSON object.')
          const picture = parameters !== null && wantsPicture(request) ? (request.query as PictureOptions) : null
          const progress = picture === null && wantsLines(request) ? (query.progress ?? null) : null
          const sent =
            picture === null && bytes.length <= MAIN_BYTES && app.shapes.isReadyFor(bytes)
              ? withinShare(app, () => answerer.answerQuery(op, bytes, request.id, null))
              : null
          if (progress !== null) {
            return sent === null ? answerInLines(reply, query, progress, bytes) : sendOnlyLine(reply, sent)
          }
          if (sent === null) return answerByWorker(reply, query, bytes, picture)
          send(reply, sent)
          return undefined
        },
      })
    }
  }
}

/** The form of the answer, and what may be said of its picture. */
function answers({ response, progress }: Query, parameters: TObject | null) {
  const numbers = { [JSON_TYPE]: { schema: reference(response) } }
  const lines = progress === undefined ? {} : { [LINES]: { schema: reference(progress.line) } }
  const content = { ...numbers, ...lines }
  const answer = progress === undefined ? 'The answer' : `The answer; ${IN_LINES}`
  if (parameters === null) return { response: { 200: { description: `${answer}.`, content } } }
  const description = `${answer}; with \`Accept: image/svg+xml\` a drawing of it instead, which is a self-contained SVG.`
  const pictured = { ...content, [PICTURE_TYPE]: { schema: SvgPicture } }
  return { querystring: parameters, response: { 200: { description, content: pictured } } }
}

const IN_LINES =
  'with `Accept: application/x-ndjson` lines that say how far the work is, of which the last is the answer, or a problem with the status 200'
