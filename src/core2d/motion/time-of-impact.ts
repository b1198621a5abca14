/**
 * The time-of-impact query: when do two moving bodies first touch, where, and when do they part again.
 * Frame: the answer is in world coordinates; the normal points from A to B; times are seconds from the start.
 */

import type { Want } from '../../core/want.ts'
import { scaleNumbers } from '../../numeric/safe-range.ts'
import { NO_FEATURE } from '../feature.ts'
import { separate, toWorld } from '../narrow-phase/dispatch.ts'
import { createLeafPair, nearestLeaves } from '../narrow-phase/leaf-pairs.ts'
import { createSeparation, swapWitnesses, type Witnesses } from '../narrow-phase/separation.ts'
import { contact, createContact } from '../queries/contact.ts'
import { createOverlap, overlap, relate } from '../queries/overlap.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  COMPOSITE,
  type Composite,
  createBody,
  isComposite,
  RADIUS,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { isMovedBySpin, type Motion, type MotionScale, moveAlong, scaleMover, setMotionScale } from '../shape/motion.ts'
import { exitSpinComposite, sweepSpinComposite } from './composite-spin-sweep.ts'
import {
  type CompositeSweep,
  endOfContact,
  firstLeafContact,
  isDeepAt,
  type LeafContact,
  type LeafSpan,
  leafSpans,
  leafSpansFrom,
  penetrates,
  sweepLeaves,
} from './composite-sweep.ts'
import { createSweep, type Sweep, sweep } from './linear-sweep.ts'
import { createSpinExit, exitSpin } from './spin-exit.ts'
import { createSpinHit, sweepSpin } from './spin-sweep.ts'
import { firstSqueeze } from './squeeze.ts'
import { firstThinEntry } from './thin-entry.ts'
import { enterSpinComposite } from './thin-spin-entry.ts'

const scale: MotionScale = { length: 0, time: 0, duration: 0 }

/**
 * Fills `out` with what is wanted; what is not is left as an answer without a hit has it. `duration` ≥ 0. `ignoreSeparating`: a pair
 * that touches at the start without overlapping, and then moves apart or slides along, has not hit.
 */
export function timeOfImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
): void {
  clear(out)
  if (setMotionScale(a, motionA, b, motionB, duration, scale)) {
    impactScaled(a, motionA, b, motionB, ignoreSeparating, want, out)
    return
  }
  impactAsGiven(a, motionA, b, motionB, duration, ignoreSeparating, want, out)
}

/** Asks for the impact in the units of `scale`. */
function impactScaled(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
): void {
  const { length, time, duration } = scale
  const first = scaleMover(a, motionA, scale)
  const second = scaleMover(b, motionB, scale)
  impactAsGiven(first.body, first.motion, second.body, second.motion, duration, ignoreSeparating, want, out)
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
  want: Want,
  out: TimeOfImpact,
): void {
  if (turns(a, motionA) || turns(b, motionB)) {
    spinImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, out)
  } else if (isComposite(a) || isComposite(b)) {
    compositeImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, out)
  } else convexImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, out)
  if (want !== 'time' && out.hit && !out.hasNormal && out.startedOverlapping) setStart(a, b, out)
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

// Time of impact where at least one body turns: conservative advancement (`spin-sweep.ts`,
// `composite-spin-sweep.ts`).
// Frame: world; the normal points from A to B; times are seconds from the start.

const found = createSpinHit()
const entry = createSpinHit()
const exit = createSpinExit()

/** Whether the body's spin moves any of its points. */
function turns(body: Body, { spin }: Motion): boolean {
  return spin !== 0 && isMovedBySpin(body, body)
}

