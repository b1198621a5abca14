/**
 * Where a line through the interior of a capsule or rounded polygon crosses its boundary, at any angle: well-conditioned
 * crossings are rounded, the others (grazed circles, edges nearly along the ray) evaluated exactly.
 *
 * Method: the line is clipped by the offset edges as if these met in corners (Cyrus and Beck). The end of that clip lies
 * on its edge, or past the end of it; then the body's boundary before it is that vertex's arc. A chord's half length is
 * √(R²Q − c²)/|d| with the exact discriminant; an offset edge is crossed at (R − H)/slope, with R − H taken as
 * (R² − H²)/(R + H) with an exact numerator.
 */
import { LARGEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import type { Body } from '../shape/body.ts'
import { following, preceding } from '../shape/edge.ts'
import { exactEdge, exactRadius, exactX, exactY } from '../shape/exact-points.ts'
import { RAY_STEEP_RATIO } from '../tolerances.ts'
import type { ExactRay } from './ray-exact.ts'
import { locate, type RayLine } from './ray-line.ts'
import { type RaySpan, setEnter, setLeave } from './ray-span.ts'

/** A crossing of an offset edge; module scratch. Slope 0: none that matters. */
const crossing = { at: 0, slope: 0 }

/** Fills the ends of `span`. */
export function setExactChord<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan): void {
  let enterEdge = -1
  let enter = -Infinity
  let leaveEdge = -1
  let leave = Infinity
  for (let i = 0; i < body.count; i++) {
    crossEdge(exact, line, body, i)
    const { at, slope } = crossing
    if (slope < 0 && at > enter) {
      enter = at
      enterEdge = i
    } else if (slope > 0 && at < leave) {
      leave = at
      leaveEdge = i
    }
  }
  setEnd(exact, line, body, span, enterEdge, enter, -1, body.count)
  setEnd(exact, line, body, span, leaveEdge, leave, 1, body.count)
  if (span.enter <= span.leave) return
  // A chord shorter than rounding.
  span.enter = (span.enter + span.leave) / 2
  span.leave = span.enter
}

/**
 * Sets the span's first (end −1) or last (end 1) point from the clip's, which lies on the line of `edge`. `steps`: how many
 * neighbours in line may be tried.
 */
function setEnd<T>(
  exact: ExactRay<T>,
  line: RayLine,
  body: Body,
  span: RaySpan,
  edge: number,
  at: number,
  end: -1 | 1,
  steps: number,
): void {
  const set = end < 0 ? setEnter : setLeave
  if (edge < 0) {
    if (!setArc(exact, line, body, span, farthestVertex(line, body, end), end)) setAnyArc(exact, line, body, span, end)
    return
  }
  const { normals, local } = body
  const nx = normals[2 * edge]
  const ny = normals[2 * edge + 1]
  const next = following(body, edge)
  const x = line.qx + at * line.ux
  const y = line.qy + at * line.uy
  const past = (y - local[2 * edge + 1]) * nx - (x - local[2 * edge]) * ny
  const left = (local[2 * next + 1] - y) * nx - (local[2 * next] - x) * ny
  const slope = Math.abs(nx * line.ux + ny * line.uy)
  const slack = (4 * line.error) / (slope < RAY_STEEP_RATIO ? 1 : slope)
  if (Math.min(past, left) < -slack) {
    // Well beyond the edge's end: a neighbour in line with it is crossed at the same place, and there it counts.
    const neighbour = past < left ? preceding(body, edge) : next
    crossEdge(exact, line, body, neighbour)
    const inLine = crossing.slope * end > 0 && Math.abs(crossing.at - at) <= slack
    if (inLine && steps > 0) {
      setEnd(exact, line, body, span, neighbour, crossing.at, end, steps - 1)
      return
    }
  }
  // Near the edge's end, the arc is the same to second order, unless it is too small to be met.
  if (Math.min(past, left) <= slack && setArc(exact, line, body, span, past < left ? edge : next, end)) return
  set(span, at, nx, ny, body.edgeFeatures[edge])
}

function farthestVertex(line: RayLine, body: Body, end: -1 | 1): number {
  const { local, count } = body
  let best = 0
  let farthest = -Infinity
  for (let i = 0; i < count; i++) {
    const along = end * (line.ux * local[2 * i] + line.uy * local[2 * i + 1])
    if (along > farthest) {
      farthest = along
      best = i
    }
  }
  return best
}

/** Sets the first or last point on the circles about all vertices; where the line misses them all, the foot of the last one. */
function setAnyArc<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan, end: -1 | 1): void {
  const { ux, uy } = line
  const { local, vertexFeatures } = body
  const last = farthestVertex(line, body, end)
  const foot = ux * local[2 * last] + uy * local[2 * last + 1]
  if (end < 0) setEnter(span, foot, -ux, -uy, vertexFeatures[last])
  else setLeave(span, foot, ux, uy, vertexFeatures[last])
  let best = -1
  let farthest = -Infinity
  for (let i = 0; i < body.count; i++) {
    if (!setArc(exact, line, body, span, i, end)) continue
    const at = end * (end < 0 ? span.enter : span.leave)
    if (at <= farthest) continue
    farthest = at
    best = i
  }
  if (best >= 0) setArc(exact, line, body, span, best, end)
}

