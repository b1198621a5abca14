// POST /v1/2d/batch, /v1/3d/batch: many queries in one request, as a list or as a stream of lines.

import type { FastifyPluginAsync } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import type { Config } from '../config.ts'
import { parametersOnly } from '../plugins/validation.ts'
import { operationName, tagName } from '../queries/ask/query.ts'
import { catalogues } from '../queries/stateless/all.ts'
import { batchPictureParameters } from '../queries/stateless/picture.ts'
import { answerMedia, batchMedia, offeringBatch } from '../replies/batch-replies.ts'
import { batchHandler, keepArriving } from '../replies/batch-work.ts'
import { REQUEST_PROBLEMS, WORK_PROBLEMS } from '../wire/problem-lists.ts'

export const batchRoute: FastifyPluginAsync<Config> = async (app, config) => {
  keepArriving(app)
  for (const { dimension, batch } of Object.values(catalogues)) {
    app.post(`/v1/${dimension}/batch`, {
      schema: {
        operationId: operationName('batch', dimension),
        tags: [tagName('many', dimension)],
        summary: 'Many queries at once, of any kind',
        description:
          'Each query gets what its own path would have answered, with op before it, or a problem, with op problem, where that would have been one; the status is 200 all the same. As application/x-ndjson the body is a stream of any length: one query a line, one result a line, in order, each as soon as it is known. The service reads no faster than the client takes the results, so read while you write.',
        querystring: batchPictureParameters(dimension),
        body: batchMedia(reference(batch.request), reference(batch.query)),
        response: {
          200: {
            description:
              'The results, in the order of the queries; with `Accept: image/svg+xml` a drawing of each of the first 16 queries of a list and of its answer instead, one below the other.',
            ...answerMedia(reference(batch.response), reference(batch.result)),
          },
        },
      },
      config: {
        problems: [...REQUEST_PROBLEMS, ...WORK_PROBLEMS, 'too-many-queries', 'not-acceptable'],
        isQuery: true,
      },
      preParsing: offeringBatch,
      validatorCompiler: parametersOnly,
      handler: batchHandler(app, config, dimension),
    })
  }
}
