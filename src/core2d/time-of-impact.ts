/**
 * The time-of-impact query: when do two moving bodies first touch, where, and when do they part again.
 * Frame: the answer is in world coordinates; the normal points from A to B; times are seconds from the start.
 */
import { type Body, createBody } from './body.ts'
import { type FeatureCode, NO_FEATURE } from './feature.ts'
import type { Motion } from './motion.ts'
import { separate, toWorld } from './pair.ts'
import { createSeparation } from './separation.ts'
import { createSweep, sweep } from './sweep.ts'

export interface TimeOfImpact {
  hit: boolean
  time: number
  hasNormal: boolean
  nx: number
  ny: number
  /** Nearest surface points of A and B at `time`; while they overlap at the start, those of the contact. */
  ax: number
  ay: number
  bx: number
  by: number
  featureA: FeatureCode
  featureB: FeatureCode
  /** Parts of composites that the features belong to; 0 for convex bodies. */
  partA: number
  partB: number
  /** First later instant at which the two part, within the duration. */
  hasExit: boolean
  exitTime: number
  /** They meet (touching included) at the start. */
  startedOverlapping: boolean
  /** False when the iteration limit was reached: `time` is then a moment before which there is no contact. */
  converged: boolean
}

export function createTimeOfImpact(): TimeOfImpact {
  return {
    hit: false,
    time: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    ax: 0,
    ay: 0,
    bx: 0,
    by: 0,
    featureA: NO_FEATURE,
    featureB: NO_FEATURE,
    partA: 0,
    partB: 0,
    hasExit: false,
    exitTime: 0,
    startedOverlapping: false,
    converged: true,
  }
}

const sweepFound = createSweep()
const separation = createSeparation()
const movedA = createBody()
const movedB = createBody()

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
  clear(out)
  linear(a, motionA, b, motionB, duration, ignoreSeparating, out)
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

function linear(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  out: TimeOfImpact,
): void {
  if (!sweep(a, motionA, b, motionB, duration, sweepFound)) return
  const { inside, enter, exits, leave } = sweepFound
  out.startedOverlapping = inside
  if (inside && ignoreSeparating && isSeparating(a, motionA, b, motionB, leave, duration)) return
  out.hit = true
  out.time = enter
  out.hasExit = exits
  out.exitTime = exits ? leave : 0
  measureAt(a, motionA, b, motionB, enter, out)
  if (inside) return
  // The difference knows the normal at a touch better than a measurement there.
  out.hasNormal = true
  out.nx = sweepFound.nx
  out.ny = sweepFound.ny
  out.featureA = sweepFound.featureA
  out.featureB = sweepFound.featureB
}

/** Normal, features and witness points of the pair at time t. */
function measureAt(a: Body, motionA: Motion, b: Body, motionB: Motion, t: number, out: TimeOfImpact): void {
  const { first, second, swapped } = separate(moveTo(a, motionA, t, movedA), moveTo(b, motionB, t, movedB), separation)
  const side = swapped ? -1 : 1
  out.nx = side * separation.nx
  out.ny = side * separation.ny
  out.hasNormal = out.nx !== 0 || out.ny !== 0
  const firstX = toWorld(first.x, first.anchorX, separation.ax)
  const firstY = toWorld(first.y, first.anchorY, separation.ay)
  const secondX = toWorld(first.x, first.anchorX, separation.bx)
  const secondY = toWorld(first.y, first.anchorY, separation.by)
  out.ax = swapped ? secondX : firstX
  out.ay = swapped ? secondY : firstY
  out.bx = swapped ? firstX : secondX
  out.by = swapped ? firstY : secondY
  out.featureA = swapped ? separation.featureB : separation.featureA
  out.featureB = swapped ? separation.featureA : separation.featureB
  void second
}

/** The body as it stands at time t, unturned; shares its arrays. */
function moveTo(body: Body, { vx, vy }: Motion, t: number, slot: Body): Body {
  if (t === 0 || (vx === 0 && vy === 0)) return body
  Object.assign(slot, body)
  slot.x = body.x + t * vx
  slot.y = body.y + t * vy
  return slot
}

/** Whether bodies that meet at the start only touch then, and never overlap until they part at `leave`. */
function isSeparating(a: Body, motionA: Motion, b: Body, motionB: Motion, leave: number, duration: number): boolean {
  separate(a, b, separation)
  if (separation.relation < 0) return false
  const middle = Math.min(leave, duration) / 2
  if (middle === 0) return true
  const { error } = separate(moveTo(a, motionA, middle, movedA), moveTo(b, motionB, middle, movedB), separation)
  return separation.value >= -2 * error
}
