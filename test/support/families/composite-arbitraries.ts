/**
 * Random chains, regions and compounds from a source of coordinates, degenerate ones included. A region comes with the
 * convex pieces that it is the union of; every corner of a piece is a vertex of the region or a double computed exactly,
 * so that the union is the region to the last bit.
 */

import fc, { type Arbitrary } from 'fast-check'
import { orient2d } from 'robust-predicates'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { anyRotation, anyShape, GRID, SHAPE_TYPES, type ShapeType, type Source, UNIFORM, vec2 } from './arbitraries.ts'
import { type Cell, cellOutlines, connectedCells } from './cell-outlines.ts'
import { lawPairsOf, type Pair, pairFamiliesOf } from './pair-families.ts'

export type Ring = Vec2[]
export type RegionShape = Extract<Shape2d, { type: 'region' }>
export type ChainShape = Extract<Shape2d, { type: 'chain' }>

export interface RegionCase {
  region: RegionShape
  /** Convex polygons; of a flat region, one segment. */
  pieces: Shape2d[]
}

const polygon = (...vertices: Vec2[]): Shape2d => ({ type: 'polygon', vertices })

/** Distinct coordinates in increasing order. */
function levels(source: Source, count: number): Arbitrary<number[]> {
  return fc
    .uniqueArray(source.coordinate, { minLength: count, maxLength: count, comparator: (p, q) => p === q })
    .map((values) => values.map((x) => x + 0).sort((p, q) => p - q))
}

const GRID_SIZE = 4

/** A 4-connected union of cells of an uneven grid: combs, frames, spirals; holes may touch each other and the outside. */
export function cellRegion(source: Source): Arbitrary<RegionCase> {
  return fc
    .record({
      xs: levels(source, GRID_SIZE + 1),
      ys: levels(source, GRID_SIZE + 1),
      filled: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: GRID_SIZE ** 2, maxLength: GRID_SIZE ** 2 }),
      start: fc.nat(GRID_SIZE ** 2 - 1),
      selfTouching: fc.boolean(),
    })
    .map(({ xs, ys, filled, start, selfTouching }) => {
      const solid = (x: number, y: number): boolean =>
        x >= 0 && y >= 0 && x < GRID_SIZE && y < GRID_SIZE && filled[y * GRID_SIZE + x] > 0
      const first = { x: start % GRID_SIZE, y: Math.floor(start / GRID_SIZE) }
      filled[start] = 1
      const cells = connectedCells(solid, first)
      const place = ({ x, y }: Cell): Vec2 => ({ x: xs[x], y: ys[y] })
      const [outer, ...holes] = cellOutlines(cells, selfTouching).map((ring) => ring.map(place))
      const pieces = cells.map(({ x, y }) =>
        polygon(place({ x, y }), place({ x: x + 1, y }), place({ x: x + 1, y: y + 1 }), place({ x, y: y + 1 })),
      )
      return { region: { type: 'region' as const, outer, ...(holes.length > 0 ? { holes } : {}) }, pieces }
    })
}

/** Vertices all around the local origin, which sees each of them. */
export function starRegion(source: Source): Arbitrary<RegionCase> {
  return fc
    .array(vec2(source), { minLength: 5, maxLength: 12 })
    .map((points) => {
      const angle = ({ x, y }: Vec2): number => Math.atan2(y, x)
      const sorted = points.filter(({ x, y }) => x !== 0 || y !== 0).sort((p, q) => angle(p) - angle(q))
      return sorted.filter((p, i) => i === 0 || turns({ x: 0, y: 0 }, sorted[i - 1], p) > 0)
    })
    .filter(
      (ring) => ring.length >= 3 && ring.every((p, i) => turns({ x: 0, y: 0 }, p, ring[(i + 1) % ring.length]) > 0),
    )
    .map((outer) => ({
      region: { type: 'region' as const, outer },
      pieces: outer.map((p, i) => polygon({ x: 0, y: 0 }, p, outer[(i + 1) % outer.length])),
    }))
}

/** Between a lower and an upper line over the same places: combs, lightning, slivers. */
export function bandRegion(source: Source): Arbitrary<RegionCase> {
  return fc
    .integer({ min: 2, max: 7 })
    .chain((count) =>
      fc.tuple(levels(source, count), fc.array(levels(source, 2), { minLength: count, maxLength: count })),
    )
    .map(([xs, spans]) => {
      const low = xs.map((x, i) => ({ x, y: spans[i][0] }))
      const high = xs.map((x, i) => ({ x, y: spans[i][1] }))
      const pieces = xs.slice(1).map((_, i) => polygon(low[i], low[i + 1], high[i + 1], high[i]))
      return { region: { type: 'region' as const, outer: [...low, ...high.reverse()] }, pieces }
    })
}

/** All vertices on one line: the flat set that it is. */
export function flatRegion(source: Source): Arbitrary<RegionCase> {
  return fc.tuple(vec2(source), vec2(source), fc.constantFrom(0, 1, 2)).map(([p, q, variant]) => {
    const a = variant === 1 ? { x: p.x, y: q.y } : p
    const outer = variant === 2 ? [a, q, { ...q }] : [a, q, { ...a }]
    return { region: { type: 'region' as const, outer }, pieces: [{ type: 'segment' as const, a, b: q }] }
  })
}

function turns(o: Vec2, p: Vec2, q: Vec2): number {
  // Their orient2d is positive for clockwise turns in a frame with y up.
  return -orient2d(o.x, o.y, p.x, p.y, q.x, q.y)
}

