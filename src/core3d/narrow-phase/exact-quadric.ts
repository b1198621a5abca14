/**
 * A cylinder, cone or ellipsoid near touching another body: which side of touching they are on.
 *
 * Method: core points without a skin, by algebra with the few of them that lie at the contact; a ball against a cylinder or cone, by
 * its regions; two bodies of revolution about parallel axes, by their radii at the heights they share. What is left is apart if one
 * of some directions separates it exactly: the one that the search ended with and round ones near it, and normals of the face or
 * edges at the contact. A curved body's height along a direction that is off by a little is off by
 * the square of that, so these tell gaps from contacts at one unit in the last place; what no direction separates meets. Whether the
 * insides meet is asked in the same ways, of bodies without their boundary and of directions that leave no gap.
 * Frame: world. Only of bodies whose own axes are axes of the world, so that nothing was rounded by turning them.
 */

import { spend } from '../../containers/budget.ts'
import {
  exactly,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { type Body, CONE, CYLINDER, ELLIPSOID, type Kind, LENGTHS, POINTS, RADIUS, ROTATION } from '../shape/body.ts'
import {
  cross,
  dot,
  type Exact,
  exactOffset,
  exactTriple,
  exactVertex,
  inputRangeOf,
  isZero,
  minus,
  ownVector,
  plus,
  times,
} from '../shape/exact-points.ts'
import { COMMON_DENOMINATOR_COUNT, CONTACT_DEPTH_RATIO, SNAP_RATIO, STAR_CORNER_COUNT } from '../tolerances.ts'
import { contactRing } from './facing-feature.ts'
import type { Bounds } from './gjk.ts'
import { gapSignAlong, HEIGHT_DEGREE } from './halfspace-any.ts'
import type { PairFrame } from './pair-frame.ts'

/**
 * Whether the pair, of which the second is curved, meets, or with `isOpen` whether it overlaps; null where something was rounded by
 * turning a curved body.
 */
export function exactQuadric(frame: PairFrame, bounds: Bounds, isOpen: boolean): boolean | null {
  const { first, second } = frame
  const isMet = (sign: Sign): boolean => (isOpen ? sign < 0 : sign <= 0)
  if (!second.aligned || (first.kind !== POINTS && !first.aligned)) return null
  if (first.kind === POINTS) {
    if (first.numbers[RADIUS] === 0 && !(isOpen && isDisc(second))) return coreMeets(frame, bounds, isOpen)
    if (first.numbers[RADIUS] > 0 && second.kind !== ELLIPSOID) {
      const near = nearRing(frame, bounds)
      if (near.length === 1) return isMet(relateBall(first, second, near[0]))
    }
  } else if (second.kind !== ELLIPSOID && isParallel(first, second)) return isMet(relateTurned(first, second))
  return !isSeparated(frame, bounds, isOpen)
}

/** Core points of the first body at the contact. */
function nearRing({ first, extent }: PairFrame, { nx, ny, nz }: Bounds): number[] {
  return contactRing(first, -nx, -ny, -nz, CONTACT_DEPTH_RATIO * extent)
}

function isDisc({ kind, numbers }: Body): boolean {
  return kind === CYLINDER && numbers[LENGTHS + 1] === 0
}

function isParallel(first: Body, second: Body): boolean {
  for (let row = 0; row < 3; row++) {
    const at = ROTATION + 3 * row + 1
    if (Math.abs(first.numbers[at]) !== Math.abs(second.numbers[at])) return false
  }
  return true
}

/** Core point `i` of the first body in the axes of the second. */
function ownPoint<T>(ring: Ring<T>, first: Body, second: Body, i: number): Exact<T> {
  return ownVector(ring, second, plus(ring, exactOffset(ring, first, second), exactVertex(ring, first, i)))
}

/** Of the ball about a core point, the only one at the contact. */
function relateBall(first: Body, second: Body, i: number): Sign {
  return exactly(inputRangeOf(first, second), ALGEBRA_DEGREE, (ring) => {
    const [radius, half] = exactTriple(ring, second, LENGTHS)
    const pair = { center: ownPoint(ring, first, second, i), ball: ring.of(first.numbers[RADIUS]), radius, half }
    return second.kind === CYLINDER ? relateBallCylinder(ring, pair) : relateBallCone(ring, pair)
  })
}

/** Core points without a skin: those at the contact, and what they span. */
function coreMeets(frame: PairFrame, bounds: Bounds, isOpen: boolean): boolean {
  const { first, second } = frame
  const near = nearRing(frame, bounds)
  const gap = near.length > 2 ? gapOverFace(frame, bounds, near) : -1
  if (gap > 0 || (isOpen && gap === 0)) return false
  return exactly(inputRangeOf(first, second), ALGEBRA_DEGREE, (ring) => {
    const quadric = { kind: second.kind, lengths: exactTriple(ring, second, LENGTHS), isOpen }
    return ringMeets(ring, first, second, near, quadric)
  })
}

/**
 * Sign of the gap along the normal of the face that has these core points: what stands on a face has no other answer than that of this one
 * direction, which is a few signs, not some for each edge.
 */
function gapOverFace({ first, second }: PairFrame, { nx, ny, nz }: Bounds, near: readonly number[]): Sign {
  return exactly(inputRangeOf(first, second), HEIGHT_DEGREE, (ring) => {
    const [a, b, c] = near.map((i) => exactVertex(ring, first, i))
    const normal = cross(ring, minus(ring, b, a), minus(ring, c, a))
    if (isZero(ring, normal)) return -1
    const zero = ring.integer(0)
    const [x, y, z] = normal.map((component) => ring.sign(component))
    // The ring goes round either way.
    const isAgainst = x * nx + y * ny + z * nz < 0
    return gapSignAlong(ring, first, second, isAgainst ? minus(ring, [zero, zero, zero], normal) : normal)
  })
}

/** Whether the second body meets the flat polygon of these core points, or what leads from it into the first body. */
function ringMeets<T>(
  ring: Ring<T>,
  first: Body,
  second: Body,
  near: readonly number[],
  quadric: ExactQuadric<T>,
): boolean {
  const points = near.map((i) => ownPoint(ring, first, second, i))
  const { length } = points
  // Of a face what it has inside is likelier than its edges and corners.
  for (let i = 1; i + 1 < length; i++) {
    if (triangleMeets(ring, quadric, [points[0], points[i], points[i + 1]])) return true
  }
  if (points.some((point) => pointMeets(ring, quadric, point))) return true
  for (let i = 0; i < length; i++) {
    for (let j = 0; j < i; j++) if (segmentMeets(ring, quadric, points[j], points[i])) return true
  }
  return starMeets(ring, first, second, near, quadric)
}

/**
 * Whether the second body meets a segment from a contact point into the first body: a contact that lies within rounding of a corner
 * may be on any edge there. Not asked of many points.
 */
function starMeets<T>(
  ring: Ring<T>,
  first: Body,
  second: Body,
  near: readonly number[],
  quadric: ExactQuadric<T>,
): boolean {
  const { count } = first
  if (count > STAR_CORNER_COUNT) return false
  const others = Array.from({ length: count }, (_, i) => i).filter((i) => !near.includes(i))
  const ends = others.map((i) => ownPoint(ring, first, second, i))
  const starts = near.map((i) => ownPoint(ring, first, second, i))
  return starts.some((start) =>
    ends.some((end) => {
      spend(STAR_STEPS)
      return segmentMeets(ring, quadric, start, end)
    }),
  )
}

/** Steps of an exact segment. */
const STAR_STEPS = 64

/** Whether some direction separates the pair exactly, with a gap or, if `isOpen`, without one. */
function isSeparated(frame: PairFrame, bounds: Bounds, isOpen: boolean): boolean {
  const { first, second } = frame
  const near = first.kind === POINTS ? nearRing(frame, bounds) : []
  const candidates = directionsNear([bounds.nx, bounds.ny, bounds.nz])
  const range = inputRangeOf(first, second)
  for (const direction of candidates) for (const component of direction) includeInput(range, component)
  return exactly(range, HEIGHT_DEGREE, (ring) =>
    separatesAny(ring, first, second, isOpen, [
      ...candidates.map(([x, y, z]): Exact<ReturnType<typeof ring.of>> => [ring.of(x), ring.of(y), ring.of(z)]),
      ...contactNormals(ring, frame, bounds, near),
    ]),
  )
}

function separatesAny<T>(
  ring: Ring<T>,
  first: Body,
  second: Body,
  isOpen: boolean,
  directions: readonly Exact<T>[],
): boolean {
  return directions.some((along) => {
    const sign = isZero(ring, along) ? -1 : gapSignAlong(ring, first, second, along)
    return sign > 0 || (isOpen && sign === 0)
  })
}

/** Normals of the first body's face at the contact, and of planes along one of its edges there and an axis of the second. */
function contactNormals<T>(
  ring: Ring<T>,
  { first, second }: PairFrame,
  _bounds: Bounds,
  near: readonly number[],
): Exact<T>[] {
  const { integer } = ring
  if (near.length < 2) return []
  const zero = integer(0)
  const points = near.map((i) => exactVertex(ring, first, i))
  const edge = minus(ring, points[1], points[0])
  const normals: Exact<T>[] = []
  if (near.length > 2) normals.push(cross(ring, edge, minus(ring, points[2], points[0])))
  const axis = [0, 1, 2].map((row) => integer(second.numbers[ROTATION + 3 * row + 1]))
  if (second.kind !== ELLIPSOID) normals.push(cross(ring, edge, [axis[0], axis[1], axis[2]]))
  return normals.flatMap((normal) => [normal, minus(ring, [zero, zero, zero], normal)])
}

// A ball against a cylinder or cone: whether they overlap, touch or are apart, exactly.
//
// Method: both are bodies of revolution about the cylinder's axis, so the centre's distance is that of a point of the half-plane
// (distance from the axis, height along it) to a rectangle or triangle: by its regions, whose sides are signs of sums of a rational
// number and the root that the distance from the axis is.
// Frame: the body's own axes, its own axis being y.

/** Centre and radius, more than 0, of the ball; radius and half height of the body of revolution. */
interface BallAndTurned<T> {
  center: Exact<T>
  ball: T
  radius: T
  half: T
}

function relateBallCylinder<T>(ring: Ring<T>, { center, ball, radius, half }: BallAndTurned<T>): Sign {
  const { add, sub, mul, sign } = ring
  const squared = (value: T): T => mul(value, value)
  const square = add(squared(center[0]), squared(center[2]))
  const y = sign(center[1]) < 0 ? sub(ring.integer(0), center[1]) : center[1]
  const over = sub(y, half)
  if (sign(over) <= 0) return sign(sub(square, squared(add(radius, ball))))
  if (sign(sub(square, squared(radius))) <= 0) return sign(sub(over, ball))
  return reachRim(ring, square, over, radius, ball)
}

/** Sign of (√square − radius)² + over² − ball². */
function reachRim<T>(ring: Ring<T>, square: T, over: T, radius: T, ball: T): Sign {
  const { add, sub, mul, integer } = ring
  const squared = (value: T): T => mul(value, value)
  const rational = sub(add(add(square, squared(radius)), squared(over)), squared(ball))
  return signOfRootSum(ring, rational, mul(integer(-2), radius), square)
}

function relateBallCone<T>(ring: Ring<T>, { center, ball, radius, half }: BallAndTurned<T>): Sign {
  const { add, sub, mul, integer } = ring
  const squared = (value: T): T => mul(value, value)
  const square = add(squared(center[0]), squared(center[2]))
  const y = center[1]
  const height = add(half, half)
  const under = sub(sub(integer(0), half), y)
  /** Sign of rational + factor·(distance from the axis). */
  const signWith = (rational: T, factor: T): Sign => signOfRootSum(ring, rational, factor, square)
  if (ring.sign(under) >= 0) {
    // Below the base: over its disc, or beyond the rim.
    const isOverDisc = ring.sign(sub(square, squared(radius))) <= 0
    return isOverDisc ? ring.sign(sub(under, ball)) : reachRim(ring, square, under, radius, ball)
  }
  // height·ρ + radius·(y − half) > 0: outside the slant.
  const fall = mul(radius, sub(y, half))
  if (signWith(fall, height) <= 0) return -1
  // Along the slant, from rim (0) to apex (height² + radius²): −radius·(ρ − radius) + height·(y + half).
  const whole = add(squared(height), squared(radius))
  const along = add(squared(radius), mul(height, add(y, half)))
  const slope = sub(integer(0), radius)
  if (signWith(along, slope) <= 0) return reachRim(ring, square, add(y, half), radius, ball)
  if (signWith(sub(along, whole), slope) >= 0) {
    return ring.sign(sub(add(square, squared(sub(y, half))), squared(ball)))
  }
  return signOfTwoRootSum(ring, fall, height, square, sub(integer(0), ball), whole)
}

// Two cylinders or cones whose axes are parallel: whether they overlap, touch or are apart, exactly.
//
// Method: at each height that both have, they meet if the distance of the axes is no more than both radii there. These are linear in
// the height, so their sum is greatest at one end of the heights shared.
// Frame: the second body's own axes, y along both axes, origin at its position.

/** Degree of the polynomials that come up. */
const DEGREE = 12

/** Both of kinds and poses without rounding, their axes parallel. */
function relateTurned(first: Body, second: Body): Sign {
  return exactly(inputRangeOf(first, second), DEGREE, (ring) => relateParallel(ring, first, second))
}

/** Heights from the low to the high end, and the radius as a fraction that is linear in the height. */
interface Span<T> {
  low: T
  high: T
  radiusAt(y: T): { over: T; under: T }
}

function relateParallel<T>(ring: Ring<T>, first: Body, second: Body): Sign {
  const { add, mul, sub, sign } = ring
  const offset = ownVector(ring, second, exactOffset(ring, first, second))
  const square = add(mul(offset[0], offset[0]), mul(offset[2], offset[2]))
  const one = spanOf(ring, first, offset[1], isOpposite(first, second))
  const other = spanOf(ring, second, ring.integer(0), false)
  const low = sign(sub(one.low, other.low)) > 0 ? one.low : other.low
  const high = sign(sub(one.high, other.high)) < 0 ? one.high : other.high
  const shared = sign(sub(high, low))
  if (shared < 0) return 1
  const signs = [low, high].map((y) => {
    const a = one.radiusAt(y)
    const b = other.radiusAt(y)
    const reach = add(mul(a.over, b.under), mul(b.over, a.under))
    const under = mul(a.under, b.under)
    return sign(sub(mul(square, mul(under, under)), mul(reach, reach)))
  })
  const least = Math.min(signs[0], signs[1]) as Sign
  if (shared > 0 || least >= 0) return least
  // One height shared: of a disc within the other, or of two ends.
  const isWithin = (inner: Span<T>, outer: Span<T>): boolean =>
    sign(sub(inner.low, outer.low)) > 0 && sign(sub(outer.high, inner.high)) > 0
  return isWithin(one, other) || isWithin(other, one) ? -1 : 0
}

function isOpposite({ numbers: a }: Body, { numbers: b }: Body): boolean {
  let along = 0
  for (let row = 0; row < 3; row++) along += a[ROTATION + 3 * row + 1] * b[ROTATION + 3 * row + 1]
  return along < 0
}

function spanOf<T>(ring: Ring<T>, body: Body, middle: T, isTurned: boolean): Span<T> {
  const { add, sub, mul } = ring
  const [radius, half] = exactTriple(ring, body, LENGTHS)
  const low = sub(middle, half)
  const high = add(middle, half)
  if (body.kind !== CONE) return { low, high, radiusAt: () => ({ over: radius, under: ring.integer(1) }) }
  const under = add(half, half)
  return { low, high, radiusAt: (y) => ({ over: mul(radius, isTurned ? sub(y, low) : sub(high, y)), under }) }
}

// Points, segments and triangles against a cylinder, cone or ellipsoid: whether they meet, by algebra alone.
//
// Method: each surface is a quadratic form in homogeneous coordinates, F(p, p) ≤ 0 inside, cylinders and cones between the planes of
// their ends. A segment is cut at these planes, where its parameter stays rational, and the least value of the form along the rest
// is at an end or where its derivative vanishes. A triangle that no edge of meets the body is met inside if the plane meets the body
// and one point of that section lies in it: for the section is convex and does not cross an edge. Bodies without their boundary are
// asked in the same way, by points inside.
// Frame: the body's own axes, the axis of cylinders and cones being y. Homogeneous points have a fourth number that they are to be
// divided by.

/** Degree of the polynomials that come up. */
const ALGEBRA_DEGREE = 40

interface ExactQuadric<T> {
  kind: Kind
  /** Radius, half height and radius of cylinders and cones, half axes of ellipsoids. */
  lengths: Exact<T>
  /** Whether the body is meant without its boundary; not of discs, which are all boundary. */
  isOpen: boolean
}

/** A point times `w`, and `w`; directions have 0. */
interface Homogeneous<T> {
  xyz: Exact<T>
  w: T
}

/** The form whose sign tells inside from outside. */
function form<T>(ring: Ring<T>, { kind, lengths }: ExactQuadric<T>, p: Homogeneous<T>, q: Homogeneous<T>): T {
  const { add, sub, mul } = ring
  const [x, y, z] = [0, 1, 2].map((k) => mul(p.xyz[k], q.xyz[k]))
  const [a, b, c] = lengths.map((length) => mul(length, length))
  const w = mul(p.w, q.w)
  if (kind === ELLIPSOID) {
    const sum = add(add(mul(x, mul(b, c)), mul(y, mul(a, c))), mul(z, mul(a, b)))
    return sub(sum, mul(w, mul(mul(a, b), c)))
  }
  if (kind === CONE) {
    // Radius over height is radius over twice the half height; the radius shrinks with the way down from the apex.
    const down = (h: Homogeneous<T>): T => sub(mul(lengths[1], h.w), h.xyz[1])
    return sub(mul(mul(ring.integer(4), b), add(x, z)), mul(a, mul(down(p), down(q))))
  }
  return sub(add(x, z), mul(a, w))
}

/** Whether the sign of a form or of a height is that of a point of the body. */
function isInside({ isOpen }: ExactQuadric<unknown>, sign: Sign): boolean {
  return isOpen ? sign < 0 : sign <= 0
}

/** Whether the body has the point, given in its own axes. */
export function pointMeets<T>(ring: Ring<T>, quadric: ExactQuadric<T>, point: Exact<T>): boolean {
  const { sign, integer } = ring
  if (quadric.kind !== ELLIPSOID && !isBetweenEnds(ring, quadric, point[1])) return false
  const p = { xyz: point, w: integer(1) }
  return isInside(quadric, sign(form(ring, quadric, p, p)))
}

function isBetweenEnds<T>({ sign, sub, integer }: Ring<T>, quadric: ExactQuadric<T>, y: T): boolean {
  const half = quadric.lengths[1]
  return isInside(quadric, sign(sub(y, half))) && isInside(quadric, sign(sub(sub(integer(0), half), y)))
}

function segmentMeets<T>(ring: Ring<T>, quadric: ExactQuadric<T>, start: Exact<T>, end: Exact<T>): boolean {
  const { sign, sub, mul } = ring
  const rises = sign(sub(end[1], start[1])) >= 0
  const from = rises ? start : end
  const edge = minus(ring, rises ? end : start, from)
  const span = clip(ring, quadric, from[1], edge[1])
  if (span === null) return false
  const p = { xyz: times(ring, span.under, from), w: span.under }
  const e = { xyz: edge, w: ring.integer(0) }
  const square = form(ring, quadric, e, e)
  const linear = form(ring, quadric, p, e)
  const constant = form(ring, quadric, p, p)
  const two = ring.integer(2)
  const valueAt = (t: T): T => ring.add(constant, mul(t, ring.add(mul(two, linear), mul(t, square))))
  if (isInside(quadric, sign(valueAt(span.low))) || isInside(quadric, sign(valueAt(span.high)))) return true
  if (sign(square) <= 0) return false
  // The least value lies at −linear / square.
  const turn = sub(ring.integer(0), linear)
  if (sign(sub(turn, mul(span.low, square))) <= 0 || sign(sub(turn, mul(span.high, square))) >= 0) return false
  return isInside(quadric, sign(sub(mul(square, constant), mul(linear, linear))))
}

/** The parameters, over `under`, between the planes of the ends; `rise` ≥ 0 along the edge. */
function clip<T>(ring: Ring<T>, quadric: ExactQuadric<T>, y: T, rise: T): { low: T; high: T; under: T } | null {
  const { sign, sub, integer } = ring
  const { kind, lengths, isOpen } = quadric
  const zero = integer(0)
  if (kind === ELLIPSOID) return { low: zero, high: integer(1), under: integer(1) }
  if (sign(rise) === 0) {
    return isBetweenEnds(ring, quadric, y) ? { low: zero, high: integer(1), under: integer(1) } : null
  }
  const below = sub(sub(zero, lengths[1]), y)
  const above = sub(lengths[1], y)
  const low = sign(below) > 0 ? below : zero
  const high = sign(sub(above, rise)) < 0 ? above : rise
  // Of an open stretch any point will do as well as its ends: a form below 0 there is so beside them too.
  const length = sign(sub(high, low))
  return length < 0 || (isOpen && length === 0) ? null : { low, high, under: rise }
}

/** Whether the body meets the triangle without meeting its edges. */
function triangleMeets<T>(
  ring: Ring<T>,
  quadric: ExactQuadric<T>,
  corners: readonly [Exact<T>, Exact<T>, Exact<T>],
): boolean {
  const [a, b, c] = corners
  const normal = cross(ring, minus(ring, b, a), minus(ring, c, a))
  const section = sectionPoint(ring, quadric, normal, dot(ring, normal, a))
  if (section === null) return false
  return corners.every((corner, i) => {
    const edge = minus(ring, corners[(i + 1) % 3], corner)
    const way = minus(ring, section.xyz, times(ring, section.w, corner))
    return ring.sign(dot(ring, normal, cross(ring, edge, way))) * ring.sign(section.w) >= 0
  })
}

/** A point of the body on the plane normal · x = height; null where they do not meet. */
function sectionPoint<T>(ring: Ring<T>, quadric: ExactQuadric<T>, normal: Exact<T>, height: T): Homogeneous<T> | null {
  const { add, sub, mul, sign, integer } = ring
  const { kind, lengths, isOpen } = quadric
  const zero = integer(0)
  const squared = (value: T): T => mul(value, value)
  if (kind === ELLIPSOID) {
    const stretched = [0, 1, 2].map((k) => mul(squared(lengths[k]), normal[k]))
    const w = dot(ring, normal, [stretched[0], stretched[1], stretched[2]])
    if (sign(w) === 0 || !isInside(quadric, sign(sub(squared(height), w)))) return null
    return { xyz: times(ring, height, [stretched[0], stretched[1], stretched[2]]), w }
  }
  const half = lengths[1]
  if (sign(normal[1]) === 0 && sign(height) === 0) return { xyz: [zero, zero, zero], w: integer(1) }
  if (sign(normal[1]) !== 0 && isInside(quadric, sign(sub(squared(height), squared(mul(half, normal[1])))))) {
    return { xyz: [zero, height, zero], w: normal[1] }
  }
  // Not through the axis: then through the disc at an end.
  const flat = add(squared(normal[0]), squared(normal[2]))
  if (sign(flat) === 0) return null
  for (const end of kind === CONE ? [sub(zero, half)] : [half, sub(zero, half)]) {
    const rest = sub(height, mul(normal[1], end))
    if (!isInside(quadric, sign(sub(squared(rest), mul(squared(lengths[0]), flat))))) continue
    if (isOpen) return pointInwards(ring, quadric, normal, { rest, end, flat })
    return { xyz: [mul(normal[0], rest), mul(end, flat), mul(normal[2], rest)], w: flat }
  }
  return null
}

/**
 * A point inside the body on a plane that crosses the open disc at an end, whose middle it passes at rest / √flat: so little further in
 * that it stays within the radius there, which of a cone shrinks by the way.
 */
function pointInwards<T>(
  ring: Ring<T>,
  { kind, lengths }: ExactQuadric<T>,
  normal: Exact<T>,
  { rest, end, flat }: { rest: T; end: T; flat: T },
): Homogeneous<T> {
  const { add, sub, mul, sign, integer } = ring
  const size = (value: T): T => (sign(value) < 0 ? sub(integer(0), value) : value)
  const [radius, half] = lengths
  const rim = mul(mul(radius, radius), flat)
  const room = sub(rim, mul(rest, rest))
  // With t the way in: (|rest| + |n_y|·t)² < rim·(1 − t/half) where t·(2·|rest|·|n_y| + n_y²·half + rim/half) < room.
  const slope = size(normal[1])
  const steep = mul(half, mul(slope, add(mul(integer(2), size(rest)), mul(slope, half))))
  const under = add(room, kind === CONE ? add(steep, rim) : steep)
  const way = mul(room, sign(end) < 0 ? half : sub(integer(0), half))
  // At the height end + way / under the plane passes the axis at (rest − n_y·way / under) / √flat.
  const passed = sub(mul(rest, under), mul(normal[1], way))
  const height = add(mul(end, under), way)
  return { xyz: [mul(normal[0], passed), mul(height, flat), mul(normal[2], passed)], w: mul(under, flat) }
}

// Directions near one that a search ended with, which may be what it was looking for.
//
// Method: a search knows the direction of a smooth contact to the root of what it knows of the distance. What a user builds on purpose
// touches along an axis, in a plane of two axes, or along short whole numbers: the least common denominator that all components
// nearly have gives these back. These are candidates only: the caller proves that they separate.

type Direction = readonly [number, number, number]

/** The unit vector itself, itself without what is nearly 0, the axis nearest to it, and the shortest whole numbers near it. */
function directionsNear(unit: Direction): Direction[] {
  const greatest = Math.max(...unit.map(Math.abs))
  const map = (change: (component: number) => number): Direction => [change(unit[0]), change(unit[1]), change(unit[2])]
  const cleared = map((component) => (Math.abs(component) < SNAP_RATIO ? 0 : component))
  const axis = map((component) => (Math.abs(component) === greatest ? Math.sign(component) : 0))
  const found = [unit, cleared, axis]
  for (let under = 1; under <= COMMON_DENOMINATOR_COUNT; under++) {
    const scaled = map((component) => (component / greatest) * under)
    const isWhole = scaled.every((component) => Math.abs(component - Math.round(component)) < SNAP_RATIO * under)
    if (!isWhole) continue
    found.push([Math.round(scaled[0]), Math.round(scaled[1]), Math.round(scaled[2])])
    break
  }
  return found
}
