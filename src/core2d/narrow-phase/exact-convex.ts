/**
 * Exact relation of two rounded convex cores (points, segments, polygons with skin radii) where rounding leaves it open.
 *
 * Method: the cores' relation is the sign of the best separating face (every face of the Minkowski difference of two
 * convex polygons comes from an edge of one of them); with a skin R > 0 around disjoint cores it is the sign of
 * d² − R² over the nearest features. Only features that rounding cannot rule out are looked
 * at, each in exact arithmetic (`numeric/exact-ring.ts`). World vertex = position + vertex, taken as exact numbers.
 * Where a sign is decided, the separation comes out to nearly full relative precision as well, however small.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { exactly, type Ring } from '../../numeric/exact-ring.ts'
import { type Body, following, LOCAL, preceding, RADIUS, REACH } from '../shape/body.ts'
import {
  createExactPoints,
  type ExactPoints,
  type ExactSeparation,
  exactEdge,
  exactX,
  exactY,
  inputRangeOf,
} from '../shape/exact-points.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

/**
 * Relation of the rounded bodies, where the rounded `distance` of the cores along the unit normal (nx, ny) from A to B
 * leaves it open. `error`: bound on the rounding error of distances in this pair.
 */
export function exactConvexSeparation(
  a: Body,
  b: Body,
  dx: number,
  dy: number,
  nx: number,
  ny: number,
  distance: number,
  error: number,
): ExactSeparation {
  const rounded = a.numbers[RADIUS] + b.numbers[RADIUS] > 0
  if (!rounded || distance <= 2 * error) {
    const cores = exactCoreSeparation(a, b, dx, dy, error)
    if (!rounded) return cores
    if (cores.sign <= 0) return { sign: -1, value: Number.NaN }
  }
  return exactSkinSeparation(a, b, dx, dy, nx, ny, error)
}

/** Relation of the cores alone. The value is known (not NaN) where the sign is that of a face or of coincidence. */
export function exactCoreSeparation(a: Body, b: Body, dx: number, dy: number, error: number): ExactSeparation {
  return exactly(inputRangeOf(a, b), 2, (ring) => coreSeparation(ring, a, b, dx, dy, error))
}

function coreSeparation<T>(ring: Ring<T>, a: Body, b: Body, dx: number, dy: number, error: number): ExactSeparation {
  if (a.count === 1 && b.count === 1) {
    const same =
      ring.sign(ring.sub(exactX(ring, a, 0), exactX(ring, b, 0))) === 0 &&
      ring.sign(ring.sub(exactY(ring, a, 0), exactY(ring, b, 0))) === 0
    return { sign: same ? 0 : 1, value: same ? 0 : Number.NaN }
  }
  const best: ExactSeparation = { sign: -1, value: -Infinity }
  const pointsA = createExactPoints(ring, a)
  const pointsB = createExactPoints(ring, b)
  searchFaces(ring, pointsA, pointsB, dx, dy, error, best)
  searchFaces(ring, pointsB, pointsA, -dx, -dy, error, best)
  if (best.sign < 0) best.value = Number.NaN
  return best
}

/** Raises `best` to the greatest exact height of `other` over the edges (and, for segments, ends) of `owner`. */
function searchFaces<T>(
  ring: Ring<T>,
  owner: ExactPoints<T>,
  other: ExactPoints<T>,
  dx: number,
  dy: number,
  error: number,
  best: ExactSeparation,
): void {
  const { count, normals, numbers } = owner.body
  if (count < 2) return
  // One separating face is proof enough.
  for (let i = 0; i < count && best.sign <= 0; i++) {
    const j = following(owner.body, i)
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    raise(
      ring,
      owner,
      other,
      i,
      j,
      false,
      nx,
      ny,
      nx * (dx - numbers[LOCAL + 2 * i]) + ny * (dy - numbers[LOCAL + 2 * i + 1]),
      error,
      best,
    )
    if (count > 2) continue
    // Along the segment, out of its end j.
    raise(
      ring,
      owner,
      other,
      i,
      j,
      true,
      -ny,
      nx,
      -ny * (dx - numbers[LOCAL + 2 * j]) + nx * (dy - numbers[LOCAL + 2 * j + 1]),
      error,
      best,
    )
  }
}

