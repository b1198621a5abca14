// Batches of stateless queries: short ones are answered at once, the others by workers while they arrive.

import { Readable } from 'node:stream'
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { PictureOptions } from '../../schemas/picture.ts'
import type { Config } from '../config.ts'
import { takeTime } from '../plugins/connections.ts'
import { declaredLength, LINES, LIST } from '../plugins/json-body.ts'
import { send, sendFailure, takeErrand, withinShare } from '../plugins/workers.ts'
import type { Dimension } from '../queries/ask/query.ts'
import { LIST_TYPE } from '../queries/ask/sent.ts'
import { LIST_ADVICE, PIECE_STEPS } from '../queries/ask/slices.ts'
import { workOffLines } from '../threads/batch-lines.ts'
import { gathered, type ListOutcome, workOffList, workOffWhole } from '../threads/batch-list.ts'
import type { Errand } from '../threads/pool.ts'
import { upToRefusal } from './batch-replies.ts'
import { wantsPicture } from './query-replies.ts'

/** The body of a batch as it comes. */
interface Arriving {
  readonly type: typeof LIST | typeof LINES
  readonly payload: Readable
}

/** Hands bodies to the routes of a scope as they arrive. */
export function keepArriving(app: FastifyInstance): void {
  for (const type of [LIST, LINES] as const) {
    app.removeContentTypeParser(type)
    app.addContentTypeParser(type, (_request, payload, done) => {
      done(null, { type, payload } satisfies Arriving)
    })
  }
}

/** Answers batches in the main thread's share of work, or by workers. */
export function batchHandler(app: FastifyInstance, config: Config, dimension: Dimension) {
  const answerer = app.answerers[dimension]
  const answerList = async (request: FastifyRequest, reply: FastifyReply, payload: Readable) => {
    const { id: requestId } = request
    const outcome = await workOffList(arrivingChunks(request, payload, config.BODY_LIMIT), {
      pool: app.workers,
      dimension,
      take: () => takeErrand(reply),
      requestId,
      length: request.headers['content-encoding'] === undefined ? declaredLength(request) : Number.NaN,
      maxBatch: config.MAX_BATCH,
      atOnce: (items, out, first) => {
        if (!app.shapes.isReadyFor(items)) return null
        return withinShare(app, () => answerer.answerItems(items, requestId, out, first), PIECE_STEPS)
      },
    })
    if (outcome.is !== 'short') return sendList(reply, outcome)
    const { bytes } = outcome
    const isReady = app.shapes.isReadyFor(bytes)
    const sent = isReady ? withinShare(app, () => answerer.answerList(bytes, requestId)) : null
    if (sent !== null) return send(reply, sent)
    const errand = takeErrand(reply)
    if (errand === null) return reply
    return sendList(reply, await workOffWhole(errand, bytes, { dimension, requestId }))
  }

  const drawList = async (request: FastifyRequest, reply: FastifyReply, payload: Readable) => {
    const { id: requestId } = request
    const bytes = await gathered(arrivingChunks(request, payload, config.BODY_LIMIT))
    const errand = takeErrand(reply)
    if (errand === null) return reply
    const picture = request.query as PictureOptions
    return sendList(reply, await workOffWhole(errand, bytes, { dimension, requestId }, picture))
  }

  const answerLines = (reply: FastifyReply, payload: Readable) => {
    const requestId = reply.request.id
    takeTime(reply, config.REQUEST_TIMEOUT_MS)
    const errands = new Set<Errand>()
    reply.raw.once('close', () => {
      for (const errand of errands) errand.end('gone')
    })
    const work = {
      pool: app.workers,
      dimension,
      requestId,
      maxLine: config.BODY_LIMIT,
      atOnce: (lines: Buffer) => {
        if (!app.shapes.isReadyFor(lines)) return null
        return withinShare(app, () => answerer.answerLines(lines, requestId, Infinity).body)
      },
      errands,
    }
    const results = upToRefusal(payload, requestId, (lines) => workOffLines(lines, work))
    return reply.type(LINES).send(Readable.from(results, { objectMode: false }))
  }

  return (request: FastifyRequest, reply: FastifyReply) => {
    const arriving = request.body as Arriving | null | undefined
    if (arriving == null) return reply.problem('empty-body', 'The body is empty: expected a JSON object.')
    if (arriving.type === LINES) return answerLines(reply, arriving.payload)
    return (wantsPicture(request) ? drawList : answerList)(request, reply, arriving.payload)
  }
}

function sendList(reply: FastifyReply, outcome: Exclude<ListOutcome, { is: 'short' }>): FastifyReply {
  switch (outcome.is) {
    case 'sent':
      return send(reply, outcome.sent)
    case 'results':
      return reply.type(LIST_TYPE).send(joined(outcome.bodies))
    case 'failed':
      return sendFailure(reply, LIST_ADVICE, outcome.failure)
    case 'refused':
      return reply
  }
}

/** One buffer, with its length, or a stream of many. */
function joined(bodies: readonly Uint8Array[]): Uint8Array | Readable {
  if (bodies.length === 1) return bodies[0]
  const length = bodies.reduce((sum, body) => sum + body.length, 0)
  return length <= SINGLE_LENGTH ? Buffer.concat(bodies, length) : Readable.from(bodies, { objectMode: false })
}

/** Bytes up to which an answer is sent as one. */
const SINGLE_LENGTH = 2 ** 20

/** The body up to its limit. Whoever goes away while sending is no fault of the service. */
async function* arrivingChunks(
  request: FastifyRequest,
  payload: Readable,
  limit: number,
): AsyncGenerator<Buffer, void, undefined> {
  if (declaredLength(request) > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  let length = 0
  try {
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length
      if (length > limit) break
      yield chunk
    }
  } catch (error) {
    throw Object.assign(error as Error, { statusCode: 400 })
  }
  if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
}
