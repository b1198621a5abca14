// GET /v1/2d/scenes/{sceneId}/export: the bodies of a scene as a file. GET …/render.svg: the scene as a picture, of the plane
// and of space.
//
// Files are written in slices while they are sent, no faster than the client reads. An export keeps the version of the scene at which it
// began; a client that reads nothing for half a minute is disconnected (`plugins/answer-room.ts`).

import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvgPicture } from '../../schemas/picture.ts'
import { reference } from '../../schemas/reference.ts'
import {
  GeoJsonFeatures,
  SceneExport,
  SceneExport3d,
  SceneExport3dParameters,
  SceneExportParameters,
  SceneRender3dParameters,
  SceneRenderParameters,
} from '../../schemas/scenes/export.ts'
import { READ_HEADERS, ReadHeaders, SceneParameters, unchanged } from '../../schemas/scenes/headers.ts'
import type { FarSlices, FarTask } from '../containers/far-call.ts'
import { Sheet } from '../export/export-format.ts'
import { exportScene, FORMATS, GLB } from '../export/export-scene.ts'
import { farWork, PICTURE_POLICY, refuse, sendWorkProblem } from '../plugins/workers.ts'
import { type Far, SliceClock } from '../queries/ask/slices.ts'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'
import { isWanted, offering, sendPieces } from '../replies/query-replies.ts'
import { sendRendered } from '../replies/scene-pictures.ts'
import { isKnown, readScene, tagVersion } from '../replies/scene-reads.ts'
import type { Scene } from '../scene/state/scene.ts'
import { onView } from '../scene/state/view.ts'
import { WorkFailed } from '../threads/pool.ts'
import { isProblem } from '../wire/decode-problem.ts'
import { PICTURE_PROBLEMS, READ_PROBLEMS, WORK_PROBLEMS } from '../wire/problem-lists.ts'
import { type AskedExport, readExport, readRender } from '../wire/query-strings.ts'
import { scenesPath } from '../wire/scene-dimensions.ts'
import type { CurrentVersion } from '../wire/scene-document.ts'

const ADVICE = 'Export a part of the scene, by tag or by bounds.'
/** Characters after which a piece is sent. */
const PIECE_LENGTH = 2 ** 16
/** Exports of more than one piece at a time. */
const MOST_LONG = 16
/** How often a busy pool of workers is asked again, and after how long, in milliseconds. */
const MOST_TRIES = 100
const BETWEEN_TRIES_MS = 100

class TooManyExports extends Error {}

let longExports = 0

async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  scene: Scene,
  asked: AskedExport,
): Promise<FastifyReply | undefined> {
  const { mediaType, extension } = asked.format === 'gltf' ? GLB : FORMATS[asked.format]
  const { id, name, margin } = scene
  const sheet = new Sheet()
  let stand: CurrentVersion = scene
  const work = onView(scene, (view) => {
    stand = view
    return exportScene(view, { id, name, margin }, asked, sheet)
  })
  // opens the view
  work.next()
  tagVersion(reply, stand).type(mediaType)
  reply.header('content-disposition', `attachment; filename="${fileName(id)}.${extension}"`)
  if (asked.format === 'svg') reply.header('content-security-policy', PICTURE_POLICY)
  if (request.method === 'HEAD') {
    work.return()
    return reply.send(Readable.from([]))
  }
  try {
    return await sendPieces(reply, piecesOf(reply, work, sheet))
  } catch (error) {
    for (const name of ['etag', 'content-disposition', 'content-security-policy']) reply.removeHeader(name)
    return error instanceof TooManyExports ? refuse(reply) : sendWorkProblem(reply, error, ADVICE)
  }
}

/** Letters that no system minds in the name of a file. */
function fileName(sceneId: string): string {
  return sceneId.replaceAll(':', '_').replace(/^[.-]+/, '') || 'scene'
}

async function* piecesOf(
  reply: FastifyReply,
  work: FarSlices<void>,
  sheet: Sheet,
): AsyncGenerator<Buffer, void, undefined> {
  const clock = new SliceClock()
  const wanted = isWanted(reply)
  const { deadline } = reply.server.workers.options
  const far = patient(farWork(reply))
  let pieces = 0
  let isLong = false
  try {
    await clock.nextTurn()
    for (;;) {
      const { done, value } = work.next()
      if (value !== undefined) value.result = await far(value.task, performance.now() + deadline)
      if (done) break
      if (sheet.length >= PIECE_LENGTH) {
        if (!isLong && ++pieces > 1) {
          if (longExports >= MOST_LONG) throw new TooManyExports()
          longExports++
          isLong = true
        }
        yield sheet.takeBytes()
      } else if (value === undefined && !clock.isOver) continue
      if (!wanted()) return
      await clock.nextTurn()
    }
    yield sheet.takeBytes()
  } finally {
    if (isLong) longExports--
    work.return()
  }
}

/** A file that has begun is not refused because workers are busy: they are asked again. */
function patient(far: Far): Far {
  return async (task: FarTask, deadline: number) => {
    for (let tries = 1; ; tries++) {
      try {
        return await far(task, deadline)
      } catch (error) {
        if (!(error instanceof WorkFailed) || error.failure !== null || tries === MOST_TRIES) throw error
        await pause(BETWEEN_TRIES_MS)
      }
    }
  }
}

