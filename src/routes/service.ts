// GET /version, /v1/limits, /metrics, /problems/:code: what the service says of itself.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { PROBLEM_CODES, type ProblemCode, ProblemKind } from '../../schemas/problem.ts'
import { reference } from '../../schemas/reference.ts'
import { ServiceLimits, ServiceVersion } from '../../schemas/service.ts'
import type { Config } from '../config.ts'
import { requestHistogram } from '../plugins/request-metrics.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { MAX_COORDINATE } from '../wire/decode-body.ts'
import { problemKind } from '../wire/problems.ts'

export const serviceRoutes: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const registry = new Registry()
  registry.registerMetric(requestHistogram(app.requestMetrics) as unknown as Metric)
  collectDefaultMetrics({ register: registry })

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
      maxVertices: config.MAX_VERTICES,
      maxTargets: config.MAX_TARGETS,
      maxMagnitude: MAX_COORDINATE,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      rateLimit: config.RATE_LIMIT,
    }),
  })
  app.get('/metrics', {
    schema: {
      operationId: 'metrics',
      tags: ['service'],
      summary: 'How much is asked, and how fast is it answered?',
      description: 'Counts and latencies by route and status, and those of the process, in the Prometheus text format.',
      produces: ['text/plain'],
      response: { 200: Type.String({ description: 'Prometheus text format 0.0.4.' }) },
    },
    handler: async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  })
  app.get('/problems/:code', {
    schema: {
      operationId: 'problem',
      tags: ['service'],
      summary: 'What does a problem code mean?',
      description: 'When the problem is answered, and what to do about it. The type of every problem leads here.',
      params: Type.Object({ code: Type.String({ description: 'The code, such as polygon-not-convex.' }) }),
      response: { 200: reference(ProblemKind) },
    },
    config: { problems: [404] },
    handler: ({ params: { code } }, reply) => {
      if ((PROBLEM_CODES as readonly string[]).includes(code)) return problemKind(code as ProblemCode)
      return reply.problem('not-found', `No problem has this code; the codes are ${PROBLEM_CODES.join(', ')}.`)
    },
  })
}
