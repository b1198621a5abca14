/**
 * Where a ray crosses the boundary of a convex body: its distance, its fraction of the direction and its point, each rounded once.
 *
 * Method: the ray is a point that moves by its direction, so the crossing is that of `crossing-time.ts`; distance and point
 * are products with a time to twice the digits. On curves they are reckoned from the span, as well as that is known.
 * Frame: world.
 */

import { halvesError, leadingHalf, sumError } from '../../numeric/expansion.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import {
  createVelocity,
  planeTime,
  putSpeed,
  roundTime,
  setRayVelocity,
  slopeSign,
} from '../closed-forms/closed-time.ts'
import { type FeatureCode, featureIndex, featureKind } from '../feature.ts'
import { type Body, createBody, HALFPLANE, setCircle, setPose } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
import { isCurved } from '../shape/kinds.ts'
import { usualChordTimes } from './chord-crossings.ts'
import { crossingTime, type Meeting } from './crossing-time.ts'
import { usualEdgeTime } from './edge-crossing.ts'
import type { Ray, RayLine } from './ray-line.ts'
import type { RaySpan } from './ray-span.ts'

export interface RayPlace {
  /** World length from the origin, from 0 to maxDistance. */
  distance: number
  /** Point = origin + fraction · direction; the largest double where that is beyond all doubles. */
  fraction: number
  x: number
  y: number
}

export function createRayPlace(): RayPlace {
  return { distance: 0, fraction: 0, x: 0, y: 0 }
}

const origin = createBody()
setPose(origin, 0, 0, 0)
setCircle(origin, 0)
const velocity = createVelocity()
const enterTime: Twofold = { high: 0, low: 0 }
const leaveTime: Twofold = { high: 0, low: 0 }
const speed: Twofold = { high: 0, low: 0 }
const meeting: Meeting = { a0: 0, a1: 0, b0: 0, b1: 0 }

/**
 * Sets `entry` to the place at which the ray enters the body, where it starts outside of it, and `leave` to the one at which it
 * leaves it, where it does; `span` says both, and is known but for its last digits.
 */
export function setPlaces(ray: Ray, line: RayLine, body: Body, span: RaySpan, entry: RayPlace, leave: RayPlace): void {
  const { inside, exits } = span
  if (isCurved(body)) {
    if (!inside) setRoughPlace(line, body, span.enter, entry)
    if (exits) setRoughPlace(line, body, span.leave, leave)
    return
  }
  setRayVelocity(ray, velocity)
  putSpeed(velocity, speed)
  if (body.count !== 1 || body.radius === 0 || !usualChordTimes(ray, velocity, body, enterTime, leaveTime)) {
    if (!inside) putCrossing(ray, body, span.enterFeature, -1, enterTime)
    if (exits) putCrossing(ray, body, span.leaveFeature, 1, leaveTime)
  }
  if (!inside) setPlace(ray, line, enterTime, entry)
  if (exits) setPlace(ray, line, leaveTime, leave)
}

/** Sets `out` to the time at which the ray enters (end −1) or leaves (end 1) the body through `feature`. */
function putCrossing(ray: Ray, body: Body, feature: FeatureCode, end: -1 | 1, out: Twofold): void {
  const { count } = body
  if (count > 2 && body.radius === 0 && featureKind(feature) === 'edge') {
    if (usualEdgeTime(ray, velocity, body, slotOf(body.edgeFeatures, count, feature), out)) return
  }
  origin.x = ray.ox
  origin.y = ray.oy
  if (body.kind === HALFPLANE) planeTime(body, origin, 0, velocity, out)
  else {
    setMeeting(body, feature, end)
    crossingTime(origin, body, meeting, velocity, end, out)
  }
}

/** Sets `out` to where the ray is at the time. */
function setPlace(ray: Ray, line: RayLine, time: Twofold, out: RayPlace): void {
  // Before the origin a crossing is by rounding alone.
  if (!(time.high > 0)) {
    time.high = 0
    time.low = 0
  }
  const { high, low } = time
  const { x: vx, y: vy } = velocity
  const half = leadingHalf(high)
  const rest = high - half
  out.fraction = roundTime(time, velocity.exponent + ray.exponent)
  const length = high * speed.high
  const speedHalf = leadingHalf(speed.high)
  const lengthError = halvesError(half, rest, speedHalf, speed.high - speedHalf, length)
  out.distance = Math.min(length + (lengthError + (high * speed.low + low * speed.high)), line.maxDistance)
  const wayX = high * vx
  const halfX = leadingHalf(vx)
  const x = ray.ox + wayX
  out.x =
    wayX === 0
      ? ray.ox
      : x + (sumError(ray.ox, wayX, x) + (halvesError(half, rest, halfX, vx - halfX, wayX) + low * vx))
  const wayY = high * vy
  const halfY = leadingHalf(vy)
  const y = ray.oy + wayY
  out.y =
    wayY === 0
      ? ray.oy
      : y + (sumError(ray.oy, wayY, y) + (halvesError(half, rest, halfY, vy - halfY, wayY) + low * vy))
}

/** What the span knows, at best to a few units in the last place of the extent. */
function setRoughPlace(line: RayLine, body: Body, at: number, out: RayPlace): void {
  const distance = Math.min(Math.max(line.along + at, 0), line.maxDistance)
  enterTime.high = distance / line.length
  enterTime.low = 0
  out.distance = distance
  out.fraction = roundTime(enterTime, line.exponent)
  out.x = pointX(line, body, distance, at)
  out.y = pointY(line, body, distance, at)
}

/** Sets `meeting` to the core points of the feature. */
function setMeeting(body: Body, feature: FeatureCode, end: -1 | 1): void {
  const { count } = body
  meeting.b0 = 0
  meeting.b1 = 0
  if (count === 1) return
  if (featureKind(feature) !== 'edge') {
    meeting.b0 = slotOf(body.vertexFeatures, count, feature)
    meeting.b1 = meeting.b0
    return
  }
  // Both sides of a segment may have one name.
  if (count === 2) meeting.b0 = end * slopeSign(body, 0, velocity) > 0 ? 0 : 1
  else meeting.b0 = slotOf(body.edgeFeatures, count, feature)
  meeting.b1 = following(body, meeting.b0)
}

function slotOf(features: Int32Array, count: number, feature: FeatureCode): number {
  const index = featureIndex(feature)
  if (index < count && features[index] === feature) return index
  return Math.max(features.indexOf(feature), 0)
}

/** World x of the point at `distance` from the origin, `at` from the anchor's foot: reckoned from whichever is nearer. */
function pointX(line: RayLine, body: Body, distance: number, at: number): number {
  if (line.dx === 0) return line.ox
  if (distance <= Math.abs(at) + Math.abs(line.side)) return line.ox + distance * line.ux
  const anchor = body.x + body.anchorX
  return anchor + (sumError(body.x, body.anchorX, anchor) + body.xLow + (line.qx + at * line.ux))
}

/** World y of the same point. */
function pointY(line: RayLine, body: Body, distance: number, at: number): number {
  if (line.dy === 0) return line.oy
  if (distance <= Math.abs(at) + Math.abs(line.side)) return line.oy + distance * line.uy
  const anchor = body.y + body.anchorY
  return anchor + (sumError(body.y, body.anchorY, anchor) + body.yLow + (line.qy + at * line.uy))
}
