/**
 * Exact ray against polygon or segment, where rounding leaves the clip of `ray-polygon.ts` open.
 *
 * Method: the same clipping (Cyrus and Beck) over rational numbers: edge k is crossed at t = −height/slope, both of them
 * polynomials of the input. A segment is the intersection of four half-planes: its two sides and its two ends. Only edges
 * that rounding cannot rule out are looked at. The points come out to nearly full precision, at any angle.
 * World vertex = position + vertex, taken exactly.
 */

import type { FeatureCode } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
import { exactEdge, exactX, exactY } from '../shape/exact-points.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import { type ExactRay, exactRay } from './ray-exact.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { type RaySpan, setEnter, setLeave, settleExactly } from './ray-span.ts'

/** Edges that may bound the span, and how many; module scratch. For segments 2 and 3 are the ends. */
let candidates = new Int32Array(64)
let candidateCount = 0

export function exactRayPolygon(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
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
  const { count, normals, offsets, reach } = body
  if (count < 5) {
    selectAll(body)
    return
  }
  const { qx, qy, ux, uy, error } = line
  let enterLow = -Infinity
  let leaveHigh = Infinity
  for (let i = 0; i < count; i++) {
    const height = normals[2 * i] * qx + normals[2 * i + 1] * qy - offsets[i]
    const slope = normals[2 * i] * ux + normals[2 * i + 1] * uy
    if (slope < -RAY_PARALLEL_RATIO) enterLow = Math.max(enterLow, (2 * error - height) / slope)
    else if (slope > RAY_PARALLEL_RATIO) leaveHigh = Math.min(leaveHigh, (2 * error - height) / slope)
  }
  candidateCount = 0
  for (let i = 0; i < count; i++) {
    const height = normals[2 * i] * qx + normals[2 * i + 1] * qy - offsets[i]
    const slope = normals[2 * i] * ux + normals[2 * i + 1] * uy
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
  const { count, normals } = body
  const normalX = (k: number): number => (k < count ? normals[2 * k] : (5 - 2 * k) * -normals[1])
  const normalY = (k: number): number => (k < count ? normals[2 * k + 1] : (5 - 2 * k) * normals[0])
  span.enterNx = normalX(enterEdge)
  span.enterNy = normalY(enterEdge)
  span.leaveNx = normalX(leaveEdge)
  span.leaveNy = normalY(leaveEdge)
}
