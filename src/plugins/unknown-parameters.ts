// Parameters of a query string that a path below /v1 does not know are refused: what meant dryRun must not write.

import { Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'

/** Must be registered before the routes. */
export const unknownParameters = fp(async (app) => {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/')) return
    const querystring = { ...Type.Object({}), ...(route.schema?.querystring as object), additionalProperties: false }
    route.schema = { ...route.schema, querystring }
  })
})
