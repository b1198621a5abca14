// Files that are the same for everybody until the next release: sent packed to those who unpack, and not at all to those who have them.

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface PackedFile {
  text: string
  gzipped: Buffer
  etag: string
}

export function packedFile(text: string): PackedFile {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { text, gzipped: gzipSync(text), etag: `"${digest}"` }
}

/** Clients ask each time whether they have the latest, so that a new release is seen at once. `type`: the media type. */
export function sendPackedFile(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  file: PackedFile,
): FastifyReply {
  const { text, gzipped, etag } = file
  reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding')
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type(`${type}; charset=utf-8`)
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
