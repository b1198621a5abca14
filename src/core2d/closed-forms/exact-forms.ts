/**
 * Gaps and times of closed forms from exact numbers, for what cancels beyond the digits of twofold arithmetic: bodies that
 * nearly touch, rays that nearly run along an edge or graze a circle, and numbers of very different size.
 *
 * Method: numerators are exact in a ring (`numeric/exact-ring.ts`); a difference with a root, which may cancel, is the
 * difference of the squares over the sum. What is left are quotients, products and sums of one sign, in twofold numbers. So
 * each answer is rounded once, however small it is.
 * Frame: vectors are sums of the given terms; an edge's outward normal is (ey, −ex).
 */

import { createInputRange, exactly, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import {
  addTwofold,
  divideTwofold,
  multiplyTwofold,
  negateTwofold,
  rootTwofold,
  roundTwofold,
  type Twofold,
} from '../../numeric/twofold.ts'
import { exactSum } from '../shape/displacement.ts'

/** A number as terms whose exact sum it is. */
export type Terms = readonly number[]

export interface VectorTerms {
  x: Terms
  y: Terms
}

const ONE: Twofold = { high: 1, low: 0 }

function run<R>(degree: number, numbers: readonly Terms[], predicate: <T>(ring: Ring<T>) => R): R {
  const range = createInputRange()
  for (const terms of numbers) for (const value of terms) includeInput(range, value)
  return exactly(range, degree, predicate)
}

/** |q| − radius. */
export function exactPointGap(q: VectorTerms, radius: Terms): number {
  return run(2, [q.x, q.y, radius], (ring) => {
    const { add, sub, mul, quotient } = ring
    const x = exactSum(ring, q.x)
    const y = exactSum(ring, q.y)
    const r = exactSum(ring, radius)
    const { large, share } = lengthOf(ring, x, y)
    if (ring.sign(large) === 0) return -roundTwofold(quotient(r, ring.integer(1), 1))
    const excess = sub(add(mul(x, x), mul(y, y)), mul(r, r))
    // (d² − r²)/(d + r), both by the larger of them.
    const unit = ring.sign(sub(r, large)) > 0 ? r : large
    const sum = addTwofold(multiplyTwofold(share, quotient(large, unit, 0)), quotient(r, unit, 0))
    return roundTwofold(divideTwofold(quotient(excess, unit, 1), sum))
  })
}

/** (n·q)/|n| − level, n = (ey, −ex). */
export function exactLineGap(e: VectorTerms, q: VectorTerms, level: Terms): number {
  return run(4, [e.x, e.y, q.x, q.y, level], (ring) => {
    const { ex, ey, height } = lineOf(ring, e, q)
    const { large, share } = lengthOf(ring, ex, ey)
    const sum = rootSumOver(ring, height, exactSum(ring, level), ex, ey, large, 1)
    return roundTwofold(divideTwofold(sum, share))
  })
}

/** When q + t·w comes to the level over the line: (level·|n| − n·q)/(n·w), n·w ≠ 0. */
export function exactLineTime(e: VectorTerms, q: VectorTerms, w: VectorTerms, level: Terms): Twofold {
  return run(4, [e.x, e.y, q.x, q.y, w.x, w.y, level], (ring) => {
    const { sub, mul } = ring
    const { ex, ey, height } = lineOf(ring, e, q)
    const slope = sub(mul(ey, exactSum(ring, w.x)), mul(ex, exactSum(ring, w.y)))
    return negateTwofold(rootSumOver(ring, height, exactSum(ring, level), ex, ey, slope, 0))
  })
}

/** When |q + t·w| comes to the radius for the first (end −1) or last (end 1) time. The line of motion meets the circle. */
export function exactCircleTime(q: VectorTerms, w: VectorTerms, radius: Terms, end: -1 | 1): Twofold {
  return run(4, [q.x, q.y, w.x, w.y, radius], (ring) => {
    const { add, sub, mul, quotient } = ring
    const x = exactSum(ring, q.x)
    const y = exactSum(ring, q.y)
    const wx = exactSum(ring, w.x)
    const wy = exactSum(ring, w.y)
    const r = exactSum(ring, radius)
    const square = add(mul(wx, wx), mul(wy, wy))
    const along = sub(ring.integer(0), add(mul(wx, x), mul(wy, y)))
    const side = sub(mul(wx, y), mul(wy, x))
    const discriminant = sub(mul(mul(r, r), square), mul(side, side))
    const middle = quotient(along, square, 0)
    const half = rootTwofold(quotient(discriminant, mul(square, square), 0))
    const sign = ring.sign(along)
    if (sign === 0 || sign === end) return addTwofold(middle, end < 0 ? negateTwofold(half) : half)
    // The two cancel: their product, (q² − r²)/w², over the other end.
    const product = quotient(sub(add(mul(x, x), mul(y, y)), mul(r, r)), square, 0)
    const other = addTwofold(middle, end < 0 ? half : negateTwofold(half))
    return other.high === 0 ? other : divideTwofold(product, other)
  })
}

/** The edge, and the height of q over its line times its length. */
function lineOf<T>(ring: Ring<T>, e: VectorTerms, q: VectorTerms): { ex: T; ey: T; height: T } {
  const { sub, mul } = ring
  const ex = exactSum(ring, e.x)
  const ey = exactSum(ring, e.y)
  return { ex, ey, height: sub(mul(ey, exactSum(ring, q.x)), mul(ex, exactSum(ring, q.y))) }
}

/** |(x, y)| as the product of its larger component, without sign, and `share`. */
function lengthOf<T>(ring: Ring<T>, x: T, y: T): { large: T; share: Twofold } {
  const ax = magnitude(ring, x)
  const ay = magnitude(ring, y)
  const isTall = ring.sign(ring.sub(ay, ax)) > 0
  const large = isTall ? ay : ax
  if (ring.sign(large) === 0) return { large, share: ONE }
  const slope = ring.quotient(isTall ? ax : ay, large, 0)
  return { large, share: rootTwofold(addTwofold(ONE, multiplyTwofold(slope, slope))) }
}

function magnitude<T>(ring: Ring<T>, value: T): T {
  return ring.sign(value) < 0 ? ring.sub(ring.integer(0), value) : value
}

/** (height − level·|e|)/slope, free of cancellation; `degree` is that of the result. */
function rootSumOver<T>(ring: Ring<T>, height: T, level: T, ex: T, ey: T, slope: T, degree: 0 | 1): Twofold {
  const { add, sub, mul, quotient } = ring
  const { large, share } = lengthOf(ring, ex, ey)
  const heightSign = ring.sign(height)
  const levelSign = ring.sign(level)
  if (levelSign === 0) return quotient(height, slope, degree)
  const root = mul(level, large)
  if (heightSign !== levelSign) {
    return addTwofold(
      quotient(height, slope, degree),
      negateTwofold(multiplyTwofold(quotient(root, slope, degree), share)),
    )
  }
  const square = add(mul(ex, ex), mul(ey, ey))
  const heightSquare = mul(height, height)
  const rootSquare = mul(mul(level, level), square)
  const excess = sub(heightSquare, rootSquare)
  // (h² − l²)/(h + l), both by the larger of them.
  if (ring.sign(excess) >= 0) {
    const other = rootTwofold(quotient(rootSquare, heightSquare, 0))
    return divideTwofold(quotient(excess, mul(height, slope), degree), addTwofold(ONE, other))
  }
  const other = rootTwofold(quotient(heightSquare, rootSquare, 0))
  const over = multiplyTwofold(share, addTwofold(ONE, other))
  return divideTwofold(quotient(excess, mul(root, slope), degree), over)
}
