/**
 * When two bodies of which at least one turns first meet, and when they part.
 *
 * Method: conservative advancement (`advancing-pair.ts`), until their gap is within rounding of touching. While they overlap they
 * move on by their depth over the greatest speed that any of their points have to each other. Bodies that just touch are followed by
 * instants that double until they have parted or sunk in.
 * Frame: world axes.
 */

import { ADVANCEMENT_COUNT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { createDepth, measureDepth, measureHalfspaceDepth } from '../narrow-phase/depth.ts'
import { meets } from '../narrow-phase/separate.ts'
import { HALFSPACE, RADIUS } from '../shape/body.ts'
import type { SweepInterval } from '../sweep/linear-sweep.ts'
import { PROBE_COUNT, TOUCHING_COUNT } from '../tolerances.ts'
import { type AdvancingPair, look, safeStep } from './advancing-pair.ts'

const depth = createDepth()

/** As `sweepLinear`, up to `duration`; `wantsLeave`: also finds when they part, no later than the duration. */
export function sweepSpinning(state: AdvancingPair, duration: number, wantsLeave: boolean, out: SweepInterval): void {
  out.enter = 0
  out.leave = Infinity
  out.hasNormal = false
  out.converged = true
  out.meetsAtStart = meets(state.pair.frame)
  out.hit = out.meetsAtStart || (duration > 0 && areSkewAtOnce(state))
  if (!out.hit) advance(state, 0, duration, out)
  if (out.hit && out.converged && wantsLeave) findLeave(state, duration, out)
}

/** Whether they are half-spaces that turn against each other: planes that are not parallel meet, however far away. */
function areSkewAtOnce({ first, second }: AdvancingPair): boolean {
  if (first.body.kind !== HALFSPACE || second.body.kind !== HALFSPACE) return false
  const { wx, wy, wz } = first.motion
  return wx !== second.motion.wx || wy !== second.motion.wy || wz !== second.motion.wz
}

/** From a time at which they are apart to the first contact. */
export function advance(state: AdvancingPair, from: number, duration: number, out: SweepInterval): void {
  let time = from
  out.hit = false
  for (state.looks = 0; state.looks < ADVANCEMENT_COUNT; ) {
    look(state, time)
    out.enter = time
    if (state.gap <= state.now.error) {
      out.hit = true
      return
    }
    if (!(time < duration)) return
    const next = time + safeStep(state, duration - time)
    if (!(next > time)) {
      // Nearer than the next instant.
      out.hit = true
      return
    }
    time = Math.min(next, duration)
  }
  out.hit = true
  out.converged = false
}

/** −1 sunk in, 0 touching within rounding, 1 apart, at a time; of what is sunk in `depth` has the depth. */
function lookWhether(state: AdvancingPair, time: number): -1 | 0 | 1 {
  look(state, time)
  const { now, gap, bounds } = state
  const margin = TOUCHING_COUNT * now.error
  if (gap > margin) return 1
  if (now.second.kind === HALFSPACE) measureHalfspaceDepth(now, depth)
  else {
    const skins = now.first.numbers[RADIUS] + now.second.numbers[RADIUS]
    if (bounds.upper - skins > margin) return 1
    // As dear as the look itself, or more.
    state.looks += state.weight
    measureDepth(now, bounds, depth)
  }
  return depth.depth > margin ? -1 : 0
}

export interface Next {
  relation: -1 | 0 | 1
  /** The last instant at which they were seen touching. */
  before: number
  /** The first at which they are not. */
  after: number
}

/** What bodies that touch at a time do next, by instants that double. */
export function whatNext(state: AdvancingPair, from: number, duration: number): Next {
  const { now, fastest } = state
  let instant = (TOUCHING_COUNT * now.error) / fastest
  let before = from
  let looks = 0
  while (looks < PROBE_COUNT && before < duration) {
    instant = Math.max(instant, 2 * UNIT_ROUNDOFF * before, Number.MIN_VALUE)
    const after = Math.min(duration, before + instant)
    const relation = lookWhether(state, after)
    looks++
    if (relation !== 0) return { relation, before, after }
    before = after
    instant *= 2
  }
  return { relation: 0, before, after: duration }
}

/** Moves on from the contact to where they part. */
export function findLeave(state: AdvancingPair, duration: number, out: SweepInterval): void {
  let time = out.enter
  if (!(state.fastest < Infinity) || !(state.fastest > 0)) return
  for (state.looks = 0; state.looks < ADVANCEMENT_COUNT; ) {
    const relation = lookWhether(state, time)
    if (relation > 0) {
      out.leave = time
      return
    }
    if (relation < 0) {
      const next = time + depth.depth / state.fastest
      if (next > duration || !(next < Infinity)) return
      if (!(next > time)) break
      time = next
      continue
    }
    const after = whatNext(state, time, duration)
    if (after.relation > 0) {
      out.leave = after.before
      return
    }
    if (after.relation === 0) return
    time = after.after
  }
  out.leave = time
  out.converged = false
}
