/**
 * The axis-aligned box of a body as it stands, rounded outward: bodies meet only where their boxes do.
 *
 * Method: the box of core points and a skin is what the points span, which does not hang on where the body stands, and its position;
 * each sum is taken as it is where it is exact, and widened by a bound on its error where it is not. All other bodies are
 * measured by `body-boxes.ts`, which keeps what rounding leaves. `bounds.ts` is for the tight box, which is rounded to nearest.
 * Frame: world.
 */

import { sumError } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import type { Body } from '../shape/body.ts'
import { isCored } from '../shape/kinds.ts'
import { addBodyBox, createBodyBoxes } from './body-boxes.ts'

/** The box around the core points of a body, seen from its position, and the radius of the skin around them. */
export interface Extents {
  minX: number
  minY: number
  maxX: number
  maxY: number
  radius: number
}

export function createExtents(): Extents {
  return { minX: 0, minY: 0, maxX: 0, maxY: 0, radius: 0 }
}

const list = createBodyBoxes(1)
const own = createExtents()

/** Puts the box of a body at out[at…]: min x, min y, max x, max y; infinite where it has no bounds. Cost O(points). */
export function measureOuterBox(body: Body, out: Float64Array, at: number): void {
  if (measureExtents(body, own)) {
    placeExtents(own, body.x, body.y, out, at)
    return
  }
  list.count = 0
  list.exact.clear()
  addBodyBox(list, body)
  for (let k = 0; k < 4; k++) out[at + k] = list.boxes[k]
}

/** The box of a body with these extents at (x, y), put at out[at…]. */
export function placeExtents(extents: Extents, x: number, y: number, out: Float64Array, at: number): void {
  const { minX, minY, maxX, maxY, radius } = extents
  out[at] = -farSide(-x, -minX, radius)
  out[at + 1] = -farSide(-y, -minY, radius)
  out[at + 2] = farSide(x, maxX, radius)
  out[at + 3] = farSide(y, maxY, radius)
}

/** position + extent + radius, rounded up. */
function farSide(position: number, extent: number, radius: number): number {
  const placed = position + extent
  const side = placed + radius
  if (sumError(position, extent, placed) === 0 && sumError(placed, radius, side) === 0) return side
  return side + 4 * UNIT_ROUNDOFF * (Math.abs(position) + Math.abs(extent) + radius)
}

/** False, and nothing of use in `out`, for a body that is more than core points and a skin at a position that is one double each. */
export function measureExtents(body: Body, out: Extents): boolean {
  const { vertices, count, radius, xLow, yLow } = body
  if (!isCored(body) || xLow !== 0 || yLow !== 0) return false
  out.minX = Infinity
  out.minY = Infinity
  out.maxX = -Infinity
  out.maxY = -Infinity
  out.radius = radius
  for (let i = 0; i < 2 * count; i += 2) {
    out.minX = Math.min(out.minX, vertices[i])
    out.minY = Math.min(out.minY, vertices[i + 1])
    out.maxX = Math.max(out.maxX, vertices[i])
    out.maxY = Math.max(out.maxY, vertices[i + 1])
  }
  return true
}
