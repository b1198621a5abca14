// GET /v1/2d/scenes/{sceneId}/render.svg: a scene as a picture.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SvgPicture } from '../../schemas/picture.ts'
import { SceneRenderParameters } from '../../schemas/scenes/export.ts'
import { READ_HEADERS, ReadHeaders, SceneParameters, unchanged } from '../../schemas/scenes/headers.ts'
import { PICTURE_TYPE } from '../queries/answers/picture.ts'
import { offering } from '../replies/picture-replies.ts'
import { sendRendered } from '../replies/scene-pictures.ts'
import { readScene } from '../replies/scene-reads.ts'
import { isKnown } from '../replies/scene-versions.ts'
import { isProblem } from '../wire/problems/decode-problem.ts'
import { PICTURE_PROBLEMS, READ_PROBLEMS, WORK_PROBLEMS } from '../wire/problems/problem-lists.ts'
import { readRender } from '../wire/scenes/query-strings.ts'

export const sceneRenderRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/v1/2d/scenes/:sceneId/render.svg', {
    schema: {
      operationId: 'renderScene',
      tags: ['scene-bodies'],
      summary: 'What does the scene look like?',
      description:
        'A drawing of the scene or of a part of it. Each body is a group with its id as data-id. Of scenes of any size: where there are too many bodies to be told apart, the smaller ones are drawn as their boxes or as specks; the desc of the picture says how many.',
      params: SceneParameters,
      querystring: SceneRenderParameters,
      headers: ReadHeaders,
      response: {
        200: {
          description: 'The picture.',
          headers: READ_HEADERS,
          content: { [PICTURE_TYPE]: { schema: SvgPicture } },
        },
        304: unchanged,
      },
    },
    config: {
      problems: [...READ_PROBLEMS, ...WORK_PROBLEMS, ...PICTURE_PROBLEMS],
    },
    preParsing: offering(PICTURE_TYPE),
    handler: async (request, reply) => {
      const { sceneId } = request.params
      const scene = await readScene(request, reply, sceneId)
      if (scene === null) return reply
      const options = readRender(request.query)
      if (isProblem(options)) return reply.geometryProblem(options)
      if (isKnown(request, reply, scene)) return reply
      return sendRendered(reply, scene, sceneId, options)
    },
  })
}
