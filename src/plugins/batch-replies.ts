// What batches have in common: their media, their limit, and their answers, as a list or as lines.

import { Readable } from 'node:stream'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifySchema } from 'fastify'
import type { Config } from '../config.ts'
import { parseBy } from '../json/reader.ts'
import type { AskedQuery, Asker } from '../queries/ask.ts'
import { askLines } from '../queries/ask-many.ts'
import type { Asking } from '../queries/asking.ts'
import { tooManyQueries } from '../queries/sent.ts'
import { parseAround } from '../wire/unread-shape.ts'
import { takeTime } from './client-errors.ts'
import { readJsonList } from './json-body.ts'
import { isWanted } from './query-replies.ts'

export const LIST = 'application/json'
export const LINES = 'application/x-ndjson'

export function batchMedia(list: TSchema, line: TSchema) {
  return { content: { [LIST]: { schema: list }, [LINES]: { schema: line } } }
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
    parse: (bytes) => parseBy(readList, bytes),
    parseItems: (bytes) => parseAround(bytes, (text) => parseBy(readQueries, text) as unknown[], true),
  })
  app.addContentTypeParser(LINES, (_request, lines, done) => done(null, lines))
}

/** The list is validated, what is in it and lines are when they are asked. */
export function batchValidator({ compile, validateList }: Pick<Asking<AskedQuery>, 'compile' | 'validateList'>) {
  return ({ httpPart, contentType, schema }: { httpPart?: string; contentType?: string; schema: FastifySchema }) => {
    if (httpPart !== 'body') return compile(schema)
    return contentType === LIST ? validateList : () => true
  }
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
  return reply.type(LINES).send(Readable.from(askLines(asker, lines, BODY_LIMIT, isWanted(reply))))
}

/** Whether a list is too long; the problem is answered then. */
export function isTooMany(reply: FastifyReply, { length: actual }: readonly unknown[], limit: number): boolean {
  if (actual <= limit) return false
  reply.geometryProblem(tooManyQueries(actual, limit))
  return true
}
