// GET /playground/playground.js and .css: what the page at / loads, from here and from nowhere else.

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type PlaygroundFile, playgroundFiles } from '../replies/playground-files.ts'

export const playgroundRoutes: FastifyPluginAsync = async (app) => {
  app.get('/playground/playground.js', {
    schema: { hide: true },
    handler: async (request, reply) => send(request, reply, 'text/javascript', (await playgroundFiles()).js),
  })
  app.get('/playground/playground.css', {
    schema: { hide: true },
    handler: async (request, reply) => send(request, reply, 'text/css', (await playgroundFiles()).css),
  })
}

/** Looked at anew each time, and sent only where it is another one: a new release is seen at once. */
function send(request: FastifyRequest, reply: FastifyReply, type: string, { text, gzipped, etag }: PlaygroundFile) {
  reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding')
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type(`${type}; charset=utf-8`)
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
