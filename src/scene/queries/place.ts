/**
 * The query `place`: the free position of a body that is nearest to the wanted one.
 *
 * Method: the minimum translation out of all bodies that a way of its length may reach
 * (`core2d/minimum-translation/minimum-translation.ts`). The search begins with the bodies that are overlapped. The way out of some
 * bodies is no longer than the way out of all, so its length says how far to look next; once every body within that length is
 * included, the way is the shortest.
 * Frame: world.
 */

import { OutOfBudget, Pace, within } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { measureOuterBox } from '../../core2d/queries/body-boxes.ts'
import { contact, createContact } from '../../core2d/queries/contact.ts'
import { type Body, COMPOSITE, copyConvex, createBody, isCored, RADIUS, REACH, X, Y } from '../../core2d/shape/body.ts'
import { unionOf } from '../../core2d/shape/composite.ts'
import type { Accepts } from '../state/filter.ts'
import { bodiesInBox, type PlaneView, weightAt } from '../state/view.ts'
import { type Describe, UNDESCRIBED } from './described-body.ts'
import { type InTheWay, wayOut } from './separate.ts'
import { GROWTH_RATIO, PATH_SLACK_RATIO } from './tolerances.ts'
import { bodiesOf, createWalker, finiteReach, overlappedBy, putWalker, settleFlush, type Walker } from './walker.ts'

interface PlaceQuery {
  /** At the wanted position; left where it ended. */
  body: Body
  describe?: Describe
  /** How far away it may be put, at most; may be infinite. */
  maxDistance: number
  accepts: Accepts
}

export interface Placed {
  /** False: there is no free place within the distance, and the body stays. */
  found: boolean
  /** From the wanted position. */
  distance: number
  /** False where a nearer one may exist that was out of reach. */
  exact: boolean
}

/** Each round looks at least twice as far as the one before. */
const ROUND_COUNT = 64

/** Limits for the larger body: most points of the bodies in the way, and most steps. */
const MOST_GROWN_POINTS = 2 ** 11
const GROWN_STEPS = 2 ** 16

const found = createContact()
const near = createItemList()
const box = new Float64Array(4)

export function* queryPlace(view: PlaneView, query: PlaceQuery): FarSlices<Placed> {
  const { body, describe = UNDESCRIBED, maxDistance, accepts } = query
  const walker = createWalker(view, body, accepts, describe, new Pace())
  const overlapped = yield* overlappedBy(walker)
  if (overlapped.length === 0) return { found: true, distance: 0, exact: true }
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const inTheWay: InTheWay = { slots: new Set(), points: 0 }
  for (const { slot, points } of overlapped) {
    inTheWay.slots.add(slot)
    inTheWay.points += points
  }
  let seen = 0
  let isExact = true
  for (let round = 0; round < ROUND_COUNT; round++) {
    const { hasNormal, separation, tx, ty, exact } = yield* wayOut(walker, inTheWay)
    isExact = exact
    if (!hasNormal || !Number.isFinite(separation)) break
    const slack = slackOf(walker, tx, ty)
    const length = Math.hypot(tx, ty)
    if (length > maxDistance + slack) break
    if (length > seen) {
      seen = Math.max(length + slack, Math.min(2 * seen, maxDistance + slack))
      const before = inTheWay.slots.size
      yield* lookAround(walker, seen, inTheWay)
      if (inTheWay.slots.size > before) continue
    }
    if (yield* standsFree(walker, x + tx, y + ty, tx, ty)) return placed(body, x, y, exact)
    // It would fit there without rounding. A slightly larger body does not.
    putWalker(walker, x, y)
    return (yield* placeGrown(walker, inTheWay, maxDistance)) ?? { found: false, distance: 0, exact: false }
  }
  putWalker(walker, x, y)
  return { found: false, distance: 0, exact: isExact }
}

function placed(body: Body, x: number, y: number, exact: boolean): Placed {
  return { found: true, distance: Math.hypot(body.numbers[X] - x, body.numbers[Y] - y), exact }
}

function slackOf({ body }: Walker, tx: number, ty: number): number {
  return (
    PATH_SLACK_RATIO[2] * (Math.abs(tx) + Math.abs(ty)) +
    2 ** -50 * (Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]))
  )
}

/** Adds the bodies that the walker may meet on a way of length `reach`. */
function* lookAround({ view, body, accepts, pace }: Walker, reach: number, inTheWay: InTheWay): FarSlices<void> {
  measureOuterBox(body, box, 0)
  for (let side = 0; side < box.length; side++) box[side] += side < 2 ? -reach : reach
  bodiesInBox(view, box, near)
  for (const slot of near.items.slice(0, near.count)) {
    if (accepts(slot) && !inTheWay.slots.has(slot)) {
      inTheWay.slots.add(slot)
      inTheWay.points += weightAt(view, slot)
    }
    if (pace.isDue(1)) yield
  }
}

/** Puts the walker where it is free, at (x, y) or next to it. */
function* standsFree(walker: Walker, x: number, y: number, tx: number, ty: number): FarSlices<boolean> {
  const length = Math.hypot(tx, ty)
  return length > 0 && (yield* settleFlush(walker, { x, y, nx: tx / length, ny: ty / length }))
}

/** Tries a body that is larger by a few rounding errors, with a limited number of steps; null if that finds no place either. */
function* placeGrown(walker: Walker, { slots, points }: InTheWay, maxDistance: number): FarSlices<Placed | null> {
  const { body } = walker
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  if (points > MOST_GROWN_POINTS) return null
  const union = unionOf(yield* bodiesOf(walker, slots))
  const extent =
    Math.abs(x - union.numbers[X]) + Math.abs(y - union.numbers[Y]) + finiteReach(union) + finiteReach(body)
  const grown = grownBody(body, GROWTH_RATIO * extent, createBody())
  if (grown === null || !canPart(union, grown)) return null
  const { hasNormal, separation, tx, ty } = found
  if (!hasNormal || !Number.isFinite(separation) || Math.hypot(tx, ty) > maxDistance) return null
  if (yield* standsFree(walker, x + tx, y + ty, tx, ty)) return placed(body, x, y, false)
  putWalker(walker, x, y)
  return null
}

/** Fills `found`. */
function canPart(union: Body, grown: Body): boolean {
  try {
    within(GROWN_STEPS, () => contact(union, grown, 0, found))
    return true
  } catch (error) {
    if (error instanceof OutOfBudget) return false
    throw error
  }
}

/** A convex body of points with a thicker skin, in `slot`; null for others. */
function grownBody(body: Body, by: number, slot: Body): Body | null {
  if (body.kind === COMPOSITE || !isCored(body)) return null
  copyConvex(body, slot)
  slot.numbers[RADIUS] += by
  slot.numbers[REACH] += by
  return slot
}
