/**
 * Common parts of the exact ray predicates: the ray as exact numbers, where it crosses a boundary, and how far it reaches.
 *
 * The ray is the set origin + t·d with 0 ≤ t·|d| ≤ maxDistance. A crossing is t = (p + c·√D)/w, w > 0: with planes and quadrics no other
 * roots come up, and with a skin's planes none of a higher degree. Since |d| is irrational in general, a limit is compared as
 * t·√(d·d) ≤ maxDistance, by squaring (`numeric/exact-ring.ts`). A direction is first multiplied by a power of two that brings it near
 * the coordinates' magnitude, which keeps the arithmetic short.
 * Frame: world axes; the origin counts from the body's position.
 */

import { spend } from '../../containers/budget.ts'
import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { ANCHOR, type Body, type CoreSurface, POSITION, REACH } from '../shape/body.ts'
import { PLANE_SIZE, planesOf } from '../shape/core-surface.ts'
import { cross, dot, type Exact, exactTriple, exactVertex, includeBody, minus } from '../shape/exact-points.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import { type Ray, type RayLine, type RaySpan, type SpanEnd, setFace, setFeature, setNormal } from './ray-line.ts'

export interface ExactRay<T> {
  ring: Ring<T>
  /** Relative to the body's position. */
  origin: Exact<T>
  direction: Exact<T>
  /** d·d. */
  square: T
  /** |d| as a double: t·length is a world length. */
  length: number
  /** d·(anchor − origin): the anchor's foot lies at that over d·d. */
  foot: T
  /** World length; null where there is no limit. */
  maxDistance: T | null
}

/** t = (p + c·√D)/w, w > 0. */
export interface Crossing<T> {
  p: T
  c: T
  d: T
  w: T
}

/**
 * Runs `predicate` where polynomials up to `degree` in the numbers of the ray and the body are exact. `more`: further numbers that the
 * predicate will pass to the ring.
 */
export function exactRay<R>(
  ray: Ray,
  body: Body,
  more: readonly number[],
  degree: number,
  predicate: <T>(ray: ExactRay<T>) => R,
): R {
  const range = createInputRange()
  includeBody(range, body)
  const { ox, oy, oz, maxDistance } = ray
  for (const value of [ox, oy, oz, ...more]) includeInput(range, value)
  const limited = maxDistance < Infinity
  if (limited) includeInput(range, maxDistance)
  const given = scaledDirection(ray, range.largest)
  for (const value of given) includeInput(range, value)
  return exactly(range, degree, (ring) => {
    const { of } = ring
    const place = exactTriple(ring, body, POSITION)
    const origin = minus(ring, [of(ox), of(oy), of(oz)], place)
    const direction: Exact<ReturnType<typeof of>> = [of(given[0]), of(given[1]), of(given[2])]
    return predicate({
      ring,
      origin,
      direction,
      square: dot(ring, direction, direction),
      length: Math.hypot(given[0], given[1], given[2]),
      foot: dot(ring, direction, minus(ring, exactTriple(ring, body, ANCHOR), origin)),
      maxDistance: limited ? of(maxDistance) : null,
    })
  })
}

/** The direction times the power of two that brings it near `magnitude`, where that loses no bit. */
function scaledDirection({ dx, dy, dz }: Ray, magnitude: number): readonly [number, number, number] {
  if (magnitude === 0) return [dx, dy, dz]
  const size = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz))
  const exponent = binaryExponent(magnitude) - binaryExponent(size)
  const x = scaleBy(dx, exponent)
  const y = scaleBy(dy, exponent)
  const z = scaleBy(dz, exponent)
  const isLossless = scaleBy(x, -exponent) === dx && scaleBy(y, -exponent) === dy && scaleBy(z, -exponent) === dz
  return isLossless && Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < Infinity ? [x, y, z] : [dx, dy, dz]
}

