// GET /v1/2d/scenes/{sceneId}/events, /v1/3d/…: a stream of server-sent events with the changes of a scene.

import type { ServerResponse } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SceneEventsHeaders, SceneEventsParameters } from '../../schemas/scenes/events.ts'
import { READ_HEADERS, SceneParameters } from '../../schemas/scenes/headers.ts'
import { setAside } from '../plugins/connections.ts'
import { findCurrent, readScene } from '../replies/scene-reads.ts'
import { type ClaimedPosition, lastVersionSent, parseEventId } from '../scene/feed/happening.ts'
import type { Sink } from '../scene/feed/scene-feed.ts'
import type { Scene } from '../scene/state/scene.ts'
import { READ_PROBLEMS } from '../wire/problem-lists.ts'
import { SCENE_DIMENSIONS, type SceneDimensionSchemas } from '../wire/scene-dimensions.ts'

/** Time for which the last event of a stream is waited to be taken. */
const END_MS = 5000

const RETRY_MS = 1000

/** Opens the stream, or answers why not. */
function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  scene: Scene,
  parameters: SceneEventsParameters,
  position: ClaimedPosition | null,
): FastifyReply {
  const { feeds } = reply.server.scenes
  if (feeds.isFull) {
    reply.header('retry-after', '1')
    reply.problem('overloaded', 'As many streams of events are open as there may be.')
    return reply
  }
  const { raw } = reply
  if (request.method === 'HEAD') {
    reply.headers(STREAM_HEADERS).send()
    return reply
  }
  reply.hijack()
  const begin = () => {
    if (feeds.isFull || reply.server.scenes.keeper?.loaded(scene.id) !== scene) raw.destroy()
    else openStream(request, reply, scene, parameters, position)
  }
  // behind another answer of its connection, which may be a stream without an end
  if (raw.socket === null) raw.once('socket', begin)
  else begin()
  return reply
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

function openStream(
  request: FastifyRequest,
  reply: FastifyReply,
  scene: Scene,
  { overlaps, tag, bodyId }: SceneEventsParameters,
  position: ClaimedPosition | null,
): void {
  const { feeds } = reply.server.scenes
  const { raw } = reply
  // without a length or chunks: the stream ends with the connection
  raw.useChunkedEncodingByDefault = false
  raw.shouldKeepAlive = false
  setAside(raw)
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, { ...STREAM_HEADERS, 'x-request-id': request.id })
  raw.socket?.setNoDelay(true)
  raw.write(`retry: ${RETRY_MS}\n`)
  const pairs = overlaps === true ? { tags: listOf(tag), ids: listOf(bodyId) } : null
  const { leave, goOn } = feeds.subscribe(scene, sinkOf(raw), { pairs }, position)
  raw.on('drain', goOn)
  raw.once('close', leave)
  raw.once('error', leave)
  if (raw.destroyed) leave()
}

function listOf(value: string | undefined): string[] | null {
  return value === undefined ? null : [value]
}

function sinkOf(raw: ServerResponse): Sink {
  return {
    write: (bytes) => raw.destroyed || raw.write(bytes),
    end: () => {
      raw.end()
      setTimeout(() => raw.destroy(), END_MS).unref()
    },
  }
}

const { ETag: _, ...EVENT_HEADERS } = READ_HEADERS

type TypedApp = Parameters<FastifyPluginAsyncTypebox>[0]

export const sceneEventsRoute: FastifyPluginAsyncTypebox = async (app) => {
  for (const dimension of SCENE_DIMENSIONS) addEvents(app, dimension)
}

function addEvents(app: TypedApp, { path, name, tag, ofSpace }: SceneDimensionSchemas): void {
  app.get(`${path}/:sceneId/events`, {
    schema: {
      operationId: `sceneEvents${name}`,
      tags: [`scenes${tag}`],
      summary: `What becomes of the scene${ofSpace}, as it happens`,
      description:
        'Server-sent events without an end: operations for every write, and with overlaps the pairs that begin and cease to meet. Begins with ready, which names the version that events follow, or goes on behind Last-Event-ID; reset says to read the scene anew.',
      params: SceneParameters,
      querystring: SceneEventsParameters,
      headers: SceneEventsHeaders,
      response: {
        200: {
          description: 'The events; the connection stays open.',
          headers: EVENT_HEADERS,
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
      },
    },
    config: { problems: [...READ_PROBLEMS, 'overloaded'] },
    handler: async (request, reply) => {
      const found = await readScene(request, reply, request.params.sceneId)
      if (found === null) return reply
      const lastEventId = request.headers['last-event-id'] ?? request.query.lastEventId
      const position = lastEventId === undefined ? null : parseEventId(lastEventId)
      // another instance may have sent more
      const isBehind = position !== null && lastVersionSent(position) > found.version
      const scene = isBehind ? await findCurrent(reply, found.id) : found
      return scene === null ? reply : streamEvents(request, reply, scene, request.query, position)
    },
  })
}
