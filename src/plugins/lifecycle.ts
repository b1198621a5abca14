// Where the service is in its life, for those who decide whether to send it requests. Whoever has something to do before
// the first one says when it is done, see scenes.ts.

import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: { phase: 'starting' | 'serving' | 'draining' }
  }
}

export const lifecycle = fp(async (app) => {
  app.decorate('lifecycle', { phase: 'starting' })
  app.addHook('preClose', async () => {
    app.lifecycle.phase = 'draining'
  })
})
