/**
 * The usual ray: one that starts outside a circle or a sharp polygon and misses it, or crosses it, by more than rounding.
 *
 * Method: signs of cross products in doubles, with a bound on their errors, say whether the line of the ray meets the body and which edges
 * it crosses; the times of the crossings are those of `narrow-phase/closed-time.ts` to the last bit, with all that is 0 for a ray
 * left out. What lies within a bound is left to the general way.
 * Bounds: a cross product of a direction v with the offset q of a point, rounded, is off by less than 8 roundoffs of the products of
 * its terms: one for each difference, product and sum on the way. Places along the ray are known to 2^-48 of it, and
 * what lies nearer to the origin or the end of the ray than that is left to the general way.
 * Frame: the origin of the ray as seen from the position of the body. Cost O(vertices), no allocation: products and their errors are
 * written out, because engines keep the numbers of one function in registers and allocate those that they pass on.
 */

import { spend } from '../../containers/budget.ts'
import { leadingHalf, sumError } from '../../numeric/expansion.ts'
import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT } from '../../numeric/roundoff.ts'
import type { Twofold } from '../../numeric/twofold.ts'
import { createVelocity, putSpeed, setRayVelocity } from '../narrow-phase/closed-time.ts'
import { ANCHOR_X, ANCHOR_Y, type Body, CIRCLE, POLYGON, RADIUS, REACH, X, X_LOW, Y, Y_LOW } from '../shape/body.ts'
import {
  CLIMB_COUNT,
  LARGEST_RAY_LENGTH,
  NEWTON_ERROR_RATIO,
  RAY_CHORD_RATIO,
  RAY_CROSS_RATIO,
  RAY_DEPTH_RATIO,
  RAY_PLACE_RATIO,
  RAY_RADIUS_RATIO,
  SLOPE_ERROR_RATIO,
  SMALLEST_RAY_LENGTH,
  TWOFOLD_ERROR_RATIO,
} from '../tolerances.ts'
import { createRayPlace, setPlace, usualEdgeTime } from './ray-crossing.ts'
import { HIT, MISS, type Ray, type RayHit, UNSURE, type Verdict } from './ray-line.ts'

const LARGEST_RAY_SQUARE = LARGEST_RAY_LENGTH * LARGEST_RAY_LENGTH
const SMALLEST_RAY_SQUARE = SMALLEST_RAY_LENGTH * SMALLEST_RAY_LENGTH

const velocity = createVelocity()
const speed: Twofold = { high: 0, low: 0 }
const enterTime: Twofold = { high: 0, low: 0 }
const leaveTime: Twofold = { high: 0, low: 0 }
const place = createRayPlace()

/**
 * Whether the ray hits the body, which it starts outside of; if so, fills `out`, with its exit if that is wanted. UNSURE: not a usual ray
 * or body.
 */
export function castUsual(ray: Ray, body: Body, wantsExit: boolean, out: RayHit): Verdict {
  const { kind, numbers } = body
  if (kind > POLYGON || body.difference !== null || ray.motion !== null || ray.exponent !== 0) return UNSURE
  if (kind === CIRCLE) return castAtCircle(ray, body, wantsExit, out)
  return body.count > 2 && numbers[RADIUS] === 0 ? castAtPolygon(ray, body, wantsExit, out) : UNSURE
}

// Circles: the line of the ray goes well into them. The ends of the chord are those of `circleTime` in `narrow-phase/closed-time.ts`,
// both from one root and one set of halves.

