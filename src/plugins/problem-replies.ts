// Everything that is not an answer leaves as a problem document: errors of the framework, of the
// validator, of the geometry (reply.problem), and faults of our own.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ProblemCode } from '../../schemas/problem.ts'
import { type DecodeProblem, problemExtras } from '../wire/decode-problem.ts'
import { PROBLEM_TYPE, type ProblemExtras, problemDetails } from '../wire/problems.ts'
import { describeViolation, type ValidatorError, violationProblem } from '../wire/schema-violation.ts'
import { hasKey, refusedProblem } from './json-body.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with a problem; the status follows from the code. */
    problem(code: ProblemCode, detail: string, extras?: ProblemExtras): undefined
    /** Answers with a problem that a decoder found in the body. */
    geometryProblem(problem: DecodeProblem): undefined
  }
}

/** Seconds after which a client may ask again, by status, and by code where that is sooner. */
const RETRY_AFTER: Readonly<Record<number, string>> = { 503: '5' }
const SOONER: Readonly<Partial<Record<ProblemCode, string>>> = {
  'store-unavailable': '1',
  'outcome-unknown': '1',
  'version-not-reached': '1',
}

export const problemReplies = fp(async (app) => {
  app.decorateReply('problem', function (code, detail, extras) {
    sendProblem(this, code, detail, extras)
  })
  app.decorateReply('geometryProblem', function (problem) {
    sendProblem(this, problem.code, problem.detail, problemExtras(problem))
  })
  app.setErrorHandler(replyToError)
})

/** Statuses of refusals that depend on the current state of the scene. */
const OF_STATE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'body-not-found',
  'scene-not-found',
  'too-many-scene-bodies',
  'too-many-scenes',
  'version-mismatch',
])
const UNSETTLED =
  'If you have sent this request before with the same Idempotency-Key and got no answer, that try may still be written.'

/** A refusal takes no place in the log: another try, by another instance, may be on its way into it. */
function mayYetLand({ request, server }: FastifyReply, code: ProblemCode): boolean {
  return OF_STATE.has(code) && hasKey(request) && server.scenes?.keeper?.status() != null
}

function sendProblem(reply: FastifyReply, code: ProblemCode, detail: string, extras?: ProblemExtras): undefined {
  const { id } = reply.request
  const problem = problemDetails(code, mayYetLand(reply, code) ? `${detail} ${UNSETTLED}` : detail, id, extras)
  const retryAfter = SOONER[code] ?? RETRY_AFTER[problem.status]
  if (retryAfter !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfter)
  reply
    .header('x-request-id', id)
    .header('x-content-type-options', 'nosniff')
    .code(problem.status)
    .type(PROBLEM_TYPE)
    // as bytes: to a string the framework would add a charset, which this media type does not have
    .send(Buffer.from(JSON.stringify(problem)))
}

/** Also used by the framework for what fails before a route is found, when replies have no decorations yet. */
export function replyToError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): undefined {
  // the framework closes the connection after any fault in a body; one that has arrived whole leaves nothing behind to misread
  if (request.raw.readableEnded && reply.getHeader('connection') === 'close') keepAlive(reply)
  if (error.validation !== undefined) return replyToViolation(error, request, reply)
  const refused = refusedProblem(error)
  if (refused !== null) return sendProblem(reply, refused.code, refused.detail, problemExtras(refused))
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return sendProblem(reply, 'unsupported-media-type', describeMediaType(request))
    case 'FST_ERR_CTP_BODY_TOO_LARGE': {
      const limit = request.routeOptions.bodyLimit as number
      const isPacked = request.headers['content-encoding'] !== undefined
      const length = isPacked ? Number.NaN : Number(request.headers['content-length'])
      const extras = length > limit ? { limit, actual: length } : { limit }
      const got = length > limit ? `, got ${length}` : isPacked ? ' when it is unpacked' : ''
      const detail = `The body must be at most ${limit} bytes${got}.`
      return sendProblem(reply, 'body-too-large', detail, extras)
    }
    case 'TANGENT_RATE_LIMITED':
      return sendProblem(reply, 'rate-limited', error.message, {
        limit: (error as FastifyError & { limit: number }).limit,
      })
    case 'FST_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER':
    case 'FST_BEARER_AUTH_INVALID_AUTHORIZATION_HEADER':
      reply.header('www-authenticate', 'Bearer')
      return sendProblem(reply, 'unauthorized', 'Send a valid token as "Authorization: Bearer <token>".')
  }
  if (error.statusCode === 404) return sendProblem(reply, 'not-found', `Nothing is at ${request.url}.`)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return sendProblem(reply, 'malformed-request', `${error.message}.`)
  }
  const { id: reqId, method, url, server } = request
  server.logger.error({ err: error, reqId, method, url: url.replace(/[?].*$/s, '') }, 'request failed')
  return sendProblem(reply, 'internal-error', 'The service failed to answer; this is no fault of the request.')
}

/** With the headers that a kept connection has. One that is draining is closed all the same. */
function keepAlive(reply: FastifyReply): void {
  const { raw, server } = reply
  if (!raw.shouldKeepAlive) return
  reply.header('connection', 'keep-alive')
  reply.header('keep-alive', `timeout=${Math.floor(server.server.keepAliveTimeout / 1000)}`)
}

function replyToViolation(error: FastifyError, request: FastifyRequest, reply: FastifyReply): undefined {
  if (error.validationContext === 'body' && request.body === undefined) {
    return sendProblem(reply, 'empty-body', 'The body is empty: expected a JSON object.')
  }
  const [first] = error.validation as unknown as ValidatorError[]
  if (error.validationContext === 'querystring') {
    return sendProblem(reply, 'schema-violation', `${describeViolation(first, 'The query string').detail}`)
  }
  if (error.validationContext === 'params') {
    return sendProblem(reply, 'schema-violation', describeViolation(first, 'The path').detail)
  }
  if (error.validationContext === 'headers') {
    const { detail } = describeViolation(first, 'The headers')
    // names of headers as they are usually written
    return sendProblem(reply, 'schema-violation', detail.replace(/^[a-z-]+/, headerName))
  }
  return reply.geometryProblem(violationProblem(first, ''))
}

function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function describeMediaType(request: FastifyRequest): string {
  const type = request.headers['content-type']
  const got = type === undefined ? 'no content type' : JSON.stringify(type)
  return `The body must be sent as application/json, got ${got}.`
}
