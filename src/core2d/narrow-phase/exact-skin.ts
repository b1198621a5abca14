/**
 * Exact relation of rounded convex bodies whose cores are disjoint: the sign of d² − R² over the nearest vertex–vertex
 * and vertex–edge pairs, in exact arithmetic (`numeric/exact-ring.ts`), and the gap to nearly full relative precision.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { exactly, type Ring } from '../../numeric/exact-ring.ts'
import type { Body } from '../shape/body.ts'
import { preceding } from '../shape/edge.ts'
import {
  createExactPoints,
  type ExactPoints,
  type ExactSeparation,
  exactEdge,
  inputRangeOf,
} from '../shape/exact-points.ts'

/** Relation of bodies whose cores are known to be disjoint, with (nx, ny) the unit direction of the nearest pair. */
export function exactSkinSeparation(
  a: Body,
  b: Body,
  dx: number,
  dy: number,
  nx: number,
  ny: number,
  error: number,
): ExactSeparation {
  const near = nearFeatures(a, b, dx, dy, nx, ny, error)
  return exactly(inputRangeOf(a, b), 4, (ring) => skinSeparation(ring, a, b, near))
}

/** Vertices that can take part in the nearest pair, for each body. */
interface NearFeatures {
  a: number[]
  b: number[]
}

/**
 * A pair of points no farther apart than the skins allow lies within `slack` of both supports along the normal, because
 * the slab between the supports separates the cores.
 */
function nearFeatures(a: Body, b: Body, dx: number, dy: number, nx: number, ny: number, error: number): NearFeatures {
  let highest = -Infinity
  for (let i = 0; i < a.count; i++) highest = Math.max(highest, nx * a.local[2 * i] + ny * a.local[2 * i + 1])
  let lowest = Infinity
  const base = nx * dx + ny * dy
  for (let i = 0; i < b.count; i++) lowest = Math.min(lowest, base + nx * b.local[2 * i] + ny * b.local[2 * i + 1])
  const slack = Math.max(a.radius + b.radius - (lowest - highest), 0) + 8 * error
  const near: NearFeatures = { a: [], b: [] }
  for (let i = 0; i < a.count; i++) {
    if (nx * a.local[2 * i] + ny * a.local[2 * i + 1] >= highest - slack) near.a.push(i)
  }
  for (let i = 0; i < b.count; i++) {
    if (base + nx * b.local[2 * i] + ny * b.local[2 * i + 1] <= lowest + slack) near.b.push(i)
  }
  return near
}

/** Exact sign of d² − R² for the nearest of the near features, and the gap. */
function skinSeparation<T>(ring: Ring<T>, a: Body, b: Body, near: NearFeatures): ExactSeparation {
  const { add, sub, mul } = ring
  const radius = a.radius + b.radius
  const exactRadius = add(ring.of(a.radius), ring.of(b.radius))
  const radiusSquare = mul(exactRadius, exactRadius)
  const pointsA = createExactPoints(ring, a)
  const pointsB = createExactPoints(ring, b)
  let nearest: T | undefined
  for (const i of near.a) {
    for (const k of near.b) {
      const qx = sub(pointsB.x(k), pointsA.x(i))
      const qy = sub(pointsB.y(k), pointsA.y(i))
      const square = add(mul(qx, qx), mul(qy, qy))
      if (nearest === undefined || ring.sign(sub(square, nearest)) < 0) nearest = square
    }
  }
  if (nearest === undefined) return { sign: 1, value: Number.NaN }
  const corners = sub(nearest, radiusSquare)
  const best = { sign: ring.sign(corners), value: gapFromSquares(ring.ratio(corners, radiusSquare), radius) }
  const tryEdges = (owner: ExactPoints<T>, edges: Set<number>, other: ExactPoints<T>, vertices: number[]): void => {
    for (const i of edges) {
      if (best.sign < 0) return
      const [ex, ey] = exactEdge(ring, owner.body, i)
      const length = add(mul(ex, ex), mul(ey, ey))
      const height = nearestHeight(ring, owner, i, ex, ey, length, other, vertices)
      if (height === undefined) continue
      // d²/R² − 1 with d = h/|e|, free of the division.
      const bound = mul(radiusSquare, length)
      const difference = sub(mul(height, height), bound)
      const sign = ring.sign(difference)
      const value = gapFromSquares(ring.ratio(difference, bound), radius)
      if (sign < best.sign) best.sign = sign
      if (!(best.value <= value)) best.value = value
    }
  }
  tryEdges(pointsA, edgesAt(near.a, a), pointsB, near.b)
  tryEdges(pointsB, edgesAt(near.b, b), pointsA, near.a)
  return best
}

/** Least height (times |e|) over an edge of the vertices that stand beside it, on either side; undefined if none does. */
function nearestHeight<T>(
  ring: Ring<T>,
  owner: ExactPoints<T>,
  i: number,
  ex: T,
  ey: T,
  length: T,
  other: ExactPoints<T>,
  vertices: number[],
): T | undefined {
  const { add, sub, mul } = ring
  let least: T | undefined
  for (const k of vertices) {
    const qx = sub(other.x(k), owner.x(i))
    const qy = sub(other.y(k), owner.y(i))
    const along = add(mul(ex, qx), mul(ey, qy))
    if (ring.sign(along) <= 0 || ring.sign(sub(along, length)) >= 0) continue
    const signed = sub(mul(ey, qx), mul(ex, qy))
    const height = ring.sign(signed) < 0 ? sub(ring.integer(0), signed) : signed
    if (least === undefined || ring.sign(sub(height, least)) < 0) least = height
  }
  return least
}

/** Edges that start or end at one of the vertices; a segment's two edges are one line. */
function edgesAt(vertices: number[], body: Body): Set<number> {
  const edges = new Set<number>()
  if (body.count === 2) edges.add(0)
  else if (body.count > 2) {
    for (const i of vertices) edges.add(i).add(preceding(body, i))
  }
  return edges
}

/** d − R from r = d²/R² − 1: R(√(1 + r) − 1), written so that a tiny r loses nothing. NaN when r has overflowed. */
export function gapFromSquares(excess: number, radius: number): number {
  return (radius * excess) / (1 + Math.sqrt(Math.max(1 + excess, 0)))
}