function castAtCircle(ray: Ray, body: Body, wantsExit: boolean, out: RayHit): Verdict {
  const { numbers } = body
  const bodyX = numbers[X]
  const bodyY = numbers[Y]
  if (numbers[ANCHOR_X] !== 0 || numbers[ANCHOR_Y] !== 0 || numbers[X_LOW] !== 0 || numbers[Y_LOW] !== 0) return UNSURE
  const radius = numbers[RADIUS]
  const { ox, oy, dx: vx, dy: vy, maxDistance } = ray
  const x = ox - bodyX
  const y = oy - bodyY
  const extent = Math.abs(x) + Math.abs(y)
  if (!(extent > SMALLEST_SAFE_EXTENT && extent + radius < LARGEST_SAFE_EXTENT / 2)) return UNSURE
  const vxx = vx * vx
  const vyy = vy * vy
  const square = vxx + vyy
  if (!(square > SMALLEST_RAY_SQUARE && square < LARGEST_RAY_SQUARE)) return UNSURE
  const length = Math.sqrt(square)
  const left = vx * y
  const right = vy * x
  const side = left - right
  const limit = radius * length
  const error = RAY_CROSS_RATIO * length * (extent + radius)
  if (Math.abs(side) > limit + error) return MISS
  const along = -(vx * x + vy * y)
  if (along + limit < -error) return MISS

  // Half the chord, and the offset of the centre from the line to the last bit but one.
  const xLow = sumError(ox, -bodyX, x)
  const yLow = sumError(oy, -bodyY, y)
  const vxHigh = leadingHalf(vx)
  const vyHigh = leadingHalf(vy)
  const vxRest = vx - vxHigh
  const vyRest = vy - vyHigh
  const xHigh = leadingHalf(x)
  const yHigh = leadingHalf(y)
  const xRest = x - xHigh
  const yRest = y - yHigh
  const sideErrors =
    vxRest * yRest -
    (left - vxHigh * yHigh - vxRest * yHigh - vxHigh * yRest) -
    (vyRest * xRest - (right - vyHigh * xHigh - vyRest * xHigh - vyHigh * xRest))
  const aside = -(side + (sumError(left, -right, side) + sideErrors + (vx * yLow - vy * xLow))) / length
  const depth = radius - Math.abs(aside)
  const coordinates = Math.abs(bodyX) + Math.abs(bodyY) + Math.abs(ox) + Math.abs(oy)
  if (!(depth > RAY_DEPTH_RATIO * radius && radius > RAY_RADIUS_RATIO * coordinates)) return UNSURE
  if (!(radius > SMALLEST_SAFE_EXTENT)) return UNSURE
  const half = Math.sqrt(depth) * Math.sqrt(radius + Math.abs(aside))
  // Places along the ray, times the length of its direction.
  const slack = length * (RAY_CHORD_RATIO * radius + RAY_PLACE_RATIO * extent)
  const most = length * maxDistance
  const first = along - length * half
  const last = along + length * half
  if (!(first > slack && Math.abs(first - most) > slack)) return UNSURE
  if (first > most) return MISS
  if (!(Math.abs(last - most) > slack)) return UNSURE
  const exits = wantsExit && last < most

  // The length of the direction as a twofold number.
  let speedHigh = Math.abs(vy === 0 ? vx : vy)
  let speedLow = 0
  if (vx !== 0 && vy !== 0) {
    const vxAcross = vxHigh * vxRest
    const vyAcross = vyHigh * vyRest
    const squareErrors =
      vxRest * vxRest -
      (vxx - vxHigh * vxHigh - vxAcross - vxAcross) +
      (vyRest * vyRest - (vyy - vyHigh * vyHigh - vyAcross - vyAcross))
    const again = length * length
    const lengthHigh = leadingHalf(length)
    const lengthRest = length - lengthHigh
    const lengthAcross = lengthHigh * lengthRest
    const lost = lengthRest * lengthRest - (again - lengthHigh * lengthHigh - lengthAcross - lengthAcross)
    const low = (square - again - lost + (sumError(vxx, vyy, square) + squareErrors)) / (2 * length)
    speedHigh = length + low
    speedLow = low - (speedHigh - length)
  }
  const speedHalf = leadingHalf(speedHigh)
  const speedRest = speedHigh - speedHalf

  const rr = radius * radius
  const inner = rr * square - side * side
  if (!(inner > 0)) return UNSURE
  const sum = along + Math.sqrt(inner)
  const radiusHigh = leadingHalf(radius)
  const radiusRest = radius - radiusHigh
  const radiusAcross = radiusHigh * radiusRest
  const radiusError = radiusRest * radiusRest - (rr - radiusHigh * radiusHigh - radiusAcross - radiusAcross)
  for (let way = exits ? 1 : -1; way >= -1; way -= 2) {
    const t = way > 0 ? sum / square : (x * x + y * y - rr) / sum
    // Where that is, and by how much it misses the circle.
    const tHigh = leadingHalf(t)
    const tRest = t - tHigh
    const wayX = vx * t
    const wayY = vy * t
    const wx = x + wayX
    const wy = y + wayY
    const wayXError = vxRest * tRest - (wayX - vxHigh * tHigh - vxRest * tHigh - vxHigh * tRest)
    const wayYError = vyRest * tRest - (wayY - vyHigh * tHigh - vyRest * tHigh - vyHigh * tRest)
    const wxLow = sumError(x, wayX, wx) + (wayXError + xLow)
    const wyLow = sumError(y, wayY, wy) + (wayYError + yLow)
    const xx = wx * wx
    const yy = wy * wy
    const wxHigh = leadingHalf(wx)
    const wyHigh = leadingHalf(wy)
    const wxRest = wx - wxHigh
    const wyRest = wy - wyHigh
    const wxAcross = wxHigh * wxRest
    const wyAcross = wyHigh * wyRest
    const squareErrors =
      wxRest * wxRest -
      (xx - wxHigh * wxHigh - wxAcross - wxAcross) +
      (wyRest * wyRest - (yy - wyHigh * wyHigh - wyAcross - wyAcross))
    const distance = xx + yy
    const lows = 2 * (wx * wxLow + wy * wyLow)
    const excess = distance - rr + (sumError(xx, yy, distance) + (squareErrors - radiusError + lows))
    const slope = vx * wx + vy * wy
    const step = -excess / (2 * slope)
    const size = Math.abs(step)
    const second = size * (size * square + SLOPE_ERROR_RATIO * (Math.abs(vx * wx) + Math.abs(vy * wy)))
    const lost = TWOFOLD_ERROR_RATIO * radius * (radius + extent + Math.abs(wayX) + Math.abs(wayY))
    if (!(way * slope > 0 && second + lost <= NEWTON_ERROR_RATIO * Math.abs(t * slope))) return UNSURE

    // The time as a twofold number, and the products with it.
    const high = t + step
    const low = step - (high - t)
    const highHalf = leadingHalf(high)
    const highRest = high - highHalf
    const path = high * speedHigh
    const pathError = highRest * speedRest - (path - highHalf * speedHalf - highRest * speedHalf - highHalf * speedRest)
    const placeDistance = Math.min(path + (pathError + (high * speedLow + low * speedHigh)), maxDistance)
    const toX = high * vx
    const toY = high * vy
    const toXError = highRest * vxRest - (toX - highHalf * vxHigh - highRest * vxHigh - highHalf * vxRest)
    const toYError = highRest * vyRest - (toY - highHalf * vyHigh - highRest * vyHigh - highHalf * vyRest)
    const atX = ox + toX
    const atY = oy + toY
    const placeX = toX === 0 ? ox : atX + (sumError(ox, toX, atX) + (toXError + low * vx))
    const placeY = toY === 0 ? oy : atY + (sumError(oy, toY, atY) + (toYError + low * vy))
    if (way > 0) {
      out.exitDistance = placeDistance
      out.exitX = placeX
      out.exitY = placeY
    } else {
      out.distance = placeDistance
      out.fraction = high + low
      out.x = placeX
      out.y = placeY
    }
  }
  const ux = vx / length
  const uy = vy / length
  const chord = Math.sqrt(half * half + aside * aside)
  const share = half / chord
  const acrossX = (aside * uy) / chord
  const acrossY = (-aside * ux) / chord
  out.hasNormal = true
  out.nx = acrossX - share * ux + 0
  out.ny = acrossY - share * uy + 0
  out.feature = body.vertexFeatures[0]
  out.part = 0
  out.startedInside = false
  out.hasExit = exits
  if (!exits) return HIT
  if (out.exitDistance < out.distance) out.exitDistance = out.distance
  out.exitNx = acrossX + share * ux + 0
  out.exitNy = acrossY + share * uy + 0
  return HIT
}

