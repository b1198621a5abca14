/**
 * Linear sweep of two convex bodies: the span of time in which they meet while both move at constant velocity.
 *
 * Method: seen from A, B moves along a segment; they meet while −(relative motion) lies in the Minkowski difference B − A.
 * So the sweep is a ray cast against the difference (`shape/minkowski-difference.ts`), with the exact decisions of ray casts:
 * touching at the start, at the end and in passing (C. Ericson, "Real-Time Collision Detection", 5.5.1–5.5.5). Boxes along
 * the axes need only slabs (`sweep-aabb.ts`). A half-plane's gap is linear in time; with an ellipse it is convex, and
 * Newton's method from outside cannot overshoot. The times of bodies with core points are rounded once
 * (`ray/crossing-time.ts`).
 * Frame: world; the normal points from A to B.
 */

import { spend } from '../../containers/budget.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { createVelocity, roundTime, setVelocity } from '../closed-forms/closed-time.ts'
import { type FeatureCode, featureIndex, featureKind } from '../feature.ts'
import { orderPair, separate } from '../narrow-phase/dispatch.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { crossingTime, type Meeting } from '../ray/crossing-time.ts'
import { isAxisAligned } from '../ray/ray-aabb.ts'
import { castLine } from '../ray/ray-convex.ts'
import { createRay, createRayLine } from '../ray/ray-line.ts'
import { createRaySpan, HIT, UNSURE } from '../ray/ray-span.ts'
import { type Body, CIRCLE, createBody, type Difference, HALFPLANE, POLYGON } from '../shape/body.ts'
import type { RelativeMotion } from '../shape/displacement.ts'
import { following } from '../shape/edge.ts'
import type { Frame } from '../shape/frame.ts'
import { makeDifference, setCenteredDifference, setDifference } from '../shape/minkowski-difference.ts'
import type { Motion } from '../shape/motion.ts'
import { CLIMB_COUNT, LEAST_PATH_LENGTH, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { sweepAabb } from './sweep-aabb.ts'
import { sweepEllipse } from './sweep-ellipse.ts'
import { sweepHalfplane } from './sweep-halfplane.ts'
import { sweepPolygons } from './sweep-polygon.ts'
import type { Sweep } from './sweep-span.ts'

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
  if (first.radius === 0 && second.radius === 0) {
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
  const reach = (first.reach + second.reach) * (1 + SEPARATION_ERROR_RATIO) + error + SEPARATION_ERROR_RATIO * extent
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
  setMeeting(body, span.enterFeature, out)
  if (span.exits) setMeeting(body, span.leaveFeature, out.end)
  out.featureA = out.a0 === out.a1 ? a.vertexFeatures[out.a0] : a.edgeFeatures[out.a0]
  out.featureB = out.b0 === out.b1 ? b.vertexFeatures[out.b0] : b.edgeFeatures[out.b0]
  return true
}

/** What the feature of the difference is the difference of. */
function setMeeting(body: Body, feature: FeatureCode, out: Meeting): void {
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
