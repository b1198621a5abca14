/**
 * Ray against polygon: clipping by the half-planes of its edges.
 *
 * Method: M. Cyrus, J. Beck, "Generalized two- and three-dimensional clipping", Computers & Graphics 3 (1978); the ray
 * enters at the last edge it crosses inward and leaves at the first one outward. Every crossing carries its error bound,
 * so the clip knows when it does not know; then exact arithmetic decides.
 * Boxes along the axes, and segments, have shorter ways; rounded polygons are in `ray-rounded.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { sumError } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import type { FeatureCode } from '../feature.ts'
import { type Body, following, LOCAL, RADIUS, REACH, X, X_LOW, Y, Y_LOW } from '../shape/body.ts'
import { exactEdge, exactX, exactY } from '../shape/exact-points.ts'
import { CLIMB_COUNT, RAY_PARALLEL_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'
import {
  type ExactRay,
  exactRay,
  HIT,
  MISS,
  type Ray,
  type RayLine,
  type RaySpan,
  setEnter,
  setLeave,
  settleExactly,
  settleSpan,
  UNSURE,
  type Verdict,
} from './ray-line.ts'
import { rayRounded } from './ray-rounded.ts'

export function rayPolygon(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.numbers[RADIUS] > 0) return rayRounded(line, ray, body, span)
  const verdict =
    body.count === 2
      ? raySegment(line, body, span)
      : isAxisAligned(body)
        ? rayAabb(line, ray, body, span)
        : clipPolygon(line, body, span)
  return verdict === UNSURE ? exactRayPolygon(line, ray, body, span) : verdict === HIT
}

/** Cost O(edges). */
function clipPolygon(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { count, normals, offsets, numbers } = body
  const reach = numbers[REACH]
  if (count > CLIMB_COUNT) spend(count >> 2)
  const { qx, qy, ux, uy, error } = line
  const parallelError = error + 2 * RAY_PARALLEL_RATIO * reach
  // Where a crossing matters, it lies within reach of the foot: the slope's error weighs no more than the height's.
  const crossingError = 2 * error
  let enter = -Infinity
  let enterHigh = -Infinity
  let enterEdge = -1
  let leave = Infinity
  let leaveLow = Infinity
  let leaveEdge = -1
  let unsure = false
  for (let i = 0; i < count; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    const height = nx * qx + ny * qy - numbers[offsets + i]
    const slope = nx * ux + ny * uy
    if (slope < -RAY_PARALLEL_RATIO) {
      // Division only for crossings that can matter.
      if (height + crossingError <= -enterHigh * slope) continue
      const share = -1 / slope
      const at = height * share
      if (at > enter) {
        enter = at
        enterEdge = i
      }
      enterHigh = Math.max(enterHigh, at + crossingError * share)
    } else if (slope > RAY_PARALLEL_RATIO) {
      if (height + crossingError <= -leaveLow * slope) continue
      const share = -1 / slope
      const at = height * share
      if (at < leave) {
        leave = at
        leaveEdge = i
      }
      leaveLow = Math.min(leaveLow, at + crossingError * share)
    } else if (height > parallelError) return MISS
    else if (height > -parallelError) unsure = true
  }
  const enterSlack = enterHigh - enter
  const leaveSlack = leave - leaveLow
  if (enter - leave > enterSlack + leaveSlack) return MISS
  if (unsure || enterEdge < 0 || leaveEdge < 0 || enterHigh > leaveLow) return UNSURE
  if (Math.max(enterSlack, leaveSlack) > RAY_POINT_RATIO * reach) return UNSURE
  // Within rounding of a corner the exact test tells vertex and edge apart.
  if (nearCorner(line, body, enterEdge, enter, error + enterSlack)) return UNSURE
  setEnter(
    span,
    enter,
    numbers[normals + 2 * enterEdge],
    numbers[normals + 2 * enterEdge + 1],
    body.edgeFeatures[enterEdge],
  )
  setLeave(
    span,
    leave,
    numbers[normals + 2 * leaveEdge],
    numbers[normals + 2 * leaveEdge + 1],
    body.edgeFeatures[leaveEdge],
  )
  return settleSpan(line, span, enterSlack, leaveSlack, reach)
}

