// Reads request bodies: JSON and nothing else. Unlike the framework's own parser it says where the
// text goes wrong, and it needs no defence against prototype keys: the schemas refuse every field
// that they do not list. What is certain to be work for a worker is not read here, but kept as it came.

import type { IncomingMessage } from 'node:http'
import type { TSchema } from '@sinclair/typebox'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { parseShallow } from '../json/brackets.ts'
import { LONG_LIST_LENGTH, parseList } from '../json/list.ts'
import { compileReader, type JsonReader, parseBy } from '../json/reader.ts'
import { finishSlices } from '../queries/slices.ts'
import { MAIN_BYTES } from '../queries/steps.ts'
import { describeUnreadable } from '../queries/unreadable.ts'
import { UNREAD } from './validation.ts'

type Done = (error: Error | null, body?: unknown) => void
/** Throws where the bytes are not JSON. */
type Parse = (bytes: Buffer, request: FastifyRequest) => unknown

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads bodies of the schema of the route. */
    readBody?: JsonReader
    /** Whether the route can be answered by workers: bodies are kept as they came, and long ones not read. */
    byWorkers?: boolean
  }
  interface FastifyRequest {
    /** The body as it came, where the route can be answered by workers. */
    bytes: Buffer | null
  }
}

export const jsonBody = fp(async (app) => {
  app.removeAllContentTypeParsers()
  app.decorateRequest('bytes', null)
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body as TSchema | undefined
    if (body?.$ref === undefined) return
    route.config = { ...route.config, readBody: compileReader(body, app.getSchemas()) }
  })
  readJson(app, (bytes, request) => {
    const { readBody, byWorkers } = request.routeOptions.config
    if (byWorkers === true) {
      request.bytes = bytes
      if (bytes.length > MAIN_BYTES && refuseEncoding(request) === null) return UNREAD
    }
    return readBody === undefined ? parseShallow(bytes) : parseBy(readBody, bytes)
  })
})

/** Reads the bodies of a scope in a way of its own. */
export function readJson(app: FastifyInstance, parse: Parse): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    read(request, bytes as Buffer, parse, done)
  })
}

/**
 * The same for documents that are one long list under a name: these are read in pieces, with pauses. `parseItems` takes the
 * text of a list of some of the items, and throws where it is none. `look` is shown the bytes.
 */
export function readJsonList(
  app: FastifyInstance,
  name: string,
  parse: Parse,
  parseItems: (bytes: Buffer) => unknown[],
  look?: (request: FastifyRequest, chunks: readonly Buffer[]) => void,
): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (request, payload, done) => {
    gather(request, payload, (error, chunks, length) => {
      if (error !== null) return done(error)
      look?.(request, chunks)
      const readWhole = () => read(request, Buffer.concat(chunks), parse, done)
      if (length < LONG_LIST_LENGTH) return readWhole()
      finishSlices(parseList(chunks, name, parseItems), () => true).then((list) => {
        if (list === null) readWhole()
        else done(null, list)
      }, done)
    })
  })
}

/** The body as it comes, up to the limit of the route. */
function gather(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, chunks: Buffer[], length: number) => void,
): void {
  const chunks: Buffer[] = []
  const limit = request.routeOptions.bodyLimit as number
  let length = 0
  const finish = (error: Error | null) => {
    payload.off('data', take).off('end', end).off('error', fail)
    done(error, chunks, length)
  }
  const take = (chunk: Buffer) => {
    length += chunk.length
    if (length > limit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else chunks.push(chunk)
  }
  const end = () => finish(null)
  // whoever goes away while sending is no fault of the service
  const fail = (error: Error) => finish(Object.assign(error, { statusCode: 400 }))
  if (declaredLength(request) > limit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  else payload.on('data', take).on('end', end).on('error', fail)
}

/** Bytes that the client says the body has, or NaN. */
export function declaredLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'])
}

function read(request: FastifyRequest, bytes: Buffer, parse: Parse, done: Done): void {
  // a path that does not exist is the greater problem
  if (request.is404) {
    done(null)
    return
  }
  let body: unknown
  try {
    body = parse(bytes, request)
  } catch (error) {
    done(refusal(request, bytes.toString(), error))
    return
  }
  done(null, body)
}

function refusal(request: FastifyRequest, text: string, error: unknown): Error {
  const encoded = refuseEncoding(request)
  if (encoded !== null) return encoded
  const { code, detail } = describeUnreadable(text, error)
  return Object.assign(new Error(detail), { code: UNREADABLE, problem: code })
}

/** The error of a body that is packed, or null. */
export function refuseEncoding({ headers }: FastifyRequest): Error | null {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return null
  const error = new Error(`Content-Encoding ${encoding} is not supported`)
  return Object.assign(error, { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' })
}

/** The code of errors that say which problem a body is. */
export const UNREADABLE = 'TANGENT_UNREADABLE_BODY'
