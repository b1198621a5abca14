// GET /: what this is, for whoever comes here first: the playground for browsers, JSON for programs.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { ServiceIndex } from '../../schemas/service.ts'
import { escapeHtml, linkList, originOf, wantsPage } from '../replies/pages.ts'
import { playgroundFiles } from '../replies/playground-files.ts'
import { SERVICE_NAME } from '../version.ts'

const DESCRIPTION =
  'Tangent answers collision questions over HTTP: send shapes as JSON, at rest or moving, and get back whether they meet, how far apart they are, where and how they touch, and when they will.'
const LINKS = [
  ['/docs', 'every question, to be tried out here'],
  ['/openapi.json', 'the contract: OpenAPI 3.1'],
  ['/openapi-3.0.json', 'the same for generators that know no newer one'],
  ['/openapi-flat.json', 'the same for those that cannot do unions'],
  ['/problems', 'what may go wrong, and what to do about it'],
  ['/v1/limits', 'what bounds a request'],
  ['/metrics', 'how much is asked, and how fast it is answered'],
] as const
const QUERY = `{
  "a": { "shape": { "type": "box", "width": 4, "height": 2 } },
  "b": { "shape": { "type": "circle", "radius": 1 }, "position": { "x": 5, "y": 0 } }
}`
const ANSWER = '{"distance":2,"pointA":{"x":2,"y":0},"pointB":{"x":4,"y":0},"normal":{"x":1,"y":0}}'
/** Scripts, styles and answers from here; pictures made in the page too. Nothing inline, and no other host. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
const INDEX: ServiceIndex = { name: SERVICE_NAME, description: DESCRIPTION, paths: LINKS.map(([path]) => path) }

export const startRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/', {
    schema: {
      operationId: 'start',
      tags: ['service'],
      summary: 'What is this?',
      description: 'What the service is and where to find out more; a page for browsers, which ask for text/html.',
      response: { 200: reference(ServiceIndex) },
    },
    handler: (request, reply) => (wantsPage(request, reply) ? sendPlayground(request, reply) : INDEX),
  })
}

/** The page with what else there is to know in it, behind More. */
async function sendPlayground(request: FastifyRequest, reply: FastifyReply): Promise<undefined> {
  const { html } = await playgroundFiles()
  reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer')
  reply.type('text/html; charset=utf-8').send(html.text.replace('<!-- content -->', () => content(request)))
}

function content(request: FastifyRequest): string {
  const command = `curl -s ${originOf(request)}/v1/2d/distance -H 'content-type: application/json' -d '${QUERY}'`
  const example = `<pre>${escapeHtml(command)}</pre>\n<pre>${escapeHtml(ANSWER)}</pre>\n`
  return `<h2>Ask</h2>\n<p>How far is a circle from a box, and where are they nearest?</p>\n${example}<h2>Go on</h2>\n${linkList(LINKS)}`
}
