/**
 * Exact ray against capsule or rounded polygon, where rounding leaves the boundary crossings of `ray-rounded.ts` open.
 *
 * Method: the body is all points within R of the convex core. The line meets it when the core's vertices do not all lie
 * farther than R to one side. If it only touches, it touches along the vertices at distance exactly R. Otherwise the
 * ray's two ends are placed before, in, or behind the body by their exact distances to the core, and these places answer
 * everything. The far end stands at maxDistance·d/|d|: signs of sums with √(d·d), and with |edge| for distances to edges.
 * Where the ends are in the body decides its booleans; the crossing points come from `ray-exact-chord.ts`.
 */

import { type Ring, type Sign, signOfRootSum, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import type { Body } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
import { exactEdge, exactRadius, exactX, exactY } from '../shape/exact-points.ts'
import { type ExactRay, exactRay, signPastEnd } from './ray-exact.ts'
import { setExactChord } from './ray-exact-chord.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { type RaySpan, setEnter, setLeave, settleExactly } from './ray-span.ts'

/** Places of a point of the line, in order along it. */
const BEFORE = -2
const AT_ENTRY = -1
const WITHIN = 0
const AT_EXIT = 1
const BEHIND = 2

/** Sides of the vertices; module scratch. */
let sides = new Float64Array(64)

export function exactRayRounded(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { count, local } = body
  if (sides.length < count) sides = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) sides[i] = line.side + line.ux * local[2 * i + 1] - line.uy * local[2 * i]
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
  if (least < body.radius - 2 * line.error) return -1
  let sign: Sign = 1
  for (let i = 0; i < body.count && sign >= 0; i++) {
    if (hand * sides[i] <= least + 4 * line.error) sign = Math.min(sign, excessOf(exact, body, i, hand)) as Sign
  }
  return sign
}

/** The line touches the body from outside, with the body to its left (hand 1) or right: at one point or along an edge. */
function touchAlong<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan, hand: 1 | -1): boolean {
  const { ring } = exact
  const { count, local, vertexFeatures, radius } = body
  const nx = hand * line.uy
  const ny = -hand * line.ux
  let first: T | null = null
  let last: T | null = null
  for (let i = 0; i < count; i++) {
    if (hand * sides[i] > radius + 4 * line.error || excessOf(exact, body, i, hand) !== 0) continue
    const along = vertexAlong(exact, body, i)
    const at = line.ux * local[2 * i] + line.uy * local[2 * i + 1]
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
  if (tau < -body.reach - error) return BEFORE
  if (tau > body.reach + error) return BEHIND
  const sign = skinSign(exact, line, body, distance, tau, error)
  if (sign < 0) return WITHIN
  const before = liesBefore(exact, line, body, distance, tau, error)
  return sign === 0 ? (before ? AT_ENTRY : AT_EXIT) : before ? BEFORE : BEHIND
}

/** Sign of (distance to the core) − R at that point. */
function skinSign<T>(exact: ExactRay<T>, line: RayLine, body: Body, distance: T, tau: number, error: number): Sign {
  const { count, local, normals, radius } = body
  const x = line.qx + tau * line.ux
  const y = line.qy + tau * line.uy
  let sign: Sign = 1
  let inCore = count > 2
  for (let i = 0; i < count; i++) {
    const j = following(body, i)
    const fromX = x - local[2 * i]
    const fromY = y - local[2 * i + 1]
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
    const height = fromX * nx + fromY * ny
    const past = fromY * nx - fromX * ny
    const left = (local[2 * j + 1] - y) * nx - (local[2 * j] - x) * ny
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
  const { count, local, normals, radius } = body
  // The foot of a vertex nearer than R is in the interior: compare with that.
  for (let i = 0; i < count; i++) {
    if (Math.abs(sides[i]) > radius + 2 * line.error) continue
    if (excessOf(exact, body, i, 1) >= 0 || excessOf(exact, body, i, -1) >= 0) continue
    const ahead = line.ux * local[2 * i] + line.uy * local[2 * i + 1] - tau
    if (Math.abs(ahead) > 2 * error) return ahead > 0
    return signOfRootSum(ring, vertexAlong(exact, body, i), negated(ring, distance), square) > 0
  }
  // None: the line crosses the core itself, and a point before it is outside an edge that is crossed inward.
  for (let i = 0; i < count; i++) {
    const slope = normals[2 * i] * line.ux + normals[2 * i + 1] * line.uy
    if (slope > error / body.reach + 16 * UNIT_ROUNDOFF) continue
    const [ex, ey] = exactEdge(exact.ring, body, i)
    const inward = ring.sign(ring.sub(ring.mul(ey, exact.dx), ring.mul(ex, exact.dy))) < 0
    if (inward && heightSign(exact, body, i, distance, false) > 0) return true
  }
  return false
}

function negated<T>(ring: Ring<T>, value: T): T {
  return ring.sub(ring.integer(0), value)
}
