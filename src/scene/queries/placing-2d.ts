/** How a body is put where it overlaps nothing, in the plane: over what `walker.ts` does. */

import { withinOrNull } from '../../containers/budget.ts'
import { type Body, COMPOSITE, copyConvex, createBody, isCored, RADIUS, REACH, X, Y } from '../../core2d/shape/body.ts'
import { unionOf } from '../../core2d/shape/composite.ts'
import { PLANE, type Plane, type WayOut } from '../state/geometry.ts'
import type { InTheWay, Placing } from './placing.ts'
import { GROWTH_RATIO } from './tolerances.ts'
import {
  bodiesOf,
  finiteReach,
  overlappedBy,
  putWalker,
  roundingOf,
  settleFlush,
  settleWalker,
  type Walker,
} from './walker.ts'

/** Limits for the larger body: most points of the bodies in the way, and most steps. */
const MOST_GROWN_POINTS = 2 ** 11
const GROWN_STEPS = 2 ** 16

export function planePlacing(walker: Walker): Placing<Plane> {
  const { body } = walker
  return {
    ...walker,
    position: () => PLANE.positionOf(body),
    put: ([x, y]) => putWalker(walker, x, y),
    overlapped: () => overlappedBy(walker),
    *settle([x, y], { way: [dx, dy], normal: [nx, ny] }) {
      const isOut = yield* settleFlush(walker, { x: x + dx, y: y + dy, nx, ny }, false, false)
      // overlaps that rounding leaves in another direction are undone
      return isOut || (yield* settleWalker(walker, roundingOf(walker, dx, dy)))
    },
    *stand([x, y], { way: [dx, dy] }) {
      const length = Math.hypot(dx, dy)
      return length > 0 && (yield* settleFlush(walker, { x: x + dx, y: y + dy, nx: dx / length, ny: dy / length }))
    },
    *wayOutGrown({ slots, points }: InTheWay) {
      return points > MOST_GROWN_POINTS ? null : wayOfGrown(unionOf(yield* bodiesOf(walker, slots)), body)
    },
  }
}

function wayOfGrown(union: Body, body: Body): WayOut | null {
  const apart = Math.abs(body.numbers[X] - union.numbers[X]) + Math.abs(body.numbers[Y] - union.numbers[Y])
  const grown = grownBody(body, GROWTH_RATIO * (apart + finiteReach(union) + finiteReach(body)), createBody())
  if (grown === null) return null
  return withinOrNull(GROWN_STEPS, () => PLANE.wayOut([union], grown))
}

/** A convex body of points with a thicker skin, in `slot`; null for others. */
function grownBody(body: Body, by: number, slot: Body): Body | null {
  if (body.kind === COMPOSITE || !isCored(body)) return null
  copyConvex(body, slot)
  slot.numbers[RADIUS] += by
  slot.numbers[REACH] += by
  return slot
}
