/**
 * Time of impact without spin: convex pairs in closed form (`sweep/linear-sweep.ts`), composite ones by their leaves.
 * Frame: world; the normal points from A to B; times are seconds from the start.
 */

import { createLeafPair, nearestLeaves } from '../composite/leaf-pairs.ts'
import { separate, toWorld } from '../narrow-phase/dispatch.ts'
import { createSeparation, swapWitnesses } from '../narrow-phase/separation.ts'
import { type Body, createBody } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { type Motion, moveAlong } from '../shape/motion.ts'
import { isDeepAt } from '../sweep/deep-at.ts'
import { sweep } from '../sweep/linear-sweep.ts'
import { firstSqueeze } from '../sweep/squeeze.ts'
import {
  type CompositeSweep,
  endOfContact,
  firstLeafContact,
  type LeafContact,
  type LeafSpan,
  leafSpans,
  leafSpansFrom,
  penetrates,
  sweepLeaves,
} from '../sweep/sweep-composite.ts'
import { createSweep, type Sweep } from '../sweep/sweep-span.ts'
import { firstThinEntry } from '../sweep/thin-entry.ts'
import type { TimeOfImpact } from './impact.ts'

/** For the leaves of a contact that is that of the whole bodies at the start. */
const NO_LEAF = -1

const found = createSweep()
const separation = createSeparation()
const leafSlotA = createBody()
const leafSlotB = createBody()
const movedA = createBody()
const movedB = createBody()
const leaves = createLeafPair()
const earliest: LeafContact = { time: 0, leafA: 0, leafB: 0 }

/**
 * Two convex bodies. Sets everything but the contact of bodies that hit at the start, which is left to the caller.
 * `wantExit`: also find when they part.
 */
export function convexImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  out: TimeOfImpact,
): void {
  if (!sweep(a, motionA, b, motionB, duration, found)) return
  const { inside, enter, exits, leave } = found
  out.startedOverlapping = inside
  if (inside && ignoreSeparating && isSeparating(a, motionA, b, motionB, leave, duration)) return
  out.hit = true
  out.time = enter
  out.hasExit = exits
  out.exitTime = exits ? leave : 0
  if (!inside) setMeetingContact(a, motionA, b, motionB, found, out)
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
  const skin = side * body.radius
  out.ax = body.x + (body.vertices[2 * i] + (body.xLow + vx * s.enter + skin * s.nx))
  out.ay = body.y + (body.vertices[2 * i + 1] + (body.yLow + vy * s.enter + skin * s.ny))
}

/** The middle of what two parallel edges share. */
function putSharedPoint(a: Body, motionA: Motion, b: Body, motionB: Motion, s: Sweep, out: TimeOfImpact): void {
  const ux = -s.ny
  const uy = s.nx
  const dx = b.x - a.x + (b.xLow - a.xLow) + (motionB.vx - motionA.vx) * s.enter
  const dy = b.y - a.y + (b.yLow - a.yLow) + (motionB.vy - motionA.vy) * s.enter
  const base = ux * dx + uy * dy
  const a0 = ux * a.vertices[2 * s.a0] + uy * a.vertices[2 * s.a0 + 1]
  const a1 = ux * a.vertices[2 * s.a1] + uy * a.vertices[2 * s.a1 + 1]
  const b0 = base + ux * b.vertices[2 * s.b0] + uy * b.vertices[2 * s.b0 + 1]
  const b1 = base + ux * b.vertices[2 * s.b1] + uy * b.vertices[2 * s.b1 + 1]
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
  const firstX = toWorld(first.x, first.anchorX, separation.ax)
  const firstY = toWorld(first.y, first.anchorY, separation.ay)
  const secondX = toWorld(first.x, first.anchorX, separation.bx)
  const secondY = toWorld(first.y, first.anchorY, separation.by)
  out.ax = swapped ? secondX : firstX
  out.ay = swapped ? secondY : firstY
  out.bx = swapped ? firstX : secondX
  out.by = swapped ? firstY : secondY
}

/** The same for a pair of which at least one body is composite. */
export function compositeImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  wantExit: boolean,
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
  if (moves && wantExit) {
    const end = endOfContact(given, spans ?? leafSpansFrom(given, out.time), out.time)
    out.hasExit = end < Infinity
    out.exitTime = out.hasExit ? end : 0
  }
  if (found !== null && found.leafA !== NO_LEAF) setLeafContact(given, found, out)
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
  sweepLeaves(given, leafA, leafB, found)
  const first = leafBody(firstView, leafA, leafSlotA)
  const second = leafBody(secondView, leafB, leafSlotB)
  if (found.inside || found.enter !== time) {
    found.enter = time
    // Leaves that touch at the start: the sweep has no normal for them.
    measureContact(first, motionA, second, motionB, found, out)
    out.hasNormal = true
  } else setMeetingContact(first, motionA, second, motionB, found, out)
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
