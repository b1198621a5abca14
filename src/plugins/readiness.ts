// Is the service fit to be sent requests? For /readyz and /healthz.

import underPressure from '@fastify/under-pressure'
import fp from 'fastify-plugin'
import type { ServiceHealth } from '../../schemas/service.ts'

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
export const readiness = fp(async (app) => {
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
