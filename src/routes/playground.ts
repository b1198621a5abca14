// GET /playground/playground.js and .css: what the page at / loads, from here and from nowhere else.

import type { FastifyPluginAsync } from 'fastify'
import { sendPackedFile } from '../replies/packed-file.ts'
import { playgroundFiles } from '../replies/playground-files.ts'

export const playgroundRoutes: FastifyPluginAsync = async (app) => {
  app.get('/playground/playground.js', {
    schema: { hide: true },
    handler: async (request, reply) => sendPackedFile(request, reply, 'text/javascript', (await playgroundFiles()).js),
  })
  app.get('/playground/playground.css', {
    schema: { hide: true },
    handler: async (request, reply) => sendPackedFile(request, reply, 'text/css', (await playgroundFiles()).css),
  })
}
