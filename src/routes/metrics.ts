// GET /metrics

import { setImmediate } from 'node:timers/promises'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { requestHistogram } from '../plugins/request-metrics.ts'
import { measureWorkers } from '../plugins/worker-metrics.ts'
import { measureScenes } from '../replies/scene-metrics.ts'

export const metricsRoute: FastifyPluginAsyncTypebox = async (app) => {
  const registry = new Registry()
  registry.registerMetric(requestHistogram(app.requestMetrics) as unknown as Metric)
  collectDefaultMetrics({ register: registry })
  measureScenes(app, registry)
  measureWorkers(app.workers, registry)

  // many that are sent at once are told the same: the text takes milliseconds to make
  let next: Promise<string> | null = null
  function text(): Promise<string> {
    next ??= setImmediate().then(() => {
      next = null
      return registry.metrics()
    })
    return next
  }

  app.get('/metrics', {
    schema: {
      operationId: 'metrics',
      tags: ['service'],
      summary: 'How much is asked, and how fast is it answered?',
      description: 'Counts and latencies by route and status, and those of the process, in the Prometheus text format.',
      produces: ['text/plain'],
      response: { 200: Type.String({ description: 'Prometheus text format 0.0.4.' }) },
    },
    handler: async (_request, reply) => reply.type(registry.contentType).send(await text()),
  })
}
