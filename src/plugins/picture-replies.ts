// Answers as pictures, for requests that would rather have one.

import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { drawQuery, hasPicture } from '../pictures/draw-query.ts'
import { PICTURE_LIMITS, pictureSize } from '../pictures/picture-size.ts'
import { type DecodeProblem, problemAt } from '../wire/decode-problem.ts'

export const PICTURE_TYPE = 'image/svg+xml'

const TYPES = ['application/json', PICTURE_TYPE]

/** Numbers are what is answered to those who take either. */
export function wantsPicture({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('image/') === true && new Negotiator({ headers }).mediaType(TYPES) === PICTURE_TYPE
}

/** The problem of a request that is too large to be drawn, or null. */
export function checkPictureSize(request: object): DecodeProblem | null {
  const size = pictureSize(request)
  for (const noun of ['shapes', 'vertices'] as const) {
    const limit = PICTURE_LIMITS[noun]
    const actual = size[noun]
    const detail = `A picture has at most ${limit} ${noun}, but there are ${actual}. Ask for application/json.`
    if (actual > limit) return problemAt('', 'picture-too-large', detail, { limit, actual })
  }
  return null
}

export function sendPicture(reply: FastifyReply, op: string, answer: object): FastifyReply {
  const { body, query } = reply.request
  if (!hasPicture(op)) throw new Error(`${op} has no picture`)
  const text = drawQuery(op, body as never, answer as never, { yDown: (query as { yDown?: boolean }).yDown === true })
  return reply.type(`${PICTURE_TYPE}; charset=utf-8`).send(text)
}
