/**
 * When a body that moves straight first goes into another one, as against touching it, sliding along it or leaving it.
 *
 * These count as going in:
 * - The insides of two parts overlap, or a part of one lies inside the other (a point in a region, say). A region has its inside
 *   whatever its edges touch: a body that rests on it exactly does not pass through its edge.
 * - Two parts without an inside (points, segments, chains, flat boxes) cross: a point that meets a segment is stopped by it, unless
 *   it moves along it.
 * - A point, or a segment that moves lengthwise, would slip through where solid parts meet: between two boxes side by side, past
 *   corners that touch. A set is what its parts cover together; a seam is no gap.
 *
 * Method: the sweep of every pair of leaves (`linear-sweep.ts`) gives the time for which they meet. Of two convex leaves the
 * overlap is concave in time, so the middle of that time tells whether they go in. What slips past all edges is looked for by
 * `thin-entry.ts`, and what slips between parts by `squeeze.ts`. Times are decided exactly, as by the sweeps; depths up
 * to their rounding error count as none.
 * Frame: world; the normal points from A, which stands still, to B, which moves. Time is in units of the motion.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { scaleBy, scaleNumbers } from '../../numeric/safe-range.ts'
import { visitMovingLeafPairs } from '../broad-phase/moving-boxes.ts'
import { isThinLeaf } from '../narrow-phase/holding.ts'
import { orderComposites } from '../narrow-phase/leaf-pairs.ts'
import {
  type Body,
  type Composite,
  createBody,
  isComposite,
  isCored,
  RADIUS,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { createMotion, type Motion, type MotionScale, scaleMover, setMotionScale } from '../shape/motion.ts'
import { LINE_SLOPE_RATIO, PARALLEL_LINES_RATIO } from '../tolerances.ts'
import {
  type CompositeSweep,
  isDeepAt,
  type LeafSpan,
  leafSpans,
  setBoxesOf,
  sweepLeaves,
  timeTolerance,
} from './composite-sweep.ts'
import { createSweep, type Sweep, sweep } from './linear-sweep.ts'
import { firstSqueeze } from './squeeze.ts'
import { firstThinEntry } from './thin-entry.ts'
import { createTimeOfImpact, setMeetingContact, setStart } from './time-of-impact.ts'

export interface Entry {
  /** B goes into A at `time`; what follows is then set. */
  isBlocked: boolean
  time: number
  /** Unit normal of the contact, from A to B; the direction opposite to the motion where there is no other. */
  nx: number
  ny: number
  /** Where they touch then. */
  x: number
  y: number
  /** Part of A, when that is a composite. */
  part: number
  /** It is stopped by a line: neither part that meets there has an inside. */
  isLine: boolean
}

export function createEntry(): Entry {
  return {
    isBlocked: false,
    time: 0,
    nx: 0,
    ny: 0,
    x: 0,
    y: 0,
    part: 0,
    isLine: false,
  }
}

const AT_REST = createMotion()
const scale: MotionScale = { length: 0, time: 0, duration: 0 }
const found = createSweep()
const impactFound = createTimeOfImpact()
const firstSlot = createBody()
const secondSlot = createBody()

/** A body B that moves, and a body A that stands still. */
export interface Advance {
  a: Body
  b: Body
  /** Of B; its spin is left aside. */
  motion: Motion
  /** ≥ 0 */
  duration: number
  /** B is stopped at once by a line of A that it touches at the start; else it may leave a line that it lies on to either side. */
  isHeld: boolean
  /** Depths within rounding count too, for a body that could not stand at the end of a motion for their sake. */
  isStrict: boolean
}

