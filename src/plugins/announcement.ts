// What the process says when it listens: where, and where to try it.

import type { FastifyInstance } from 'fastify'

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
