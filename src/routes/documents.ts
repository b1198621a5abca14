// GET /openapi.json, /openapi-3.0.json, /openapi-flat.json and /docs: the contract, for programs
// and for people. The documents are made from the running app by the function that also writes the
// committed files, so that they cannot speak of another version; a test compares the two.

import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { DOCS_SCRIPT, DOCS_STYLE } from '../replies/docs-page.ts'
import { type PackedFile, packedFile, sendPackedFile } from '../replies/packed-file.ts'
import { docsView } from '../wire/openapi/docs-view.ts'
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
    let file: PackedFile | undefined
    app.get(`/${name}`, {
      schema: { hide: true },
      handler: (request, reply) => {
        file ??= packedFile(renderView(name, app.swagger() as unknown as OpenApiDocument))
        return sendPackedFile(request, reply, 'application/json', file)
      },
    })
  }
  let view: OpenApiDocument | undefined
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: {
      title: 'Tangent',
      css: [{ filename: 'tangent.css', content: DOCS_STYLE }],
      js: [{ filename: 'tangent.js', content: DOCS_SCRIPT }],
    },
    transformSpecificationClone: false,
    transformSpecification: (document) => {
      view ??= docsView(document as unknown as OpenApiDocument)
      return view as unknown as typeof document
    },
    uiConfig: { layout: 'BaseLayout', tryItOutEnabled: true, displayRequestDuration: true },
  })
}
