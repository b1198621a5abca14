/**
 * Random shapes and bodies of every type, degenerate ones included, from a source of coordinates.
 * Polygons are exactly convex: hulls of random points, then written in either winding, from any vertex,
 * with repeated and exactly collinear vertices now and then.
 */

import fc, { type Arbitrary } from 'fast-check'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { convexHull } from '../../oracle/exact-bodies.ts'
import { gridFor, toDouble, toGrid } from '../../oracle/exact-numbers.ts'

/** Convex shapes; the others are made in `composite-arbitraries.ts`. */
export type ShapeType = Exclude<Shape2d['type'], 'chain' | 'region' | 'compound'>
export const SHAPE_TYPES: readonly ShapeType[] = [
  'point',
  'circle',
  'segment',
  'capsule',
  'box',
  'aabb',
  'polygon',
  'ellipse',
  'halfplane',
]
export const BOUNDED_TYPES = SHAPE_TYPES.filter((type) => type !== 'halfplane')
/** The types whose unrotated booleans the service decides exactly. */
export const EXACT_TYPES = BOUNDED_TYPES.filter((type) => type !== 'ellipse')

/** Where numbers come from: coordinates of either sign, and sizes ≥ 0 with 0 now and then. */
export interface Source {
  coordinate: Arbitrary<number>
  size: Arbitrary<number>
}

/** Eighths between −4 and 4, mostly integers: many pairs touch exactly. Sizes are multiples of 5/8. */
export const GRID: Source = {
  coordinate: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -4, max: 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: -32, max: 32 }).map((n) => n / 8) },
  ),
  size: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 4 }).map((n) => n * 0.625) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 32 }).map((n) => n / 8) },
  ),
}

// Not shrunk: bisecting 53 bits of every coordinate takes minutes and explains nothing.
const unit = fc.noBias(fc.noShrink(fc.maxSafeNat())).map((n) => n / Number.MAX_SAFE_INTEGER)

/** Full-precision doubles between −4 and 4. */
export const UNIFORM: Source = {
  coordinate: unit.map((u) => 8 * u - 4),
  size: fc.oneof({ weight: 8, arbitrary: unit.map((u) => 3 * u) }, { weight: 1, arbitrary: fc.constant(0) }),
}

export function vec2(source: Source): Arbitrary<Vec2> {
  return fc.record({ x: source.coordinate, y: source.coordinate })
}

/** Strictly convex ring (counter-clockwise) of the points; fewer than three when they are collinear. */
export function hullOf(points: readonly Vec2[]): Vec2[] {
  const grid = gridFor(points.flatMap((p) => [p.x, p.y]))
  const hull = convexHull(points.map((p) => ({ x: toGrid(grid, p.x), y: toGrid(grid, p.y) })))
  return hull.map((p) => ({ x: toDouble(p.x, grid.exponent), y: toDouble(p.y, grid.exponent) }))
}

export function polygonVertices(source: Source, maxPoints = 8): Arbitrary<Vec2[]> {
  return fc
    .record({
      points: fc.array(vec2(source), { minLength: 3, maxLength: maxPoints }),
      start: fc.nat(7),
      clockwise: fc.boolean(),
      repeat: fc.nat(3),
    })
    .map(({ points, start, clockwise, repeat }) => {
      const ring = hullOf(points)
      while (ring.length < 3) ring.push(ring[ring.length - 1])
      const first = start % ring.length
      const vertices = [...ring.slice(first), ...ring.slice(0, first)]
      if (repeat === 1) vertices.splice(1, 0, vertices[0])
      if (repeat === 2) vertices.splice(1, 0, ...exactMidpoint(vertices[0], vertices[1]))
      return clockwise ? vertices.reverse() : vertices
    })
}

function exactMidpoint(p: Vec2, q: Vec2): Vec2[] {
  const middle = { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 }
  const exact = middle.x - p.x === q.x - middle.x && middle.y - p.y === q.y - middle.y
  // On the coarse grid halves are exact; on full-precision doubles only a repeated point is.
  return exact && Number.isInteger(middle.x * 16) && Number.isInteger(middle.y * 16) ? [middle] : [{ ...p }]
}

