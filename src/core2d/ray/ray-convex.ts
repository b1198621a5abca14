/**
 * Ray against a convex body of any kind; circles, ellipses and half-planes here. Frame: as in `ray-line.ts`.
 */

import { binaryExponent, type Ring, signOfRootSum, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { edgeFeature, SURFACE_FEATURE } from '../feature.ts'
import {
  type Body,
  CIRCLE,
  COMPOSITE,
  COS,
  ELLIPSE,
  HALFPLANE,
  NORMAL_X,
  NORMAL_Y,
  OFFSET,
  POLYGON,
  RADIUS,
  REACH,
  RX,
  RY,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { exactRadius, exactX, exactY, positionX, positionY } from '../shape/exact-points.ts'
import { LEAST_AXIS_RATIO, RAY_PARALLEL_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'
import {
  aim,
  type ExactRay,
  exactRay,
  HIT,
  type Ray,
  type RayLine,
  type RaySpan,
  setEnter,
  setLeave,
  settleDistances,
  settleExactly,
  settleSpan,
  signPastEnd,
  UNSURE,
} from './ray-line.ts'
import { rayPolygon } from './ray-polygon.ts'

/** The part of the ray's line that lies in a convex body; false when the ray misses it. Fills `toLine` and `toSpan`. */
export function castLine(ray: Ray, body: Body, toLine: RayLine, toSpan: RaySpan): boolean {
  aim(toLine, ray, body)
  return meets(toLine, ray, body, toSpan)
}

/** Whether a ray meets the body, for a line that is aimed at the body already. */
export function meets(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.kind === HALFPLANE) return rayHalfplane(line, ray, body, span)
  const { along, side, error, maxDistance } = line
  // A reach summed over many edges may be off by as many roundoffs.
  const reach = body.numbers[REACH] + 16 * error + 8 * UNIT_ROUNDOFF * Math.abs(along)
  if (Math.abs(side) > reach || along < -reach || along - reach > maxDistance) return false
  switch (body.kind) {
    case CIRCLE:
      return rayCircle(line, ray, body, span)
    case POLYGON:
      return rayPolygon(line, ray, body, span)
    case ELLIPSE:
      return rayEllipse(line, ray, body, span)
    case COMPOSITE:
      return false
  }
}

// Ray against circle or point.
//
// Method: C. Ericson, "Real-Time Collision Detection", 5.3.2, with the discriminant as (r − h)(r + h), h the distance of
// the centre from the ray's line, which does not cancel for far origins or grazing rays the way b² − 4ac does.
// Exact: D = r²Q − c² with Q = d·d and c = d × (centre − origin) decides whether the line meets the disc; its ends are
// at (a ∓ √D)/√Q with a = d·(centre − origin), compared with 0 and the ray's length as signs of root sums.

function rayCircle(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { numbers } = body
  const radius = numbers[RADIUS]
  const h = Math.abs(line.side)
  const error = 8 * UNIT_ROUNDOFF * h + line.floor
  if (h - radius > error) return false
  const depth = radius - h
  if (depth > 2 * error) {
    const half = Math.sqrt(depth) * Math.sqrt(radius + h)
    const slack = (2 * error * (radius + h)) / half
    if (slack <= RAY_POINT_RATIO * radius) {
      setChord(line, body, span, half)
      const verdict = settleSpan(line, span, slack, slack, half)
      if (verdict !== UNSURE) return verdict === HIT
    }
  }
  return exactRay(ray, body, [], 8, (exact) => exactRayCircle(exact, line, body, span))
}

/** The chord of half length `half` about the centre's foot, with the radial normals. */
function setChord(line: RayLine, body: Body, span: RaySpan, half: number): void {
  const { ux, uy, side, qx, qy } = line
  const feature = body.vertexFeatures[0]
  const length = vectorLength(half, side)
  // A point has no normal of its own: it faces the ray.
  const along = length > 0 ? half / length : 1
  const acrossX = length > 0 ? qx / length : 0
  const acrossY = length > 0 ? qy / length : 0
  setEnter(span, -half, acrossX - along * ux, acrossY - along * uy, feature)
  setLeave(span, half, acrossX + along * ux, acrossY + along * uy, feature)
}

function exactRayCircle<T>(exact: ExactRay<T>, line: RayLine, body: Body, span: RaySpan): boolean {
  const { ring, dx, dy, square } = exact
  const { add, sub, mul } = ring
  const x = sub(exactX(ring, body, 0), exact.ox)
  const y = sub(exactY(ring, body, 0), exact.oy)
  const along = add(mul(dx, x), mul(dy, y))
  const cross = sub(mul(dx, y), mul(dy, x))
  const radius = exactRadius(ring, body)
  const radiusSquare = mul(mul(radius, radius), square)
  const discriminant = sub(radiusSquare, mul(cross, cross))
  if (ring.sign(discriminant) < 0) return false
  const one = ring.integer(1)
  const minusOne = ring.integer(-1)
  if (signOfRootSum(ring, along, one, discriminant) < 0) return false
  const inside = signOfRootSum(ring, along, minusOne, discriminant) <= 0
  if (!inside && signPastEnd(exact, along, minusOne, discriminant) > 0) return false
  const exits = signPastEnd(exact, along, one, discriminant) <= 0
  const share = body.numbers[RADIUS] > 0 ? ring.ratio(discriminant, radiusSquare) : 0
  setChord(line, body, span, body.numbers[RADIUS] * Math.sqrt(share))
  return settleExactly(span, inside, exits)
}

// Ray against ellipse: the affine map that makes the ellipse a circle.
//
// Method: dividing the axes by rx and ry maps lines to lines and keeps the ray's parameter; what is left is the ray against
// the unit circle (`rayCircle`). Here the map is applied to the ray's frame instead of to points, so a far origin costs
// no digits: `width` is the half width of the ellipse across the ray, and the line meets it when |side| ≤ width.
// Exact (unrotated ellipses): x times ry and y times rx makes it a circle of radius rx·ry. Lengths along the ray are
// compared in the unscaled metric. A rotated ellipse's axes are rounded already; its signs are those of rounded numbers.

function rayEllipse(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { numbers } = body
  const rx = numbers[RX]
  const ry = numbers[RY]
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const { side, maxDistance } = line
  const ux = cos * line.ux + sin * line.uy
  const uy = cos * line.uy - sin * line.ux
  const size = Math.max(rx, ry)
  const a = Math.max(rx / size, LEAST_AXIS_RATIO)
  const b = Math.max(ry / size, LEAST_AXIS_RATIO)
  const g = vectorLength(ux * b, uy * a)
  const width = size * g
  const h = Math.abs(side)
  const unrotated = sin === 0 && cos === 1
  const error = 16 * UNIT_ROUNDOFF * (unrotated ? width : size) + 8 * UNIT_ROUNDOFF * h + line.floor
  if (h - width > error) return false
  circle.a = a
  circle.b = b
  circle.ux = (ux * b) / g
  circle.uy = (uy * a) / g
  circle.side = side / width
  circle.middle = side * ((ux * (a - b)) / g) * ((uy * (a + b)) / g)
  circle.longest = (b / g) * a * size
  const depth = Math.max(width - h, 0)
  const chord = Math.sqrt(depth / width) * Math.sqrt((width + h) / width)
  const slack = (4 * circle.longest * (error / width)) / chord + 32 * UNIT_ROUNDOFF * size
  if (depth > 2 * error && slack <= RAY_POINT_RATIO * size) {
    setEllipseChord(line, body, span, chord)
    const verdict = settleSpan(line, span, slack, slack, size)
    if (verdict !== UNSURE) return verdict === HIT
  }
  if (unrotated) {
    const exactChord = exactRay(ray, body, [rx, ry], 20, (exact) => exactRayEllipse(exact, body, span))
    if (exactChord >= 0) setEllipseChord(line, body, span, exactChord)
    return exactChord >= 0
  }
  setEllipseChord(line, body, span, chord)
  const enter = line.along + span.enter
  const leave = line.along + span.leave
  if (h > width || leave < 0 || enter > maxDistance) return false
  return settleExactly(span, enter <= 0, leave <= maxDistance)
}

/** The ray in the plane where the ellipse is the unit circle; module scratch. */
const circle = {
  /** Half axes over the larger one. */
  a: 1,
  b: 1,
  /** Direction and side of the ray there. */
  ux: 1,
  uy: 0,
  side: 0,
  /** World distance from the centre's foot to the middle of the chord. */
  middle: 0,
  /** Half the world length of the longest chord along the ray: the one through the centre. */
  longest: 1,
}

/** Ends and normals of the chord; `chord` is its half length in the plane where the ellipse is the unit circle. */
function setEllipseChord(line: RayLine, body: Body, span: RaySpan, chord: number): void {
  const { numbers } = body
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const { a, b, ux, uy, side, middle, longest } = circle
  for (let end = -1; end <= 1; end += 2) {
    const x = (end * chord * ux + side * uy) * b
    const y = (end * chord * uy - side * ux) * a
    const length = vectorLength(x, y)
    const nx = length > 0 ? (cos * x - sin * y) / length : end * line.ux
    const ny = length > 0 ? (sin * x + cos * y) / length : end * line.uy
    const at = middle + end * chord * longest
    if (end < 0) setEnter(span, at, nx, ny, SURFACE_FEATURE)
    else setLeave(span, at, nx, ny, SURFACE_FEATURE)
  }
}

/** Settles the span's signs. Returns the half chord in the unit circle; −1 when the ray misses. */
function exactRayEllipse<T>(exact: ExactRay<T>, body: Body, span: RaySpan): number {
  const { ring, square, maxDistance } = exact
  const { of, integer, add, sub, mul } = ring
  const rx = of(body.numbers[RX])
  const ry = of(body.numbers[RY])
  const x = mul(sub(positionX(ring, body), exact.ox), ry)
  const y = mul(sub(positionY(ring, body), exact.oy), rx)
  const dx = mul(exact.dx, ry)
  const dy = mul(exact.dy, rx)
  const norm = add(mul(dx, dx), mul(dy, dy))
  const along = add(mul(dx, x), mul(dy, y))
  const cross = sub(mul(dx, y), mul(dy, x))
  const radius = mul(rx, ry)
  const radiusSquare = mul(mul(radius, radius), norm)
  const discriminant = sub(radiusSquare, mul(cross, cross))
  if (ring.sign(discriminant) < 0) return -1
  const one = integer(1)
  const minusOne = integer(-1)
  if (signOfRootSum(ring, along, one, discriminant) < 0) return -1
  const inside = signOfRootSum(ring, along, minusOne, discriminant) <= 0
  let exits = true
  if (maxDistance !== null) {
    // t·|d| − maxDistance with t = (along ∓ √discriminant)/norm and |d| = √square.
    const limit = sub(integer(0), mul(maxDistance, norm))
    const root = mul(discriminant, square)
    if (!inside && signOfTwoRootSum(ring, limit, along, square, minusOne, root) > 0) return -1
    exits = signOfTwoRootSum(ring, limit, along, square, one, root) <= 0
  }
  settleExactly(span, inside, exits)
  return Math.sqrt(ring.ratio(discriminant, radiusSquare))
}

// Ray against half-plane.
//
// Method: C. Ericson, "Real-Time Collision Detection", 5.3.1. The half-plane is n·x ≤ offset·|n| with n as given, of any
// length, so its boundary is irrational in general: signs that rounding leaves open are those of sums with √(n·n) and
// √(d·d). A half-plane is never left by a ray that enters it.

const BOUNDARY = edgeFeature(0)

function rayHalfplane(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { ux, uy, along, maxDistance, floor } = line
  const { numbers } = body
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const offset = numbers[OFFSET]
  const px = body.numbers[X] - ray.ox + body.numbers[X_LOW]
  const py = body.numbers[Y] - ray.oy + body.numbers[Y_LOW]
  const height = -(unitX * px + unitY * py) - offset
  const error = 16 * UNIT_ROUNDOFF * (Math.abs(px) + Math.abs(py) + Math.abs(offset)) + floor
  const slope = unitX * ux + unitY * uy
  setEnter(span, -Infinity, unitX, unitY, BOUNDARY)
  setLeave(span, Infinity, unitX, unitY, BOUNDARY)
  if (Math.abs(height) > error && Math.abs(slope) > RAY_PARALLEL_RATIO) {
    if (height > 0 && slope > 0) return false
    const at = -height / slope
    const slack = (error + 16 * UNIT_ROUNDOFF * Math.abs(at)) / Math.abs(slope)
    if (slope < 0) span.enter = at - along
    else span.leave = at - along
    const verdict =
      slack > RAY_POINT_RATIO * Math.abs(at)
        ? UNSURE
        : slope < 0
          ? settleDistances(span, at, slack, Infinity, 0, maxDistance)
          : settleDistances(span, -Infinity, 0, at, slack, maxDistance)
    if (slope < 0) span.exits = false
    if (verdict !== UNSURE) return verdict === HIT
  }
  const scale = normalScale(
    body.numbers[NORMAL_X],
    body.numbers[NORMAL_Y],
    Math.max(Math.abs(px), Math.abs(py), Math.abs(offset)),
  )
  const nx = body.numbers[NORMAL_X] * scale
  const ny = body.numbers[NORMAL_Y] * scale
  return exactRay(ray, body, [offset, nx, ny], 12, (exact) => exactRayHalfplane(exact, line, body, nx, ny, span))
}

/** Power of two by which (x, y) comes near `magnitude` without losing a bit; 1 where there is none. */
function normalScale(x: number, y: number, magnitude: number): number {
  if (magnitude === 0) return 1
  const scale = 2 ** (binaryExponent(magnitude) - binaryExponent(Math.max(Math.abs(x), Math.abs(y))))
  return Number.isFinite(scale) && (x * scale) / scale === x && (y * scale) / scale === y ? scale : 1
}

function exactRayHalfplane<T>(
  exact: ExactRay<T>,
  line: RayLine,
  body: Body,
  nx: number,
  ny: number,
  span: RaySpan,
): boolean {
  const { ring, dx, dy, square, maxDistance } = exact
  const { of, add, sub, mul } = ring
  const x = of(nx)
  const y = of(ny)
  const norm = add(mul(x, x), mul(y, y))
  // Height of the origin times |n|: rational + root·√norm.
  const rational = add(mul(x, sub(exact.ox, positionX(ring, body))), mul(y, sub(exact.oy, positionY(ring, body))))
  const root = sub(ring.integer(0), of(body.numbers[OFFSET]))
  const height = signOfRootSum(ring, rational, root, norm)
  const slope = add(mul(x, dx), mul(y, dy))
  const slopeSign = ring.sign(slope)
  const inside = height <= 0
  if (!inside && slopeSign >= 0) return false
  let exits = inside && slopeSign > 0
  if (slopeSign === 0) return settleExactly(span, inside, exits)
  if (maxDistance !== null) {
    // t·|d| − maxDistance with t = −(rational + root·√norm)/slope, times the positive |slope|.
    const limit = mul(maxDistance, slope)
    const beyond = -slopeSign * signOfTwoRootSum(ring, limit, rational, square, root, mul(norm, square))
    if (!inside && beyond > 0) return false
    exits = exits && beyond <= 0
  }
  const at = -boundaryParameter(ring, rational, root, x, y, slope) * exact.length - line.along
  if (inside) span.leave = at
  else span.enter = at
  return settleExactly(span, inside, exits)
}

/** (a + b·|(x, y)|)/slope, free of cancellation. */
function boundaryParameter<T>(ring: Ring<T>, a: T, b: T, x: T, y: T, slope: T): number {
  const { add, sub, mul } = ring
  const steep = ring.sign(sub(mul(x, x), mul(y, y))) < 0
  const larger = steep ? y : x
  const smaller = steep ? x : y
  const rational = ring.ratio(a, slope)
  const share = ring.ratio(smaller, larger)
  const root = ring.sign(larger) * ring.ratio(mul(b, larger), slope) * Math.sqrt(1 + share * share)
  if (rational === 0 || rational > 0 === root > 0) return rational + root
  // (a² − b²p)/(a − b√p), divided by the slope.
  const rest = sub(mul(a, a), mul(mul(b, b), add(mul(x, x), mul(y, y))))
  return ring.ratio(rest, mul(a, slope)) / (1 - root / rational)
}
