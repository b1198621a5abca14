// POST /v1/2d/scenes/{sceneId}/…: every query of scenes over a path of its own.

import type { FastifyPluginAsync } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { answered, SceneParameters } from '../../schemas/scenes/scene-headers.ts'
import { type Config, sceneQueryLimits } from '../config.ts'
import { inCohort } from '../plugins/cohorts.ts'
import { askScene } from '../queries/ask/ask-scene.ts'
import { isSlices } from '../queries/ask/slices.ts'
import { sceneQueries } from '../queries/scenes/all-scene.ts'
import { offering } from '../replies/picture-replies.ts'
import { sendInSlices, sendOutcome } from '../replies/query-replies.ts'
import { findScene, tagVersion } from '../replies/scene-replies.ts'

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
        body: reference(query.request),
        response: { 200: answered(query.response, 'The answer.') },
      },
      config: { problems },
      preParsing: offering('application/json'),
      preHandler: inCohort,
      handler: (request, reply) => {
        const scene = findScene(reply, (request.params as SceneParameters).sceneId)
        if (scene === null) return
        tagVersion(reply, scene.version)
        const outcome = askScene(scene, query, request.body as Record<string, unknown>, limits)
        return isSlices(outcome) ? sendInSlices(reply, query, outcome) : sendOutcome(reply, query, outcome)
      },
    })
  }
}
