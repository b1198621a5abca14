/**
 * Ray casts: whether, where and how a ray meets a body, and where it leaves it.
 *
 * What: the ray is the closed set of points up to `maxDistance` from its origin along its direction; bodies are closed too, so that
 * touching a vertex, an edge or a rim is a hit. Whether it hits, whether it starts inside and whether an end lies within `maxDistance` is
 * exact for the body as placed, of curved ones at an angle for their turn as rounded; see `exact-ray.ts`. Lengths and points are rounded.
 * Frame: world, in and out. Cost O(faces), no allocation unless rounding leaves a sign open.
 */

import { isSafeExtent, scaleBy } from '../../numeric/safe-range.ts'
import type { FeatureKind } from '../feature.ts'
import { ANCHOR, type Body, createBody, HALFSPACE, POSITION, REACH } from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { setPose } from '../shape/pose.ts'
import { setPoint } from '../shape/shapes.ts'
import { meets } from './ray-convex.ts'
import type { RayHit, StartInside } from './ray-hit.ts'
import { aim, createRayLine, type Ray, type RayLine } from './ray-line.ts'
import { createRaySpan, type SpanEnd } from './ray-span.ts'

export { createRay, type Ray } from './ray-line.ts'

const line = createRayLine()
const span = createRaySpan()
const origin = createBody()
const point = { x: 0, y: 0, z: 0 }

/** Fills `out` and returns true when the ray hits. `out` is left as it was on a miss. */
export function rayCast(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  const extent = extentOf(ray, body)
  if (!isSafeExtent(extent)) {
    const exponent = exponentBetween(ray, body, extent)
    if (exponent !== 0) return castScaled(ray, body, exponent, startInside, out)
  }
  return castAsGiven(ray, body, 0, startInside, out)
}

function extentOf({ ox, oy, oz }: Ray, { numbers }: Body): number {
  return (
    Math.abs(numbers[POSITION] - ox) +
    Math.abs(numbers[POSITION + 1] - oy) +
    Math.abs(numbers[POSITION + 2] - oz) +
    Math.abs(numbers[ANCHOR]) +
    Math.abs(numbers[ANCHOR + 1]) +
    Math.abs(numbers[ANCHOR + 2]) +
    numbers[REACH]
  )
}

/** Exponent of the power of two that the ray and the body are to be divided by. */
function exponentBetween(ray: Ray, body: Body, extent: number): number {
  setPose(origin, { position: [ray.ox, ray.oy, ray.oz] })
  setPoint(origin)
  const exponent = pairExponent({ first: origin, second: body, extent })
  // A limit that would lose digits is kept.
  const { maxDistance } = ray
  return scaleBy(scaleBy(maxDistance, -exponent), exponent) === maxDistance ? exponent : 0
}

/** Casts at the body divided by 2^exponent. */
function castScaled(ray: Ray, body: Body, exponent: number, startInside: StartInside, out: RayHit): boolean {
  const smaller: Ray = {
    ...ray,
    ox: scaleBy(ray.ox, -exponent),
    oy: scaleBy(ray.oy, -exponent),
    oz: scaleBy(ray.oz, -exponent),
    exponent: ray.exponent - exponent,
    maxDistance: scaleBy(ray.maxDistance, -exponent),
  }
  return castAsGiven(smaller, scaleBody(body, exponent), exponent, startInside, out)
}

