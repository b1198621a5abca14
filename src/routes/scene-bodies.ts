// /v1/2d/scenes/{sceneId}/bodies, /v1/3d/…: list the bodies of a scene, and read, put, change or remove one.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import {
  answered,
  BodyParameters,
  BodyReadParameters,
  created,
  ReadHeaders,
  read,
  SceneParameters,
  unchanged,
  WriteHeaders,
} from '../../schemas/scenes/headers.ts'
import { SceneBodyPutResponse, SceneVersionResponse } from '../../schemas/scenes/scene.ts'
import { type Config, queryLimits } from '../config.ts'
import { finishSlices } from '../queries/ask/slices.ts'
import { isWanted, RoomClock } from '../replies/query-replies.ts'
import { isKnown, readScene, tagVersion } from '../replies/scene-reads.ts'
import { patchBody, putBody, readBodies, removeBody, sendBody, sendText } from '../replies/scene-writes.ts'
import type { BodyPatch } from '../scene/state/operation.ts'
import { bodyWithContent } from '../scene/state/shape-text.ts'
import { findBody, onView, presentView, sceneBodyAt } from '../scene/state/view.ts'
import { READ_PROBLEMS, WRITE_PROBLEMS } from '../wire/problem-lists.ts'
import { checkListBox } from '../wire/query-strings.ts'
import { sceneBodyListText } from '../wire/scene-body.ts'
import { SCENE_DIMENSIONS, type SceneDimensionSchemas } from '../wire/scene-dimensions.ts'

type TypedApp = Parameters<FastifyPluginAsyncTypebox>[0]

export const sceneBodiesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const dimension of SCENE_DIMENSIONS) addReads(app, dimension)
}

function addReads(app: TypedApp, dimension: SceneDimensionSchemas): void {
  const { path, name, tag, ofSpace, unbounded, bodies, bodiesAsked, bodyAnswer } = dimension
  const common = { tags: [`scene-bodies${tag}`], headers: ReadHeaders }
  app.get(`${path}/:sceneId/bodies`, {
    schema: {
      ...common,
      operationId: `listSceneBodies${name}`,
      summary: `Which bodies are in the scene${ofSpace}?`,
      description: `Bodies as they were put, a page at a time; those with a tag, or those whose axis-aligned boxes meet a given one. Boxes are rounded outward; bodies without bounds, such as ${unbounded}, meet every box. A page ends early when it gets long.`,
      params: SceneParameters,
      querystring: bodiesAsked,
      response: { 200: read(bodies, 'A page of bodies.'), 304: unchanged },
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
  app.get(`${path}/:sceneId/bodies/:bodyId`, {
    schema: {
      ...common,
      operationId: `getSceneBody${name}`,
      summary: `What is this body${ofSpace}?`,
      description: 'The body as it was put, with what was changed since.',
      params: BodyParameters,
      querystring: BodyReadParameters,
      response: { 200: read(bodyAnswer, 'The body.'), 304: unchanged },
    },
    config: { problems: [...READ_PROBLEMS, 'body-not-found'] },
    handler: async (request, reply) => {
      const { sceneId, bodyId } = request.params
      const scene = await readScene(request, reply, sceneId)
      if (scene === null) return reply
      const slot = findBody(presentView(scene), bodyId)
      if (slot < 0) return reply.problem('body-not-found', `Scene ${sceneId} has no body ${bodyId}.`)
      if (isKnown(request, reply, scene)) return reply
      const body = sceneBodyAt(presentView(scene), slot)
      return sendBody(reply, scene.version, request.query.content === true ? bodyWithContent(body) : body)
    },
  })
}

const replaced = answered(SceneBodyPutResponse, 'It took the place of another.')

export const sceneBodyRoutes: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  readBodies(app)
  for (const dimension of SCENE_DIMENSIONS) addWrites(app, dimension, queryLimits(config))
}

function addWrites(app: TypedApp, dimension: SceneDimensionSchemas, limits: ReturnType<typeof queryLimits>): void {
  const { path, name, tag, ofSpace, body, patch, bodyAnswer, bodyProblems } = dimension
  const bodyUrl = `${path}/:sceneId/bodies/:bodyId`
  const written = { tags: [`scene-bodies${tag}`], params: BodyParameters, headers: WriteHeaders }
  app.put(bodyUrl, {
    schema: {
      ...written,
      operationId: `putSceneBody${name}`,
      summary: `Put a body${ofSpace}`,
      description: 'Puts the body into the scene, in place of the one that has its id.',
      body: reference(body),
      response: { 200: replaced, 201: created(SceneBodyPutResponse, 'It is new.') },
    },
    config: { problems: bodyProblems },
    handler: (request, reply) => putBody(request, reply, request.params, request.body as never, limits),
  })
  app.patch(bodyUrl, {
    schema: {
      ...written,
      operationId: `patchSceneBody${name}`,
      summary: `Change a body${ofSpace}`,
      description: 'Replaces the fields that are given; null takes an optional one away. Answers with the whole body.',
      body: reference(patch),
      response: { 200: answered(bodyAnswer, 'The body as this write leaves it.') },
    },
    config: { problems: [...bodyProblems, 'body-not-found'] },
    handler: (request, reply) => patchBody(request, reply, request.params, request.body as BodyPatch, limits),
  })
  app.delete(bodyUrl, {
    schema: {
      ...written,
      operationId: `deleteSceneBody${name}`,
      summary: `Remove a body${ofSpace}`,
      description: 'Removes the body from the scene.',
      response: { 200: answered(SceneVersionResponse, 'It is gone.') },
    },
    config: { problems: [...WRITE_PROBLEMS, 'body-not-found'] },
    handler: (request, reply) => removeBody(request, reply, request.params),
  })
}
