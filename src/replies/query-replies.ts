// Sends the outcome of a query: an answer or a problem, at once or in pieces, as JSON or as a picture.

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import Negotiator from 'negotiator'
import type { FarSlices } from '../containers/far-call.ts'
import type { AnswerRoom } from '../plugins/answer-room.ts'
import { farWork, sendWorkProblem } from '../plugins/workers.ts'
import { isLong, jsonPieces } from '../queries/ask/long-answer.ts'
import { type Far, finishSlices, SliceClock } from '../queries/ask/slices.ts'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'
import { isProblem } from '../wire/decode-problem.ts'

/** The description of a query. */
interface Replied {
  readonly advice: string
  readonly mayBeLong?: boolean
}

/** Result of a handler: an answer that is still to be sent, or nothing more to do. */
type Sent = object | undefined | Promise<object | undefined>

export function sendOutcome(reply: FastifyReply, { mayBeLong }: Omit<Replied, 'advice'>, outcome: object): Sent {
  if (isProblem(outcome)) return reply.geometryProblem(outcome)
  if (mayBeLong !== true || !isLong(outcome)) return outcome
  return sendPieces(reply.type('application/json; charset=utf-8'), jsonPieces(outcome, isWanted(reply)))
}

export async function sendInSlices(
  reply: FastifyReply,
  query: Replied,
  slices: FarSlices<object>,
): Promise<object | undefined> {
  const done = await runInSlices(reply, query.advice, slices)
  return done === null ? reply : sendOutcome(reply, query, done.result)
}

/**
 * The result of the work for a request, or null: the client has gone and the work was given up, or it took too long and that problem
 * was answered. `advice`: the sentence that tells the client to make something smaller.
 */
export async function runInSlices<Result>(
  reply: FastifyReply,
  advice: string,
  slices: FarSlices<Result>,
): Promise<{ result: Result } | null> {
  const clock = new RoomClock(reply, performance.now() + reply.server.workers.options.deadline)
  try {
    const result = await finishSlices(slices, isWanted(reply), clock, clock.outside(farWork(reply)))
    if (result !== null || !reply.raw.destroyed) return { result: result as Result }
    reply.hijack()
  } catch (error) {
    sendWorkProblem(reply, error, advice)
  }
  return null
}

/** The clock of work for an answer that waits for room for it: at its first pause, or before it begins where there is none. */
export class RoomClock extends SliceClock {
  readonly #room: AnswerRoom
  readonly #response: ServerResponse
  #isInside = false

  constructor({ server, raw }: FastifyReply, deadline?: number) {
    super(deadline)
    this.#room = server.answerRoom
    this.#response = raw
  }

  override get isOver(): boolean {
    return (!this.#isInside && this.#room.isFull) || super.isOver
  }

  override async nextTurn(): Promise<void> {
    if (!this.#isInside) {
      this.#isInside = true
      await this.#room.enter(this.#response)
    }
    await super.nextTurn()
  }

  /** Work on another thread takes no room. */
  outside(far: Far): Far {
    return (task, deadline) => {
      this.#isInside = false
      this.#room.leave(this.#response)
      return far(task, deadline)
    }
  }
}

/** Whether anyone still waits for the answer. */
export function isWanted({ raw }: FastifyReply): () => boolean {
  return () => !raw.destroyed
}

// Answers that come in pieces.

/** Sends an answer that fits into one piece with its length, and a longer one as a stream at the pace of the client. */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<Buffer, void, undefined>,
): Promise<FastifyReply> {
  const first = await pieces.next()
  const second = await pieces.next()
  if (second.done) return reply.send(first.value ?? '')
  const stream = Readable.from(joined([first.value as Buffer, second.value], pieces))
  // a stream that nobody has read from yet would leave the rest as it is
  stream.once('close', () => void pieces.return())
  return reply.send(stream)
}

async function* joined(begun: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* begun
  yield* rest
}

// Content negotiation for pictures: an SVG, JSON, or a refusal.

const TYPES = ['application/json', PICTURE_TYPE]
/** An Accept header without this names no picture, and need not be taken apart. */
const NAMES_PICTURES = /image\//i

/** Numbers are what is answered to those who take either. */
export function wantsPicture(request: FastifyRequest): boolean {
  const { accept = '' } = request.headers
  return NAMES_PICTURES.test(accept) && new Negotiator(request).mediaType(TYPES) === PICTURE_TYPE
}

/**
 * For routes that answer as one of `types`, as their `preParsing`: whoever takes nothing but other pictures is refused. Who asks for
 * something else gets the first of them, as HTTP allows.
 */
export function offering(...types: readonly string[]) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: RequestPayload,
    done: (error?: Error | null) => void,
  ): void => {
    const { accept = '' } = request.headers
    if (!NAMES_PICTURES.test(accept) || !takesOnlyOthers(new Negotiator(request), types)) {
      done()
      return
    }
    reply.problem('not-acceptable', `This is answered as ${types.join(' or ')}, not as ${JSON.stringify(accept)}.`)
  }
}

/** Pictures or more, and none of these types. */
function takesOnlyOthers(negotiator: Negotiator, types: readonly string[]): boolean {
  const accepted = negotiator.mediaTypes()
  return accepted.some((type) => /^image\//i.test(type)) && negotiator.mediaType([...types]) === undefined
}
