// POST /v1/2d/scenes/{sceneId}/operations: many changes of a scene in one write, or what they would do.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { reference } from '../../schemas/reference.ts'
import { answered, SceneParameters, WriteHeaders } from '../../schemas/scenes/headers.ts'
import { SceneOperationsRequest, SceneOperationsResponse } from '../../schemas/scenes/write.ts'
import { type Config, queryLimits, sceneLimits } from '../config.ts'
import {
  decodeSent,
  operationChecks,
  readOperations,
  tryOperations,
  writeOperations,
} from '../replies/scene-operations.ts'
import { findScene } from '../replies/scene-reads.ts'
import { SCENE_BODY_PROBLEMS } from '../wire/problems/problem-lists.ts'

const MEANING =
  'true: nothing is changed, and the answer says which bodies each changed body would newly overlap. false when absent.'
const DryRun = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ description: MEANING })) },
  { additionalProperties: false },
)

export const sceneOperationsRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = { ...queryLimits(config), ...sceneLimits(config) }
  const { validatorCompiler, violation } = operationChecks()
  readOperations(app, limits.maxOperations, violation)
  app.post('/v1/2d/scenes/:sceneId/operations', {
    bodyLimit: config.OPERATIONS_BODY_LIMIT,
    validatorCompiler,
    schema: {
      operationId: 'writeScene',
      tags: ['scene-bodies'],
      summary: 'Change a scene',
      description:
        'All operations are applied, in their order and at once, or none: a problem names the first that cannot be. The answer comes when the write is durable.',
      params: SceneParameters,
      querystring: DryRun,
      headers: WriteHeaders,
      body: reference(SceneOperationsRequest),
      response: { 200: answered(SceneOperationsResponse, 'The write is durable; or what it would do.') },
    },
    config: { problems: [...SCENE_BODY_PROBLEMS, 'body-not-found', 'too-many-operations'] },
    handler: async (request, reply) => {
      const scene = await findScene(reply, request.params.sceneId)
      if (scene === null) return reply
      const decoded = await decodeSent(request, reply, violation, limits)
      if (decoded === null) return reply
      const act = request.query.dryRun === true ? tryOperations : writeOperations
      return act(request, reply, scene, decoded)
    },
  })
}
