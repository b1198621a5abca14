/**
 * Exact relation of two rounded convex cores (points, segments, polygons with skin radii) where rounding leaves it open.
 *
 * Method: the cores' relation is the sign of the best separating face (every face of the Minkowski difference of two
 * convex polygons comes from an edge of one of them); with a skin R > 0 around disjoint cores it is the sign of
 * d² − R² over the nearest vertex–vertex and vertex–edge pairs. Only features that rounding cannot rule out are looked
 * at, each in exact arithmetic (`exact-ring.ts`). World vertex = position + vertex, taken as exact numbers.
 * Where a sign is decided, the separation comes out to nearly full relative precision as well, however small.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */
import type { Body } from './body.ts'
import { createInputRange, exactly, type InputRange, includeInput, type Ring, type Sign } from './exact-ring.ts'

/** Exact sign of the separation, and its value where that is known better than rounding; NaN otherwise. */
export interface ExactSeparation {
  sign: Sign
  value: number
}

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
  const rounded = a.radius + b.radius > 0
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

function inputRangeOf(a: Body, b: Body): InputRange {
  const range = createInputRange()
  includeBody(range, a)
  includeBody(range, b)
  return range
}

function includeBody(range: InputRange, body: Body): void {
  includeInput(range, body.x)
  includeInput(range, body.y)
  includeInput(range, body.radius)
  for (let i = 0; i < 2 * body.count; i++) includeInput(range, body.vertices[i])
}

/** Exact world coordinates of core point `i`. */
export function exactX<T>(ring: Ring<T>, body: Body, i: number): T {
  return ring.add(ring.of(body.x), ring.of(body.vertices[2 * i]))
}

export function exactY<T>(ring: Ring<T>, body: Body, i: number): T {
  return ring.add(ring.of(body.y), ring.of(body.vertices[2 * i + 1]))
}

function coreSeparation<T>(ring: Ring<T>, a: Body, b: Body, dx: number, dy: number, error: number): ExactSeparation {
  if (a.count === 1 && b.count === 1) {
    const same =
      ring.sign(ring.sub(exactX(ring, a, 0), exactX(ring, b, 0))) === 0 &&
      ring.sign(ring.sub(exactY(ring, a, 0), exactY(ring, b, 0))) === 0
    return { sign: same ? 0 : 1, value: same ? 0 : Number.NaN }
  }
  const best: ExactSeparation = { sign: -1, value: -Infinity }
  searchFaces(ring, a, b, dx, dy, error, best)
  searchFaces(ring, b, a, -dx, -dy, error, best)
  if (best.sign < 0) best.value = Number.NaN
  return best
}

