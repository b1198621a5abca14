/** Positions as sums of two doubles, so that adding to them loses nothing. */

import { sumError } from '../../numeric/expansion.ts'

/** A position in two halves: x + xLow, y + yLow. */
export interface Position {
  x: number
  xLow: number
  y: number
  yLow: number
}

/** From one position to another, along one axis: exact to a rounding of each difference and of their sum. */
export function offsetX(from: Position, to: Position): number {
  return to.x - from.x + (to.xLow - from.xLow)
}

export function offsetY(from: Position, to: Position): number {
  return to.y - from.y + (to.yLow - from.yLow)
}

/**
 * (to + toAnchor) − (from + fromAnchor) + low, a coordinate of positions and of points relative to them, with the rounding errors
 * of the sums added up: what cancels costs no digits.
 */
export function compensatedOffset(from: number, fromAnchor: number, to: number, toAnchor: number, low: number): number {
  const position = to - from
  const anchor = toAnchor - fromAnchor
  const sum = position + anchor
  const rest = sumError(to, -from, position) + sumError(toAnchor, -fromAnchor, anchor) + sumError(position, anchor, sum)
  return sum + (rest + low)
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
