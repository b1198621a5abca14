// Answers as pictures.

import type { TObject } from '@sinclair/typebox'
import { type PictureOptions, PictureParameters, PictureParameters3d } from '../../../schemas/picture.ts'
import { drawQuery, hasPicture } from '../../pictures/draw-query.ts'
import { drawQuery3d, hasPicture3d } from '../../pictures/draw-query3d.ts'
import { PICTURE_LIMITS, pictureSize } from '../../pictures/marks/picture-size.ts'
import { type DecodeProblem, problemAt } from '../../wire/problems/decode-problem.ts'
import type { Dimension, Query } from '../ask/query.ts'
import type { Sent } from '../ask/sent.ts'

export const PICTURE_TYPE = 'image/svg+xml'

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

interface Drawing {
  has(op: string): boolean
  /** What the query string may say of a picture. */
  parameters: TObject
  draw(op: string, request: object, answer: object, options: PictureOptions): string
}

const drawings: Readonly<Record<Dimension, Drawing>> = {
  '2d': {
    has: hasPicture,
    parameters: PictureParameters,
    draw: (op, request, answer, { yDown = false }) =>
      drawQuery(op as never, request as never, answer as never, { yDown }),
  },
  '3d': {
    has: hasPicture3d,
    parameters: PictureParameters3d,
    draw: (op, request, answer, { view = 'iso' }) => drawQuery3d(op as never, request as never, answer as never, view),
  },
}

/** What may be said of the pictures of a query; null of one that is not drawn. */
export function pictureParameters({ dimension, op }: Pick<Query, 'dimension' | 'op'>): TObject | null {
  const { has, parameters } = drawings[dimension]
  return has(op) ? parameters : null
}

export function sentPicture(
  { dimension, op }: Pick<Query, 'dimension' | 'op'>,
  request: object,
  answer: object,
  options: PictureOptions,
): Sent {
  const text = drawings[dimension].draw(op, request, answer, options)
  return { status: 200, type: `${PICTURE_TYPE}; charset=utf-8`, body: Buffer.from(text) }
}
