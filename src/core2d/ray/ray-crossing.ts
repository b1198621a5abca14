/**
 * Where a ray crosses the boundary of a convex body: its distance, its fraction of the direction and its point, each rounded once.
 *
 * Method: the ray is a point that moves by its direction, so the crossing is that of `narrow-phase/closed-time.ts`; distance and point
 * are products with a time to twice the digits. On curves they are reckoned from the span, as well as that is known.
 * Frame: world.
 */

import { leadingHalf, sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT, SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import { type FeatureCode, featureIndex, featureKind, NO_FEATURE } from '../feature.ts'
import {
  createVelocity,
  crossingTime,
  type Meeting,
  planeTime,
  putSpeed,
  roundTime,
  setRayVelocity,
  slopeSign,
  type Velocity,
} from '../narrow-phase/closed-time.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  createBody,
  following,
  HALFPLANE,
  isCurved,
  RADIUS,
  setCircle,
  setPose,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { CANCELLED_RATIO, FOOT_MARGIN_RATIO, UNCANCELLED_RATIO } from '../tolerances.ts'
import type { Ray, RayLine, RaySpan } from './ray-line.ts'

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
const time: Twofold = { high: 0, low: 0 }
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
  if (!inside) {
    putCrossing(ray, body, span.enterFeature, -1, time)
    setPlace(ray, velocity, speed, time, entry)
  }
  if (!exits) return
  putCrossing(ray, body, span.leaveFeature, 1, time)
  setPlace(ray, velocity, speed, time, leave)
}

/** Sets `out` to the time at which the ray enters (end −1) or leaves (end 1) the body through `feature`. */
function putCrossing(ray: Ray, body: Body, feature: FeatureCode, end: -1 | 1, out: Twofold): void {
  const { count } = body
  if (count > 2 && body.numbers[RADIUS] === 0 && featureKind(feature) === 'edge') {
    if (usualEdgeTime(ray, velocity, body, slotOf(body.edgeFeatures, count, feature), out)) return
  }
  origin.numbers[X] = ray.ox
  origin.numbers[Y] = ray.oy
  if (body.kind === HALFPLANE) planeTime(body, origin, 0, velocity, out)
  else {
    setMeeting(body, feature, end)
    crossingTime(origin, body, meeting, velocity, end, out)
  }
}

/** Sets `out` to where the ray is at the time. */
export function setPlace(ray: Ray, velocity: Velocity, speed: Twofold, time: Twofold, out: RayPlace): void {
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
  const speedRest = speed.high - speedHalf
  const lengthError = rest * speedRest - (length - half * speedHalf - rest * speedHalf - half * speedRest)
  out.distance = Math.min(length + (lengthError + (high * speed.low + low * speed.high)), ray.maxDistance)
  const wayX = high * vx
  const halfX = leadingHalf(vx)
  const restX = vx - halfX
  const wayXError = rest * restX - (wayX - half * halfX - rest * halfX - half * restX)
  const x = ray.ox + wayX
  out.x = wayX === 0 ? ray.ox : x + (sumError(ray.ox, wayX, x) + (wayXError + low * vx))
  const wayY = high * vy
  const halfY = leadingHalf(vy)
  const restY = vy - halfY
  const wayYError = rest * restY - (wayY - half * halfY - rest * halfY - half * restY)
  const y = ray.oy + wayY
  out.y = wayY === 0 ? ray.oy : y + (sumError(ray.oy, wayY, y) + (wayYError + low * vy))
}

/** Sets the place from the span, at best to a few units in the last place of the extent. */
function setRoughPlace(line: RayLine, body: Body, at: number, out: RayPlace): void {
  const distance = Math.min(Math.max(line.along + at, 0), line.maxDistance)
  time.high = distance / line.length
  time.low = 0
  out.distance = distance
  out.fraction = roundTime(time, line.exponent)
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
  const anchor = body.numbers[X] + body.numbers[ANCHOR_X]
  return (
    anchor +
    (sumError(body.numbers[X], body.numbers[ANCHOR_X], anchor) + body.numbers[X_LOW] + (line.qx + at * line.ux))
  )
}