function nearCorner(line: RayLine, body: Body, edge: number, at: number, slack: number): boolean {
  const { count, numbers } = body
  const x = line.qx + line.ux * at
  const y = line.qy + line.uy * at
  const i = 2 * edge
  const j = edge + 1 === count ? 0 : i + 2
  const from = Math.abs(x - numbers[LOCAL + i]) + Math.abs(y - numbers[LOCAL + i + 1])
  const to = Math.abs(x - numbers[LOCAL + j]) + Math.abs(y - numbers[LOCAL + j + 1])
  return Math.min(from, to) <= 2 * slack
}

// Ray against segment: where its ends lie on different sides of the ray's line.
//
// Method: C. Ericson, "Real-Time Collision Detection", 5.1.9 (two segments by signed areas). A ray that meets the
// segment's line at a small angle, or one of its ends, is left to the exact test.

function raySegment(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { ux, uy, side, error } = line
  const { normals, numbers } = body
  const ex = numbers[LOCAL + 2]
  const ey = numbers[LOCAL + 3]
  const turn = ux * ey - uy * ex
  const endSide = side + turn
  if ((side > error && endSide > error) || (side < -error && endSide < -error)) return MISS
  if (Math.abs(side) <= error || Math.abs(endSide) <= error) return UNSURE
  const slack = (4 * error * body.numbers[REACH]) / Math.abs(turn)
  if (slack > RAY_POINT_RATIO * body.numbers[REACH]) return UNSURE
  const at = (-side / turn) * (ux * ex + uy * ey)
  // The ray meets edge 0, on the right of a → b, when it goes from right to left.
  const face = turn < 0 ? 0 : 1
  const nx = numbers[normals + 2 * face]
  const ny = numbers[normals + 2 * face + 1]
  setEnter(span, at, nx, ny, body.edgeFeatures[face])
  setLeave(span, at, -nx, -ny, body.edgeFeatures[1 - face])
  return settleSpan(line, span, slack, slack, body.numbers[REACH])
}

// Ray against axis-aligned box: the intersection of two slabs.
//
// Method: T. L. Kay, J. T. Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986. The offsets of the four faces from the
// ray's origin are summed without rounding the terms, so their signs are exact: a ray along an axis, on a face's plane or
// not, needs no tolerance (and no division by zero), and an origin is inside or not for certain.
// Precondition: `isAxisAligned(body)`.

/** Whether the polygon is a rectangle along the axes whose first vertex is (min, min), and its corners plain sums. */
export function isAxisAligned(body: Body): boolean {
  const { vertices: v, numbers } = body
  if (body.count !== 4 || body.numbers[X_LOW] !== 0 || body.numbers[Y_LOW] !== 0 || body.difference !== null)
    return false
  return (
    numbers[v + 1] === numbers[v + 3] &&
    numbers[v + 2] === numbers[v + 4] &&
    numbers[v + 5] === numbers[v + 7] &&
    numbers[v + 6] === numbers[v] &&
    numbers[v + 2] > numbers[v]
  )
}

/** position + vertex − origin, correctly signed and right to a roundoff of itself. */
function faceOffset(position: number, vertex: number, origin: number): number {
  const sum = position + vertex
  const difference = sum - origin
  const e = sumError(position, vertex, sum)
  const f = sumError(sum, -origin, difference)
  const rest = e + f
  const total = difference + rest
  return total + (sumError(difference, rest, total) + sumError(e, f, rest))
}

