/**
 * Time of impact of two convex bodies of which at least one spins.
 *
 * Method: conservative advancement in rounds. Each round measures the pair (`narrow-phase/dispatch.ts`), takes the axis of its
 * nearest features, which turns with the body whose edge it is normal to, and advances along that axis with certified steps
 * (`advancing-axis.ts`) until the gap along it has closed to a few rounding errors; another axis may still be open then,
 * and the next round takes it. The last stretch is a Newton step. A pair that touches at the start is followed within a
 * band of rounding errors until it parts or sinks in.
 * Frame: the answer is in world coordinates, the normal points from A to B; times are the caller's.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { grantSteps, type StepBudget, takeStep } from '../../numeric/step-budget.ts'
import { NO_FEATURE } from '../feature.ts'
import { orderPair, type PairFrame, separate } from '../narrow-phase/dispatch.ts'
import { createSeparation, swapWitnesses, type Witnesses } from '../narrow-phase/separation.ts'
import { ANCHOR_X, ANCHOR_Y, type Body, HALFPLANE, isCurved, POLYGON, X, X_LOW, Y, Y_LOW } from '../shape/body.ts'
import type { Motion } from '../shape/motion.ts'
import { CLOCK_DOUBT_RATIO, ELLIPSE_ERROR_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { certainStep, createAxis, measureAxis, setAxis } from './advancing-axis.ts'
import { createSpinSweep, motionBound, poseSpinSweep, setSpinSweep } from './moving-pair.ts'

/** The witnesses are those at `time`, the points in world coordinates; both components of the normal 0 where there is none. */
export interface SpinHit extends Witnesses {
  time: number
  /** Leaves of composites that the features belong to; 0 for convex bodies. */
  leafA: number
  leafB: number
  /** Set also when there is no hit: at `from` the pair is not certainly apart, its relation has to be decided exactly. */
  startsNear: boolean
  /** False when `time` is only a moment before which there is no contact. */
  converged: boolean
}

export function createSpinHit(): SpinHit {
  return {
    time: 0,
    nx: 0,
    ny: 0,
    ax: 0,
    ay: 0,
    bx: 0,
    by: 0,
    featureA: NO_FEATURE,
    featureB: NO_FEATURE,
    leafA: 0,
    leafB: 0,
    startsNear: false,
    converged: true,
  }
}

const sweep = createSpinSweep()
const axis = createAxis()
const separation = createSeparation()

/** How a stretch along one axis ended. */
const REACHED = 0
const RISEN = 1
const ENDED = 2
const EXHAUSTED = 3

/** Steps left; module scratch. */
let steps: StepBudget = grantSteps()

/** Module scratch. A record, because a double in a variable that functions share is boxed. */
const state = {
  /** Rounding error of the current round's distances. */
  error: 0,
}

/**
 * Fills `out` with the earliest contact in [from, to] and returns true, or returns false when there is none. The pivots
 * are the bodies themselves, or the composites whose leaves they are. `leaving`: the pair touches at `from` without
 * overlapping, and that is no contact until it has parted or sinks in.
 */
export function sweepSpin(
  a: Body,
  motionA: Motion,
  pivotA: Body,
  b: Body,
  motionB: Motion,
  pivotB: Body,
  from: number,
  to: number,
  leaving: boolean,
  out: SpinHit,
): boolean {
  const { swapped } = orderPair(a, b)
  steps = grantSteps()
  const found = swapped
    ? sweepOrdered(b, motionB, pivotB, a, motionA, pivotA, from, to, leaving, out)
    : sweepOrdered(a, motionA, pivotA, b, motionB, pivotB, from, to, leaving, out)
  if (found && swapped) swapWitnesses(out)
  return found
}