/** over/under, under ≠ 0. */
function rationalCrossing<T>({ ring }: ExactRay<T>, over: T, under: T): Crossing<T> {
  const zero = ring.integer(0)
  const turned = ring.sign(under) < 0
  return {
    p: turned ? ring.sub(zero, over) : over,
    c: zero,
    d: zero,
    w: turned ? ring.sub(zero, under) : under,
  }
}

/** Sign of a − b. */
function compareCrossings<T>({ ring }: ExactRay<T>, a: Crossing<T>, b: Crossing<T>): Sign {
  const { sub, mul } = ring
  const rational = sub(mul(a.p, b.w), mul(b.p, a.w))
  const back = sub(ring.integer(0), mul(b.c, a.w))
  return signOfTwoRootSum(ring, rational, mul(a.c, b.w), a.d, back, b.d)
}

/** Sign of the crossing's parameter: −1 before the origin. */
export function signFromOrigin<T>({ ring }: ExactRay<T>, { p, c, d }: Crossing<T>): Sign {
  return signOfRootSum(ring, p, c, d)
}

/** Sign of the crossing's distance against the ray's limit: 1 when it lies beyond the end; −1 when the ray has none. */
export function signPastEnd<T>({ ring, square, maxDistance }: ExactRay<T>, { p, c, d, w }: Crossing<T>): Sign {
  if (maxDistance === null) return -1
  const limit = ring.sub(ring.integer(0), ring.mul(maxDistance, w))
  return signOfTwoRootSum(ring, limit, p, square, c, ring.mul(d, square))
}

/** Of two numbers, the share that their sum may come down to before it is taken as the quotient of a difference of squares. */
const CANCELLED_SHARE = 1 / 16

/** Distance of the crossing from the anchor's foot, to nearly full precision. */
export function fromFoot<T>({ ring, square, length, foot }: ExactRay<T>, { p, c, d, w }: Crossing<T>): number {
  const { sub, mul, ratio, sign } = ring
  const under = mul(w, square)
  const over = sub(mul(p, square), mul(foot, w))
  const rational = ratio(over, under)
  if (sign(c) === 0 || sign(d) === 0) return length * rational
  const rootSquare = mul(mul(c, c), d)
  const root = sign(c) * Math.sqrt(ratio(rootSquare, mul(w, w)))
  const sum = rational + root
  if (Math.abs(sum) >= Math.abs(root) * CANCELLED_SHARE) return length * sum
  // Of a line that is nearly along a cone both are far away: their product with the difference, which loses nothing, is exact.
  const product = ratio(sub(mul(over, over), mul(rootSquare, mul(square, square))), mul(under, under))
  return (length * product) / (rational - root)
}

export function setCrossing<T>(exact: ExactRay<T>, end: SpanEnd, crossing: Crossing<T>): void {
  end.at = fromFoot(exact, crossing)
  end.low = end.at
  end.high = end.at
}

/** Records where a body that the line meets lies from the origin; false when the ray does not reach it. */
export function settleExactly<T>(exact: ExactRay<T>, span: RaySpan, enter: Crossing<T>, leave: Crossing<T>): boolean {
  if (signFromOrigin(exact, leave) < 0) return false
  span.inside = signFromOrigin(exact, enter) <= 0
  if (!span.inside && signPastEnd(exact, enter) > 0) return false
  span.exits = signPastEnd(exact, leave) <= 0
  return true
}

// The part of a line that satisfies conditions, exactly: half-spaces, and quadratic forms of the line's parameter.
//
// Method: the stretch begins at the last crossing inward and ends at the first one outward, compared exactly. Conditions without a
// crossing hold everywhere or nowhere.

/** From `enter` to `leave`, null where it has no end there, each with the number of the condition that set it. */
export interface ExactStretch<T> {
  isEmpty: boolean
  enter: Crossing<T> | null
  leave: Crossing<T> | null
  enterAt: number
  leaveAt: number
}

export function createStretch<T>(): ExactStretch<T> {
  return { isEmpty: false, enter: null, leave: null, enterAt: -1, leaveAt: -1 }
}

