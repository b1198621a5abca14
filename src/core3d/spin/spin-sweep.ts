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
import { clearInterval, type SweepInterval } from '../sweep/linear-sweep.ts'
import { LONGEST_STRIDE_COUNT, SLIDING_RATIO, STRIDE_SHARE } from '../tolerances.ts'
import { type AdvancingPair, look, lookClosely, safeStep } from './advancing-pair.ts'
import { levelPair } from './level-pair.ts'
import { depthAt, relationAt } from './relation.ts'
import { whatNext } from './what-next.ts'

/** As `sweepLinear`, up to `duration`; `wantsLeave`: also finds when they part, no later than the duration. */
export function sweepSpinning(state: AdvancingPair, duration: number, wantsLeave: boolean, out: SweepInterval): void {
  clearInterval(out)
  out.meetsAtStart = meets(state.pair.frame)
  out.hit = out.meetsAtStart || (duration > 0 && areSkewAtOnce(state))
  const level = levelPair(state, duration)
  const followed = level === null ? state : level.sides
  // Level with a half-space they touch, or as good as that, all the time.
  if (followed === null) out.hit = true
  else if (!out.hit && level === null && duration > 0 && isNear(state)) {
    // Apart, but by no more than rounding: it meets what it goes into, not what it parts from or stays beside.
    sweepLetGo(state, duration, out)
    return
  } else if (!out.hit) advance(followed, 0, duration, out)
  if (followed !== null && out.hit && out.converged && wantsLeave) findLeave(followed, duration, out)
}

function isNear(state: AdvancingPair): boolean {
  look(state, 0)
  return state.gap <= state.now.error
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
    const { mx, my, mz } = state
    look(state, time)
    // Too near for a direction: it is about what it was a little before.
    if (state.gap <= state.now.error && time > from) lookClosely(state, mx, my, mz)
    out.enter = time
    if (state.gap <= state.now.error) {
      if (time > from) {
        out.mx = mx
        out.my = my
        out.mz = mz
      }
      out.hit = true
      out.enter = time + lastStep(state, duration - time)
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

/** How long they take for what is left of the way, within rounding of the contact; no more than `limit`. */
function lastStep(state: AdvancingPair, limit: number): number {
  if (!(state.gap > 0 && state.fastest < Infinity)) return 0
  safeStep(state, limit)
  return -state.slope > SLIDING_RATIO * state.fastest ? Math.min(limit, state.gap / -state.slope) : 0
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
  const next = whatNext(followed, from, duration, level === null)
  out.converged = !(next.sure < next.before) && !(level !== null && next.relation < 0)
  // Where that is open one may follow.
  out.hit = next.relation < 0 || !out.converged
  if (out.hit) {
    out.enter = Math.max(next.from, from)
    if (out.enter > 0) out.leave = Infinity
    if (out.converged && out.leave === Infinity) findLeave(followed, duration, out)
  }
  if (out.hit || next.relation === 0) return
  advance(followed, next.after, duration, out)
  if (out.hit && out.converged) findLeave(followed, duration, out)
}

/**
 * Moves on from the contact to where they part. Between two times at which they overlap they do so all the while, if both depths
 * together are no less than what they can move against each other meanwhile.
 */
export function findLeave(state: AdvancingPair, duration: number, out: SweepInterval): void {
  const { fastest } = state
  let time = out.enter
  if (!(fastest < Infinity) || !(fastest > 0)) return
  let depth = 0
  let stride = 1
  for (state.looks = 0; state.looks < ADVANCEMENT_COUNT; ) {
    if (!(depth > 0)) {
      const relation = relationAt(state, time)
      if (relation > 0) {
        out.leave = time
        return
      }
      if (relation === 0) {
        const next = whatNext(state, time, duration)
        if (next.sure < next.before) out.converged = false
        if (next.relation > 0) out.leave = next.before
        if (next.relation >= 0) return
        time = next.after
        continue
      }
      depth = state.depth
    }
    const least = depth / fastest
    if (!(time + least < duration)) return
    const ahead = Math.min(time + stride * least, duration)
    if (!(ahead > time)) break
    const there = depthAt(state, ahead)
    const way = (ahead - time) * fastest
    const isSure = stride === 1 || (there > 0 && depth + there >= way)
    // As far as both depths will reach if the depth goes on changing like that.
    stride = Math.min(Math.max(1, STRIDE_SHARE / (1 + (depth - there) / way)), LONGEST_STRIDE_COUNT)
    if (!isSure) continue
    if (ahead === duration && there > 0) return
    time = ahead
    depth = there
  }
  out.leave = time
  out.converged = false
}