function sweepOrdered(
  a: Body,
  motionA: Motion,
  pivotA: Body,
  b: Body,
  motionB: Motion,
  pivotB: Body,
  from: number,
  to: number,
  leaving: boolean,
  out: SpinHit,
): boolean {
  out.startsNear = false
  if (!setSpinSweep(sweep, a, motionA, pivotA, b, motionB, pivotB, from, to)) return false
  out.leafA = 0
  out.leafB = 0
  // Whether the pair has been apart by more than rounding, so that coming near again is a contact.
  let parted = sweep.cut
  let clock = 0
  for (let round = 0; ; round++) {
    poseSpinSweep(sweep, clock)
    const frame = measurePair(clock)
    const { value } = separation
    if (round === 0 && !sweep.cut) out.startsNear = value <= 8 * state.error
    if (round === 0 && separation.relation <= 0 && (!leaving || sweep.cut)) return hit(frame, motionA, clock, 0, out)
    // Two half-planes that turn against each other meet at once.
    if (a.kind === HALFPLANE && sweep.a.spin !== sweep.b.spin) return hit(frame, motionA, clock, 0, out)
    const near = 4 * state.error
    const band = 16 * state.error
    setAxis(axis, sweep)
    let ending: number
    if (value > 2 * near) {
      parted = true
      ending = descend(near, Infinity, state.error, sweep.end - clock, Infinity)
    } else if (value < -0.5 * band) {
      // Sunk in: back to where the surfaces met.
      const back = axis.rate < 0 ? value / -axis.rate : 0
      return hit(frame, motionA, clock, Math.max(back, -clock), out)
    } else if (parted) {
      ending = descend(0.5 * state.error, 4 * near, 0.5 * state.error, sweep.end - clock, Infinity)
      if (ending === REACHED) {
        const reached = clock + axis.tau
        // Little has moved: the other axes cannot have opened.
        if (axis.tau * motionBound(sweep) <= band) return hit(frame, motionA, clock, closing(), out)
        poseSpinSweep(sweep, reached)
        measurePair(reached)
        if (separation.value <= near) {
          setAxis(axis, sweep)
          const closed = reached + closing()
          poseSpinSweep(sweep, closed)
          return hit(measurePair(closed), motionA, closed, 0, out)
        }
      }
    } else ending = leave(near, band, sweep.end - clock)
    if (ending === ENDED) return false
    const next = clock + axis.tau
    if (ending === EXHAUSTED || (next === clock && axis.tau > 0) || !takeStep(steps)) {
      hit(frame, motionA, clock, axis.tau, out)
      out.converged = false
      return true
    }
    clock = next
  }
}

/** Measures the pair as posed, and takes the axis of its nearest features. */
function measurePair(clock: number): PairFrame {
  const { a, b } = sweep
  const frame = separate(a.posed, b.posed, separation)
  const { face, nx, ny } = separation
  const { swapped, extent } = frame
  const sign = swapped ? -1 : 1
  state.error = frame.error + sweep.doubt + sweep.doubtRate * clock
  if (isCurved(a.posed) || isCurved(b.posed)) state.error += ELLIPSE_ERROR_RATIO * extent
  axis.nx = sign * nx
  axis.ny = sign * ny
  const owner = (face === 1) === swapped ? b : a
  axis.spin = face === 0 && a.posed.kind !== HALFPLANE ? 0 : owner.spin
  return frame
}

/**
 * Advances along the axis until the gap has closed to within `slack` over `level`, has risen over `ceiling`, or `limit`
 * is reached; `axis` stands where it ended. No rise over `watched` is passed unseen.
 */
function descend(level: number, ceiling: number, slack: number, limit: number, watched: number): number {
  for (;;) {
    const { gap, tau } = axis
    if (gap - level <= slack) return REACHED
    if (gap > ceiling) return RISEN
    if (!(tau < limit)) return ENDED
    if (!takeStep(steps)) return EXHAUSTED
    spend(2 + ((sweep.a.body.count + sweep.b.body.count) >> 1))
    const next = Math.min(limit, tau + certainStep(axis, level, limit - tau, watched))
    // The gap closes faster than time can be told.
    if (next === tau) return REACHED
    measureAxis(axis, sweep, next)
  }
}

/**
 * Follows a touch at the start along the axis of the nearest features; where the gap along that closes, along the axes of other edges
 * there too, of which each shows as well that nothing has sunk in: `axis` stands where the last of them ended.
 */
