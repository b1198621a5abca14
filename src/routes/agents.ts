// POST /mcp: tools for agents, by the Model Context Protocol. What they need is loaded for the first who asks. There are no sessions, so
// there is nothing to listen to by GET, or to end by DELETE.

import type { FastifyPluginAsync } from 'fastify'
import { appAsService } from '../agents/asked-service.ts'
import type { Config } from '../config.ts'
import { keepJsonBytes } from '../plugins/json-body.ts'

/** Bytes of a message, which the main thread parses. Levels that are longer are imported by their own route. */
const MOST_BYTES = 2 ** 20

/** Headers of a message that say something to the protocol. */
const TOLD = ['accept', 'content-type', 'mcp-protocol-version']

export const agentRoutes: FastifyPluginAsync<Config> = async (app, { BODY_LIMIT, CORS_ORIGIN }) => {
  keepJsonBytes(app)
  app.post('/mcp', {
    bodyLimit: Math.min(BODY_LIMIT, MOST_BYTES),
    schema: { hide: true },
    // what writes is held against the token again, when a tool asks for it
    config: { isQuery: true },
    handler: async (request, reply) => {
      const { origin, authorization } = request.headers
      if (origin !== undefined && !CORS_ORIGIN.includes(origin) && !CORS_ORIGIN.includes('*')) {
        // a page that a browser was led to by a name of its own for this machine
        return reply.code(403).send(refusal('Pages of this origin may not call; see CORS_ORIGIN.'))
      }
      let message: unknown
      try {
        message = JSON.parse(String(request.body))
      } catch (error) {
        return reply.problem('malformed-json', `The body is not JSON: ${(error as Error).message}.`)
      }
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const service = appAsService(app, { ...(authorization !== undefined && { authorization }), address: request.ip })
      const { answerMessage } = await import('../agents/exchange.ts')
      const headers = Object.fromEntries(
        TOLD.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
      )
      const onFault = (err: unknown) => app.logger.error({ err, requestId: request.id }, 'a tool failed')
      try {
        const { status, type, text } = await answerMessage(
          message,
          headers,
          { service, signal: gone.signal },
          { onFault },
        )
        if (type !== null) reply.type(type)
        return reply.code(status).send(text)
      } catch (error) {
        if (gone.signal.aborted) return reply.hijack()
        throw error
      }
    },
  })
}

function refusal(message: string): object {
  return { jsonrpc: '2.0', error: { code: -32000, message }, id: null }
}
