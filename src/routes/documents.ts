// GET /openapi.json, /openapi-3.0.json, /openapi-flat.json and /docs: the contract, for programs
// and for people. The documents are made from the running app by the function that also writes the
// committed files, so that they cannot speak of another version; a test compares the two.

import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import type { OpenApiDocument } from '../wire/openapi/openapi-document.ts'
import { openApiViews, renderView } from '../wire/openapi/openapi-views.ts'

/** Everything from here: the page must work without any other host. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'self'"

export const documentRoutes: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer')
  })
  for (const name of openApiViews) {
    let text: string | undefined
    app.get(`/${name}`, {
      schema: { hide: true },
      handler: (_request, reply) => {
        text ??= renderView(name, app.swagger() as unknown as OpenApiDocument)
        reply.type('application/json; charset=utf-8').send(text)
      },
    })
  }
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: { title: 'Tangent' },
    uiConfig: { layout: 'BaseLayout', tryItOutEnabled: true, displayRequestDuration: true },
  })
}