function rayAabb(line: RayLine, ray: Ray, body: Body, span: RaySpan): Verdict {
  const { ux, uy, along, floor, maxDistance } = line
  const { vertices, edgeFeatures, numbers } = body
  const minX = faceOffset(body.numbers[X], numbers[vertices], ray.ox)
  const minY = faceOffset(body.numbers[Y], numbers[vertices + 1], ray.oy)
  const maxX = faceOffset(body.numbers[X], numbers[vertices + 4], ray.ox)
  const maxY = faceOffset(body.numbers[Y], numbers[vertices + 5], ray.oy)
  const upright = ray.dx === 0
  const level = ray.dy === 0
  if ((upright && (minX > 0 || maxX < 0)) || (level && (minY > 0 || maxY < 0))) return MISS
  if ((!upright && Math.abs(ux) < RAY_PARALLEL_RATIO) || (!level && Math.abs(uy) < RAY_PARALLEL_RATIO)) return UNSURE
  const enterX = upright ? -Infinity : (ux > 0 ? minX : maxX) / ux
  const leaveX = upright ? Infinity : (ux > 0 ? maxX : minX) / ux
  const enterY = level ? -Infinity : (uy > 0 ? minY : maxY) / uy
  const leaveY = level ? Infinity : (uy > 0 ? maxY : minY) / uy
  const enter = Math.max(enterX, enterY)
  const leave = Math.min(leaveX, leaveY)
  const enterSlack = 8 * UNIT_ROUNDOFF * Math.abs(enter) + floor
  const leaveSlack = 8 * UNIT_ROUNDOFF * Math.abs(leave) + floor
  if (enter - leave > enterSlack + leaveSlack) return MISS
  if (enter - leave > -enterSlack - leaveSlack) return UNSURE
  // Within rounding of a corner the exact test tells vertex and edge apart.
  if (Math.abs(enterX - enterY) <= 2 * enterSlack) return UNSURE
  const inside = minX <= 0 && maxX >= 0 && minY <= 0 && maxY >= 0
  if (!inside) {
    if (enter <= 0 || enter > maxDistance + enterSlack) return MISS
    if (enter > maxDistance - enterSlack) return UNSURE
  }
  if (Math.abs(leave - maxDistance) <= leaveSlack) return UNSURE
  span.inside = inside
  span.exits = leave < maxDistance
  const enterEdge = enterX > enterY ? (ux > 0 ? LEFT : RIGHT) : uy > 0 ? BOTTOM : TOP
  const leaveEdge = leaveX < leaveY ? (ux > 0 ? RIGHT : LEFT) : uy > 0 ? TOP : BOTTOM
  const corner = upright ? cornerOn(enterEdge, minX, maxX) : level ? cornerOn(enterEdge, minY, maxY) : -1
  const feature = corner < 0 ? edgeFeatures[enterEdge] : body.vertexFeatures[corner]
  setEnter(span, enter - along, NORMAL_X[enterEdge], NORMAL_Y[enterEdge], feature)
  setLeave(span, leave - along, NORMAL_X[leaveEdge], NORMAL_Y[leaveEdge], edgeFeatures[leaveEdge])
  return HIT
}

const BOTTOM = 0
const RIGHT = 1
const TOP = 2
const LEFT = 3
/** Outward normals of the edges. */
const NORMAL_X = [0, 1, 0, -1]
const NORMAL_Y = [-1, 0, 1, 0]
/** Ends of each edge at the smaller and at the larger coordinate. */
const LOWER_END = [0, 1, 3, 0]
const UPPER_END = [1, 2, 2, 3]

/** The vertex at which a ray meets `edge` head-on while it runs on the plane of a face beside it; -1 when on none. */
function cornerOn(edge: number, min: number, max: number): number {
  return min === 0 ? LOWER_END[edge] : max === 0 ? UPPER_END[edge] : -1
}

