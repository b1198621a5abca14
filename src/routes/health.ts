// GET /livez, /readyz, /healthz: for orchestrators, load balancers and dashboards.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import underPressure from '@fastify/under-pressure'
import { reference } from '../../schemas/reference.ts'
import { ServiceHealth, ServiceStatus } from '../../schemas/service.ts'

/** Mean delay of the event loop, over a second, from which on the service counts as overloaded. */
const MAX_EVENT_LOOP_DELAY_MS = 1000

const UNREADY = {
  starting: 'The service is starting and takes no requests yet.',
  draining: 'The service is shutting down and takes no new requests.',
  overloaded: 'The event loop lags behind; ask another instance or come back later.',
}

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // Samples once a second. It is registered in here, and told to let everything pass, because its
  // hook would cost every query: being overloaded is a matter for the load balancer.
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: () => undefined,
  })
  const readiness = (): ServiceHealth['status'] => {
    const { phase } = app.lifecycle
    if (phase !== 'serving') return phase
    return app.isUnderPressure() ? 'overloaded' : 'ok'
  }

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
    config: { problems: [503] },
    handler: (_request, reply) => {
      const status = readiness()
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
      const eventLoopDelay = app.memoryUsage().eventLoopDelay
      return { status: readiness(), uptime: process.uptime(), eventLoopDelay, heapUsed, rss }
    },
  })
}
