/** Positions as sums of two doubles, so that adding to them loses nothing. */

import { sumError } from '../../numeric/expansion.ts'

/** A position in two halves: x + xLow, y + yLow. */
export interface Position {
  x: number
  xLow: number
  y: number
  yLow: number
}

/** Sets `out` to `from` moved by (dx, dy): what the sum of positions cuts off goes into the low halves. */
export function addToPosition(out: Position, from: Position, dx: number, dy: number): void {
  const x = from.x + dx
  const y = from.y + dy
  const lowX = from.xLow + sumError(from.x, dx, x)
  const lowY = from.yLow + sumError(from.y, dy, y)
  out.x = x + lowX
  out.y = y + lowY
  out.xLow = sumError(x, lowX, out.x)
  out.yLow = sumError(y, lowY, out.y)
}
