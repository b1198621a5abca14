// 404 and 405: a path that no route has, and a path that exists for other methods only.

import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { misspelt } from '../wire/nearest-name.ts'

/** Must be registered before the routes, which it observes, and after `access`. */
export const unknownRoutes = fp(async (app) => {
  const methods = new Map<string, Set<string>>()

  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return // the catch-all for preflight requests
    const known = methods.get(url) ?? new Set()
    for (const name of [method].flat()) known.add(name.toUpperCase())
    methods.set(url, known)
  })

  // whoever tries paths uses up requests as well
  const guards = app.hasDecorator('rateLimit') ? { preHandler: app.rateLimit() } : {}
  app.setNotFoundHandler(guards, (request, reply) => {
    replyToUnknown(request, reply, methods)
    app.observeUnrouted(request, reply)
  })
})

function replyToUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: ReadonlyMap<string, ReadonlySet<string>>,
): undefined {
  const path = request.url.replace(/[?#].*$/s, '')
  const allowed = new Set<string>()
  for (const [url, names] of methods) {
    if (pattern(url).test(path)) for (const name of names) allowed.add(name)
  }
  // a route for files takes any path, and has no file there
  if (allowed.size === 0 || allowed.has(request.method)) {
    // where everybody comes first is no path that is misspelt
    const near = misspelt(
      path,
      [...methods.keys()].filter((url) => url !== '/'),
    )
    const hint = near === undefined ? 'The paths are listed at /openapi.json.' : `Did you mean ${near}?`
    return reply.problem('not-found', `Nothing is at ${abridged(path)}. ${hint}`)
  }
  const allow = [...allowed].sort().join(', ')
  reply.header('allow', allow)
  return reply.problem('method-not-allowed', `${abridged(path)} takes ${allow}, not ${request.method}.`)
}

/** A route's path as an expression: `:name` stands for one segment, `*` for any rest. */
function pattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+').replace(/\*/g, '.*')}$`, 's')
}

function abridged(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path
}
