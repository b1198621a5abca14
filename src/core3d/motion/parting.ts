/**
 * When two bodies that turn and overlap first part.
 *
 * Method: from a time at which they are apart again Newton's method, with the bend of the gap between two looks, goes back to where they part. That they do not part before is
 * proven by spans over which they surely overlap (`held-overlap.ts`): one begins at the contact, one ends at the parting, and what is
 * left between them is looked at in its middle, and either covered by spans from there, or found apart, which is then where to go
 * back from.
 * Half-spaces have a way of their own (`halfspace-parting.ts`).
 * Frame: that of `advancing-pair.ts`. Cost: about a dozen looks.
 */

import { HALFSPACE, RADIUS } from '../shape/body.ts'
import {
  NEWTON_TIME_COUNT,
  PARTING_LOOK_COUNT,
  PARTING_SPAN_COUNT,
  SHALLOW_DEPTH_RATIO,
  THICK_SKIN_RATIO,
  TOUCHING_COUNT,
} from '../tolerances.ts'
import {
  type AdvancingPair,
  comeCloser,
  hasDirection,
  look,
  nearestSlope,
  nearGap,
  pose,
  takePoints,
} from './advancing-pair.ts'
import { partFromHalfspace } from './halfspace-parting.ts'
import { type Hold, holdFromContact, holdFromInside } from './held-overlap.ts'

export interface Parting {
  /** When they part, if they do not do so before `end`; Infinity where they do not. */
  leave: number
  /** Up to when they are known to be together; the duration where all is known. */
  sure: number
  /** From when on they are known to be together until they part, or until the duration. */
  end: number
}

export function createParting(): Parting {
  return { leave: Infinity, sure: 0, end: 0 }
}

const span: Hold = { before: 0, after: 0 }

/** Beginnings and ends of spans found that the spans before them do not reach yet, later ones first. */
const begins = new Float64Array(PARTING_SPAN_COUNT)
const ends = new Float64Array(PARTING_SPAN_COUNT)
let count = 0

/** Of a pair that meets at a time, with the direction along which it came together, or 0 0 0 where it overlaps then. */
export function findParting(
  state: AdvancingPair,
  from: number,
  duration: number,
  mx: number,
  my: number,
  mz: number,
  out: Parting,
): void {
  out.leave = Infinity
  out.sure = from
  out.end = duration
  count = 0
  if (state.now.second.kind === HALFSPACE) {
    partFromHalfspace(state, from, duration, out)
    return
  }
  out.end = findEnd(state, from, Math.max(Math.min(duration, state.span[1]), from), out)
  let left = from + spanFrom(state, from, out.end - from, mx, my, mz)
  for (let looks = 0; looks < PARTING_LOOK_COUNT; looks++) {
    left = heldUntil(left)
    out.sure = left
    if (left >= out.end) {
      out.sure = duration
      return
    }
    const goal = count > 0 ? begins[count - 1] : out.end
    const middle = left / 2 + goal / 2
    if (!(middle > left && middle < goal)) return
    pose(state, middle)
    if (!holdFromInside(state, middle - left, goal - middle, false, span)) {
      look(state, middle)
      if (state.gap > TOUCHING_COUNT * state.now.error) {
        out.end = findEnd(state, left, middle, out)
        count = 0
        // So long a span as was tried first there is none.
        if (left === from) left += spanFrom(state, from, out.end - from, mx, my, mz)
        continue
      }
      if (!holdFromInside(state, middle - left, goal - middle, true, span)) return
    }
    if (count === PARTING_SPAN_COUNT) return
    // Not rounded where they reach what is known.
    begins[count] = span.before < middle - left ? middle - span.before : left
    ends[count++] = span.after < goal - middle ? middle + span.after : goal
  }
}

/** Up to when the pair that was last looked at is known to stay together from a time on, at which it is so. */
export function heldUntil(time: number): number {
  let until = time
  while (count > 0 && until >= begins[count - 1]) until = Math.max(until, ends[--count])
  return until
}

/** How long they stay together from a contact on, or from a time at which they overlap. */
function spanFrom(state: AdvancingPair, from: number, limit: number, mx: number, my: number, mz: number): number {
  if (mx === 0 && my === 0 && mz === 0) {
    look(state, from)
    return holdFromInside(state, 0, limit, true, span) ? span.after : 0
  }
  const { contact, near, now } = state
  if (contact.time <= from) {
    pose(state, contact.time)
    const held = holdFromContact(state, contact.near, 1, from + limit - contact.time)
    return Math.max(held - (from - contact.time), 0)
  }
  lookAtContact(state, from, mx, my, mz)
  return Math.abs(state.gap) <= TOUCHING_COUNT * now.error ? holdFromContact(state, near, 1, limit) : 0
}

/** Goes back from a time to where they part. Sets `out.leave`, and returns from when on they are known to be together until then. */
function findEnd(state: AdvancingPair, from: number, until: number, out: Parting): number {
  out.leave = Infinity
  look(state, until)
  if (!(state.gap > TOUCHING_COUNT * state.now.error)) {
    return holdFromInside(state, until - from, 0, true, span) ? until - span.before : until
  }
  const time = goBack(state, from, until)
  if (time < 0) return until
  out.leave = time
  return time - holdFromContact(state, state.near, -1, time - from)
}

/** From a time at which they are apart, and were looked at last, to the one before at which they touch; −1 where that is not found. Sets `near` there. */
function goBack(state: AdvancingPair, from: number, until: number): number {
  const { now } = state
  let low = from
  let high = until
  let time = until
  let isClose = false
  let timeBefore = Infinity
  let slopeBefore = 0
  takePoints(state)
  for (let step = 0; step < NEWTON_TIME_COUNT; step++) {
    const { gap } = state
    const slope = nearestSlope(state)
    if (isClose && Math.abs(gap) <= now.error && slope > 0) return Math.max(time - gap / slope, from)
    if (gap > 0) high = time
    else low = time
    // The gap goes on to bend as it did between the last two looks.
    const bend = timeBefore < Infinity ? (slope - slopeBefore) / (time - timeBefore) : 0
    const square = slope * slope - 2 * bend * gap
    const next = time - (square > 0 ? (2 * gap) / (slope + Math.sqrt(square)) : gap / slope)
    timeBefore = time
    slopeBefore = slope
    time = slope > 0 && next > low && next < high ? next : low / 2 + high / 2
    if (!(time > low && time < high)) return -1
    const { mx, my, mz } = state
    isClose = Math.abs(gap) <= SHALLOW_DEPTH_RATIO * now.extent
    if (isClose) {
      lookAtContact(state, time, mx, my, mz)
      continue
    }
    look(state, time)
    isClose = state.gap <= TOUCHING_COUNT * now.error
    if (isClose && !hasDirection(state)) lookAtContact(state, time, mx, my, mz)
    else takePoints(state)
  }
  return -1
}

/**
 * Looks at a pair about to touch, or that has just sunk in, from a direction near its own. Sets the direction, and `near` to points that
 * are as far from each other as its gap, if that is small. Skins that are thick keep the cores apart: their nearest points will do.
 */
function lookAtContact(state: AdvancingPair, time: number, mx: number, my: number, mz: number): void {
  const { now, near } = state
  if (now.first.numbers[RADIUS] + now.second.numbers[RADIUS] > THICK_SKIN_RATIO * now.extent) {
    look(state, time)
    takePoints(state)
    if (hasDirection(state)) return
  }
  pose(state, time)
  state.gap = nearGap(state, mx, my, mz)
  comeCloser(state)
  state.mx = near.nx
  state.my = near.ny
  state.mz = near.nz
}