// Exact ray against polygon or segment, where rounding leaves the clip of `ray-polygon.ts` open.
//
// Method: the same clipping (Cyrus and Beck) over rational numbers: edge k is crossed at t = −height/slope, both of them
// polynomials of the input. A segment is the intersection of four half-planes: its two sides and its two ends. Only edges
// that rounding cannot rule out are looked at. The points come out to nearly full precision, at any angle.
// World vertex = position + vertex, taken exactly.

/** Edges that may bound the span, and how many; module scratch. For segments 2 and 3 are the ends. */
let candidates = new Int32Array(64)
let candidateCount = 0

function exactRayPolygon(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (candidates.length < body.count) candidates = new Int32Array(2 * body.count)
  selectCandidates(line, body)
  return exactRay(ray, body, [], 6, (exact) => {
    const found = clipExactly(exact, body, span)
    if (found !== null) return found
    selectAll(body)
    return clipExactly(exact, body, span) === true
  })
}

function selectAll(body: Body): void {
  candidateCount = body.count === 2 ? 4 : body.count
  for (let k = 0; k < candidateCount; k++) candidates[k] = k
}

function selectCandidates(line: RayLine, body: Body): void {
  const { count, normals, offsets, numbers } = body
  const reach = numbers[REACH]
  if (count < 5) {
    selectAll(body)
    return
  }
  const { qx, qy, ux, uy, error } = line
  let enterLow = -Infinity
  let leaveHigh = Infinity
  for (let i = 0; i < count; i++) {
    const height = numbers[normals + 2 * i] * qx + numbers[normals + 2 * i + 1] * qy - numbers[offsets + i]
    const slope = numbers[normals + 2 * i] * ux + numbers[normals + 2 * i + 1] * uy
    if (slope < -RAY_PARALLEL_RATIO) enterLow = Math.max(enterLow, (2 * error - height) / slope)
    else if (slope > RAY_PARALLEL_RATIO) leaveHigh = Math.min(leaveHigh, (2 * error - height) / slope)
  }
  candidateCount = 0
  for (let i = 0; i < count; i++) {
    const height = numbers[normals + 2 * i] * qx + numbers[normals + 2 * i + 1] * qy - numbers[offsets + i]
    const slope = numbers[normals + 2 * i] * ux + numbers[normals + 2 * i + 1] * uy
    const bounds =
      slope < -RAY_PARALLEL_RATIO
        ? (-2 * error - height) / slope >= enterLow
        : slope > RAY_PARALLEL_RATIO
          ? (-2 * error - height) / slope <= leaveHigh
          : height > -error - 2 * RAY_PARALLEL_RATIO * reach
    if (bounds) candidates[candidateCount++] = i
  }
}

