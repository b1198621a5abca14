/**
 * The part of a line that satisfies conditions, exactly: half-spaces, and quadratic forms of the line's parameter.
 *
 * Method: the stretch begins at the last crossing inward and ends at the first one outward, compared exactly. Conditions without a
 * crossing hold everywhere or nowhere.
 */

import type { Ring } from '../../numeric/exact-ring.ts'
import { type Crossing, compareCrossings, type ExactRay, rationalCrossing } from './exact-ray.ts'

/** From `enter` to `leave`, null where it has no end there; what set them is told by the number of the condition. */
export interface ExactStretch<T> {
  isEmpty: boolean
  enter: Crossing<T> | null
  leave: Crossing<T> | null
  enterAt: number
  leaveAt: number
}

export function createStretch<T>(): ExactStretch<T> {
  return { isEmpty: false, enter: null, leave: null, enterAt: -1, leaveAt: -1 }
}

function enterAt<T>(exact: ExactRay<T>, stretch: ExactStretch<T>, crossing: Crossing<T>, at: number): void {
  if (stretch.enter !== null && compareCrossings(exact, crossing, stretch.enter) <= 0) return
  stretch.enter = crossing
  stretch.enterAt = at
}

function leaveAt<T>(exact: ExactRay<T>, stretch: ExactStretch<T>, crossing: Crossing<T>, at: number): void {
  if (stretch.leave !== null && compareCrossings(exact, crossing, stretch.leave) >= 0) return
  stretch.leave = crossing
  stretch.leaveAt = at
}

/** Cuts off what is not height + slope·t ≤ 0. */
export function cutBelow<T>(exact: ExactRay<T>, stretch: ExactStretch<T>, height: T, slope: T, at: number): void {
  const { ring } = exact
  const sign = ring.sign(slope)
  if (sign === 0) {
    if (ring.sign(height) > 0) stretch.isEmpty = true
    return
  }
  const crossing = rationalCrossing(exact, ring.sub(ring.integer(0), height), slope)
  if (sign < 0) enterAt(exact, stretch, crossing, at)
  else leaveAt(exact, stretch, crossing, at)
}

/** Cuts off what is not height + slope·t ≤ c·√d. */
export function cutBelowRoot<T>(
  exact: ExactRay<T>,
  stretch: ExactStretch<T>,
  height: T,
  slope: T,
  c: T,
  d: T,
  at: number,
): void {
  const { ring } = exact
  const { sub, integer, sign } = ring
  const zero = integer(0)
  const side = sign(slope)
  if (side === 0) {
    if (signOfHeight(ring, height, c, d) > 0) stretch.isEmpty = true
  } else if (side < 0) {
    // t ≥ (height − c·√d)/−slope.
    enterAt(exact, stretch, { p: height, c: sub(zero, c), d, w: sub(zero, slope) }, at)
  } else leaveAt(exact, stretch, { p: sub(zero, height), c, d, w: slope }, at)
}

/** Sign of height − c·√d, c ≥ 0. */
function signOfHeight<T>({ sign, sub, mul }: Ring<T>, height: T, c: T, d: T): number {
  if (sign(height) <= 0) return sign(height) === 0 && (sign(c) === 0 || sign(d) === 0) ? 0 : -1
  return sign(sub(mul(height, height), mul(mul(c, c), d)))
}

/**
 * Cuts off what is not a·t² + 2·b·t + c ≤ 0. Where a < 0 two stretches are left, of which the later one is meant if `later`: the other
 * lies in the far nappe of a cone.
 */
export function cutQuadric<T>(
  exact: ExactRay<T>,
  stretch: ExactStretch<T>,
  a: T,
  b: T,
  c: T,
  later: boolean,
  at: number,
): void {
  const { ring } = exact
  const { sub, mul, sign, integer } = ring
  const signA = sign(a)
  if (signA === 0) {
    cutBelow(exact, stretch, c, ring.add(b, b), at)
    return
  }
  const discriminant = sub(mul(b, b), mul(a, c))
  if (sign(discriminant) < 0) {
    stretch.isEmpty = true
    return
  }
  const zero = integer(0)
  const one = integer(1)
  const minusOne = integer(-1)
  const p = sub(zero, b)
  if (signA > 0) {
    enterAt(exact, stretch, { p, c: minusOne, d: discriminant, w: a }, at)
    leaveAt(exact, stretch, { p, c: one, d: discriminant, w: a }, at)
  } else {
    // (b ± √D)/−a.
    const w = sub(zero, a)
    if (later) enterAt(exact, stretch, { p: b, c: one, d: discriminant, w }, at)
    else leaveAt(exact, stretch, { p: b, c: minusOne, d: discriminant, w }, at)
  }
}

/** Whether nothing is left. Both ends are there. */
export function isEmpty<T>(exact: ExactRay<T>, { isEmpty, enter, leave }: ExactStretch<T>): boolean {
  if (isEmpty) return true
  return enter !== null && leave !== null && compareCrossings(exact, enter, leave) > 0
}
