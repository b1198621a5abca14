// GET /: the start page: the playground for browsers, JSON for programs. GET /playground/space: the playground in space. Their files are
// below /playground/, loaded from the service alone. They come from the build; run from its sources, the service bundles them itself, so that development and tests use the
// sources.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { ServiceIndex } from '../../schemas/service.ts'
import {
  escapeHtml,
  linkList,
  originOf,
  type PackedFile,
  packedFile,
  sendPackedFile,
  wantsPage,
} from '../replies/pages.ts'
import { SERVICE_NAME } from '../version.ts'

interface PlaygroundFiles {
  html: PackedFile
  js: PackedFile
  /** Of the page in space, which alone loads it. */
  space: PackedFile
  css: PackedFile
}

const isBuilt = import.meta.filename.endsWith('.js')

/** Once, and again after a failure. */
let files: Promise<PlaygroundFiles> | undefined

function playgroundFiles(): Promise<PlaygroundFiles> {
  files ??= (isBuilt ? readBuilt() : bundle()).catch((error) => {
    files = undefined
    throw error
  })
  return files
}

async function readBuilt(): Promise<PlaygroundFiles> {
  const folder = join(import.meta.dirname, '../../playground')
  const read = async (name: string) => packedFile(await readFile(join(folder, name), 'utf8'))
  return {
    html: await read('index.html'),
    js: await read('playground.js'),
    space: await read('space.js'),
    css: await read('playground.css'),
  }
}

/** As build.mjs makes them. */
async function bundle(): Promise<PlaygroundFiles> {
  const { build } = await import('esbuild')
  const folder = join(import.meta.dirname, '../playground')
  const { outputFiles } = await build({
    entryPoints: ['playground.ts', 'space/space.ts', 'playground.css'].map((name) => join(folder, name)),
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    write: false,
  })
  const made = (end: string) => packedFile(outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '')
  return {
    html: packedFile(await readFile(join(folder, 'index.html'), 'utf8')),
    js: made('playground.js'),
    space: made('space.js'),
    css: made('.css'),
  }
}

const DESCRIPTION =
  'Tangent answers collision questions over HTTP: send shapes as JSON, at rest or moving, and get back whether they meet, how far apart they are, where and how they touch, and when they will.'
const LINKS = [
  ['/docs', 'every question, to be tried out here'],
  ['/openapi.json', 'the contract: OpenAPI 3.1'],
  ['/openapi-3.0.json', 'the same for generators that know no newer one'],
  ['/openapi-flat.json', 'the same for those that cannot do unions'],
  ['/lint-rules.schema.json', 'the rules of levels, for editors'],
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
async function sendPlayground(request: FastifyRequest, reply: FastifyReply, isSpace = false): Promise<undefined> {
  const { html } = await playgroundFiles()
  reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer')
  const page = isSpace ? ofSpace(html.text) : html.text
  reply.type('text/html; charset=utf-8').send(page.replace('<!-- content -->', () => content(request)))
}

/** The page of the plane, made the one of space: its script does the rest. */
function ofSpace(page: string): string {
  return page
    .replace('<html lang="en">', '<html lang="en" data-dimension="3d">')
    .replace('<title>Tangent</title>', '<title>Tangent in space</title>')
    .replace('/playground/playground.js', '/playground/space.js')
    .replace('<a id="other-page" href="/playground/space">In 3D</a>', '<a id="other-page" href="/">In 2D</a>')
    .replace('aria-label="Plane"', 'aria-label="Space"')
}

function content(request: FastifyRequest): string {
  const command = `curl -s ${originOf(request)}/v1/2d/distance -H 'content-type: application/json' -d '${QUERY}'`
  const example = `<pre>${escapeHtml(command)}</pre>\n<pre>${escapeHtml(ANSWER)}</pre>\n`
  return `<h2>Ask</h2>\n<p>How far is a circle from a box, and where are they nearest?</p>\n${example}<h2>Go on</h2>\n${linkList(LINKS)}`
}

export const playgroundRoutes: FastifyPluginAsync = async (app) => {
  app.get('/playground/playground.js', {
    schema: { hide: true },
    handler: async (request, reply) => sendPackedFile(request, reply, 'text/javascript', (await playgroundFiles()).js),
  })
  app.get('/playground/space', {
    schema: { hide: true },
    handler: (request, reply) => sendPlayground(request, reply, true),
  })
  app.get('/playground/space.js', {
    schema: { hide: true },
    handler: async (request, reply) =>
      sendPackedFile(request, reply, 'text/javascript', (await playgroundFiles()).space),
  })
  app.get('/playground/playground.css', {
    schema: { hide: true },
    handler: async (request, reply) => sendPackedFile(request, reply, 'text/css', (await playgroundFiles()).css),
  })
}
