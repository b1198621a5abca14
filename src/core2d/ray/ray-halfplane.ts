/**
 * Ray against half-plane.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 5.3.1. The half-plane is n·x ≤ offset·|n| with n as given, of any
 * length, so its boundary is irrational in general: signs that rounding leaves open are those of sums with √(n·n) and
 * √(d·d). A half-plane is never left by a ray that enters it.
 */

import { binaryExponent, type Ring, signOfRootSum, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { edgeFeature } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import { positionX, positionY } from '../shape/exact-points.ts'
import { RAY_PARALLEL_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'
import { type ExactRay, exactRay } from './ray-exact.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { HIT, type RaySpan, setEnter, setLeave, settleDistances, settleExactly, UNSURE } from './ray-span.ts'

const BOUNDARY = edgeFeature(0)

export function rayHalfplane(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { ux, uy, along, maxDistance, floor } = line
  const { unitX, unitY, offset } = body
  const px = body.x - ray.ox + body.xLow
  const py = body.y - ray.oy + body.yLow
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
  const scale = normalScale(body.normalX, body.normalY, Math.max(Math.abs(px), Math.abs(py), Math.abs(offset)))
  const nx = body.normalX * scale
  const ny = body.normalY * scale
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
  const root = sub(ring.integer(0), of(body.offset))
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
