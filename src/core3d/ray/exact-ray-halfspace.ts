/**
 * Exact ray against half-space: n·(origin − position + t·d) ≤ offset·|n|, n the normal as given.
 */

import { signOfRootSum } from '../../numeric/exact-ring.ts'
import { type Body, NORMAL, OFFSET, UNIT } from '../shape/body.ts'
import { dot, exactTriple } from '../shape/exact-points.ts'
import { type Crossing, exactRay, setCrossing, signPastEnd } from './exact-ray.ts'
import type { Ray } from './ray-line.ts'
import { type RaySpan, setFeature, setNormal, setPlace } from './ray-span.ts'

const DEGREE = 16

export function exactRayHalfspace(ray: Ray, body: Body, span: RaySpan): boolean {
  const { numbers } = body
  for (const end of [span.enter, span.leave]) {
    setFeature(end, -1, -1)
    setNormal(end, numbers[UNIT], numbers[UNIT + 1], numbers[UNIT + 2])
  }
  setPlace(span.enter, -Infinity, 0)
  setPlace(span.leave, Infinity, 0)
  return exactRay(ray, body, [], DEGREE, (exact) => {
    const { ring, origin, direction } = exact
    const { sub, integer, sign, of } = ring
    const zero = integer(0)
    const normal = exactTriple(ring, body, NORMAL)
    const height = dot(ring, normal, origin)
    const slope = dot(ring, normal, direction)
    const offset = of(numbers[OFFSET])
    const square = dot(ring, normal, normal)
    span.inside = signOfRootSum(ring, height, sub(zero, offset), square) <= 0
    span.exits = false
    const side = sign(slope)
    if (side === 0 || span.inside !== side > 0) return span.inside
    const crossing: Crossing<typeof zero> =
      side > 0
        ? { p: sub(zero, height), c: offset, d: square, w: slope }
        : { p: height, c: sub(zero, offset), d: square, w: sub(zero, slope) }
    const isPast = signPastEnd(exact, crossing) > 0
    if (!span.inside && isPast) return false
    span.exits = span.inside && !isPast
    if (!isPast) setCrossing(exact, span.inside ? span.leave : span.enter, crossing)
    return true
  })
}
