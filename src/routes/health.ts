// GET /livez, /readyz, /healthz: whether the service is alive, and fit for requests, for orchestrators, load balancers and dashboards.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { word } from '../../schemas/quantity.ts'
import { reference } from '../../schemas/reference.ts'
import { ServiceHealth, ServiceStatus, type StoreHealth } from '../../schemas/service.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readiness(): ServiceHealth['status']
  }
}

/** Mean delay of the event loop, over a second, from which on the service counts as overloaded. */
const MAX_EVENT_LOOP_DELAY_MS = 1000
const SAMPLE_MS = 1000
/** The first sample that has nothing of the start in it, which may block the loop for long, is there by then. */
const SETTLED_MS = 2 * SAMPLE_MS

/**
 * Samples once a second. To be registered only where the health routes are, and told to let
 * everything pass: its hook would cost every query, and being overloaded is a matter for the load
 * balancer, not a reason to refuse a short request that has already waited its turn.
 */
const measureReadiness = fp(async (app) => {
  await app.register(underPressure, {
    sampleInterval: SAMPLE_MS,
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: () => undefined,
  })
  app.decorate('readiness', () => {
    const { phase, since } = app.lifecycle
    if (phase !== 'serving') return phase
    // the first question that a worker is to answer would wait for it
    if (app.workers.isStarting) return 'starting'
    if (app.scenes.keeper?.failure() != null) return 'storage-failed'
    const isSettled = performance.now() - since > SETTLED_MS
    return isSettled && app.isUnderPressure() ? 'overloaded' : 'ok'
  })
})

const UNREADY = {
  starting: 'The service is starting: it is not ready for requests yet.',
  draining: 'The service is shutting down and takes no new requests.',
  overloaded: 'The event loop lags behind; ask another instance or come back later.',
  'storage-failed': 'Nothing is written any more until the service is started again. Scenes in memory are still read.',
}
const UNWRITABLE = 'The database cannot be reached: nothing can be written. Scenes in memory are still read.'

/** `isForWrites`: a database that cannot be reached counts. Scenes in memory are read without it. */
function readiness(reply: FastifyReply, isForWrites: boolean): { status: 'ok' } | undefined {
  const { server } = reply
  const status = server.readiness()
  if (status !== 'ok') return reply.problem(status, UNREADY[status])
  const isWritable = !isForWrites || (server.scenes.keeper?.status()?.isWritable ?? true)
  return isWritable ? { status } : reply.problem('store-unavailable', UNWRITABLE)
}

function serviceHealth(app: FastifyInstance): ServiceHealth {
  const { heapUsed, rss } = process.memoryUsage()
  const { eventLoopDelay: delay } = app.memoryUsage()
  const eventLoopDelay = Number.isFinite(delay) ? delay : null
  const status = app.readiness()
  return { status, uptime: process.uptime(), eventLoopDelay, heapUsed, rss, store: storeHealth(app) }
}

/** Null where this instance alone keeps the scenes, and until they are back. */
function storeHealth({ scenes: { keeper } }: FastifyInstance): StoreHealth | null {
  const status = keeper?.status() ?? null
  if (status === null) return null
  const { isReachable: reachable, isWritable: writable, following, staleMs, commits, commitMs } = status
  const { conflicts, unknownOutcomes, reconnects, loads, forks } = status
  const meanCommitMs = commits === 0 ? null : commitMs / commits
  const counts = { conflicts, unknownOutcomes, reconnects, loads, forks }
  return { reachable, writable, following, staleMs, commits, meanCommitMs, ...counts }
}

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