/** Sets everything but the contact of bodies that hit at the start, which is left to the caller. */
function spinImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
): void {
  const composite = a.kind === COMPOSITE || b.kind === COMPOSITE
  const started = composite
    ? compositeSpinImpact(a, motionA, b, motionB, duration, ignoreSeparating, out)
    : convexSpinImpact(a, motionA, b, motionB, duration, ignoreSeparating, out)
  if (!out.hit) return
  if (!started) setHit(a, b, want, out)
  if (want !== 'exit' || !out.converged || duration === 0) return
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

/** Impact of convex bodies that turn: only where the sweep finds them near at the start, their relation is decided exactly. */
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

function setHit(a: Body, b: Body, want: Want, out: TimeOfImpact): void {
  out.time = found.time
  out.converged = found.converged
  if (want === 'time') return
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
}

function partOf({ kind, composite }: Body, leaf: number): number {
  return kind === COMPOSITE ? (composite as Composite).leafPart[leaf] : 0
}

// Time of impact without spin: convex pairs in closed form (`linear-sweep.ts`), composite ones by their leaves.
// Frame: world; the normal points from A to B; times are seconds from the start.

/** For the leaves of a contact that is that of the whole bodies at the start. */
const NO_LEAF = -1

const sweepFound = createSweep()
const separation = createSeparation()
const leafSlotA = createBody()
const leafSlotB = createBody()
const movedA = createBody()
const movedB = createBody()
const leaves = createLeafPair()
const earliest: LeafContact = { time: 0, leafA: 0, leafB: 0 }

/** Two convex bodies. Sets everything but the contact of bodies that hit at the start, which is left to the caller. */
function convexImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
): void {
  if (!sweep(a, motionA, b, motionB, duration, sweepFound)) return
  const { inside, enter, exits, leave } = sweepFound
  out.startedOverlapping = inside
  if (inside && ignoreSeparating && isSeparating(a, motionA, b, motionB, leave, duration)) return
  out.hit = true
  out.time = enter
  if (want === 'time') return
  if (want === 'exit' && exits) {
    out.hasExit = true
    out.exitTime = leave
  }
  if (!inside) setMeetingContact(a, motionA, b, motionB, sweepFound, out)
}

/** Whether bodies that meet at the start only touch then, and never overlap until they part at `leave`. */
function isSeparating(a: Body, motionA: Motion, b: Body, motionB: Motion, leave: number, duration: number): boolean {
  separate(a, b, separation)
  if (separation.relation < 0) return false
  const middle = Math.min(leave, duration) / 2
  if (middle === 0) return true
  return !isDeepAt(a, motionA, b, motionB, middle)
}

/** Contact of bodies that touch at `s.enter`: one point of both. */
export function setMeetingContact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  s: Sweep,
  out: TimeOfImpact,
): void {
  if (s.a0 < 0) measureContact(a, motionA, b, motionB, s, out)
  else {
    // A vertex, with the skin around it, touches there; of two edges, what they share.
    if (s.a0 === s.a1) putPoint(a, motionA, s.a0, 1, s, out)
    else if (s.b0 === s.b1) putPoint(b, motionB, s.b0, -1, s, out)
    else putSharedPoint(a, motionA, b, motionB, s, out)
    out.bx = out.ax
    out.by = out.ay
  }
  out.hasNormal = s.nx !== 0 || s.ny !== 0
  out.nx = s.nx
  out.ny = s.ny
  out.featureA = s.featureA
  out.featureB = s.featureB
}

/** Surface point over core point i, `side` times along the normal. */
function putPoint(body: Body, { vx, vy }: Motion, i: number, side: number, s: Sweep, out: TimeOfImpact): void {
  const skin = side * body.numbers[RADIUS]
  out.ax = body.numbers[X] + (body.numbers[body.vertices + 2 * i] + (body.numbers[X_LOW] + vx * s.enter + skin * s.nx))
  out.ay =
    body.numbers[Y] + (body.numbers[body.vertices + 2 * i + 1] + (body.numbers[Y_LOW] + vy * s.enter + skin * s.ny))
}

