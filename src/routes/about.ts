// GET /version, /v1/limits: what is running, and within which limits.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { ServiceLimits, ServiceVersion } from '../../schemas/service.ts'
import { arrivingLimit, type Config, queryLimits, sceneLimits, shapeLimits } from '../config.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { MAX_COORDINATE } from '../wire/decode-problem.ts'

export const aboutRoutes: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  app.get('/version', {
    schema: {
      operationId: 'version',
      tags: ['service'],
      summary: 'What is running?',
      description: 'Versions of the service, of the wire contract and of Node.js.',
      response: { 200: reference(ServiceVersion) },
    },
    handler: () => ({ name: SERVICE_NAME, version: SERVICE_VERSION, api: 'v1', node: process.versions.node }),
  })
  app.get('/v1/limits', {
    schema: {
      operationId: 'limits',
      tags: ['service'],
      summary: 'Which limits apply to requests?',
      description: 'Every limit that a request can run into, as this instance is configured.',
      response: { 200: reference(ServiceLimits) },
    },
    handler: () => ({
      bodyLimit: config.BODY_LIMIT,
      ...queryLimits(config),
      maxBatch: config.MAX_BATCH,
      ...sceneLimits(config),
      ...shapeLimits(config),
      maxMagnitude: MAX_COORDINATE,
      maxArrivingBytes: arrivingLimit(config),
      maxUnreadBytes: app.answerRoom.most,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      queryDeadlineMs: config.QUERY_DEADLINE_MS,
      rateLimit: config.RATE_LIMIT,
    }),
  })
}
