// GET /openapi.json, /openapi-3.0.json, /openapi-flat.json and /docs: the API as a document, for programs and for people; and
// /lint-rules.schema.json, a JSON Schema for editors. A build contains
// the committed documents. Run from its sources, the service makes them itself, as `npm run openapi` does, and CI compares the two. Making
// them takes a third of a second, in which no other request is answered.

import { readFile } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { exampleBodies } from '../../schemas/scenes/scene.ts'
import { type PackedFile, packedFile, sendPackedFile } from '../replies/pages.ts'
import { LINT_RULES_SCHEMA, renderLintRulesSchema } from '../wire/lint-rules-schema.ts'
import type { OpenApiDocument } from '../wire/openapi-document.ts'
import { docsView, downgrade, openApiViews, renderView } from '../wire/openapi-views.ts'

// Script of the page at /docs, in addition to Swagger UI: it shows pictures as pictures, and can make an example scene that the parameters
// of all operations about scenes then name. It is text, because it runs in the browser as it is written here.
//
// Each window names a scene of its own, so that visitors do not see each other's changes; nothing is made before the user asks for it.

/** Seconds that an example scene is kept after it was last used. */
const EXAMPLE_TTL = 3600
const EXAMPLE_BODY = 'crate'

const OPERATIONS = [{ op: 'clear' }, ...exampleBodies.map((body) => ({ op: 'put', body }))]

const DOCS_STYLE = `.swagger-ui .info .link{display:none}
.swagger-ui .tangent-scene{margin:0 0 1.5rem;padding:.75rem 1rem;border:1px solid #c8ccd0;border-radius:6px;background:#fff;color:#1c2126}
.tangent-scene button{margin-right:.75rem;padding:.4rem .9rem;border:1px solid #0b57a4;border-radius:4px;background:#0b57a4;color:#fff;font:inherit;cursor:pointer}
.tangent-picture{display:block;max-width:100%;background:#fff;border:1px solid #c8ccd0;border-radius:4px}
.tangent-source{margin-top:.5rem}
`

