/**
 * Ray casts at convex bodies: whether, where and how a ray meets one, and where it leaves it.
 *
 * The ray is the closed set of points up to `maxDistance` from its origin along its direction; bodies are closed too, so that
 * touching a vertex, an edge or a rim is a hit. Whether it hits, whether it starts inside and whether an end lies within `maxDistance` is
 * exact for the body as placed, of curved ones at an angle for their turn as rounded; see `exact-ray.ts`. Lengths and points are rounded.
 * Frame: world, in and out. Cost O(faces), no allocation unless rounding leaves a sign open.
 */

import { signOfRootSum } from '../../numeric/exact-ring.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import { UNDERFLOW_LENGTH, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, scaleBy, vectorLength3d } from '../../numeric/safe-range.ts'
import type { FeatureKind } from '../feature.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  CONE,
  type ConvexKind,
  type CoreSurface,
  CYLINDER,
  createBody,
  ELLIPSOID,
  HALFSPACE,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  setPose,
  UNIT,
} from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { exactSurface, faceLike, surfaceOf } from '../shape/core-surface.ts'
import { dot, exactTriple } from '../shape/exact-points.ts'
import { setPoint } from '../shape/shapes.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import { type Crossing, exactRay, exactRayHull, setCrossing, signPastEnd } from './exact-ray.ts'
import { rayBox, rayHull } from './ray-hull.ts'
import {
  aim,
  createRayLine,
  createRaySpan,
  HIT,
  MISS,
  type Ray,
  type RayLine,
  type RaySpan,
  type SpanEnd,
  setFeature,
  setNormal,
  setPlace,
  settle,
  UNSURE,
  type Verdict,
} from './ray-line.ts'
import { exactRayQuadric, rayEllipsoid, rayTurned } from './ray-quadric.ts'
import { exactRayRounded, rayRounded } from './ray-rounded.ts'

const line = createRayLine()
const span = createRaySpan()
const origin = createBody()
const point = { x: 0, y: 0, z: 0 }

