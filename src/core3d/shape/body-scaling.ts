/**
 * Bodies times a power of two: pairs too small or too large for products of their coordinates are measured at another scale, and
 * the answers scaled back (`numeric/safe-range.ts`).
 */

import { spend } from '../../containers/budget.ts'
import { evenExponent, isSafeExtent, LARGEST_EXPONENT, scaleBy } from '../../numeric/safe-range.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  createBody,
  HALFSPACE,
  LENGTHS,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  reservePoints,
  VERTICES,
} from './body.ts'
import { surfaceOf } from './core-surface.ts'

/**
 * The exponent of the power of two that the pair is to be divided by; 0 where it may stay as it is. It is even: roots of products
 * of roots round in the same way then. Small pairs far from an origin are scaled up no further than their places stay doubles.
 */
export function pairExponent({ first, second, extent }: { first: Body; second: Body; extent: number }): number {
  if (extent === 0 || isSafeExtent(extent)) return 0
  const exponent = evenExponent(Math.min(extent, Number.MAX_VALUE))
  if (exponent > 0) return exponent
  const place = Math.max(largestNumber(first), largestNumber(second))
  return Math.min(0, Math.max(exponent, evenExponent(Math.min(place, Number.MAX_VALUE)) - LARGEST_EXPONENT))
}

/** The exponent of the power of two that lengths like this one are to be divided by; 0 where they may stay as they are. */
export function exponentOf(length: number): number {
  return length === 0 || isSafeExtent(length) ? 0 : evenExponent(Math.min(length, Number.MAX_VALUE))
}

function largestNumber({ numbers, count, kind }: Body): number {
  let largest = kind === HALFSPACE ? Math.abs(numbers[OFFSET]) : 0
  for (let k = POSITION; k < POSITION + 3; k++) largest = Math.max(largest, Math.abs(numbers[k]))
  for (let i = VERTICES; i < VERTICES + 3 * count; i++) largest = Math.max(largest, Math.abs(numbers[i]))
  return largest
}

/** The body divided by 2^exponent, as a new one; half-spaces keep their normal as it was given. Cost O(points). */
export function scaleBody(body: Body, exponent: number): Body {
  const { kind, count, numbers } = body
  spend(4 + count)
  const out = createBody()
  reservePoints(out, count)
  out.kind = kind
  out.aligned = body.aligned
  out.numbers.set(numbers.subarray(0, body.local + 3 * count))
  const scale = (from: number, size: number): void => {
    for (let i = from; i < from + size; i++) out.numbers[i] = scaleBy(numbers[i], -exponent)
  }
  scale(POSITION, 3)
  scale(RADIUS, 1)
  if (kind === HALFSPACE) scale(OFFSET, 1)
  else if (kind !== POINTS) scale(LENGTHS, 3)
  scale(ANCHOR, 3)
  scale(CENTER, 3)
  scale(REACH, 1)
  scale(VERTICES, 6 * count)
  out.names.set(body.names.subarray(0, count))
  out.isBox = body.isBox
  // Where what was given has yet to become a hull, it does so here, and not at another scale.
  const isLate = body.hull !== null && body.hull.corners === null
  if (isLate) surfaceOf(body)
  out.hull = isLate ? null : body.hull
  if (body.surface !== null) out.surface = { ...body.surface, extremes: null, planes: null, exact: null }
  return out
}
