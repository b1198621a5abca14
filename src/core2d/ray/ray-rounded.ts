/**
 * Ray against capsule or rounded polygon.
 *
 * Method: the boundary is one straight piece per edge, offset by the radius, and one arc per vertex; being convex, it is
 * crossed inward once and outward once (C. Ericson, "Real-Time Collision Detection", 5.3.7 for capsules). A crossing of
 * an offset edge within its length is the answer; otherwise it is the first (last) crossing of a vertex's circle.
 * Cases that rounding leaves open are decided exactly, further down.
 */

import { spend } from '../../containers/budget.ts'
import { type Ring, type Sign, signOfRootSum, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { LARGEST_SAFE_SQUARE, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { type Body, following, LOCAL, preceding, RADIUS, REACH } from '../shape/body.ts'
import { exactEdge, exactRadius, exactX, exactY } from '../shape/exact-points.ts'
import { CLIMB_COUNT, RAY_GRAZING_RATIO, RAY_PARALLEL_RATIO, RAY_POINT_RATIO, RAY_STEEP_RATIO } from '../tolerances.ts'
import {
  type ExactRay,
  exactRay,
  HIT,
  locate,
  MISS,
  type Ray,
  type RayLine,
  type RaySpan,
  setEnter,
  setLeave,
  settleExactly,
  settleSpan,
  signPastEnd,
  UNSURE,
  type Verdict,
} from './ray-line.ts'

export function rayRounded(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const verdict = crossBoundary(line, body, span)
  return verdict === UNSURE ? exactRayRounded(line, ray, body, span) : verdict === HIT
}

/** Cost O(vertices). */
function crossBoundary(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { count, normals, offsets, numbers } = body
  const radius = numbers[RADIUS]
  const reach = numbers[REACH]
  if (count > CLIMB_COUNT) spend(count >> 1)
  const { qx, qy, ux, uy, error } = line
  const parallelError = error + 2 * RAY_PARALLEL_RATIO * reach
  let enterSlack = -1
  let leaveSlack = -1
  let endSlack = 0
  for (let i = 0; i < count; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    const height = nx * qx + ny * qy - numbers[offsets + i] - radius
    const slope = nx * ux + ny * uy
    if (Math.abs(slope) <= RAY_PARALLEL_RATIO) {
      if (height > parallelError) return MISS
      if (height > -parallelError) return UNSURE
      continue
    }
    const at = -height / slope
    const j = following(body, i)
    const x = qx + at * ux
    const y = qy + at * uy
    const slack = (2 * error) / Math.abs(slope)
    const past = (y - numbers[LOCAL + 2 * i + 1]) * nx - (x - numbers[LOCAL + 2 * i]) * ny
    const left = (numbers[LOCAL + 2 * j + 1] - y) * nx - (numbers[LOCAL + 2 * j] - x) * ny
    if (past < 2 * slack || left < 2 * slack) {
      if (past < -2 * slack || left < -2 * slack) continue
      // Perhaps past the edge's end. There the end's circle is crossed at nearly the same point, unless it is tiny.
      if (8 * slack > Math.abs(slope) * radius) return UNSURE
      endSlack = Math.max(endSlack, slack)
      continue
    }
    if (slope < 0) {
      enterSlack = slack
      setEnter(span, at, nx, ny, body.edgeFeatures[i])
    } else {
      leaveSlack = slack
      setLeave(span, at, nx, ny, body.edgeFeatures[i])
    }
  }
  if (enterSlack < 0 || leaveSlack < 0) {
    const verdict = crossCircles(line, body)
    if (verdict !== HIT) return verdict
    if (enterSlack < 0) enterSlack = endSlack + setArc(line, body, span, firstVertex, -1)
    if (leaveSlack < 0) leaveSlack = endSlack + setArc(line, body, span, lastVertex, 1)
  }
  if (Math.max(enterSlack, leaveSlack) > RAY_POINT_RATIO * reach) return UNSURE
  return settleSpan(line, span, enterSlack, leaveSlack, reach)
}

/** Vertices whose circles the line enters first and leaves last; module scratch, set by `crossCircles`. */
let firstVertex = 0
let lastVertex = 0

function crossCircles(line: RayLine, body: Body): Verdict {
  const { count, numbers } = body
  const radius = numbers[RADIUS]
  const { ux, uy, side, error } = line
  const grazing = RAY_GRAZING_RATIO * radius + error
  let first = Infinity
  let last = -Infinity
  let lowest = Infinity
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const x = numbers[LOCAL + 2 * i]
    const y = numbers[LOCAL + 2 * i + 1]
    const vertexSide = side + ux * y - uy * x
    if (vertexSide < lowest) lowest = vertexSide
    if (vertexSide > highest) highest = vertexSide
    const depth = radius - Math.abs(vertexSide)
    if (depth < -grazing) continue
    if (depth < grazing) return UNSURE
    const half = Math.sqrt(depth) * Math.sqrt(radius + Math.abs(vertexSide))
    const along = ux * x + uy * y
    if (along - half < first) {
      first = along - half
      firstVertex = i
    }
    if (along + half > last) {
      last = along + half
      lastVertex = i
    }
  }
  if (first < Infinity) return HIT
  return lowest > radius + error || highest < -radius - error ? MISS : UNSURE
}

/** Sets the first (end −1) or last (end 1) point of the line on the circle about vertex i. Returns its uncertainty. */
function setArc(line: RayLine, body: Body, span: RaySpan, i: number, end: -1 | 1): number {
  const { vertices, numbers } = body
  const radius = numbers[RADIUS]
  const { ux, uy } = line
  // Measured from the vertex itself: the normal of a small radius needs more than an error relative to the body's size.
  locate(line, body, vertices + 2 * i)
  const side = line.pointSide
  const h = Math.abs(side)
  const depth = radius - h
  if (depth <= 0) return Infinity
  const half = Math.sqrt(depth) * Math.sqrt(radius + h)
  const at = ux * numbers[LOCAL + 2 * i] + uy * numbers[LOCAL + 2 * i + 1] + end * half
  const length = vectorLength(half, side)
  const nx = (end * half * ux + side * uy) / length
  const ny = (end * half * uy - side * ux) / length
  if (end < 0) setEnter(span, at, nx, ny, body.vertexFeatures[i])
  else setLeave(span, at, nx, ny, body.vertexFeatures[i])
  return (2 * (8 * UNIT_ROUNDOFF * h + line.floor) * (radius + h)) / half + line.error
}

// The exact decision, where rounding leaves the boundary crossings open.
//
// Method: the body is all points within R of the convex core. The line meets it when the core's vertices do not all lie
// farther than R to one side. If it only touches, it touches along the vertices at distance exactly R. Otherwise the
// ray's two ends are placed before, in, or behind the body by their exact distances to the core, and these places answer
// everything. The far end stands at maxDistance·d/|d|: signs of sums with √(d·d), and with |edge| for distances to edges.
// Where the ends are in the body decides its booleans; the crossing points come from the chord below.

/** Places of a point of the line, in order along it. */
const BEFORE = -2
const AT_ENTRY = -1
const WITHIN = 0
const AT_EXIT = 1
const BEHIND = 2

/** Sides of the vertices; module scratch. */
let sides = new Float64Array(64)

function exactRayRounded(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { count, numbers } = body
  if (sides.length < count) sides = new Float64Array(2 * count)
  for (let i = 0; i < count; i++)
    sides[i] = line.side + line.ux * numbers[LOCAL + 2 * i + 1] - line.uy * numbers[LOCAL + 2 * i]
  return exactRay(ray, body, [], 12, (exact) => {
    const right = leastExcess(exact, line, body, 1)
    const left = leastExcess(exact, line, body, -1)
    if (right > 0 || left > 0) return false
    if (right === 0 || left === 0) return touchAlong(exact, line, body, span, right === 0 ? 1 : -1)
    const start = placeOf(exact, line, body, exact.ring.integer(0), 0)
    const end = placeOfEnd(exact, line, body)
    if (start === BEHIND || (start === BEFORE && end === BEFORE)) return false
    setExactChord(exact, line, body, span)
    return settleExactly(span, start !== BEFORE, end >= AT_EXIT)
  })
}

/** d × (vertex − origin): the vertex's side times |d|. */
function vertexSide<T>({ ring, ox, oy, dx, dy }: ExactRay<T>, body: Body, i: number): T {
  const { sub, mul } = ring
  return sub(mul(dx, sub(exactY(ring, body, i), oy)), mul(dy, sub(exactX(ring, body, i), ox)))
}

/** d·(vertex − origin). */
function vertexAlong<T>({ ring, ox, oy, dx, dy }: ExactRay<T>, body: Body, i: number): T {
  const { add, sub, mul } = ring
  return add(mul(dx, sub(exactX(ring, body, i), ox)), mul(dy, sub(exactY(ring, body, i), oy)))
}

/** Sign of ±side − R of vertex i. */
function excessOf<T>(exact: ExactRay<T>, body: Body, i: number, hand: 1 | -1): Sign {
  const { ring, square } = exact
  const side = ring.mul(ring.integer(hand), vertexSide(exact, body, i))
  return signOfRootSum(ring, side, negated(ring, exactRadius(ring, body)), square)
}

/** Least sign of ±side − R over the vertices: positive when all lie farther than R to that hand. */
function leastExcess<T>(exact: ExactRay<T>, line: RayLine, body: Body, hand: 1 | -1): Sign {
  let least = Infinity
  for (let i = 0; i < body.count; i++) least = Math.min(least, hand * sides[i])
  if (least < body.numbers[RADIUS] - 2 * line.error) return -1
  let sign: Sign = 1
  for (let i = 0; i < body.count && sign >= 0; i++) {
    if (hand * sides[i] <= least + 4 * line.error) sign = Math.min(sign, excessOf(exact, body, i, hand)) as Sign
  }
  return sign
}

/** The line touches the body from outside, with the body to its left (hand 1) or right: at one point or along an edge. */
function touchAlong<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan, hand: 1 | -1): boolean {
  const { ring } = exact
  const { count, vertexFeatures, numbers } = body
  const radius = numbers[RADIUS]
  const nx = hand * line.uy
  const ny = -hand * line.ux
  let first: T | null = null
  let last: T | null = null
  for (let i = 0; i < count; i++) {
    if (hand * sides[i] > radius + 4 * line.error || excessOf(exact, body, i, hand) !== 0) continue
    const along = vertexAlong(exact, body, i)
    const at = line.ux * numbers[LOCAL + 2 * i] + line.uy * numbers[LOCAL + 2 * i + 1]
    if (first === null || ring.sign(ring.sub(along, first)) < 0) {
      first = along
      setEnter(span, at, nx, ny, vertexFeatures[i])
    }
    if (last === null || ring.sign(ring.sub(along, last)) > 0) {
      last = along
      setLeave(span, at, nx, ny, vertexFeatures[i])
    }
  }
  if (first === null || last === null || ring.sign(last) < 0) return false
  const inside = ring.sign(first) <= 0
  const zero = ring.integer(0)
  if (!inside && signPastEnd(exact, first, zero, zero) > 0) return false
  return settleExactly(span, inside, signPastEnd(exact, last, zero, zero) <= 0)
}

