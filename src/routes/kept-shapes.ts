// /v1/2d/shapes, /v1/3d/shapes and below: shapes that are sent once, and referred to by their ids.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  KeepParameters,
  KeptListParameters,
  KeptShape,
  KeptShape3d,
  KeptShape3dList,
  KeptShapeList,
  KeptShapeParameters,
  type KeptSummary,
} from '../../schemas/queries/kept-shapes.ts'
import { reference } from '../../schemas/reference.ts'
import { IF_NONE_MATCH_PATTERN } from '../../schemas/scenes/headers.ts'
import { Shape2d } from '../../schemas/shapes2d.ts'
import { Shape3d } from '../../schemas/shapes3d.ts'
import type { Config } from '../config.ts'
import { MESH_FORMATS } from '../import/meshes/mesh-file.ts'
import type { KeepTask, MadeShape } from '../kept/keep-shape.ts'
import { digestOfSent } from '../kept/sent-shapes.ts'
import { readBytes } from '../plugins/sent-files.ts'
import { parametersOnly } from '../plugins/validation.ts'
import { sendWorkProblem } from '../plugins/workers.ts'
import { finishSlices, SliceClock } from '../queries/ask/slices.ts'
import { isWanted } from '../replies/query-replies.ts'
import { replyToStoreError } from '../replies/scene-reads.ts'
import { StoreError } from '../scene/store/store.ts'
import { FarWork } from '../threads/pool.ts'
import { type DecodeProblem, isProblem } from '../wire/decode-problem.ts'
import { KEEP_PROBLEMS, QUERY_3D_PROBLEMS, QUERY_PROBLEMS } from '../wire/problem-lists.ts'
import type { Dimension } from '../wire/shape-source.ts'

const JSON_TYPE = 'application/json'
const ADVICE = 'Send a smaller shape, or parts of it.'
const PAGE_SIZE = 100
const STORE_PROBLEMS = ['store-unavailable', 'draining'] as const
const IfNoneMatch = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      pattern: IF_NONE_MATCH_PATTERN,
      description: 'The ETag of the shape: the answer is 304 without a body while it is kept.',
    }),
  ),
})
const READ_HEADERS = {
  ETag: { type: 'string', description: 'The id in double quotes.' },
  'Cache-Control': { type: 'string', description: 'Caches must ask each time whether the shape is still kept.' },
}
/** The content of an id never changes, but the shape may go. */
const CACHING = 'private, no-cache'
const LOCATION = { location: { type: 'string', description: 'The path of the shape.' } }
const FILE = { type: 'string', format: 'binary' }

const files = Object.fromEntries(Object.keys(MESH_FORMATS).map((type) => [type, { schema: FILE }]))

const DIMENSIONS = {
  '2d': {
    shape: KeptShape,
    list: KeptShapeList,
    name: '',
    ofSpace: '',
    body: { [JSON_TYPE]: { schema: reference(Shape2d) } },
  },
  '3d': {
    shape: KeptShape3d,
    list: KeptShape3dList,
    name: '3d',
    ofSpace: ' of space',
    body: { [JSON_TYPE]: { schema: reference(Shape3d) }, ...files },
  },
} as const

type FileType = keyof typeof MESH_FORMATS

/** The format that the media type of the request names; undefined where it is none that is taken. */
function formatOf({ headers }: FastifyRequest, dimension: Dimension): KeepTask['format'] | undefined {
  const type = (headers['content-type'] ?? '').replace(/\s*;.*/s, '').toLowerCase()
  if (type === JSON_TYPE) return 'json'
  return dimension === '3d' ? MESH_FORMATS[type as FileType] : undefined
}

