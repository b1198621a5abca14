/**
 * Ray casts: whether, where and how a ray meets a body, and where it leaves it.
 *
 * What: the ray is the closed set of points up to `maxDistance` from its origin along its direction; bodies are closed too,
 * so that touching a vertex, an edge or a rim is a hit. Whether it hits, whether it starts inside and whether an end lies
 * within `maxDistance` is exact for unrotated bodies (for the rotated vertices of rotated ones); see `ray-exact.ts`. Lengths
 * and points are rounded once (`ray-crossing.ts`).
 * Frame: world, in and out. Cost O(vertices), no allocation unless rounding leaves a sign open.
 */

import { isSafeExtent, scaleBy, scaleNumbers } from '../../numeric/safe-range.ts'
import { NO_FEATURE } from '../feature.ts'
import { type Body, COMPOSITE, createBody, setCircle, setPose } from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { rayComposite } from './ray-composite.ts'
import { meets } from './ray-convex.ts'
import { createRayPlace, setPlaces } from './ray-crossing.ts'
import type { RayHit, StartInside } from './ray-hit.ts'
import { aim, createRayLine, type Ray } from './ray-line.ts'
import { createRaySpan } from './ray-span.ts'

export { createRay, type Ray } from './ray-line.ts'

const line = createRayLine()
const span = createRaySpan()
const origin = createBody()
const entry = createRayPlace()
const leave = createRayPlace()

/** Fills `out` and returns true when the ray hits. `out` is left as it was on a miss. */
export function rayCast(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  const { x, y, anchorX, anchorY, reach } = body
  const extent = Math.abs(x - ray.ox) + Math.abs(y - ray.oy) + Math.abs(anchorX) + Math.abs(anchorY) + reach
  if (!isSafeExtent(extent)) {
    const exponent = exponentBetween(ray, body)
    if (exponent !== 0) return castScaled(ray, body, exponent, startInside, out)
  }
  return castAsGiven(ray, body, startInside, out)
}

/** Exponent of the power of two that the ray and the body are to be divided by. */
function exponentBetween(ray: Ray, body: Body): number {
  setPose(origin, ray.ox, ray.oy, 0)
  setCircle(origin, 0)
  const exponent = pairExponent(origin, body)
  // A limit that would lose digits is kept.
  const { maxDistance } = ray
  return scaleBy(scaleBy(maxDistance, -exponent), exponent) === maxDistance ? exponent : 0
}

/** Casts at the body divided by 2^exponent. */
function castScaled(ray: Ray, body: Body, exponent: number, startInside: StartInside, out: RayHit): boolean {
  const scaled: Ray = {
    ...ray,
    ox: scaleBy(ray.ox, -exponent),
    oy: scaleBy(ray.oy, -exponent),
    exponent: ray.exponent - exponent,
    maxDistance: scaleBy(ray.maxDistance, -exponent),
  }
  if (!castAsGiven(scaled, scaleBody(body, exponent), startInside, out)) return false
  scaleNumbers(out, ['distance', 'x', 'y'], exponent)
  if (out.hasExit) scaleNumbers(out, ['exitDistance', 'exitX', 'exitY'], exponent)
  return true
}

function castAsGiven(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  if (body.kind === COMPOSITE) return rayComposite(ray, body, startInside, out)
  aim(line, ray, body)
  if (!meets(line, ray, body, span)) return false
  const { inside, exits } = span
  if (inside && (startInside === 'ignore' || (startInside === 'exit' && !exits))) return false
  // The signs are settled: rounding of the lengths must not contradict them.
  setPlaces(ray, line, body, span, entry, leave)
  const leaving = inside && startInside === 'exit'
  // Nearly parallel to a boundary, the meeting point can lie beyond the largest double: no ray reaches that far.
  if ((leaving || !inside) && !((leaving ? leave : entry).distance < Infinity)) return false
  out.startedInside = inside
  out.part = 0
  out.hasExit = exits && leave.distance < Infinity
  if (out.hasExit) {
    if (!inside && leave.distance < entry.distance) leave.distance = entry.distance
    out.exitDistance = leave.distance
    out.exitX = leave.x
    out.exitY = leave.y
    out.exitNx = span.leaveNx + 0
    out.exitNy = span.leaveNy + 0
  }
  out.hasNormal = leaving || !inside
  if (inside && !leaving) {
    out.distance = 0
    out.fraction = 0
    out.x = ray.ox
    out.y = ray.oy
    out.nx = 0
    out.ny = 0
    out.feature = NO_FEATURE
  } else {
    const { distance, fraction, x, y } = leaving ? leave : entry
    out.distance = distance
    out.fraction = fraction
    out.x = x
    out.y = y
    // Adding 0 turns -0 into 0.
    out.nx = (leaving ? span.leaveNx : span.enterNx) + 0
    out.ny = (leaving ? span.leaveNy : span.enterNy) + 0
    out.feature = leaving ? span.leaveFeature : span.enterFeature
  }
  return true
}
