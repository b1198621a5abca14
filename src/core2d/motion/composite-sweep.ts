/**
 * Linear sweep of two bodies of which at least one is composite.
 *
 * Method: first contact is the earliest of the leaf pairs' (`linear-sweep.ts`), found by walking both box trees with a
 * moving-box test. The contact lasts as long as the leaf pairs' spans follow each other without a gap; in a gap the bodies
 * still meet when a solid outline of one holds a part of the other.
 * Frame: world; the normal points from A to B.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import {
  type BoxMotion,
  leaveTime,
  setBoxMotion,
  visitLastingLeafPairs,
  visitMovingLeafPairs,
} from '../broad-phase/moving-boxes.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { holdsPart } from '../narrow-phase/holding.ts'
import type { CompositeFrame } from '../narrow-phase/leaf-pairs.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { type Body, createBody, isCurved, REACH } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import type { Motion } from '../shape/motion.ts'
import { moveBy } from '../shape/position.ts'
import { CURVE_GAP_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { createSweep, type Sweep, sweep } from './linear-sweep.ts'

/** The ordered pair and how its bodies move. */
export interface CompositeSweep {
  frame: CompositeFrame
  motionA: Motion
  motionB: Motion
  duration: number
}

/** A first contact, by the leaves of the ordered pair. */
export interface LeafContact {
  time: number
  leafA: number
  leafB: number
}

/** The time in which one leaf pair meets; `leave` is Infinity when that is beyond the duration. */
export interface LeafSpan {
  enter: number
  leave: number
  leafA: number
  leafB: number
}

/** Steps of sweeping one pair of leaves. */
const LEAF_STEPS = 8

const span = createSweep()
const leafSlotA = createBody()
const leafSlotB = createBody()
const boxMotion: BoxMotion = { dx: 0, dy: 0, vx: 0, vy: 0, slack: 0 }

/** How the boxes of the second body's leaves move past those of the first (module scratch: read it before the next call). */
export function setBoxesOf({ frame, motionA, motionB }: CompositeSweep): BoxMotion {
  setBoxMotion(boxMotion, frame.dx, frame.dy, motionB.vx - motionA.vx, motionB.vy - motionA.vy)
  return boxMotion
}

/** Earliest contact of any leaf pair within the duration, of bodies that are apart at the start. */
export function firstLeafContact(given: CompositeSweep, out: LeafContact): boolean {
  const { firstView, secondView } = given.frame
  setBoxesOf(given)
  out.time = Infinity
  let latest = given.duration
  visitMovingLeafPairs(firstView.tree, secondView.tree, boxMotion, latest, (leafA, leafB) => {
    if (sweepLeaves(given, leafA, leafB, span) && span.enter < out.time) {
      out.time = span.enter
      out.leafA = leafA
      out.leafB = leafB
      latest = span.enter
    }
    return latest
  })
  return out.time < Infinity
}

/** Sweep of one leaf pair over the whole duration. */
export function sweepLeaves(given: CompositeSweep, leafA: number, leafB: number, out: Sweep): boolean {
  spend(LEAF_STEPS)
  const { frame, motionA, motionB, duration } = given
  const a = leafBody(frame.firstView, leafA, leafSlotA)
  const b = leafBody(frame.secondView, leafB, leafSlotB)
  return sweep(a, motionA, b, motionB, duration, out)
}

/** Spans of all leaf pairs that meet within the duration, by their beginning. */
export function leafSpans(given: CompositeSweep): LeafSpan[] {
  const { firstView, secondView } = given.frame
  const { duration } = given
  const spans: LeafSpan[] = []
  setBoxesOf(given)
  visitMovingLeafPairs(firstView.tree, secondView.tree, boxMotion, duration, (leafA, leafB) => {
    if (sweepLeaves(given, leafA, leafB, span)) {
      spans.push({ enter: span.enter, leave: span.exits ? span.leave : Infinity, leafA, leafB })
    }
    return duration
  })
  return inOrder(spans)
}

/**
 * Of the same those that decide when the contact that exists at `start` ends: none that lies wholly within what others before
 * it cover without a gap.
 */
export function leafSpansFrom(given: CompositeSweep, start: number): LeafSpan[] {
  const { firstView, secondView } = given.frame
  const { duration } = given
  const spans: LeafSpan[] = []
  const cover = createCover(start, timeTolerance(given))
  setBoxesOf(given)
  visitLastingLeafPairs(
    firstView.tree,
    secondView.tree,
    boxMotion,
    duration,
    () => cover.end,
    (leafA, leafB) => {
      if (leaveTime(firstView.boxes, leafA, secondView.boxes, leafB, boxMotion, duration) < cover.end) return duration
      if (!sweepLeaves(given, leafA, leafB, span)) return duration
      const found = { enter: span.enter, leave: span.exits ? span.leave : Infinity, leafA, leafB }
      spans.push(found)
      addToCover(cover, found)
      return cover.end === Infinity ? -1 : duration
    },
  )
  return inOrder(spans)
}

