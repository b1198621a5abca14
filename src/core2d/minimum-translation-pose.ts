/** A body moved by a translation without rounding: what the sum of positions cuts off goes into the low halves. */
import type { Body } from './body.ts'
import { sumError } from './expansion.ts'

/** `slot` shares the points of `body` and must not be written to. */
export function moveBody(body: Body, tx: number, ty: number, slot: Body): Body {
  if (tx === 0 && ty === 0) return body
  Object.assign(slot, body)
  const x = body.x + tx
  const y = body.y + ty
  const lowX = body.xLow + sumError(body.x, tx, x)
  const lowY = body.yLow + sumError(body.y, ty, y)
  slot.x = x + lowX
  slot.y = y + lowY
  slot.xLow = sumError(x, lowX, slot.x)
  slot.yLow = sumError(y, lowY, slot.y)
  return slot
}
