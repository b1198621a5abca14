/**
 * Ray against circle or point.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 5.3.2, with the discriminant as (r − h)(r + h), h the distance of
 * the centre from the ray's line, which does not cancel for far origins or grazing rays the way b² − 4ac does.
 * Exact: D = r²Q − c² with Q = d·d and c = d × (centre − origin) decides whether the line meets the disc; its ends are
 * at (a ∓ √D)/√Q with a = d·(centre − origin), compared with 0 and the ray's length as signs of root sums.
 */

import { signOfRootSum } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import type { Body } from '../shape/body.ts'
import { exactRadius, exactX, exactY } from '../shape/exact-points.ts'
import { RAY_POINT_RATIO } from '../tolerances.ts'
import { type ExactRay, exactRay, signPastEnd } from './ray-exact.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { HIT, type RaySpan, setEnter, setLeave, settleExactly, settleSpan, UNSURE } from './ray-span.ts'

export function rayCircle(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { radius } = body
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
  const share = body.radius > 0 ? ring.ratio(discriminant, radiusSquare) : 0
  setChord(line, body, span, body.radius * Math.sqrt(share))
  return settleExactly(span, inside, exits)
}
