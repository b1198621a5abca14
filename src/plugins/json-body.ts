// Reads request bodies: JSON and nothing else. Unlike the framework's own parser it says where the
// text goes wrong, and it needs no defence against prototype keys: the schemas refuse every field
// that they do not list.

import type { IncomingMessage } from 'node:http'
import type { TSchema } from '@sinclair/typebox'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LONG_LIST_LENGTH, parseList } from '../json/list.ts'
import { compileReader, type JsonReader, parseBy } from '../json/reader.ts'
import { findSyntaxFault } from '../json/syntax.ts'
import { finishSlices } from '../queries/slices.ts'

type Done = (error: Error | null, body?: unknown) => void
/** Throws where the bytes are not JSON. */
type Parse = (bytes: Buffer, request: FastifyRequest) => unknown

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads bodies of the schema of the route. */
    readBody?: JsonReader
  }
}

export const jsonBody = fp(async (app) => {
  app.removeAllContentTypeParsers()
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body as TSchema | undefined
    if (body?.$ref === undefined) return
    route.config = { ...route.config, readBody: compileReader(body, app.getSchemas()) }
  })
  readJson(app, (bytes, { routeOptions: { config } }) =>
    config.readBody === undefined ? JSON.parse(bytes.toString()) : parseBy(config.readBody, bytes),
  )
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
  { headers, routeOptions }: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, chunks: Buffer[], length: number) => void,
): void {
  const chunks: Buffer[] = []
  const limit = routeOptions.bodyLimit as number
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
  if (Number(headers['content-length']) > limit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  else payload.on('data', take).on('end', end).on('error', fail)
}

function read(request: FastifyRequest, bytes: Buffer, parse: Parse, done: Done): void {
  let body: unknown
  try {
    body = parse(bytes, request)
  } catch {
    // a path that does not exist is the greater problem
    if (request.is404) done(null)
    else done(refusal(request, bytes.toString()))
    return
  }
  done(null, body)
}

function refusal(request: FastifyRequest, text: string): Error {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    return coded('FST_ERR_CTP_INVALID_MEDIA_TYPE', `Content-Encoding ${encoding} is not supported`)
  }
  if (text.trim() === '') return coded('TANGENT_EMPTY_BODY', 'The body is empty: expected a JSON object.')
  const fault = findSyntaxFault(text)
  if (fault === null) return coded('TANGENT_MALFORMED_JSON', 'The body is not JSON.')
  const { line, column, expected, found } = fault
  const place = `line ${line}, column ${column}`
  return coded('TANGENT_MALFORMED_JSON', `The body is not JSON: expected ${expected} at ${place}, got ${found}.`)
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