function inOrder(spans: LeafSpan[]): LeafSpan[] {
  spend(spans.length * Math.ceil(Math.log2(spans.length + 1)))
  return spans.sort((p, q) => p.enter - q.enter || p.leafA - q.leafA || p.leafB - q.leafB)
}

/** The time from an instant on that spans cover without a gap. */
interface Cover {
  end: number
  tolerance: number
  /** Spans beyond the end, and when the first of them begins. */
  waiting: LeafSpan[]
  next: number
}

function createCover(start: number, tolerance: number): Cover {
  return { end: start, tolerance, waiting: [], next: Infinity }
}

function addToCover(cover: Cover, span: LeafSpan): void {
  if (span.leave <= cover.end) return
  if (span.enter > cover.end + cover.tolerance) {
    cover.waiting.push(span)
    cover.next = Math.min(cover.next, span.enter)
    return
  }
  cover.end = span.leave
  while (cover.waiting.length > 0 && cover.next <= cover.end + cover.tolerance) takeWaiting(cover)
}

/** Adds those that the end has come to. */
function takeWaiting(cover: Cover): void {
  const reach = cover.end + cover.tolerance
  spend(cover.waiting.length >> 2)
  for (const { enter, leave } of cover.waiting) if (enter <= reach) cover.end = Math.max(cover.end, leave)
  cover.waiting = cover.waiting.filter(({ enter }) => enter > reach)
  cover.next = Infinity
  for (const { enter } of cover.waiting) cover.next = Math.min(cover.next, enter)
}

/** When the contact that exists at `start` ends; Infinity when it lasts beyond the duration. */
export function endOfContact(given: CompositeSweep, spans: readonly LeafSpan[], start: number): number {
  const { duration } = given
  const tolerance = timeTolerance(given)
  let end = start
  for (const { enter, leave } of spans) {
    if (leave < end) continue
    if (enter > end + tolerance) {
      if (!isHeld(given, (end + Math.min(enter, duration)) / 2)) return end
      end = enter
    }
    end = Math.max(end, leave)
    if (end === Infinity) return end
  }
  if (end >= duration) return end
  return isHeld(given, (end + duration) / 2) ? Infinity : end
}

/** How far apart in time two spans may come out that meet at one instant. */
export function timeTolerance({ frame, motionA, motionB, duration }: CompositeSweep): number {
  const { first, second, dx, dy } = frame
  const speed = Math.hypot(motionB.vx - motionA.vx, motionB.vy - motionA.vy)
  const extent = Math.abs(dx) + Math.abs(dy) + Math.min(first.numbers[REACH], second.numbers[REACH])
  return Math.min(SEPARATION_ERROR_RATIO * (extent / speed + duration), duration)
}

/** Whether at time t, when no leaves meet, a solid outline of one body holds a part of the other. */
function isHeld({ frame, motionA, motionB }: CompositeSweep, t: number): boolean {
  const { first, second, firstView, secondView, dx, dy } = frame
  const x = dx + t * (motionB.vx - motionA.vx)
  const y = dy + t * (motionB.vy - motionA.vy)
  return holdsPart({ body: first, view: firstView, turn: 0 }, { body: second, view: secondView, turn: 0 }, x, y)
}

/** Whether the leaves, which meet from `enter` to `leave`, ever penetrate each other: their gap is convex in time. */
export function penetrates(given: CompositeSweep, { enter, leave, leafA, leafB }: LeafSpan): boolean {
  const { frame, motionA, motionB, duration } = given
  spend(LEAF_STEPS)
  const middle = enter + (Math.min(leave, duration) - enter) / 2
  const a = leafBody(frame.firstView, leafA, leafSlotA)
  const b = leafBody(frame.secondView, leafB, leafSlotB)
  return isDeepAt(a, motionA, b, motionB, middle)
}

// Whether two convex bodies that meet on their way overlap there, or only touch but for rounding. Frame: world.

const depthSeparation = createSeparation()
const movedA = createBody()
const movedB = createBody()

/** Whether the bodies overlap at time t by more than rounding of the way and of the depth; `isStrict`: or at all. */
export function isDeepAt(a: Body, motionA: Motion, b: Body, motionB: Motion, t: number, isStrict = false): boolean {
  const ax = t * motionA.vx
  const ay = t * motionA.vy
  const bx = t * motionB.vx
  const by = t * motionB.vy
  const { error, extent } = separate(moveBy(a, ax, ay, movedA), moveBy(b, bx, by, movedB), depthSeparation)
  if (depthSeparation.relation >= 0 || isStrict) return depthSeparation.relation < 0
  const way = Math.abs(ax) + Math.abs(ay) + Math.abs(bx) + Math.abs(by)
  const curve = isCurved(a) || isCurved(b) ? CURVE_GAP_RATIO * extent : 0
  return depthSeparation.value < -(2 * error + 4 * UNIT_ROUNDOFF * way + curve)
}