/** Place of the ray's far end. */
function placeOfEnd<T>(exact: ExactRay<T>, line: RayLine, body: Body): number {
  const { ring, maxDistance, wholeOnly, ox, oy, dx, dy } = exact
  if (wholeOnly) {
    // That point is rational: it is the start of a ray that begins there.
    const shifted = { ...exact, ox: ring.add(ox, dx), oy: ring.add(oy, dy) }
    return placeOf(shifted, line, body, ring.integer(0), line.maxDistance)
  }
  return maxDistance === null ? BEHIND : placeOf(exact, line, body, maxDistance, line.maxDistance)
}

/** Place of the point at world distance `distance` (rounded: `at`), on a line through the body's interior. */
function placeOf<T>(exact: ExactRay<T>, line: RayLine, body: Body, distance: T, at: number): number {
  const error = line.error + 16 * UNIT_ROUNDOFF * (Math.abs(line.along) + at)
  const tau = at - line.along
  if (tau < -body.numbers[REACH] - error) return BEFORE
  if (tau > body.numbers[REACH] + error) return BEHIND
  const sign = skinSign(exact, line, body, distance, tau, error)
  if (sign < 0) return WITHIN
  const before = liesBefore(exact, line, body, distance, tau, error)
  return sign === 0 ? (before ? AT_ENTRY : AT_EXIT) : before ? BEFORE : BEHIND
}

