/**
 * Unrotated convex wire bodies as exact integer sets on a common grid: a convex hull with a skin radius,
 * an axis-parallel ellipse, or a half-plane. World vertex = position + vertex, taken exactly.
 * Chains, regions and compounds are lists of these: `exact-parts.ts`.
 */
import type { Body2d } from '../../schemas/shapes2d.ts'
import { type Grid, gridFor, toGrid } from './exact-numbers.ts'

export interface Point {
  x: bigint
  y: bigint
}

export interface RoundedHull {
  kind: 'hull'
  /** Strictly convex, counter-clockwise; one or two points when the shape is a point or a segment. */
  hull: Point[]
  radius: bigint
}

export interface Ellipse {
  kind: 'ellipse'
  center: Point
  rx: bigint
  ry: bigint
}

/** normal·(x − origin) ≤ offset·|normal|; the normal has its own grid, only its direction counts. */
export interface Halfplane {
  kind: 'halfplane'
  normal: Point
  origin: Point
  offset: bigint
}

export type ExactBody = RoundedHull | Ellipse | Halfplane

export function cross(o: Point, a: Point, b: Point): bigint {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x)
}

export function subtract(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y }
}

export function dot(a: Point, b: Point): bigint {
  return a.x * b.x + a.y * b.y
}

/** Convex hull by Andrew's monotone chain, without collinear points. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((p, q) => (p.x === q.x ? compare(p.y, q.y) : compare(p.x, q.x)))
  const distinct = sorted.filter((p, i) => i === 0 || p.x !== sorted[i - 1].x || p.y !== sorted[i - 1].y)
  if (distinct.length < 3) return distinct
  const lower = halfHull(distinct)
  const upper = halfHull(distinct.reverse())
  return [...lower.slice(0, -1), ...upper.slice(0, -1)]
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function halfHull(points: readonly Point[]): Point[] {
  const chain: Point[] = []
  for (const p of points) {
    while (chain.length >= 2 && cross(chain[chain.length - 2], chain[chain.length - 1], p) <= 0n) chain.pop()
    chain.push(p)
  }
  return chain
}

/** Every length and coordinate of a body (not the direction of a half-plane's normal). */
export function lengthsOf(body: Body2d): number[] {
  const shape = body.shape
  const position = [body.position?.x ?? 0, body.position?.y ?? 0]
  switch (shape.type) {
    case 'point':
      return position
    case 'circle':
      return [...position, shape.radius]
    case 'segment':
      return [...position, shape.a.x, shape.a.y, shape.b.x, shape.b.y]
    case 'capsule':
      return [...position, shape.a.x, shape.a.y, shape.b.x, shape.b.y, shape.radius]
    case 'box':
      return [...position, shape.width, shape.height, shape.radius ?? 0]
    case 'aabb':
      return [...position, shape.min.x, shape.min.y, shape.max.x, shape.max.y]
    case 'polygon':
      return [...position, shape.radius ?? 0, ...shape.vertices.flatMap((v) => [v.x, v.y])]
    case 'ellipse':
      return [...position, shape.rx, shape.ry]
    case 'halfplane':
      return [...position, shape.offset]
    case 'chain':
      return [...position, ...shape.vertices.flatMap((v) => [v.x, v.y])]
    case 'region':
      return [...position, ...[shape.outer, ...(shape.holes ?? [])].flat().flatMap((v) => [v.x, v.y])]
    case 'compound':
      return [...position, ...shape.children.flatMap(lengthsOf)]
  }
}

export function commonGrid(bodies: readonly Body2d[], more: readonly number[] = []): Grid {
  return gridFor([...bodies.flatMap(lengthsOf), ...more])
}

const ORIGIN: Point = { x: 0n, y: 0n }

/** Where the body's local origin lies, in a frame that itself stands at `parent`. */
export function exactOrigin(grid: Grid, body: Body2d, parent: Point = ORIGIN): Point {
  if ((body.rotation ?? 0) !== 0) throw new Error('the exact oracle knows only unrotated bodies')
  const { x = 0, y = 0 } = body.position ?? {}
  return { x: parent.x + toGrid(grid, x), y: parent.y + toGrid(grid, y) }
}

export function exactBody(grid: Grid, body: Body2d, parent: Point = ORIGIN): ExactBody {
  const shape = body.shape
  const g = (x: number): bigint => toGrid(grid, x)
  const origin = exactOrigin(grid, body, parent)
  const world = (x: number, y: number): Point => ({ x: origin.x + g(x), y: origin.y + g(y) })
  const rounded = (points: Point[], radius: number): RoundedHull => ({
    kind: 'hull',
    hull: convexHull(points),
    radius: g(radius),
  })
  switch (shape.type) {
    case 'point':
      return rounded([origin], 0)
    case 'circle':
      return rounded([origin], shape.radius)
    case 'segment':
      return rounded([world(shape.a.x, shape.a.y), world(shape.b.x, shape.b.y)], 0)
    case 'capsule':
      return rounded([world(shape.a.x, shape.a.y), world(shape.b.x, shape.b.y)], shape.radius)
    case 'box': {
      const hx = g(shape.width) / 2n
      const hy = g(shape.height) / 2n
      const corner = (sx: bigint, sy: bigint): Point => ({ x: origin.x + sx * hx, y: origin.y + sy * hy })
      return rounded([corner(-1n, -1n), corner(1n, -1n), corner(1n, 1n), corner(-1n, 1n)], shape.radius ?? 0)
    }
    case 'aabb': {
      const { min, max } = shape
      return rounded([world(min.x, min.y), world(max.x, min.y), world(max.x, max.y), world(min.x, max.y)], 0)
    }
    case 'polygon':
      return rounded(
        shape.vertices.map((v) => world(v.x, v.y)),
        shape.radius ?? 0,
      )
    case 'ellipse':
      return { kind: 'ellipse', center: origin, rx: g(shape.rx), ry: g(shape.ry) }
    case 'halfplane': {
      const own = gridFor([shape.normal.x, shape.normal.y])
      const normal = { x: toGrid(own, shape.normal.x), y: toGrid(own, shape.normal.y) }
      return { kind: 'halfplane', normal, origin, offset: g(shape.offset) }
    }
    default:
      throw new Error(`a ${shape.type} is not one convex set`)
  }
}
