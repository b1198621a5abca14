// Counts and times every request, sends what goes with all answers, its id among it, and logs those worth a line: the slow ones, and all of them when
// asked to. Each route gets its own hook, so that a request is filed without looking anything up.
// The time ends when the answer is ready to be sent: waiting for the end of the transfer would take
// listeners on every response.

import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { ARRIVED, type ArrivedMessage } from './request-id.ts'
import { createRequestMetrics, observeRequest, type RequestMetrics, routeMetrics } from './request-metrics.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestMetrics: RequestMetrics
    /** Files a request that no route took. */
    observeUnrouted(request: FastifyRequest, reply: FastifyReply): void
  }
}

/** What requests without a route are filed under. */
const NO_ROUTE = '(none)'

/** Must be registered before the routes, which it observes. */
export const observation = fp(async (app, config: Config) => {
  const metrics = createRequestMetrics()
  const slow = config.SLOW_REQUEST_MS || Number.POSITIVE_INFINITY

  const observer = (method: string, url: string) => {
    const route = routeMetrics(metrics, method, url)
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const now = performance.now()
      const elapsed = now - ((request.raw as ArrivedMessage)[ARRIVED] ?? now)
      observeRequest(route, reply.statusCode, elapsed / 1000)
      if (elapsed > slow) app.logger.warn(entry(request, reply, elapsed), 'slow request')
      else if (config.LOG_REQUESTS) app.logger.info(entry(request, reply, elapsed), 'request')
    }
  }

  app.decorate('requestMetrics', metrics)
  app.decorate('observeUnrouted', observer('*', NO_ROUTE))

  app.addHook('onRoute', (route) => {
    const observe = observer([route.method].flat().join(','), route.url)
    route.onSend = [route.onSend ?? []].flat().concat((request, reply, _payload, done) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
      observe(request, reply)
      done()
    })
  })
})

function entry(request: FastifyRequest, reply: FastifyReply, elapsed: number) {
  const { id: reqId, method } = request
  // query strings may hold what is secret
  const url = request.url.replace(/[?].*$/s, '')
  return { reqId, method, url, status: reply.statusCode, ms: Math.round(elapsed * 1000) / 1000 }
}
