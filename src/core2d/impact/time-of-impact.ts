/**
 * The time-of-impact query: when do two moving bodies first touch, where, and when do they part again.
 * Frame: the answer is in world coordinates; the normal points from A to B; times are seconds from the start.
 */

import { scaleNumbers } from '../../numeric/safe-range.ts'
import { isComposite } from '../composite/leaf-pairs.ts'
import { NO_FEATURE } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import type { Motion } from '../shape/motion.ts'
import { type MotionScale, scaleMover, setMotionScale } from '../shape/motion-scaling.ts'
import type { TimeOfImpact } from './impact.ts'
import { compositeImpact, convexImpact } from './impact-linear.ts'
import { spinImpact, turns } from './impact-spin.ts'
import { setStart } from './start-contact.ts'

const scale: MotionScale = { length: 0, time: 0, duration: 0 }

/**
 * Fills `out`. `duration` ≥ 0. `ignoreSeparating`: a pair that touches at the start without overlapping, and then moves
 * apart or slides along, has not hit.
 */
export function timeOfImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  out: TimeOfImpact,
): void {
  impact(a, motionA, b, motionB, duration, ignoreSeparating, 'exit', out)
}

/** How much is to be known of an impact: its time alone, also where and how the bodies touch, or also when they part again. */
export type Wanted = 'time' | 'contact' | 'exit'

/** The same; what is not wanted saves the time to find it. */
export function impact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  wanted: Wanted,
  out: TimeOfImpact,
): void {
  clear(out)
  if (setMotionScale(a, motionA, b, motionB, duration, scale)) {
    impactScaled(a, motionA, b, motionB, ignoreSeparating, wanted, out)
    return
  }
  impactAsGiven(a, motionA, b, motionB, duration, ignoreSeparating, wanted, out)
}

/** Asks for the impact in the units of `scale`. */
function impactScaled(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  ignoreSeparating: boolean,
  wanted: Wanted,
  out: TimeOfImpact,
): void {
  const { length, time, duration } = scale
  const first = scaleMover(a, motionA, scale)
  const second = scaleMover(b, motionB, scale)
  impactAsGiven(first.body, first.motion, second.body, second.motion, duration, ignoreSeparating, wanted, out)
  scaleNumbers(out, ['time', 'exitTime'], time)
  scaleNumbers(out, ['ax', 'ay', 'bx', 'by'], length)
}

function impactAsGiven(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  wanted: Wanted,
  out: TimeOfImpact,
): void {
  if (turns(a, motionA) || turns(b, motionB)) {
    spinImpact(a, motionA, b, motionB, duration, ignoreSeparating, wanted === 'exit', out)
  } else if (isComposite(a) || isComposite(b)) {
    compositeImpact(a, motionA, b, motionB, duration, ignoreSeparating, wanted === 'exit', out)
  } else convexImpact(a, motionA, b, motionB, duration, ignoreSeparating, out)
  if (wanted !== 'time' && out.hit && !out.hasNormal && out.startedOverlapping) setStart(a, b, out)
}

function clear(out: TimeOfImpact): void {
  out.hit = false
  out.time = 0
  out.hasNormal = false
  out.nx = 0
  out.ny = 0
  out.ax = 0
  out.ay = 0
  out.bx = 0
  out.by = 0
  out.featureA = NO_FEATURE
  out.featureB = NO_FEATURE
  out.partA = 0
  out.partB = 0
  out.hasExit = false
  out.exitTime = 0
  out.startedOverlapping = false
  out.converged = true
}
