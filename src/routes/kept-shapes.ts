// /v1/2d/shapes, /v1/3d/shapes and below: shapes that are sent once, and referred to by their ids.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  KeepParameters,
  KeptListParameters,
  KeptShape,
  KeptShape3d,
  KeptShape3dList,
  KeptShapeList,
  KeptShapeParameters,
} from '../../schemas/queries/kept-shapes.ts'
import { reference } from '../../schemas/reference.ts'
import { Shape2d } from '../../schemas/shapes2d.ts'
import { Shape3d } from '../../schemas/shapes3d.ts'
import type { Config } from '../config.ts'
import { callFar } from '../containers/far-call.ts'
import { MESH_FORMATS } from '../import/meshes/mesh-file.ts'
import type { KeepTask, MadeShape } from '../kept/keep-shape.ts'
import { readBytes } from '../plugins/sent-files.ts'
import { parametersOnly } from '../plugins/validation.ts'
import { runInSlices } from '../replies/query-replies.ts'
import { replyToStoreError } from '../replies/scene-reads.ts'
import { type DecodeProblem, isProblem } from '../wire/decode-problem.ts'
import { KEEP_PROBLEMS, QUERY_3D_PROBLEMS, QUERY_PROBLEMS } from '../wire/problem-lists.ts'
import type { Dimension } from '../wire/shape-source.ts'

const JSON_TYPE = 'application/json'
const ADVICE = 'Send a smaller shape, or parts of it.'
const PAGE_SIZE = 100
const STORE_PROBLEMS = ['store-unavailable', 'draining'] as const
const NO_PARAMETERS = Type.Object({}, { additionalProperties: false })
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
  const done = await runInSlices(reply, ADVICE, callFar<MadeShape | DecodeProblem>(task))
  if (done === null) return reply
  const made: MadeShape | DecodeProblem = done.result
  if (isProblem(made)) return reply.geometryProblem(made)
  const isNew = await stored(reply, shapes.add(made))
  if (isNew === null) return reply
  const { summary } = made.head
  return reply
    .code(isNew ? 201 : 200)
    .header('location', `/v1/${dimension}/shapes/${summary.id}`)
    .send(summary)
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
          querystring: dimension === '2d' ? NO_PARAMETERS : KeepParameters,
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
        response: { 200: reference(shape) },
      },
      config: { problems: ['schema-violation', 'shape-not-found', ...STORE_PROBLEMS] },
      handler: async ({ params: { shapeId } }, reply) => {
        const found = await stored(
          reply,
          app.shapes.summary(shapeId, dimension).then((summary) => ({ summary })),
        )
        if (found === null) return reply as never
        return (found.summary ?? unknown(reply, shapeId) ?? reply) as never
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
