/** Positions as sums of two doubles, so that adding to them loses nothing. */

import { sumError } from '../../numeric/expansion.ts'
import { type Body, copyConvex, X, X_LOW, Y, Y_LOW } from './body.ts'

/** A position in two halves: x + xLow, y + yLow. */
export interface Position {
  x: number
  xLow: number
  y: number
  yLow: number
}

/** From one position to another, along one axis: exact to a rounding of each difference and of their sum. */
export function offsetX({ numbers: from }: Body, { numbers: to }: Body): number {
  return to[X] - from[X] + (to[X_LOW] - from[X_LOW])
}

export function offsetY({ numbers: from }: Body, { numbers: to }: Body): number {
  return to[Y] - from[Y] + (to[Y_LOW] - from[Y_LOW])
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

// Moving a prepared body to another place without preparing it again.
// Frame: world; the rotation stays.

/** A body with the poses that it was prepared with. */
export interface Placement {
  body: Body
  x: number
  y: number
  /** Offsets of the parts of a composite from its position: x, its rest, y, its rest. */
  offsets: Float64Array
}

export function createPlacement(body: Body): Placement {
  const { composite, numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const count = composite === null ? 0 : composite.partCount
  const offsets = new Float64Array(4 * count)
  for (let i = 0; i < count && composite !== null; i++) {
    const part = composite.parts[i].body
    offsets[4 * i] = part.numbers[X] - x
    offsets[4 * i + 1] = sumError(part.numbers[X], -x, offsets[4 * i]) + part.numbers[X_LOW]
    offsets[4 * i + 2] = part.numbers[Y] - y
    offsets[4 * i + 3] = sumError(part.numbers[Y], -y, offsets[4 * i + 2]) + part.numbers[Y_LOW]
  }
  return { body, x, y, offsets }
}

/** Puts the body's position at (x, y). */
export function moveTo({ body, offsets }: Placement, x: number, y: number): void {
  body.numbers[X] = x
  body.numbers[Y] = y
  const { composite } = body
  if (composite === null) return
  for (let i = 0; 4 * i < offsets.length; i++) {
    const part = composite.parts[i].body
    part.numbers[X] = x + offsets[4 * i]
    part.numbers[X_LOW] = sumError(x, offsets[4 * i], part.numbers[X]) + offsets[4 * i + 1]
    part.numbers[Y] = y + offsets[4 * i + 2]
    part.numbers[Y_LOW] = sumError(y, offsets[4 * i + 2], part.numbers[Y]) + offsets[4 * i + 3]
  }
}

/** A convex body moved without rounding, in `slot`. Cost O(vertices). */
export function moveBy(body: Body, dx: number, dy: number, slot: Body): Body {
  if (dx === 0 && dy === 0) return body
  copyConvex(body, slot)
  addTo(slot.numbers, X, X_LOW, dx)
  addTo(slot.numbers, Y, Y_LOW, dy)
  return slot
}

/** Adds `d` to a coordinate in two halves. */
function addTo(numbers: number[], at: number, atLow: number, d: number): void {
  const sum = numbers[at] + d
  const low = numbers[atLow] + sumError(numbers[at], d, sum)
  numbers[at] = sum + low
  numbers[atLow] = sumError(sum, low, numbers[at])
}

// Where two bodies stand to each other.

/**
 * Where B's anchor stands from A's, and how well distances between the two are known. A record, because a double handed
 * to a function that is not inlined is boxed on the heap.
 */
export interface Frame {
  dx: number
  dy: number
  /** Sum of the sizes and of the distance of the anchors: the scale of every tolerance. */
  extent: number
  /** Bound on the rounding error of a distance between straight or circular features. */
  error: number
  /** Distance from which on no more is asked than that the bodies are apart. */
  limit: number
}