/** Fills `out`. Bodies that overlap at the start are blocked at once. */
export function firstEntry(advance: Advance, out: Entry): void {
  out.isBlocked = false
  out.time = Infinity
  out.isLine = false
  out.part = 0
  const { a, b, motion, duration } = advance
  const { vx, vy } = motion
  const straight = motion.spin === 0 ? motion : { vx, vy, spin: 0 }
  if (!setMotionScale(a, AT_REST, b, straight, duration, scale)) {
    entryAsGiven(straight === motion ? advance : { ...advance, motion: straight }, out)
    return
  }
  const { length, time, duration: scaledDuration } = scale
  const standing = scaleMover(a, AT_REST, scale).body
  const mover = scaleMover(b, straight, scale)
  entryAsGiven({ ...advance, a: standing, b: mover.body, motion: mover.motion, duration: scaledDuration }, out)
  out.time = scaleBy(out.time, time)
  scaleNumbers(out, ['x', 'y'], length)
}

function entryAsGiven(advance: Advance, out: Entry): void {
  if (isComposite(advance.a) || isComposite(advance.b)) compositeEntry(advance, out)
  else convexEntry(advance, out)
}

function convexEntry({ a, b, motion, duration, isHeld, isStrict }: Advance, out: Entry): void {
  if (!sweep(a, AT_REST, b, motion, duration, found)) return
  const kind = entryKind(a, b, motion, duration, isLine(a) && isLine(b), isStrict, found)
  if (kind === NONE || (kind === LINE && found.inside && !isHeld)) return
  out.isBlocked = true
  out.time = found.enter
  out.isLine = kind === LINE
  setContact(a, b, motion, found, 1, out)
}

const NONE = 0
const DEEP = 1
const LINE = 2
type EntryKind = typeof NONE | typeof DEEP | typeof LINE

/** How two convex bodies, which meet as `s` says while B moves by `motion`, go into each other. `areLines`: neither bounds an inside. */
function entryKind(
  a: Body,
  b: Body,
  motion: Motion,
  duration: number,
  areLines: boolean,
  isStrict: boolean,
  s: Sweep,
): EntryKind {
  if (areLines) {
    const crossing = crossesLine(a, b, motion)
    if (crossing !== null) return crossing ? LINE : NONE
  }
  const { enter } = s
  const leave = s.exits ? s.leave : duration
  const middle = enter + (leave - enter) / 2
  return isDeepAt(a, AT_REST, b, motion, middle, isStrict) ? DEEP : NONE
}

function isLine({ kind, count, numbers }: Body): boolean {
  const radius = numbers[RADIUS]
  return isCored({ kind }) && count <= 2 && radius === 0
}

/**
 * Whether two points or segments that meet cross in an instant: what they are the difference of is a point or a segment, and the
 * motion leads through it. null: it has an inside, because the two are not parallel.
 */
function crossesLine(a: Body, b: Body, { vx, vy }: Motion): boolean | null {
  const ax = a.count === 2 ? a.numbers[a.vertices + 2] - a.numbers[a.vertices] : 0
  const ay = a.count === 2 ? a.numbers[a.vertices + 3] - a.numbers[a.vertices + 1] : 0
  const bx = b.count === 2 ? b.numbers[b.vertices + 2] - b.numbers[b.vertices] : 0
  const by = b.count === 2 ? b.numbers[b.vertices + 3] - b.numbers[b.vertices + 1] : 0
  const lengthA = Math.hypot(ax, ay)
  const lengthB = Math.hypot(bx, by)
  if (Math.abs(ax * by - ay * bx) > PARALLEL_LINES_RATIO * lengthA * lengthB) return null
  const ex = lengthA >= lengthB ? ax : bx
  const ey = lengthA >= lengthB ? ay : by
  const length = Math.max(lengthA, lengthB)
  return length === 0 || Math.abs(ex * vy - ey * vx) > LINE_SLOPE_RATIO * length * Math.hypot(vx, vy)
}

/** Sets normal and point of two convex bodies that meet at `s.enter`; `side`: 1 where the first one is the obstacle. */
function setContact(a: Body, b: Body, motion: Motion, s: Sweep, side: 1 | -1, out: Entry): void {
  const { vx, vy } = motion
  if (s.inside) setStart(a, b, impactFound)
  else setMeetingContact(a, AT_REST, b, motion, s, impactFound)
  const { ax, ay, nx, ny } = impactFound
  out.x = ax
  out.y = ay
  // the normal of a line that is touched may look either way
  const turn = out.isLine && nx * vx + ny * vy > 0 ? -side : side
  setNormal(turn * nx, turn * ny, side * vx, side * vy, out)
}

