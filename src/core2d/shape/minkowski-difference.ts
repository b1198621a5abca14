/**
 * Minkowski difference of two convex bodies with core points: all b − a. Two bodies meet where it holds the origin.
 *
 * Method: the edges of B and of −A, merged by direction (C. Ericson, "Real-Time Collision Detection", 3.4.6; M. de Berg
 * et al., "Computational Geometry", 13.3). Parallel edges become one, decided exactly, so that the result is convex to the
 * last bit of the exact sums that its core points stand for.
 * Frame: position = B's anchor − A's anchor, rounded (the exact functions go back to the two bodies); vertices relative
 * to it. Features are the difference's own: vertex k is vertex fromB[k] of B less vertex fromA[k] of A.
 */

import { spend } from '../../containers/budget.ts'
import { exactly, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { sumOfFour } from '../../numeric/expansion.ts'
import { SMALLEST_SAFE_DETERMINANT } from '../../numeric/roundoff.ts'
import { edgeFeature, vertexFeature } from '../feature.ts'
import { convexHull } from '../outline/convex-hull.ts'
import { RAY_PARALLEL_RATIO, TURN_ERROR_RATIO } from '../tolerances.ts'
import { type Body, createBody, type Difference, following, POLYGON, reservePoints } from './body.ts'
import { exactEdge, inputRangeOf } from './exact-points.ts'
import type { Frame } from './position.ts'

/** Prepares a slot to hold differences. */
export function makeDifference(slot: Body): Difference {
  slot.difference ??= {
    a: slot,
    b: slot,
    fromA: new Int32Array(16),
    fromB: Int32Array.from({ length: 16 }, (_, i) => i),
    error: 0,
  }
  return slot.difference
}

/** Fills `out` (a slot of `makeDifference`) with B − A, both polygons. */
export function setDifference(a: Body, b: Body, frame: Frame, out: Body): void {
  const difference = out.difference as Difference
  setPlace(a, b, frame, out, difference)
  const most = a.count + b.count
  reservePoints(out, most)
  nameInOrder(out, most)
  if (difference.fromA.length < most) {
    difference.fromA = new Int32Array(out.offsets.length)
    difference.fromB = new Int32Array(out.offsets.length)
  }
  const { fromA, fromB } = difference
  const count = mergeEdges(a, b, fromA, fromB, out.normals)
  out.count = count
  out.kind = POLYGON
  const { vertices, local, normals, offsets } = out
  const anchorX = b.local[2 * fromB[0]] - a.local[2 * fromA[0]]
  const anchorY = b.local[2 * fromB[0] + 1] - a.local[2 * fromA[0] + 1]
  out.anchorX = anchorX
  out.anchorY = anchorY
  for (let k = 0; k < count; k++) {
    const x = b.local[2 * fromB[k]] - a.local[2 * fromA[k]]
    const y = b.local[2 * fromB[k] + 1] - a.local[2 * fromA[k] + 1]
    vertices[2 * k] = x
    vertices[2 * k + 1] = y
    local[2 * k] = x - anchorX
    local[2 * k + 1] = y - anchorY
    offsets[k] = normals[2 * k] * (x - anchorX) + normals[2 * k + 1] * (y - anchorY)
  }
}

/** Fills `out` with B − A for a circle A: B, seen from A's centre, with both radii. It shares B's arrays. */
export function setCenteredDifference(a: Body, b: Body, frame: Frame, out: Body): void {
  const difference = out.difference as Difference
  setPlace(a, b, frame, out, difference)
  const { count } = b
  while (difference.fromA.length < count) {
    difference.fromA = new Int32Array(2 * difference.fromA.length)
    difference.fromB = Int32Array.from({ length: difference.fromA.length }, (_, i) => i)
  }
  out.kind = b.kind
  out.count = count
  out.vertices = b.local
  out.local = b.local
  out.normals = b.normals
  out.offsets = b.offsets
  out.anchorX = 0
  out.anchorY = 0
  reserveNames(out, count)
}

function setPlace(a: Body, b: Body, { dx, dy, error }: Frame, out: Body, difference: Difference): void {
  difference.a = a
  difference.b = b
  difference.error = error
  out.x = dx
  out.y = dy
  out.radius = a.radius + b.radius
  out.reach = a.reach + b.reach
}

/** Feature names of its own for a body that shares all else. */
function reserveNames(out: Body, count: number): void {
  if (out.vertexFeatures.length < count) {
    out.vertexFeatures = new Int32Array(2 * count)
    out.edgeFeatures = new Int32Array(2 * count)
    out.namedInOrder = 0
  }
  nameInOrder(out, count)
}

function nameInOrder(out: Body, count: number): void {
  for (let k = out.namedInOrder; k < count; k++) {
    out.vertexFeatures[k] = vertexFeature(k)
    out.edgeFeatures[k] = edgeFeature(k)
  }
  out.namedInOrder = Math.max(out.namedInOrder, count)
}

/** The vertex where edges of direction 0 … π begin: lowest, then leftmost; a body's vertices share their position. */
export function bottomVertex({ vertices, count }: Body): number {
  let best = 0
  for (let i = 1; i < count; i++) {
    const dy = vertices[2 * i + 1] - vertices[2 * best + 1]
    if (dy < 0 || (dy === 0 && vertices[2 * i] < vertices[2 * best])) best = i
  }
  return best
}

/** The first vertex of −A: highest, then rightmost. */
export function topVertex({ vertices, count }: Body): number {
  let best = 0
  for (let i = 1; i < count; i++) {
    const dy = vertices[2 * i + 1] - vertices[2 * best + 1]
    if (dy > 0 || (dy === 0 && vertices[2 * i] > vertices[2 * best])) best = i
  }
  return best
}

/**
 * Walks the outlines of B and −A by direction of their edges: core point k of B − A is vertex fromB[k] of B less vertex
 * fromA[k] of A, counter-clockwise; `normals` are those of the edges between them. Returns how many they are, at most the two
 * counts together; 0 for two points, which have no edges.
 */
export function mergeEdges(a: Body, b: Body, fromA: Int32Array, fromB: Int32Array, normals: Float64Array): number {
  const normalsA = a.normals
  const normalsB = b.normals
  let i = topVertex(a)
  let j = bottomVertex(b)
  let leftA = a.count > 1 ? a.count : 0
  let leftB = b.count > 1 ? b.count : 0
  let count = 0
  while (leftA > 0 || leftB > 0) {
    fromA[count] = i
    fromB[count] = j
    const turn = leftA === 0 ? 1 : leftB === 0 ? -1 : turnBetween(a, b, i, j)
    if (turn >= 0) {
      normals[2 * count] = normalsB[2 * j]
      normals[2 * count + 1] = normalsB[2 * j + 1]
      j = following(b, j)
      leftB--
    }
    if (turn <= 0) {
      if (turn < 0) {
        normals[2 * count] = -normalsA[2 * i]
        normals[2 * count + 1] = -normalsA[2 * i + 1]
      }
      i = following(a, i)
      leftA--
    }
    count++
  }
  return count
}

/** 1 when edge j of B comes before edge i of −A in order of direction (0 … 2π), −1 when after, 0 when they are parallel. */
function turnBetween(a: Body, b: Body, i: number, j: number): Sign {
  // As a rule the rounded normals tell.
  const ax = -a.normals[2 * i]
  const ay = -a.normals[2 * i + 1]
  const bx = b.normals[2 * j]
  const by = b.normals[2 * j + 1]
  const cross = bx * ay - by * ax
  if (Math.abs(cross) > RAY_PARALLEL_RATIO && ax * bx > 0) return cross > 0 ? 1 : -1
  const A = a.vertices
  const B = b.vertices
  const i2 = 2 * following(a, i)
  const j2 = 2 * following(b, j)
  const ex = A[2 * i] - A[i2]
  const ey = A[2 * i + 1] - A[i2 + 1]
  const fx = B[j2] - B[2 * j]
  const fy = B[j2 + 1] - B[2 * j + 1]
  const lateA = ey < 0 || (ey === 0 && ex < 0)
  const lateB = fy < 0 || (fy === 0 && fx < 0)
  if (lateA !== lateB) return lateA ? 1 : -1
  const left = fx * ey
  const right = fy * ex
  const turn = left - right
  if (Math.abs(turn) > TURN_ERROR_RATIO * (Math.abs(left) + Math.abs(right)) + SMALLEST_SAFE_DETERMINANT) {
    return turn > 0 ? 1 : -1
  }
  // Along one axis both: the differences that vanish are exact.
  if ((ex === 0 && fx === 0) || (ey === 0 && fy === 0)) return 0
  return exactly(inputRangeOf(a, b), 2, (ring) => exactTurn(ring, a, b, i, j))
}

function exactTurn<T>(ring: Ring<T>, a: Body, b: Body, i: number, j: number): Sign {
  const [ex, ey] = exactEdge(ring, a, i)
  const [fx, fy] = exactEdge(ring, b, j)
  // −A: the sign of f × (−e).
  return ring.sign(ring.sub(ring.mul(fy, ex), ring.mul(fx, ey)))
}

// Minkowski sum and difference of two convex bodies with core points: all a + b, and all a − b.
//
// Method: the merge of edges by direction of `minkowski-difference.ts`, which takes B less A: the sum is B less the
// reflection of A, the difference is A less B. Corners are then summed with the error of each addition kept, and rounded
// once; where that makes neighbours equal or collinear, the hull of the rounded corners leaves them out.
// Frame: world.

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
