/**
 * Exact hit or miss of a ray against one unrotated body, convex or not, with the ray's length limit in world units
 * (its end point is irrational in general), and the exact hit distance for unrounded hulls and circles.
 */

import type { RayDefinition } from '../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import {
  commonGrid,
  cross,
  dot,
  type Ellipse,
  type ExactBody,
  type Halfplane,
  type Point,
  type RoundedHull,
  subtract,
} from './exact-bodies.ts'
import {
  abs,
  gridFor,
  integerSqrt,
  leastOf,
  type Ratio,
  ROOT_BITS,
  rootOfRatio,
  signOfRadical,
  signOfTwoRadicals,
  toDouble,
  toGrid,
} from './exact-numbers.ts'
import { exactParts, pointInRings } from './exact-parts.ts'
import { signedDistanceToOrigin } from './exact-relation.ts'

export interface ExactRayAnswer {
  hit: boolean
  startedInside: boolean
  /** Rounded exact distance, or null where this oracle gives none (rounded hulls, ellipses, half-planes). */
  distance: number | null
}

interface ExactRay {
  origin: Point
  /** On its own grid: only the direction counts. */
  direction: Point
  length2: bigint
  /** World length, null when unlimited. */
  limit: bigint | null
}

const ORIGIN: Point = { x: 0n, y: 0n }
const MISS: ExactRayAnswer = { hit: false, startedInside: false, distance: null }
const INSIDE: ExactRayAnswer = { hit: true, startedInside: true, distance: 0 }

/** Of a composite body the nearest of its leaves, unless the origin lies in it. */
export function exactRayCast(ray: RayDefinition, target: Body2d): ExactRayAnswer {
  const limit = ray.maxDistance ?? null
  const grid = commonGrid([target], [ray.origin.x, ray.origin.y, limit ?? 0])
  const directionGrid = gridFor([ray.direction.x, ray.direction.y])
  const direction = { x: toGrid(directionGrid, ray.direction.x), y: toGrid(directionGrid, ray.direction.y) }
  const exactRay: ExactRay = {
    origin: { x: toGrid(grid, ray.origin.x), y: toGrid(grid, ray.origin.y) },
    direction,
    length2: dot(direction, direction),
    limit: limit === null ? null : toGrid(grid, limit),
  }
  const { leaves, regions } = exactParts(grid, target)
  if (regions.some((rings) => pointInRings(rings, exactRay.origin) <= 0)) return INSIDE
  const answers = leaves.map(({ body }) => castAt(exactRay, body, grid.exponent)).filter(({ hit }) => hit)
  if (answers.length === 0) return MISS
  const known = answers.every(({ distance }) => distance !== null)
  return {
    hit: true,
    startedInside: answers.some(({ startedInside }) => startedInside),
    distance: known ? Math.min(...answers.map(({ distance }) => distance as number)) : null,
  }
}

function castAt(ray: ExactRay, body: ExactBody, exponent: number): ExactRayAnswer {
  if (body.kind === 'ellipse') return rayEllipse(ray, body)
  if (body.kind === 'halfplane') return rayHalfplane(ray, body)
  if (body.radius === 0n) return rayHull(ray, body.hull, exponent)
  if (body.hull.length === 1) return rayCircle(ray, body.hull[0], body.radius, exponent)
  return rayRoundedHull(ray, body)
}

/** Is parameter·|direction| ≤ limit, for a parameter ≥ 0? */
function withinLimit(ray: ExactRay, parameter: Ratio): boolean {
  if (ray.limit === null) return true
  return parameter.num * parameter.num * ray.length2 <= ray.limit * ray.limit * parameter.den * parameter.den
}

function distanceAt(ray: ExactRay, parameter: Ratio, exponent: number): number {
  const squared = { num: parameter.num * parameter.num * ray.length2, den: parameter.den * parameter.den }
  return toDouble(rootOfRatio(squared), exponent - Number(ROOT_BITS))
}

