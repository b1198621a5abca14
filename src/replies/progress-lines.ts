// Answers of long work as lines (NDJSON): how far it is, a few times a second, and at last the answer or the problem.
// The client's pace sets that of the lines: no line is made before the one before it is taken.

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { ProgressForm } from '../../schemas/progress.ts'
import { createProgress, type Progress, shownProgress } from '../containers/progress.ts'
import { LINES, LIST } from '../plugins/json-body.ts'
import { failureProblem, runQuery, takeErrand } from '../plugins/workers.ts'
import type { Query } from '../queries/ask/query.ts'
import { type Sent, sentProblem } from '../queries/ask/sent.ts'
import { failureOf } from '../threads/pool.ts'
import { problemExtras } from '../wire/decode-problem.ts'
import { problemDetails } from '../wire/problems.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 100

/** Asked for by name: others, who take anything, get the answer alone. */
export function wantsLines(request: FastifyRequest): boolean {
  if (request.headers.accept?.toLowerCase().includes(LINES) !== true) return false
  return new Negotiator(request).mediaType([LIST, LINES]) === LINES
}

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** `finished`: comes to the last line, in pieces, and never rejects. */
export function sendLines(reply: FastifyReply, progress: Progress, finished: Promise<Pieces>): FastifyReply {
  return reply.type(LINES).send(Readable.from(linesOf(progress, finished)))
}

async function* linesOf(progress: Progress, finished: Promise<Pieces>): AsyncGenerator<Uint8Array, void, undefined> {
  let last = ''
  for (let pieces: Pieces | null = null; pieces === null; ) {
    const now = `${JSON.stringify({ progress: shownProgress(progress) })}\n`
    if (now !== last) yield Buffer.from(now)
    last = now
    pieces = await withinLook(finished)
    if (pieces === null) continue
    yield* pieces
    yield Buffer.from('\n')
  }
}

/** Null when it takes longer than until the next look. */
async function withinLook(finished: Promise<Pieces>): Promise<Pieces | null> {
  let timer: NodeJS.Timeout | undefined
  const look = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, LOOK_MS, null)
  })
  const pieces = await Promise.race([finished, look])
  clearTimeout(timer)
  return pieces
}

/** Has a worker answer a query that says how far it is. */
export function answerInLines(reply: FastifyReply, query: Query, form: ProgressForm, bytes: Buffer): FastifyReply {
  const errand = takeErrand(reply)
  if (errand === null) return reply
  const progress = createProgress(form)
  const finished = runQuery(errand, reply, query, bytes, { picture: null, progress }).then((done) => {
    if (done.is === 'sent') return done
    return sentProblem(failureProblem(failureOf(errand, done), query.advice, reply.server), reply.request.id)
  })
  return sendLines(reply, progress, finished.then(onlyPiece))
}

/** What is there already, as the only line. */
export function sendOnlyLine(reply: FastifyReply, sent: Sent): FastifyReply {
  return reply.type(LINES).send(Buffer.concat([...onlyPiece(sent), Buffer.from('\n')]))
}

function onlyPiece({ body }: Sent): [Uint8Array] {
  return [typeof body === 'string' ? Buffer.from(body) : body]
}

/** What work for a reply answers with, the answer or the problem, for the last line. Never rejects. */
export async function outcomeOf(reply: FastifyReply, work: (reply: FastifyReply) => Promise<unknown>): Promise<object> {
  const { id, method, url, server } = reply.request
  let problem: object | null = null
  // The head of the answer has gone: of what replies are told only problems are still of use.
  const told = Object.create(reply, {
    problem: {
      value: (...[code, detail, extras]: Parameters<FastifyReply['problem']>) => {
        problem = problemDetails(code, detail, id, extras)
      },
    },
    geometryProblem: {
      value: (found: Parameters<FastifyReply['geometryProblem']>[0]) => {
        problem = problemDetails(found.code, found.detail, id, problemExtras(found))
      },
    },
    header: { value: () => told },
    hijack: { value: () => told },
    // awaited, a reply would wait for its own end
    // biome-ignore lint/suspicious/noThenProperty: there is to be none
    then: { value: undefined },
  }) as FastifyReply
  try {
    const report = await work(told)
    if (problem !== null) return problem
    // nobody waits for it any more
    return report === told ? {} : (report as object)
  } catch (error) {
    server.logger.error({ err: error, reqId: id, method, url }, 'request failed')
    return problemDetails('internal-error', 'The service failed to answer; this is no fault of the request.', id)
  }
}
