// POST /v1/2d/scenes/{sceneId}/…: every query of scenes over a path of its own.

import type { FastifyPluginAsync } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { ScenePictureParameters } from '../../schemas/scenes/export.ts'
import { answeredInPictures, QuestionHeaders, SceneParameters } from '../../schemas/scenes/headers.ts'
import { type Config, sceneQueryLimits } from '../config.ts'
import { inCohort } from '../plugins/cohorts.ts'
import { PICTURE_TYPE } from '../queries/answers/picture.ts'
import { askScene } from '../queries/ask/scene-query.ts'
import { isSlices } from '../queries/ask/slices.ts'
import { sceneQueries } from '../queries/scenes/all.ts'
import { offering, wantsPicture } from '../replies/picture-replies.ts'
import { sendInSlices, sendOutcome } from '../replies/query-replies.ts'
import { sendQuestion } from '../replies/scene-pictures.ts'
import { readScene } from '../replies/scene-reads.ts'
import { tagVersion } from '../replies/scene-versions.ts'
import { isProblem } from '../wire/problems/decode-problem.ts'
import { PICTURE_PROBLEMS } from '../wire/problems/problem-lists.ts'
import { readScenePicture } from '../wire/scenes/query-strings.ts'

export const sceneQueryRoutes: FastifyPluginAsync<Config> = async (app, config) => {
  const limits = sceneQueryLimits(config)
  for (const query of sceneQueries) {
    const { op, summary, description, problems } = query
    app.post(`/v1/2d/scenes/:sceneId/${op}`, {
      schema: {
        operationId: `scene-${op}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        tags: ['scene-queries'],
        summary,
        description,
        params: SceneParameters,
        headers: QuestionHeaders,
        body: reference(query.request),
        querystring: ScenePictureParameters,
        response: { 200: answeredInPictures(query.response, 'The answer') },
      },
      config: { problems: [...problems, ...PICTURE_PROBLEMS], isQuery: true },
      preParsing: offering('application/json', PICTURE_TYPE),
      preHandler: inCohort,
      handler: async (request, reply) => {
        const { sceneId } = request.params as SceneParameters
        const scene = await readScene(request, reply, sceneId)
        if (scene === null) return reply
        const picture = readScenePicture(request.query as ScenePictureParameters)
        if (isProblem(picture)) return reply.geometryProblem(picture)
        tagVersion(reply, scene)
        if (wantsPicture(request)) {
          const asked = { query, request: request.body as object, limits, picture }
          return sendQuestion(reply, scene, sceneId, asked)
        }
        const outcome = askScene(scene, query, request.body as Record<string, unknown>, limits)
        return isSlices(outcome) ? sendInSlices(reply, query, outcome) : sendOutcome(reply, query, outcome)
      },
    })
  }
}
