/**
 * Ray against a convex hull, flat or solid, without a skin.
 *
 * Method: a walk over the faces (below); near edges, clipping by the planes of all faces (M. Cyrus, J. Beck, "Generalized two- and
 * three-dimensional clipping", Computers & Graphics 3 (1978)); a flat hull is met where the line crosses its plane, if that place lies
 * between its edges. Every crossing has a bound on its error; where these bounds leave the answer open, `exact-ray.ts` decides.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, type CoreSurface, REACH, ROTATION } from '../shape/body.ts'
import { PLANE_SIZE, planesOf, surfaceOf } from '../shape/core-surface.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import {
  MISS,
  type RayLine,
  type RaySpan,
  type SpanEnd,
  setFace,
  setNormal,
  setPlace,
  settle,
  UNSURE,
  type Verdict,
} from './ray-line.ts'

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

/** Clips by the planes moved out by `skin`, and settles the span; says whether its ends are tied. Cost O(faces). */
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
  span.enter.isTied = enterNext >= enterLow
  span.leave.isTied = leaveNext <= leaveHigh
  // Within rounding of an edge the exact test tells faces, edges and corners apart; a skin has no edges.
  if (skin === 0 && (span.enter.isTied || span.leave.isTied)) return UNSURE
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

// Through which face of a solid hull a line comes in, or goes out.
//
// Method: seen along the line, the faces turned towards it tile the hull's shadow. The walk starts at a face that lies most against the
// line and crosses edges that the line lies beyond: each step brings the crossing of the face's plane nearer to the true one, for the hull
// is convex, so no face comes twice (the walk of O. Devillers, S. Pion, M. Teillaud, "Walking in a triangulation", Int. J. Found. Comput.
// Sci. 13 (2002), in the shadow). It ends in the face that the line goes through, or at an edge behind which the hull turns away: then the
// line passes it by. Basis across the line: T. Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017).
// Cost: O(√faces) for well-shaped hulls.

/** The line passes the hull by. */
const BESIDE = -1
/** Rounding leaves it open. */
const OPEN = -2

/** The face that the line goes through for certain, inward with `side` −1, outward with 1; or `BESIDE`, or `OPEN`. */
function faceCrossed(line: RayLine, body: Body, surface: CoreSurface, side: -1 | 1): number {
  const { numbers, local } = body
  const planes = planesOf(body, surface)
  const { starts, corners, neighbours } = surface
  const extremes = surface.extremes as Int32Array
  const { ux, uy, uz, qx, qy, qz } = line
  const hand = uz >= 0 ? 1 : -1
  const a = -1 / (hand + uz)
  const b = ux * uy * a
  const ex = 1 + hand * ux * ux * a
  const ey = hand * b
  const ez = -hand * ux
  const fy = hand + uy * uy * a
  const error = 2 * line.error
  const least = RAY_PARALLEL_RATIO * numbers[REACH]
  let face = extremes[extremeAlong(side * ux, side * uy, side * uz)]
  for (let steps = starts.length; steps > 0; steps--) {
    const plane = PLANE_SIZE * face
    const slope = side * (planes[plane] * ux + planes[plane + 1] * uy + planes[plane + 2] * uz) * numbers[REACH]
    const doubt = least + 4 * planes[plane + 4]
    // The first face may be turned away; later ones are the silhouette's other side.
    if (!(slope > doubt)) return slope < -doubt && steps < starts.length ? BESIDE : OPEN
    const first = starts[face]
    const end = starts[face + 1]
    spend(1)
    let next = -1
    let isOpen = false
    let at = local + 3 * corners[end - 1]
    let x = numbers[at] - qx
    let y = numbers[at + 1] - qy
    let z = numbers[at + 2] - qz
    let fromX = x * ex + y * ey + z * ez
    let fromY = x * b + y * fy - z * uy
    let edge = end - 1
    for (let c = first; c < end; c++) {
      at = local + 3 * corners[c]
      x = numbers[at] - qx
      y = numbers[at + 1] - qy
      z = numbers[at + 2] - qz
      const toX = x * ex + y * ey + z * ez
      const toY = x * b + y * fy - z * uy
      const within = side * (fromX * toY - toX * fromY)
      const bound = error * (Math.abs(fromX) + Math.abs(fromY) + Math.abs(toX) + Math.abs(toY))
      if (within < -bound) {
        next = neighbours[edge]
        break
      }
      if (within <= bound) isOpen = true
      fromX = toX
      fromY = toY
      edge = c
    }
    if (next < 0) return isOpen ? OPEN : face
    face = next
  }
  return OPEN
}

/** Of the six faces that lie most along an axis, the one for that direction. */
function extremeAlong(x: number, y: number, z: number): number {
  const alongX = Math.abs(x)
  const alongY = Math.abs(y)
  const alongZ = Math.abs(z)
  if (alongX >= alongY && alongX >= alongZ) return x < 0 ? 0 : 1
  if (alongY >= alongZ) return y < 0 ? 2 : 3
  return z < 0 ? 4 : 5
}