/** (vx, vy): how B moves. What is gone into can only be met head on. */
function setNormal(nx: number, ny: number, vx: number, vy: number, out: Entry): void {
  const isMet = nx * vx + ny * vy < 0
  const speed = Math.hypot(vx, vy)
  // Adding 0 turns −0 into 0.
  out.nx = (isMet ? nx : -vx / speed) + 0
  out.ny = (isMet ? ny : -vy / speed) + 0
}

function givenOf(a: Body, b: Body, motion: Motion, duration: number): CompositeSweep {
  const frame = orderComposites(a, b)
  const { swapped } = frame
  return { frame, motionA: swapped ? motion : AT_REST, motionB: swapped ? AT_REST : motion, duration }
}

/** First entry of a pair of which at least one body is composite. */
function compositeEntry({ a, b, motion, duration, isHeld, isStrict }: Advance, out: Entry): void {
  const given = givenOf(a, b, motion, duration)
  const { firstView, secondView, swapped } = given.frame
  /** The first leaf's relative motion: it stands still, and the second one moves. */
  const side = swapped ? -1 : 1
  const relative: Motion = { vx: side * motion.vx, vy: side * motion.vy, spin: 0 }
  let latest = duration
  let leafA = -1
  let leafB = -1
  let mayBeHeld = false
  visitMovingLeafPairs(firstView.tree, secondView.tree, setBoxesOf(given), latest, (i, j) => {
    if (!sweepLeaves(given, i, j, found)) return latest
    const first = leafBody(firstView, i, firstSlot)
    const second = leafBody(secondView, j, secondSlot)
    const isFirstSolid = isSolidLeaf(firstView, i)
    const isSecondSolid = isSolidLeaf(secondView, j)
    const areSolid = isFirstSolid || isSecondSolid
    mayBeHeld ||= (isFirstSolid && isThinLeaf(secondView, j)) || (isSecondSolid && isThinLeaf(firstView, i))
    const kind = entryKind(
      first,
      second,
      relative,
      duration,
      !areSolid && isLine(first) && isLine(second),
      isStrict,
      found,
    )
    if (kind === NONE || (kind === LINE && found.inside && !isHeld)) return latest
    if (found.enter < latest || !out.isBlocked) {
      out.isBlocked = true
      out.time = found.enter
      out.isLine = kind === LINE
      leafA = i
      leafB = j
    }
    latest = out.time
    return latest
  })
  if (leafA >= 0) setLeafContact(given, leafA, leafB, relative, out)
  if (mayBeHeld && latest > 0) thinEntry(given, latest, relative, out)
  if (out.isBlocked && out.time === 0) return
  const squeeze = firstSqueeze(given, out.isBlocked ? out.time : duration)
  if (squeeze === null || (out.isBlocked && squeeze.time >= out.time)) return
  out.isBlocked = true
  out.time = squeeze.time
  out.isLine = false
  setLeafContact(given, squeeze.leafA, squeeze.leafB, relative, out)
  setNormal(0, 0, motion.vx, motion.vy, out)
}

function isSolidLeaf({ parts, leafPart }: Composite, leaf: number): boolean {
  return parts[leafPart[leaf]].outline?.solid === true
}

/** Sets where and how two leaves meet. */
function setLeafContact(given: CompositeSweep, leafA: number, leafB: number, relative: Motion, out: Entry): void {
  const { firstView, secondView, swapped } = given.frame
  sweepLeaves(given, leafA, leafB, found)
  const first = leafBody(firstView, leafA, firstSlot)
  const second = leafBody(secondView, leafB, secondSlot)
  out.part = swapped ? secondView.leafPart[leafB] : firstView.leafPart[leafA]
  setContact(first, second, relative, found, swapped ? -1 : 1, out)
  if (!swapped) return
  // it was seen with the moving body at rest
  const path = -out.time
  out.x += path * relative.vx
  out.y += path * relative.vy
}

