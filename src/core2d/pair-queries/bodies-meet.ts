/**
 * Whether two bodies meet, and nothing else: the question of a narrow phase.
 *
 * Method: bodies that overlap deeply are the costliest to measure and the easiest to see through. Where the middle of one lies in
 * the other by more than rounding can move it, they meet; all others are decided exactly.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent } from '../../numeric/safe-range.ts'
import { orderPair, type PairFrame } from '../narrow-phase/dispatch.ts'
import { type Body, ELLIPSE, HALFPLANE, POLYGON } from '../shape/body.ts'
import { ellipseHolds } from '../shape/ellipse.ts'
import { relate } from './overlap.ts'

/** Polygons with fewer corners are measured as fast as looked at. */
const LEAST_CORNER_COUNT = 12

/** The same as `relate(a, b) <= 0`. */
export function bodiesMeet(a: Body, b: Body): boolean {
  if (isCostly(a, b) && isMiddleInside(orderPair(a, b))) return true
  return relate(a, b) <= 0
}

/** What has no core points is a curve here. */
function isCostly(a: Body, b: Body): boolean {
  if (a.kind >= HALFPLANE || b.kind >= HALFPLANE) return false
  return a.count === 0 || b.count === 0 || a.count + b.count >= LEAST_CORNER_COUNT
}

function isMiddleInside({ first, second, dx, dy, extent, error }: PairFrame): boolean {
  if (!isSafeExtent(extent)) return false
  const fromX = middle(first.centerX, first)
  const fromY = middle(first.centerY, first)
  const toX = middle(second.centerX, second)
  const toY = middle(second.centerY, second)
  // A middle is the mean of the corners: one roundoff for each.
  const margin = error + UNIT_ROUNDOFF * extent * (first.count + second.count)
  return isWithin(first, dx + toX, dy + toY, margin) || isWithin(second, fromX - dx, fromY - dy, margin)
}

/** Relative to the anchor; of a curve that is its middle. */
function middle(center: number, { count }: Body): number {
  return count === 0 ? 0 : center
}

/** Whether a point, relative to the body's anchor, lies in the body by more than `margin`. */
function isWithin(body: Body, x: number, y: number, margin: number): boolean {
  if (body.kind === ELLIPSE) return ellipseHolds(body, x, y, margin)
  if (body.kind !== POLYGON || body.count < 3) return false
  const { normals, offsets, count } = body
  for (let i = 0; i < count; i++) {
    if (normals[2 * i] * x + normals[2 * i + 1] * y - offsets[i] + margin > 0) return false
  }
  return true
}