function rayHull(ray: ExactRay, hull: readonly Point[], exponent: number): ExactRayAnswer {
  const relative = hull.map((p) => subtract(p, ray.origin))
  if (signedDistanceToOrigin(relative).sign <= 0) return INSIDE
  const entry = relative.length > 2 ? enterPolygon(ray, relative) : enterThin(ray, relative)
  if (entry === null || !withinLimit(ray, entry)) return MISS
  return { hit: true, startedInside: false, distance: distanceAt(ray, entry, exponent) }
}

/** Clipping by the hull's edges (Cyrus and Beck); positions relative to the ray's origin. */
function enterPolygon(ray: ExactRay, hull: readonly Point[]): Ratio | null {
  let enter: Ratio = { num: 0n, den: 1n }
  let leave: Ratio | null = null
  for (let i = 0; i < hull.length; i++) {
    const p = hull[i]
    const edge = subtract(hull[(i + 1) % hull.length], p)
    // Inside: cross(edge, x − p) ≥ 0 with x = t·direction.
    const value = -cross(ORIGIN, edge, p)
    const slope = edge.x * ray.direction.y - edge.y * ray.direction.x
    if (slope === 0n) {
      if (value < 0n) return null
      continue
    }
    const t = { num: slope > 0n ? -value : value, den: abs(slope) }
    if (slope > 0n) {
      if (t.num * enter.den > enter.num * t.den) enter = t
    } else if (leave === null || t.num * leave.den < leave.num * t.den) {
      leave = t
    }
  }
  if (leave !== null && enter.num * leave.den > leave.num * enter.den) return null
  return enter
}

function enterThin(ray: ExactRay, points: readonly Point[]): Ratio | null {
  const sides = points.map((p) => cross(ORIGIN, ray.direction, p))
  const alongs = points.map((p) => dot(ray.direction, p))
  if (points.length === 1 || sides[0] === sides[1]) {
    if (sides[0] !== 0n) return null
    const nearest = leastOf(alongs)
    return nearest < 0n ? null : { num: nearest, den: ray.length2 }
  }
  if (sides[0] * sides[1] > 0n) return null
  // The ray's line meets the segment where the side, linear between its ends, is zero.
  const weight0 = abs(sides[1])
  const weight1 = abs(sides[0])
  const along = alongs[0] * weight0 + alongs[1] * weight1
  return along < 0n ? null : { num: along, den: (weight0 + weight1) * ray.length2 }
}

function rayCircle(ray: ExactRay, center: Point, radius: bigint, exponent: number): ExactRayAnswer {
  const toCenter = subtract(center, ray.origin)
  if (dot(toCenter, toCenter) <= radius * radius) return INSIDE
  const along = dot(toCenter, ray.direction)
  const side = cross(ORIGIN, ray.direction, toCenter)
  const discriminant = radius * radius * ray.length2 - side * side
  if (discriminant < 0n || along <= 0n) return MISS
  // distance·|d| = along − √discriminant ≤ limit·|d|
  if (ray.limit !== null && signOfTwoRadicals(along, -1n, discriminant, -ray.limit, ray.length2) > 0) return MISS
  const shift = 2n * ROOT_BITS
  const numerator = (along << shift) - integerSqrt(discriminant << (2n * shift))
  const length = integerSqrt(ray.length2 << (2n * ROOT_BITS))
  return { hit: true, startedInside: false, distance: toDouble(numerator / length, exponent - Number(ROOT_BITS)) }
}

/** Hit when the (limited) ray comes as near to the hull as its skin radius. */
function rayRoundedHull(ray: ExactRay, body: RoundedHull): ExactRayAnswer {
  const hull = body.hull.map((p) => subtract(p, ray.origin))
  const start = signedDistanceToOrigin(hull)
  const reach2 = body.radius * body.radius
  if (start.sign <= 0 || start.squared.num <= reach2 * start.squared.den) return INSIDE
  const hit = rayHull({ ...ray, origin: ORIGIN }, hull, 0).hit || nearHull(ray, hull, body.radius)
  return { hit, startedInside: false, distance: null }
}

