// Tokens, CORS and rate limits, each off unless configured, and free of cost then. Health checks and the documentation stay open to all.
// Also checks the Host header.

import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'

/** Probes carry no token and are not to be refused. */
export const HEALTH = /^\/(livez|readyz|healthz)$/
export const DOCUMENTATION = /^\/($|(docs|openapi|lint-rules|problems|playground)\b)/

/** Recognised by its code where errors become problems. */
class RateLimitError extends Error {
  readonly code = 'TANGENT_RATE_LIMITED'
  readonly limit: number
  constructor(limit: number, after: string) {
    super(`A client may send ${limit} requests a minute; try again in ${after}.`)
    this.limit = limit
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests of another method than GET change nothing either: tokens that may only read are taken. Of all, or of one by one. */
    isQuery?: boolean | ((request: FastifyRequest) => boolean)
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses tokens that are known, but may only read. */
function mayWrite(writing: ReadonlySet<string>, isQuery: (request: FastifyRequest) => boolean): onRequestHookHandler {
  return (request, reply, done) => {
    if (isQuery(request)) return done()
    const token = request.headers.authorization?.replace(/^\S+\s+/, '') ?? ''
    if (writing.has(token)) return done()
    reply.problem('read-only-token', 'This token may ask queries and read scenes, but change nothing.')
  }
}

/** Must be registered before the routes, which it guards. What a setting does not ask for is not loaded. */
export const access = fp(async (app, config: Config) => {
  if (config.CORS_ORIGIN.length > 0) {
    await app.register(import('@fastify/cors'), {
      origin: config.CORS_ORIGIN.includes('*') ? '*' : config.CORS_ORIGIN,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'X-Request-Id',
        'Retry-After',
        'ETag',
        'Location',
        'Content-Disposition',
        'Tangent-Stale',
        'Preference-Applied',
      ],
    })
  }
  if (config.RATE_LIMIT > 0) {
    await app.register(import('@fastify/rate-limit'), {
      max: config.RATE_LIMIT,
      timeWindow: 60_000,
      global: false,
      errorResponseBuilder: (_request, { max, after }) => new RateLimitError(max, after),
    })
    const limit = app.rateLimit()
    app.addHook('onRoute', (route) => {
      if (HEALTH.test(route.url)) return
      route.onRequest = [route.onRequest ?? []].flat().concat(limit)
    })
  }
  const tokens = new Set([...config.API_TOKENS, ...config.READ_TOKENS])
  if (tokens.size > 0) {
    await app.register(import('@fastify/bearer-auth'), {
      keys: tokens,
      addHook: false,
      // schemes of authentication have no case
      specCompliance: 'rfc6749',
      verifyErrorLogLevel: 'debug',
    })
    app.addHook('onRoute', (route) => {
      if (HEALTH.test(route.url) || DOCUMENTATION.test(route.url)) return
      const verify = app.verifyBearerAuth
      if (verify === undefined) return
      const { isQuery = false } = route.config ?? {}
      const onlyReads = [route.method].flat().every((method) => READING.has(method)) || isQuery === true
      const writes = mayWrite(new Set(config.API_TOKENS), isQuery instanceof Function ? isQuery : () => false)
      const checks = onlyReads ? [verify] : [verify, writes]
      route.onRequest = [route.onRequest ?? []].flat().concat(checks)
    })
  }
})

/** A name or an address, and a port (RFC 3986); empty where the target has none. */
const FIT = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i

const MANY = 'The request has more than one Host header.'
const UNFIT = 'The Host header is not a host name or an address with an optional port.'

/**
 * Refuses requests with two Host headers, of which a proxy may have used the other one, or with one that is no host (RFC 9112, section
 * 3.2). Requests of HTTP/1.1 without a Host header are refused earlier. Must be registered before the routes.
 */
export const hostHeader = fp(async (app) => {
  // nearly all requests are sent to the same one
  let latest = ''
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, rawHeaders } = request.raw
    const { host = '' } = headers
    const isOne = !hasMany(rawHeaders)
    if (isOne && (host === latest || FIT.test(host))) {
      latest = host
      return done()
    }
    reply.header('connection', 'close').problem('malformed-request', isOne ? UNFIT : MANY)
  })
})

/** `rawHeaders`: names and values by turns, as they were sent. */
function hasMany(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const name = rawHeaders[k]
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}
