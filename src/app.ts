// The app: one visible list of plugins and routes, with the options, limits and error handling that
// go with them, so that tests run exactly what production runs.

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { DestinationStream } from 'pino'
import { ALL_ROUTES } from './all-routes.ts'
import { type Config, trustedProxies } from './config.ts'
import { access, hostHeader } from './plugins/access.ts'
import { boundConnections, replyToClientError, requestTimers } from './plugins/connections.ts'
import { idleMemory } from './plugins/idle-memory.ts'
import { jsonBody, packedBody } from './plugins/json-body.ts'
import { keptShapes } from './plugins/kept-shapes.ts'
import { lifecycle } from './plugins/lifecycle.ts'
import { log, observation, requestId } from './plugins/observation.ts'
import { problemReplies, replyToError } from './plugins/problem-replies.ts'
import { scenes } from './plugins/scenes.ts'
import { readCertificate, renewCertificate } from './plugins/tls.ts'
import { unknownParameters } from './plugins/unknown-parameters.ts'
import { unknownRoutes } from './plugins/unknown-routes.ts'
import { compileAhead, schemaController } from './plugins/validation.ts'
import { workers } from './plugins/workers.ts'

/** What an app has that nobody reaches by a port. */
export interface Within {
  readonly routes?: readonly FastifyPluginAsync<Config>[]
  /** See `PoolOptions`. */
  readonly doesSmallWorkHere?: boolean
}

/** `logDestination`: where log lines go instead of standard output. */
export async function buildApp(
  config: Config,
  logDestination?: DestinationStream,
  { routes = ALL_ROUTES, doesSmallWorkHere = false }: Within = {},
): Promise<FastifyInstance> {
  const certificate = readCertificate(config)
  const listener = requestTimers(config.REQUEST_TIMEOUT_MS)
  const app = Fastify({
    // plugins/observation.ts has the log
    logger: false,
    genReqId: requestId,
    bodyLimit: config.BODY_LIMIT,
    // a store that does not open says why within a time of its own
    pluginTimeout: 0,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    // the server has the same methods and events
    ...(certificate === null ? { http: listener } : ({ https: { ...listener, ...certificate } } as object)),
    trustProxy: trustOf(trustedProxies(config)),
    // longer ids are told what is wrong with them
    routerOptions: { maxParamLength: 1024 },
    // requests on open connections are still answered while the service drains
    return503OnClosing: false,
    schemaController,
    frameworkErrors: replyToError,
    clientErrorHandler: replyToClientError,
  }).withTypeProvider<TypeBoxTypeProvider>()

  boundConnections(app, config)

  await app.register(problemReplies)
  await app.register(log, { level: config.LOG_LEVEL, destination: logDestination })
  await app.register(lifecycle)
  if (certificate !== null) renewCertificate(app as unknown as FastifyInstance, config)
  await app.register(observation, config)
  await app.register(hostHeader)
  await app.register(access, config)
  await app.register(unknownRoutes)
  await app.register(unknownParameters)
  await app.register(packedBody, config)
  await app.register(jsonBody)
  // documents are among all routes only
  if (routes === ALL_ROUTES) await app.register((await import('./plugins/openapi.ts')).openApi)
  await app.register(keptShapes, config)
  await app.register(workers, { ...config, doesSmallWorkHere })
  await app.register(compileAhead)
  await app.register(idleMemory)
  await app.register(scenes, config)

  for (const route of routes) await app.register(route, config)

  return app as unknown as FastifyInstance
}

/** A number counts hops from the service on; the framework itself takes none. */
function trustOf(
  proxies: ReturnType<typeof trustedProxies>,
): string[] | false | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}
