// Versions of scenes in headers: which one an answer is of, and which one a request asks for.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WriteCondition } from '../scene/keeper/keeper.ts'
import { isNamed, type NamedVersion, parseTags, type Stand, tagOf } from '../wire/scenes/scene-document.ts'

/** Says which version of a scene the answer is about. */
export function tagVersion(reply: FastifyReply, stand: Stand): FastifyReply {
  return reply.header('etag', tagOf(stand))
}

/** Whether the client has this version already; 304 is answered then. */
export function isKnown({ headers }: FastifyRequest, reply: FastifyReply, stand: Stand): boolean {
  const known = headers['if-none-match']
  tagVersion(reply, stand)
  if (known === undefined) return false
  if (known.trim() !== '*' && !parseTags(known).some((tag) => isNamed(stand, tag))) return false
  reply.code(304).send()
  return true
}

/** The versions of which If-Match wants one; null: any. */
export function askedVersions({ headers }: FastifyRequest): readonly NamedVersion[] | null {
  const tags = headers['if-match']
  return tags === undefined || tags.trim() === '*' ? null : parseTags(tags)
}

/** Whether If-Match takes a scene that stands like this. */
export function isAskedFor(request: FastifyRequest, stand: Stand): boolean {
  return askedVersions(request)?.some((tag) => isNamed(stand, tag)) ?? true
}

/** What If-Match asks of a write to a scene that stands like this, or will: of several versions the one that it may be. */
export function conditionOf(request: FastifyRequest, stand: Stand): WriteCondition {
  const asked = askedVersions(request)
  if (asked === null) return {}
  const { version, digest } =
    asked.find((tag) => isNamed(stand, tag)) ?? asked.find((tag) => tag.version === stand.version) ?? asked[0]
  return digest === undefined ? { ifVersion: version } : { ifVersion: version, ifDigest: digest }
}
