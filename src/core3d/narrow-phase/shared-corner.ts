/**
 * Triangles that share a corner: whether they overlap or only touch there, quick to tell.
 *
 * Method: seen from the corner P, triangles with the other corners P + u₁, P + u₂ and P + v₁, P + v₂ only touch where a plane through P
 * has one on either side. Planes along a triangle, or along an edge of each, are enough to try, and four determinants say for all of
 * them on which side the other corners lie. Two that share an edge touch whatever else: the plane of either will do. Determinants are
 * of doubles, with a bound on their error; where that leaves a sign open that is needed, nothing is said.
 * Frame: world axes. Fans of many triangles about one vertex make as many pairs of these as one has triangles times the other.
 */

import { spend } from '../../containers/budget.ts'
import { sumError } from '../../numeric/expansion.ts'
import { type Body, POSITION, VERTICES, type Vector } from '../shape/body.ts'
import { LEAST_PERMANENT, PLACED_ERROR_RATIO } from '../tolerances.ts'
import type { Relation } from './pair-frame.ts'
import { isTriangle } from './triangle-span.ts'

/** Steps of comparing the corners of two triangles. */
const COMPARISON_STEPS = 2

const u = new Float64Array(6)
const v = new Float64Array(6)

/** Touching or overlapping, exactly; null of bodies that are no triangles, share no corner, or are too near to both. */
export function relateAtCorner(a: Body, b: Body): Relation | null {
  const shared = sharedCorners(a, b)
  if (shared === 0) return null
  return shared > 1 ? 0 : relateCones()
}

/** Whether two triangles share a corner, and part at once and for good as the second goes along a way. */
export function partAtCorner(a: Body, b: Body, way: Vector): boolean {
  if (sharedCorners(a, b) === 0) return false
  setSigns()
  const [first, second, third, fourth] = signs
  return (
    (first * second > 0 && leads(u, 0, u, 3, first, way)) ||
    (third * fourth > 0 && leads(v, 0, v, 3, -third, way)) ||
    (first * third > 0 && leads(u, 0, v, 0, third, way)) ||
    (second * third < 0 && leads(u, 0, v, 3, -third, way)) ||
    (first * fourth < 0 && leads(u, 3, v, 0, fourth, way)) ||
    (second * fourth > 0 && leads(u, 3, v, 3, -fourth, way))
  )
}

/** Corners that two triangles have in common, up to two; sets `u` and `v`, as seen from the last of them. */
function sharedCorners(a: Body, b: Body): number {
  if (!isTriangle(a) || !isTriangle(b)) return 0
  spend(COMPARISON_STEPS)
  let shared = 0
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      if (!isSameCorner(a, i, b, j)) continue
      setEdges(a, i, u)
      setEdges(b, j, v)
      if (++shared === 2) return 2
    }
  }
  return shared
}

/** Whether the way leads to the side of the product of two edges, for certain. */
function leads(p: Float64Array, i: number, q: Float64Array, j: number, side: number, way: Vector): boolean {
  let height = 0
  let size = 0
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3]
    const a = p[i + l] * q[j + m]
    const b = p[i + m] * q[j + l]
    height += (a - b) * way[k]
    size += (Math.abs(a) + Math.abs(b)) * Math.abs(way[k])
  }
  return size > LEAST_PERMANENT && side * height > PLACED_ERROR_RATIO * size
}

/** Whether two triangles are known to share a corner. */
export function shareCorner(a: Body, b: Body): boolean {
  if (!isTriangle(a) || !isTriangle(b)) return false
  spend(COMPARISON_STEPS)
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) if (isSameCorner(a, i, b, j)) return true
  return false
}

/** Whether the places are the same, exactly. */
function isSameCorner({ numbers: a }: Body, i: number, { numbers: b }: Body, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    const from = a[POSITION + k]
    const to = b[POSITION + k]
    const own = a[VERTICES + 3 * i + k]
    const other = b[VERTICES + 3 * j + k]
    const offset = to - from
    const way = own - other
    if (offset !== way || sumError(to, -from, offset) !== 0 || sumError(own, -other, way) !== 0) return false
  }
  return true
}

/** To the two other corners, each difference rounded once. */
function setEdges({ numbers }: Body, corner: number, out: Float64Array): void {
  for (let m = 0; m < 2; m++) {
    const other = (corner + 1 + m) % 3
    for (let k = 0; k < 3; k++) {
      out[3 * m + k] = numbers[VERTICES + 3 * other + k] - numbers[VERTICES + 3 * corner + k]
    }
  }
}

/** Of u₁, u₂, v₁; of u₁, u₂, v₂; of v₁, v₂, u₁; and of v₁, v₂, u₂. */
const signs = [0, 0, 0, 0]

function setSigns(): void {
  signs[0] = signOf(u, v, 0)
  signs[1] = signOf(u, v, 3)
  signs[2] = signOf(v, u, 0)
  signs[3] = signOf(v, u, 3)
}

/** Of the cones over u and over v. */
function relateCones(): Relation | null {
  setSigns()
  const [first, second, third, fourth] = signs
  if (first * second > 0 || third * fourth > 0) return 0
  if (first * third > 0 || second * third < 0 || first * fourth < 0 || second * fourth > 0) return 0
  return first * second * third * fourth === 0 ? null : -1
}

/** Sign of the determinant of both edges of one triangle and one of the other; 0 where it is not sure. */
function signOf(p: Float64Array, q: Float64Array, at: number): number {
  const [x, y, z] = [q[at], q[at + 1], q[at + 2]]
  const a = p[1] * p[5]
  const b = p[2] * p[4]
  const c = p[2] * p[3]
  const d = p[0] * p[5]
  const e = p[0] * p[4]
  const f = p[1] * p[3]
  const determinant = (a - b) * x + (c - d) * y + (e - f) * z
  const permanent =
    (Math.abs(a) + Math.abs(b)) * Math.abs(x) +
    (Math.abs(c) + Math.abs(d)) * Math.abs(y) +
    (Math.abs(e) + Math.abs(f)) * Math.abs(z)
  // What is much smaller may have lost digits below the range of doubles.
  if (!(permanent > LEAST_PERMANENT && Math.abs(determinant) > PLACED_ERROR_RATIO * permanent)) return 0
  return Math.sign(determinant)
}