/** Sign of (distance to the core) − R at that point. */
function skinSign<T>(exact: ExactRay<T>, line: RayLine, body: Body, distance: T, tau: number, error: number): Sign {
  const { count, normals, numbers } = body
  const radius = numbers[RADIUS]
  const x = line.qx + tau * line.ux
  const y = line.qy + tau * line.uy
  let sign: Sign = 1
  let inCore = count > 2
  for (let i = 0; i < count; i++) {
    const j = following(body, i)
    const fromX = x - numbers[LOCAL + 2 * i]
    const fromY = y - numbers[LOCAL + 2 * i + 1]
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    const height = fromX * nx + fromY * ny
    const past = fromY * nx - fromX * ny
    const left = (numbers[LOCAL + 2 * j + 1] - y) * nx - (numbers[LOCAL + 2 * j] - x) * ny
    if (height > error || (inCore && height > -error && heightSign(exact, body, i, distance, false) > 0)) inCore = false
    if (height > -error && height < radius + error && past > -error && left > -error) {
      sign = Math.min(sign, edgeSign(exact, body, i, distance)) as Sign
    }
    if (Math.hypot(fromX, fromY) < radius + error) sign = Math.min(sign, cornerSign(exact, body, i, distance)) as Sign
    if (sign < 0) return -1
  }
  return inCore ? -1 : sign
}

