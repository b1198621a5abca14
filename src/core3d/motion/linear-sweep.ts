/**
 * When two bodies that do not turn first meet, and when they part.
 *
 * Method: seen from the first, the second moves along a line, and their distance is a convex function of time. The plane between their
 * nearest points bounds it from below, so its root is Newton's step, which never passes the contact, from the start as from a time
 * after they have parted (G. van den Bergen, "Ray casting against general convex objects with application to continuous collision
 * detection", 2004, as a step in time). Most pairs of core points are answered before that: round bodies and boxes in closed form
 * (`sweep-round.ts`), others by the faces of their difference, curved and skinned ones by contacts of their parts
 * (`sweep-faces.ts`).
 * Whether bodies of core points meet at all is decided exactly (below); curved ones as far as the bounds of their distance tell.
 * Half-spaces have closed forms.
 * Frame: world axes. The normal points from the first to the second.
 */

import { exactly, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import { createDepth, measureDepth, measureHalfspaceDepth } from '../narrow-phase/depth.ts'
import { CORES_DEGREE, lowest, nearestFace } from '../narrow-phase/exact-cores.ts'
import { boundDistance, createBounds } from '../narrow-phase/gjk.ts'
import { meetsHalfspaceAfter, separateHalfspace } from '../narrow-phase/halfspace-any.ts'
import { createNearContact, findNearContact } from '../narrow-phase/near-contact.ts'
import { createPairFrame, createSeparation, type PairFrame } from '../narrow-phase/pair-frame.ts'
import { meets } from '../narrow-phase/separate.ts'
import { boundCurved, settleFrom } from '../narrow-phase/smooth-contact.ts'
import { HIT, UNSURE } from '../ray/ray-line.ts'
import {
  ANCHOR,
  type Body,
  createBody,
  HALFSPACE,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  reservePoints,
  UNIT,
  VERTICES,
} from '../shape/body.ts'
import {
  dot,
  type Exact,
  exactOffset,
  exactVertex,
  inputRangeOf,
  isZero,
  minus,
  plus,
  signOfDifference,
  times,
} from '../shape/exact-points.ts'
import { finishPoints } from '../shape/shapes.ts'
import { NEWTON_TIME_COUNT, SEPARATION_ERROR_RATIO, SLIDING_RATIO, TOUCHING_COUNT } from '../tolerances.ts'
import { type MovingPair, placeAt } from './moving-pair.ts'
import { createFaceSweep, sweepCurved, sweepFaces } from './sweep-faces.ts'
import { clearInterval, type SweepInterval } from './sweep-interval.ts'
import { sweepRound } from './sweep-round.ts'

const bounds = createBounds()
const separation = createSeparation()
const depth = createDepth()
const faces = createFaceSweep()

/**
 * The pair is in order, of a size whose products stay in range; `duration` ≥ 0. Without `wantsLeave`, when they part may be Infinity,
 * but not of a pair that meets at the start.
 */
export function sweepLinear(pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval): void {
  const { frame, speed } = pair
  clearInterval(out)
  if (frame.second.kind === HALFSPACE) {
    sweepHalfspace(pair, duration, out)
    return
  }
  const isCored = frame.first.kind === POINTS && frame.second.kind === POINTS
  if (isClosed(pair, duration, wantsLeave, out)) {
    if (!Number.isNaN(out.leave)) return
    out.leave = Infinity
    findLeave(pair, out)
    return
  }
  out.meetsAtStart = meets(frame)
  out.hit = out.meetsAtStart
  if (!(speed > 0)) return
  if (!out.hit) {
    if (duration === 0 || (isCored && !sweptPointsMeet(pair, duration))) return
    findEntry(pair, duration, isCored, out)
  }
  const needsLeave = wantsLeave || out.meetsAtStart || (!isCored && isNearStart)
  if (out.hit && out.converged && needsLeave) findLeave(pair, out)
  // Apart at the start, but by no more than rounding: it meets what it goes into, not what it parts from or slides along.
  if (out.hit && !isCored && !out.meetsAtStart && isNearStart) out.hit = sinksIn(pair, 0, Math.min(out.leave, duration))
}

/** Sets what is known without a look at any time but those of the answer; false where that leaves it open. When they part may be NaN. */
function isClosed(pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval): boolean {
  const { first, second } = pair.frame
  const isCored = first.kind === POINTS && second.kind === POINTS
  const isBare = isCored && !(first.numbers[RADIUS] + second.numbers[RADIUS] > 0)
  if (isBare || second.count === 1) return isCored && overFaces(pair, duration, wantsLeave, out)
  return (isCored && overPieces(pair, duration, wantsLeave, out)) || overCurves(pair, duration, wantsLeave, out)
}

/** Sets what is known of a round body and a box by closed forms; false where these leave it open. */
function overPieces(pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval): boolean {
  const verdict = sweepRound(pair, duration, wantsLeave, out)
  out.hit = verdict === HIT
  out.meetsAtStart = out.hit && out.meetsAtStart
  return verdict !== UNSURE
}

/** Sets what is known of a curved or skinned pair by the contacts of its parts; false where these leave it open. */
function overCurves(pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval): boolean {
  const verdict = sweepCurved(pair, duration, wantsLeave, out)
  if (verdict === UNSURE) clearInterval(out)
  out.hit = verdict === HIT
  out.meetsAtStart = out.hit && out.meetsAtStart
  return verdict !== UNSURE
}

/** Sets what is known of a bare pair of core points, or of two balls, by the faces of their difference; false where that leaves it open. */
function overFaces(pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval): boolean {
  const { frame, velocity } = pair
  const verdict = sweepFaces(frame, [velocity[0], velocity[2], velocity[4]], duration, wantsLeave, faces)
  out.hit = verdict === HIT
  out.meetsAtStart = out.hit && faces.meetsAtStart
  if (out.hit) {
    out.enter = faces.enter
    out.leave = faces.leave
    out.hasNormal = faces.hasNormal
    out.nx = faces.nx
    out.ny = faces.ny
    out.nz = faces.nz
  }
  return verdict !== UNSURE
}

const now = createPairFrame()

/** Distance of the surfaces at a time, from below, with the rate at which they close, into `distance` and `closing`. */
let distance = 0
let closing = 0

/** Whether the direction is that of another time in the same sweep. */
let isWarm = false

function look(pair: MovingPair, time: number): void {
  const { frame, velocity } = pair
  const { first, second } = frame
  placeAt(pair, first, second, time, now)
  if (first.kind === POINTS && second.kind === POINTS) boundDistance(now, bounds)
  else if (!isWarm || !settleFrom(now, bounds.nx, bounds.ny, bounds.nz, bounds)) boundCurved(now, bounds)
  isWarm = true
  distance = bounds.lower - (first.numbers[RADIUS] + second.numbers[RADIUS])
  closing = bounds.nx * velocity[0] + bounds.ny * velocity[2] + bounds.nz * velocity[4]
}

/** Whether they are within rounding of each other at the start. */
let isNearStart = false

/** `isSure`: it is known that they meet. */
function findEntry(pair: MovingPair, duration: number, isSure: boolean, out: SweepInterval): void {
  const { speed } = pair
  isWarm = false
  let time = 0
  for (let step = 0; step < NEWTON_TIME_COUNT; step++) {
    if (step > 0) {
      out.mx = -bounds.nx
      out.my = -bounds.ny
      out.mz = -bounds.nz
    }
    look(pair, time)
    out.enter = time
    // Within rounding of touching: what goes on closing does touch, what slides along only if it is no farther.
    const isNear = distance <= now.error
    if (time === 0) isNearStart = isNear
    // The next step shows whether they meet.
    if (isNear && time === 0 && !isSure) {
      out.hit = true
      return
    }
    if (isNear && (isSure || distance <= 0 || closing > SLIDING_RATIO * speed)) {
      out.hit = true
      out.enter = Math.min(duration, time + lastStep(speed))
      return
    }
    const next = time + distance / closing
    if (!(closing > 0) || !(next > time)) {
      // Past the nearest: where they are known to meet, this is within rounding of it.
      out.hit = isSure || (isNear && closing > 0)
      return
    }
    if (next > duration) {
      out.enter = duration
      out.hit = isSure || (time < duration && meetsAt(pair, duration))
      return
    }
    time = next
  }
  out.hit = true
  out.converged = false
}

/** The rest of the way to the contact, within rounding of it: 0 where they slide. */
function lastStep(speed: number): number {
  return distance > 0 && closing > SLIDING_RATIO * speed ? distance / closing : 0
}

/** Whether they meet at a time, with places rounded once. */
function meetsAt(pair: MovingPair, time: number): boolean {
  look(pair, time)
  return distance <= 0
}

/** From a time at which they have surely parted back to the contact. */
function findLeave(pair: MovingPair, out: SweepInterval): void {
  const { frame, speed } = pair
  const { first, second } = frame
  const room =
    Math.abs(frame.dx) + Math.abs(frame.dy) + Math.abs(frame.dz) + 2 * (first.numbers[REACH] + second.numbers[REACH])
  isWarm = false
  let time = out.enter + (4 * room) / speed
  if (!(time < Infinity)) return
  for (let step = 0; step < NEWTON_TIME_COUNT; step++) {
    look(pair, time)
    if (distance <= now.error || !(closing < 0)) break
    const next = time + distance / closing
    if (!(next < time)) break
    if (next <= out.enter) {
      time = out.enter
      break
    }
    time = next
  }
  out.leave = time
}

function sweepHalfspace(pair: MovingPair, duration: number, out: SweepInterval): void {
  const { frame } = pair
  const { first } = frame
  separateHalfspace(frame, separation)
  out.meetsAtStart = separation.meet
  out.hit = separation.meet
  if (first.kind === HALFSPACE && separation.meet) {
    measureHalfspaceDepth(frame, depth)
    if (depth.depth === Infinity) return
  } else if (separation.meet) measureHalfspaceDepth(frame, depth)
  const rate = riseRate(pair)
  if (separation.meet) {
    if (rate > 0) out.leave = depth.depth / rate
    return
  }
  if (!(rate < 0)) return
  out.enter = Math.min(separation.distance / -rate, duration)
  const { motionA, motionB, speed } = pair
  const rest = separation.distance + rate * duration
  // Within rounding of the end of the motion it is decided exactly.
  const rounding = frame.error + SEPARATION_ERROR_RATIO * speed * duration
  out.hit =
    rest < -rounding ||
    (rest <= rounding && meetsHalfspaceAfter(frame, { first: motionA, second: motionB, time: duration }))
  // A bounded body goes all the way in, and stays.
}

/** How fast the first rises over the boundary of the second, a half-space. */
function riseRate({ frame, velocity }: MovingPair): number {
  const { numbers } = frame.second
  return -(numbers[UNIT] * velocity[0] + numbers[UNIT + 1] * velocity[2] + numbers[UNIT + 2] * velocity[4])
}

/** How deep a pair that meets lies at the start. */
export function depthAtStart({ frame }: MovingPair): number {
  if (frame.second.kind === HALFSPACE) measureHalfspaceDepth(frame, depth)
  else {
    boundDistance(frame, bounds)
    measureDepth(frame, bounds, depth)
  }
  return depth.depth
}

/**
 * Whether a pair that is within rounding of touching at a time goes into each other after that, to where it parts at the latest; what
 * parts, or slides along, does not.
 */
export function sinksIn(pair: MovingPair, from: number, to: number): boolean {
  const middle = from + (to - from) / 2
  return middle > from && isSunkAt(pair, middle)
}

const near = createNearContact()

function isSunkAt(pair: MovingPair, time: number): boolean {
  const { first, second } = pair.frame
  placeAt(pair, first, second, time, now)
  const margin = TOUCHING_COUNT * now.error
  if (second.kind === HALFSPACE) return -riseRate(pair) * time > margin
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  boundDistance(now, bounds)
  if (bounds.upper - skins > margin) return false
  measureDepth(now, bounds, depth)
  if (!(depth.depth > margin)) return false
  // Slivers make depths of curved bodies too great.
  if (first.kind === POINTS && second.kind === POINTS) return true
  findNearContact(now, depth.nx, depth.ny, depth.nz, near)
  return skins - near.gap > margin
}

// Whether two bodies of core points that move without turning ever meet: exact.
//
// Method: they meet at some time from 0 to the duration just if the first meets the hull of the second's points where they start and
// where they end, seen from the first: bounds of GJK where they are clear, exact arithmetic with GJK's own steps where they are not
// (`narrow-phase/exact-cores.ts`; the ends are one degree higher than the starts, which the number one, as a length, evens out).
// Frame: world axes, origin at the first body's position.

/** The second body where it starts, and again where it ends. */
const swept = createBody()
const sweptBounds = createBounds()

/** The pair is of bodies of core points. */
function sweptPointsMeet(pair: MovingPair, duration: number): boolean {
  const { first, second } = pair.frame
  const frame = sweptFrame(pair, duration)
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  boundDistance(frame, sweptBounds)
  const { lower, upper, simplex } = sweptBounds
  if (lower - skins > frame.error) return false
  if (simplex.holds === 2 || upper + frame.error < skins) return true
  return exactSweepMeets(pair, duration)
}

function sweptFrame({ frame, velocity }: MovingPair, duration: number): PairFrame {
  const { first, second } = frame
  const { count, numbers } = second
  reservePoints(swept, 2 * count)
  const to = swept.numbers
  for (let i = 0; i < 3; i++) to[POSITION + i] = numbers[POSITION + i]
  for (let i = 0; i < 3 * count; i++) {
    to[VERTICES + i] = numbers[VERTICES + i]
    to[VERTICES + 3 * count + i] = numbers[VERTICES + i] + velocity[2 * (i % 3)] * duration
  }
  finishPoints(swept, numbers[RADIUS])
  swept.kind = POINTS
  const extent =
    Math.abs(frame.dx) +
    Math.abs(frame.dy) +
    Math.abs(frame.dz) +
    2 * (first.numbers[REACH] + to[REACH]) +
    Math.abs(to[ANCHOR]) +
    Math.abs(to[ANCHOR + 1]) +
    Math.abs(to[ANCHOR + 2])
  return { ...frame, second: swept, extent, error: SEPARATION_ERROR_RATIO * extent }
}

/** The simplex of `sweptBounds` is what the search starts from. */
function exactSweepMeets({ frame, motionA, motionB }: MovingPair, duration: number): boolean {
  const { first, second } = frame
  const range = inputRangeOf(first, second)
  for (const value of [1, duration, motionA.vx, motionA.vy, motionA.vz, motionB.vx, motionB.vy, motionB.vz]) {
    includeInput(range, value)
  }
  return exactly(range, 2 * CORES_DEGREE, (ring) => {
    const way = exactWay(ring, { frame, motionA, motionB }, duration)
    return searchMeets(ring, first, second, way)
  })
}

function exactWay<T>(
  ring: Ring<T>,
  { motionA, motionB }: Pick<MovingPair, 'frame' | 'motionA' | 'motionB'>,
  duration: number,
): Exact<T> {
  const { of, sub } = ring
  const relative: Exact<T> = [
    sub(of(motionB.vx), of(motionA.vx)),
    sub(of(motionB.vy), of(motionA.vy)),
    sub(of(motionB.vz), of(motionA.vz)),
  ]
  return times(ring, of(duration), relative)
}

/** Where rounding is tried first, it may go in circles; exact steps are a few. */
const LEAST_STEP_LIMIT = 64

function searchMeets<T>(ring: Ring<T>, first: Body, second: Body, way: Exact<T>): boolean {
  const { count } = second
  const one = ring.of(1)
  const offset = exactOffset(ring, first, second)
  // Index j + count: the second's point j at the end.
  const pointOf = (i: number, j: number): Exact<T> => {
    const there = minus(ring, plus(ring, offset, exactVertex(ring, first, i)), exactVertex(ring, second, j % count))
    const start = times(ring, one, there)
    return j < count ? start : minus(ring, start, way)
  }
  const { simplex } = sweptBounds
  let points: Exact<T>[] = []
  for (let m = 0; m < simplex.count; m++) points.push(pointOf(simplex.indexA[m], simplex.indexB[m]))
  const limit = LEAST_STEP_LIMIT + first.count + 2 * count
  for (let step = 0; ; step++) {
    const face = nearestFace(ring, points)
    points = face.members.map((m) => points[m])
    const { toward } = face
    if (isZero(ring, toward)) return true
    const j = lowest(ring, second, toward, -1)
    const atEnd = ring.sign(dot(ring, toward, way)) > 0
    const candidate = pointOf(lowest(ring, first, toward, 1), atEnd ? j + count : j)
    const isNearer = signOfDifference(ring, dot(ring, toward, candidate), dot(ring, toward, points[0])) < 0
    if (!isNearer || step > limit) {
      const sum = ring.add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
      const skins = ring.mul(sum, one)
      const { over, under } = face.square
      return ring.sign(ring.sub(over, ring.mul(ring.mul(skins, skins), under))) <= 0
    }
    points.push(candidate)
  }
}
