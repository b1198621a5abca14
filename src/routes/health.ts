// GET /livez, /readyz, /healthz: for orchestrators, load balancers and dashboards.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { ServiceHealth, ServiceStatus } from '../../schemas/service.ts'
import { readiness } from '../plugins/readiness.ts'

const UNREADY = {
  starting: 'The service is starting: it is not ready for requests yet.',
  draining: 'The service is shutting down and takes no new requests.',
  overloaded: 'The event loop lags behind; ask another instance or come back later.',
}

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(readiness)

  app.get('/livez', {
    schema: {
      operationId: 'live',
      tags: ['service'],
      summary: 'Is the process alive?',
      description: '200 as long as it answers at all; for the probe that restarts it.',
      response: { 200: reference(ServiceStatus) },
    },
    handler: () => ({ status: 'ok' as const }),
  })
  app.get('/readyz', {
    schema: {
      operationId: 'ready',
      tags: ['service'],
      summary: 'Should the service be sent requests?',
      description:
        '200 while it takes requests, 503 with Retry-After while it starts, drains or is overloaded; for the probe that routes requests.',
      response: { 200: reference(ServiceStatus) },
    },
    config: { problems: ['starting', 'draining', 'overloaded'] },
    handler: (_request, reply) => {
      const status = app.readiness()
      return status === 'ok' ? { status } : reply.problem(status, UNREADY[status])
    },
  })
  app.get('/healthz', {
    schema: {
      operationId: 'health',
      tags: ['service'],
      summary: 'How does the service fare?',
      description: 'Readiness, uptime, memory and the delay of the event loop, for people; always 200.',
      response: { 200: reference(ServiceHealth) },
    },
    handler: () => {
      const { heapUsed, rss } = process.memoryUsage()
      const { eventLoopDelay: delay } = app.memoryUsage()
      const eventLoopDelay = Number.isFinite(delay) ? delay : null
      return { status: app.readiness(), uptime: process.uptime(), eventLoopDelay, heapUsed, rss }
    },
  })
}
