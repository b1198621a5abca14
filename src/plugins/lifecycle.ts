// The phase of the service (starting, serving, draining), by which load balancers decide whether to send it requests, and its end.
// Plugins with work before the first request announce when it is done, see scenes.ts.

import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { requestsUnderWay } from './connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: {
      phase: 'starting' | 'serving' | 'draining'
      /** When the phase began, by `performance.now()`. */
      since: number
    }
  }
}

export const lifecycle = fp(async (app) => {
  app.decorate('lifecycle', { phase: 'starting', since: performance.now() })
  app.addHook('preClose', async () => enterPhase(app, 'draining'))
})

export function enterPhase({ lifecycle }: FastifyInstance, phase: FastifyInstance['lifecycle']['phase']): void {
  if (lifecycle.phase === phase) return
  lifecycle.phase = phase
  lifecycle.since = performance.now()
}

/**
 * Takes no new connections any more, after those who ask have been told for `DRAIN_DELAY_MS`, and finishes what is under way. False
 * when that was cut off after `DRAIN_MS`.
 */
export async function drain(app: FastifyInstance, { DRAIN_DELAY_MS, DRAIN_MS }: Config): Promise<boolean> {
  enterPhase(app, 'draining')
  if (DRAIN_DELAY_MS > 0) await setTimeout(DRAIN_DELAY_MS)
  const late = setTimeout(DRAIN_MS, 'late', { ref: false })
  const closed = app.close()
  if ((await Promise.race([closed, late])) !== 'late') return true
  // nothing is cut off where only threads are waited for, which cannot be ended while they start
  const isIdle = requestsUnderWay() === 0
  if (isIdle && (await Promise.race([closed, setTimeout(DRAIN_MS, 'late', { ref: false })])) !== 'late') return true
  app.logger.warn({ requests: requestsUnderWay(), ms: DRAIN_MS }, 'requests cut off: they took longer than DRAIN_MS')
  return false
}

/** Prints the addresses of the service and of its documentation. */
export function announce({ logger }: FastifyInstance, address: string): void {
  const docs = docsAddress(address)
  logger.info({ address, docs }, 'listening')
  // logs are for programs
  if (process.stdout.isTTY) process.stdout.write(`Tangent listens on ${address}; try it at ${docs}\n`)
}

/** Where a browser on this machine finds the documentation: an address that stands for all interfaces is none to go to. */
export function docsAddress(address: string): string {
  const url = new URL('/docs', address)
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  return url.href
}
