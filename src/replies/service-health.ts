// How the service fares, and whether requests are to be sent to it.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServiceHealth, StoreHealth } from '../../schemas/service.ts'

const UNREADY = {
  starting: 'The service is starting: it is not ready for requests yet.',
  draining: 'The service is shutting down and takes no new requests.',
  overloaded: 'The event loop lags behind; ask another instance or come back later.',
  'storage-failed': 'Nothing is written any more until the service is started again. Scenes in memory are still read.',
}
const UNWRITABLE = 'The database cannot be reached: nothing can be written. Scenes in memory are still read.'

/** `isForWrites`: a database that cannot be reached counts. Scenes in memory are read without it. */
export function readiness(reply: FastifyReply, isForWrites: boolean): { status: 'ok' } | undefined {
  const { server } = reply
  const status = server.readiness()
  if (status !== 'ok') return reply.problem(status, UNREADY[status])
  const isWritable = !isForWrites || (server.scenes.keeper?.status()?.isWritable ?? true)
  return isWritable ? { status } : reply.problem('store-unavailable', UNWRITABLE)
}

export function serviceHealth(app: FastifyInstance): ServiceHealth {
  const { heapUsed, rss } = process.memoryUsage()
  const { eventLoopDelay: delay } = app.memoryUsage()
  const eventLoopDelay = Number.isFinite(delay) ? delay : null
  const status = app.readiness()
  return { status, uptime: process.uptime(), eventLoopDelay, heapUsed, rss, store: storeHealth(app) }
}

/** Null where this instance alone keeps the scenes, and until they are back. */
function storeHealth({ scenes: { keeper } }: FastifyInstance): StoreHealth | null {
  const status = keeper?.status() ?? null
  if (status === null) return null
  const { isReachable: reachable, isWritable: writable, following, staleMs, commits, commitMs } = status
  const { conflicts, unknownOutcomes, reconnects, loads, forks } = status
  const meanCommitMs = commits === 0 ? null : commitMs / commits
  const counts = { conflicts, unknownOutcomes, reconnects, loads, forks }
  return { reachable, writable, following, staleMs, commits, meanCommitMs, ...counts }
}
