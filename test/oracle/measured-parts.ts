/**
 * Composite bodies in plain doubles, any rotation, for approximate but independent measuring: a list of convex leaves
 * (the edges of chains and regions are leaves of their own) and the rings of the solid ones.
 */
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { gapAlong, type MeasuredBody, type MeasuredHull, measuredBody, sweptSeparation } from './measured-bodies.ts'
import { segmentDistance, signedDistance } from './point-distance.ts'

export interface MeasuredParts {
  leaves: MeasuredBody[]
  /** Rings of each region. */
  regions: Vec2[][][]
}

const NOWHERE: Vec2 = { x: 0, y: 0 }

export function measuredParts(body: Body2d, reference: Vec2 = NOWHERE): MeasuredParts {
  const { shape, rotation = 0, position = NOWHERE } = body
  const at = { x: position.x - reference.x, y: position.y - reference.y }
  const cos = rotation === 0 ? 1 : Math.cos(rotation)
  const sin = rotation === 0 ? 0 : Math.sin(rotation)
  const world = ({ x, y }: Vec2): Vec2 => ({ x: at.x + (cos * x - sin * y), y: at.y + (sin * x + cos * y) })
  if (shape.type === 'compound') {
    const children = shape.children.map((child) =>
      measuredParts({
        shape: child.shape,
        position: world(child.position ?? NOWHERE),
        rotation: rotation + (child.rotation ?? 0),
      }),
    )
    return { leaves: children.flatMap(({ leaves }) => leaves), regions: children.flatMap(({ regions }) => regions) }
  }
  if (shape.type === 'chain') return { leaves: edgesOf(shape.vertices.map(world), shape.loop ?? false), regions: [] }
  if (shape.type === 'region') {
    const rings = [shape.outer, ...(shape.holes ?? [])].map((ring) => ring.map(world))
    return { leaves: rings.flatMap((ring) => edgesOf(ring, true)), regions: [rings] }
  }
  return { leaves: [measuredBody(body, reference)], regions: [] }
}

function edgesOf(ring: readonly Vec2[], closed: boolean): MeasuredHull[] {
  const last = closed ? ring.length : ring.length - 1
  return Array.from({ length: last }, (_, i): MeasuredHull => {
    const points = [ring[i], ring[(i + 1) % ring.length]]
    return { kind: 'hull', points, ring: points, radius: 0 }
  })
}

/** Signed distance of a point to the union; where parts overlap, a bound on its depth only. */
export function partsDistance({ leaves, regions }: MeasuredParts, point: Vec2): number {
  const least = Math.min(...leaves.map((leaf) => signedDistance(leaf, point)))
  const depth = Math.max(0, ...regions.map((rings) => (isWithin(rings, point) ? ringsDistance(rings, point) : 0)))
  return Math.min(least, depth > 0 ? -depth : Number.POSITIVE_INFINITY)
}

function ringsDistance(rings: readonly Vec2[][], point: Vec2): number {
  return Math.min(
    ...rings.flatMap((ring) => ring.map((p, i) => segmentDistance(point, p, ring[(i + 1) % ring.length]))),
  )
}

/** Even-odd, in doubles: not to be trusted on the boundary. */
export function isWithin(rings: readonly Vec2[][], point: Vec2): boolean {
  let inside = false
  for (const ring of rings) {
    ring.forEach((p, i) => {
      const q = ring[(i + 1) % ring.length]
      if (p.y > point.y === q.y > point.y) return
      const x = p.x + ((point.y - p.y) / (q.y - p.y)) * (q.x - p.x)
      if (x > point.x) inside = !inside
    })
  }
  return inside
}

/** Distance of the unions when apart, else minus a lower bound on how deep they are in each other. */
export function partsSeparation(a: MeasuredParts, b: MeasuredParts): number {
  let least = Number.POSITIVE_INFINITY
  for (const p of a.leaves) for (const q of b.leaves) least = Math.min(least, leafSeparation(p, q))
  const depth = Math.max(depthWithin(a, b), depthWithin(b, a))
  return depth > 0 ? Math.min(-depth, least) : least
}

/** How deep the deepest of the leaves' own points lies in a region. */
function depthWithin({ regions }: MeasuredParts, { leaves }: MeasuredParts): number {
  const depths = regions.flatMap((rings) =>
    leaves.map(coreOf).map((point) => (isWithin(rings, point) ? ringsDistance(rings, point) : 0)),
  )
  return Math.max(0, ...depths)
}

/** Any point of the leaf. */
export function coreOf(leaf: MeasuredBody): Vec2 {
  if (leaf.kind === 'hull') return leaf.points[0]
  if (leaf.kind === 'ellipse') return leaf.center
  return { x: leaf.normal.x * leaf.offset, y: leaf.normal.y * leaf.offset }
}

/** Signed separation of two convex bodies; hulls in closed form, others by the sweep over all directions. */
export function leafSeparation(a: MeasuredBody, b: MeasuredBody): number {
  if (a.kind !== 'hull' || b.kind !== 'hull') return sweptSeparation(a, b)
  let gap = Number.NEGATIVE_INFINITY
  for (const [body, sign] of [[a, 1] as const, [b, -1] as const]) {
    if (body.ring.length < 2) continue
    body.ring.forEach((p, i) => {
      const q = body.ring[(i + 1) % body.ring.length]
      const length = Math.hypot(q.x - p.x, q.y - p.y)
      if (length === 0) return
      const ux = (sign * (q.x - p.x)) / length
      const uy = (sign * (q.y - p.y)) / length
      gap = Math.max(gap, gapAlong(a, b, uy, -ux))
      // Of a segment also its own direction: beside its ends, rounding may turn a gap of 0 across it into an overlap.
      if (body.ring.length === 2) gap = Math.max(gap, gapAlong(a, b, ux, uy))
    })
  }
  const radii = a.radius + b.radius
  // Cores that overlap: the widest gap is the depth. Two points have none.
  if (gap > Number.NEGATIVE_INFINITY && gap + radii < 0) return gap
  return coreDistance(a, b) - radii
}

function coreDistance(a: MeasuredHull, b: MeasuredHull): number {
  let least = Number.POSITIVE_INFINITY
  for (const [points, ring] of [[a.points, b.ring] as const, [b.points, a.ring] as const]) {
    for (const point of points) {
      ring.forEach((p, i) => {
        least = Math.min(least, segmentDistance(point, p, ring[(i + 1) % ring.length]))
      })
    }
  }
  return least
}
