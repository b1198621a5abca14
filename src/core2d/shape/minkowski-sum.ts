/**
 * Minkowski sum and difference of two convex bodies with core points: all a + b, and all a − b.
 *
 * Method: the merge of edges by direction of `minkowski-difference.ts`, which takes B less A: the sum is B less the
 * reflection of A, the difference is A less B. Corners are then summed with the error of each addition kept, and rounded
 * once; where that makes neighbours equal or collinear, the hull of the rounded corners leaves them out.
 * Frame: world.
 */
import { spend } from '../../containers/budget.ts'
import { sumOfFour } from '../../numeric/expansion.ts'
import { convexHull } from '../points/convex-hull.ts'
import { type Body, createBody, reservePoints } from './body.ts'
import { mergeEdges } from './minkowski-difference.ts'

export interface MinkowskiSum {
  /** Corners x0, y0, …, strictly convex, counter-clockwise from the leftmost (the lowest of these). */
  vertices: Float64Array
  count: number
  /** Skin around them. */
  radius: number
}

export function createMinkowskiSum(): MinkowskiSum {
  return { vertices: new Float64Array(32), count: 0, radius: 0 }
}

const reflected = createBody()
/** Scratch: the pairs of core points that corners are made of, and the corners as merged. */
let fromFirst = new Int32Array(16)
let fromSecond = new Int32Array(16)
let kept = new Int32Array(16)
let corners = new Float64Array(32)
let normals = new Float64Array(32)

/** Fills `out` with A + B; both are circles or polygons. Bit for bit the same as B + A. Cost O(n log n) of the vertices. */
export function minkowskiSum(a: Body, b: Body, out: MinkowskiSum): void {
  reflect(a)
  combine(reflected, b, out)
}

/** Fills `out` with A − B, likewise. */
export function minkowskiDifference(a: Body, b: Body, out: MinkowskiSum): void {
  combine(b, a, out)
}

/** `second` less `first`. */
function combine(first: Body, second: Body, out: MinkowskiSum): void {
  const most = first.count + second.count
  if (kept.length < most) reserve(2 ** Math.ceil(Math.log2(most)))
  // Two points have no edges to merge; their corner is the pair of them.
  fromFirst[0] = 0
  fromSecond[0] = 0
  spend(2 * most)
  const merged = Math.max(1, mergeEdges(first, second, fromFirst, fromSecond, normals))
  for (let k = 0; k < merged; k++) {
    const i = 2 * fromFirst[k]
    const j = 2 * fromSecond[k]
    corners[2 * k] = sumOfFour(second.x, second.vertices[j], -first.x, -first.vertices[i])
    corners[2 * k + 1] = sumOfFour(second.y, second.vertices[j + 1], -first.y, -first.vertices[i + 1])
  }
  out.count = convexHull(corners, merged, kept)
  if (out.vertices.length < 2 * out.count) out.vertices = new Float64Array(corners.length)
  for (let k = 0; k < out.count; k++) {
    out.vertices[2 * k] = corners[2 * kept[k]]
    out.vertices[2 * k + 1] = corners[2 * kept[k] + 1]
  }
  out.radius = first.radius + second.radius
}

function reserve(capacity: number): void {
  fromFirst = new Int32Array(capacity)
  fromSecond = new Int32Array(capacity)
  kept = new Int32Array(capacity)
  corners = new Float64Array(2 * capacity)
  normals = new Float64Array(2 * capacity)
}

/** Fills `reflected` with the body seen through the origin: half a turn, so the order stays. */
function reflect({ x, y, radius, count, vertices, normals: outward }: Body): void {
  reservePoints(reflected, count)
  reflected.x = -x
  reflected.y = -y
  reflected.radius = radius
  reflected.count = count
  for (let i = 0; i < 2 * count; i++) {
    reflected.vertices[i] = -vertices[i]
    reflected.normals[i] = -outward[i]
  }
}
