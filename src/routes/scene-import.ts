// POST /v1/2d/scenes/{sceneId}/import: a level editor's own file as bodies of a scene.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { answeredInLines, SceneParameters, WriteHeaders } from '../../schemas/scenes/headers.ts'
import { SceneImportParameters, SceneImportProgress, SceneImportResponse } from '../../schemas/scenes/import.ts'
import { type Config, queryLimits, sceneLimits } from '../config.ts'
import { guessedFormat } from '../import/guessed-format.ts'
import { createProgress } from '../import/reading/import-progress.ts'
import { readFiles, SENT_FILES, sentFiles } from '../plugins/sent-files.ts'
import { parametersOnly } from '../plugins/validation.ts'
import { sendImportLines, wantsLines } from '../replies/import-lines.ts'
import { sendOutcome } from '../replies/query-replies.ts'
import { checkFrame, importInto, importTask } from '../replies/scene-imports.ts'
import { findScene } from '../replies/scene-reads.ts'
import { bodyCountOf } from '../scene/state/scene.ts'
import { IMPORT_PROBLEMS } from '../wire/problems/problem-lists.ts'

export const sceneImportRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const { OPERATIONS_BODY_LIMIT: bodyLimit } = config
  const limits = { ...queryLimits(config), ...sceneLimits(config) }
  await readFiles(app)
  app.post('/v1/2d/scenes/:sceneId/import', {
    bodyLimit,
    validatorCompiler: parametersOnly,
    schema: {
      operationId: 'importScene',
      tags: ['scene-bodies'],
      summary: 'Put a level editor’s file into a scene',
      description:
        'The file is the body of the request, or the first part of multipart/form-data when it names other files, which are sent along. Everything in it that has an extent becomes a body whose id comes from the file; importing the file again changes only what has changed in it. All of it is written at once, or none. As application/x-ndjson the answer says how far the import is, a SceneImportProgress a line; the last line is the report, or a problem with the status 200.',
      params: SceneParameters,
      querystring: SceneImportParameters,
      headers: WriteHeaders,
      body: SENT_FILES,
      response: { 200: answeredInLines(SceneImportResponse, SceneImportProgress, 'What became of the file.') },
    },
    config: { problems: IMPORT_PROBLEMS },
    handler: async (request, reply) => {
      const scene = await findScene(reply, request.params.sceneId)
      if (scene === null) return reply
      const problem = checkFrame(request.query)
      if (problem !== null) return reply.geometryProblem(problem)
      const files = await sentFiles(request, reply, bodyLimit)
      if (files === null) return reply
      const format = request.query.format ?? guessedFormat(files.main)
      if (typeof format !== 'string') return reply.geometryProblem(format)
      const options = { maxOperations: limits.maxOperations, isDryRun: request.query.dryRun === true }
      const progress = wantsLines(request) ? createProgress() : undefined
      // each body that is not there yet is an operation
      const mostBodies = limits.maxOperations + bodyCountOf(scene)
      const task = importTask(
        files,
        format,
        request.query,
        { ...limits, mostBodies, mostPieces: limits.maxOperations },
        progress,
      )
      const work = (answer: FastifyReply) => importInto(request, answer, scene, task, options)
      if (progress !== undefined) return sendImportLines(reply, progress, work)
      const report = await work(reply)
      return report === reply ? reply : sendOutcome(reply, { mayBeLong: true }, report as object)
    },
  })
}