/** Answers with the scene as the file that is asked for, unless the client has it. */
async function answerExport(
  request: FastifyRequest,
  reply: FastifyReply,
  sceneId: string,
  query: Parameters<typeof readExport>[0],
): Promise<FastifyReply | undefined> {
  const scene = await readScene(request, reply, sceneId)
  if (scene === null) return reply
  const asked = readExport(query)
  if (isProblem(asked)) return reply.geometryProblem(asked)
  if (isKnown(request, reply, scene)) return reply
  return sendExport(request, reply, scene, asked)
}

const FILE_HEADER = {
  'Content-Disposition': {
    type: 'string',
    description: 'A name for the file, such as attachment; filename="cellar.svg".',
  },
}

export const sceneExportRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/v1/2d/scenes/:sceneId/export', {
    schema: {
      operationId: 'exportScene',
      tags: ['scene-bodies'],
      summary: 'The scene as a file',
      description:
        'All bodies of one version, by id, however many. The service’s own JSON loses nothing, and is imported with format=json. GeoJSON and SVG are for other programs; with the same yUp, scale and offset an import takes them back.',
      params: SceneParameters,
      querystring: SceneExportParameters,
      headers: ReadHeaders,
      response: {
        200: {
          description:
            'The file: the service’s own JSON, GeoJSON as `application/geo+json`, or a drawing as `image/svg+xml`, as format says.',
          headers: { ...READ_HEADERS, ...FILE_HEADER },
          content: {
            'application/json': { schema: reference(SceneExport) },
            'application/geo+json': { schema: reference(GeoJsonFeatures) },
            [PICTURE_TYPE]: { schema: SvgPicture },
          },
        },
        304: unchanged,
      },
    },
    config: { problems: [...READ_PROBLEMS, ...WORK_PROBLEMS, 'aabb-inverted', 'coordinate-out-of-range'] },
    handler: (request, reply) => answerExport(request, reply, request.params.sceneId, request.query),
  })
}

export const scene3dExportRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/v1/3d/scenes/:sceneId/export', {
    schema: {
      operationId: 'exportScene3d',
      tags: ['scene-bodies-3d'],
      summary: 'The scene of space as a file',
      description:
        'All bodies of one version, by id, however many. The service’s own JSON loses nothing. Binary glTF has a node for each body, and an import takes them back; OBJ has an object for each.',
      params: SceneParameters,
      querystring: SceneExport3dParameters,
      headers: ReadHeaders,
      response: {
        200: {
          description:
            'The file: the service’s own JSON, binary glTF as `model/gltf-binary`, or OBJ as `model/obj`, as format says.',
          headers: { ...READ_HEADERS, ...FILE_HEADER },
          content: {
            'application/json': { schema: reference(SceneExport3d) },
            'model/gltf-binary': { schema: { type: 'string', format: 'binary' } },
            'model/obj': { schema: { type: 'string' } },
          },
        },
        304: unchanged,
      },
    },
    config: { problems: [...READ_PROBLEMS, ...WORK_PROBLEMS] },
    handler: (request, reply) => answerExport(request, reply, request.params.sceneId, request.query),
  })
}

/** Pictures of scenes of each dimension. */
const RENDERS = [
  {
    dimension: 2,
    id: 'renderScene',
    tag: 'scene-bodies',
    what: 'A drawing of the scene or of a part of it.',
    parameters: SceneRenderParameters,
  },
  {
    dimension: 3,
    id: 'renderScene3d',
    tag: 'scene-bodies-3d',
    what: 'A drawing of the scene as seen along an axis or from (1, 1, 1); half-spaces are drawn as square patches.',
    parameters: SceneRender3dParameters,
  },
] as const

export const sceneRenderRoute: FastifyPluginAsyncTypebox = async (app) => {
  for (const { dimension, id, tag, what, parameters } of RENDERS) {
    app.get(`${scenesPath(dimension)}/:sceneId/render.svg`, {
      schema: {
        operationId: id,
        tags: [tag],
        summary: 'What does the scene look like?',
        description: `${what} Each body is a group with its id as data-id. Of scenes of any size: where there are too many bodies to be told apart, the smaller ones are drawn as their boxes or as specks; the desc of the picture says how many.`,
        params: SceneParameters,
        querystring: parameters,
        headers: ReadHeaders,
        response: {
          200: {
            description: 'The picture.',
            headers: READ_HEADERS,
            content: { [PICTURE_TYPE]: { schema: SvgPicture } },
          },
          304: unchanged,
        },
      },
      config: {
        problems: [...READ_PROBLEMS, ...WORK_PROBLEMS, ...PICTURE_PROBLEMS],
      },
      preParsing: offering(PICTURE_TYPE),
      handler: async (request, reply) => {
        const { sceneId } = request.params
        const scene = await readScene(request, reply, sceneId)
        if (scene === null) return reply
        const options = readRender(request.query as Parameters<typeof readRender>[0])
        if (isProblem(options)) return reply.geometryProblem(options)
        if (isKnown(request, reply, scene)) return reply
        return sendRendered(reply, scene, sceneId, options)
      },
    })
  }
}
