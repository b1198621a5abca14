/**
 * Unrotated composite bodies as exact convex pieces: a chain is its segments, a compound its children's pieces, a region
 * the trapezoids between its edges and, once more with x and y exchanged, so that no flat body lies on seams of both.
 * Corners of trapezoids are rational: each piece has a scale of its own, by which its coordinates are multiplied.
 * Nested positions are added up exactly.
 */
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { convexHull, cross, type ExactBody, exactBody, exactOrigin, type Point } from './exact-bodies.ts'
import { type Grid, signOf, toGrid } from './exact-numbers.ts'

export interface Piece {
  scale: bigint
  body: ExactBody
  /** An edge of a region: what crosses it overlaps the solids beside it, unless it goes through a point where the region touches itself. */
  isBoundary?: boolean
}

export interface ExactParts {
  /** Convex bodies and edges. */
  leaves: Piece[]
  /** What the edges of regions enclose. */
  solids: Piece[]
  /** Rings of the regions among them. */
  regions: Point[][][]
}

export function exactParts(grid: Grid, body: Body2d, parent?: Point): ExactParts {
  const { shape } = body
  const world = (v: Vec2): Point => {
    const origin = exactOrigin(grid, body, parent)
    return { x: origin.x + toGrid(grid, v.x), y: origin.y + toGrid(grid, v.y) }
  }
  if (shape.type === 'compound') {
    const origin = exactOrigin(grid, body, parent)
    const children = shape.children.map((child) => exactParts(grid, child, origin))
    return {
      leaves: children.flatMap(({ leaves }) => leaves),
      solids: children.flatMap(({ solids }) => solids),
      regions: children.flatMap(({ regions }) => regions),
    }
  }
  if (shape.type === 'chain') {
    const edges = edgesOf(shape.vertices.map(world), shape.loop ?? false)
    return { leaves: edges.map(segmentPiece), solids: [], regions: [] }
  }
  if (shape.type === 'region') {
    const rings = [shape.outer, ...(shape.holes ?? [])].map((ring) => ring.map(world))
    const edges = rings.flatMap((ring) => edgesOf(ring, true))
    const leaves = edges.map((edge): Piece => ({ ...segmentPiece(edge), isBoundary: true }))
    return { leaves, solids: solidPieces(edges), regions: [rings] }
  }
  return { leaves: [{ scale: 1n, body: exactBody(grid, body, parent) }], solids: [], regions: [] }
}

export function piecesOf({ leaves, solids }: ExactParts): Piece[] {
  return [...leaves, ...solids]
}

type Edge = [Point, Point]

function edgesOf(ring: readonly Point[], closed: boolean): Edge[] {
  const last = closed ? ring.length : ring.length - 1
  return Array.from({ length: last }, (_, i): Edge => [ring[i], ring[(i + 1) % ring.length]])
}

function hullPiece(points: readonly Point[], scale: bigint): Piece {
  return { scale, body: { kind: 'hull', hull: convexHull(points), radius: 0n } }
}

function segmentPiece(edge: Edge): Piece {
  return hullPiece(edge, 1n)
}

function solidPieces(edges: readonly Edge[]): Piece[] {
  const exchanged = ({ x, y }: Point): Point => ({ x: y, y: x })
  const upright = trapezoids(edges.map(([p, q]): Edge => [exchanged(p), exchanged(q)]))
  return [
    ...trapezoids(edges).map(({ corners, scale }) => hullPiece(corners, scale)),
    ...upright.map(({ corners, scale }) => hullPiece(corners.map(exchanged), scale)),
  ]
}

interface Trapezoid {
  corners: Point[]
  scale: bigint
}

/** Between two neighbouring heights of vertices, every second gap between edges is solid. */
function trapezoids(edges: readonly Edge[]): Trapezoid[] {
  const heights = [...new Set(edges.flatMap(([p, q]) => [p.y, q.y]))].sort((p, q) => signOf(p - q))
  return heights.slice(1).flatMap((high, i) => slab(edges, heights[i], high))
}

/** Where an edge meets the two sides of a slab, times `scale`. */
interface Crossing {
  low: bigint
  high: bigint
  scale: bigint
}

function slab(edges: readonly Edge[], low: bigint, high: bigint): Trapezoid[] {
  const crossings = edges
    .map(([p, q]): Edge => (p.y < q.y ? [p, q] : [q, p]))
    .filter(([p, q]) => p.y <= low && q.y >= high)
    .map(([p, q]): Crossing => {
      const scale = q.y - p.y
      const at = (y: bigint): bigint => p.x * scale + (q.x - p.x) * (y - p.y)
      return { low: at(low), high: at(high), scale }
    })
    .sort((e, f) => signOf((e.low + e.high) * f.scale - (f.low + f.high) * e.scale))
  return Array.from({ length: crossings.length >> 1 }, (_, k): Trapezoid => {
    const left = crossings[2 * k]
    const right = crossings[2 * k + 1]
    const scale = left.scale * right.scale
    const corner = (x: bigint, y: bigint, other: bigint): Point => ({ x: x * other, y: y * scale })
    return {
      scale,
      corners: [
        corner(left.low, low, right.scale),
        corner(right.low, low, left.scale),
        corner(right.high, high, left.scale),
        corner(left.high, high, right.scale),
      ],
    }
  })
}

/** The body with every length times k. */
export function magnified(body: ExactBody, k: bigint): ExactBody {
  const times = ({ x, y }: Point): Point => ({ x: x * k, y: y * k })
  switch (body.kind) {
    case 'hull':
      return { ...body, hull: body.hull.map(times), radius: body.radius * k }
    case 'ellipse':
      return { ...body, center: times(body.center), rx: body.rx * k, ry: body.ry * k }
    case 'halfplane':
      return { ...body, origin: times(body.origin), offset: body.offset * k }
  }
}

/** −1 in the interior, 0 on an edge, 1 outside: crossings of the ray to the right, by exact turns. */
export function pointInRings(rings: readonly (readonly Point[])[], point: Point): -1 | 0 | 1 {
  let inside = false
  for (const [p, q] of rings.flatMap((ring) => edgesOf(ring, true))) {
    const turn = signOf(cross(p, q, point))
    const between = (u: bigint, v: bigint, w: bigint): boolean => (u <= w && w <= v) || (v <= w && w <= u)
    if (turn === 0 && between(p.x, q.x, point.x) && between(p.y, q.y, point.y)) return 0
    if (p.y > point.y !== q.y > point.y && (q.y > p.y ? turn > 0 : turn < 0)) inside = !inside
  }
  return inside ? -1 : 1
}
