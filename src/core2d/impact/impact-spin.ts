/**
 * Time of impact where at least one body turns: conservative advancement (`spin/spin-sweep.ts`,
 * `spin/composite-spin-sweep.ts`).
 * Frame: world; the normal points from A to B; times are seconds from the start.
 */

import { relate } from '../pair-queries/overlap.ts'
import { type Body, COMPOSITE, type Composite } from '../shape/body.ts'
import { isMovedBySpin, type Motion } from '../shape/motion.ts'
import { exitSpinComposite } from '../spin/composite-spin-exit.ts'
import { sweepSpinComposite } from '../spin/composite-spin-sweep.ts'
import { createSpinExit, exitSpin } from '../spin/spin-exit.ts'
import { createSpinHit, sweepSpin } from '../spin/spin-sweep.ts'
import { enterSpinComposite } from '../spin/thin-spin-entry.ts'
import type { TimeOfImpact } from './impact.ts'

const found = createSpinHit()
const entry = createSpinHit()
const exit = createSpinExit()

/** Whether the body's spin moves any of its points. */
export function turns(body: Body, { spin }: Motion): boolean {
  return spin !== 0 && isMovedBySpin(body, body)
}

/** Sets everything but the contact of bodies that hit at the start, which is left to the caller. */
export function spinImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  wantExit: boolean,
  out: TimeOfImpact,
): void {
  const composite = a.kind === COMPOSITE || b.kind === COMPOSITE
  const started = composite
    ? compositeSpinImpact(a, motionA, b, motionB, duration, ignoreSeparating, out)
    : convexSpinImpact(a, motionA, b, motionB, duration, ignoreSeparating, out)
  if (!out.hit) return
  if (!started) setHit(a, b, out)
  if (!wantExit || !out.converged || duration === 0) return
  exit.converged = true
  out.hasExit = composite
    ? exitSpinComposite(a, motionA, b, motionB, out.time, duration, exit)
    : exitSpin(a, motionA, a, b, motionB, b, out.time, duration, exit)
  if (out.hasExit) out.exitTime = exit.time
  out.converged = exit.converged
}

/** Sets `hit` and `startedOverlapping`, and `found` unless it returns true: then the hit is the start itself. */
function compositeSpinImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  out: TimeOfImpact,
): boolean {
  const relation = relate(a, b)
  out.startedOverlapping = relation <= 0
  out.hit = relation < 0 || (relation === 0 && !ignoreSeparating)
  if (out.hit) return true
  // Leaves that rounding leaves in contact are let go as well: that the bodies are apart has been decided exactly.
  out.hit = sweepSpinComposite(a, motionA, b, motionB, 0, duration, true, found)
  const latest = out.hit ? found.time : duration
  if (!enterSpinComposite(a, motionA, b, motionB, latest, entry) || (out.hit && entry.time >= latest)) return false
  out.hit = true
  Object.assign(found, entry)
  return relation === 0 && entry.time === 0
}

/** The same for convex bodies: only where the sweep finds them near at the start, their relation is decided exactly. */
function convexSpinImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  out: TimeOfImpact,
): boolean {
  out.hit = sweepSpin(a, motionA, a, b, motionB, b, 0, duration, false, found)
  if (!found.startsNear) return false
  const relation = relate(a, b)
  out.startedOverlapping = relation <= 0
  out.hit = relation < 0 || (relation === 0 && !ignoreSeparating)
  if (out.hit) return true
  // Apart by less than rounding, or let go: no contact until it has opened or sinks in.
  out.hit = sweepSpin(a, motionA, a, b, motionB, b, 0, duration, true, found)
  return false
}

function setHit(a: Body, b: Body, out: TimeOfImpact): void {
  out.time = found.time
  out.nx = found.nx
  out.ny = found.ny
  out.hasNormal = found.nx !== 0 || found.ny !== 0
  out.ax = found.ax
  out.ay = found.ay
  out.bx = found.bx
  out.by = found.by
  out.featureA = found.featureA
  out.featureB = found.featureB
  out.partA = partOf(a, found.leafA)
  out.partB = partOf(b, found.leafB)
  out.converged = found.converged
}

function partOf({ kind, composite }: Body, leaf: number): number {
  return kind === COMPOSITE ? (composite as Composite).leafPart[leaf] : 0
}