/**
 * Height of `other` over the line through edge (i, j) of `owner` (or, `end`, over the line across its end j), where the
 * rounded height may be positive or zero. `base`: height of the other's anchor along the unit direction (nx, ny).
 */
function raise<T>(
  ring: Ring<T>,
  owner: ExactPoints<T>,
  other: ExactPoints<T>,
  i: number,
  j: number,
  end: boolean,
  nx: number,
  ny: number,
  base: number,
  error: number,
  best: ExactSeparation,
): void {
  const { count, numbers } = other.body
  let least = Infinity
  for (let k = 0; k < count; k++) least = Math.min(least, nx * numbers[LOCAL + 2 * k] + ny * numbers[LOCAL + 2 * k + 1])
  if (base + least < -2 * error) return
  // The other's vertices share its place: their order over the line is known to their own body's precision.
  const limit = least + 4 * SEPARATION_ERROR_RATIO * other.body.numbers[REACH]
  const { sub, mul } = ring
  const ox = owner.x(end ? j : i)
  const oy = owner.y(end ? j : i)
  const [ex, ey] = exactEdge(ring, owner.body, i)
  let lowest: T | undefined
  for (let k = 0; k < count; k++) {
    if (nx * numbers[LOCAL + 2 * k] + ny * numbers[LOCAL + 2 * k + 1] > limit) continue
    const qx = sub(other.x(k), ox)
    const qy = sub(other.y(k), oy)
    const height = end ? ring.add(mul(ex, qx), mul(ey, qy)) : sub(mul(ey, qx), mul(ex, qy))
    // One vertex behind the line is enough to rule the face out.
    if (ring.sign(height) < Math.max(best.sign, 0)) return
    if (lowest === undefined || ring.sign(sub(height, lowest)) < 0) lowest = height
  }
  if (lowest === undefined) return
  const sign = ring.sign(lowest)
  // height / |e|, with |e| taken from its larger component and the rounded unit normal.
  const tall = Math.abs(nx) > Math.abs(ny) === !end
  const large = tall ? ey : ex
  // Rounding has turned the edge into a point: it has no face.
  if (ring.sign(large) === 0) return
  const share = end ? (tall ? ny : nx) : tall ? nx : -ny
  const value = ring.length(lowest, large) * share
  best.value = sign > best.sign ? value : Math.max(best.value, value)
  best.sign = sign
}

// Exact relation of rounded convex bodies whose cores are disjoint: the sign of d² − R² over the nearest vertex–vertex
// and vertex–edge pairs, in exact arithmetic (`numeric/exact-ring.ts`), and the gap to nearly full relative precision.
// Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).

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
  for (let i = 0; i < a.count; i++)
    highest = Math.max(highest, nx * a.numbers[LOCAL + 2 * i] + ny * a.numbers[LOCAL + 2 * i + 1])
  let lowest = Infinity
  const base = nx * dx + ny * dy
  for (let i = 0; i < b.count; i++)
    lowest = Math.min(lowest, base + nx * b.numbers[LOCAL + 2 * i] + ny * b.numbers[LOCAL + 2 * i + 1])
  const slack = Math.max(a.numbers[RADIUS] + b.numbers[RADIUS] - (lowest - highest), 0) + 8 * error
  const near: NearFeatures = { a: [], b: [] }
  for (let i = 0; i < a.count; i++) {
    if (nx * a.numbers[LOCAL + 2 * i] + ny * a.numbers[LOCAL + 2 * i + 1] >= highest - slack) near.a.push(i)
  }
  for (let i = 0; i < b.count; i++) {
    if (base + nx * b.numbers[LOCAL + 2 * i] + ny * b.numbers[LOCAL + 2 * i + 1] <= lowest + slack) near.b.push(i)
  }
  return near
}

/** Exact sign of d² − R² for the nearest of the near features, and the gap. */
function skinSeparation<T>(ring: Ring<T>, a: Body, b: Body, near: NearFeatures): ExactSeparation {
  const { add, sub, mul } = ring
  const radius = a.numbers[RADIUS] + b.numbers[RADIUS]
  const exactRadius = add(ring.of(a.numbers[RADIUS]), ring.of(b.numbers[RADIUS]))
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
