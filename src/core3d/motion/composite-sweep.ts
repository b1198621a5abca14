/**
 * Time of impact of two bodies of which at least one is composite.
 *
 * Method: the first contact is the earliest of those of the leaf pairs (`time-of-impact.ts`). Both trees give these pairs by the times at
 * which their boxes meet, or, where bodies turn, by slabs of time (`composite-spin-sweep.ts`). Each pair is swept over the whole duration,
 * so that its time does not depend on what was found before. Of the pairs that touch at one instant the answer names one with the normal
 * of a face, which a seam between triangles does not have, and of several such the one most squarely met. Bodies that touch at the start and are to be let go hit where a leaf pair goes into each other: one that slides
 * over level triangles passes their seams.
 * Frame: world; the normal points from the caller's first body to its second.
 */

import { spend } from '../../containers/budget.ts'
import type { Want } from '../../core/want.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, vectorLength3d } from '../../numeric/safe-range.ts'
import { exitAlong } from '../narrow-phase/composite-exit.ts'
import { normalOf } from '../narrow-phase/composite-interiors.ts'
import {
  createCompositeFrame,
  gapMeasure,
  leafOf,
  type Measure,
  orderComposites,
  visitLeafPairs,
} from '../narrow-phase/composite-walk.ts'
import { orderPair } from '../narrow-phase/pair-frame.ts'
import { partAtCorner } from '../narrow-phase/shared-corner.ts'
import { compareNames } from '../queries/composite-points.ts'
import { type Body, HALFSPACE, UNIT, type Vector } from '../shape/body.ts'
import type { Motion } from '../shape/motion.ts'
import { INSTANT_RATIO, LEAF_SWEEP_STEP_COUNT, SAME_NORMAL_RATIO } from '../tolerances.ts'
import { spinExit } from './composite-spin-exit.ts'
import {
  anyTurns,
  poseLeaves,
  sinkAfter,
  type TurningPair,
  turningLeaf,
  visitTurningPairs,
} from './composite-spin-sweep.ts'
import type { TimeOfImpact } from './impact.ts'
import { sinksIn } from './linear-sweep.ts'
import { movingPair } from './moving-pair.ts'

/** Sets everything about two convex bodies; `from`: a time from which on alone they are looked at, and then only when they meet and part. */
export type ConvexImpact = (
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
  from: number | null,
) => void

/** The ordered pair and how its bodies move. */
export interface CompositeSweep extends TurningPair {
  /** Whether a spin moves any point. */
  turns: boolean
  convex: ConvexImpact
  /** For one pair of leaves. */
  found: TimeOfImpact
}

const frame = createCompositeFrame()

export function compositeSweep(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  convex: ConvexImpact,
  found: TimeOfImpact,
): CompositeSweep {
  orderComposites(a, b, frame)
  const first = frame.swapped ? motionB : motionA
  const second = frame.swapped ? motionA : motionB
  const turns = anyTurns({ frame, motionA: first, motionB: second })
  return { frame, motionA: first, motionB: second, duration, turns, convex, found }
}

/** A pair of leaves, and when it touches. */
interface LeafTouch {
  leafA: number
  leafB: number
  time: number
}

/** Pairs of leaves that touch first, all at one instant. */
interface FirstTouches {
  time: number
  pairs: LeafTouch[]
  /** Up to when all are known. */
  sure: number
}

/** Whether the leaves of a pair whose impact is in `found` count as meeting. */
export type Stops = (given: CompositeSweep, leafA: number, leafB: number) => boolean

/**
 * Sets the first contact, if there is one, of bodies that are apart at the start, or that touch there and are let go. Normal and points
 * are left out if `want` does not ask for them. `stops`: which leaves count; all, or if they are let go, those that go into each other.
 */
export function firstContact(
  given: CompositeSweep,
  isLetGo: boolean,
  want: Want,
  out: TimeOfImpact,
  stops: Stops = isLetGo ? goesIn : meets,
): void {
  const { time, pairs, sure } = firstTouches(given, isLetGo, stops)
  if (sure < time) {
    out.hit = true
    out.time = sure
    out.converged = false
    return
  }
  if (pairs.length === 0) return
  const named = want === 'time' ? pairs[0] : firstInRank(given, pairs, isLetGo, want)
  sweepLeaves(given, named.leafA, named.leafB, isLetGo, want)
  Object.assign(out, given.found)
  out.leafA = given.frame.swapped ? named.leafB : named.leafA
  out.leafB = given.frame.swapped ? named.leafA : named.leafB
  out.hit = true
  out.time = time
  out.startedOverlapping = isLetGo
  out.hasExit = false
  out.exitTime = 0
}

/**
 * Sets when the bodies, which meet at the time of `out`, part again, if they do so within the duration; where that is open when they
 * surely are together still.
 */
