/**
 * What bodies that touch do next while they turn: part, sink in, or go on touching.
 *
 * Method: they are looked at by instants that double. Where these come to a way on which much may have happened unseen, the answer
 * says up to where it is sure.
 * Frame: world axes.
 */

import { ADVANCEMENT_COUNT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/vector-length.ts'
import { REACH } from '../shape/body.ts'
import {
  BISECTION_COUNT,
  LEAP_RATIO,
  NARROW_COUNT,
  PROBE_COUNT,
  SEPARATION_ERROR_RATIO,
  STAY_PROBE_COUNT,
  TOUCHING_COUNT,
} from '../tolerances.ts'
import { type AdvancingPair, look } from './advancing-pair.ts'
import { keepsPose } from './constant-pose.ts'
import { relationAt } from './relation.ts'
import { stayInTouch } from './stay-in-touch.ts'

export interface Next {
  relation: -1 | 0 | 1
  /** Up to when they are known to touch, or where that is asked, not to go into each other, by a plane between them. */
  from: number
  /** The last instant at which they were seen touching. */
  before: number
  /** The first at which they are not. */
  after: number
  /** Up to when nothing else can have come between, but for what an instant hides. */
  sure: number
}

/**
 * What bodies that touch at a time do next; `isLetGo`: after the last instant at which a plane that goes with one of them surely parts
 * the two, whether or not they touch all the while.
 */
export function whatNext(state: AdvancingPair, start: number, duration: number, isLetGo = false): Next {
  let from = start
  const through = (): Next => ({ relation: 0, from: duration, before: duration, after: duration, sure: duration })
  if (keepsPose(state)) return through()
  const { now } = state
  const pace = paceOf(state)
  const leap = (LEAP_RATIO * now.extent) / pace
  const least = (TOUCHING_COUNT * now.error) / pace
  let instant = least
  let before = from
  let isSure = true
  for (let looks = 0; looks < PROBE_COUNT && before < duration && state.looks < ADVANCEMENT_COUNT; looks++) {
    if (looks === STAY_PROBE_COUNT) {
      const { until, touches } = stayInTouch(state, start, duration)
      if (until > before && (touches || isLetGo)) {
        if (until >= duration) return through()
        from = until
        before = until
        instant = least
      }
    }
    instant = Math.max(instant, 2 * UNIT_ROUNDOFF * before, Number.MIN_VALUE)
    const after = Math.min(duration, before + instant)
    isSure &&= after - from <= leap
    const relation = relationAt(state, after)
    if (relation !== 0) {
      const last = after - before > NARROW_COUNT * least ? narrow(state, before, after, relation) : before
      return { relation, from, before: last, after, sure: isSure ? last : from }
    }
    before = after
    instant *= 2
  }
  return { relation: 0, from, before, after: duration, sure: isSure && !(before < duration) ? duration : from }
}

/** How fast points near the contact move against each other at most. */
function paceOf({ fastest, pair, first, second, now }: AdvancingPair): number {
  if (fastest < Infinity) return fastest
  // A half-space turns: where the other body is.
  const far = vectorLength3d(now.dx, now.dy, now.dz) + 2 * now.first.numbers[REACH]
  return pair.speed + first.rate * Math.min(first.radius, far) + second.rate * far
}

/** The last instant at which they still touch, to what rounding lets one tell, between one at which they do and one at which they do not. */
function narrow(state: AdvancingPair, before: number, after: number, relation: -1 | 1): number {
  const unit = UNIT_ROUNDOFF / SEPARATION_ERROR_RATIO
  let last = before
  let end = after
  for (let step = 0; step < BISECTION_COUNT; step++) {
    const middle = last / 2 + end / 2
    if (!(middle > last && middle < end)) break
    // Gaps are good to less than the bound that holds for all.
    const isOver = relation > 0 ? isOpen(state, middle, unit) : relationAt(state, middle) < 0
    if (isOver) end = middle
    else last = middle
  }
  return last
}

function isOpen(state: AdvancingPair, time: number, part: number): boolean {
  look(state, time)
  return state.gap > part * state.now.error
}
