/**
 * Ray against a convex hull, flat or solid, without a skin.
 *
 * Method: a walk over the faces (`face-walk.ts`); near edges, clipping by the planes of all faces (M. Cyrus, J. Beck, "Generalized two- and
 * three-dimensional clipping", Computers & Graphics 3 (1978)); what is flat is met where the line crosses its plane, if that place lies between its edges. Every crossing carries its
 * bound on the error, so the clip knows when it does not know; then `exact-ray-points.ts` decides.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, type CoreSurface, REACH } from '../shape/body.ts'
import { PLANE_SIZE, planesOf, surfaceOf } from '../shape/core-surface.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import { marginIn } from './face-margin.ts'
import { BESIDE, faceCrossed, OPEN } from './face-walk.ts'
import type { RayLine } from './ray-line.ts'
import {
  MISS,
  type RaySpan,
  type SpanEnd,
  setFace,
  setNormal,
  setPlace,
  settle,
  UNSURE,
  type Verdict,
} from './ray-span.ts'

/** Of three core points or more. */
export function rayHull(line: RayLine, body: Body, span: RaySpan): Verdict {
  const surface = surfaceOf(body)
  if (surface.dimension === 3) return crossSolid(line, body, surface, span)
  return surface.dimension === 2 ? crossFlat(line, body, surface, span) : UNSURE
}

/** Cost O(√faces), where edges near the line do not ask for more. */
function crossSolid(line: RayLine, body: Body, surface: CoreSurface, span: RaySpan): Verdict {
  const first = faceCrossed(line, body, surface, -1)
  if (first === BESIDE) return MISS
  const last = first === OPEN ? OPEN : faceCrossed(line, body, surface, 1)
  if (last < 0) return last === BESIDE ? MISS : clipByFaces(line, body, surface, 0, span)
  const { enter, leave } = span
  crossPlane(line, body, surface, first, enter)
  crossPlane(line, body, surface, last, leave)
  return enter.high > leave.low ? UNSURE : settle(line, span, body.numbers[REACH])
}

/** Sets the end to where the line crosses the plane of the face. */
function crossPlane(line: RayLine, body: Body, surface: CoreSurface, face: number, end: SpanEnd): void {
  const planes = planesOf(body, surface)
  const at = PLANE_SIZE * face
  const nx = planes[at]
  const ny = planes[at + 1]
  const nz = planes[at + 2]
  const share = 1 / (nx * line.ux + ny * line.uy + nz * line.uz)
  const height = nx * line.qx + ny * line.qy + nz * line.qz - planes[at + 3]
  setPlace(end, -height * share, 2 * (line.error + planes[at + 4]) * Math.abs(share))
  setFace(end, face)
  setNormal(end, nx, ny, nz)
}

/** Clips by the planes moved out by `skin`, and settles the span. Cost O(faces). */
export function clipByFaces(line: RayLine, body: Body, surface: CoreSurface, skin: number, span: RaySpan): Verdict {
  const planes = planesOf(body, surface)
  const { length } = planes
  spend(length >> 5)
  const { ux, uy, uz, qx, qy, qz, error } = line
  const reach = body.numbers[REACH]
  let enter = -Infinity
  let enterLow = -Infinity
  let enterHigh = -Infinity
  let enterNext = -Infinity
  let enterFace = -1
  let leave = Infinity
  let leaveLow = Infinity
  let leaveHigh = Infinity
  let leaveNext = Infinity
  let leaveFace = -1
  let isSure = true
  for (let at = 0; at < length; at += PLANE_SIZE) {
    const nx = planes[at]
    const ny = planes[at + 1]
    const nz = planes[at + 2]
    const height = nx * qx + ny * qy + nz * qz - planes[at + 3] - skin
    const slope = nx * ux + ny * uy + nz * uz
    const bound = 2 * (error + planes[at + 4])
    if (slope < -RAY_PARALLEL_RATIO) {
      // Division only for crossings that can matter.
      if (height + bound <= -enterLow * slope) continue
      const share = -1 / slope
      const place = height * share
      const high = place + bound * share
      if (place > enter) {
        enterNext = enterHigh
        enter = place
        enterFace = at
      } else if (high > enterNext) enterNext = high
      if (high > enterHigh) enterHigh = high
      if (place - bound * share > enterLow) enterLow = place - bound * share
    } else if (slope > RAY_PARALLEL_RATIO) {
      if (height + bound <= -leaveHigh * slope) continue
      const share = 1 / slope
      const place = -height * share
      const low = place - bound * share
      if (place < leave) {
        leaveNext = leaveLow
        leave = place
        leaveFace = at
      } else if (low < leaveNext) leaveNext = low
      if (low < leaveLow) leaveLow = low
      if (place + bound * share < leaveHigh) leaveHigh = place + bound * share
    } else {
      const margin = bound + 4 * RAY_PARALLEL_RATIO * reach
      if (height > margin) return MISS
      if (height > -margin) isSure = false
    }
  }
  if (enterLow > leaveHigh) return MISS
  if (!isSure || enterHigh > leaveLow || enterFace < 0 || leaveFace < 0) return UNSURE
  // Within rounding of an edge the exact test tells faces, edges and corners apart; a skin has no edges.
  if (skin === 0 && (enterNext >= enterLow || leaveNext <= leaveHigh)) return UNSURE
  putEnd(planes, span.enter, enter, enterLow, enterHigh, enterFace)
  putEnd(planes, span.leave, leave, leaveLow, leaveHigh, leaveFace)
  return settle(line, span, reach)
}

function putEnd(planes: Float64Array, end: SpanEnd, at: number, low: number, high: number, plane: number): void {
  setPlace(end, at, 0)
  end.low = low
  end.high = high
  setFace(end, plane / PLANE_SIZE)
  setNormal(end, planes[plane], planes[plane + 1], planes[plane + 2])
}

/** Cost O(edges). */
function crossFlat(line: RayLine, body: Body, surface: CoreSurface, span: RaySpan): Verdict {
  const planes = planesOf(body, surface)
  spend(surface.starts[1] >> 2)
  const reach = body.numbers[REACH]
  const slope = planes[0] * line.ux + planes[1] * line.uy + planes[2] * line.uz
  const height = planes[0] * line.qx + planes[1] * line.qy + planes[2] * line.qz - planes[3]
  const bound = 2 * (line.error + planes[4])
  const steep = Math.abs(slope)
  if (steep < RAY_PARALLEL_RATIO) return Math.abs(height) > bound + 4 * RAY_PARALLEL_RATIO * reach ? MISS : UNSURE
  const at = -height / slope
  const slack = bound / steep
  // Far off the body it misses whatever the slack.
  if (Math.abs(at) > 4 * reach + slack) return MISS
  const margin = marginIn(line, body, surface, 0, at)
  if (margin > 2 * (bound + slack)) return MISS
  if (!(margin < -2 * (bound + slack))) return UNSURE
  const { enter, leave } = span
  setPlace(enter, at, slack)
  setPlace(leave, at, slack)
  const face = slope < 0 ? 0 : 1
  setFace(enter, face)
  setFace(leave, 1 - face)
  const side = slope < 0 ? 1 : -1
  setNormal(enter, side * planes[0], side * planes[1], side * planes[2])
  setNormal(leave, -side * planes[0], -side * planes[1], -side * planes[2])
  return settle(line, span, reach)
}
