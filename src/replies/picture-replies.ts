// Content negotiation for pictures: an SVG, JSON, or a refusal.

import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import Negotiator from 'negotiator'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'

const TYPES = ['application/json', PICTURE_TYPE]
/** An Accept header without this names no picture, and need not be taken apart. */
const NAMES_PICTURES = /image\//i

/** Numbers are what is answered to those who take either. */
export function wantsPicture(request: FastifyRequest): boolean {
  const { accept = '' } = request.headers
  return NAMES_PICTURES.test(accept) && new Negotiator(request).mediaType(TYPES) === PICTURE_TYPE
}

/**
 * For routes that answer as one of `types`, as their `preParsing`: whoever takes nothing but other pictures is refused. Who asks for
 * something else gets the first of them, as HTTP allows.
 */
export function offering(...types: readonly string[]) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: RequestPayload,
    done: (error?: Error | null) => void,
  ): void => {
    const { accept = '' } = request.headers
    if (!NAMES_PICTURES.test(accept) || !takesOnlyOthers(new Negotiator(request), types)) {
      done()
      return
    }
    reply.problem('not-acceptable', `This is answered as ${types.join(' or ')}, not as ${JSON.stringify(accept)}.`)
  }
}

/** Pictures or more, and none of these types. */
function takesOnlyOthers(negotiator: Negotiator, types: readonly string[]): boolean {
  const accepted = negotiator.mediaTypes()
  return accepted.some((type) => /^image\//i.test(type)) && negotiator.mediaType([...types]) === undefined
}