/** Sets the first or last point on the circle about vertex i; false when the line misses that. */
function setArc<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan, i: number, end: -1 | 1): boolean {
  const { local, vertices, vertexFeatures } = body
  const { ux, uy } = line
  const half = exactHalfChord(exact, body, i)
  if (half < 0) return false
  locate(line, body, vertices, i)
  const side = line.pointSide
  const length = vectorLength(half, side)
  if (!(length > 0)) return false
  const nx = (end * half * ux + side * uy) / length
  const ny = (end * half * uy - side * ux) / length
  const at = ux * local[2 * i] + uy * local[2 * i + 1] + end * half
  if (end < 0) setEnter(span, at, nx, ny, vertexFeatures[i])
  else setLeave(span, at, nx, ny, vertexFeatures[i])
  return true
}

/** Half length of the line's chord in the circle about vertex i; −1 when it misses that. */
function exactHalfChord<T>({ ring, ox, oy, dx, dy, square }: ExactRay<T>, body: Body, i: number): number {
  const { sub, mul } = ring
  const side = sub(mul(dx, sub(exactY(ring, body, i), oy)), mul(dy, sub(exactX(ring, body, i), ox)))
  const radius = exactRadius(ring, body)
  const radiusSquare = mul(mul(radius, radius), square)
  const discriminant = sub(radiusSquare, mul(side, side))
  return ring.sign(discriminant) < 0 ? -1 : body.radius * Math.sqrt(ring.ratio(discriminant, radiusSquare))
}

/** Where the line crosses offset edge i, as if that went on for ever. */
function crossEdge<T>(exact: ExactRay<T>, line: RayLine, body: Body, i: number): void {
  const { normals, offsets, radius } = body
  const nx = normals[2 * i]
  const ny = normals[2 * i + 1]
  const height = nx * line.qx + ny * line.qy - offsets[i] - radius
  crossing.slope = nx * line.ux + ny * line.uy
  crossing.at = -height / crossing.slope
  if (Math.abs(crossing.slope) >= RAY_STEEP_RATIO) return
  // Crossed far out of the body's reach, however the slope was rounded.
  crossing.slope = height < -8 * RAY_STEEP_RATIO * body.reach ? 0 : exactSlope(exact, body, i)
  if (crossing.slope !== 0) crossing.at = exactClearance(exact, body, i) / crossing.slope
}

/** Sine of the angle from edge i to the ray, in nearly full relative precision; 0 when parallel. */
function exactSlope<T>({ ring, dx, dy, square }: ExactRay<T>, body: Body, i: number): number {
  const { add, sub, mul } = ring
  const [ex, ey] = exactEdge(ring, body, i)
  const slope = sub(mul(ey, dx), mul(ex, dy))
  const length = add(mul(ex, ex), mul(ey, ey))
  return ring.sign(slope) * Math.sqrt(ring.ratio(mul(slope, slope), mul(length, square)))
}

/** R − (height of the anchor's foot over edge i), in nearly full relative precision. */
function exactClearance<T>(exact: ExactRay<T>, body: Body, i: number): number {
  const { ring, ox, oy, dx, dy, square } = exact
  const { add, sub, mul } = ring
  const [ex, ey] = exactEdge(ring, body, i)
  const ax = sub(exactX(ring, body, 0), ox)
  const ay = sub(exactY(ring, body, 0), oy)
  const along = add(mul(dx, ax), mul(dy, ay))
  // foot − vertex i, times square.
  const fx = add(mul(sub(ox, exactX(ring, body, i)), square), mul(dx, along))
  const fy = add(mul(sub(oy, exactY(ring, body, i)), square), mul(dy, along))
  const height = sub(mul(ey, fx), mul(ex, fy))
  const radius = exactRadius(ring, body)
  const length = add(mul(ex, ex), mul(ey, ey))
  const bound = mul(mul(mul(radius, radius), length), mul(square, square))
  // 1 − (H/R)², and from it 1 − H/R.
  const excess = ring.ratio(sub(bound, mul(height, height)), bound)
  if (excess < -LARGEST_SAFE_SQUARE) {
    // The radius is nothing beside the height.
    const edge = mul(length, square)
    const scale = Math.sqrt(ring.ratio(mul(height, height), mul(edge, edge)))
    return ring.sign(height) * -scale * edgeLength(body, i)
  }
  const root = Math.sqrt(Math.max(1 - excess, 0))
  return body.radius * (ring.sign(height) > 0 ? excess / (1 + root) : 1 + root)
}

function edgeLength(body: Body, i: number): number {
  const { vertices } = body
  const j = following(body, i)
  return vectorLength(vertices[2 * j] - vertices[2 * i], vertices[2 * j + 1] - vertices[2 * i + 1])
}