// How far a point of a ray's line stands beyond the edges of a face, seen along the face's normal.
// Frame: as in `ray-line.ts`.

/** The greatest signed distance from the edges of face `f`, negative between them, of the line's point at τ = `at`. */
export function marginIn(line: RayLine, body: Body, surface: CoreSurface, f: number, at: number): number {
  const { numbers, local } = body
  const { starts, corners } = surface
  const planes = planesOf(body, surface)
  const plane = PLANE_SIZE * f
  const nx = planes[plane]
  const ny = planes[plane + 1]
  const nz = planes[plane + 2]
  const x = line.qx + at * line.ux
  const y = line.qy + at * line.uy
  const z = line.qz + at * line.uz
  const end = starts[f + 1]
  spend((end - starts[f]) >> 3)
  let margin = -Infinity
  let from = local + 3 * corners[end - 1]
  for (let c = starts[f]; c < end; c++) {
    const to = local + 3 * corners[c]
    const ex = numbers[to] - numbers[from]
    const ey = numbers[to + 1] - numbers[from + 1]
    const ez = numbers[to + 2] - numbers[from + 2]
    // Outward in the face's plane: edge × normal.
    const mx = ey * nz - ez * ny
    const my = ez * nx - ex * nz
    const mz = ex * ny - ey * nx
    const height = mx * (x - numbers[from]) + my * (y - numbers[from + 1]) + mz * (z - numbers[from + 2])
    const beyond = height / Math.sqrt(ex * ex + ey * ey + ez * ez)
    if (beyond > margin) margin = beyond
    from = to
  }
  return margin
}

// Ray against box.
//
// Method: slabs (T. L. Kay, J. T. Kajiya, "Ray tracing complex scenes", SIGGRAPH 1986) along the box's own axes, each crossing with a
// bound on its error.

export function rayBox(line: RayLine, { numbers, local }: Body, span: RaySpan): Verdict {
  const { ux, uy, uz, error } = line
  const reach = numbers[REACH]
  // Half of the way from the first corner to the last.
  const hx = numbers[local + 21] / 2
  const hy = numbers[local + 22] / 2
  const hz = numbers[local + 23] / 2
  const px = line.qx - hx
  const py = line.qy - hy
  const pz = line.qz - hz
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
  for (let k = 0; k < 3; k++) {
    const rx = numbers[ROTATION + k]
    const ry = numbers[ROTATION + 3 + k]
    const rz = numbers[ROTATION + 6 + k]
    const half = Math.abs(rx * hx + ry * hy + rz * hz)
    const slope = rx * ux + ry * uy + rz * uz
    const place = rx * px + ry * py + rz * pz
    const steep = Math.abs(slope)
    if (steep < RAY_PARALLEL_RATIO) {
      // Wherever it matters, the line is within four times the reach.
      const margin = error + 4 * RAY_PARALLEL_RATIO * reach
      const beyond = Math.abs(place) - half
      if (beyond > margin) return MISS
      if (beyond > -margin) isSure = false
      continue
    }
    const share = 1 / steep
    const slack = 2 * error * share
    const middle = slope > 0 ? -place * share : place * share
    const low = middle - half * share
    const high = middle + half * share
    if (low > enter) {
      enterNext = enterHigh
      enter = low
      enterFace = slope > 0 ? 2 * k : 2 * k + 1
    } else if (low + slack > enterNext) enterNext = low + slack
    if (low - slack > enterLow) enterLow = low - slack
    if (low + slack > enterHigh) enterHigh = low + slack
    if (high < leave) {
      leaveNext = leaveLow
      leave = high
      leaveFace = slope > 0 ? 2 * k + 1 : 2 * k
    } else if (high - slack < leaveNext) leaveNext = high - slack
    if (high - slack < leaveLow) leaveLow = high - slack
    if (high + slack < leaveHigh) leaveHigh = high + slack
  }
  if (enterLow > leaveHigh) return MISS
  if (!isSure || enterHigh > leaveLow || enterFace < 0 || leaveFace < 0) return UNSURE
  // Within rounding of an edge the exact test tells faces, edges and corners apart.
  if (enterNext >= enterLow || leaveNext <= leaveHigh) return UNSURE
  putBoxEnd(numbers, span.enter, enter, enterLow, enterHigh, enterFace)
  putBoxEnd(numbers, span.leave, leave, leaveLow, leaveHigh, leaveFace)
  return settle(line, span, reach)
}

function putBoxEnd(
  numbers: Float64Array,
  end: RaySpan['enter'],
  at: number,
  low: number,
  high: number,
  face: number,
): void {
  setPlace(end, at, 0)
  end.low = low
  end.high = high
  setFace(end, face)
  const side = (face & 1) === 1 ? 1 : -1
  const column = ROTATION + (face >> 1)
  setNormal(end, side * numbers[column], side * numbers[column + 3], side * numbers[column + 6])
}
