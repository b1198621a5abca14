/**
 * The time-of-impact query: when do two moving bodies first touch, where, and when do they part again.
 *
 * Method: without spin by Newton's method on a convex distance (`linear-sweep.ts`), with spin by conservative advancement
 * (`spin-sweep.ts`); of composite bodies by their leaves (`composite-sweep.ts`). Normal and points are those of the pair as it lies just before it touches.
 * Frame: the answer is in world coordinates; the normal points from A to B; times are seconds from the start.
 */

import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import type { Want } from '../../core/want.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, scaleBy } from '../../numeric/safe-range.ts'
import { createDepth, measureDepth } from '../narrow-phase/depth.ts'
import { createNearContact, findNearContact } from '../narrow-phase/near-contact.ts'
import { createPairFrame, createSeparation, orderPair, type PairFrame } from '../narrow-phase/pair-frame.ts'
import { measure } from '../narrow-phase/separate.ts'
import type { NearContact } from '../narrow-phase/smooth-contact.ts'
import { contact, createContact } from '../queries/contact.ts'
import { type ContactPoint, contactPoints, patchPoints } from '../queries/contact-points.ts'
import { bodiesMeet, createOverlap, overlap, relate } from '../queries/overlap.ts'
import { ANCHOR, type Body, COMPOSITE, HALFSPACE, POINTS, POSITION, RADIUS, REACH } from '../shape/body.ts'
import { exponentOf, pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { surfaceOf } from '../shape/core-surface.ts'
import type { Motion } from '../shape/motion.ts'
import {
  CONTACT_POINT_COUNT,
  LARGEST_WAY,
  LEAST_TURN,
  NORMAL_GAP_RATIO,
  PARTED_COUNT,
  SEPARATION_ERROR_RATIO,
  THICK_SKIN_RATIO,
  TOUCHING_COUNT,
} from '../tolerances.ts'
import { type AdvancingPair, advancingPair, look, pose, poseWhole, turns } from './advancing-pair.ts'
import { compositeSweep, findExit, firstContact } from './composite-sweep.ts'
import { clearImpact, createTimeOfImpact, type TimeOfImpact } from './impact.ts'
import { depthAtStart, sinksIn, sweepLinear } from './linear-sweep.ts'
import { type MovingPair, movingPair, offsetAt, placeAt } from './moving-pair.ts'
import { sweepFrom, sweepLetGo, sweepSpinning } from './spin-sweep.ts'
import { createSweepInterval } from './sweep-interval.ts'

export { createTimeOfImpact, type TimeOfImpact }

const interval = createSweepInterval()
const apart = createSeparation()
const depth = createDepth()
const near = createNearContact()
const found = createContact()
const common = createOverlap()
const touching = createPairFrame()

/**
 * Fills `out`. `duration` ≥ 0. `ignoreSeparating`: a pair that touches at the start without overlapping, and then moves apart or
 * slides along, has not hit. What `want` does not ask for is left out: there is no exit then, or no normal either, and points are 0.
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
  if (a.kind === COMPOSITE || b.kind === COMPOSITE) {
    impactOfComposites(a, motionA, b, motionB, duration, ignoreSeparating, want, out)
  } else convexImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, out)
}

const leaves = createTimeOfImpact()

function impactOfComposites(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
): void {
  clearImpact(out)
  const sweep = compositeSweep(a, motionA, b, motionB, duration, convexImpact, leaves)
  const relation = relateOrMeet(a, b, ignoreSeparating)
  out.startedOverlapping = relation <= 0
  if (relation > 0) firstContact(sweep, false, want, out)
  else if (ignoreSeparating && (relation === 0 || isTrifle(a, b))) firstContact(sweep, true, want, out)
  else startTogether(a, b, ignoreSeparating, want, out)
  if (want === 'exit') findExit(sweep, out)
}

/** The relation, or where that does not matter −1 for touching too. */
function relateOrMeet(a: Body, b: Body, isExact: boolean): number {
  if (isExact) return relate(a, b)
  return bodiesMeet(a, b) ? -1 : 1
}

/** Whether bodies that overlap do so by no more than rounding. Leaves their contact in `found`. */
function isTrifle(a: Body, b: Body): boolean {
  contact(a, b, found)
  const extent = orderPair(a, b).extent
  return -found.separation <= TOUCHING_COUNT * SEPARATION_ERROR_RATIO * extent
}

/** Of bodies that meet at the start. `isFound`: their contact, which may be dear, is in `found`. */
function startTogether(a: Body, b: Body, isFound: boolean, want: Want, out: TimeOfImpact): void {
  out.hit = true
  if (want === 'time') return
  if (isFound) setPoints(a, b, false, out)
  else setStart(a, b, out)
}

/** As `timeOfImpact`, for two convex bodies; `from`: only when they next meet from that time on, or if they do so then, part. */
export function convexImpact(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
  from: number | null = null,
): void {
  clearImpact(out)
  const frame = orderPair(a, b)
  const lasting = usefulDuration(frame, motionA, motionB, duration)
  const time = exponentOf(lasting)
  const seconds = scaleBy(lasting, -time)
  const way = frame.second.kind === HALFSPACE ? (reachOf(motionA) + reachOf(motionB)) * lasting : 0
  const span = frame.extent + way
  const length = isSafeExtent(span) ? 0 : pairExponent({ ...frame, extent: span })
  if (time === 0 && length === 0) {
    impactAsGiven(frame, motionA, motionB, lasting, ignoreSeparating, want, out, from)
    return
  }
  const slowA = scaleMotion(motionA, time, length)
  const slowB = scaleMotion(motionB, time, length)
  const isSafe = reachOf(slowA) + reachOf(slowB) < LARGEST_WAY
  // Both far faster than they are large: seen from the first, which is put back afterwards.
  const seenA = isSafe ? slowA : { ...slowA, vx: 0, vy: 0, vz: 0 }
  const seenB = isSafe ? slowB : scaleMotion(relativeMotion(motionA, motionB), time, length)
  const scaled = orderPair(scaleBody(a, length), scaleBody(b, length))
  const start = from === null ? null : scaleBy(from, -time)
  impactAsGiven(scaled, seenA, seenB, seconds, ignoreSeparating, want, out, start)
  for (const key of ['ax', 'ay', 'az', 'bx', 'by', 'bz'] as const) out[key] = scaleBy(out[key], length)
  out.time = Math.min(scaleBy(out.time, time), duration)
  out.exitTime = Math.min(scaleBy(out.exitTime, time), duration)
  if (!isSafe && want !== 'time') carry(out, motionA)
}

/** The duration, or a shorter one after which the pair has surely parted for good, or has left all places. */
function usefulDuration(frame: PairFrame, motionA: Motion, motionB: Motion, duration: number): number {
  const fastest = Math.max(speedOf(motionA), speedOf(motionB))
  // Farther than that no position reaches.
  const lasting = fastest * duration > LARGEST_WAY ? LARGEST_WAY / fastest : duration
  const speed = Math.max(
    Math.abs(motionB.vx - motionA.vx),
    Math.abs(motionB.vy - motionA.vy),
    Math.abs(motionB.vz - motionA.vz),
  )
  if (speed === 0 || frame.second.kind === HALFSPACE) return lasting
  return Math.min(lasting, (PARTED_COUNT * frame.extent) / speed)
}

/** That of B seen from A, but for its spin. */
function relativeMotion(a: Motion, b: Motion): Motion {
  return { ...b, vx: b.vx - a.vx, vy: b.vy - a.vy, vz: b.vz - a.vz }
}

/** Moves the points on as the first body moves. */
function carry(out: TimeOfImpact, { vx, vy, vz }: Motion): void {
  out.ax += vx * out.time
  out.ay += vy * out.time
  out.az += vz * out.time
  out.bx += vx * out.time
  out.by += vy * out.time
  out.bz += vz * out.time
}

/** Along the axis where it is fastest. */
function speedOf({ vx, vy, vz }: Motion): number {
  return Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz))
}