/** Whether the ray meets the polygon; null when the candidates do not bound the span on both sides. */
function clipExactly<T>(exact: ExactRay<T>, body: Body, span: RaySpan): boolean | null {
  const { ring, dx, dy, square } = exact
  const { add, sub, mul } = ring
  const zero = ring.integer(0)
  let enterEdge = -1
  let enterTop = zero
  let enterSlope = zero
  let leaveEdge = -1
  let leaveTop = zero
  let leaveSlope = zero
  for (let c = 0; c < candidateCount; c++) {
    const k = candidates[c]
    const i = k < body.count ? k : 3 - k
    const [nx, ny] = exactNormal(exact, body, k)
    const height = add(mul(nx, sub(exact.ox, exactX(ring, body, i))), mul(ny, sub(exact.oy, exactY(ring, body, i))))
    const slope = add(mul(nx, dx), mul(ny, dy))
    const sign = ring.sign(slope)
    if (sign === 0) {
      if (ring.sign(height) > 0) return false
    } else if (sign < 0) {
      const down = sub(zero, slope)
      if (enterEdge < 0 || ring.sign(sub(mul(height, enterSlope), mul(enterTop, down))) > 0) {
        enterEdge = k
        enterTop = height
        enterSlope = down
      }
    } else {
      const top = sub(zero, height)
      if (leaveEdge < 0 || ring.sign(sub(mul(top, leaveSlope), mul(leaveTop, slope))) < 0) {
        leaveEdge = k
        leaveTop = top
        leaveSlope = slope
      }
    }
  }
  if (enterEdge < 0 || leaveEdge < 0) return null
  if (ring.sign(leaveTop) < 0 || ring.sign(sub(mul(enterTop, leaveSlope), mul(leaveTop, enterSlope))) > 0) return false
  const inside = ring.sign(enterTop) <= 0
  if (!inside && isBeyond(exact, enterTop, enterSlope)) return false
  const exits = !isBeyond(exact, leaveTop, leaveSlope)
  // From the anchor's foot at a/Q: (top/slope − a/Q)·|d|.
  const ax = sub(exactX(ring, body, 0), exact.ox)
  const ay = sub(exactY(ring, body, 0), exact.oy)
  const foot = add(mul(dx, ax), mul(dy, ay))
  const fromFoot = (top: T, slope: T): number =>
    ring.ratio(sub(mul(top, square), mul(foot, slope)), mul(slope, square)) * exact.length
  setEnter(span, fromFoot(enterTop, enterSlope), 0, 0, featureOn(exact, body, enterEdge))
  setLeave(span, fromFoot(leaveTop, leaveSlope), 0, 0, featureOn(exact, body, leaveEdge))
  setNormals(body, span, enterEdge, leaveEdge)
  return settleExactly(span, inside, exits)
}

/** Outward normal of edge k, as long as the edge; of a segment's end 2 (at its second point) or 3 (at its first). */
function exactNormal<T>({ ring }: ExactRay<T>, body: Body, k: number): [T, T] {
  const isEdge = k < body.count
  const [ex, ey] = exactEdge(ring, body, isEdge ? k : k - 2)
  return isEdge ? [ey, ring.sub(ring.integer(0), ex)] : [ex, ey]
}

/** Whether the parameter top/slope lies beyond the ray's end, slope > 0. */
function isBeyond<T>({ ring, square, maxDistance, wholeOnly }: ExactRay<T>, top: T, slope: T): boolean {
  const { sub, mul } = ring
  if (wholeOnly) return ring.sign(sub(top, slope)) > 0
  if (maxDistance === null || ring.sign(top) <= 0) return false
  const limit = mul(maxDistance, slope)
  return ring.sign(sub(mul(mul(top, top), square), mul(limit, limit))) > 0
}

/** The edge that is crossed, or its end when the ray passes exactly through that. */
function featureOn<T>({ ring, ox, oy, dx, dy }: ExactRay<T>, body: Body, k: number): FeatureCode {
  const { count } = body
  const i = k < count ? k : 3 - k
  const j = following(body, i)
  const { sub, mul } = ring
  const isOnLine = (v: number): boolean =>
    ring.sign(sub(mul(dx, sub(exactY(ring, body, v), oy)), mul(dy, sub(exactX(ring, body, v), ox)))) === 0
  if (isOnLine(i)) return body.vertexFeatures[i]
  return k < count && isOnLine(j) ? body.vertexFeatures[j] : body.edgeFeatures[k]
}

/** Outward unit normal of edge k, rounded; of a segment's end, along the segment. */
function setNormals(body: Body, span: RaySpan, enterEdge: number, leaveEdge: number): void {
  const { count, normals, numbers } = body
  const normalX = (k: number): number => (k < count ? numbers[normals + 2 * k] : (5 - 2 * k) * -numbers[normals + 1])
  const normalY = (k: number): number => (k < count ? numbers[normals + 2 * k + 1] : (5 - 2 * k) * numbers[normals])
  span.enterNx = normalX(enterEdge)
  span.enterNy = normalY(enterEdge)
  span.leaveNx = normalX(leaveEdge)
  span.leaveNy = normalY(leaveEdge)
}
