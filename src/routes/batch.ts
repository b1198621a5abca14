// POST /v1/2d/batch: many queries in one request, as a list or as a stream of lines.

import type { FastifyPluginAsync } from 'fastify'
import { BatchRequest, BatchResponse, BatchResult } from '../../schemas/batch.ts'
import { BatchQuery } from '../../schemas/batch-query.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { asking } from '../plugins/asking.ts'
import { batchMedia, batchValidator, isLines, isTooMany, LIST, readBatch, sendLines } from '../plugins/batch-replies.ts'
import { isWanted } from '../plugins/query-replies.ts'
import { sendPieces } from '../plugins/send-pieces.ts'
import { queries } from '../queries/all.ts'
import { askList } from '../queries/ask-many.ts'
import type { Query } from '../queries/query.ts'
import { REQUEST_PROBLEMS } from '../wire/problems.ts'

const ANSWER = {
  description: 'The results, in the order of the queries.',
  ...batchMedia(reference(BatchResponse), reference(BatchResult)),
}

export const batchRoute: FastifyPluginAsync<Config> = async (app, config) => {
  const limits = queryLimits(config)
  const batch = asking(app, queries, BatchQuery)
  const answer = (query: Query, request: Record<string, unknown>) => query.answer(request, limits)
  readBatch(app, batch)
  app.post('/v1/2d/batch', {
    schema: {
      operationId: 'batch',
      tags: ['many'],
      summary: 'Many queries at once, of any kind',
      description:
        'Each query gets what its own path would have answered, a problem where that would have been one; the status is 200 all the same. As application/x-ndjson the body is a stream of any length: one query a line, one result a line, in order, each as soon as it is known. The service reads no faster than the client takes the results, so read while you write.',
      body: batchMedia(reference(BatchRequest), reference(BatchQuery)),
      response: { 200: ANSWER },
    },
    config: { problems: [...REQUEST_PROBLEMS, 'too-many-queries'] },
    validatorCompiler: batchValidator(batch),
    handler: async (request, reply) => {
      const asker = batch.asker(request, answer)
      if (isLines(request.body)) return sendLines(reply, asker, request.body, config)
      const { queries: list } = request.body as { queries: unknown[] }
      if (isTooMany(reply, list, config.MAX_BATCH)) return
      return sendPieces(reply.type(LIST), askList(asker, list, isWanted(reply)))
    },
  })
}
