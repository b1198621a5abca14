// Counts and times every request, and logs those worth a line: the slow ones, and all of them when
// asked to. Each route gets its own hook, so that a request is filed without looking anything up.

import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { createRequestMetrics, observeRequest, type RequestMetrics, routeMetrics } from './request-metrics.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestMetrics: RequestMetrics
  }
}

/** What requests without a route are filed under. */
const NO_ROUTE = '(none)'

type Done = () => void

/** Must be registered before the routes, which it observes. */
export const observation = fp(async (app, config: Config) => {
  const metrics = createRequestMetrics()
  const slow = config.SLOW_REQUEST_MS || Number.POSITIVE_INFINITY
  app.decorate('requestMetrics', metrics)

  const recorder = (method: string, url: string) => {
    const route = routeMetrics(metrics, method, url)
    return (request: FastifyRequest, reply: FastifyReply, done: Done) => {
      const elapsed = reply.elapsedTime
      observeRequest(route, reply.statusCode, elapsed / 1000)
      if (elapsed > slow) app.log.warn(entry(request, reply), 'slow request')
      else if (config.LOG_REQUESTS) app.log.info(entry(request, reply), 'request')
      done()
    }
  }

  app.addHook('onRoute', (route) => {
    const record = recorder([route.method].flat().join(','), route.url)
    route.onResponse = [route.onResponse ?? []].flat().concat(record)
  })

  // the not-found handler is no route: it has only the hooks of the whole app
  const recordUnknown = recorder('*', NO_ROUTE)
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) recordUnknown(request, reply, done)
    else done()
  })
})

function entry(request: FastifyRequest, reply: FastifyReply) {
  const { id: reqId, method, url } = request
  return { reqId, method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 1000) / 1000 }
}
