/**
 * Families of rays against one unrotated body that are hard to decide: through a vertex, along an edge,
 * tangent to a skin, ending exactly on the boundary; then pushed by an ulp, moved far away or scaled.
 */
import fc, { type Arbitrary } from 'fast-check'
import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { exactRayCast } from '../../oracle/exact-ray.ts'
import type { MeasuredBody } from '../../oracle/measured-bodies.ts'
import { measuredParts } from '../../oracle/measured-parts.ts'
import { GRID, PYTHAGOREAN, type ShapeType, type Source, UNIFORM, unrotatedBody, vec2 } from './arbitraries.ts'
import { nextAfter } from './next-after.ts'
import { type Bodies, nudged } from './pair-families.ts'
import { scaled, scaledRay, translated, translatedRay } from './transform.ts'

export interface RayCase {
  ray: RayDefinition
  target: Body2d
}

const AXIS: readonly Vec2[] = [
  { x: 1, y: 0 },
  { x: -1, y: -0 },
  { x: 0, y: 1 },
  { x: -0, y: -1 },
]

function direction(source: Source): Arbitrary<Vec2> {
  const free = vec2(source).map((d) => (d.x === 0 && d.y === 0 ? { x: 1, y: 0 } : d))
  const rational = fc.constantFrom(...PYTHAGOREAN).map((d) => ({ x: 5 * d.x, y: 5 * d.y }))
  return fc.oneof(free, rational, fc.constantFrom(...AXIS))
}

const limit = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12 }) },
)

function ray(origin: Vec2, direction: Vec2, maxDistance?: number): RayDefinition {
  return maxDistance === undefined ? { origin, direction } : { origin, direction, maxDistance }
}

function free(source: Source, bodies: Bodies): Arbitrary<RayCase> {
  return fc
    .tuple(bodies(source), vec2(source), direction(source), limit)
    .map(([target, origin, d, maxDistance]) => ({ target, ray: ray(origin, d, maxDistance) }))
}

/** From a random origin straight at a vertex, centre or edge point of the target's core. */
function atFeature(source: Source, bodies: Bodies): Arbitrary<RayCase> {
  return fc
    .tuple(bodies(source), vec2(source), fc.nat(7), fc.constantFrom(0, 0, 0.5, 0.25))
    .map(([target, origin, feature, along]) => {
      const [p, q] = coreEdge(target, feature)
      const aim = { x: p.x + along * (q.x - p.x) - origin.x, y: p.y + along * (q.y - p.y) - origin.y }
      return { target, ray: ray(origin, aim.x === 0 && aim.y === 0 ? { x: 0, y: -1 } : aim) }
    })
}

/** Along an edge of the core, or that line moved out by the skin: grazes. */
function alongEdge(source: Source, bodies: Bodies): Arbitrary<RayCase> {
  return fc
    .tuple(bodies(source), fc.nat(7), fc.integer({ min: -2, max: 2 }), fc.constantFrom(...PYTHAGOREAN))
    .map(([target, feature, start, tangent]) => {
      const measured = leafOf(target, feature)
      const [p, q] = coreEdge(target, feature)
      const degenerate = p.x === q.x && p.y === q.y
      const d = degenerate ? { x: 5 * tangent.x, y: 5 * tangent.y } : { x: q.x - p.x, y: q.y - p.y }
      const skin = measured.kind === 'hull' ? measured.radius : 0
      const length = Math.hypot(d.x, d.y)
      const origin = { x: p.x + start * d.x + (skin / length) * d.y, y: p.y + start * d.y - (skin / length) * d.x }
      return { target, ray: ray(origin, d) }
    })
}

/** The body itself when it is convex, else one of its leaves. */
function leafOf(target: Body2d, feature: number): MeasuredBody {
  const { leaves } = measuredParts(target)
  return leaves[feature % leaves.length]
}