// Polygons: the corners lie on both sides of the line of the ray, and clear of it. So it crosses the two edges whose ends lie on
// different sides, well between their ends.

function castAtPolygon(ray: Ray, body: Body, wantsExit: boolean, out: RayHit): Verdict {
  const { numbers, count, vertices } = body
  const { dx: vx, dy: vy, maxDistance } = ray
  const x = ray.ox - numbers[X]
  const y = ray.oy - numbers[Y]
  const anchor = Math.abs(numbers[ANCHOR_X]) + Math.abs(numbers[ANCHOR_Y])
  const extent = Math.abs(x) + Math.abs(y) + anchor + numbers[REACH]
  if (!(extent > SMALLEST_SAFE_EXTENT && extent < LARGEST_SAFE_EXTENT)) return UNSURE
  const speedSum = Math.abs(vx) + Math.abs(vy)
  if (!(speedSum > SMALLEST_RAY_LENGTH && speedSum < LARGEST_RAY_LENGTH)) return UNSURE
  if (count > CLIMB_COUNT) spend(count >> 2)
  const error = speedSum * (RAY_CROSS_RATIO * extent + Math.abs(numbers[X_LOW]) + Math.abs(numbers[Y_LOW]))
  const level = vx * y - vy * x
  let enterEdge = 0
  let leaveEdge = 0
  let crossed = 0
  let previous = count - 1
  let before = vx * numbers[vertices + 2 * previous + 1] - vy * numbers[vertices + 2 * previous] - level
  for (let i = 0; i < count; i++) {
    const side = vx * numbers[vertices + 2 * i + 1] - vy * numbers[vertices + 2 * i] - level
    if (!(Math.abs(side) > error)) return UNSURE
    if (side * before < 0) {
      crossed++
      if (side < 0) enterEdge = previous
      else leaveEdge = previous
    }
    before = side
    previous = i
  }
  if (crossed === 0) return MISS
  setRayVelocity(ray, velocity)
  if (crossed > 2 || !usualEdgeTime(ray, velocity, body, enterEdge, enterTime)) return UNSURE
  putSpeed(velocity, speed)
  const near = enterTime.high * speed.high
  if (!(Math.abs(near - maxDistance) > RAY_PLACE_RATIO * near)) return UNSURE
  if (near > maxDistance) return MISS
  if (wantsExit && !usualEdgeTime(ray, velocity, body, leaveEdge, leaveTime)) return UNSURE
  const far = wantsExit ? leaveTime.high * speed.high : Infinity
  if (wantsExit && !(Math.abs(far - maxDistance) > RAY_PLACE_RATIO * far)) return UNSURE
  const { normals, edgeFeatures } = body
  setPlace(ray, velocity, speed, enterTime, place)
  out.distance = place.distance
  out.fraction = place.fraction
  out.x = place.x
  out.y = place.y
  out.hasNormal = true
  out.nx = numbers[normals + 2 * enterEdge] + 0
  out.ny = numbers[normals + 2 * enterEdge + 1] + 0
  out.feature = edgeFeatures[enterEdge]
  out.part = 0
  out.startedInside = false
  out.hasExit = far < maxDistance
  if (!out.hasExit) return HIT
  setPlace(ray, velocity, speed, leaveTime, place)
  out.exitDistance = Math.max(place.distance, out.distance)
  out.exitX = place.x
  out.exitY = place.y
  out.exitNx = numbers[normals + 2 * leaveEdge] + 0
  out.exitNy = numbers[normals + 2 * leaveEdge + 1] + 0
  return HIT
}
