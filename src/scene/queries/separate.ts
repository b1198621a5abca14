/**
 * The query `separate`: the minimum translation (MTV) of a body out of everything that it overlaps.
 *
 * Method: the minimum translation out of the union of what is overlapped (`core2d/minimum-translation/minimum-translation.ts`).
 * If that puts the body into others, they join the union, and the search starts again: the shortest way out of some bodies is no
 * longer than the way out of all, so the first one that ends free is the shortest of all.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { type Contact, createContact } from '../../core2d/queries/contact.ts'
import { type Body, X, Y } from '../../core2d/shape/body.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import { idAt, type PlaneView } from '../state/view.ts'
import { type Describe, UNDESCRIBED } from './described-body.ts'
import { costlyEscape } from './scene-tasks.ts'
import {
  bodiesOf,
  createWalker,
  overlappedBy,
  putWalker,
  roundingOf,
  settleFlush,
  settleWalker,
  type Walker,
} from './walker.ts'

export interface Separated {
  /** False: no translation was found, and the body does not move. */
  separated: boolean
  dx: number
  dy: number
  /** In space. */
  dz?: number
  /** False where the translation is only the best bound found. */
  exact: boolean
  /** The bodies in the way, which it overlapped or would have been pushed into, by id. */
  slots: number[]
  ids: string[]
}

/** Rounds after which the search is taken to run in circles. */
const ROUND_COUNT = 64

const found = createContact()

/** The bodies in the way, in the order in which they were found, and how many points they have. */
export interface InTheWay {
  slots: Set<number>
  points: number
}

/** The translation, null if the body overlaps nothing. The body is left where it ended. */
export function* querySeparate(
  view: PlaneView,
  body: Body,
  accepts: Accepts,
  describe: Describe = UNDESCRIBED,
): FarSlices<Separated | null> {
  return yield* separateWalker(createWalker(view, body, accepts, describe, new Pace()))
}

/** Moves the walker out of everything that it overlaps; null if it overlaps nothing. */
export function* separateWalker(walker: Walker): FarSlices<Separated | null> {
  const { body, pace } = walker
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const inTheWay: InTheWay = { slots: new Set(), points: 0 }
  let exact = true
  for (let round = 0; round < ROUND_COUNT; round++) {
    const overlapped = yield* overlappedBy(walker)
    if (round === 0 && overlapped.length === 0) return null
    if (overlapped.length === 0) return yield* result(walker, inTheWay, x, y, exact)
    const before = inTheWay.slots.size
    for (const { slot, points } of overlapped) {
      if (!inTheWay.slots.has(slot)) inTheWay.points += points
      inTheWay.slots.add(slot)
      if (pace.isDue(1)) yield
    }
    if (inTheWay.slots.size === before) break
    putWalker(walker, x, y)
    const { hasNormal, separation, nx, ny, tx, ty, exact: isExact } = yield* wayOut(walker, inTheWay)
    exact = isExact
    if (!hasNormal || !Number.isFinite(separation)) break
    const isOut = yield* settleFlush(walker, { x: x + tx, y: y + ty, nx, ny }, false, false)
    // overlaps that rounding leaves in another direction are undone
    if (!isOut) yield* settleWalker(walker, roundingOf(walker, tx, ty))
  }
  putWalker(walker, x, y)
  return { ...(yield* result(walker, inTheWay, x, y, false)), separated: false }
}

/** The contact of the union of the bodies in the way with the walker. */
export function wayOut(walker: Walker, { slots, points }: InTheWay): FarSlices<Contact> {
  const { view, body, describe } = walker
  return costlyEscape(view, slots, points, body, describe, () => bodiesOf(walker, slots), found)
}

function* result(
  { view, body, pace }: Walker,
  inTheWay: InTheWay,
  x: number,
  y: number,
  exact: boolean,
): Slices<Separated> {
  const dx = body.numbers[X] - x
  const dy = body.numbers[Y] - y
  const slots = [...inTheWay.slots]
  yield* sortById(view, slots, pace)
  const ids: string[] = []
  for (const slot of slots) {
    ids.push(idAt(view, slot))
    if (pace.isDue(1)) yield
  }
  return { separated: true, dx, dy, exact, slots, ids }
}