export function findExit(given: CompositeSweep, out: TimeOfImpact): void {
  const { duration, turns, found } = given
  if (!out.hit || !out.converged) return
  if (turns) {
    const { time, isSure } = spinExit(given, out.time, (leafA, leafB, from, want) => {
      sweepLeaves(given, leafA, leafB, false, want, from)
      return found
    })
    setExit(time, duration, out)
    out.converged = isSure
    return
  }
  const { frame, motionA, motionB } = given
  const [vx, vy, vz] = [motionB.vx - motionA.vx, motionB.vy - motionA.vy, motionB.vz - motionA.vz]
  const speed = vectorLength3d(vx, vy, vz)
  if (!(speed > 0) || !(speed * duration < Infinity)) return
  const way: Vector = [vx / speed, vy / speed, vz / speed]
  setExit(exitAlong(frame, way, speed * duration, true, speed * out.time) / speed, duration, out)
}

function setExit(exit: number, duration: number, out: TimeOfImpact): void {
  out.hasExit = exit <= duration
  out.exitTime = out.hasExit ? Math.max(exit, out.time) : 0
}

/** Sets `found` to the impact of two leaves, in the order of the caller's bodies; `from`: as of convex bodies. */
export function sweepLeaves(
  given: CompositeSweep,
  leafA: number,
  leafB: number,
  isLetGo: boolean,
  want: Want,
  from: number | null = null,
): void {
  spend(LEAF_SWEEP_STEP_COUNT)
  const { frame, motionA, motionB, duration, convex, found } = given
  const a = given.turns ? turningLeaf(frame.first, leafA) : leafOf(frame.first, leafA)
  const b = given.turns ? turningLeaf(frame.second, leafB) : leafOf(frame.second, leafB)
  if (frame.swapped) convex(b, motionB, a, motionA, duration, isLetGo, want, found, from)
  else convex(a, motionA, b, motionB, duration, isLetGo, want, found, from)
}

function firstTouches(given: CompositeSweep, isLetGo: boolean, stops: Stops): FirstTouches {
  const { frame, motionA, motionB, duration, found } = given
  const touches: FirstTouches = { time: Infinity, pairs: [], sure: Infinity }
  const seen: Vector = [motionB.vx - motionA.vx, motionB.vy - motionA.vy, motionB.vz - motionA.vz]
  const visit = (leafA: number, leafB: number): number => {
    const limit = Math.min(duration, latest(touches.time))
    if (isLetGo && !given.turns && partAtCorner(leafOf(frame.first, leafA), leafOf(frame.second, leafB), seen)) {
      return limit
    }
    sweepLeaves(given, leafA, leafB, isLetGo, isLetGo ? 'exit' : 'time')
    const { hit, time } = found
    if (!hit || time > limit || !stops(given, leafA, leafB)) return limit
    touches.pairs.push({ leafA, leafB, time })
    if (time >= touches.time) return limit
    touches.time = time
    const until = latest(time)
    touches.pairs = touches.pairs.filter((pair) => pair.time <= until)
    return Math.min(duration, until)
  }
  if (given.turns) touches.sure = visitTurningPairs(given, 0, visit)
  else visitLeafPairs(frame, duration, entryMeasure(given), visit)
  return touches
}

/** The end of the instant that begins at a time. */
function latest(time: number): number {
  return time + INSTANT_RATIO * time
}

function meets(): boolean {
  return true
}

/** Whether the leaves of a pair in `found` go into each other after they have touched. */
export function goesIn(given: CompositeSweep, leafA: number, leafB: number): boolean {
  const { frame, motionA, motionB, duration, found } = given
  // At the start they are let go by themselves.
  if (found.time === 0) return true
  if (given.turns) return !found.converged || sinkAfter(given, leafA, leafB, found.time)
  const pair = orderPair(leafOf(frame.first, leafA), leafOf(frame.second, leafB))
  if (!isSafeExtent(pair.extent)) return true
  const moving = movingPair(pair, motionA, motionB)
  const end = found.hasExit ? found.exitTime : duration
  return sinksIn(moving, found.time, end > found.time ? end : found.time * (1 + 2 * INSTANT_RATIO))
}

/** Of pairs of leaves that touch at one instant the one that is named, whichever of them comes first. */
function firstInRank(given: CompositeSweep, pairs: readonly LeafTouch[], isLetGo: boolean, want: Want): LeafTouch {
  if (pairs.length === 1) return pairs[0]
  const ranked = pairs.map((pair) => {
    sweepLeaves(given, pair.leafA, pair.leafB, isLetGo, want)
    return { pair, rank: rankOf(given, pair.leafA, pair.leafB) }
  })
  const best = ranked.reduce((p, q) => (comesBefore(q.rank, p.rank) ? q : p)).rank
  // Speeds that only rounding tells apart are as good, measured from the least one: nearness to each other has no order.
  const most = best.closing + SAME_NORMAL_RATIO * Math.abs(best.closing)
  const tied = ranked.filter(({ rank: { kind, closing } }) => kind === best.kind && closing <= most)
  return tied.reduce((p, q) => (compareRanks(q.rank, p.rank) < 0 ? q : p)).pair
}

