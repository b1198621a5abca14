/**
 * Linear sweep of two convex bodies: the span of time in which they meet while both move at constant velocity.
 *
 * Method: seen from A, B moves along a segment; they meet while −(relative motion) lies in the Minkowski difference B − A.
 * So the sweep is a ray cast against the difference (`shape/minkowski-difference.ts`), with the exact decisions of ray casts:
 * touching at the start, at the end and in passing (C. Ericson, "Real-Time Collision Detection", 5.5.1–5.5.5). Boxes along
 * the axes need only slabs; half-planes and ellipses have ways of their own. The times of bodies with core points are rounded once
 * (`narrow-phase/closed-time.ts`).
 * Frame: world; the normal points from A to B.
 */

import { spend } from '../../containers/budget.ts'
import { BISECTION_COUNT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import { type FeatureCode, featureIndex, featureKind, NO_FEATURE } from '../feature.ts'
import {
  createVelocity,
  crossingTime,
  type Meeting,
  planeTime,
  roundTime,
  setVelocity,
} from '../narrow-phase/closed-time.ts'
import { orderPair, separate } from '../narrow-phase/dispatch.ts'
import { exactHeight } from '../narrow-phase/polygon-halfplane.ts'
import { supportVertex } from '../narrow-phase/sat.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { castLine } from '../ray/ray-convex.ts'
import { createRay, createRayLine, createRaySpan, HIT, MISS, UNSURE, type Verdict } from '../ray/ray-line.ts'
import { isAxisAligned } from '../ray/ray-polygon.ts'
import {
  type Body,
  CIRCLE,
  copyConvex,
  createBody,
  type Difference,
  following,
  HALFPLANE,
  isBehind,
  isCored,
  LOCAL,
  POLYGON,
  RADIUS,
  REACH,
  X,
  Y,
} from '../shape/body.ts'
import {
  bottomVertex,
  makeDifference,
  setCenteredDifference,
  setDifference,
  topVertex,
} from '../shape/minkowski-difference.ts'
import { displacementOf, type Motion, type RelativeMotion } from '../shape/motion.ts'
import type { Frame } from '../shape/position.ts'
import {
  CLEAR_COSINE_RATIO,
  CLIMB_COUNT,
  LEAST_PATH_LENGTH,
  RAY_PARALLEL_RATIO,
  RAY_POINT_RATIO,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'

const motion: RelativeMotion = { ax: 0, ay: 0, bx: 0, by: 0, duration: 0 }
const ray = createRay()
ray.motion = motion
const line = createRayLine()
const span = createRaySpan()
const velocity = createVelocity()
const time: Twofold = { high: 0, low: 0 }
const separation = createSeparation()
const mergedBody = createBody()
const centeredBody = createBody()
makeDifference(mergedBody)
makeDifference(centeredBody)

/** Fills `out` and returns true when the bodies meet within [0, duration]. Spins are ignored. */
export function sweep(a: Body, motionA: Motion, b: Body, motionB: Motion, duration: number, out: Sweep): boolean {
  const frame = orderPair(a, b)
  const { first, second, swapped } = frame
  const from = swapped ? motionB : motionA
  const to = swapped ? motionA : motionB
  const dx = from.vx - to.vx
  const dy = from.vy - to.vy
  // A path too short for its square counts as none.
  if (!(Math.max(Math.abs(dx), Math.abs(dy)) * duration > LEAST_PATH_LENGTH)) return rest(a, b, out)
  motion.ax = from.vx
  motion.ay = from.vy
  motion.bx = to.vx
  motion.by = to.vy
  motion.duration = duration
  ray.dx = dx
  ray.dy = dy
  if (!sweepOrdered(first, second, frame, out)) return false
  if (second.kind <= POLYGON) roundTimes(first, second, out)
  out.enter = Math.min(Math.max(out.enter, 0), duration)
  out.leave = out.exits ? Math.min(Math.max(out.leave, out.enter), duration) : Infinity
  if (swapped) swapRoles(out)
  return true
}

function sweepOrdered(first: Body, second: Body, frame: Frame, out: Sweep): boolean {
  const corners = first.count + second.count
  if (corners > CLIMB_COUNT) spend(corners)
  if (second.kind > POLYGON) {
    out.a0 = -1
    out.a1 = -1
    out.b0 = -1
    out.b1 = -1
    return second.kind === HALFPLANE
      ? sweepHalfplane(first, second, motion, out)
      : sweepEllipse(first, second, motion, out)
  }
  if (passesBy(first, second, frame)) return false
  if (first.kind === CIRCLE) {
    setCenteredDifference(first, second, frame, centeredBody)
    return castAtDifference(centeredBody, out)
  }
  if (first.numbers[RADIUS] === 0 && second.numbers[RADIUS] === 0) {
    const verdict =
      isAxisAligned(first) && isAxisAligned(second)
        ? sweepAabb(first, second, frame, motion, out)
        : sweepPolygons(first, second, frame, motion, out)
    if (verdict !== UNSURE) return verdict === HIT
  }
  setDifference(first, second, frame, mergedBody)
  return castAtDifference(mergedBody, out)
}

/** Takes the last digits of the times from the features that meet. */
function roundTimes(first: Body, second: Body, out: Sweep): void {
  setVelocity(motion, velocity)
  if (!out.inside) {
    crossingTime(first, second, out, velocity, -1, time)
    out.enter = roundTime(time, velocity.exponent)
  }
  if (!out.exits) return
  crossingTime(first, second, out.end, velocity, 1, time)
  out.leave = roundTime(time, velocity.exponent)
}

/** Whether the bodies are too far off each other's path, or along it, for certain. */
function passesBy(first: Body, second: Body, { dx, dy, error, extent }: Frame): boolean {
  const speed = vectorLength(ray.dx, ray.dy)
  const ux = ray.dx / speed
  const uy = ray.dy / speed
  const reach =
    (first.numbers[REACH] + second.numbers[REACH]) * (1 + SEPARATION_ERROR_RATIO) +
    error +
    SEPARATION_ERROR_RATIO * extent
  const along = ux * dx + uy * dy
  return Math.abs(ux * dy - uy * dx) > reach || along < -reach || along - reach > motion.duration * speed
}

/** No relative motion: they meet from the start or never. */
function rest(a: Body, b: Body, out: Sweep): boolean {
  separate(a, b, separation)
  out.inside = separation.relation <= 0
  out.enter = 0
  out.leave = Infinity
  out.exits = false
  return out.inside
}

function castAtDifference(body: Body, out: Sweep): boolean {
  ray.maxDistance = motion.duration * vectorLength(ray.dx, ray.dy)
  if (!castLine(ray, body, line, span)) return false
  out.inside = span.inside
  out.exits = span.exits
  out.enter = 0
  out.leave = Infinity
  // The difference's outward normal at the entry points against the ray, which runs from B to A.
  out.nx = 0 - span.enterNx
  out.ny = 0 - span.enterNy
  const { a, b } = body.difference as Difference
  setLineMeeting(body, span.enterFeature, out)
  if (span.exits) setLineMeeting(body, span.leaveFeature, out.end)
  out.featureA = out.a0 === out.a1 ? a.vertexFeatures[out.a0] : a.edgeFeatures[out.a0]
  out.featureB = out.b0 === out.b1 ? b.vertexFeatures[out.b0] : b.edgeFeatures[out.b0]
  return true
}

/** Sets the features of both bodies that a feature of their difference is made of. */
function setLineMeeting(body: Body, feature: FeatureCode, out: Meeting): void {
  const { fromA, fromB } = body.difference as Difference
  const k = featureIndex(feature)
  const next = featureKind(feature) === 'edge' ? following(body, k) : k
  out.a0 = fromA[k]
  out.a1 = fromA[next]
  out.b0 = fromB[k]
  out.b1 = fromB[next]
}

function swapRoles(out: Sweep): void {
  const { featureA, a0, a1 } = out
  out.nx = -out.nx
  out.ny = -out.ny
  out.featureA = out.featureB
  out.featureB = featureA
  out.a0 = out.b0
  out.a1 = out.b1
  out.b0 = a0
  out.b1 = a1
}

// Two polygons without skins: the path against their Minkowski difference, whose faces come one by one in a walk around both outlines
// and are never stored.
//
// Method: as `ray/ray-polygon.ts`, a clip by half-planes (M. Cyrus, J. Beck, 1978), each face with its error bound. Where
// rounding leaves a decision open, the caller goes on with the exact way.
// Frame: world axes, B's anchor at (dx, dy) from A's; `motion` has A's velocity less B's.

function sweepPolygons(a: Body, b: Body, frame: Frame, motion: RelativeMotion, out: Sweep): Verdict {
  const { dx, dy, error } = frame
  const { duration } = motion
  const vx = motion.ax - motion.bx
  const vy = motion.ay - motion.by
  const speed = vectorLength(vx, vy)
  const ux = vx / speed
  const uy = vy / speed
  const { numbers: numbersA, normals: normalsA } = a
  const { numbers: numbersB, normals: normalsB } = b
  const countA = a.count
  const countB = b.count
  let i = topVertex(a)
  let j = bottomVertex(b)
  let leftA = countA
  let leftB = countB
  // Distances along the path; a face's index is B's edge, or countB + A's.
  let enter = -Infinity
  let enterHigh = -Infinity
  let enterFace = -1
  let enterVertex = 0
  let leave = Infinity
  let leaveLow = Infinity
  let leaveFace = -1
  let leaveVertex = 0
  while (leftA > 0 || leftB > 0) {
    let takesB = leftA === 0
    if (leftA > 0 && leftB > 0) {
      // Edges of −A have the normals of A, reversed. Directions from 0 to half a turn come before the others.
      const ax = -numbersA[normalsA + 2 * i]
      const ay = -numbersA[normalsA + 2 * i + 1]
      const bx = numbersB[normalsB + 2 * j]
      const by = numbersB[normalsB + 2 * j + 1]
      const lateA = ax < 0 || (ax === 0 && ay > 0)
      const lateB = bx < 0 || (bx === 0 && by > 0)
      takesB = lateA !== lateB ? lateA : bx * ay - by * ax >= 0
    }
    let nx: number
    let ny: number
    let height: number
    let face: number
    let vertex: number
    if (takesB) {
      nx = numbersB[normalsB + 2 * j]
      ny = numbersB[normalsB + 2 * j + 1]
      height = nx * (numbersA[LOCAL + 2 * i] - dx) + ny * (numbersA[LOCAL + 2 * i + 1] - dy) - numbersB[b.offsets + j]
      face = j
      vertex = i
      j = j + 1 === countB ? 0 : j + 1
      leftB--
    } else {
      nx = -numbersA[normalsA + 2 * i]
      ny = -numbersA[normalsA + 2 * i + 1]
      height = -nx * (dx + numbersB[LOCAL + 2 * j]) - ny * (dy + numbersB[LOCAL + 2 * j + 1]) - numbersA[a.offsets + i]
      face = countB + i
      vertex = j
      i = i + 1 === countA ? 0 : i + 1
      leftA--
    }
    const slope = nx * ux + ny * uy
    if (slope < -RAY_PARALLEL_RATIO) {
      if (height + error <= -enterHigh * slope) continue
      const share = -1 / slope
      const at = height * share
      if (at > enter) {
        enter = at
        enterFace = face
        enterVertex = vertex
      }
      enterHigh = Math.max(enterHigh, at + error * share)
    } else if (slope > RAY_PARALLEL_RATIO) {
      if (height + error <= -leaveLow * slope) continue
      const share = -1 / slope
      const at = height * share
      if (at < leave) {
        leave = at
        leaveFace = face
        leaveVertex = vertex
      }
      leaveLow = Math.min(leaveLow, at + error * share)
    } else if (height > 2 * error) return MISS
    else if (height > -2 * error) return UNSURE
  }
  const rounding = 8 * UNIT_ROUNDOFF * (Math.abs(enter) + Math.abs(leave))
  const enterSlack = enterHigh - enter + rounding
  const leaveSlack = leave - leaveLow + rounding
  const end = duration * speed
  if (enter - leave > enterSlack + leaveSlack || leave < -leaveSlack || enter > end + enterSlack) return MISS
  if (!(enterHigh + rounding < leaveLow) || Math.abs(enter) <= enterSlack || leave <= leaveSlack) return UNSURE
  if (enter > end - enterSlack || Math.abs(leave - end) <= leaveSlack) return UNSURE
  if (Math.max(enterSlack, leaveSlack) > RAY_POINT_RATIO * (numbersA[REACH] + numbersB[REACH])) return UNSURE
  out.inside = enter < 0
  out.enter = enter / speed
  out.leave = leave / speed
  out.exits = leave < end
  setMeeting(a, b, leaveFace, leaveVertex, out.end)
  return setFace(a, b, frame, ux, uy, enter, enterFace, enterVertex, enterSlack, out)
}

function setMeeting(a: Body, b: Body, face: number, vertex: number, out: Meeting): void {
  const ofB = face < b.count
  const edge = ofB ? face : face - b.count
  const next = following(ofB ? b : a, edge)
  out.a0 = ofB ? vertex : edge
  out.a1 = ofB ? vertex : next
  out.b0 = ofB ? edge : vertex
  out.b1 = ofB ? next : vertex
}

/** Normal and features of the face that is met; within rounding of its ends another face may be nearer the truth. */
function setFace(
  a: Body,
  b: Body,
  { dx, dy, error }: Frame,
  ux: number,
  uy: number,
  enter: number,
  face: number,
  vertex: number,
  slack: number,
  out: Sweep,
): Verdict {
  const ofB = face < b.count
  const owner = ofB ? b : a
  const edge = ofB ? face : face - b.count
  const next = edge + 1 === owner.count ? 0 : edge + 1
  const other = ofB ? a : b
  const nx = owner.numbers[owner.normals + 2 * edge]
  const ny = owner.numbers[owner.normals + 2 * edge + 1]
  // The other body's vertex in the frame of the face's owner, when they touch.
  const side = ofB ? 1 : -1
  const x = other.numbers[LOCAL + 2 * vertex] + side * (ux * enter - dx)
  const y = other.numbers[LOCAL + 2 * vertex + 1] + side * (uy * enter - dy)
  const past = (y - owner.numbers[LOCAL + 2 * edge + 1]) * nx - (x - owner.numbers[LOCAL + 2 * edge]) * ny
  const left = (owner.numbers[LOCAL + 2 * next + 1] - y) * nx - (owner.numbers[LOCAL + 2 * next] - x) * ny
  if (Math.min(past, left) <= 4 * (slack + error)) return UNSURE
  out.nx = side * -nx
  out.ny = side * -ny
  setMeeting(a, b, face, vertex, out)
  out.featureA = ofB ? a.vertexFeatures[vertex] : a.edgeFeatures[edge]
  out.featureB = ofB ? b.edgeFeatures[edge] : b.vertexFeatures[vertex]
  return HIT
}

// Two boxes along the axes: their Minkowski difference is a box too.
//
// Method: reflect A, sum, and clip the segment of the relative motion to the slabs of the sum (C. Ericson, "Real-Time
// Collision Detection", 5.5.8). Where rounding leaves a decision open, or the segment passes within rounding of a corner,
// the caller goes on with the exact way.
// Frame: world axes, B's first corner at (dx, dy) from A's; `motion` has A's velocity less B's.

/** Edges of a box: bottom, right, top, left. */
const BOTTOM = 0
const RIGHT = 1
const TOP = 2
const LEFT = 3

/** Both `isAxisAligned`. */
function sweepAabb(a: Body, b: Body, frame: Frame, motion: RelativeMotion, out: Sweep): Verdict {
  const { dx, dy, error } = frame
  const { duration } = motion
  const vx = motion.ax - motion.bx
  const vy = motion.ay - motion.by
  const lowX = dx - a.numbers[LOCAL + 4]
  const highX = dx + b.numbers[LOCAL + 4]
  const lowY = dy - a.numbers[LOCAL + 5]
  const highY = dy + b.numbers[LOCAL + 5]
  let enterX = -Infinity
  let leaveX = Infinity
  let enterY = -Infinity
  let leaveY = Infinity
  let slack = 0
  if (vx !== 0) {
    enterX = (vx > 0 ? lowX : highX) / vx
    leaveX = (vx > 0 ? highX : lowX) / vx
    slack = error / Math.abs(vx) + 4 * UNIT_ROUNDOFF * (Math.abs(enterX) + Math.abs(leaveX))
  } else if (lowX > error || highX < -error) return MISS
  else if (lowX > -error || highX < error) return UNSURE
  if (vy !== 0) {
    enterY = (vy > 0 ? lowY : highY) / vy
    leaveY = (vy > 0 ? highY : lowY) / vy
    slack = Math.max(slack, error / Math.abs(vy) + 4 * UNIT_ROUNDOFF * (Math.abs(enterY) + Math.abs(leaveY)))
  } else if (lowY > error || highY < -error) return MISS
  else if (lowY > -error || highY < error) return UNSURE
  const enter = Math.max(enterX, enterY)
  const leave = Math.min(leaveX, leaveY)
  if (enter - leave > 2 * slack || leave < -slack || enter > duration + slack) return MISS
  if (!(enter - leave < -2 * slack) || !(leave > slack)) return UNSURE
  if (Math.abs(enter) <= slack || Math.abs(enterX - enterY) <= 2 * slack) return UNSURE
  if (enter > duration - slack || Math.abs(leave - duration) <= slack) return UNSURE
  out.inside = enter < 0
  out.enter = enter
  out.leave = leave
  out.exits = leave < duration
  const isSide = enterX > enterY
  const edgeA = isSide ? (vx > 0 ? RIGHT : LEFT) : vy > 0 ? TOP : BOTTOM
  const edgeB = (edgeA + 2) % 4
  out.nx = isSide ? (vx > 0 ? 1 : -1) : 0
  out.ny = isSide ? 0 : vy > 0 ? 1 : -1
  out.featureA = a.edgeFeatures[edgeA]
  out.featureB = b.edgeFeatures[edgeB]
  out.a0 = edgeA
  out.a1 = (edgeA + 1) % 4
  out.b0 = edgeB
  out.b1 = (edgeB + 1) % 4
  const lastB = leaveX < leaveY ? (vx > 0 ? RIGHT : LEFT) : vy > 0 ? TOP : BOTTOM
  const lastA = (lastB + 2) % 4
  out.end.a0 = lastA
  out.end.a1 = (lastA + 1) % 4
  out.end.b0 = lastB
  out.end.b1 = (lastB + 1) % 4
  return HIT
}

// With an ellipse: Newton's method on the signed gap.
//
// Under constant velocities the gap of two convex bodies, penetration counted negative, is a convex function of time: the greatest
// of the gaps along all directions, each linear in time. The tangent at any instant, whose slope is the relative velocity along the
// pair's normal, lies below it. So Newton's method from a separated instant approaches the contact without passing it (after G. van
// den Bergen, "Ray Casting against General Convex Objects", 2004).

const moved = createBody()

function sweepEllipse(a: Body, b: Body, motion: RelativeMotion, out: Sweep): boolean {
  const { duration } = motion
  copyConvex(a, moved)
  gapAt(a, b, motion, 0)
  out.inside = separation.relation <= 0
  out.enter = 0
  out.exits = false
  if (!out.inside) {
    const enter = approach(a, b, motion, 0, duration)
    if (enter < 0) return false
    out.enter = enter
    out.nx = separation.nx
    out.ny = separation.ny
    out.featureA = separation.featureA
    out.featureB = separation.featureB
    if (swappedPair) flip(out)
  }
  gapAt(a, b, motion, duration)
  if (separation.relation <= 0) return true
  out.exits = true
  out.leave = Math.max(approach(a, b, motion, duration, out.enter), out.enter)
  return true
}

let swappedPair = false

function flip(out: Sweep): void {
  out.nx = -out.nx
  out.ny = -out.ny
  const { featureA } = out
  out.featureA = out.featureB
  out.featureB = featureA
}

/** Measures the pair at time t, with `moved` a copy of A; `separation` is in the order of the pair then. */
function gapAt(a: Body, b: Body, motion: RelativeMotion, t: number): void {
  moved.numbers[X] = a.numbers[X] + t * (motion.ax - motion.bx)
  moved.numbers[Y] = a.numbers[Y] + t * (motion.ay - motion.by)
  swappedPair = separate(moved, b, separation).swapped
}

/** From a separated instant towards `to`: the instant of contact; when there is none by `to`, −1 forwards and `to` backwards. */
function approach(a: Body, b: Body, motion: RelativeMotion, start: number, to: number): number {
  const forward = to >= start
  let t = start
  for (let i = 0; i < BISECTION_COUNT; i++) {
    gapAt(a, b, motion, t)
    if (separation.relation <= 0) return t
    const side = swappedPair ? 1 : -1
    const rate = side * (separation.nx * (motion.ax - motion.bx) + separation.ny * (motion.ay - motion.by))
    if (forward ? rate >= 0 : rate <= 0) return forward ? -1 : t
    const next = t - separation.value / rate
    // A step may pass the end by its rounding, and what lies there decides.
    if (forward && next > to) {
      gapAt(a, b, motion, to)
      return separation.relation <= 0 ? to : -1
    }
    if (!forward && next < to) return to
    // No longer moved by the gap: as near as doubles get.
    if (next === t) return t
    t = next
  }
  return t
}

// Against a half-plane B the gap is linear in time. Its sign at the start is that of the pair; its sign at the end is decided in exact
// arithmetic where A has core points, from position + velocity · duration.

function sweepHalfplane(a: Body, b: Body, motion: RelativeMotion, out: Sweep): boolean {
  const { duration } = motion
  const dx = motion.ax - motion.bx
  const dy = motion.ay - motion.by
  const { error } = separate(a, b, separation)
  const { nx, ny, relation, value } = separation
  out.inside = relation <= 0
  out.nx = nx
  out.ny = ny
  out.featureA = separation.featureA
  out.featureB = separation.featureB
  out.enter = 0
  out.exits = false
  if (value === -Infinity) return true
  // The gap shrinks as A moves along the normal, which points into the half-plane.
  const rate = -(nx * dx + ny * dy)
  const change = rate * duration
  let end = value + change
  const doubt = error + SEPARATION_ERROR_RATIO * (Math.abs(dx) + Math.abs(dy)) * duration
  let sign = Math.sign(end)
  const hasCorners = isCored(a)
  if (Math.abs(end) <= doubt && hasCorners) {
    const exact = exactHeight(a, b, nx, ny, error, displacementOf(motion))
    sign = exact.sign
    if (!Number.isNaN(exact.value)) end = exact.value
  }
  if (relation <= 0) {
    out.exits = relation === 0 ? sign > 0 : sign >= 0
    out.leave = value < 0 ? (value / (value - end)) * duration : 0
    if (out.exits && value < 0 && sign > 0 && hasCorners) out.leave = crossing(a, b, motion, nx, ny, 1)
    return true
  }
  if (sign > 0) return false
  if (sign === 0) out.enter = duration
  else out.enter = hasCorners ? crossing(a, b, motion, nx, ny, -1) : (value / (value - end)) * duration
  return true
}

/** When the lowest corner, of those that rounding may have taken for it, crosses the boundary; rounded once. */
function crossing(a: Body, plane: Body, motion: RelativeMotion, nx: number, ny: number, end: -1 | 1): number {
  setVelocity(motion, velocity)
  const { vertices, count, numbers } = a
  const lowest = supportVertex(a, nx, ny)
  planeTime(plane, a, lowest, velocity, time)
  let best = roundTime(time, velocity.exponent)
  if (isBehind(a, lowest, separation, -1)) return best
  spend(count)
  for (let i = 0; i < count; i++) {
    const ex = numbers[vertices + 2 * i] - numbers[vertices + 2 * lowest]
    const ey = numbers[vertices + 2 * i + 1] - numbers[vertices + 2 * lowest + 1]
    if (-(nx * ex + ny * ey) > CLEAR_COSINE_RATIO * (Math.abs(ex) + Math.abs(ey))) continue
    planeTime(plane, a, i, velocity, time)
    const at = roundTime(time, velocity.exponent)
    best = end < 0 ? Math.min(best, at) : Math.max(best, at)
  }
  return best
}

/** The time that two bodies without spin spend in each other. */
export interface Sweep {
  /** They meet at the start. */
  inside: boolean
  /** First and last instant of the contact; `leave` is Infinity when it lies beyond the duration (`exits` is false then). */
  enter: number
  leave: number
  exits: boolean
  /** At `enter`, from A to B; not set when they meet at the start. */
  nx: number
  ny: number
  featureA: FeatureCode
  featureB: FeatureCode
  /** Core points between which the bodies touch at `enter`: the same twice for a vertex; −1 when there are none. */
  a0: number
  a1: number
  b0: number
  b1: number
  /** Features that meet at `leave`; not set when that lies beyond the duration. */
  end: Meeting
}

export function createSweep(): Sweep {
  return {
    inside: false,
    enter: 0,
    leave: Infinity,
    exits: false,
    nx: 0,
    ny: 0,
    featureA: NO_FEATURE,
    featureB: NO_FEATURE,
    a0: -1,
    a1: -1,
    b0: -1,
    b1: -1,
    end: { a0: -1, a1: -1, b0: -1, b1: -1 },
  }
}
