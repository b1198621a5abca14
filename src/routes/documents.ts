// GET /openapi.json, /openapi-3.0.json, /openapi-flat.json and /docs: the contract, for programs
// and for people. `npm run build` takes the documents along that are committed; run from its sources the service makes them from
// itself, as `npm run openapi` does, and CI compares the two. Making them takes a third of a second, in which nobody else would be
// answered.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { DOCS_SCRIPT, DOCS_STYLE } from '../replies/docs-page.ts'
import { type PackedFile, packedFile, sendPackedFile } from '../replies/packed-file.ts'
import type { OpenApiDocument } from '../wire/openapi/document.ts'
import { docsView, openApiViews, renderView } from '../wire/openapi/views.ts'

/** Everything from here: the page must work without any other host. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'self'"

/** The text of the document that was built along, or null where there is none. */
async function builtDocument(name: string): Promise<string | null> {
  if (!import.meta.filename.endsWith('.js')) return null
  return readFile(join(import.meta.dirname, '../../openapi', name), 'utf8').catch(() => null)
}

export const documentRoutes: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer')
  })
  for (const name of openApiViews) {
    let file: PackedFile | undefined
    app.get(`/${name}`, {
      schema: { hide: true },
      handler: async (request, reply) => {
        file ??= packedFile(
          (await builtDocument(name)) ?? renderView(name, app.swagger() as unknown as OpenApiDocument),
        )
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