function enterAt<T>(exact: ExactRay<T>, stretch: ExactStretch<T>, crossing: Crossing<T>, at: number): void {
  if (stretch.enter !== null && compareCrossings(exact, crossing, stretch.enter) <= 0) return
  stretch.enter = crossing
  stretch.enterAt = at
}

function leaveAt<T>(exact: ExactRay<T>, stretch: ExactStretch<T>, crossing: Crossing<T>, at: number): void {
  if (stretch.leave !== null && compareCrossings(exact, crossing, stretch.leave) >= 0) return
  stretch.leave = crossing
  stretch.leaveAt = at
}

/** Cuts off what is not height + slope·t ≤ 0. */
export function cutBelow<T>(exact: ExactRay<T>, stretch: ExactStretch<T>, height: T, slope: T, at: number): void {
  const { ring } = exact
  const sign = ring.sign(slope)
  if (sign === 0) {
    if (ring.sign(height) > 0) stretch.isEmpty = true
    return
  }
  const crossing = rationalCrossing(exact, ring.sub(ring.integer(0), height), slope)
  if (sign < 0) enterAt(exact, stretch, crossing, at)
  else leaveAt(exact, stretch, crossing, at)
}

/** Cuts off what is not height + slope·t ≤ c·√d. */
export function cutBelowRoot<T>(
  exact: ExactRay<T>,
  stretch: ExactStretch<T>,
  height: T,
  slope: T,
  c: T,
  d: T,
  at: number,
): void {
  const { ring } = exact
  const { sub, integer, sign } = ring
  const zero = integer(0)
  const side = sign(slope)
  if (side === 0) {
    if (signOfHeight(ring, height, c, d) > 0) stretch.isEmpty = true
  } else if (side < 0) {
    // t ≥ (height − c·√d)/−slope.
    enterAt(exact, stretch, { p: height, c: sub(zero, c), d, w: sub(zero, slope) }, at)
  } else leaveAt(exact, stretch, { p: sub(zero, height), c, d, w: slope }, at)
}

/** Sign of height − c·√d, c ≥ 0. */
function signOfHeight<T>({ sign, sub, mul }: Ring<T>, height: T, c: T, d: T): number {
  if (sign(height) <= 0) return sign(height) === 0 && (sign(c) === 0 || sign(d) === 0) ? 0 : -1
  return sign(sub(mul(height, height), mul(mul(c, c), d)))
}

/**
 * Cuts off what is not a·t² + 2·b·t + c ≤ 0. Where a < 0 two stretches are left, of which the later one is meant if `later`: the other
 * lies in the far nappe of a cone.
 */
export function cutQuadric<T>(
  exact: ExactRay<T>,
  stretch: ExactStretch<T>,
  a: T,
  b: T,
  c: T,
  later: boolean,
  at: number,
): void {
  const { ring } = exact
  const { sub, mul, sign, integer } = ring
  const signA = sign(a)
  if (signA === 0) {
    cutBelow(exact, stretch, c, ring.add(b, b), at)
    return
  }
  const discriminant = sub(mul(b, b), mul(a, c))
  if (sign(discriminant) < 0) {
    stretch.isEmpty = true
    return
  }
  const zero = integer(0)
  const one = integer(1)
  const minusOne = integer(-1)
  const p = sub(zero, b)
  if (signA > 0) {
    enterAt(exact, stretch, { p, c: minusOne, d: discriminant, w: a }, at)
    leaveAt(exact, stretch, { p, c: one, d: discriminant, w: a }, at)
  } else {
    // (b ± √D)/−a.
    const w = sub(zero, a)
    if (later) enterAt(exact, stretch, { p: b, c: one, d: discriminant, w }, at)
    else leaveAt(exact, stretch, { p: b, c: minusOne, d: discriminant, w }, at)
  }
}

/** Whether nothing is left. Both ends are there. */
export function isEmpty<T>(exact: ExactRay<T>, { isEmpty, enter, leave }: ExactStretch<T>): boolean {
  if (isEmpty) return true
  return enter !== null && leave !== null && compareCrossings(exact, enter, leave) > 0
}