async function keep(
  request: FastifyRequest,
  reply: FastifyReply,
  dimension: Dimension,
  limits: KeepTask['limits'],
): Promise<unknown> {
  const format = formatOf(request, dimension)
  const parameters = request.query as KeepParameters
  if (format === undefined) {
    const taken = Object.keys(DIMENSIONS[dimension].body)
    const got = JSON.stringify(request.headers['content-type'] ?? null)
    return reply.problem('unsupported-media-type', `A shape is sent as ${taken.join(' or ')}, got ${got}.`)
  }
  const bytes = request.body
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) {
    return reply.problem('empty-body', 'The body is empty: expected a shape.')
  }
  const [ofFiles] = Object.keys(parameters)
  if (format === 'json' && ofFiles !== undefined) {
    return reply.problem('schema-violation', `${ofFiles} is for files: a shape in JSON has its own frame and fields.`)
  }
  const { solid = false, scale = 1, up = 'y', node = null } = parameters
  const { shapes } = request.server
  const task: KeepTask = {
    kind: 'keep',
    given: [bytes.buffer as ArrayBuffer],
    bytes,
    dimension,
    format,
    solid,
    frame: { scale, up, node },
    limits,
    directory: shapes.directory,
  }
  const kept = await keepOnce(reply, task)
  if (kept === null) return reply
  const { summary, isNew } = kept
  return reply
    .code(isNew ? 201 : 200)
    .header('location', `/v1/${dimension}/shapes/${summary.id}`)
    .send(summary)
}

/** Keeps the shape, once for all who send the same together. Null: there is nothing more to answer. */
async function keepOnce(reply: FastifyReply, task: KeepTask): Promise<{ summary: KeptSummary; isNew: boolean } | null> {
  const { server, raw } = reply
  const { shapes, sentShapes, workers } = server
  const { dimension, format, solid, frame, bytes } = task
  const deadline = performance.now() + workers.options.deadline
  try {
    const hashing = digestOfSent([dimension, format, solid, frame], bytes)
    const digest = await finishSlices(hashing, isWanted(reply), new SliceClock(deadline))
    const id = digest === null ? undefined : sentShapes.idOf(digest)
    const summary = id === undefined ? null : await shapes.summary(id, dimension)
    if (summary !== null) return { summary, isNew: false }
    if (digest === null || raw.destroyed) return gone(reply)
    const { result, isFirst, leave } = sentShapes.join(digest, () => keeping(server, digest, task, deadline))
    raw.once('close', leave)
    const kept = await result
    if (!isProblem(kept)) return { ...kept, isNew: kept.isNew && isFirst }
    reply.geometryProblem(kept)
  } catch (error) {
    if (raw.destroyed) return gone(reply)
    if (error instanceof StoreError) replyToStoreError(reply, error)
    else sendWorkProblem(reply, error, ADVICE)
  }
  return null
}

function gone(reply: FastifyReply): null {
  reply.hijack()
  return null
}

/** Whoever else sends the same may be waiting for it when the client that began it has gone. */
function keeping({ shapes, sentShapes, workers }: FastifyInstance, digest: string, task: KeepTask, deadline: number) {
  const work = new FarWork(workers)
  const keep = async () => {
    const made = (await work.do(task, deadline)) as MadeShape | DecodeProblem
    if (isProblem(made)) return made
    const isNew = await shapes.add(made)
    sentShapes.remember(digest, made.kept.id)
    return { summary: made.head.summary, isNew }
  }
  return { result: keep(), end: () => work.end() }
}

/** The answer of the store; null where it could not be asked, after the problem was sent. */
async function stored<Result>(reply: FastifyReply, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked
  } catch (error) {
    replyToStoreError(reply, error)
    return null
  }
}

