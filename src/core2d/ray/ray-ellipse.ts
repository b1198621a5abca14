/**
 * Ray against ellipse: the affine map that makes the ellipse a circle.
 *
 * Method: dividing the axes by rx and ry maps lines to lines and keeps the ray's parameter; what is left is the ray against
 * the unit circle (`ray-circle.ts`). Here the map is applied to the ray's frame instead of to points, so a far origin costs
 * no digits: `width` is the half width of the ellipse across the ray, and the line meets it when |side| ≤ width.
 * Exact (unrotated ellipses): x times ry and y times rx makes it a circle of radius rx·ry. Lengths along the ray are
 * compared in the unscaled metric. A rotated ellipse's axes are rounded already; its signs are those of rounded numbers.
 */

import { signOfRootSum, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { SURFACE_FEATURE } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import { positionX, positionY } from '../shape/exact-points.ts'
import { LEAST_AXIS_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'
import { type ExactRay, exactRay } from './ray-exact.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { HIT, type RaySpan, setEnter, setLeave, settleExactly, settleSpan, UNSURE } from './ray-span.ts'

export function rayEllipse(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { rx, ry, cos, sin } = body
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
    setChord(line, body, span, chord)
    const verdict = settleSpan(line, span, slack, slack, size)
    if (verdict !== UNSURE) return verdict === HIT
  }
  if (unrotated) {
    const exactChord = exactRay(ray, body, [rx, ry], 20, (exact) => exactRayEllipse(exact, body, span))
    if (exactChord >= 0) setChord(line, body, span, exactChord)
    return exactChord >= 0
  }
  setChord(line, body, span, chord)
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
function setChord(line: RayLine, body: Body, span: RaySpan, chord: number): void {
  const { cos, sin } = body
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
  const rx = of(body.rx)
  const ry = of(body.ry)
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
