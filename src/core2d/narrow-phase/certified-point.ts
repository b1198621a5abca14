/**
 * A common point that lies in both bodies exactly, as the certificate of an overlap should.
 *
 * Method: a point that is computed lies in both but for rounding. Where it does not to the last bit, points next to it are tried,
 * each decided exactly: with fewer digits, because where shapes touch, the one point that will do is short if any double
 * is; the corners that touch; and a little way towards the middle of either body, which leads off an edge into an overlap.
 * If no such point is found, the computed one is as good as rounding allows.
 * Frame: world.
 */

import { binaryExponent } from '../../numeric/exact-ring.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { type Body, CIRCLE, createBody, HALFPLANE, setCircle, setPose } from '../shape/body.ts'
import { isCored, isCurved } from '../shape/kinds.ts'
import { NUDGE_RATIOS, PLACE_COUNTS } from '../tolerances.ts'
import type { Point } from './common-point.ts'
import { separate } from './dispatch.ts'
import { createSeparation, type Separation } from './separation.ts'

const probe = createBody()
const relation = createSeparation()

/** Moves the world point `p`, which lies in both bodies but for rounding. `s`: their separation in the dispatcher's order. */
export function certify(a: Body, b: Body, extent: number, s: Separation, p: Point): void {
  const { x, y } = p
  if (liesInBoth(a, b, x, y)) return
  if (tryShort(a, b, extent, p) || tryCorners(a, b, s, p)) return
  for (const ratio of NUDGE_RATIOS) {
    for (const body of [a, b]) {
      if (body.kind === HALFPLANE) continue
      const toX = body.x + (body.xLow + body.anchorX) + (body.count > 0 ? body.centerX : 0)
      const toY = body.y + (body.yLow + body.anchorY) + (body.count > 0 ? body.centerY : 0)
      if (take(a, b, x + ratio * (toX - x), y + ratio * (toY - y), p)) return
    }
  }
}

function liesInBoth(a: Body, b: Body, x: number, y: number): boolean {
  return liesIn(a, x, y) && liesIn(b, x, y)
}

function liesIn(body: Body, x: number, y: number): boolean {
  setPose(probe, x, y, 0)
  setCircle(probe, 0)
  separate(probe, body, relation)
  return relation.relation <= 0
}

function take(a: Body, b: Body, x: number, y: number, out: Point): boolean {
  if (!liesInBoth(a, b, x, y)) return false
  out.x = x
  out.y = y
  return true
}

/** The same point to fewer binary places, counted from the size of the pair, so that answers scale by powers of two. */
function tryShort(a: Body, b: Body, extent: number, p: Point): boolean {
  const { x, y } = p
  const size = binaryExponent(Math.max(extent, Math.abs(x), Math.abs(y)))
  for (const places of PLACE_COUNTS) {
    const shortX = roundTo(x, size - places)
    const shortY = roundTo(y, size - places)
    if ((shortX !== x || shortY !== y) && take(a, b, shortX, shortY, p)) return true
  }
  return false
}

/** To a multiple of 2^exponent. */
function roundTo(value: number, exponent: number): number {
  return scaleBy(Math.round(scaleBy(value, -exponent)), exponent) + 0
}

/** The corners that the separation names. */
function tryCorners(a: Body, b: Body, { a0, a1, b0, b1 }: Separation, p: Point): boolean {
  if (!isCored(a) || isCurved(b)) return false
  if (tryCorner(a, b, a, a0, p) || tryCorner(a, b, a, a1, p)) return true
  return isCored(b) && (tryCorner(a, b, b, b0, p) || tryCorner(a, b, b, b1, p))
}

function tryCorner(a: Body, b: Body, owner: Body, i: number, p: Point): boolean {
  if (owner.kind === CIRCLE || i >= owner.count) return false
  const { x, y, xLow, yLow, vertices } = owner
  return take(a, b, x + (xLow + vertices[2 * i]), y + (yLow + vertices[2 * i + 1]), p)
}