/** World y of the same point. */
function pointY(line: RayLine, body: Body, distance: number, at: number): number {
  if (line.dy === 0) return line.oy
  if (distance <= Math.abs(at) + Math.abs(line.side)) return line.oy + distance * line.uy
  const anchor = body.numbers[Y] + body.numbers[ANCHOR_Y]
  return (
    anchor +
    (sumError(body.numbers[Y], body.numbers[ANCHOR_Y], anchor) + body.numbers[Y_LOW] + (line.qy + at * line.uy))
  )
}

// When a ray crosses the line of an edge of a sharp polygon, as a twofold number: `edgeTime` of
// `narrow-phase/closed-time.ts`, to the last bit, for the usual ray.
//
// Method: `lineTime` of that file with all that is 0 for a ray left out, written out in one function:
// engines keep its numbers in registers, and allocate none. That the crossing lies well between the ends of the edge is
// tested in doubles, more strictly than in twofold numbers. The general function does the rest.
// Frame: the origin of the ray as seen from the start of the edge.

/**
 * Sets `out` to the time, in the unit of `v`, the ray's direction; false where that is to be found in the general way.
 * Precondition: the body has no skin. Cost O(1), no allocation.
 */
export function usualEdgeTime(ray: Ray, v: Velocity, body: Body, edge: number, out: Twofold): boolean {
  const { vertices, numbers } = body
  const i = 2 * edge
  const j = edge + 1 === body.count ? 0 : i + 2
  const startX = numbers[vertices + i]
  const startY = numbers[vertices + i + 1]
  const endX = numbers[vertices + j]
  const endY = numbers[vertices + j + 1]
  const ex = endX - startX
  const ey = endY - startY
  const exLow = sumError(endX, -startX, ex)
  const eyLow = sumError(endY, -startY, ey)
  const { x: vx, y: vy } = v

  const px = ray.ox - body.numbers[X]
  let x = px - startX
  const xFirst = sumError(px, -startX, x) + sumError(ray.ox, -body.numbers[X], px)
  let xLow = xFirst - body.numbers[X_LOW]
  if (!(Math.abs(x) > UNCANCELLED_RATIO * (Math.abs(px) + Math.abs(startX)))) {
    const high = x + xFirst
    const rest = xFirst - (high - x) - body.numbers[X_LOW]
    x = high + rest
    xLow = sumError(high, rest, x)
  }
  const py = ray.oy - body.numbers[Y]
  let y = py - startY
  const yFirst = sumError(py, -startY, y) + sumError(ray.oy, -body.numbers[Y], py)
  let yLow = yFirst - body.numbers[Y_LOW]
  if (!(Math.abs(y) > UNCANCELLED_RATIO * (Math.abs(py) + Math.abs(startY)))) {
    const high = y + yFirst
    const rest = yFirst - (high - y) - body.numbers[Y_LOW]
    y = high + rest
    yLow = sumError(high, rest, y)
  }

  let slope: number
  let slopeLow: number
  let top: number
  let topLow: number
  if (ex === 0 || ey === 0) {
    // Along an axis, heights are differences.
    const isUpright = ex === 0
    const side = (isUpright ? ey : -ex) > 0 ? 1 : -1
    slope = side * (isUpright ? vx : vy)
    slopeLow = 0
    top = -side * (isUpright ? x : y)
    topLow = -side * (isUpright ? xLow : yLow)
    if (!(Math.abs(top) > SMALLEST_SAFE_SQUARE && Math.abs(slope) > SMALLEST_SAFE_EXTENT)) return false
  } else {
    const left = ey * vx
    const right = ex * vy
    slope = left - right
    const slopeSize = Math.abs(left) + Math.abs(right)
    const above = ey * x
    const below = ex * y
    const cross = above - below
    const size = Math.abs(above) + Math.abs(below)
    if (!(Math.abs(slope) >= CANCELLED_RATIO * slopeSize && slopeSize > SMALLEST_SAFE_SQUARE)) return false
    if (!(Math.abs(cross) >= CANCELLED_RATIO * size && size > SMALLEST_SAFE_SQUARE)) return false
    const exHigh = leadingHalf(ex)
    const exRest = ex - exHigh
    const eyHigh = leadingHalf(ey)
    const eyRest = ey - eyHigh
    const vxHigh = leadingHalf(vx)
    const vyHigh = leadingHalf(vy)
    const vxRest = vx - vxHigh
    const vyRest = vy - vyHigh
    const slopeErrors =
      eyRest * vxRest -
      (left - eyHigh * vxHigh - eyRest * vxHigh - eyHigh * vxRest) -
      (exRest * vyRest - (right - exHigh * vyHigh - exRest * vyHigh - exHigh * vyRest))
    slopeLow = sumError(left, -right, slope) + (slopeErrors + (eyLow * vx - exLow * vy))
    const xHigh = leadingHalf(x)
    const yHigh = leadingHalf(y)
    const xRest = x - xHigh
    const yRest = y - yHigh
    const crossErrors =
      eyRest * xRest -
      (above - eyHigh * xHigh - eyRest * xHigh - eyHigh * xRest) -
      (exRest * yRest - (below - exHigh * yHigh - exRest * yHigh - exHigh * yRest))
    top = -cross
    topLow = -(sumError(above, -below, cross) + (crossErrors + (ey * xLow + eyLow * x - (ex * yLow + exLow * y))))
  }

  const quotient = top / slope
  // Between these, errors of products do not underflow.
  if (!(quotient > SMALLEST_SAFE_EXTENT && quotient < LARGEST_SAFE_EXTENT)) return false
  // Well between the ends of the edge.
  const wayX = quotient * vx
  const wayY = quotient * vy
  const past = ex * (x + wayX) + ey * (y + wayY)
  const margin =
    FOOT_MARGIN_RATIO *
    (Math.abs(ex) * (Math.abs(x) + Math.abs(wayX) + Math.abs(ex)) +
      Math.abs(ey) * (Math.abs(y) + Math.abs(wayY) + Math.abs(ey)))
  if (!(past > margin && ex * ex + ey * ey - past > margin)) return false

  const product = quotient * slope
  const quotientHigh = leadingHalf(quotient)
  const slopeHigh = leadingHalf(slope)
  const quotientRest = quotient - quotientHigh
  const slopeRest = slope - slopeHigh
  const productError =
    quotientRest * slopeRest -
    (product - quotientHigh * slopeHigh - quotientRest * slopeHigh - quotientHigh * slopeRest)
  const rest = top - product - productError
  const low = (rest + (topLow - quotient * slopeLow)) / slope
  const high = quotient + low
  if (!(high > 0)) return false
  out.high = high
  out.low = low - (high - quotient)
  return true
}