function leave(near: number, band: number, limit: number): number {
  const stay = (): number => {
    const { left } = steps
    steps.left = Math.min(left, STAY_STEP_COUNT)
    const ending = descend(-band, 4 * near, 0.25 * band, limit, 4 * near)
    steps.left += left - Math.min(left, STAY_STEP_COUNT)
    // Another axis may take fewer steps: that of a hinge does not move.
    return ending === EXHAUSTED && steps.left > 0 ? REACHED : ending
  }
  const pointA = axis.a.point
  const pointB = axis.b.point
  const first = stay()
  // Along no other axis is anything apart from a half-plane.
  if (first !== REACHED || sweep.a.body.kind === HALFPLANE || sweep.b.body.kind === HALFPLANE) return first
  let last = axis.tau
  for (const side of [-1, 1]) {
    const mover = side < 0 ? sweep.b : sweep.a
    const { count, normals, kind, numbers } = mover.posed
    if (kind !== POLYGON) continue
    const top = side < 0 ? pointB : pointA
    // Both edges at the corner, and at either end of an edge that is level.
    for (let k = 0; k < Math.min(count, 4); k++) {
      const edge = (top + 2 * count + k - 2) % count
      axis.nx = side * numbers[normals + 2 * edge]
      axis.ny = side * numbers[normals + 2 * edge + 1]
      axis.spin = mover.spin
      setAxis(axis, sweep)
      if (!(axis.gap > -0.5 * band)) continue
      const ending = stay()
      if (ending !== REACHED) return ending
      last = Math.max(last, axis.tau)
    }
  }
  axis.tau = last
  return REACHED
}

/**
 * When the gap, which is within rounding already, closes: Newton's method from where `axis` stands, which halves the way
 * to a touch that is tangential. A gap that stays open by less than rounding is taken where it is least.
 */
function closing(): number {
  const least = UNIT_ROUNDOFF * (state.error / SEPARATION_ERROR_RATIO)
  let { tau } = axis
  for (let round = 0; round < CLOSING_COUNT && axis.gap > least && axis.rate < 0; round++) {
    const { gap, rate, bend, a, b } = axis
    const step = gap / -rate
    const missed = 0.5 * (bend + a.bend + b.bend) * step * step
    if (missed <= least) return tau + step
    measureAxis(axis, sweep, tau + step)
    if (axis.gap > gap) break
    tau += step
  }
  return tau
}

/** Steps along one axis, after which others are tried for as long a touch in fewer. */
const STAY_STEP_COUNT = 256

/** Newton steps of a tangential touch: they halve a stretch of 2⁻²⁰ down to rounding. */
const CLOSING_COUNT = 32

/** Fills `out` for the moment `clock` + `tau`; the pair was last measured at `clock`, `tau` is short. */
function hit({ swapped }: PairFrame, motionA: Motion, clock: number, tau: number, out: SpinHit): boolean {
  const { a, b } = sweep
  const time = sweep.start + (clock + tau) / sweep.rate
  const fastest = Math.max(Math.abs(a.omega), Math.abs(b.omega))
  const sign = swapped ? -1 : 1
  const origin = swapped ? b.posed : a.posed
  const { body, armX, armY } = a
  const baseX = body.numbers[X] + (body.numbers[X_LOW] + (body.numbers[ANCHOR_X] - armX + motionA.vx * time))
  const baseY = body.numbers[Y] + (body.numbers[Y_LOW] + (body.numbers[ANCHOR_Y] - armY + motionA.vy * time))
  const { ax, ay, bx, by, featureA, featureB } = separation
  out.time = time
  out.nx = sign * separation.nx
  out.ny = sign * separation.ny
  out.ax = baseX + (origin.numbers[X] + (swapped ? bx : ax))
  out.ay = baseY + (origin.numbers[Y] + (swapped ? by : ay))
  out.bx = baseX + (origin.numbers[X] + (swapped ? ax : bx))
  out.by = baseY + (origin.numbers[Y] + (swapped ? ay : by))
  out.featureA = swapped ? featureB : featureA
  out.featureB = swapped ? featureA : featureB
  out.converged = fastest * Math.abs(time) * UNIT_ROUNDOFF <= CLOCK_DOUBT_RATIO
  return true
}
