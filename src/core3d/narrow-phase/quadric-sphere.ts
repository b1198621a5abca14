/**
 * A ball against a cylinder or cone: whether they overlap, touch or are apart, exactly.
 *
 * Method: both are bodies of revolution about the cylinder's axis, so the centre's distance is that of a point of the half-plane
 * (distance from the axis, height along it) to a rectangle or triangle: by its regions, whose sides are signs of sums of a rational
 * number and the root that the distance from the axis is.
 * Frame: the body's own axes, its own axis being y.
 */

import { type Ring, type Sign, signOfRootSum, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import type { Exact } from '../shape/exact-points.ts'

/** Centre and radius, more than 0, of the ball; radius and half height of the body of revolution. */
export interface BallAndTurned<T> {
  center: Exact<T>
  ball: T
  radius: T
  half: T
}

export function relateBallCylinder<T>(ring: Ring<T>, { center, ball, radius, half }: BallAndTurned<T>): Sign {
  const { add, sub, mul, sign } = ring
  const squared = (value: T): T => mul(value, value)
  const square = add(squared(center[0]), squared(center[2]))
  const y = sign(center[1]) < 0 ? sub(ring.integer(0), center[1]) : center[1]
  const over = sub(y, half)
  if (sign(over) <= 0) return sign(sub(square, squared(add(radius, ball))))
  if (sign(sub(square, squared(radius))) <= 0) return sign(sub(over, ball))
  return reachRim(ring, square, over, radius, ball)
}

/** Sign of (√square − radius)² + over² − ball². */
function reachRim<T>(ring: Ring<T>, square: T, over: T, radius: T, ball: T): Sign {
  const { add, sub, mul, integer } = ring
  const squared = (value: T): T => mul(value, value)
  const rational = sub(add(add(square, squared(radius)), squared(over)), squared(ball))
  return signOfRootSum(ring, rational, mul(integer(-2), radius), square)
}

export function relateBallCone<T>(ring: Ring<T>, { center, ball, radius, half }: BallAndTurned<T>): Sign {
  const { add, sub, mul, integer } = ring
  const squared = (value: T): T => mul(value, value)
  const square = add(squared(center[0]), squared(center[2]))
  const y = center[1]
  const height = add(half, half)
  const under = sub(sub(integer(0), half), y)
  /** Sign of rational + factor·(distance from the axis). */
  const signWith = (rational: T, factor: T): Sign => signOfRootSum(ring, rational, factor, square)
  if (ring.sign(under) >= 0) {
    // Below the base: over its disc, or beyond the rim.
    const isOverDisc = ring.sign(sub(square, squared(radius))) <= 0
    return isOverDisc ? ring.sign(sub(under, ball)) : reachRim(ring, square, under, radius, ball)
  }
  // height·ρ + radius·(y − half) > 0: outside the slant.
  const fall = mul(radius, sub(y, half))
  if (signWith(fall, height) <= 0) return -1
  // Along the slant, from rim (0) to apex (height² + radius²): −radius·(ρ − radius) + height·(y + half).
  const whole = add(squared(height), squared(radius))
  const along = add(squared(radius), mul(height, add(y, half)))
  const slope = sub(integer(0), radius)
  if (signWith(along, slope) <= 0) return reachRim(ring, square, add(y, half), radius, ball)
  if (signWith(sub(along, whole), slope) >= 0) {
    return ring.sign(sub(add(square, squared(sub(y, half))), squared(ball)))
  }
  return signOfTwoRootSum(ring, fall, height, square, sub(integer(0), ball), whole)
}
