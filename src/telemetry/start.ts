// Starts the SDK as the environment variables of OpenTelemetry say, and watches the service through the channels that it publishes on
// (node:diagnostics_channel): nothing of the service is imported or patched, so it works for bundled code, and costs nothing when it is off.

import { subscribe } from 'node:diagnostics_channel'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import type { Span } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { api } from './api.ts'
import { measureRequests, passOnMetrics } from './metrics.ts'
import { traceWork } from './spans.ts'

/** Asked every few seconds by machines. */
const PROBES = new Set(['/livez', '/readyz', '/healthz', '/metrics'])
/** Time to send what is left when the service ends: less than it has to drain. */
const FLUSH_MS = 3000

export function startTelemetry(): void {
  setDefaults(process.env)
  const sdk = new NodeSDK({ instrumentations: [requestSpans()] })
  sdk.start()
  traceWork()
  passOnMetrics()
  subscribe('tangent:log-line', (fields) => Object.assign(fields as object, activeIds()))
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance }
    measureRequests(fastify)
    fastify.addHook('onRoute', runWithinSpan)
    // the first that is added is called last
    fastify.addHook('onClose', () => shutdown(sdk))
  })
}

function setDefaults(env: NodeJS.ProcessEnv): void {
  const named = `service.name=${SERVICE_NAME},service.version=${SERVICE_VERSION}`
  // of two values the later one counts
  env.OTEL_RESOURCE_ATTRIBUTES = [named, env.OTEL_RESOURCE_ATTRIBUTES].filter(Boolean).join(',')
  // not `process`: the command line may have tokens and passwords
  env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,serviceinstance'
  // the log of the service goes to standard output
  env.OTEL_LOGS_EXPORTER ??= 'none'
}

function requestSpans(): FastifyOtelInstrumentation {
  return new FastifyOtelInstrumentation({
    registerOnInitialization: true,
    // spans of these would be twice as many, and tell little
    instrumentHooks: false,
    instrumentHandler: false,
    ...(process.env.OTEL_FASTIFY_IGNORE_PATHS === undefined && { ignorePaths: ({ url }) => PROBES.has(pathOf(url)) }),
    requestHook: nameSpan,
  })
}

/** Makes the span of the request the active one for its handler, which may be called from work for other requests. */
function runWithinSpan(route: RouteOptions): void {
  const { handler } = route
  route.handler = function (request, reply) {
    const { context, span } = request.opentelemetry()
    if (context === null || span === null) return handler.call(this, request, reply)
    reply.raw.once('close', () => endUnanswered(span))
    return api.context.with(context, handler, this, request, reply)
  }
}

/** Does nothing where an answer has ended the span. */
function endUnanswered(span: Span): void {
  if (!span.isRecording()) return
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: 'the client has gone' })
  span.end()
}

function nameSpan(span: Span, request: FastifyRequest): void {
  const { method, routeOptions, url, id } = request
  span.updateName(routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`)
  // query strings may hold what is secret
  span.setAttributes({ 'url.path': pathOf(url), 'tangent.request_id': id })
}

function pathOf(url: string): string {
  return url.replace(/[?].*$/s, '')
}

function activeIds(): object {
  const span = api.trace.getActiveSpan()?.spanContext()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/** Whoever takes the data may be away: that keeps no service from ending. */
async function shutdown(sdk: NodeSDK): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())
  await Promise.race([sdk.shutdown().catch(() => undefined), late])
}
