/**
 * Points, segments and triangles against a cylinder, cone or ellipsoid: whether they meet, by algebra alone.
 *
 * Method: each surface is a quadratic form in homogeneous coordinates, F(p, p) ≤ 0 inside, cylinders and cones between the planes of
 * their ends. A segment is cut at these planes, where its parameter stays rational, and the least value of the form along the rest
 * is at an end or where its derivative vanishes. A triangle that no edge of meets the body is met inside if the plane meets the body
 * and one point of that section lies in it: for the section is convex and does not cross an edge. Bodies without their boundary are
 * asked in the same way, by points inside.
 * Frame: the body's own axes, the axis of cylinders and cones being y. Homogeneous points have a fourth number that they are to be
 * divided by.
 */

import type { Ring, Sign } from '../../numeric/exact-ring.ts'
import { CONE, ELLIPSOID, type Kind } from '../shape/body.ts'
import { cross, dot, type Exact, minus, times } from '../shape/exact-points.ts'

/** Degree of the polynomials that come up. */
export const ALGEBRA_DEGREE = 40

export interface ExactQuadric<T> {
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

export function segmentMeets<T>(ring: Ring<T>, quadric: ExactQuadric<T>, start: Exact<T>, end: Exact<T>): boolean {
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
export function triangleMeets<T>(
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