/** The middle of what two parallel edges share. */
function putSharedPoint(a: Body, motionA: Motion, b: Body, motionB: Motion, s: Sweep, out: TimeOfImpact): void {
  const ux = -s.ny
  const uy = s.nx
  const dx = b.numbers[X] - a.numbers[X] + (b.numbers[X_LOW] - a.numbers[X_LOW]) + (motionB.vx - motionA.vx) * s.enter
  const dy = b.numbers[Y] - a.numbers[Y] + (b.numbers[Y_LOW] - a.numbers[Y_LOW]) + (motionB.vy - motionA.vy) * s.enter
  const base = ux * dx + uy * dy
  const a0 = ux * a.numbers[a.vertices + 2 * s.a0] + uy * a.numbers[a.vertices + 2 * s.a0 + 1]
  const a1 = ux * a.numbers[a.vertices + 2 * s.a1] + uy * a.numbers[a.vertices + 2 * s.a1 + 1]
  const b0 = base + ux * b.numbers[b.vertices + 2 * s.b0] + uy * b.numbers[b.vertices + 2 * s.b0 + 1]
  const b1 = base + ux * b.numbers[b.vertices + 2 * s.b1] + uy * b.numbers[b.vertices + 2 * s.b1 + 1]
  const low = Math.max(Math.min(a0, a1), Math.min(b0, b1))
  const high = Math.min(Math.max(a0, a1), Math.max(b0, b1))
  const past = (low + high) / 2 - a0
  putPoint(a, motionA, s.a0, 1, s, out)
  out.ax += past * ux
  out.ay += past * uy
}

/** Everything as the pair's separation at that instant has it. */
function measureContact(a: Body, motionA: Motion, b: Body, motionB: Motion, s: Sweep, out: TimeOfImpact): void {
  const t = s.enter
  const { first, swapped } = separate(moveAlong(a, motionA, t, movedA), moveAlong(b, motionB, t, movedB), separation)
  const side = swapped ? -1 : 1
  out.nx = side * separation.nx
  out.ny = side * separation.ny
  out.featureA = swapped ? separation.featureB : separation.featureA
  out.featureB = swapped ? separation.featureA : separation.featureB
  const firstX = toWorld(first.numbers[X], first.numbers[ANCHOR_X], separation.ax)
  const firstY = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], separation.ay)
  const secondX = toWorld(first.numbers[X], first.numbers[ANCHOR_X], separation.bx)
  const secondY = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], separation.by)
  out.ax = swapped ? secondX : firstX
  out.ay = swapped ? secondY : firstY
  out.bx = swapped ? firstX : secondX
  out.by = swapped ? firstY : secondY
}

/** Impact without spin of a pair of which at least one body is composite. */
function compositeImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
): void {
  const frame = nearestLeaves(a, b, leaves)
  const { swapped } = frame
  const given: CompositeSweep = {
    frame,
    motionA: swapped ? motionB : motionA,
    motionB: swapped ? motionA : motionB,
    duration,
  }
  const moves = duration > 0 && (motionA.vx !== motionB.vx || motionA.vy !== motionB.vy)
  out.startedOverlapping = leaves.relation <= 0
  let found: LeafContact | null = null
  let spans: LeafSpan[] | null = null
  if (!out.startedOverlapping) {
    if (!moves || !firstLeafContact(given, earliest)) return
    found = earliest
  } else if (ignoreSeparating && leaves.relation === 0) {
    if (!moves) return
    spans = leafSpans(given)
    found = firstAfterTouching(given, spans)
    if (found === null) return
  }
  out.hit = true
  out.time = found === null ? 0 : found.time
  if (moves && want === 'exit') {
    const end = endOfContact(given, spans ?? leafSpansFrom(given, out.time), out.time)
    out.hasExit = end < Infinity
    out.exitTime = out.hasExit ? end : 0
  }
  if (want !== 'time' && found !== null && found.leafA !== NO_LEAF) setLeafContact(given, found, out)
}

