/**
 * Ray against polygon: clipping by the half-planes of its edges.
 *
 * Method: M. Cyrus, J. Beck, "Generalized two- and three-dimensional clipping", Computers & Graphics 3 (1978); the ray
 * enters at the last edge it crosses inward and leaves at the first one outward. Every crossing carries its error bound,
 * so the clip knows when it does not know; then `ray-exact-polygon.ts` decides.
 * Boxes along the axes go to `ray-aabb.ts`, segments to `ray-segment.ts`, rounded ones to `ray-rounded.ts`.
 */
import { spend } from '../../containers/budget.ts'
import type { Body } from '../shape/body.ts'
import { CLIMB_COUNT, RAY_PARALLEL_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'
import { isAxisAligned, rayAabb } from './ray-aabb.ts'
import { exactRayPolygon } from './ray-exact-polygon.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { rayRounded } from './ray-rounded.ts'
import { raySegment } from './ray-segment.ts'
import { HIT, MISS, type RaySpan, setEnter, setLeave, settleSpan, UNSURE, type Verdict } from './ray-span.ts'

export function rayPolygon(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.radius > 0) return rayRounded(line, ray, body, span)
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
  const { count, normals, offsets, reach } = body
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
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
    const height = nx * qx + ny * qy - offsets[i]
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
  setEnter(span, enter, normals[2 * enterEdge], normals[2 * enterEdge + 1], body.edgeFeatures[enterEdge])
  setLeave(span, leave, normals[2 * leaveEdge], normals[2 * leaveEdge + 1], body.edgeFeatures[leaveEdge])
  return settleSpan(line, span, enterSlack, leaveSlack, reach)
}

function nearCorner(line: RayLine, body: Body, edge: number, at: number, slack: number): boolean {
  const { local, count } = body
  const x = line.qx + line.ux * at
  const y = line.qy + line.uy * at
  const i = 2 * edge
  const j = edge + 1 === count ? 0 : i + 2
  const from = Math.abs(x - local[i]) + Math.abs(y - local[i + 1])
  const to = Math.abs(x - local[j]) + Math.abs(y - local[j + 1])
  return Math.min(from, to) <= 2 * slack
}