function reachOf({ vx, vy, vz }: Motion): number {
  return Math.abs(vx) + Math.abs(vy) + Math.abs(vz)
}

/** The motion where 2^time seconds are one, and 2^length one length. */
function scaleMotion({ vx, vy, vz, wx, wy, wz }: Motion, time: number, length: number): Motion {
  const along = (value: number): number => scaleBy(value, time - length)
  const round = (value: number): number => scaleBy(value, time)
  return { vx: along(vx), vy: along(vy), vz: along(vz), wx: round(wx), wy: round(wy), wz: round(wz) }
}

/** The motion, or without its spin where that moves nothing of a bounded pair in all the time. */
function usefulMotion({ second }: PairFrame, motion: Motion, duration: number): Motion {
  const { wx, wy, wz } = motion
  const turn = (Math.abs(wx) + Math.abs(wy) + Math.abs(wz)) * duration
  return turn === 0 || turn >= LEAST_TURN || second.kind === HALFSPACE ? motion : { ...motion, wx: 0, wy: 0, wz: 0 }
}

function impactAsGiven(
  frame: PairFrame,
  motionA: Motion,
  motionB: Motion,
  duration: number,
  ignoreSeparating: boolean,
  want: Want,
  out: TimeOfImpact,
  from: number | null,
): void {
  const pair = movingPair(frame, usefulMotion(frame, motionA, duration), usefulMotion(frame, motionB, duration))
  if (from !== null) {
    sweepFrom(advancingPair(pair), from, duration, want === 'exit', interval)
    if (interval.hit) setTimes(want, duration, out)
    return
  }
  const a = frame.swapped ? frame.second : frame.first
  const b = frame.swapped ? frame.first : frame.second
  const turning = turns(pair) ? advancingPair(pair) : null
  if (turning !== null) sweepSpinning(turning, duration, want === 'exit', interval)
  else sweepLinear(pair, duration, want === 'exit', interval)
  out.startedOverlapping = interval.meetsAtStart
  if (interval.meetsAtStart && ignoreSeparating && depthAtStart(pair) <= TOUCHING_COUNT * pair.frame.error) {
    if (turning !== null) sweepLetGo(advancingPair(pair), duration, want === 'exit', interval)
    // Convex bodies that part or slide do not meet again.
    else interval.hit = sinksIn(pair, 0, Math.min(interval.leave, duration))
  }
  if (!interval.hit) return
  setTimes(want, duration, out)
  if (want === 'time') return
  if (interval.meetsAtStart && interval.enter === 0) setStart(a, b, out)
  else if (!(interval.hasNormal && setFaceContact(pair, out))) setContact(turning ?? advancingPair(pair), out)
}

