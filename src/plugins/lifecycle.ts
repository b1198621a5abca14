// Where the service is in its life, for those who decide whether to send it requests. Whoever has something to do before
// the first one says when it is done, see scenes.ts.

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: {
      phase: 'starting' | 'serving' | 'draining'
      /** When the phase began, by `performance.now()`. */
      since: number
    }
  }
}

export const lifecycle = fp(async (app) => {
  app.decorate('lifecycle', { phase: 'starting', since: performance.now() })
  app.addHook('preClose', async () => enterPhase(app, 'draining'))
})

export function enterPhase({ lifecycle }: FastifyInstance, phase: FastifyInstance['lifecycle']['phase']): void {
  lifecycle.phase = phase
  lifecycle.since = performance.now()
}
