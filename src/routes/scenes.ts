// /v1/2d/scenes, /v1/3d/scenes, /v1/2d/scenes/{sceneId}, …: make, list, read, change and delete scenes. Their bodies have paths of their own.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import {
  answered,
  BeginHeaders,
  created,
  ReadHeaders,
  ReadParameters,
  read,
  SceneParameters,
  unchanged,
  VERSION_HEADER,
  WriteHeaders,
} from '../../schemas/scenes/headers.ts'
import { DEFAULT_PAGE_SIZE, SceneListParameters, SceneRequest } from '../../schemas/scenes/scene.ts'
import type { Config } from '../config.ts'
import { findKeeper, isKnown, readScene, replyToUnread } from '../replies/scene-reads.ts'
import { beginScene, dropScene, putScene } from '../replies/scene-writes.ts'
import {
  READ_PROBLEMS,
  REQUEST_PROBLEMS,
  SETTINGS_PROBLEMS,
  STORAGE_PROBLEMS,
  WRITE_PROBLEMS,
} from '../wire/problem-lists.ts'
import { SCENE_DIMENSIONS, type SceneDimensionSchemas } from '../wire/scene-dimensions.ts'
import { encodeSceneDocument, encodeSceneSummary } from '../wire/scene-document.ts'

export const scenesRoutes: FastifyPluginAsyncTypebox<Config> = async (app, { SCENE_TTL }) => {
  for (const dimension of SCENE_DIMENSIONS) addScenes(app, dimension, SCENE_TTL)
}

type TypedApp = Parameters<FastifyPluginAsyncTypebox>[0]

function addScenes(app: TypedApp, dimension: SceneDimensionSchemas, defaultTtl: number): void {
  const { path, name, tag, ofSpace, document, list } = dimension
  const url = `${path}/:sceneId`
  const tags = [`scenes${tag}`]
  const written = { tags, params: SceneParameters, headers: WriteHeaders }
  app.post(path, {
    schema: {
      operationId: `createScene${name}`,
      tags,
      summary: `Make a scene${ofSpace}`,
      description: 'Makes an empty scene with an id of the service’s choice. PUT takes one of yours.',
      headers: BeginHeaders,
      body: reference(SceneRequest),
      response: { 201: created(document, 'The scene.') },
    },
    config: {
      problems: [
        ...new Set([...REQUEST_PROBLEMS, ...STORAGE_PROBLEMS]),
        'coordinate-out-of-range',
        'too-many-scenes',
        'idempotency-key-reused',
      ],
    },
    handler: (request, reply) => beginScene(request, reply, request.body, defaultTtl),
  })
  app.get(path, {
    schema: {
      operationId: `listScenes${name}`,
      tags,
      summary: `Which scenes${ofSpace} are there?`,
      description: 'Scenes by id, a page at a time. Listing them does not count as using them.',
      querystring: SceneListParameters,
      response: { 200: reference(list) },
    },
    config: { problems: ['schema-violation', 'starting', 'draining', 'store-unavailable'] },
    handler: async ({ query: { limit = DEFAULT_PAGE_SIZE, cursor = '' } }, reply) => {
      const keeper = findKeeper(reply)
      if (keeper === null) return reply
      // one more than is sent, to know whether there are more
      const page = await keeper
        .page(dimension.dimension, cursor, limit + 1)
        .catch((error) => replyToUnread(reply, error))
      if (page === undefined) return reply
      return {
        scenes: page.slice(0, limit).map(encodeSceneSummary),
        next: page.length > limit ? page[limit - 1].id : null,
      }
    },
  })
  app.get(url, {
    schema: {
      operationId: `getScene${name}`,
      tags,
      summary: `What is this scene${ofSpace}?`,
      description: 'Settings, version, number of bodies and the box around them. Asking counts as using the scene.',
      params: SceneParameters,
      querystring: ReadParameters,
      headers: ReadHeaders,
      response: { 200: read(document, 'The scene.'), 304: unchanged },
    },
    config: { problems: READ_PROBLEMS },
    handler: async (request, reply) => {
      const scene = await readScene(request, reply, request.params.sceneId)
      return scene === null || isKnown(request, reply, scene) ? reply : encodeSceneDocument(scene)
    },
  })
  app.put(url, {
    schema: {
      ...written,
      operationId: `putScene${name}`,
      summary: `Make a scene${ofSpace} of this id, or change its settings`,
      description:
        'Makes the scene if it is not there. If it is, settings that are given and differ are changed; nothing is written when none does, so it can be repeated.',
      body: reference(SceneRequest),
      response: { 200: answered(document, 'It was there.'), 201: created(document, 'It is new.') },
    },
    config: { problems: SETTINGS_PROBLEMS },
    handler: (request, reply) => putScene(request, reply, request.params.sceneId, request.body, defaultTtl),
  })
  app.delete(url, {
    schema: {
      ...written,
      operationId: `deleteScene${name}`,
      summary: `Delete a scene${ofSpace}`,
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
