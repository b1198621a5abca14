// PUT, DELETE /v1/2d/scenes/{sceneId}: one scene, without its bodies.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { answered, created, SceneParameters, VERSION_HEADER, WriteHeaders } from '../../schemas/scenes/headers.ts'
import { SceneDocument, SceneRequest } from '../../schemas/scenes/scene.ts'
import type { Config } from '../config.ts'
import { dropScene, putScene } from '../replies/scene-writes.ts'
import { SETTINGS_PROBLEMS, WRITE_PROBLEMS } from '../wire/problems/problem-lists.ts'

const url = '/v1/2d/scenes/:sceneId'
const common = { tags: ['scenes'], params: SceneParameters, headers: WriteHeaders }

export const sceneRoutes: FastifyPluginAsyncTypebox<Config> = async (app, { SCENE_TTL }) => {
  app.put(url, {
    schema: {
      ...common,
      operationId: 'putScene',
      summary: 'Make a scene of this id, or change its settings',
      description:
        'Makes the scene if it is not there. If it is, settings that are given and differ are changed; nothing is written when none does, so it can be repeated.',
      body: reference(SceneRequest),
      response: { 200: answered(SceneDocument, 'It was there.'), 201: created(SceneDocument, 'It is new.') },
    },
    config: { problems: SETTINGS_PROBLEMS },
    handler: (request, reply) => putScene(request, reply, request.params.sceneId, request.body, SCENE_TTL),
  })
  app.delete(url, {
    schema: {
      ...common,
      operationId: 'deleteScene',
      summary: 'Delete a scene',
      description: 'Deletes the scene with its bodies and its log, for good. A damaged one can be deleted too.',
      response: { 204: { type: 'null', description: 'It is gone.', headers: VERSION_HEADER } },
    },
    config: { problems: WRITE_PROBLEMS },
    handler: async (request, reply) => {
      await dropScene(request, reply, request.params.sceneId)
      return reply
    },
  })
}
