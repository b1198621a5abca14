// GET /livez, /readyz, /healthz: for orchestrators, load balancers and dashboards.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { word } from '../../schemas/quantity.ts'
import { reference } from '../../schemas/reference.ts'
import { ServiceHealth, ServiceStatus } from '../../schemas/service.ts'
import { readiness as measureReadiness } from '../plugins/readiness.ts'
import { readiness, serviceHealth } from '../replies/service-health.ts'

const ReadyParameters = Type.Object({
  for: Type.Optional(
    word(['writes'], 'writes: also whether anything can be written. Reads of scenes in memory need no database.'),
  ),
})

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(measureReadiness)

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
        '200 while it takes requests, 503 with Retry-After while it starts, drains or is overloaded, 503 also after its storage has failed or its data directory was deleted; for the probe that routes requests. 200 also while a database cannot be reached, or all instances would be left alone at once; with for=writes 503 then.',
      querystring: ReadyParameters,
      response: { 200: reference(ServiceStatus) },
    },
    config: {
      problems: ['schema-violation', 'starting', 'draining', 'overloaded', 'store-unavailable', 'storage-failed'],
    },
    handler: ({ query }, reply) => readiness(reply, query.for === 'writes'),
  })
  app.get('/healthz', {
    schema: {
      operationId: 'health',
      tags: ['service'],
      summary: 'How does the service fare?',
      description: 'Readiness, uptime, memory and the delay of the event loop, for people; always 200.',
      response: { 200: reference(ServiceHealth) },
    },
    handler: () => serviceHealth(app),
  })
}
