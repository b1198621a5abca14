/**
 * When two bodies that turn, and are apart, first meet.
 *
 * Method: leaps. Bodies with gaps g and h along the directions m and n at two times T apart stay apart between these times if
 * |n − m|·V·T + κT²/2 ≤ (√g + √h)². The reason: along the direction that goes evenly from m to n the height of any point of the second over
 * any of the first is at least as much as the gaps at both ends; it bends by no more than 2|n − m|V/T + κ, V the greatest speed of
 * points against each other, κ that of their turning along the direction: ω·|m × ω| times the distance from the axis, of both
 * bodies. So it lies over the parabola between the ends, which has no root. A leap goes as far as that will hold if the bodies go on as they do,
 * or to where they would meet; where it does not hold, a shorter one is tried, and then a step that is safe from one time alone
 * (`advancing-pair.ts`). A leap that lands in an overlap is taken back to where Newton's method has the contact.
 * Frame: that of `advancing-pair.ts`. Cost: about five looks.
 */

import { fallTime } from '../../numeric/orbit.ts'
import { ADVANCEMENT_COUNT } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { HALFSPACE, RADIUS } from '../shape/body.ts'
import {
  LEAP_COUNT,
  LEAP_SHARE,
  LEAST_BACK_SHARE,
  SHALLOW_DEPTH_RATIO,
  SLIDING_RATIO,
  THICK_SKIN_RATIO,
} from '../tolerances.ts'
import {
  type AdvancingPair,
  comeCloser,
  hasDirection,
  look,
  lookClosely,
  nearestSlope,
  nearGap,
  pose,
  safeStep,
  type Turning,
  takePoints,
} from './advancing-pair.ts'
import type { SweepInterval } from './sweep-interval.ts'

/** Where the pair is known to be apart: its gap and direction, how fast the gap changes, how it has bent and the direction turned of late, and whether the leap aims at a contact. */
const base = { gap: 0, mx: 0, my: 0, mz: 0, slope: 0, bend: 0, turning: 0, aims: false }

/** From a time at which they are apart, and were just looked at if `isLooked`, to the first contact. */
export function advance(
  state: AdvancingPair,
  from: number,
  duration: number,
  isLooked: boolean,
  out: SweepInterval,
): void {
  const end = Math.min(duration, state.span[1])
  let time = Math.max(from, state.span[0])
  out.hit = false
  if (time > end) return
  state.looks = 0
  isClose = false
  if (!isLooked || time > from) look(state, time)
  base.turning = Math.max(across(state.first, state), across(state.second, state))
  base.bend = NaN
  while (state.looks < ADVANCEMENT_COUNT) {
    out.enter = time
    if (state.gap <= state.now.error) {
      out.hit = true
      out.enter = time + lastStep(state, end - time)
      keepContact(state)
      return
    }
    if (!(time < end)) return
    const next = leap(state, time, end, out)
    if (!(next > time)) {
      // Nearer than the next instant.
      out.hit = true
      return
    }
    time = next
  }
  out.enter = time
  out.hit = true
  out.converged = false
}

/** Keeps the contact of the last look, where that has found it. */
function keepContact(state: AdvancingPair): void {
  const { contact, near } = state
  if (isClose) comeCloser(state)
  else if (hasDirection(state)) takePoints(state)
  else return
  contact.time = state.time
  contact.near.gap = near.gap
  contact.near.nx = near.nx
  contact.near.ny = near.ny
  contact.near.nz = near.nz
  for (let k = 0; k < 3; k++) {
    contact.near.a[k] = near.a[k]
    contact.near.b[k] = near.b[k]
  }
}

/** How long they take for what is left of the way, within rounding of the contact; no more than `limit`. */
function lastStep(state: AdvancingPair, limit: number): number {
  if (!(state.gap > 0 && state.fastest < Infinity)) return 0
  safeStep(state, limit)
  return -state.slope > SLIDING_RATIO * state.fastest ? Math.min(limit, state.gap / -state.slope) : 0
}

/** The next time up to which the pair is known to be apart, looked at; of a contact, with its gap within rounding, after the direction before it. */
function leap(state: AdvancingPair, time: number, duration: number, out: SweepInterval): number {
  const { now, fastest } = state
  if (fastest === Infinity || now.second.kind === HALFSPACE) return stepFrom(state, time, duration, out)
  keepBase(state)
  let limit = duration - time
  for (let tries = 0; tries < LEAP_COUNT; tries++) {
    const length = Math.min(limit, leapLength(state))
    const next = length < duration - time ? time + length : duration
    if (!(next > time)) break
    lookAhead(state, next)
    const { gap } = state
    if (gap < -now.error) {
      limit = backLength(length, gap)
      continue
    }
    const turn = vectorLength3d(state.mx - base.mx, state.my - base.my, state.mz - base.mz)
    base.turning = turn / length
    const room = Math.sqrt(base.gap - now.error) + Math.sqrt(Math.max(gap - now.error, 0))
    if (turn * fastest * length + (bendOf(state) / 2) * length * length <= room * room) {
      if (gap <= now.error) keepDirection(out)
      setBend(length, gap)
      return next
    }
    limit = length / 2
  }
  look(state, time)
  isClose = false
  return stepFrom(state, time, duration, out)
}

