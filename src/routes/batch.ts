// POST /v1/2d/batch: many queries in one request, as a list or as a stream of lines.

import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import { BatchRequest, BatchResponse, BatchResult } from '../../schemas/batch.ts'
import { BatchQuery } from '../../schemas/batch-query.ts'
import { reference } from '../../schemas/reference.ts'
import type { Config } from '../config.ts'
import { asking } from '../plugins/asking.ts'
import { takeTime } from '../plugins/client-errors.ts'
import { isWanted } from '../plugins/query-replies.ts'
import { sendPieces } from '../plugins/send-pieces.ts'
import { askLines, askList } from '../queries/ask-many.ts'
import { REQUEST_PROBLEMS } from '../wire/problems.ts'

const LIST = 'application/json'
const LINES = 'application/x-ndjson'

const BODY = { content: { [LIST]: { schema: reference(BatchRequest) }, [LINES]: { schema: reference(BatchQuery) } } }
const ANSWER = {
  description: 'The results, in the order of the queries.',
  content: { [LIST]: { schema: reference(BatchResponse) }, [LINES]: { schema: reference(BatchResult) } },
}

export const batchRoute: FastifyPluginAsync<Config> = async (app, config) => {
  const { asker: createAsker, validateList } = asking(app, config)
  const { BODY_LIMIT: maxLine, MAX_BATCH: limit, REQUEST_TIMEOUT_MS } = config
  app.addContentTypeParser(LINES, (_request, lines, done) => done(null, lines))
  app.post('/v1/2d/batch', {
    schema: {
      operationId: 'batch',
      tags: ['many'],
      summary: 'Many queries at once, of any kind',
      description:
        'Each query gets what its own path would have answered, a problem where that would have been one; the status is 200 all the same. As application/x-ndjson the body is a stream of any length: one query a line, one result a line, in order, each as soon as it is known. The service reads no faster than the client takes the results, so read while you write.',
      body: BODY,
      response: { 200: ANSWER },
    },
    config: { problems: [...REQUEST_PROBLEMS, 'too-many-queries'] },
    validatorCompiler: ({ contentType }) => (contentType === LIST ? validateList : () => true),
    handler: async (request, reply) => {
      const asker = createAsker(request)
      if (request.body instanceof Readable) {
        takeTime(reply, REQUEST_TIMEOUT_MS)
        return reply.type(LINES).send(Readable.from(askLines(asker, request.body, maxLine, isWanted(reply))))
      }
      const { queries } = request.body as { queries: unknown[] }
      const actual = queries.length
      if (actual <= limit) return sendPieces(reply.type(LIST), askList(asker, queries, isWanted(reply)))
      return reply.problem('too-many-queries', `queries must have at most ${limit} items, got ${actual}.`, {
        limit,
        actual,
      })
    },
  })
}
