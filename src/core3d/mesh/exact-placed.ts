/**
 * Exact signs about the triangles of a placed mesh and a point: on which side of a plane it lies, and of an edge as seen along an axis.
 *
 * Method: differences to the point in doubles, with a bound on the error of the determinant; where that leaves the sign open, the same
 * polynomial in exact arithmetic (`numeric/exact-ring.ts`).
 * Frame: world axes. The corners of a triangle are nine numbers, turned vertices as `putPlacedCorners` of `mesh.ts` writes them. A corner is
 * position + low + turned vertex, the point a sum of two vectors, all of it taken exactly; rounded coordinates count from the mesh's
 * position.
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { sumOfFour } from '../../numeric/expansion.ts'
import { EXACT_STEP_COUNT } from '../../numeric/roundoff.ts'
import { PLACED_ERROR_RATIO, PLACED_UNDERFLOW } from '../tolerances.ts'
import type { Placement } from './mesh.ts'

/** A point as a placed mesh sees it. */
export interface PlacedPoint {
  /** The world point is the sum of these two vectors. */
  sum: Float64Array
  /** Its place from the mesh's position, rounded once. */
  local: Float64Array
}

export function createPlacedPoint(): PlacedPoint {
  return { sum: new Float64Array(6), local: new Float64Array(3) }
}

/** Derives the rounded place from the sum. */
export function placePoint(point: PlacedPoint, { position }: Placement): void {
  const { sum, local } = point
  for (let k = 0; k < 3; k++) local[k] = sumOfFour(sum[k], -position[k], sum[k + 3], -position[k + 3])
}

type Exact<T> = readonly [T, T, T]

/** Runs a predicate on the exact corners, relative to the exact point. */
function exactlyFrom<R>(
  point: PlacedPoint,
  { position }: Placement,
  at: Float64Array,
  degree: number,
  predicate: <T>(ring: Ring<T>, a: Exact<T>, b: Exact<T>, c: Exact<T>) => R,
): R {
  spend(EXACT_STEP_COUNT)
  const range = createInputRange()
  for (let i = 0; i < 6; i++) {
    includeInput(range, point.sum[i])
    includeInput(range, position[i])
  }
  for (let i = 0; i < 9; i++) includeInput(range, at[i])
  return exactly(range, degree, <T>(ring: Ring<T>) => {
    const { of, add, sub } = ring
    const origin = [0, 1, 2].map((k) =>
      sub(add(of(position[k]), of(position[k + 3])), add(of(point.sum[k]), of(point.sum[k + 3]))),
    )
    const corner = (i: number): Exact<T> => [
      add(of(at[3 * i]), origin[0]),
      add(of(at[3 * i + 1]), origin[1]),
      add(of(at[3 * i + 2]), origin[2]),
    ]
    return predicate(ring, corner(0), corner(1), corner(2))
  })
}

/** 1 where the point lies above the plane of the triangle, where it is seen counter-clockwise from; −1 below; 0 in it, or where there is none. */
export function sideOfTriangle(point: PlacedPoint, placement: Placement, at: Float64Array): Sign {
  const [px, py, pz] = point.local
  const ax = at[0] - px
  const ay = at[1] - py
  const az = at[2] - pz
  const bx = at[3] - px
  const by = at[4] - py
  const bz = at[5] - pz
  const cx = at[6] - px
  const cy = at[7] - py
  const cz = at[8] - pz
  const determinant = az * (bx * cy - cx * by) + bz * (cx * ay - ax * cy) + cz * (ax * by - bx * ay)
  let size = 0
  let largest = Math.max(Math.abs(px), Math.abs(py), Math.abs(pz))
  for (let i = 0; i < 9; i++) {
    largest = Math.max(largest, Math.abs(at[i]))
    size = Math.max(size, Math.abs(at[i] - point.local[i % 3]))
  }
  const bound = PLACED_ERROR_RATIO * largest * size * size + PLACED_UNDERFLOW * (1 + size)
  if (Math.abs(determinant) > bound) return determinant < 0 ? 1 : -1
  return exactlyFrom(point, placement, at, 3, (ring, a, b, c) => {
    const { add, sub, mul, sign } = ring
    const minor = (i: number, j: number) => sub(mul(b[i], c[j]), mul(c[i], b[j]))
    const sum = add(add(mul(a[0], minor(1, 2)), mul(a[1], minor(2, 0))), mul(a[2], minor(0, 1)))
    return sign(sub(ring.integer(0), sum))
  })
}

/**
 * Of the edge from corner i to corner j, seen along an axis, with axis u to the right and v up: 1 where the point lies to its left, −1 to its right, 0
 * on its line, or where it is seen as a point.
 */
export function sideOfEdge(
  point: PlacedPoint,
  placement: Placement,
  at: Float64Array,
  i: number,
  j: number,
  u: number,
  v: number,
): Sign {
  const { local } = point
  const au = at[3 * i + u] - local[u]
  const av = at[3 * i + v] - local[v]
  const bu = at[3 * j + u] - local[u]
  const bv = at[3 * j + v] - local[v]
  const determinant = au * bv - bu * av
  const size = Math.max(Math.abs(au), Math.abs(av), Math.abs(bu), Math.abs(bv))
  const largest = Math.max(size, Math.abs(local[u]), Math.abs(local[v]))
  // no corner is farther from the mesh's position than twice that
  const bound = PLACED_ERROR_RATIO * largest * size + PLACED_UNDERFLOW
  if (Math.abs(determinant) > bound) return determinant > 0 ? 1 : -1
  return exactlyFrom(point, placement, at, 2, (ring, a, b, c) => {
    const three = [a, b, c]
    const [from, to] = [three[i], three[j]]
    return ring.sign(ring.sub(ring.mul(from[u], to[v]), ring.mul(to[u], from[v])))
  })
}

/** Sign of corner i minus the point along axis k. */
export function signAlong(point: PlacedPoint, placement: Placement, at: Float64Array, i: number, k: number): Sign {
  const rounded = at[3 * i + k] - point.local[k]
  const bound = PLACED_ERROR_RATIO * (Math.abs(at[3 * i + k]) + Math.abs(point.local[k])) + PLACED_UNDERFLOW
  if (Math.abs(rounded) > bound) return rounded > 0 ? 1 : -1
  return exactlyFrom(point, placement, at, 1, (ring, a, b, c) => ring.sign([a, b, c][i][k]))
}