/** Sign of |point − vertex i| − R. */
function cornerSign<T>(exact: ExactRay<T>, body: Body, i: number, distance: T): Sign {
  const { ring, ox, oy, square } = exact
  const { add, sub, mul } = ring
  const x = sub(exactX(ring, body, i), ox)
  const y = sub(exactY(ring, body, i), oy)
  const radius = exactRadius(ring, body)
  const apart = sub(add(add(mul(x, x), mul(y, y)), mul(distance, distance)), mul(radius, radius))
  // |w|² + s² − R² − 2s·(d·w)/|d|, times |d|.
  return signOfRootSum(ring, mul(ring.integer(-2), mul(distance, vertexAlong(exact, body, i))), apart, square)
}

/** Sign of (height over edge i) − R where the point stands over the edge; 1 elsewhere. */
function edgeSign<T>(exact: ExactRay<T>, body: Body, i: number, distance: T): Sign {
  const { ring, ox, oy, dx, dy, square } = exact
  const { add, sub, mul } = ring
  const [ex, ey] = exactEdge(exact.ring, body, i)
  const x = sub(ox, exactX(ring, body, i))
  const y = sub(oy, exactY(ring, body, i))
  // Everything times |d|: point − vertex = (x, y) + distance·d/|d|.
  const moved = mul(distance, add(mul(ex, dx), mul(ey, dy)))
  const past = add(mul(ex, x), mul(ey, y))
  const length = add(mul(ex, ex), mul(ey, ey))
  if (signOfRootSum(ring, moved, past, square) < 0) return 1
  if (signOfRootSum(ring, moved, sub(past, length), square) > 0) return 1
  if (heightSign(exact, body, i, distance, false) < 0) return 1
  return heightSign(exact, body, i, distance, true)
}

