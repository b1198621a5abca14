/**
 * A stateless query and its answer → an SVG picture of both.
 *
 * Requests are those that decoding accepted, answers those that the service gave; of these the pictures never throw. The same
 * request gives the same bytes.
 */
import type { ContactRequest, ContactResponse } from '../../schemas/contact.ts'
import type { DistanceRequest, DistanceResponse } from '../../schemas/distance.ts'
import type { OverlapRequest, OverlapResponse } from '../../schemas/overlap.ts'
import { drawContact, drawDistance, drawOverlap } from './draw-pair.ts'
import { drawPicture, type PictureOptions } from './draw-picture.ts'
import type { Picture } from './picture.ts'

/** What each query asks and answers. */
export interface Exchanges {
  overlap: [OverlapRequest, OverlapResponse]
  distance: [DistanceRequest, DistanceResponse]
  contact: [ContactRequest, ContactResponse]
}
export type PictureOp = keyof Exchanges

const DRAWERS: { [Op in PictureOp]: (request: Exchanges[Op][0], answer: Exchanges[Op][1]) => Picture } = {
  overlap: drawOverlap,
  distance: drawDistance,
  contact: drawContact,
}

export function hasPicture(op: string): op is PictureOp {
  return Object.hasOwn(DRAWERS, op)
}

/** SVG 1.1 text, with a line break at its end. */
export function drawQuery<Op extends PictureOp>(
  op: Op,
  request: Exchanges[Op][0],
  answer: Exchanges[Op][1],
  options: PictureOptions,
): string {
  return drawPicture(DRAWERS[op](request, answer), op, options)
}
