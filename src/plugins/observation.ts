// Log, request ids and metrics. Counts and times every request, sets the headers of every answer, its id among them, and logs slow requests,
// or all of them when configured. Each route gets its own hook, so that a request is filed without a lookup. The time ends when the answer
// is ready to be sent: waiting for the end of the transfer would take listeners on every response.
//
// The log replaces the framework's own, which makes a logger for each request and listens to every response, whether or not a line is
// written. The metrics are a Prometheus histogram by route and status. Observing a request is a few additions; labels and text are made
// only when the metrics are read, since the client library's own histogram hashes the labels of every observation.

import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestMetrics: RequestMetrics
    /** Files a request that no route took. */
    observeUnrouted(request: FastifyRequest, reply: FastifyReply): void
  }
}

/** Route name of requests without a route. */
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

/** Request ids that clients may choose. */
const FIT = /^[\x21-\x7e]{1,128}$/

const prefix = randomBytes(6).toString('base64url')
let count = 0

/** When a request arrived, by the clock of performance.now(). */
const ARRIVED = Symbol('arrived')

interface ArrivedMessage extends IncomingMessage {
  [ARRIVED]?: number
}

/** The id that a request goes by. It is asked for first of all, so the time is noted here: a hook would cost more. */
export function requestId(request: ArrivedMessage): string {
  request[ARRIVED] = performance.now()
  const given = request.headers['x-request-id']
  return typeof given === 'string' && FIT.test(given) ? given : newRequestId()
}

/** Unique by the random prefix of the process, and cheap: drawing random bytes for each request is not. */
export function newRequestId(): string {
  count++
  return `${prefix}-${count.toString(36)}`
}

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const REQUEST_METRIC = 'http_request_duration_seconds'

interface Series {
  sum: number
  /** One for each bucket alone, the last for what is above all bounds. */
  counts: number[]
}

interface RouteMetrics {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, Series>
}

interface RequestMetrics {
  readonly routes: RouteMetrics[]
}

interface Sample {
  metricName: string
  value: number
  labels: Record<string, string | number>
}

function createRequestMetrics(): RequestMetrics {
  return { routes: [] }
}

function routeMetrics(metrics: RequestMetrics, method: string, route: string): RouteMetrics {
  const created: RouteMetrics = { method, route, byStatus: new Map() }
  metrics.routes.push(created)
  return created
}

function observeRequest(route: RouteMetrics, status: number, seconds: number): void {
  let series = route.byStatus.get(status)
  if (series === undefined) {
    series = { sum: 0, counts: new Array(BOUNDS.length + 1).fill(0) }
    route.byStatus.set(status, series)
  }
  let bucket = 0
  while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) bucket++
  series.counts[bucket]++
  series.sum += seconds
}

/** The form in which the client library's registry asks a metric for its values. */
export function requestHistogram(metrics: RequestMetrics) {
  const name = REQUEST_METRIC
  const help = 'Time from the arrival of a request to the end of its answer, in seconds.'
  const type = 'histogram'
  return { name, help, type, get: async () => ({ name, help, type, values: samples(metrics) }) }
}

function samples(metrics: RequestMetrics): Sample[] {
  const out: Sample[] = []
  for (const { method, route, byStatus } of metrics.routes) {
    for (const [status, { sum, counts }] of byStatus) {
      const labels = { method, route, status }
      let total = 0
      counts.forEach((count, i) => {
        total += count
        const le = i < BOUNDS.length ? BOUNDS[i] : '+Inf'
        out.push({ metricName: `${REQUEST_METRIC}_bucket`, value: total, labels: { le, ...labels } })
      })
      out.push({ metricName: `${REQUEST_METRIC}_sum`, value: sum, labels })
      out.push({ metricName: `${REQUEST_METRIC}_count`, value: total, labels })
    }
  }
  return out
}

declare module 'fastify' {
  interface FastifyInstance {
    logger: Logger
  }
}

interface LogOptions {
  level: string
  /** Where lines go; standard output when absent. */
  destination?: DestinationStream | undefined
}

/** Each line is published here before it is written, for others to add fields, where somebody listens when the log is made. */
const LINES = channel('tangent:log-line')

function addedFields(): Record<string, unknown> {
  const fields = {}
  LINES.publish(fields)
  return fields
}

export const log = fp(async (app, { level, destination }: LogOptions) => {
  const options: LoggerOptions = LINES.hasSubscribers ? { level, mixin: addedFields } : { level }
  const logger: Logger = destination === undefined ? pino(options) : pino(options, destination)
  app.decorate('logger', logger)
})