/** The same region written in another way: either winding, from any vertex, a vertex repeated or a collinear one added. */
function rewritten(ring: Ring, { start, clockwise, repeat }: Writing): Ring {
  const first = start % ring.length
  const vertices = [...ring.slice(first), ...ring.slice(0, first)]
  if (repeat === 1) vertices.splice(1, 0, { ...vertices[0] })
  if (repeat === 2) {
    const middle = { x: (vertices[0].x + vertices[1].x) / 2, y: (vertices[0].y + vertices[1].y) / 2 }
    if (turns(vertices[0], vertices[1], middle) === 0) vertices.splice(1, 0, middle)
  }
  return clockwise ? vertices.reverse() : vertices
}

interface Writing {
  start: number
  clockwise: boolean
  repeat: number
}

const writing: Arbitrary<Writing> = fc.record({ start: fc.nat(31), clockwise: fc.boolean(), repeat: fc.nat(4) })

export function regionCase(source: Source, withFlat = true): Arbitrary<RegionCase> {
  const cases = fc.oneof(
    { weight: 4, arbitrary: cellRegion(source) },
    { weight: 3, arbitrary: starRegion(source) },
    { weight: 3, arbitrary: bandRegion(source) },
    ...(withFlat ? [{ weight: 1, arbitrary: flatRegion(source) }] : []),
  )
  return fc.tuple(cases, fc.array(writing, { minLength: 1, maxLength: 4 })).map(([{ region, pieces }, ways]) => {
    const rings = [region.outer, ...(region.holes ?? [])].map((ring, i) => rewritten(ring, ways[i % ways.length]))
    const [outer, ...holes] = rings
    return { region: { type: 'region' as const, outer, ...(holes.length > 0 ? { holes } : {}) }, pieces }
  })
}

/** Line work: crossing itself, closed or not, with repeated vertices, down to a single edge and a single point. */
export function chainShape(source: Source): Arbitrary<ChainShape> {
  return fc
    .record({
      vertices: fc.array(vec2(source), { minLength: 2, maxLength: 7 }),
      loop: fc.constantFrom(undefined, false, true),
      repeat: fc.nat(9),
    })
    .map(({ vertices, loop, repeat }) => {
      if (repeat === 0) vertices.splice(1, 0, { ...vertices[0] })
      if (repeat === 1) vertices.fill(vertices[0])
      return { type: 'chain' as const, vertices, ...(loop === undefined ? {} : { loop }) }
    })
}

/** Children of every type, nested; rotated ones only where `rotation` gives angles (an aabb never is). */
export function compoundShape(
  source: Source,
  types: readonly ShapeType[] = SHAPE_TYPES,
  rotation: Arbitrary<number> = fc.constant(0),
  depth = 2,
): Arbitrary<Shape2d> {
  const inner = depth > 0 ? [{ weight: 1, arbitrary: compoundShape(source, types, rotation, depth - 1) }] : []
  const shape: Arbitrary<Shape2d> = fc.oneof(
    { weight: 4, arbitrary: anyShape(source, types) },
    { weight: 1, arbitrary: chainShape(source) },
    { weight: 1, arbitrary: regionCase(source).map(({ region }) => region) },
    ...inner,
  )
  const child: Arbitrary<Body2d> = fc
    .record({ shape, position: vec2(source), rotation })
    .map((body) => (hasAabb(body.shape) ? { shape: body.shape, position: body.position } : body))
  return fc.array(child, { minLength: 1, maxLength: 3 }).map((children) => ({ type: 'compound' as const, children }))
}

export function hasAabb(shape: Shape2d): boolean {
  return shape.type === 'aabb' || (shape.type === 'compound' && shape.children.some((child) => hasAabb(child.shape)))
}

/** An unrotated chain, region or compound, or with some chance a convex body. */
export function unrotatedComposite(source: Source, types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<Body2d> {
  const shape: Arbitrary<Shape2d> = fc.oneof(
    { weight: 2, arbitrary: chainShape(source) },
    { weight: 3, arbitrary: regionCase(source).map(({ region }) => region) },
    { weight: 2, arbitrary: compoundShape(source, types) },
    { weight: 2, arbitrary: anyShape(source, types) },
  )
  return fc.record({ shape, position: vec2(source) })
}

/** The same, rotated, and with rotated children. */
export function rotatedComposite(
  source: Source = UNIFORM,
  types: readonly ShapeType[] = SHAPE_TYPES,
): Arbitrary<Body2d> {
  const shape: Arbitrary<Shape2d> = fc.oneof(
    { weight: 2, arbitrary: chainShape(source) },
    { weight: 3, arbitrary: regionCase(source, false).map(({ region }) => region) },
    { weight: 2, arbitrary: compoundShape(source, types, anyRotation) },
  )
  return fc
    .record({ shape, position: vec2(source), rotation: anyRotation })
    .map((body) => (hasAabb(body.shape) ? { ...body, rotation: 0 } : body))
}

/** Bodies on the grid or with full-precision numbers, rotated or not; most of them composite. */
export function mixedComposite(types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<Body2d> {
  return fc.oneof(unrotatedComposite(GRID, types), unrotatedComposite(UNIFORM, types), rotatedComposite(UNIFORM, types))
}

/** Families of pairs that are hard to decide, at least one of them composite more often than not. */
export function compositeFamilies(types: readonly ShapeType[] = SHAPE_TYPES): Record<string, Arbitrary<Pair>> {
  return pairFamiliesOf((source) => unrotatedComposite(source, types))
}

/** Pairs for the laws: any rotation, the grid, and pairs aimed to touch. */
export function compositeLawPairs(types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<Pair> {
  return lawPairsOf(mixedComposite(types), compositeFamilies(types))
}