/** Fills `out` and returns true when the ray hits. `out` is left as it was on a miss. */
export function rayConvex(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
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
  if (body.kind !== HALFSPACE && passesFar(ray, body)) return false
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
  out.leaf = 0
  out.hasExit = exits && scaled(exitDistance, exponent) < Infinity
  if (out.hasExit) {
    out.exitDistance = scaled(exitDistance, exponent)
    placeOnRay(ray, body, leave, exitDistance, exponent)
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
  placeOnRay(ray, body, end, distance, exponent)
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
function placeOnRay(ray: Ray, { numbers }: Body, { at }: SpanEnd, distance: number, exponent: number): void {
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

/** value · 2^exponent; the largest double where that is beyond all doubles, by rounding. */
function withinDoubles(value: number, exponent: number): number {
  return exponent === 0 && Math.abs(value) < Infinity
    ? value
    : Math.max(Math.min(scaled(value, exponent), Number.MAX_VALUE), -Number.MAX_VALUE)
}

// The answer of a ray cast. Frame: world.

/**
 * How a body counts that contains the origin, boundary included: a hit at distance 0 without a normal, no hit, or a
 * hit where the ray leaves it (none when that lies beyond maxDistance or never comes).
 */
export type StartInside = 'hit' | 'ignore' | 'exit'

export interface RayHit {
  /** World length from the origin. */
  distance: number
  /** Point = origin + fraction · direction; the largest double where that is beyond all doubles. */
  fraction: number
  x: number
  y: number
  z: number
  /** False where the origin is inside and counts as the hit. */
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
  /** The feature that is hit; null where the origin is inside and counts as the hit. Skins count to what they surround. */
  feature: FeatureKind | null
  /** The core points of a vertex or edge, the face of the core's surface; −1 for none: see `featureVertices`. */
  first: number
  second: number
  face: number
  /** The leaf of a composite body that the feature is of (`shape/composite.ts`); 0 of a convex body. */
  leaf: number
  startedInside: boolean
  /** Whether the ray leaves the body within maxDistance, and where. */
  hasExit: boolean
  exitDistance: number
  exitX: number
  exitY: number
  exitZ: number
  exitNx: number
  exitNy: number
  exitNz: number
}

export function createRayHit(): RayHit {
  return {
    distance: 0,
    fraction: 0,
    x: 0,
    y: 0,
    z: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    nz: 0,
    feature: null,
    first: -1,
    second: -1,
    face: -1,
    leaf: 0,
    startedInside: false,
    hasExit: false,
    exitDistance: 0,
    exitX: 0,
    exitY: 0,
    exitZ: 0,
    exitNx: 0,
    exitNy: 0,
    exitNz: 0,
  }
}

/** `featureVertices` of a convex body. */
export function convexFeatureVertices(body: Body, { first, second, face }: RayHit): number[] {
  const { names } = body
  if (face >= 0) {
    const { starts, corners } = surfaceOf(body)
    const around: number[] = []
    for (let c = starts[face]; c < starts[face + 1]; c++) around.push(names[corners[c]])
    return around
  }
  if (first < 0) return []
  return second < 0 ? [names[first]] : [names[first], names[second]]
}

// Ray against a convex body of whatever kind: what is far is seen to be so, the rest goes to the function of its kind, and to the exact
// one where rounding leaves it open. A new kind is a row of the table. Frame: as in `ray-line.ts`.

interface RayFunctions {
  /** The verdict of rounded arithmetic; it fills the span of a hit. */
  rounded(line: RayLine, ray: Ray, body: Body, span: RaySpan): Verdict
  /** Whether the ray meets the body, exactly; it fills the span then. */
  exact(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean
}

const RAYS: { readonly [K in ConvexKind]: RayFunctions } = {
  [POINTS]: { rounded: rayPoints, exact: exactRayPoints },
  [CYLINDER]: { rounded: (line, _, body, span) => rayTurned(line, body, span), exact: exactRayQuadric },
  [CONE]: { rounded: (line, _, body, span) => rayTurned(line, body, span), exact: exactRayQuadric },
  [ELLIPSOID]: { rounded: (line, _, body, span) => rayEllipsoid(line, body, span), exact: exactRayQuadric },
  [HALFSPACE]: { rounded: rayHalfspace, exact: (_, ray, body, span) => exactRayHalfspace(ray, body, span) },
}

/** The part of the ray's line that lies in the body; false when the ray misses it. */
function meets(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.kind !== HALFSPACE && isFar(line, body)) return false
  const { rounded, exact } = RAYS[body.kind as ConvexKind]
  const verdict = rounded(line, ray, body, span)
  return verdict === UNSURE ? exact(line, ray, body, span) : verdict === HIT
}

/**
 * Whether the ray's line passes the ball about the body's middle for certain, as plain doubles tell, before the line is known to
 * twice the digits. The way w from the origin to the middle is off by less than 4 u·S, S the sum of all coordinates, and w × d by
 * less than 8 u·S·|d| more.
 */
function passesFar({ ox, oy, oz, dx, dy, dz }: Ray, { numbers }: Body): boolean {
  const square = dx * dx + dy * dy + dz * dz
  if (!(square > 1 / FARTHEST_SQUARE && square < FARTHEST_SQUARE)) return false
  const x = numbers[POSITION] + numbers[ANCHOR] + numbers[CENTER] - ox
  const y = numbers[POSITION + 1] + numbers[ANCHOR + 1] + numbers[CENTER + 1] - oy
  const z = numbers[POSITION + 2] + numbers[ANCHOR + 2] + numbers[CENTER + 2] - oz
  const coordinates =
    sizeOf(numbers, POSITION) +
    sizeOf(numbers, ANCHOR) +
    sizeOf(numbers, CENTER) +
    Math.abs(ox) +
    Math.abs(oy) +
    Math.abs(oz)
  const cx = y * dz - z * dy
  const cy = z * dx - x * dz
  const cz = x * dy - y * dx
  const reach = numbers[REACH] * (1 + 512 * UNIT_ROUNDOFF) + 64 * UNIT_ROUNDOFF * coordinates + UNDERFLOW_LENGTH
  return cx * cx + cy * cy + cz * cz > reach * reach * square * (1 + 16 * UNIT_ROUNDOFF)
}

/** Directions between this and its inverse, squared, leave products with lengths in range. */
const FARTHEST_SQUARE = 2 ** 128

function sizeOf(numbers: Float64Array, at: number): number {
  return Math.abs(numbers[at]) + Math.abs(numbers[at + 1]) + Math.abs(numbers[at + 2])
}

/** Whether the ray passes the ball about the body's middle, or ends before it, or begins behind, for certain. */
function isFar(line: RayLine, { numbers }: Body): boolean {
  const { qx, qy, qz, ux, uy, uz, along } = line
  const cx = numbers[CENTER]
  const cy = numbers[CENTER + 1]
  const cz = numbers[CENTER + 2]
  const ahead = cx * ux + cy * uy + cz * uz
  const x = cx - ahead * ux - qx
  const y = cy - ahead * uy - qy
  const z = cz - ahead * uz - qz
  const foot = Math.abs(qx) + Math.abs(qy) + Math.abs(qz)
  const reach = numbers[REACH] + 4 * line.error + 16 * UNIT_ROUNDOFF * foot
  if (x * x + y * y + z * z > reach * reach * (1 + 8 * UNIT_ROUNDOFF)) return true
  const middle = along + ahead
  const end = reach + 8 * UNIT_ROUNDOFF * Math.abs(along)
  return middle < -end || middle - end > line.maxDistance
}

function rayPoints(line: RayLine, _: Ray, body: Body, span: RaySpan): Verdict {
  if (body.count === 1) return raySphere(line, body, span)
  if (body.numbers[RADIUS] > 0 || body.count === 2) return rayRounded(line, body, span)
  return body.isBox ? rayBox(line, body, span) : rayHull(line, body, span)
}

function exactRayPoints(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.count < 3) return exactRayRounded(line, ray, body, null, span)
  const surface = exactSurface(body)
  const isBare = body.numbers[RADIUS] === 0 && surface.dimension > 1
  const found = isBare ? exactRayHull(line, ray, body, surface, span) : exactRayRounded(line, ray, body, surface, span)
  if (found && surface !== body.surface) {
    nameGiven(body, surface, span.enter)
    nameGiven(body, surface, span.leave)
  }
  return found
}

/** The face as it was before a turn rounded its corners. */
function nameGiven(body: Body, surface: CoreSurface, end: SpanEnd): void {
  if (end.face >= 0) end.face = faceLike(surfaceOf(body), surface, end.face)
}

// Ray against sphere or point.
//
// Method: C. Ericson, "Real-Time Collision Detection", 2005, 5.3.2, with the discriminant as (r − h)(r + h), h the distance of the
// centre from the ray's line, which does not cancel for far origins or grazing rays the way b² − 4ac does.

function raySphere(line: RayLine, { numbers }: Body, span: RaySpan): Verdict {
  const { ux, uy, uz, qx, qy, qz } = line
  const radius = numbers[RADIUS]
  const h = Math.sqrt(qx * qx + qy * qy + qz * qz)
  const error = 16 * UNIT_ROUNDOFF * h + line.floor
  const depth = radius - h
  if (depth < -error) return MISS
  if (depth <= 2 * error) return UNSURE
  const half = Math.sqrt(depth * (radius + h))
  const slack = (2 * error * (radius + h)) / half
  const { enter, leave } = span
  setPlace(enter, -half, slack)
  setPlace(leave, half, slack)
  setNormal(enter, (qx - half * ux) / radius, (qy - half * uy) / radius, (qz - half * uz) / radius)
  setNormal(leave, (qx + half * ux) / radius, (qy + half * uy) / radius, (qz + half * uz) / radius)
  setFeature(enter, -1, -1)
  setFeature(leave, -1, -1)
  return settle(line, span, radius)
}

// Ray against half-space.
//
// Method: the ray is inside for good or leaves where the height over the boundary, n·(origin − position) − offset·|n|, comes to 0. The
// height is summed to twice the digits; its sign, and what lies within rounding of the end of the ray, `exactRayHalfspace` decides.

function rayHalfspace(line: RayLine, ray: Ray, { numbers }: Body, span: RaySpan): Verdict {
  const { ux, uy, uz, along, maxDistance } = line
  const nx = numbers[UNIT]
  const ny = numbers[UNIT + 1]
  const nz = numbers[UNIT + 2]
  const x = ray.ox - numbers[POSITION]
  const y = ray.oy - numbers[POSITION + 1]
  const z = ray.oz - numbers[POSITION + 2]
  const length = vectorLength3d(numbers[NORMAL], numbers[NORMAL + 1], numbers[NORMAL + 2])
  const height = heightOf(ray, numbers) / length - numbers[OFFSET]
  const slope = nx * ux + ny * uy + nz * uz
  const error =
    16 * UNIT_ROUNDOFF * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(numbers[OFFSET])) + UNDERFLOW_LENGTH
  setFeature(span.enter, -1, -1)
  setFeature(span.leave, -1, -1)
  setNormal(span.enter, nx, ny, nz)
  setNormal(span.leave, nx, ny, nz)
  setPlace(span.enter, -Infinity, 0)
  setPlace(span.leave, Infinity, 0)
  if (Math.abs(height) <= error) return UNSURE
  span.inside = height < 0
  if (height < 0 !== slope > 0) {
    // Away from the boundary, unless by rounding alone.
    if (Math.abs(slope) <= RAY_PARALLEL_RATIO) return UNSURE
    span.exits = false
    return height < 0 ? HIT : MISS
  }
  if (Math.abs(slope) <= RAY_PARALLEL_RATIO) return UNSURE
  const at = -height / slope
  const slack = error / Math.abs(slope) + (16 * UNIT_ROUNDOFF * at) / Math.abs(slope)
  if (Math.abs(at - maxDistance) <= slack) return UNSURE
  if (at < maxDistance) setPlace(height < 0 ? span.leave : span.enter, at - along, slack)
  else if (height > 0) return MISS
  span.exits = height < 0 && at < maxDistance
  return HIT
}

/** n·(origin − position), summed to twice the digits. */
function heightOf(ray: Ray, numbers: Float64Array): number {
  let sum = 0
  let rest = 0
  for (let k = 0; k < 3; k++) {
    const origin = k === 0 ? ray.ox : k === 1 ? ray.oy : ray.oz
    const way = origin - numbers[POSITION + k]
    const wayLow = sumError(origin, -numbers[POSITION + k], way)
    const n = numbers[NORMAL + k]
    const product = n * way
    const next = sum + product
    rest += sumError(sum, product, next) + (productError(n, way, product) + n * wayLow)
    sum = next
  }
  return sum + rest
}

// Exact ray against half-space: n·(origin − position + t·d) ≤ offset·|n|, n the normal as given.

const DEGREE = 16

function exactRayHalfspace(ray: Ray, body: Body, span: RaySpan): boolean {
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
