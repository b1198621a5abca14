// What a query of a scene came to, sent: as an answer or as a problem; at once or in pieces.

import type { FastifyReply } from 'fastify'
import type { Slices } from '../containers/pace.ts'
import { isLong, jsonPieces } from '../queries/long-answer.ts'
import { finishSlices } from '../queries/slices.ts'
import { isProblem } from '../wire/decode-problem.ts'
import { sendPieces } from './send-pieces.ts'

/** What is said of a query here. */
interface Replied {
  readonly mayBeLong?: boolean
}

/** What a handler returns: an answer that is still to be sent, or nothing more to do. */
type Sent = object | undefined | Promise<object | undefined>

export function sendOutcome(reply: FastifyReply, { mayBeLong }: Replied, outcome: object): Sent {
  if (isProblem(outcome)) return reply.geometryProblem(outcome)
  if (mayBeLong !== true || !isLong(outcome)) return outcome
  return sendPieces(reply.type('application/json; charset=utf-8'), jsonPieces(outcome, isWanted(reply)))
}

/** Stops working when the client goes away. */
export async function sendInSlices(
  reply: FastifyReply,
  query: Replied,
  slices: Slices<object>,
): Promise<object | undefined> {
  const outcome = await finishSlices(slices, isWanted(reply))
  return outcome === null ? reply.hijack() : sendOutcome(reply, query, outcome)
}

/** Whether anyone still waits for the answer. */
export function isWanted({ raw }: FastifyReply): () => boolean {
  return () => !raw.destroyed
}
