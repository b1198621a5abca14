// GET /v1/2d/scenes/{sceneId}/events: what becomes of a scene, as it happens.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SceneEventsHeaders, SceneEventsParameters } from '../../schemas/scenes/events.ts'
import { READ_HEADERS, SceneParameters } from '../../schemas/scenes/headers.ts'
import { streamEvents } from '../replies/scene-events.ts'
import { findCurrent, readScene } from '../replies/scene-reads.ts'
import { lastTold, parseEventId } from '../scene/feed/happening.ts'
import { READ_PROBLEMS } from '../wire/problems/problem-lists.ts'

const { ETag: _, ...EVENT_HEADERS } = READ_HEADERS

export const sceneEventsRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/v1/2d/scenes/:sceneId/events', {
    schema: {
      operationId: 'sceneEvents',
      tags: ['scenes'],
      summary: 'What becomes of the scene, as it happens',
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
      const told = lastEventId === undefined ? null : parseEventId(lastEventId)
      // another instance may have told more
      const isBehind = told !== null && lastTold(told) > found.version
      const scene = isBehind ? await findCurrent(reply, found.id) : found
      return scene === null ? reply : streamEvents(request, reply, scene, request.query, told)
    },
  })
}