const DOCS_SCRIPT = `'use strict'
{
  const KEY = 'tangent-example-scene'
  let sceneId = sessionStorage.getItem(KEY)
  if (sceneId === null) {
    sceneId = 'docs-' + Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(16).padStart(2, '0')).join('')
    sessionStorage.setItem(KEY, sceneId)
  }
  const EXAMPLES = { sceneId, bodyId: ${JSON.stringify(EXAMPLE_BODY)} }
  const OPERATIONS = ${JSON.stringify(OPERATIONS)}

  async function send(system, method, path, body) {
    const token = system.authSelectors.authorized().toJS().token
    const headers = { 'content-type': 'application/json' }
    if (token !== undefined) headers.authorization = 'Bearer ' + token.value
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.detail)
    return answer
  }

  async function makeScene(system) {
    const path = '/v1/2d/scenes/' + sceneId
    await send(system, 'PUT', path, { name: 'Example of /docs', ttl: ${EXAMPLE_TTL} })
    return send(system, 'POST', path + '/operations', { operations: OPERATIONS })
  }

  const pictures = () => ({
    wrapComponents: {
      responseBody: (Original, { React }) => (props) => {
        if (!/^image\\/svg\\+xml/.test(props.contentType) || typeof props.content !== 'string') return React.createElement(Original, props)
        const source = 'data:image/svg+xml,' + encodeURIComponent(props.content)
        return React.createElement('div', null,
          React.createElement('img', { className: 'tangent-picture', alt: 'The picture that was answered', src: source }),
          React.createElement('details', { className: 'tangent-source' },
            React.createElement('summary', null, 'As text'),
            React.createElement(Original, { ...props, contentType: 'text/plain' })))
      },
    },
  })

  const exampleScene = () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (update) => (document) => update(withExamples(document)),
        },
      },
    },
    wrapComponents: {
      InfoContainer: (Original, system) => (props) => system.React.createElement(system.React.Fragment, null,
        system.React.createElement(Original, props),
        system.React.createElement(ExampleScene, { system })),
    },
  })

  function ExampleScene({ system }) {
    const { React } = system
    const [state, setState] = React.useState('Operations about scenes need one: this makes ' + sceneId + ', with ' + (OPERATIONS.length - 1) + ' bodies, which is kept for an hour after its last use.')
    const make = async () => {
      setState('…')
      try {
        const { version } = await makeScene(system)
        setState('The scene ' + sceneId + ' is there, at version ' + version + '. The examples below are about it.')
      } catch (error) {
        setState('The scene could not be made: ' + error.message)
      }
    }
    return React.createElement('div', { className: 'wrapper' },
      React.createElement('div', { className: 'tangent-scene' },
        React.createElement('button', { type: 'button', onClick: make }, 'Make the example scene'),
        React.createElement('span', { role: 'status' }, state)))
  }

  function withExamples(document) {
    for (const methods of Object.values(document.paths ?? {})) {
      for (const { parameters = [] } of Object.values(methods)) {
        for (const parameter of parameters) {
          if (parameter.in === 'path' && parameter.name in EXAMPLES) parameter.example = EXAMPLES[parameter.name]
        }
      }
    }
    return document
  }

  const Bundle = window.SwaggerUIBundle
  window.SwaggerUIBundle = Object.assign(
    (config) => Bundle({ ...config, plugins: [...config.plugins, pictures, exampleScene] }),
    Bundle,
  )
}
`

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
  for (const name of [...openApiViews, LINT_RULES_SCHEMA]) {
    const render = (document: OpenApiDocument) =>
      name === LINT_RULES_SCHEMA ? renderLintRulesSchema(document) : renderView(name, document)
    let file: PackedFile | undefined
    app.get(`/${name}`, {
      schema: { hide: true },
      handler: async (request, reply) => {
        file ??= packedFile((await builtDocument(name)) ?? render(app.swagger() as unknown as OpenApiDocument))
        return sendPackedFile(request, reply, 'application/json', file)
      },
    })
  }
  let made: Promise<FastifyInstance> | undefined
  const texts = new Map<string, PackedPart>()
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= docsPage(app).catch((error) => {
      made = undefined
      throw error
    })
    const [url] = request.url.split('?')
    const known = texts.get(url)
    if (known !== undefined) return sendPart(request, reply, known)
    const { statusCode, headers, body, rawPayload } = await (await made).inject({
      url,
      headers: { ...request.headers },
    })
    if (statusCode === 404) return reply.callNotFound()
    const { 'content-type': type, etag: _, ...others } = headers
    if (statusCode === 200 && typeof type === 'string' && TEXT_TYPE.test(type) && texts.size < MOST_PARTS) {
      const part = { type: type.split(';')[0], headers: others, file: packedFile(body) }
      texts.set(url, part)
      return sendPart(request, reply, part)
    }
    setHeaders(reply, headers)
    return reply.code(statusCode).send(rawPayload)
  }
  for (const url of ['/docs', '/docs/*']) app.get(url, { schema: { hide: true }, handler })
  app.addHook('onClose', async () => {
    await (await made?.catch(() => undefined))?.close()
  })
}

/** A text of the page: compressed once. */
interface PackedPart {
  type: string
  headers: OutgoingHttpHeaders
  file: PackedFile
}

/** There are fewer; a path can be written in many ways. */
const MOST_PARTS = 16

const TEXT_TYPE = /^(text\/|application\/(javascript|json))/

function sendPart(request: FastifyRequest, reply: FastifyReply, { type, headers, file }: PackedPart): FastifyReply {
  setHeaders(reply, headers)
  return sendPackedFile(request, reply, type, file)
}

/** Headers of the connection, which the service sends of itself. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

function setHeaders(reply: FastifyReply, headers: OutgoingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OWN_HEADERS.has(name)) reply.header(name, value)
  }
}

/** The page and its files, as a service of its own: what they need is loaded for the first who asks, and takes a tenth of a second. */
async function docsPage(app: FastifyInstance): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const page = Fastify({ routerOptions: { maxParamLength: 1024 } })
  // what the page looks for
  const swagger = async (scope: FastifyInstance) => void scope.decorate('swagger', app.swagger)
  page.register(fp(swagger, { name: '@fastify/swagger' }))
  let view: OpenApiDocument | undefined
  page.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: {
      title: 'Tangent',
      css: [{ filename: 'tangent.css', content: DOCS_STYLE }],
      js: [{ filename: 'tangent.js', content: DOCS_SCRIPT }],
    },
    transformSpecificationClone: false,
    transformSpecification: (document) => {
      // The page resolves documents of 3.1 in another way, which takes three times as long.
      view ??= downgrade(docsView(document as unknown as OpenApiDocument))
      return view as unknown as typeof document
    },
    uiConfig: { layout: 'BaseLayout', tryItOutEnabled: true, displayRequestDuration: true },
  })
  await page.ready()
  return page
}