function positive(size: Arbitrary<number>): Arbitrary<number> {
  return size.map((s) => (s === 0 ? 0.625 : s))
}

export function shapeOf(type: ShapeType, source: Source, maxPoints = 8): Arbitrary<Shape2d> {
  const { size } = source
  switch (type) {
    case 'point':
      return fc.constant({ type: 'point' as const })
    case 'circle':
      return fc.record({ type: fc.constant('circle' as const), radius: size })
    case 'segment':
      return ends(source).map(([a, b]) => ({ type: 'segment' as const, a, b }))
    case 'capsule':
      return fc.tuple(ends(source), size).map(([[a, b], radius]) => ({ type: 'capsule' as const, a, b, radius }))
    case 'box':
      return fc.record(
        { type: fc.constant('box' as const), width: size, height: size, radius: size },
        { requiredKeys: ['type', 'width', 'height'] },
      ) as Arbitrary<Shape2d>
    case 'aabb':
      return fc.tuple(vec2(source), vec2(source)).map(([p, q]) => ({
        type: 'aabb' as const,
        min: { x: Math.min(p.x, q.x), y: Math.min(p.y, q.y) },
        max: { x: Math.max(p.x, q.x), y: Math.max(p.y, q.y) },
      }))
    case 'polygon':
      return fc.record(
        { type: fc.constant('polygon' as const), vertices: polygonVertices(source, maxPoints), radius: size },
        { requiredKeys: ['type', 'vertices'] },
      ) as Arbitrary<Shape2d>
    case 'ellipse':
      return fc.record({ type: fc.constant('ellipse' as const), rx: positive(size), ry: positive(size) })
    case 'halfplane':
      return fc
        .record({ type: fc.constant('halfplane' as const), normal: vec2(source), offset: source.coordinate })
        .map((plane) => (plane.normal.x === 0 && plane.normal.y === 0 ? { ...plane, normal: { x: 0, y: 1 } } : plane))
  }
}

/** Directions with a rational length, so that skins can touch exactly. */
export const PYTHAGOREAN: readonly Vec2[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 0.6, y: 0.8 },
  { x: 0.8, y: 0.6 },
].flatMap(({ x, y }) => [
  { x, y },
  { x: -x, y },
  { x, y: -y },
])

function ends(source: Source): Arbitrary<[Vec2, Vec2]> {
  const free = fc.tuple(vec2(source), vec2(source))
  const same = vec2(source).map((p): [Vec2, Vec2] => [p, { ...p }])
  const rational = fc
    .tuple(vec2(source), fc.constantFrom(...PYTHAGOREAN), fc.integer({ min: 1, max: 3 }))
    .map(([p, d, n]): [Vec2, Vec2] => [p, { x: p.x + n * Math.round(5 * d.x), y: p.y + n * Math.round(5 * d.y) }])
  return fc.oneof({ weight: 6, arbitrary: free }, { weight: 3, arbitrary: rational }, { weight: 1, arbitrary: same })
}

export function anyShape(source: Source, types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<Shape2d> {
  return fc.oneof(...types.map((type) => shapeOf(type, source)))
}

/** An unrotated body near the origin. */
export function unrotatedBody(source: Source, types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<Body2d> {
  return fc.record({ shape: anyShape(source, types), position: vec2(source) })
}

export const anyRotation: Arbitrary<number> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(Math.PI / 2, Math.PI, -Math.PI / 4) },
  { weight: 4, arbitrary: unit.map((u) => 20 * u - 10) },
)

/** A body, rotated more often than not (an aabb never). */
export function anyBody(types: readonly ShapeType[] = SHAPE_TYPES, source: Source = UNIFORM): Arbitrary<Body2d> {
  return fc
    .record({ shape: anyShape(source, types), position: vec2(source), rotation: anyRotation })
    .map((body) => (body.shape.type === 'aabb' ? { ...body, rotation: 0 } : body))
}

/** Bodies on the grid or with full-precision numbers, rotated or not. */
export function mixedBody(types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<Body2d> {
  return fc.oneof(unrotatedBody(GRID, types), unrotatedBody(UNIFORM, types), anyBody(types))
}