// Exact ray against a convex hull without a skin, flat or solid, where rounding leaves the clip of `ray-hull.ts` open.
//
// Method: the same clipping over rational numbers, by the faces of the hull of the core points as they are. What is flat lies between
// its two faces and the planes through its edges. Only faces that rounding cannot rule out are looked at. All conditions that hold
// with equality where the ray enters tell whether it does so over a face, an edge or a corner.
// World vertex = position + vertex, taken exactly.

const DEGREE = 16

/** Steps of an exact condition. */
const CONDITION_STEPS = 16

/** A condition: height + slope·t ≤ 0, of a face or of an edge of a flat core; core points on its boundary. */
interface Condition<T> {
  height: T
  slope: T
  normal: Exact<T>
  corners: Int32Array
  face: number
}

/** `surface`: the exact one of the body, flat or solid. */
export function exactRayHull(line: RayLine, ray: Ray, body: Body, surface: CoreSurface, span: RaySpan): boolean {
  const faces = nearFaces(line, body, surface)
  return exactRay(ray, body, [], DEGREE, (exact) => {
    const found = clip(exact, body, surface, faces, span)
    if (found !== null) return found
    const all = Array.from({ length: surface.starts.length - 1 }, (_, f) => f)
    return clip(exact, body, surface, all, span) === true
  })
}

/** The faces that may bound the stretch, by rounded arithmetic; all of a flat core. */
function nearFaces(line: RayLine, body: Body, surface: CoreSurface): number[] {
  const planes = planesOf(body, surface)
  spend(planes.length >> 3)
  const { ux, uy, uz, qx, qy, qz, error } = line
  const margin = 4 * RAY_PARALLEL_RATIO * body.numbers[REACH]
  let enterLow = -Infinity
  let leaveHigh = Infinity
  const lows: number[] = []
  const highs: number[] = []
  for (let at = 0; at < planes.length; at += PLANE_SIZE) {
    const height = planes[at] * qx + planes[at + 1] * qy + planes[at + 2] * qz - planes[at + 3]
    const slope = planes[at] * ux + planes[at + 1] * uy + planes[at + 2] * uz
    const bound = 2 * (error + planes[at + 4]) + margin
    const isSteep = Math.abs(slope) > RAY_PARALLEL_RATIO && bound < Infinity
    const place = -height / slope
    const slack = bound / Math.abs(slope)
    lows.push(isSteep ? place - slack : -Infinity)
    highs.push(isSteep ? place + slack : Infinity)
    if (isSteep && slope < 0) enterLow = Math.max(enterLow, place - slack)
    if (isSteep && slope > 0) leaveHigh = Math.min(leaveHigh, place + slack)
  }
  const near: number[] = []
  for (let f = 0; f < lows.length; f++) {
    const slope = planes[PLANE_SIZE * f] * ux + planes[PLANE_SIZE * f + 1] * uy + planes[PLANE_SIZE * f + 2] * uz
    // Nearly parallel ones stay: nothing is known of them.
    if (lows[f] === -Infinity || (slope < 0 ? highs[f] >= enterLow : lows[f] <= leaveHigh)) near.push(f)
  }
  return near
}

/** Whether the ray meets the body; null when the faces do not bound the stretch on both sides. */
function clip<T>(
  exact: ExactRay<T>,
  body: Body,
  surface: CoreSurface,
  faces: readonly number[],
  span: RaySpan,
): boolean | null {
  const conditions = conditionsOf(exact, body, surface, faces)
  const stretch = createStretch<T>()
  for (let i = 0; i < conditions.length; i++) cutBelow(exact, stretch, conditions[i].height, conditions[i].slope, i)
  if (stretch.isEmpty) return false
  const { enter, leave } = stretch
  if (enter === null || leave === null) return null
  if (isEmpty(exact, stretch)) return false
  if (!settleExactly(exact, span, enter, leave)) return false
  setCrossing(exact, span.enter, enter)
  setCrossing(exact, span.leave, leave)
  setEnd(exact, surface, conditions, enter, -1, span.enter)
  setEnd(exact, surface, conditions, leave, 1, span.leave)
  return true
}