/** Raises `best` to the greatest exact height of `other` over the edges (and, for segments, ends) of `owner`. */
function searchFaces<T>(
  ring: Ring<T>,
  owner: Body,
  other: Body,
  dx: number,
  dy: number,
  error: number,
  best: ExactSeparation,
): void {
  const { count, normals, local } = owner
  if (count < 2) return
  for (let i = 0; i < count; i++) {
    const j = i + 1 === count ? 0 : i + 1
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
    raise(ring, owner, other, i, j, false, nx, ny, nx * (dx - local[2 * i]) + ny * (dy - local[2 * i + 1]), error, best)
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
      -ny * (dx - local[2 * j]) + nx * (dy - local[2 * j + 1]),
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
  owner: Body,
  other: Body,
  i: number,
  j: number,
  end: boolean,
  nx: number,
  ny: number,
  base: number,
  error: number,
  best: ExactSeparation,
): void {
  let least = Infinity
  for (let k = 0; k < other.count; k++) {
    least = Math.min(least, base + nx * other.local[2 * k] + ny * other.local[2 * k + 1])
  }
  if (least < -2 * error) return
  const { sub, mul } = ring
  const ox = exactX(ring, owner, end ? j : i)
  const oy = exactY(ring, owner, end ? j : i)
  const ex = sub(ring.of(owner.vertices[2 * j]), ring.of(owner.vertices[2 * i]))
  const ey = sub(ring.of(owner.vertices[2 * j + 1]), ring.of(owner.vertices[2 * i + 1]))
  let lowest: T | undefined
  for (let k = 0; k < other.count; k++) {
    if (base + nx * other.local[2 * k] + ny * other.local[2 * k + 1] > least + 4 * error) continue
    const qx = sub(exactX(ring, other, k), ox)
    const qy = sub(exactY(ring, other, k), oy)
    const height = end ? ring.add(mul(ex, qx), mul(ey, qy)) : sub(mul(ey, qx), mul(ex, qy))
    if (lowest === undefined || ring.sign(sub(height, lowest)) < 0) lowest = height
  }
  if (lowest === undefined) return
  const sign = ring.sign(lowest)
  if (sign < best.sign) return
  // height / |e|, with |e| taken from its larger component and the rounded unit normal.
  const tall = Math.abs(nx) > Math.abs(ny) === !end
  const large = tall ? ey : ex
  const share = end ? (tall ? ny : nx) : tall ? nx : -ny
  const value = ring.length(lowest, large) * share
  best.value = sign > best.sign ? value : Math.max(best.value, value)
  best.sign = sign
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

/** Least exact sign of d² − R² over the near features; the value of the least difference. */
function skinSeparation<T>(ring: Ring<T>, a: Body, b: Body, near: NearFeatures): ExactSeparation {
  const { add, sub, mul } = ring
  const radius = add(ring.of(a.radius), ring.of(b.radius))
  const radiusSquare = mul(radius, radius)
  const best: ExactSeparation = { sign: 1, value: Infinity }
  const lower = (sign: Sign, value: number): void => {
    if (sign < best.sign) best.sign = sign
    if (value < best.value) best.value = value // never for NaN
  }
  const tryEdge = (owner: Body, i: number, other: Body, k: number): void => {
    const j = i + 1 === owner.count ? 0 : i + 1
    const ex = sub(ring.of(owner.vertices[2 * j]), ring.of(owner.vertices[2 * i]))
    const ey = sub(ring.of(owner.vertices[2 * j + 1]), ring.of(owner.vertices[2 * i + 1]))
    const qx = sub(exactX(ring, other, k), exactX(ring, owner, i))
    const qy = sub(exactY(ring, other, k), exactY(ring, owner, i))
    const along = add(mul(ex, qx), mul(ey, qy))
    const square = add(mul(ex, ex), mul(ey, ey))
    if (ring.sign(along) <= 0 || ring.sign(sub(along, square)) >= 0) return
    const height = sub(mul(ey, qx), mul(ex, qy))
    const bound = mul(radiusSquare, square)
    const difference = sub(mul(height, height), bound)
    // d²/R² − 1 with d = h/|e|, free of the division.
    lower(ring.sign(difference), gapFromSquares(ring.ratio(difference, bound), a.radius + b.radius))
  }
  for (const i of near.a) {
    for (const k of near.b) {
      const qx = sub(exactX(ring, b, k), exactX(ring, a, i))
      const qy = sub(exactY(ring, b, k), exactY(ring, a, i))
      const difference = sub(add(mul(qx, qx), mul(qy, qy)), radiusSquare)
      lower(ring.sign(difference), gapFromSquares(ring.ratio(difference, radiusSquare), a.radius + b.radius))
    }
  }
  for (const i of edgesAt(near.a, a)) for (const k of near.b) tryEdge(a, i, b, k)
  for (const i of edgesAt(near.b, b)) for (const k of near.a) tryEdge(b, i, a, k)
  if (best.value === Infinity) best.value = Number.NaN
  return best
}

/** Edges that start or end at one of the vertices; a segment's two edges are one line. */
function edgesAt(vertices: number[], body: Body): Set<number> {
  const edges = new Set<number>()
  if (body.count === 2) edges.add(0)
  else if (body.count > 2) {
    for (const i of vertices) edges.add(i).add(i === 0 ? body.count - 1 : i - 1)
  }
  return edges
}

/** d − R from r = d²/R² − 1: R(√(1 + r) − 1), written so that a tiny r loses nothing. NaN when r has overflowed. */
export function gapFromSquares(excess: number, radius: number): number {
  return (radius * excess) / (1 + Math.sqrt(Math.max(1 + excess, 0)))
}
