/**
 * Two cylinders or cones whose axes are parallel: whether they overlap, touch or are apart, exactly.
 *
 * Method: at each height that both have, they meet if the distance of the axes is no more than both radii there. These are linear in
 * the height, so their sum is greatest at one end of the heights shared.
 * Frame: the second body's own axes, y along both axes, origin at its position.
 */

import { exactly, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { type Body, CONE, LENGTHS, ROTATION } from '../shape/body.ts'
import { exactOffset, exactTriple, inputRangeOf, ownVector } from '../shape/exact-points.ts'

/** Degree of the polynomials that come up. */
const DEGREE = 12

/** Both of kinds and poses without rounding, their axes parallel. */
export function relateTurned(first: Body, second: Body): Sign {
  return exactly(inputRangeOf(first, second), DEGREE, (ring) => relateParallel(ring, first, second))
}

/** Heights from the low to the high end, and the radius as a fraction that is linear in the height. */
interface Span<T> {
  low: T
  high: T
  radiusAt(y: T): { over: T; under: T }
}

function relateParallel<T>(ring: Ring<T>, first: Body, second: Body): Sign {
  const { add, mul, sub, sign } = ring
  const offset = ownVector(ring, second, exactOffset(ring, first, second))
  const square = add(mul(offset[0], offset[0]), mul(offset[2], offset[2]))
  const one = spanOf(ring, first, offset[1], isOpposite(first, second))
  const other = spanOf(ring, second, ring.integer(0), false)
  const low = sign(sub(one.low, other.low)) > 0 ? one.low : other.low
  const high = sign(sub(one.high, other.high)) < 0 ? one.high : other.high
  const shared = sign(sub(high, low))
  if (shared < 0) return 1
  const signs = [low, high].map((y) => {
    const a = one.radiusAt(y)
    const b = other.radiusAt(y)
    const reach = add(mul(a.over, b.under), mul(b.over, a.under))
    const under = mul(a.under, b.under)
    return sign(sub(mul(square, mul(under, under)), mul(reach, reach)))
  })
  const least = Math.min(signs[0], signs[1]) as Sign
  if (shared > 0 || least >= 0) return least
  // One height shared: of a disc within the other, or of two ends.
  const isWithin = (inner: Span<T>, outer: Span<T>): boolean =>
    sign(sub(inner.low, outer.low)) > 0 && sign(sub(outer.high, inner.high)) > 0
  return isWithin(one, other) || isWithin(other, one) ? -1 : 0
}

function isOpposite({ numbers: a }: Body, { numbers: b }: Body): boolean {
  let along = 0
  for (let row = 0; row < 3; row++) along += a[ROTATION + 3 * row + 1] * b[ROTATION + 3 * row + 1]
  return along < 0
}

function spanOf<T>(ring: Ring<T>, body: Body, middle: T, isTurned: boolean): Span<T> {
  const { add, sub, mul } = ring
  const [radius, half] = exactTriple(ring, body, LENGTHS)
  const low = sub(middle, half)
  const high = add(middle, half)
  if (body.kind !== CONE) return { low, high, radiusAt: () => ({ over: radius, under: ring.integer(1) }) }
  const under = add(half, half)
  return { low, high, radiusAt: (y) => ({ over: mul(radius, isTurned ? sub(y, low) : sub(high, y)), under }) }
}