/** Looks at the end of a leap: closely where it aims at a contact that is near, or where the bodies are too near for a direction, which is about what it was. */
function lookAhead(state: AdvancingPair, time: number): void {
  const { now, near } = state
  const skins = now.first.numbers[RADIUS] + now.second.numbers[RADIUS]
  isClose = base.aims && base.gap <= SHALLOW_DEPTH_RATIO * now.extent && skins <= THICK_SKIN_RATIO * now.extent
  if (!isClose) {
    look(state, time)
    if (!(state.gap > now.error || hasDirection(state))) lookClosely(state, base.mx, base.my, base.mz)
    return
  }
  pose(state, time)
  state.gap = nearGap(state, base.mx, base.my, base.mz)
  state.mx = near.nx
  state.my = near.ny
  state.mz = near.nz
}

/** Whether the last look has put the nearest points into `near`. */
let isClose = false

function keepBase(state: AdvancingPair): void {
  base.gap = state.gap
  base.mx = state.mx
  base.my = state.my
  base.mz = state.mz
  if (!isClose) takePoints(state)
  base.slope = nearestSlope(state)
}

function keepDirection(out: SweepInterval): void {
  out.mx = base.mx
  out.my = base.my
  out.mz = base.mz
}

/** As far as the pair will be seen to be apart if all goes on as it does, or to where it meets. */
function leapLength(state: AdvancingPair): number {
  const { gap, slope, turning } = base
  const half = turning * state.fastest + bendOf(state) / 2
  const root = Math.sqrt(half * gap)
  base.aims = slope < -root
  if (base.aims) return meetingLength(bendOf(state))
  return half > 0 ? (LEAP_SHARE * (2 * root + slope)) / half : Infinity
}

/** To where the pair meets, if its gap goes on to bend as it did, or as its spins may bend it where that is not known. */
function meetingLength(most: number): number {
  const { gap, slope, bend } = base
  if (!(Math.abs(bend) < Infinity)) return fallTime(gap, slope, most)
  const square = slope * slope - 2 * bend * gap
  return square > 0 ? (2 * gap) / (Math.sqrt(square) - slope) : gap / -slope
}

/** Of a leap that came to lie in an overlap by so much: a shorter one, to about where they meet. */
function backLength(length: number, gap: number): number {
  const share = -gap / base.gap
  if (!(share < LEAST_BACK_SHARE)) return length / 2
  setBend(length, gap)
  return Math.min(meetingLength(0), length) * (1 - share * share)
}

/** By the tangent at the base and the gap so much later. */
function setBend(length: number, gap: number): void {
  base.bend = (2 * (gap - base.gap - base.slope * length)) / (length * length)
}

/** No height along the directions between that of the base and that of the last look bends more by the spins. */
function bendOf(state: AdvancingPair): number {
  return bendBy(state.first, state) + bendBy(state.second, state)
}

function bendBy(side: Turning, state: AdvancingPair): number {
  if (side.rate === 0) return 0
  return Math.max(across(side, base), across(side, state)) * side.rate * side.radius
}

/** How fast a direction that goes with the body turns. */
function across({ rate, motion }: Turning, { mx, my, mz }: Pick<AdvancingPair, 'mx' | 'my' | 'mz'>): number {
  if (rate === 0) return 0
  return vectorLength3d(
    my * motion.wz - mz * motion.wy,
    mz * motion.wx - mx * motion.wz,
    mx * motion.wy - my * motion.wx,
  )
}

/** By a step that is safe from the time last looked at. */
function stepFrom(state: AdvancingPair, time: number, duration: number, out: SweepInterval): number {
  base.mx = state.mx
  base.my = state.my
  base.mz = state.mz
  const next = Math.min(time + safeStep(state, duration - time), duration)
  if (!(next > time)) return next
  look(state, next)
  if (state.gap <= state.now.error) {
    if (!hasDirection(state)) lookClosely(state, base.mx, base.my, base.mz)
    if (state.gap <= state.now.error) keepDirection(out)
  }
  return next
}
