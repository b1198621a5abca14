// GET /v1/2d/scenes/{sceneId}/bodies, …/bodies/{bodyId}: the bodies of a scene, a page at a time or one.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  BodyParameters,
  ReadHeaders,
  ReadParameters,
  read,
  SceneParameters,
  unchanged,
} from '../../schemas/scenes/headers.ts'
import { SceneBodyList, SceneBodyListParameters, SceneBodyResponse } from '../../schemas/scenes/scene.ts'
import { finishSlices } from '../queries/ask/slices.ts'
import { isWanted, RoomClock } from '../replies/query-replies.ts'
import { readScene } from '../replies/scene-reads.ts'
import { isKnown, tagVersion } from '../replies/scene-versions.ts'
import { sendBody, sendText } from '../replies/scene-writes.ts'
import { findBody, onView, presentView, sceneBodyAt } from '../scene/state/view.ts'
import { READ_PROBLEMS } from '../wire/problems/problem-lists.ts'
import { checkListBox } from '../wire/scenes/query-strings.ts'
import { sceneBodyListText } from '../wire/scenes/scene-data.ts'

const common = { tags: ['scene-bodies'], headers: ReadHeaders }

export const sceneBodiesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/v1/2d/scenes/:sceneId/bodies', {
    schema: {
      ...common,
      operationId: 'listSceneBodies',
      summary: 'Which bodies are in the scene?',
      description:
        'Bodies as they were put, a page at a time; those with a tag, or those whose axis-aligned boxes meet a given one. Boxes are rounded outward; bodies without bounds, such as half-planes, meet every box. A page ends early when it gets long.',
      params: SceneParameters,
      querystring: SceneBodyListParameters,
      response: { 200: read(SceneBodyList, 'A page of bodies.'), 304: unchanged },
    },
    config: { problems: [...READ_PROBLEMS, 'aabb-inverted', 'coordinate-out-of-range'] },
    handler: async (request, reply) => {
      const scene = await readScene(request, reply, request.params.sceneId)
      if (scene === null) return reply
      const problem = checkListBox(request.query)
      if (problem !== null) return reply.problem(problem.code, problem.detail, problem.sizes)
      if (isKnown(request, reply, scene)) return reply
      const page = onView(scene, (view) => {
        // it may have waited for room
        tagVersion(reply, view)
        return sceneBodyListText(view, request.query)
      })
      const text = await finishSlices(page, isWanted(reply), new RoomClock(reply))
      return text === null ? reply.hijack() : sendText(reply, text)
    },
  })
  app.get('/v1/2d/scenes/:sceneId/bodies/:bodyId', {
    schema: {
      ...common,
      operationId: 'getSceneBody',
      summary: 'What is this body?',
      description: 'The body as it was put, with what was changed since.',
      params: BodyParameters,
      querystring: ReadParameters,
      response: { 200: read(SceneBodyResponse, 'The body.'), 304: unchanged },
    },
    config: { problems: [...READ_PROBLEMS, 'body-not-found'] },
    handler: async (request, reply) => {
      const { sceneId, bodyId } = request.params
      const scene = await readScene(request, reply, sceneId)
      if (scene === null) return reply
      const slot = findBody(presentView(scene), bodyId)
      if (slot < 0) return reply.problem('body-not-found', `Scene ${sceneId} has no body ${bodyId}.`)
      if (isKnown(request, reply, scene)) return reply
      return sendBody(reply, scene.version, sceneBodyAt(presentView(scene), slot))
    },
  })
}
