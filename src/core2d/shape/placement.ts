/**
 * Moving a prepared body to another place without preparing it again.
 * Frame: world; the rotation stays.
 */

import { sumError } from '../../numeric/expansion.ts'
import { type Body, shareConvex } from './body.ts'
import { addToPosition } from './position.ts'

/** A body with the poses that it was prepared with. */
export interface Placement {
  body: Body
  x: number
  y: number
  /** Offsets of the parts of a composite from its position: x, its rest, y, its rest. */
  offsets: Float64Array
}

export function createPlacement(body: Body): Placement {
  const { composite, x, y } = body
  const count = composite === null ? 0 : composite.partCount
  const offsets = new Float64Array(4 * count)
  for (let i = 0; i < count && composite !== null; i++) {
    const part = composite.parts[i].body
    offsets[4 * i] = part.x - x
    offsets[4 * i + 1] = sumError(part.x, -x, offsets[4 * i]) + part.xLow
    offsets[4 * i + 2] = part.y - y
    offsets[4 * i + 3] = sumError(part.y, -y, offsets[4 * i + 2]) + part.yLow
  }
  return { body, x, y, offsets }
}

/** Puts the body's position at (x, y). */
export function moveTo({ body, offsets }: Placement, x: number, y: number): void {
  body.x = x
  body.y = y
  const { composite } = body
  if (composite === null) return
  for (let i = 0; 4 * i < offsets.length; i++) {
    const part = composite.parts[i].body
    part.x = x + offsets[4 * i]
    part.xLow = sumError(x, offsets[4 * i], part.x) + offsets[4 * i + 1]
    part.y = y + offsets[4 * i + 2]
    part.yLow = sumError(y, offsets[4 * i + 2], part.y) + offsets[4 * i + 3]
  }
}

/** A convex body moved without rounding. `slot` shares the points of `body` and must not be written to. */
export function moveBy(body: Body, dx: number, dy: number, slot: Body): Body {
  if (dx === 0 && dy === 0) return body
  shareConvex(body, slot)
  addToPosition(slot, body, dx, dy)
  return slot
}
