// What a query of a scene came to, sent: as an answer or as a problem; at once or in pieces.

import type { FastifyReply } from 'fastify'
import type { FarSlices } from '../containers/far-call.ts'
import { isLong, jsonPieces } from '../queries/long-answer.ts'
import { finishSlices, SliceClock } from '../queries/slices.ts'
import { isProblem } from '../wire/decode-problem.ts'
import { sendPieces } from './send-pieces.ts'
import { farWork, sendWorkProblem } from './workers.ts'

/** What is said of a query here. */
interface Replied {
  readonly advice: string
  readonly mayBeLong?: boolean
}

/** What a handler returns: an answer that is still to be sent, or nothing more to do. */
type Sent = object | undefined | Promise<object | undefined>

export function sendOutcome(reply: FastifyReply, { mayBeLong }: Replied, outcome: object): Sent {
  if (isProblem(outcome)) return reply.geometryProblem(outcome)
  if (mayBeLong !== true || !isLong(outcome)) return outcome
  return sendPieces(reply.type('application/json; charset=utf-8'), jsonPieces(outcome, isWanted(reply)))
}

/** Stops working when the client goes away, or the time is over. */
export async function sendInSlices(
  reply: FastifyReply,
  query: Replied,
  slices: FarSlices<object>,
): Promise<object | undefined> {
  const { deadline } = reply.server.workers.options
  const clock = new SliceClock(performance.now() + deadline)
  let outcome: object | null
  try {
    outcome = await finishSlices(slices, isWanted(reply), clock, farWork(reply).do)
  } catch (error) {
    return sendWorkProblem(reply, error, query.advice)
  }
  return outcome === null ? reply.hijack() : sendOutcome(reply, query, outcome)
}

/** Whether anyone still waits for the answer. */
export function isWanted({ raw }: FastifyReply): () => boolean {
  return () => !raw.destroyed
}
