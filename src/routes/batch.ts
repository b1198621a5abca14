// POST /v1/2d/batch: many queries in one request, as a list or as a stream of lines.

import type { FastifyPluginAsync } from 'fastify'
import { BatchQuery, BatchRequest, BatchResponse, BatchResult } from '../../schemas/queries/batch.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { Answerer } from '../queries/answers/answerer.ts'
import { batchMedia, offeringBatch } from '../replies/batch-replies.ts'
import { batchHandler, keepArriving } from '../replies/batch-work.ts'
import { REQUEST_PROBLEMS, WORK_PROBLEMS } from '../wire/problems/problem-lists.ts'

const ANSWER = {
  description: 'The results, in the order of the queries.',
  ...batchMedia(reference(BatchResponse), reference(BatchResult)),
}

export const batchRoute: FastifyPluginAsync<Config> = async (app, config) => {
  const answerer = new Answerer(
    { ...queryLimits(config), maxBatch: config.MAX_BATCH },
    {
      bounded: (work) => work(),
      onProgress: () => undefined,
      onFault: (err) => app.logger.error({ err }, 'query failed'),
    },
  )
  app.addHook('onListen', async () => answerer.warmUp())
  keepArriving(app)
  app.post('/v1/2d/batch', {
    schema: {
      operationId: 'batch',
      tags: ['many'],
      summary: 'Many queries at once, of any kind',
      description:
        'Each query gets what its own path would have answered, with op before it, or a problem, with op problem, where that would have been one; the status is 200 all the same. As application/x-ndjson the body is a stream of any length: one query a line, one result a line, in order, each as soon as it is known. The service reads no faster than the client takes the results, so read while you write.',
      body: batchMedia(reference(BatchRequest), reference(BatchQuery)),
      response: { 200: ANSWER },
    },
    config: { problems: [...REQUEST_PROBLEMS, ...WORK_PROBLEMS, 'too-many-queries', 'not-acceptable'] },
    preParsing: offeringBatch,
    // what arrives is checked where it is answered
    validatorCompiler: () => () => true,
    handler: batchHandler(app, config, answerer),
  })
}