/** Lengths and points of the answer are multiplied by 2^exponent. */
function castAsGiven(ray: Ray, body: Body, exponent: number, startInside: StartInside, out: RayHit): boolean {
  aim(line, ray, body)
  if (!meets(line, ray, body, span)) return false
  const { inside, exits, enter, leave } = span
  if (inside && (startInside === 'ignore' || (startInside === 'exit' && !exits))) return false
  const leaving = inside && startInside === 'exit'
  const end = leaving ? leave : enter
  // The signs are settled: rounding of the lengths must not contradict them.
  const distance = inside && !leaving ? 0 : distanceOf(line, end)
  const exitDistance = exits ? Math.max(distanceOf(line, leave), distance) : 0
  // Nearly parallel to a boundary, the meeting point can lie beyond the largest double: no ray reaches that far.
  if (!(scaled(distance, exponent) < Infinity)) return false
  out.startedInside = inside
  out.hasExit = exits && scaled(exitDistance, exponent) < Infinity
  if (out.hasExit) {
    out.exitDistance = scaled(exitDistance, exponent)
    setPlace(ray, body, leave, exitDistance, exponent)
    out.exitX = point.x
    out.exitY = point.y
    out.exitZ = point.z
    out.exitNx = leave.nx + 0
    out.exitNy = leave.ny + 0
    out.exitNz = leave.nz + 0
  }
  out.hasNormal = leaving || !inside
  out.distance = scaled(distance, exponent)
  out.fraction = fractionOf(distance)
  if (!out.hasNormal) {
    out.x = scaled(ray.ox, exponent)
    out.y = scaled(ray.oy, exponent)
    out.z = scaled(ray.oz, exponent)
    out.nx = 0
    out.ny = 0
    out.nz = 0
    out.feature = null
    out.first = -1
    out.second = -1
    out.face = -1
    return true
  }
  setPlace(ray, body, end, distance, exponent)
  out.x = point.x
  out.y = point.y
  out.z = point.z
  // Adding 0 turns -0 into 0.
  out.nx = end.nx + 0
  out.ny = end.ny + 0
  out.nz = end.nz + 0
  out.feature = kindOfFeature(body, end)
  out.first = end.first
  out.second = end.second
  out.face = end.face
  return true
}

/** The one face of a half-space has no vertices to name it by. */
function kindOfFeature({ kind }: Body, { first, second, face }: SpanEnd): FeatureKind {
  if (face >= 0 || kind === HALFSPACE) return 'face'
  return first < 0 ? 'surface' : second < 0 ? 'vertex' : 'edge'
}

function distanceOf({ along, maxDistance }: RayLine, { at }: SpanEnd): number {
  return Math.min(Math.max(along + at, 0), maxDistance)
}

/** The largest double where it is beyond all doubles. */
function fractionOf(distance: number): number {
  return Math.min(scaled(distance / line.length, -line.exponent), Number.MAX_VALUE)
}

/** Sets `point` to where the ray is at that distance: reckoned from the origin or from the anchor, whichever is nearer. */
function setPlace(ray: Ray, { numbers }: Body, { at }: SpanEnd, distance: number, exponent: number): void {
  const { ux, uy, uz, qx, qy, qz } = line
  const fromOrigin = distance <= Math.abs(at) + Math.abs(qx) + Math.abs(qy) + Math.abs(qz)
  const x = numbers[POSITION] + numbers[ANCHOR]
  const y = numbers[POSITION + 1] + numbers[ANCHOR + 1]
  const z = numbers[POSITION + 2] + numbers[ANCHOR + 2]
  point.x = withinDoubles(fromOrigin || ux === 0 ? ray.ox + distance * ux : x + (qx + at * ux), exponent)
  point.y = withinDoubles(fromOrigin || uy === 0 ? ray.oy + distance * uy : y + (qy + at * uy), exponent)
  point.z = withinDoubles(fromOrigin || uz === 0 ? ray.oz + distance * uz : z + (qz + at * uz), exponent)
}

/** value · 2^exponent. */
function scaled(value: number, exponent: number): number {
  return exponent === 0 ? value : scaleBy(value, exponent)
}

/** The same; the largest double where that is beyond all doubles, by rounding. */
function withinDoubles(value: number, exponent: number): number {
  return exponent === 0 && Math.abs(value) < Infinity
    ? value
    : Math.max(Math.min(scaled(value, exponent), Number.MAX_VALUE), -Number.MAX_VALUE)
}