// Stretches: the pieces of a ray that lie in a composite body, by world distances from the origin.

/** Where a ray crosses the boundary of a part. */
interface RayCrossing {
  distance: number
  fraction: number
  x: number
  y: number
  nx: number
  ny: number
  feature: FeatureCode
  part: number
}

export interface RayStretch {
  /** The origin is in it, boundary included: `enter` is then at distance 0. */
  inside: boolean
  enter: RayCrossing
  /** It ends before the ray does; else `leave` is at distance Infinity. */
  exits: boolean
  leave: RayCrossing
}

const entry = createRayPlace()
const exit = createRayPlace()

/** The stretch that `castLine` found of a leaf of `part`. */
export function stretchOf(ray: Ray, line: RayLine, span: RaySpan, body: Body, part: number): RayStretch {
  const { inside, exits } = span
  if (inside) {
    entry.distance = 0
    entry.fraction = 0
    entry.x = ray.ox
    entry.y = ray.oy
  }
  setPlaces(ray, line, body, span, entry, exit)
  return {
    inside,
    enter: {
      ...entry,
      nx: span.enterNx,
      ny: span.enterNy,
      feature: span.enterFeature,
      part,
    },
    exits,
    leave: exits
      ? {
          ...exit,
          distance: Math.max(exit.distance, entry.distance),
          nx: span.leaveNx,
          ny: span.leaveNy,
          feature: span.leaveFeature,
          part,
        }
      : neverLeft(part),
  }
}

function neverLeft(part: number): RayCrossing {
  return { distance: Infinity, fraction: 0, x: 0, y: 0, nx: 0, ny: 0, feature: NO_FEATURE, part }
}

/** A stretch from the origin on. */
export function stretchFromInside(part: number): RayStretch {
  return { inside: true, enter: { ...neverLeft(part), distance: 0 }, exits: false, leave: neverLeft(part) }
}