/** Looks whether a thin leaf slips into a solid outline before `latest`, the time of the entry known so far, or the duration. */
function thinEntry(given: CompositeSweep, latest: number, relative: Motion, out: Entry): void {
  // what begins no later than that is all that counts, but the last stretch of time needs some length
  const spans = leafSpans({ ...given, duration: Math.min(given.duration, 2 * latest) })
  const entry = firstThinEntry(given, spans, latest)
  if (entry === null || (out.isBlocked && entry.time >= out.time)) return
  out.isBlocked = true
  out.time = entry.time
  out.isLine = false
  const met = facingEdge(given, spans, entry.time, relative)
  const { leafA, leafB } = met ?? entry
  setLeafContact(given, leafA, leafB, relative, out)
  const side = given.frame.swapped ? -1 : 1
  if (met === null) setNormal(0, 0, side * relative.vx, side * relative.vy, out)
  else setNormal(side * met.nx, side * met.ny, side * relative.vx, side * relative.vy, out)
}

interface FacingEdge {
  leafA: number
  leafB: number
  /** From the first body to the second. */
  nx: number
  ny: number
}

/** Of the solid edges that are met at the time, with the other leaf on their outer side, the one that the motion leads into most. */
function facingEdge(
  given: CompositeSweep,
  spans: readonly LeafSpan[],
  time: number,
  relative: Motion,
): FacingEdge | null {
  const { firstView, secondView } = given.frame
  const tolerance = timeTolerance(given)
  const speed = Math.hypot(relative.vx, relative.vy)
  const slack = speed * (tolerance + 4 * UNIT_ROUNDOFF * time)
  let best: FacingEdge | null = null
  let steepest = -LINE_SLOPE_RATIO * speed
  spend(spans.length)
  for (const { enter, leave, leafA, leafB } of spans) {
    if (enter > time + tolerance || leave < time - tolerance) continue
    const first = leafBody(firstView, leafA, firstSlot)
    const second = leafBody(secondView, leafB, secondSlot)
    for (const side of [1, -1] as const) {
      const isOwn = side === 1
      const edge = isOwn ? first : second
      const other = isOwn ? second : first
      if (edge.count !== 2 || !isSolidLeaf(isOwn ? firstView : secondView, isOwn ? leafA : leafB)) continue
      const nx = edge.numbers[edge.normals]
      const ny = edge.numbers[edge.normals + 1]
      const into = side * (nx * relative.vx + ny * relative.vy)
      if (into >= steepest) continue
      if (!isOutside(edge, other, side * time * relative.vx, side * time * relative.vy, slack)) continue
      steepest = into
      best = { leafA, leafB, nx: side * nx, ny: side * ny }
    }
  }
  return best
}

/** Whether `other`, moved by (dx, dy), lies on the outer side of the edge, or on it. */
function isOutside(edge: Body, other: Body, dx: number, dy: number, slack: number): boolean {
  const nx = edge.numbers[edge.normals]
  const ny = edge.numbers[edge.normals + 1]
  const x =
    other.numbers[X] - edge.numbers[X] + (other.numbers[X_LOW] - edge.numbers[X_LOW]) + dx - edge.numbers[edge.vertices]
  const y =
    other.numbers[Y] -
    edge.numbers[Y] +
    (other.numbers[Y_LOW] - edge.numbers[Y_LOW]) +
    dy -
    edge.numbers[edge.vertices + 1]
  for (let i = 0; i < other.count; i++) {
    const height =
      nx * (x + other.numbers[other.vertices + 2 * i]) + ny * (y + other.numbers[other.vertices + 2 * i + 1])
    if (height - other.numbers[RADIUS] < -slack) return false
  }
  return true
}
