// The log of the service. It stands beside the framework's own, which is off: that one makes a
// logger for each request and listens to every response, whether or not a line comes of it.

import fp from 'fastify-plugin'
import { type DestinationStream, type Logger, pino } from 'pino'

declare module 'fastify' {
  interface FastifyInstance {
    logger: Logger
  }
}

export interface LogOptions {
  level: string
  /** Where lines go; standard output when absent. */
  destination?: DestinationStream | undefined
}

export const log = fp(async (app, { level, destination }: LogOptions) => {
  const logger: Logger = destination === undefined ? pino({ level }) : pino({ level }, destination)
  app.decorate('logger', logger)
})