function nearHull(ray: ExactRay, hull: readonly Point[], radius: bigint): boolean {
  const edges = hull.length > 2 ? hull.length : 1
  for (let i = 0; i < hull.length; i++) if (vertexNearRay(ray, hull[i], radius)) return true
  if (ray.limit === null) return false
  for (let i = 0; i < edges; i++) if (endNearEdge(ray, hull[i], hull[(i + 1) % hull.length], radius)) return true
  return false
}

/** Vertex against the ray as a segment: beside it, or near its end (its start is known to be outside). */
function vertexNearRay(ray: ExactRay, vertex: Point, radius: bigint): boolean {
  const along = dot(vertex, ray.direction)
  if (along < 0n) return false
  const side = cross(ORIGIN, ray.direction, vertex)
  const beside = ray.limit === null || along * along <= ray.limit * ray.limit * ray.length2
  if (beside) return side * side <= radius * radius * ray.length2
  // |vertex − end|² = |vertex|² + limit² − 2 limit·along/|d| ≤ radius², multiplied by |d|²
  const limit = ray.limit as bigint
  const constant = (dot(vertex, vertex) + limit * limit - radius * radius) * ray.length2
  return signOfRadical(constant, -2n * limit * along, ray.length2) <= 0
}

/** The ray's end against the inside of an edge. */
function endNearEdge(ray: ExactRay, p: Point, q: Point, radius: bigint): boolean {
  const limit = ray.limit as bigint
  const edge = subtract(q, p)
  const edge2 = dot(edge, edge)
  // (end − p)·edge between 0 and edge², where end = limit·d/|d|; everything times |d|².
  const fromP = -dot(p, edge) * ray.length2
  const slope = limit * dot(ray.direction, edge)
  if (signOfRadical(fromP, slope, ray.length2) < 0) return false
  if (signOfRadical(fromP - edge2 * ray.length2, slope, ray.length2) > 0) return false
  // |cross(edge, end − p)| ≤ radius·|edge|
  const offset = -cross(ORIGIN, edge, p) * ray.length2
  const turn = limit * cross(ORIGIN, edge, ray.direction)
  const reach = radius * ray.length2
  return (
    signOfTwoRadicals(offset, turn, ray.length2, -reach, edge2) <= 0 &&
    signOfTwoRadicals(offset, turn, ray.length2, reach, edge2) >= 0
  )
}

/** In coordinates that make the ellipse a circle; the ray's parameter is kept. */
function rayEllipse(ray: ExactRay, ellipse: Ellipse): ExactRayAnswer {
  const { rx, ry } = ellipse
  const relative = subtract(ellipse.center, ray.origin)
  const center = { x: relative.x * ry, y: relative.y * rx }
  const direction = { x: ray.direction.x * ry, y: ray.direction.y * rx }
  const radius = rx * ry
  if (dot(center, center) <= radius * radius) return INSIDE
  const length2 = dot(direction, direction)
  const along = dot(center, direction)
  const side = cross(ORIGIN, direction, center)
  const discriminant = radius * radius * length2 - side * side
  if (discriminant < 0n || along <= 0n) return MISS
  // parameter·|d| = (along − √discriminant)·|d| / length2 ≤ limit
  if (ray.limit !== null) {
    const over = signOfTwoRadicals(-ray.limit * length2, along, ray.length2, -1n, discriminant * ray.length2)
    if (over > 0) return MISS
  }
  return { hit: true, startedInside: false, distance: null }
}

function rayHalfplane(ray: ExactRay, plane: Halfplane): ExactRayAnswer {
  const normal2 = dot(plane.normal, plane.normal)
  const height = dot(plane.normal, subtract(ray.origin, plane.origin))
  if (signOfRadical(height, -plane.offset, normal2) <= 0) return INSIDE
  const fall = -dot(plane.normal, ray.direction)
  if (fall <= 0n) return MISS
  // (height − offset·|n|)·|d| ≤ limit·fall
  if (ray.limit !== null) {
    const rest = -ray.limit * fall
    if (signOfTwoRadicals(rest, height, ray.length2, -plane.offset, normal2 * ray.length2) > 0) return MISS
  }
  return { hit: true, startedInside: false, distance: null }
}
