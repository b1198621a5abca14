/**
 * Families of unrotated pairs that are hard to decide: B is aimed so that a point of its boundary meets A's,
 * exactly (grid) or as nearly as rounding allows, then numbers are pushed by an ulp, moved far away,
 * or scaled by powers of two.
 */
import fc, { type Arbitrary } from 'fast-check'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { convexHull, cross } from '../../oracle/exact-bodies.ts'
import { gridFor, toGrid } from '../../oracle/exact-numbers.ts'
import { isStrictlySimple } from '../../oracle/exact-simple.ts'
import { measuredParts } from '../../oracle/measured-parts.ts'
import {
  GRID,
  hullOf,
  mixedBody,
  PYTHAGOREAN,
  SHAPE_TYPES,
  type ShapeType,
  type Source,
  UNIFORM,
  unrotatedBody,
  vec2,
} from './arbitraries.ts'
import { nextAfter } from './next-after.ts'
import { scaled, translated } from './transform.ts'

export interface Pair {
  a: Body2d
  b: Body2d
}

interface Aim {
  featureA: number
  featureB: number
  along: number
  direction: Vec2
}

const aim: Arbitrary<Aim> = fc.record({
  featureA: fc.nat(15),
  featureB: fc.nat(15),
  along: fc.constantFrom(0, 0, 0.25, 0.5, 0.75),
  direction: fc.constantFrom(...PYTHAGOREAN),
})

/** A boundary point of the shape's core, and its skin radius; ellipses and half-planes give one of their own. */
function boundaryPoint(body: Body2d, feature: number, along: number, direction: Vec2): { point: Vec2; skin: number } {
  const { leaves } = measuredParts(body)
  const measured = leaves[feature % leaves.length]
  if (measured.kind === 'hull') {
    const { points, radius } = measured
    const vertex = leaves.length === 1 ? feature : along < 0.5 ? 0 : 1
    const p = points[vertex % points.length]
    const q = points[(vertex + 1) % points.length]
    return { point: { x: p.x + along * (q.x - p.x), y: p.y + along * (q.y - p.y) }, skin: radius }
  }
  if (measured.kind === 'ellipse') {
    const { center, rx, ry } = measured
    return { point: { x: center.x + rx * direction.x, y: center.y + ry * direction.y }, skin: 0 }
  }
  const { normal, offset } = measured
  return { point: { x: normal.x * offset, y: normal.y * offset }, skin: 0 }
}

/** Moves b so that the chosen points meet, skins apart along the aim's direction. */
export function aimed({ a, b }: Pair, { featureA, featureB, along, direction }: Aim): Pair {
  const from = boundaryPoint(a, featureA, along, direction)
  const to = boundaryPoint(b, featureB, 0, { x: -direction.x, y: -direction.y })
  // Skins are multiples of 5/8 on the grid: a fifth is exact, and so is its multiple by 3, 4 or 5.
  const fifth = (from.skin + to.skin) / 5
  const dx = from.point.x + fifth * Math.round(5 * direction.x) - to.point.x
  const dy = from.point.y + fifth * Math.round(5 * direction.y) - to.point.y
  return { a, b: translated(b, dx, dy) }
}

/** Every number of a body that may be pushed, as a path. */
function numberPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'number') return [path]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, field]) => numberPaths(field, [...path, key]))
}

/**
 * The body with one of its numbers pushed by some ulps; unchanged when that would break a rule of the shape.
 * A zero becomes a denormal number.
 */
export function nudged<B extends Body2d>(body: B, which: number, ulps: number): B {
  const copy = structuredClone(body)
  const paths = numberPaths(copy).filter((path) => !path.includes('rotation'))
  if (paths.length === 0) return body
  const path = paths[which % paths.length]
  // biome-ignore lint/suspicious/noExplicitAny: walks a JSON value by path
  let holder: any = copy
  for (const key of path.slice(0, -1)) holder = holder[key]
  const last = path[path.length - 1]
  holder[last] = nextAfter(holder[last], ulps)
  return isLegal(copy) ? copy : body
}

function isLegal(body: Body2d): boolean {
  const shape = body.shape
  switch (shape.type) {
    case 'circle':
      return shape.radius >= 0
    case 'capsule':
      return shape.radius >= 0
    case 'box':
      return [shape.width, shape.height].every(hasExactHalf) && (shape.radius ?? 0) >= 0
    case 'aabb':
      return shape.min.x <= shape.max.x && shape.min.y <= shape.max.y
    case 'ellipse':
      return shape.rx > 0 && shape.ry > 0
    case 'polygon':
      return (shape.radius ?? 0) >= 0 && isStrictlyConvex(shape.vertices)
    case 'region':
      return isStrictlySimple([shape.outer, ...(shape.holes ?? [])])
    case 'compound':
      return shape.children.every(isLegal)
    default:
      return true
  }
}

/** Exactly: every vertex is a corner of the hull, and all turns go one way. */
function isStrictlyConvex(vertices: readonly Vec2[]): boolean {
  const grid = gridFor(vertices.flatMap((v) => [v.x, v.y]))
  const points = vertices.map((v) => ({ x: toGrid(grid, v.x), y: toGrid(grid, v.y) }))
  const turns = points.map((p, i) => cross(p, points[(i + 1) % points.length], points[(i + 2) % points.length]))
  const oneWay = turns.every((turn) => turn > 0n) || turns.every((turn) => turn < 0n)
  return oneWay && convexHull(points).length === vertices.length
}

/** Half of the least numbers is no double: such a box is rounded, not exact. */
function hasExactHalf(size: number): boolean {
  return size === 0 || size >= 2 ** -1021
}

/** Unrotated bodies of some types, by where their numbers come from. */
export type Bodies = (source: Source) => Arbitrary<Body2d>