/** Sign of the height over the line of edge i, or, `skin`, of that height − R. */
function heightSign<T>(exact: ExactRay<T>, body: Body, i: number, distance: T, skin: boolean): Sign {
  const { ring, ox, oy, dx, dy, square } = exact
  const { add, sub, mul } = ring
  const [ex, ey] = exactEdge(exact.ring, body, i)
  const moved = mul(distance, sub(mul(ey, dx), mul(ex, dy)))
  const start = sub(mul(ey, sub(ox, exactX(ring, body, i))), mul(ex, sub(oy, exactY(ring, body, i))))
  if (!skin) return signOfRootSum(ring, moved, start, square)
  const length = add(mul(ex, ex), mul(ey, ey))
  return signOfTwoRootSum(ring, moved, start, square, negated(ring, exactRadius(ring, body)), mul(length, square))
}

/** Whether a point of the line outside the body, or on its boundary, comes before it. */
function liesBefore<T>(
  exact: ExactRay<T>,
  line: RayLine,
  body: Body,
  distance: T,
  tau: number,
  error: number,
): boolean {
  const { ring, square } = exact
  const { count, normals, numbers } = body
  const radius = numbers[RADIUS]
  // The foot of a vertex nearer than R is in the interior: compare with that.
  for (let i = 0; i < count; i++) {
    if (Math.abs(sides[i]) > radius + 2 * line.error) continue
    if (excessOf(exact, body, i, 1) >= 0 || excessOf(exact, body, i, -1) >= 0) continue
    const ahead = line.ux * numbers[LOCAL + 2 * i] + line.uy * numbers[LOCAL + 2 * i + 1] - tau
    if (Math.abs(ahead) > 2 * error) return ahead > 0
    return signOfRootSum(ring, vertexAlong(exact, body, i), negated(ring, distance), square) > 0
  }
  // None: the line crosses the core itself, and a point before it is outside an edge that is crossed inward.
  for (let i = 0; i < count; i++) {
    const slope = numbers[normals + 2 * i] * line.ux + numbers[normals + 2 * i + 1] * line.uy
    if (slope > error / body.numbers[REACH] + 16 * UNIT_ROUNDOFF) continue
    const [ex, ey] = exactEdge(exact.ring, body, i)
    const inward = ring.sign(ring.sub(ring.mul(ey, exact.dx), ring.mul(ex, exact.dy))) < 0
    if (inward && heightSign(exact, body, i, distance, false) > 0) return true
  }
  return false
}

function negated<T>(ring: Ring<T>, value: T): T {
  return ring.sub(ring.integer(0), value)
}

// Where a line through the interior of a capsule or rounded polygon crosses its boundary, at any angle: well-conditioned
// crossings are rounded, the others (grazed circles, edges nearly along the ray) evaluated exactly.
//
// Method: the line is clipped by the offset edges as if these met in corners (Cyrus and Beck). The end of that clip lies
// on its edge, or past the end of it; then the body's boundary before it is that vertex's arc. A chord's half length is
// √(R²Q − c²)/|d| with the exact discriminant; an offset edge is crossed at (R − H)/slope, with R − H taken as
// (R² − H²)/(R + H) with an exact numerator.

/** A crossing of an offset edge; module scratch. Slope 0: none that matters. */
const crossing = { at: 0, slope: 0 }

