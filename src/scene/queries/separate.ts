/**
 * The least translation of a body out of everything that it overlaps.
 *
 * Method: the minimum translation out of the union of what is overlapped (`core2d/minimum-translation/minimum-translation.ts`).
 * Where that puts the body into others, they join the union, and the way is sought again from the start: the shortest way out
 * of some is no longer than that out of all, so the first one that ends in none is the shortest of all.
 */

import { callFar, type FarSlices } from '../../containers/far-call.ts'
import { Pace, type Slices } from '../../containers/pace.ts'
import { contact } from '../../core2d/pair-queries/contact.ts'
import { type Contact, createContact } from '../../core2d/pair-queries/contact-record.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { unionOf } from '../../core2d/shape/union.ts'
import { type Described, UNDESCRIBED } from '../state/far-body.ts'
import { type EscapeTask, farUnion } from '../state/far-union.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import { idAt, type View } from '../state/view.ts'
import { bodyWeight } from '../table/body-cache.ts'
import { bodiesOf, createWalker, overlappedBy, putWalker, roundingOf, type Walker } from './character.ts'
import { settleFlush, settleWalker } from './flush.ts'
import { hereOrFar, stepsHere } from './narrowing.ts'

export interface Separated {
  /** False: nothing was found that parts them, and the body stays. */
  separated: boolean
  dx: number
  dy: number
  /** False where the translation is only the best bound found. */
  exact: boolean
  /** What was in the way: what it overlapped, and what it would have been pushed into; by id. */
  slots: number[]
  ids: string[]
}

/** Rounds after which the ways out are taken to lead in circles. */
const ROUND_COUNT = 64
/** Most points of what is in the way for which the way out is sought here. */
const MOST_POINTS = 2 ** 11

const found = createContact()

/** What is in the way, in the order in which it was met, and how many points it has. */
export interface InTheWay {
  slots: Set<number>
  points: number
}

/** Null when the body overlaps nothing. It is left where it ended. */
export function* querySeparate(
  view: View,
  body: Body,
  accepts: Accepts,
  far: Described = UNDESCRIBED,
): FarSlices<Separated | null> {
  return yield* separateWalker(createWalker(view, body, accepts, far, new Pace()))
}

/** The same of a walker. */
export function* separateWalker(walker: Walker): FarSlices<Separated | null> {
  const { body, pace } = walker
  const { x, y } = body
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
    // What rounding has left of the union in any other direction is pushed off.
    if (!isOut) yield* settleWalker(walker, roundingOf(walker, tx, ty))
  }
  putWalker(walker, x, y)
  return { ...(yield* result(walker, inTheWay, x, y, false)), separated: false }
}

/** The contact of the union of what is in the way with the walker. */
export function* wayOut(walker: Walker, { slots, points }: InTheWay): FarSlices<Contact> {
  const { view, body, far } = walker
  const task = (): EscapeTask => ({ kind: 'escape', union: farUnion(view, slots), body: far() })
  const isMuch = points + bodyWeight(body) > MOST_POINTS || stepsHere() === 0
  if (isMuch && far !== UNDESCRIBED) return yield* callFar<Contact>(task())
  const bodies = yield* bodiesOf(walker, slots)
  return yield* hereOrFar(() => {
    contact(unionOf(bodies), body, 0, found)
    return found
  }, task)
}

function* result(
  { view, body, pace }: Walker,
  inTheWay: InTheWay,
  x: number,
  y: number,
  exact: boolean,
): Slices<Separated> {
  const dx = body.x - x
  const dy = body.y - y
  const slots = [...inTheWay.slots]
  yield* sortById(view, slots, pace)
  const ids: string[] = []
  for (const slot of slots) {
    ids.push(idAt(view, slot))
    if (pace.isDue(1)) yield
  }
  return { separated: true, dx, dy, exact, slots, ids }
}