/** What tells which of several pairs of leaves that touch at one instant is named. */
interface Rank {
  /** 0 for the normal of a face, 1 for others, 2 for none. */
  kind: 0 | 1 | 2
  /** How fast the bodies come together along it, no faster being less. */
  closing: number
  /** Normal and points, in the order of the frame. */
  numbers: number[]
  /** Of the features that touch: triangles that share one may name it in different orders. */
  names: readonly (readonly number[])[]
}

function rankOf(given: CompositeSweep, leafA: number, leafB: number): Rank {
  const { frame, motionA, motionB, found } = given
  const { hasNormal, nx, ny, nz, ax, ay, az, bx, by, bz, featureA, featureB } = found
  const side = frame.swapped ? -1 : 1
  const vx = motionB.vx - motionA.vx
  const vy = motionB.vy - motionA.vy
  const vz = motionB.vz - motionA.vz
  const [a, b] = given.turns
    ? poseLeaves(given, leafA, leafB, found.time)
    : [leafOf(frame.first, leafA), leafOf(frame.second, leafB)]
  const isFace = isFaceOf(a, found) || isFaceOf(b, found)
  const points = frame.swapped ? [bx, by, bz, ax, ay, az] : [ax, ay, az, bx, by, bz]
  return {
    kind: !hasNormal ? 2 : isFace ? 0 : 1,
    closing: side * (nx * vx + ny * vy + nz * vz),
    numbers: [side * nx, side * ny, side * nz, ...points],
    names: frame.swapped ? [featureB, featureA] : [featureA, featureB],
  }
}

/** By kind, then by speed. */
function comesBefore(a: Rank, b: Rank): boolean {
  return a.kind === b.kind ? a.closing < b.closing : a.kind < b.kind
}

/** Of two that are as good. */
function compareRanks(a: Rank, b: Rank): number {
  const k = a.numbers.findIndex((value, i) => value !== b.numbers[i])
  if (k >= 0) return a.numbers[k] - b.numbers[k]
  return compareNames(a.names[0], b.names[0]) || compareNames(a.names[1], b.names[1])
}

/** Whether the normal that was found is that of a face: that of the triangle, if the leaf is one. */
function isFaceOf(leaf: Body, { nx, ny, nz }: TimeOfImpact): boolean {
  if (leaf.count !== 3) return true
  const [x, y, z] = normalOf(leaf)
  return 1 - Math.abs(x * nx + y * ny + z * nz) <= SAME_NORMAL_RATIO
}

/** When two boxes may first meet as the second moves past the first; Infinity where they never do. */
function entryMeasure(given: CompositeSweep): Measure {
  const { frame, motionA, motionB, duration } = given
  const { first, second, slack } = frame
  const vx = motionB.vx - motionA.vx
  const vy = motionB.vy - motionA.vy
  const vz = motionB.vz - motionA.vz
  if (first.body.kind === HALFSPACE || second.body.kind === HALFSPACE) {
    const { numbers } = first.body.kind === HALFSPACE ? first.body : second.body
    const side = first.body.kind === HALFSPACE ? -1 : 1
    const closing = side * (vx * numbers[UNIT] + vy * numbers[UNIT + 1] + vz * numbers[UNIT + 2])
    const gap = gapMeasure(frame)
    return (a, b) => {
      const height = gap(a, b)
      return height <= 0 ? 0 : closing > 0 ? earlier(height / closing) : Infinity
    }
  }
  return (a, b) => entryTime(a, b, vx, vy, vz, slack, duration)
}

/** Less than a time by more than rounding. */
function earlier(time: number): number {
  return time - 8 * UNIT_ROUNDOFF * time
}

function entryTime(
  a: Float64Array,
  b: Float64Array,
  vx: number,
  vy: number,
  vz: number,
  slack: number,
  duration: number,
): number {
  let enter = 0
  let leave = duration
  for (let k = 0; k < 3; k++) {
    const v = k === 0 ? vx : k === 1 ? vy : vz
    // The way of the second until it meets the first, and until it has passed it.
    const near = a[k] - b[k + 3] - slack
    const far = a[k + 3] - b[k] + slack
    if (v === 0) {
      if (near > 0 || far < 0) return Infinity
      continue
    }
    enter = Math.max(enter, (v > 0 ? near : far) / v)
    leave = Math.min(leave, (v > 0 ? far : near) / v)
  }
  const earliest = earlier(enter)
  return earliest <= leave + 8 * UNIT_ROUNDOFF * Math.abs(leave) ? earliest : Infinity
}
