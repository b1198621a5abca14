/**
 * How far bodies reach along a direction, exactly, and so whether the direction separates two of them.
 *
 * What: heights of core points are rational in their coordinates; a skin, a disc or an ellipsoid adds the root of one. Directions
 * may be of any length and degree.
 * Frame: world; heights count from the bodies' positions. Of curved bodies only those whose own axes are axes of the world.
 */

import { type Ring, type Sign, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { type Body, CYLINDER, ELLIPSOID, LENGTHS, POINTS, RADIUS } from '../shape/body.ts'
import { dot, type Exact, exactOffset, exactTriple, exactVertex, minus, ownVector } from '../shape/exact-points.ts'
import { lowest } from './exact-cores.ts'

/** Degree of what is compared, for directions of up to the third degree. */
export const HEIGHT_DEGREE = 24

/** Least height of the core along the vector, which is rational − √square. */
export function lowestHeight<T>(ring: Ring<T>, body: Body, along: Exact<T>): { rational: T; square: T } {
  const { mul, sub, add, integer, sign } = ring
  const zero = integer(0)
  if (body.kind === POINTS) {
    const i = lowest(ring, body, along, 1)
    return { rational: dot(ring, along, exactVertex(ring, body, i)), square: zero }
  }
  const own = ownVector(ring, body, along)
  const [a, b, c] = exactTriple(ring, body, LENGTHS)
  const squared = (value: T): T => mul(value, value)
  if (body.kind === ELLIPSOID) {
    return {
      rational: zero,
      square: add(add(squared(mul(a, own[0])), squared(mul(b, own[1]))), squared(mul(c, own[2]))),
    }
  }
  const height = mul(own[1], b)
  const rim = mul(squared(a), add(squared(own[0]), squared(own[2])))
  if (body.kind === CYLINDER) return { rational: sign(height) > 0 ? sub(zero, height) : height, square: rim }
  // The apex, at +height, lies lower than the rim, at −height − √rim, where −2·height exceeds the root.
  const twice = add(height, height)
  const apex = sign(height) < 0 && sign(sub(squared(twice), rim)) > 0
  return apex ? { rational: height, square: zero } : { rational: sub(zero, height), square: rim }
}

/** Sign of the gap by which first lies beyond second along the vector. Bounded bodies. */
export function gapSignAlong<T>(ring: Ring<T>, first: Body, second: Body, along: Exact<T>): Sign {
  const { add, sub, integer } = ring
  const zero = integer(0)
  const low = lowestHeight(ring, first, along)
  const against = minus(ring, [zero, zero, zero], along)
  const high = lowestHeight(ring, second, against)
  const rational = add(add(dot(ring, along, exactOffset(ring, first, second)), low.rational), high.rational)
  const less = sub(zero, integer(1))
  if (second.kind !== POINTS && first.kind !== POINTS) {
    return signOfTwoRootSum(ring, rational, less, low.square, less, high.square)
  }
  // Only one of them is curved, or none: the other root is that of the skins.
  const skins = add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
  const square = first.kind === POINTS ? high.square : low.square
  return signOfTwoRootSum(ring, rational, sub(zero, skins), dot(ring, along, along), less, square)
}
