// Answers as pictures.

import { drawQuery, hasPicture } from '../../pictures/draw-query.ts'
import { PICTURE_LIMITS, pictureSize } from '../../pictures/marks/picture-size.ts'
import { type DecodeProblem, problemAt } from '../../wire/problems/decode-problem.ts'
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

/** `yDown`: the axis of y points down in the picture. */
export function sentPicture(op: string, request: object, answer: object, yDown: boolean): Sent {
  if (!hasPicture(op)) throw new Error(`${op} has no picture`)
  const text = drawQuery(op, request as never, answer as never, { yDown })
  return { status: 200, type: `${PICTURE_TYPE}; charset=utf-8`, body: Buffer.from(text) }
}