/**
 * First contact after a touch at the start that is let pass: the first penetration, or the first touch once the bodies
 * have parted. The contact of what goes in at the start without penetrating a leaf, between two edges or into a seam, is left to
 * the caller.
 */
function firstAfterTouching(given: CompositeSweep, spans: readonly LeafSpan[]): LeafContact | null {
  const parted = endOfContact(given, spans, 0)
  const span = spans.find((span) => span.enter > parted || penetrates(given, span))
  const latest = Math.min(parted, span?.enter ?? Infinity)
  const thin = firstThinEntry(given, spans, latest)
  const squeeze = firstSqueeze(given, Math.min(latest, thin?.time ?? Infinity, given.duration))
  const slip = squeeze !== null && (thin === null || squeeze.time < thin.time) ? squeeze : thin
  if (slip !== null && (span === undefined || slip.time < span.enter)) {
    return slip.time > 0 ? slip : { ...slip, leafA: NO_LEAF, leafB: NO_LEAF }
  }
  if (span === undefined) return null
  return { time: span.enter, leafA: span.leafA, leafB: span.leafB }
}

function setLeafContact(given: CompositeSweep, { time, leafA, leafB }: LeafContact, out: TimeOfImpact): void {
  const { frame, motionA, motionB } = given
  const { firstView, secondView, swapped } = frame
  sweepLeaves(given, leafA, leafB, sweepFound)
  const first = leafBody(firstView, leafA, leafSlotA)
  const second = leafBody(secondView, leafB, leafSlotB)
  if (sweepFound.inside || sweepFound.enter !== time) {
    sweepFound.enter = time
    // Leaves that touch at the start: the sweep has no normal for them.
    measureContact(first, motionA, second, motionB, sweepFound, out)
    out.hasNormal = true
  } else setMeetingContact(first, motionA, second, motionB, sweepFound, out)
  out.partA = firstView.leafPart[leafA]
  out.partB = secondView.leafPart[leafB]
  if (swapped) swapRoles(out)
}

function swapRoles(out: TimeOfImpact): void {
  const { partA } = out
  swapWitnesses(out)
  out.partA = out.partB
  out.partB = partA
}

// Where and how bodies touch that meet at the start of their motion. Frame: world; the normal points from A to B.

const contactFound = createContact()
const overlapFound = createOverlap()

/** Normal, features and points of bodies that meet at the start, from their contact. */
export function setStart(a: Body, b: Body, out: TimeOfImpact): void {
  contact(a, b, 0, contactFound, false)
  const { hasNormal, nx, ny, count, points } = contactFound
  out.hasNormal = hasNormal
  out.nx = nx
  out.ny = ny
  if (count === 0) {
    overlap(a, b, overlapFound)
    out.ax = overlapFound.px
    out.ay = overlapFound.py
    out.bx = out.ax
    out.by = out.ay
    return
  }
  // The deeper one; the point lies midway between the surfaces.
  const point = count === 2 && points[1].separation < points[0].separation ? points[1] : points[0]
  const half = point.separation / 2
  out.ax = point.x - nx * half
  out.ay = point.y - ny * half
  out.bx = point.x + nx * half
  out.by = point.y + ny * half
  out.featureA = point.featureA
  out.featureB = point.featureB
  out.partA = point.partA
  out.partB = point.partB
}

/** The answer of a time-of-impact query. The witnesses are those at `time`; while the bodies overlap at the start, those of their contact. */
export interface TimeOfImpact extends Witnesses {
  hit: boolean
  time: number
  hasNormal: boolean
  /** Parts of composites that the features belong to; 0 for convex bodies. */
  partA: number
  partB: number
  /** First later instant at which the two part, within the duration. */
  hasExit: boolean
  exitTime: number
  /** They meet (touching included) at the start. */
  startedOverlapping: boolean
  /** False when the iteration limit was reached: `time` is then a moment before which there is no contact, or `exitTime` one before which they do not part. */
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