function pairOf(source: Source, bodies: Bodies): Arbitrary<Pair> {
  return fc.record({ a: bodies(source), b: bodies(source) })
}

const nudge = fc.record({
  onB: fc.boolean(),
  which: fc.nat(20),
  ulps: fc.constantFrom(-2, -1, 0, 1, 2),
})

function withNudge(pairs: Arbitrary<Pair>): Arbitrary<Pair> {
  return fc
    .tuple(pairs, nudge)
    .map(([{ a, b }, { onB, which, ulps }]) =>
      onB ? { a, b: nudged(b, which, ulps) } : { a: nudged(a, which, ulps), b },
    )
}

export function hasDenormal(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0 && Math.abs(value) < 2 ** -900
  return value !== null && typeof value === 'object' && Object.values(value).some(hasDenormal)
}

function withOffset(pairs: Arbitrary<Pair>, offsets: readonly number[]): Arbitrary<Pair> {
  return fc
    .tuple(pairs, fc.constantFrom(...offsets), fc.constantFrom(...offsets, 0))
    .map(([{ a, b }, dx, dy]) => ({ a: translated(a, dx, dy), b: translated(b, dx, dy) }))
}

export function scaledPair({ a, b }: Pair, k: number): Pair {
  return { a: scaled(a, k), b: scaled(b, k) }
}

function aimedPairs(source: Source, bodies: Bodies, ratio = 1): Arbitrary<Pair> {
  return fc
    .tuple(pairOf(source, bodies), aim)
    .map(([{ a, b }, how]) => aimed({ a: ratio === 1 ? a : scaled(a, ratio), b }, how))
}

/** Polygons of up to 100 vertices on an ellipse, thin ones too, against any body, touching but for rounding. */
export function manyVertexPairs(types: readonly ShapeType[]): Arbitrary<Pair> {
  const polygon = fc
    .record({
      count: fc.integer({ min: 9, max: 100 }),
      width: UNIFORM.size,
      height: UNIFORM.size,
      turn: UNIFORM.coordinate,
    })
    .map(({ count, width, height, turn }): Vec2[] =>
      hullOf(
        Array.from({ length: count }, (_, i) => {
          const angle = turn + (2 * Math.PI * i) / count
          return { x: width * Math.cos(angle), y: height * Math.sin(angle) }
        }),
      ),
    )
    .filter((vertices) => vertices.length >= 3)
  const body = fc
    .record({ vertices: polygon, position: vec2(UNIFORM), radius: fc.constantFrom(0, 0, 0.5), clockwise: fc.boolean() })
    .map(({ vertices, position, radius, clockwise }): Body2d => {
      const shape = { type: 'polygon' as const, vertices: clockwise ? [...vertices].reverse() : vertices, radius }
      return { shape, position }
    })
  const pairs = fc.tuple(body, fc.oneof(unrotatedBody(UNIFORM, types), body), fc.nat(99), aim)
  return fc.tuple(pairs, fc.boolean()).map(([[many, other, feature, how], swap]) => {
    const { a, b } = aimed({ a: many, b: other }, { ...how, featureA: feature })
    return swap ? { a: b, b: a } : { a, b }
  })
}

/** Named families; each is a generator of pairs of the given types. */
export function pairFamilies(types: readonly ShapeType[]): Record<string, Arbitrary<Pair>> {
  return pairFamiliesOf((source) => unrotatedBody(source, types))
}

export function pairFamiliesOf(bodies: Bodies): Record<string, Arbitrary<Pair>> {
  const touching = aimedPairs(GRID, bodies)
  const nearly = aimedPairs(UNIFORM, bodies)
  return {
    grid: pairOf(GRID, bodies),
    'touching on the grid': touching,
    'touching, one number an ulp off': withNudge(touching),
    'random doubles': pairOf(UNIFORM, bodies),
    'random doubles, touching but for rounding': nearly,
    'random doubles, touching but for rounding and an ulp': withNudge(nearly),
    'touching at an exact offset of 2^20 … 2^40': withNudge(withOffset(touching, [2 ** 20, 2 ** 30, -(2 ** 40)])),
    'touching at an offset of 1e6, 1e9': withNudge(withOffset(nearly, [1e6, -1e9, 1000000.1])),
    'touching, A 2^20 times larger': withNudge(aimedPairs(GRID, bodies, 2 ** 20)),
    'touching, A a million times smaller': withNudge(aimedPairs(UNIFORM, bodies, 1e-6)),
    'touching at a scale of 2^-40': withNudge(touching.map((pair) => scaledPair(pair, 2 ** -40))),
    'touching at a scale of 2^300 (1e90)': withNudge(touching.map((pair) => scaledPair(pair, 2 ** 300))),
    'touching at a scale of 2^-300 (1e-90)': withNudge(touching.map((pair) => scaledPair(pair, 2 ** -300))),
    'touching at a scale of 2^-1000': withNudge(touching.map((pair) => scaledPair(pair, 2 ** -1000))),
  }
}

/** Pairs for the laws: any rotation, the grid, and pairs aimed to touch. */
export function lawPairs(types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<Pair> {
  return lawPairsOf(mixedBody(types), pairFamilies(types))
}

export function lawPairsOf(mixed: Arbitrary<Body2d>, families: Record<string, Arbitrary<Pair>>): Arbitrary<Pair> {
  const { grid, ...aimedFamilies } = families
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ a: mixed, b: mixed }) },
    { weight: 1, arbitrary: grid },
    {
      weight: 2,
      // Denormal numbers cannot be scaled or moved exactly.
      arbitrary: fc.oneof(...Object.values(aimedFamilies).slice(0, 6)).filter((pair) => !hasDenormal(pair)),
    },
  )
}