function setTimes(want: Want, duration: number, out: TimeOfImpact): void {
  out.hit = true
  out.time = interval.enter
  out.converged = interval.converged
  out.hasExit = want === 'exit' && interval.leave <= duration
  out.exitTime = out.hasExit ? interval.leave : 0
}

/**
 * Normal, points and features where the sweep has found the normal; false where rounding has the patches miss each other there.
 * The points are those of the pair as it lies then, seen from the first body.
 */
function setFaceContact(pair: MovingPair, out: TimeOfImpact): boolean {
  const { frame, motionA } = pair
  placeAt(pair, frame.first, frame.second, out.time, touching)
  if (!isSafeExtent(touching.extent)) return false
  const side = frame.swapped ? -1 : 1
  found.separation = 0
  found.hasNormal = true
  // + 0: no negative zeros.
  found.nx = side * interval.nx + 0
  found.ny = side * interval.ny + 0
  found.nz = side * interval.nz + 0
  const points = patchPoints(touching, found, TOUCHING_COUNT * touching.error, CONTACT_POINT_COUNT)
  if (points.length === 0) return false
  if (interval.hasPoint && points.length === 1) takePoint(frame.first)
  else takeMiddle(points)
  setNormalAndPoints(out)
  out.featureA = points[0].featureA
  out.featureB = points[0].featureB
  carry(out, motionA)
  return true
}

/** Puts the point that the sweep has found into `found`, seen from the first body. */
function takePoint({ numbers }: Body): void {
  found.px = numbers[POSITION] + interval.px
  found.py = numbers[POSITION + 1] + interval.py
  found.pz = numbers[POSITION + 2] + interval.pz
}

/** Normal, points and features of bodies that meet at the start, from their contact. */
function setStart(a: Body, b: Body, out: TimeOfImpact): void {
  contact(a, b, found)
  setPoints(a, b, false, out)
}