function conditionsOf<T>(
  exact: ExactRay<T>,
  body: Body,
  surface: CoreSurface,
  faces: readonly number[],
): Condition<T>[] {
  const { ring, origin, direction } = exact
  const { starts, corners, dimension } = surface
  const conditions: Condition<T>[] = []
  const add = (normal: Exact<T>, i: number, on: Int32Array, face: number): void => {
    spend(CONDITION_STEPS)
    const height = dot(ring, normal, minus(ring, origin, exactVertex(ring, body, i)))
    conditions.push({ height, slope: dot(ring, normal, direction), normal, corners: on, face })
  }
  for (const f of faces) {
    const around = corners.subarray(starts[f], starts[f + 1])
    add(faceNormal(ring, body, around), around[0], around, f)
  }
  if (dimension === 3) return conditions
  const around = corners.subarray(starts[0], starts[1])
  const normal = faceNormal(ring, body, around)
  for (let c = 0; c < around.length; c++) {
    const i = around[c]
    const j = around[(c + 1) % around.length]
    const edge = minus(ring, exactVertex(ring, body, j), exactVertex(ring, body, i))
    add(cross(ring, edge, normal), i, Int32Array.of(i, j), -1)
  }
  return conditions
}

/** Of any three corners of a face: no three of them are on one line. */
export function faceNormal<T>(ring: ExactRay<T>['ring'], body: Body, around: Int32Array): Exact<T> {
  const a = exactVertex(ring, body, around[0])
  const b = exactVertex(ring, body, around[1])
  const c = exactVertex(ring, body, around[2])
  return cross(ring, minus(ring, b, a), minus(ring, c, a))
}

/** Sets the feature that the ray crosses there and a normal: the middle of the normals of all faces that it crosses to that side. */
function setEnd<T>(
  exact: ExactRay<T>,
  surface: CoreSurface,
  conditions: readonly Condition<T>[],
  crossing: Crossing<T>,
  side: -1 | 1,
  end: SpanEnd,
): void {
  const { ring } = exact
  const isCrossed = surface.dimension === 2 && ring.sign(conditions[0].slope) !== 0
  let common: number[] = []
  let isFirst = true
  let face = -1
  let x = 0
  let y = 0
  let z = 0
  for (const { height, slope, normal, corners, face: own } of conditions) {
    // height + slope·p/w = 0.
    if (ring.sign(ring.add(ring.mul(height, crossing.w), ring.mul(slope, crossing.p))) !== 0) continue
    common = isFirst ? Array.from(corners) : common.filter((corner) => corners.includes(corner))
    isFirst = false
    face = own
    // A flat core faces the ray, at its edges too, unless the ray lies in its plane.
    if (ring.sign(slope) !== side || (isCrossed && own < 0)) continue
    const [nx, ny, nz] = roundedUnit(ring, normal)
    x += nx
    y += ny
    z += nz
  }
  const length = Math.hypot(x, y, z)
  setNormal(end, x / length, y / length, z / length)
  if (common.length > 2) setFace(end, face)
  else setFeature(end, common[0] ?? -1, common[1] ?? -1)
  // A flat face is seen from the side that the ray comes from.
  if (surface.dimension === 2 && end.face >= 0) {
    const { slope } = conditions[end.face]
    if (ring.sign(slope) !== side) setFace(end, 1 - end.face)
  }
}

/** The vector at unit length, to a few roundoffs. */
export function roundedUnit<T>(ring: ExactRay<T>['ring'], vector: Exact<T>): readonly [number, number, number] {
  const square = dot(ring, vector, vector)
  const component = (k: number): number =>
    ring.sign(vector[k]) * Math.sqrt(ring.ratio(ring.mul(vector[k], vector[k]), square))
  return [component(0), component(1), component(2)]
}
