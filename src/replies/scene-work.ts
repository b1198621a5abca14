// Batches about a scene: work in slices on the main thread, with what takes long done by workers.

import type { FastifyReply } from 'fastify'
import { farWork, sendWorkProblem, workProblem } from '../plugins/workers.ts'
import { LINE_ADVICE, LIST_ADVICE } from '../queries/ask/advice.ts'
import type { Asker, Pausing } from '../queries/ask/ask.ts'
import type { Asking } from '../queries/ask/asking.ts'
import type { SceneQuery } from '../queries/ask/scene-query.ts'
import { sendPieces } from './send-pieces.ts'

/** Asks the queries of a batch; `answer`: of each of its lines. */
export function sceneAsker(
  reply: FastifyReply,
  batch: Asking<SceneQuery>,
  answer: Asker<SceneQuery>['answer'],
): Asker<SceneQuery> {
  const { server, request } = reply
  const onFault = (err: unknown) => server.logger.error({ err, reqId: request.id }, 'query failed')
  const pausing: Pausing = {
    time: server.workers.options.deadline,
    far: farWork(reply).do,
    problemOf: (error) => workProblem(error, LINE_ADVICE, server),
  }
  return batch.asker({ requestId: request.id, answer, onFault, pausing })
}

/** Sends what comes in pieces, or the problem that it ends with before the first. */
export async function sendWork(
  reply: FastifyReply,
  pieces: AsyncGenerator<Buffer, void, undefined>,
): Promise<FastifyReply | undefined> {
  try {
    return await sendPieces(reply, pieces)
  } catch (error) {
    return sendWorkProblem(reply, error, LIST_ADVICE)
  }
}