/** From `found`, the contact of the two bodies; `isNearest`: its point is one of nearest points. */
function setPoints(a: Body, b: Body, isNearest: boolean, out: TimeOfImpact): void {
  const { hasNormal, separation } = found
  if (!hasNormal) takeCommonPoint(a, b)
  const points = hasNormal ? contactPoints(a, b, found, Math.max(separation, 0), CONTACT_POINT_COUNT) : []
  // A patch that is one point is found there by its features alone, and no better than the nearest points are.
  if (points.length > 1 || (points.length === 1 && !isNearest)) takeMiddle(points)
  setNormalAndPoints(out)
  if (points.length > 0) {
    out.featureA = points[0].featureA
    out.featureB = points[0].featureB
  }
}

/** Puts a point of both into `found`: where nothing separates the two, the contact has none. */
function takeCommonPoint(a: Body, b: Body): void {
  overlap(a, b, common)
  found.px = common.px
  found.py = common.py
  found.pz = common.pz
}

/** Puts the middle of what touches into `found`. */
function takeMiddle(points: readonly ContactPoint[]): void {
  const share = 1 / points.length
  found.px = 0
  found.py = 0
  found.pz = 0
  for (const { x, y, z } of points) {
    found.px += x * share
    found.py += y * share
    found.pz += z * share
  }
}

function setNormalAndPoints(out: TimeOfImpact): void {
  const { hasNormal, nx, ny, nz, px, py, pz, separation } = found
  const half = hasNormal ? separation / 2 : 0
  out.hasNormal = hasNormal
  out.nx = nx
  out.ny = ny
  out.nz = nz
  out.ax = px - nx * half
  out.ay = py - ny * half
  out.az = pz - nz * half
  out.bx = px + nx * half
  out.by = py + ny * half
  out.bz = pz + nz * half
}

/**
 * Those of bodies that touch at `out.time`, as they lie then: along the direction that they had a little before, as near as that is to
 * one of the contact.
 */
function setContact(state: AdvancingPair, out: TimeOfImpact): void {
  const { pair } = state
  const { swapped } = pair.frame
  const { time } = out
  // What the sweep has seen last depends on what was wanted of it.
  state.isWarm = false
  state.gap = 0
  pose(state, time)
  const isThick = hasThickSkins(state.now)
  if (isThick) look(state, time)
  const touch = isThick ? null : (contactOfSweep(state) ?? contactFromBefore(state, time))
  const frame = poseNearOrigin(state, time)
  const isNearest = touch !== null && setTouch(frame, touch)
  // Skins touch along the way between the cores, whatever the sign of what is left between them.
  if (isThick) measureDepth(frame, state.bounds, depth)
  if (isThick || (touch === null && measure(frame, apart, depth))) {
    const { nx, ny, nz, px, py, pz } = depth
    setFound(depth.depth < Infinity, nx, ny, nz, px, py, pz)
  } else if (touch === null) {
    const { a, b, normal } = apart
    setFound(true, normal[0], normal[1], normal[2], a[0] / 2 + b[0] / 2, a[1] / 2 + b[1] / 2, a[2] / 2 + b[2] / 2)
  }
  const side = swapped ? -1 : 1
  // + 0: no negative zeros.
  found.nx = side * found.nx + 0
  found.ny = side * found.ny + 0
  found.nz = side * found.nz + 0
  setPoints(swapped ? frame.second : frame.first, swapped ? frame.first : frame.second, isNearest, out)
  // Back to where the first body is then.
  const { numbers } = pair.frame.first
  const { vx, vy, vz } = pair.motionA
  const place = [vx, vy, vz].map((v, k) => numbers[POSITION + k] + v * time)
  out.ax += place[0]
  out.ay += place[1]
  out.az += place[2]
  out.bx += place[0]
  out.by += place[1]
  out.bz += place[2]
}

