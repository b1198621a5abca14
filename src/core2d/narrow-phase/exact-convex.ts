/**
 * Exact relation of two rounded convex cores (points, segments, polygons with skin radii) where rounding leaves it open.
 *
 * Method: the cores' relation is the sign of the best separating face (every face of the Minkowski difference of two
 * convex polygons comes from an edge of one of them); with a skin R > 0 around disjoint cores it is the sign of
 * d² − R² over the nearest features (`exact-skin.ts`). Only features that rounding cannot rule out are looked
 * at, each in exact arithmetic (`numeric/exact-ring.ts`). World vertex = position + vertex, taken as exact numbers.
 * Where a sign is decided, the separation comes out to nearly full relative precision as well, however small.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { exactly, type Ring } from '../../numeric/exact-ring.ts'
import type { Body } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
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
import { exactSkinSeparation } from './exact-skin.ts'

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
  const { count, normals, local } = owner.body
  if (count < 2) return
  // One separating face is proof enough.
  for (let i = 0; i < count && best.sign <= 0; i++) {
    const j = following(owner.body, i)
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
  const { count, local } = other.body
  let least = Infinity
  for (let k = 0; k < count; k++) least = Math.min(least, nx * local[2 * k] + ny * local[2 * k + 1])
  if (base + least < -2 * error) return
  // The other's vertices share its place: their order over the line is known to their own body's precision.
  const limit = least + 4 * SEPARATION_ERROR_RATIO * other.body.reach
  const { sub, mul } = ring
  const ox = owner.x(end ? j : i)
  const oy = owner.y(end ? j : i)
  const [ex, ey] = exactEdge(ring, owner.body, i)
  let lowest: T | undefined
  for (let k = 0; k < count; k++) {
    if (nx * local[2 * k] + ny * local[2 * k + 1] > limit) continue
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
