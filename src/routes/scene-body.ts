// PUT, PATCH, DELETE /v1/2d/scenes/{sceneId}/bodies/{bodyId}: writes of one body of a scene.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { SceneBodyPatch, SceneBodyRequest } from '../../schemas/scenes/body.ts'
import { answered, BodyParameters, created, WriteHeaders } from '../../schemas/scenes/headers.ts'
import { SceneBodyPutResponse, SceneBodyResponse, SceneVersionResponse } from '../../schemas/scenes/scene.ts'
import { type Config, queryLimits } from '../config.ts'
import { patchBody, putBody, readBodies, removeBody } from '../replies/scene-writes.ts'
import type { BodyPatch } from '../scene/table/operation.ts'
import { SCENE_BODY_PROBLEMS, WRITE_PROBLEMS } from '../wire/problems/problem-lists.ts'

const url = '/v1/2d/scenes/:sceneId/bodies/:bodyId'
const common = { tags: ['scene-bodies'], params: BodyParameters, headers: WriteHeaders }
const replaced = answered(SceneBodyPutResponse, 'It took the place of another.')

export const sceneBodyRoutes: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = queryLimits(config)
  readBodies(app)
  app.put(url, {
    schema: {
      ...common,
      operationId: 'putSceneBody',
      summary: 'Put a body',
      description: 'Puts the body into the scene, in place of the one that has its id.',
      body: reference(SceneBodyRequest),
      response: { 200: replaced, 201: created(SceneBodyPutResponse, 'It is new.') },
    },
    config: { problems: SCENE_BODY_PROBLEMS },
    handler: (request, reply) => putBody(request, reply, request.params, request.body, limits),
  })
  app.patch(url, {
    schema: {
      ...common,
      operationId: 'patchSceneBody',
      summary: 'Change a body',
      description: 'Replaces the fields that are given; null takes an optional one away. Answers with the whole body.',
      body: reference(SceneBodyPatch),
      response: { 200: answered(SceneBodyResponse, 'The body as this write leaves it.') },
    },
    config: { problems: [...SCENE_BODY_PROBLEMS, 'body-not-found'] },
    handler: (request, reply) => patchBody(request, reply, request.params, request.body as BodyPatch, limits),
  })
  app.delete(url, {
    schema: {
      ...common,
      operationId: 'deleteSceneBody',
      summary: 'Remove a body',
      description: 'Removes the body from the scene.',
      response: { 200: answered(SceneVersionResponse, 'It is gone.') },
    },
    config: { problems: [...WRITE_PROBLEMS, 'body-not-found'] },
    handler: (request, reply) => removeBody(request, reply, request.params),
  })
}
