// Whether a request would rather have a picture.

import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { PICTURE_TYPE } from '../queries/picture.ts'

const TYPES = ['application/json', PICTURE_TYPE]

/** Numbers are what is answered to those who take either. */
export function wantsPicture({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('image/') === true && new Negotiator({ headers }).mediaType(TYPES) === PICTURE_TYPE
}
