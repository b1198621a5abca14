// Idempotency-Key: what makes a request one that may be sent again, and what tells it from others with the same key.

import { createHash, type Hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { RequestKey } from '../scene/keeper/remembered-writes.ts'

const hashes = new WeakMap<FastifyRequest, Hash>()
const fingerprints = new WeakMap<FastifyRequest, string>()

/** Method, path and parameters. */
const lineOf = ({ method, url }: FastifyRequest) => `${method} ${url}\n`

/** Whether it is one that may be sent again. */
export function hasKey({ headers, routeOptions }: FastifyRequest): boolean {
  if (headers['idempotency-key'] === undefined) return false
  const taken = routeOptions.schema?.headers as { properties?: object } | undefined
  return taken?.properties !== undefined && 'idempotency-key' in taken.properties
}

/** Bytes of the body as they come, in order. `line`: what stands before them. */
export function noteBytes(request: FastifyRequest, bytes: Uint8Array | string, line = lineOf(request)): void {
  if (!hasKey(request)) return
  const hash = hashes.get(request) ?? createHash('sha256').update(line)
  hashes.set(request, hash.update(bytes))
}

/** Notes a body that is complete, unless it was noted while it arrived. */
export function noteBody(request: FastifyRequest, bytes: Uint8Array): void {
  if (hasKey(request) && !hashes.has(request)) noteBytes(request, bytes)
}

/** Null: the request has no key. Good once all of its body is there. */
export function requestKey(request: FastifyRequest): RequestKey | null {
  if (!hasKey(request)) return null
  let fingerprint = fingerprints.get(request)
  if (fingerprint === undefined) {
    fingerprint = (hashes.get(request) ?? createHash('sha256').update(lineOf(request))).digest('base64url')
    fingerprints.set(request, fingerprint)
  }
  return { key: request.headers['idempotency-key'] as string, fingerprint }
}
