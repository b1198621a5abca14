/**
 * When two bodies that meet part again, of which at least one is composite and at least one spins.
 *
 * Method: the bodies meet as long as some leaf pair does, so the time moves on from the exit of one leaf pair to that of
 * another that meets then (`spin-exit.ts`). When no leaf pair does, a part may still lie wholly in a solid outline
 * of the other body; it stays there until leaves meet again, which the sweep finds.
 * Frame: as `composite-spin-sweep.ts`.
 */
import { sharedSteps, shareSteps, takeSharedStep } from '../../numeric/step-budget.ts'
import { holdsPart } from '../composite/holding.ts'
import { type Body, createBody } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import type { Motion } from '../shape/motion.ts'
import { orderSpinPair, type SpinPair, separationAt, sweepPair, touchingDistance } from './composite-spin-sweep.ts'
import { setSlab, visitSlabPairs } from './slab-boxes.ts'
import { createSpinExit, exitSpin, type SpinExit } from './spin-exit.ts'
import { createSpinHit } from './spin-sweep.ts'

const leafSlotA = createBody()
const leafSlotB = createBody()
const found = createSpinExit()
const next = createSpinHit()

/** As `exitSpin`, for whole bodies of any kind. */
export function exitSpinComposite(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  from: number,
  to: number,
  out: SpinExit,
): boolean {
  return shareSteps(() => exitOfPair(orderSpinPair(a, motionA, b, motionB), from, to, out))
}

function exitOfPair(pair: SpinPair, from: number, to: number, out: SpinExit): boolean {
  out.converged = true
  let t = from
  while (sharedSteps() > 0) {
    takeSharedStep()
    const latest = lastExit(pair, t, to, out)
    if (latest === Infinity) return false
    // Leaf pairs that part at once hold nothing; rounding must not make them a stairway.
    if (latest > t + instant(pair, t)) {
      t = latest
      continue
    }
    const again = sweepPair(pair, t, to, true, next)
    // In an instant of a slow spin all the time may pass.
    const until = again ? Math.min(Math.max(next.time, t + instant(pair, t)), to) : to
    if (!isHeld(pair, t + (until - t) / 2)) {
      out.time = t
      return true
    }
    if (!(until < to)) return false
    t = until
  }
  out.time = t
  out.converged = false
  return true
}

/** In how much time a point of the pair moves by what counts as touching. */
function instant(pair: SpinPair, t: number): number {
  const { vx, vy, spinA, spinB, reachA, reachB } = pair
  const turning = (spinA === 0 ? 0 : Math.abs(spinA) * reachA) + (spinB === 0 ? 0 : Math.abs(spinB) * reachB)
  return (4 * touchingDistance(pair, t)) / (Math.abs(vx) + Math.abs(vy) + turning)
}

/** Latest exit of the leaf pairs that meet at time t; t when none does, Infinity when one meets to the end. */
function lastExit(pair: SpinPair, t: number, to: number, out: SpinExit): number {
  const { first, second, viewA, viewB, motionA, motionB } = pair
  let latest = t
  setSlab(pair, t, t)
  visitSlabPairs(pair, (leafA, leafB) => {
    // What is apart when the latest of the others parts has parted before that.
    if (latest > t && separationAt(pair, leafA, leafB, latest) > touchingDistance(pair, latest)) return true
    if (separationAt(pair, leafA, leafB, t) > touchingDistance(pair, t)) return true
    const a = leafBody(viewA, leafA, leafSlotA)
    const b = leafBody(viewB, leafB, leafSlotB)
    const parts = exitSpin(a, motionA, first, b, motionB, second, t, to, found)
    out.converged &&= found.converged
    latest = parts ? Math.max(latest, found.time) : Infinity
    return parts
  })
  return latest
}

/** Whether at time t, when no leaves meet, a solid outline of one body holds a part of the other. */
function isHeld({ first, second, viewA, viewB, spinA, spinB, dx, dy, vx, vy }: SpinPair, t: number): boolean {
  const a = { body: first, view: viewA, turn: spinA * t }
  const b = { body: second, view: viewB, turn: spinB * t }
  return holdsPart(a, b, dx + vx * t, dy + vy * t)
}