/** Fills the ends of `span`. */
function setExactChord<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan): void {
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
    if (!setExactArc(exact, line, body, span, farthestVertex(line, body, end), end))
      setAnyArc(exact, line, body, span, end)
    return
  }
  const { normals, numbers } = body
  const nx = numbers[normals + 2 * edge]
  const ny = numbers[normals + 2 * edge + 1]
  const next = following(body, edge)
  const x = line.qx + at * line.ux
  const y = line.qy + at * line.uy
  const past = (y - numbers[LOCAL + 2 * edge + 1]) * nx - (x - numbers[LOCAL + 2 * edge]) * ny
  const left = (numbers[LOCAL + 2 * next + 1] - y) * nx - (numbers[LOCAL + 2 * next] - x) * ny
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
  if (Math.min(past, left) <= slack && setExactArc(exact, line, body, span, past < left ? edge : next, end)) return
  set(span, at, nx, ny, body.edgeFeatures[edge])
}

function farthestVertex(line: RayLine, body: Body, end: -1 | 1): number {
  const { count, numbers } = body
  let best = 0
  let farthest = -Infinity
  for (let i = 0; i < count; i++) {
    const along = end * (line.ux * numbers[LOCAL + 2 * i] + line.uy * numbers[LOCAL + 2 * i + 1])
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
  const { vertexFeatures, numbers } = body
  const last = farthestVertex(line, body, end)
  const foot = ux * numbers[LOCAL + 2 * last] + uy * numbers[LOCAL + 2 * last + 1]
  if (end < 0) setEnter(span, foot, -ux, -uy, vertexFeatures[last])
  else setLeave(span, foot, ux, uy, vertexFeatures[last])
  let best = -1
  let farthest = -Infinity
  for (let i = 0; i < body.count; i++) {
    if (!setExactArc(exact, line, body, span, i, end)) continue
    const at = end * (end < 0 ? span.enter : span.leave)
    if (at <= farthest) continue
    farthest = at
    best = i
  }
  if (best >= 0) setExactArc(exact, line, body, span, best, end)
}

/** Sets the first or last point on the circle about vertex i; false when the line misses that. */
function setExactArc<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan, i: number, end: -1 | 1): boolean {
  const { vertices, vertexFeatures, numbers } = body
  const { ux, uy } = line
  const half = exactHalfChord(exact, body, i)
  if (half < 0) return false
  locate(line, body, vertices + 2 * i)
  const side = line.pointSide
  const length = vectorLength(half, side)
  if (!(length > 0)) return false
  const nx = (end * half * ux + side * uy) / length
  const ny = (end * half * uy - side * ux) / length
  const at = ux * numbers[LOCAL + 2 * i] + uy * numbers[LOCAL + 2 * i + 1] + end * half
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
  return ring.sign(discriminant) < 0 ? -1 : body.numbers[RADIUS] * Math.sqrt(ring.ratio(discriminant, radiusSquare))
}

/** Where the line crosses offset edge i, as if that went on for ever. */
function crossEdge<T>(exact: ExactRay<T>, line: RayLine, body: Body, i: number): void {
  const { normals, offsets, numbers } = body
  const radius = numbers[RADIUS]
  const nx = numbers[normals + 2 * i]
  const ny = numbers[normals + 2 * i + 1]
  const height = nx * line.qx + ny * line.qy - numbers[offsets + i] - radius
  crossing.slope = nx * line.ux + ny * line.uy
  crossing.at = -height / crossing.slope
  if (Math.abs(crossing.slope) >= RAY_STEEP_RATIO) return
  // Crossed far out of the body's reach, however the slope was rounded.
  crossing.slope = height < -8 * RAY_STEEP_RATIO * body.numbers[REACH] ? 0 : exactSlope(exact, body, i)
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
  return body.numbers[RADIUS] * (ring.sign(height) > 0 ? excess / (1 + root) : 1 + root)
}

function edgeLength(body: Body, i: number): number {
  const { vertices, numbers } = body
  const j = following(body, i)
  return vectorLength(
    numbers[vertices + 2 * j] - numbers[vertices + 2 * i],
    numbers[vertices + 2 * j + 1] - numbers[vertices + 2 * i + 1],
  )
}