/** The contact that the sweep has found itself, or finds from the direction in which it saw them come together; null where there is none, or it is no touch. */
function contactOfSweep({ now, contact, fastest, time }: AdvancingPair): NearContact | null {
  const { mx, my, mz } = interval
  if (now.second.kind === HALFSPACE || (mx === 0 && my === 0 && mz === 0)) return null
  // They have moved by no more than rounding since.
  if (Math.abs(time - contact.time) * fastest <= now.error) return contact.near
  findNearContact(now, mx, my, mz, near)
  const gap = near.gap - (now.first.numbers[RADIUS] + now.second.numbers[RADIUS])
  return Math.abs(gap) <= TOUCHING_COUNT * now.error ? near : null
}

/** The contact from the direction that they had a little before; null where they touch all the while. */
function contactFromBefore(state: AdvancingPair, time: number): NearContact | null {
  const { now } = state
  if (!findDirection(state, time) || now.second.kind === HALFSPACE) return null
  const { mx, my, mz } = state
  pose(state, time)
  findNearContact(now, mx, my, mz, near)
  return near
}

/** Of bodies that touch, from the first to the second. */
function setFound(hasNormal: boolean, nx: number, ny: number, nz: number, px: number, py: number, pz: number): void {
  found.touching = true
  found.separation = 0
  found.hasNormal = hasNormal
  found.nx = nx
  found.ny = ny
  found.nz = nz
  found.px = px
  found.py = py
  found.pz = pz
}

/** In the middle between the nearest points of the surfaces. Returns whether these are one place but for rounding. */
function setTouch({ first, second, error }: PairFrame, { nx, ny, nz, a, b }: NearContact): boolean {
  const middle = [0, 0, 0]
  let open = 0
  for (const [k, n] of [nx, ny, nz].entries()) {
    const one = first.numbers[POSITION + k] + (first.numbers[ANCHOR + k] + a[k] + n * first.numbers[RADIUS])
    const other = second.numbers[POSITION + k] + (second.numbers[ANCHOR + k] + b[k] - n * second.numbers[RADIUS])
    middle[k] = one / 2 + other / 2
    open = Math.max(open, Math.abs(one - other))
  }
  setFound(true, nx, ny, nz, middle[0], middle[1], middle[2])
  return open <= TOUCHING_COUNT * error
}

/** Whether the cores of bodies that touch are far enough apart for a direction. */
function hasThickSkins({ first, second, extent }: PairFrame): boolean {
  return second.kind !== HALFSPACE && first.numbers[RADIUS] + second.numbers[RADIUS] > THICK_SKIN_RATIO * extent
}

/** Looks at the pair a little before the contact, where there is a gap of some size, or at the start; false where they touch all the while. */
function findDirection(state: AdvancingPair, time: number): boolean {
  const { now, pair } = state
  // Points where they meet have no extent.
  const isSized = now.first.numbers[REACH] + now.second.numbers[REACH] > 0
  const gap = NORMAL_GAP_RATIO * (isSized ? now.extent : pair.frame.extent)
  for (let rest = Math.max(gap / state.fastest, 4 * UNIT_ROUNDOFF * time); rest > 0 && rest < time; rest *= 4) {
    look(state, time - rest)
    if (state.gap > gap / 2) return true
  }
  look(state, 0)
  return state.gap > state.now.error
}

/** How the pair lies at a time, its first body at the origin, so that places are rounded by the pair's own size. */
function poseNearOrigin(state: AdvancingPair, time: number): PairFrame {
  poseWhole(state, time)
  const { now, pair } = state
  const first = copyBody(now.first, 0)
  const second = copyBody(now.second, 1)
  for (let k = 0; k < 3; k++) {
    first.numbers[POSITION + k] = 0
    second.numbers[POSITION + k] = offsetAt(pair, k, time)
  }
  return { ...now, first, second }
}

/** The numbers of two bodies; module scratch. */
const places = [new Float64Array(0), new Float64Array(0)]

function copyBody(body: Body, which: 0 | 1): Body {
  const { numbers } = body
  // It is made once, and not again for each copy.
  if (body.kind === POINTS && body.hull !== null) surfaceOf(body)
  const room = places[which].length
  if (room < numbers.length || (room > KEPT_ENTRIES && numbers.length <= KEPT_ENTRIES)) {
    places[which] = new Float64Array(numbers.length)
  }
  places[which].set(numbers)
  return { ...body, numbers: places[which] }
}