export const keptShapeRoutes: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  for (const dimension of ['2d', '3d'] as const) {
    const { shape, list, name, ofSpace, body } = DIMENSIONS[dimension]
    const url = `/v1/${dimension}/shapes`
    const bodyProblems = dimension === '2d' ? QUERY_PROBLEMS : QUERY_3D_PROBLEMS
    const maxVertices = dimension === '2d' ? config.MAX_VERTICES : config.SHAPE_MAX_VERTICES
    const unknown = (reply: FastifyReply, id: string) => {
      return reply.problem('shape-not-found', `No shape ${id} is kept here.`, { shape: id })
    }
    await app.register(async (scope) => {
      readBytes(scope)
      scope.post(url, {
        bodyLimit: config.SHAPE_BODY_LIMIT,
        validatorCompiler: parametersOnly,
        schema: {
          operationId: `keepShape${name}`,
          tags: ['kept-shapes'],
          summary: `Keep a shape${ofSpace}`,
          description:
            dimension === '2d'
              ? 'Checks the shape, and keeps it under an id that is the digest of its content.'
              : 'Checks the shape, prepares it, and keeps it under an id that is the digest of its content. A mesh may come as a file: binary glTF, OBJ or STL.',
          querystring: dimension === '2d' ? Type.Object({}) : KeepParameters,
          body: { content: body },
          response: {
            200: {
              description: 'It was kept already.',
              headers: LOCATION,
              content: { [JSON_TYPE]: { schema: reference(shape) } },
            },
            201: {
              description: 'It is new.',
              headers: LOCATION,
              content: { [JSON_TYPE]: { schema: reference(shape) } },
            },
          },
        },
        config: { problems: [...bodyProblems, ...KEEP_PROBLEMS] },
        handler: (request, reply) =>
          keep(request, reply, dimension, { maxVertices, maxParts: config.MAX_PARTS }) as Promise<never>,
      })
    })
    app.get(url, {
      schema: {
        operationId: `listShapes${name}`,
        tags: ['kept-shapes'],
        summary: `Which shapes${ofSpace} are kept?`,
        description: 'Kept shapes by id, a page at a time. Listing them does not count as using them.',
        querystring: KeptListParameters,
        response: { 200: reference(list) },
      },
      config: { problems: ['schema-violation', ...STORE_PROBLEMS] },
      handler: async ({ query: { limit = PAGE_SIZE, cursor = '' } }, reply) => {
        // one more than is sent, to know whether there are more
        const page = await stored(reply, app.shapes.page(dimension, cursor, limit + 1))
        if (page === null) return reply as never
        return { shapes: page.slice(0, limit), next: page.length > limit ? page[limit - 1].id : null } as never
      },
    })
    app.get(`${url}/:shapeId`, {
      schema: {
        operationId: `getShape${name}`,
        tags: ['kept-shapes'],
        summary: `Is this shape${ofSpace} kept?`,
        description: 'The summary of a kept shape. Asking counts as using it.',
        params: KeptShapeParameters,
        headers: IfNoneMatch,
        response: {
          200: {
            description: 'The summary.',
            headers: READ_HEADERS,
            content: { [JSON_TYPE]: { schema: reference(shape) } },
          },
          304: { type: 'null', description: 'It is kept, and If-None-Match names it.', headers: READ_HEADERS },
        },
      },
      config: { problems: ['schema-violation', 'shape-not-found', ...STORE_PROBLEMS] },
      handler: async ({ params: { shapeId }, headers: { 'if-none-match': known = '' } }, reply) => {
        const found = await stored(
          reply,
          app.shapes.summary(shapeId, dimension).then((summary) => ({ summary })),
        )
        if (found === null) return reply as never
        if (found.summary === null) return (unknown(reply, shapeId) ?? reply) as never
        const tag = `"${shapeId}"`
        reply.header('etag', tag).header('cache-control', CACHING)
        if (known.trim() === '*' || known.includes(tag)) return reply.code(304).send() as never
        return found.summary as never
      },
    })
    app.delete(`${url}/:shapeId`, {
      schema: {
        operationId: `deleteShape${name}`,
        tags: ['kept-shapes'],
        summary: `Delete a kept shape${ofSpace}`,
        description: 'Requests that are under way still have it.',
        params: KeptShapeParameters,
        response: { 204: { type: 'null', description: 'It is gone.' } },
      },
      config: { problems: ['schema-violation', 'read-only-token', 'shape-not-found', ...STORE_PROBLEMS] },
      handler: async ({ params: { shapeId } }, reply) => {
        const wasThere = await stored(reply, app.shapes.remove(shapeId, dimension))
        if (wasThere === null) return reply
        if (!wasThere) return unknown(reply, shapeId) ?? reply
        return reply.code(204).send(null)
      },
    })
  }
}