function coreEdge(target: Body2d, feature: number): [Vec2, Vec2] {
  const measured = leafOf(target, feature)
  if (measured.kind === 'hull') {
    const { points } = measured
    return [points[feature % points.length], points[(feature + 1) % points.length]]
  }
  if (measured.kind === 'ellipse') {
    const { center, rx, ry } = measured
    const sign = feature % 2 === 0 ? 1 : -1
    const corners: [Vec2, Vec2][] = [
      [
        { x: center.x + sign * rx, y: center.y },
        { x: center.x + sign * rx, y: center.y + ry },
      ],
      [
        { x: center.x, y: center.y + sign * ry },
        { x: center.x + rx, y: center.y + sign * ry },
      ],
    ]
    return corners[feature & 2 ? 1 : 0]
  }
  const { normal, offset } = measured
  const foot = { x: normal.x * offset, y: normal.y * offset }
  return [foot, { x: foot.x - normal.y, y: foot.y + normal.x }]
}

/** Gives the ray a limit of exactly its (rounded) hit distance, or an ulp more or less. */
function endingAtHit(cases: Arbitrary<RayCase>): Arbitrary<RayCase> {
  return fc.tuple(cases, fc.constantFrom(-1, 0, 1)).map(([{ ray, target }, ulps]) => {
    const { maxDistance: _dropped, ...unlimited } = ray
    const { distance } = exactRayCast(unlimited, target)
    if (distance === null || distance === 0) return { ray, target }
    return { ray: { ...unlimited, maxDistance: nextAfter(distance, ulps) }, target }
  })
}

function withNudge(cases: Arbitrary<RayCase>): Arbitrary<RayCase> {
  return fc
    .tuple(cases, fc.nat(20), fc.constantFrom(-1, 0, 1), fc.nat(4))
    .map(([{ ray, target }, which, ulps, part]) => {
      if (part > 3) return { ray, target: nudged(target, which, ulps) }
      const { origin, direction: d } = ray
      const moved = [origin.x, origin.y, d.x, d.y].map((value, i) => (i === part ? nextAfter(value, ulps) : value))
      return {
        ray: { ...ray, origin: { x: moved[0], y: moved[1] }, direction: { x: moved[2], y: moved[3] } },
        target,
      }
    })
}

function scaledCase({ ray, target }: RayCase, k: number, directionScale: number): RayCase {
  const { x, y } = ray.direction
  return {
    ray: { ...scaledRay(ray, k), direction: { x: x * directionScale, y: y * directionScale } },
    target: scaled(target, k),
  }
}

export function rayFamilies(types: readonly ShapeType[]): Record<string, Arbitrary<RayCase>> {
  return rayFamiliesOf((source) => unrotatedBody(source, types))
}

export function rayFamiliesOf(bodies: Bodies): Record<string, Arbitrary<RayCase>> {
  const grazing = fc.oneof(free(GRID, bodies), atFeature(GRID, bodies), alongEdge(GRID, bodies))
  const nearly = fc.oneof(free(UNIFORM, bodies), atFeature(UNIFORM, bodies), alongEdge(UNIFORM, bodies))
  const offset = fc.constantFrom(2 ** 20, -(2 ** 40))
  return {
    'on the grid, grazing': grazing,
    'grazing, one number an ulp off': withNudge(grazing),
    'random doubles, grazing but for rounding': nearly,
    'ending at the hit': endingAtHit(fc.oneof(free(GRID, bodies), atFeature(GRID, bodies))),
    'grazing at a large exact offset': withNudge(
      fc.tuple(grazing, offset, offset).map(([{ ray, target }, dx, dy]) => ({
        ray: translatedRay(ray, dx, dy),
        target: translated(target, dx, dy),
      })),
    ),
    'grazing at a scale of 2^-40, direction of length 1e90': grazing.map((c) => scaledCase(c, 2 ** -40, 2 ** 300)),
    'grazing at a scale of 2^300, direction of length 1e-90': grazing.map((c) => scaledCase(c, 2 ** 300, 2 ** -300)),
    'grazing at a scale of 2^-1000': grazing.map((c) => scaledCase(c, 2 ** -1000, 1)),
  }
}
