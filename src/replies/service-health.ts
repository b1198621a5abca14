// How the service fares, and the store that other instances write to as well: for people and for metrics.

import type { FastifyInstance } from 'fastify'
import type { ServiceHealth, StoreHealth } from '../../schemas/service.ts'

/** Null where this instance alone keeps the scenes, and until they are back. */
export function storeHealth({ scenes: { keeper } }: Pick<FastifyInstance, 'scenes'>): StoreHealth | null {
  const status = keeper?.status() ?? null
  if (status === null) return null
  const { isReachable: reachable, isWritable: writable, following, staleMs, commits, commitMs } = status
  const { conflicts, unknownOutcomes, reconnects, loads, forks } = status
  const meanCommitMs = commits === 0 ? null : commitMs / commits
  const counts = { conflicts, unknownOutcomes, reconnects, loads, forks }
  return { reachable, writable, following, staleMs, commits, meanCommitMs, ...counts }
}

export function serviceHealth(app: FastifyInstance): ServiceHealth {
  const { heapUsed, rss } = process.memoryUsage()
  const { eventLoopDelay: delay } = app.memoryUsage()
  const eventLoopDelay = Number.isFinite(delay) ? delay : null
  return { status: app.readiness(), uptime: process.uptime(), eventLoopDelay, heapUsed, rss, store: storeHealth(app) }
}
