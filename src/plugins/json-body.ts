// Reads request bodies: JSON and nothing else. Unlike the framework's own parser it says where the
// text goes wrong, and it needs no defence against prototype keys: the schemas refuse every field
// that they do not list.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { findSyntaxFault } from '../wire/json-syntax.ts'

type Done = (error: Error | null, body?: unknown) => void

export const jsonBody = fp(async (app) => {
  app.removeAllContentTypeParsers()
  readJson(app, (text) => JSON.parse(text))
})

/** Reads the bodies of a scope in a way of its own. `parse` throws where the text is not JSON. */
export function readJson(app: FastifyInstance, parse: (text: string, request: FastifyRequest) => unknown): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    read(request, text as string, parse, done)
  })
}

function read(
  request: FastifyRequest,
  text: string,
  parse: (text: string, request: FastifyRequest) => unknown,
  done: Done,
): void {
  let body: unknown
  try {
    body = parse(text, request)
  } catch {
    // a path that does not exist is the greater problem
    if (request.is404) done(null)
    else done(refusal(request, text))
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
