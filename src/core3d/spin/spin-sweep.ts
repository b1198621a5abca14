/**
 * When two bodies of which at least one turns first meet, and when they part.
 *
 * Method: conservative advancement (`advancing-pair.ts`), until their gap is within rounding of touching. While they overlap they
 * move on by their depth over the greatest speed that any of their points have to each other. Bodies that just touch are followed
 * until they have parted or sunk in (`what-next.ts`).
 * Frame: world axes.
 */

import { ADVANCEMENT_COUNT } from '../../numeric/roundoff.ts'
import { meets } from '../narrow-phase/separate.ts'
import { HALFSPACE } from '../shape/body.ts'
import type { SweepInterval } from '../sweep/linear-sweep.ts'
import { type AdvancingPair, look, safeStep } from './advancing-pair.ts'
import { levelPair } from './level-pair.ts'
import { relationAt } from './relation.ts'
import { whatNext } from './what-next.ts'

/** As `sweepLinear`, up to `duration`; `wantsLeave`: also finds when they part, no later than the duration. */
export function sweepSpinning(state: AdvancingPair, duration: number, wantsLeave: boolean, out: SweepInterval): void {
  out.enter = 0
  out.leave = Infinity
  out.hasNormal = false
  out.converged = true
  out.meetsAtStart = meets(state.pair.frame)
  out.hit = out.meetsAtStart || (duration > 0 && areSkewAtOnce(state))
  const level = levelPair(state, duration)
  const followed = level === null ? state : level.sides
  // Level with a half-space they touch, or as good as that, all the time.
  if (followed === null) out.hit = true
  else if (!out.hit) advance(followed, 0, duration, out)
  if (followed !== null && out.hit && out.converged && wantsLeave) findLeave(followed, duration, out)
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

/** What comes after a touch at the start that is let go, into `out`, which has when that ends. */
export function sweepLetGo(state: AdvancingPair, duration: number, out: SweepInterval): void {
  const level = levelPair(state, duration)
  const followed = level === null ? state : level.sides
  // Prisms of a level pair may lie in each other sideways: they are let go when they part.
  const from = level === null ? 0 : out.leave
  if (level === null) out.converged = true
  out.hit = !out.converged
  out.enter = Math.min(from, duration)
  if (followed === null || out.hit || !(from < duration)) return
  const next = whatNext(followed, from, duration)
  out.converged = !(next.sure < next.before) && !(level !== null && next.relation < 0)
  // Where that is open one may follow.
  out.hit = next.relation < 0 || !out.converged
  if (out.hit || next.relation === 0) return
  advance(followed, next.after, duration, out)
  if (out.hit && out.converged) findLeave(followed, duration, out)
}

/** Moves on from the contact to where they part. */
export function findLeave(state: AdvancingPair, duration: number, out: SweepInterval): void {
  let time = out.enter
  if (!(state.fastest < Infinity) || !(state.fastest > 0)) return
  for (state.looks = 0; state.looks < ADVANCEMENT_COUNT; ) {
    const relation = relationAt(state, time)
    if (relation > 0) {
      out.leave = time
      return
    }
    if (relation < 0) {
      const next = time + state.depth / state.fastest
      if (next > duration || !(next < Infinity)) return
      if (!(next > time)) break
      time = next
      continue
    }
    const next = whatNext(state, time, duration)
    if (next.sure < next.before) out.converged = false
    if (next.relation > 0) out.leave = next.before
    if (next.relation >= 0) return
    time = next.after
  }
  out.leave = time
  out.converged = false
}
