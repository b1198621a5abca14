// Media types, limits and answers of batches, as a list or as lines.

import { Readable } from 'node:stream'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifySchema } from 'fastify'
import { SvgPicture } from '../../schemas/picture.ts'
import type { Config } from '../config.ts'
import { createJsonInput } from '../json/input.ts'
import { parseBy } from '../json/reader.ts'
import { takeTime } from '../plugins/connections.ts'
import { LINES, LIST, readJsonList, refusedProblem } from '../plugins/json-body.ts'
import { type AskedQuery, type Asker, type Asking, askLines } from '../queries/ask/ask.ts'
import { tooManyQueries } from '../queries/ask/sent.ts'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'
import type { DecodeProblem } from '../wire/decode-problem.ts'
import { problemDetails } from '../wire/problems.ts'
import { parseAround } from '../wire/unread-shape.ts'
import { parameterCompiler, type Schemas } from '../wire/validators.ts'
import { isWanted, offering } from './query-replies.ts'

const offeringAll = offering(LIST, LINES, PICTURE_TYPE)
const offeringText = offering(LIST, LINES)

/** For batches, as their `preParsing`: what comes as lines has no picture. */
export const offeringBatch: typeof offeringAll = (request, ...rest) =>
  (request.headers['content-type']?.startsWith(LINES) ? offeringText : offeringAll)(request, ...rest)

export function batchMedia(list: TSchema, line: TSchema) {
  return { content: { [LIST]: { schema: list }, [LINES]: { schema: line } } }
}

/** Of answers. */
export function answerMedia(list: TSchema, line: TSchema) {
  return { content: { ...batchMedia(list, line).content, [PICTURE_TYPE]: { schema: SvgPicture } } }
}

/** Reads the bodies of a scope as batches. Lines are handed to its routes as they arrive. */
export function readBatch<Query extends AskedQuery>(
  app: FastifyInstance,
  { readQueries, readList }: Asking<Query>,
  limit: number,
): void {
  readJsonList(app, {
    name: 'queries',
    limit,
    tooMany: (actual) => tooManyQueries(actual, limit),
    parse: (bytes) => parseBy(readList, createJsonInput(bytes)),
    far: { items: 'queries', schema: '' },
    parseItems: (bytes) => parseAround(bytes, (text) => parseBy(readQueries, createJsonInput(text)) as unknown[], true),
  })
  app.addContentTypeParser(LINES, (_request, lines, done) => done(null, lines))
}

/** Validation of a batch request: checks that the body is a list, but neither its items nor lines. */
export function batchChecks({ validateList }: Pick<Asking<AskedQuery>, 'validateList'>, schemas: Schemas) {
  type Part = { httpPart?: string; contentType?: string; schema: FastifySchema }
  const parameters = parameterCompiler(schemas)
  const validatorCompiler = ({ httpPart, contentType, schema }: Part) => {
    if (httpPart !== 'body') return parameters(schema)
    return contentType === LIST ? validateList : () => true
  }
  return { validatorCompiler, preParsing: offeringBatch }
}

export function isLines(body: unknown): body is Readable {
  return body instanceof Readable
}

/** A line of results for each line of the request, from what the scene is at each. */
export function sendLines<Query extends AskedQuery>(
  reply: FastifyReply,
  asker: Asker<Query>,
  lines: Readable,
  { BODY_LIMIT, REQUEST_TIMEOUT_MS }: Config,
): FastifyReply {
  takeTime(reply, REQUEST_TIMEOUT_MS)
  const results = upToRefusal(lines, reply.request.id, (read) => askLines(asker, read, BODY_LIMIT, isWanted(reply)))
  return reply.type(LINES).send(Readable.from(results))
}

/** Yields what `answer` makes of the lines. If they are refused on the way, as when they do not unpack, a last line gives the reason. */
export async function* upToRefusal(
  lines: AsyncIterable<Buffer>,
  requestId: string,
  answer: (lines: AsyncIterable<Buffer>) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let refused: DecodeProblem | null = null
  async function* accepted(): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* lines
    } catch (error) {
      refused = refusedProblem(error)
      if (refused === null) throw error
    }
  }
  yield* answer(accepted())
  if (refused === null) return
  const { code, detail } = refused as DecodeProblem
  yield Buffer.from(`${JSON.stringify(problemDetails(code, detail, requestId))}\n`)
}

/** Whether a list is too long; the problem is answered then. */
export function isTooMany(reply: FastifyReply, { length: actual }: readonly unknown[], limit: number): boolean {
  if (actual <= limit) return false
  reply.geometryProblem(tooManyQueries(actual, limit))
  return true
}
