// POST /v1/2d/scenes/{sceneId}/batch: many queries of one scene in one request, as a list or as a stream of lines.

import type { FastifyPluginAsync } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { SceneBatchQuery, SceneBatchRequest, SceneBatchResponse, SceneBatchResult } from '../../schemas/scenes/batch.ts'
import { ScenePictureParameters } from '../../schemas/scenes/export.ts'
import { QuestionHeaders, read, SceneParameters } from '../../schemas/scenes/headers.ts'
import { type Config, sceneQueryLimits } from '../config.ts'
import { LIST } from '../plugins/batch-media.ts'
import { asking } from '../queries/ask/ask.ts'
import { askScene, askSceneList, type SceneQuery } from '../queries/ask/scene-query.ts'
import { sceneQueries } from '../queries/scenes/all.ts'
import {
  answerMedia,
  batchChecks,
  batchMedia,
  isLines,
  isTooMany,
  readBatch,
  sendLines,
} from '../replies/batch-replies.ts'
import { wantsPicture } from '../replies/picture-replies.ts'
import { isWanted } from '../replies/query-replies.ts'
import { sendQuestions } from '../replies/scene-pictures.ts'
import { readScene } from '../replies/scene-reads.ts'
import { tagVersion } from '../replies/scene-versions.ts'
import { PresentScene, sceneAsker, sendWork } from '../replies/scene-work.ts'
import { isProblem } from '../wire/problems/decode-problem.ts'
import { PICTURE_PROBLEMS, SCENE_QUERY_PROBLEMS } from '../wire/problems/problem-lists.ts'
import { readScenePicture } from '../wire/scenes/query-strings.ts'
import { schemasByName } from '../wire/validation/named-schemas.ts'

const MEDIA = answerMedia(reference(SceneBatchResponse), reference(SceneBatchResult))
const MEANING =
  'The results, in the order of the queries. Answers as lines have no ETag. With `Accept: image/svg+xml` a drawing of each of the first 16 queries of a list and of its answer instead, one below the other.'

export const sceneBatchRoute: FastifyPluginAsync<Config> = async (app, config) => {
  const limits = sceneQueryLimits(config)
  const batch = asking(schemasByName, sceneQueries, SceneBatchQuery)
  readBatch(app, batch, config.MAX_BATCH)
  app.post('/v1/2d/scenes/:sceneId/batch', {
    schema: {
      operationId: 'sceneBatch',
      tags: ['scene-queries'],
      summary: 'Many queries of one scene at once, of any kind',
      description:
        'Each query gets what its own path would have answered, with op before it, or a problem, with op problem, where that would have been one; the status is 200 all the same. A list is answered from one version of the scene, whatever is written meanwhile. As application/x-ndjson the body is a stream of any length, one query a line, one result a line, and each line is answered from the scene as it is then.',
      params: SceneParameters,
      headers: QuestionHeaders,
      querystring: ScenePictureParameters,
      body: batchMedia(reference(SceneBatchRequest), reference(SceneBatchQuery)),
      response: { 200: { ...read(SceneBatchResponse, MEANING), ...MEDIA } },
    },
    config: {
      problems: [...new Set([...SCENE_QUERY_PROBLEMS, ...PICTURE_PROBLEMS]), 'too-many-queries'],
      isQuery: true,
    },
    ...batchChecks(batch, schemasByName),
    handler: async (request, reply) => {
      const { sceneId } = request.params as SceneParameters
      const scene = await readScene(request, reply, sceneId)
      if (scene === null) return reply
      const present = new PresentScene(app, sceneId)
      const answer = (query: SceneQuery, body: Record<string, unknown>) =>
        present.ask((now) => askScene(now, query, body, limits))
      const asker = sceneAsker(reply, batch, answer, (far) => present.seeking(far))
      const picture = readScenePicture(request.query as ScenePictureParameters)
      if (isProblem(picture)) return reply.geometryProblem(picture)
      if (isLines(request.body)) return sendLines(reply, asker, request.body, config)
      const { queries } = request.body as { queries: unknown[] }
      if (isTooMany(reply, queries, config.MAX_BATCH)) return
      if (wantsPicture(request)) {
        return sendQuestions(tagVersion(reply, scene), scene, sceneId, { asker, queries, limits, picture })
      }
      const results = askSceneList(scene, asker, queries, limits, isWanted(reply))
      return sendWork(tagVersion(reply, scene).type(LIST), results)
    },
  })
}
