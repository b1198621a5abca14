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
import { convexHull } from '../outline/convex-hull.ts'
import { RAY_PARALLEL_RATIO, TURN_ERROR_RATIO } from '../tolerances.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  copyRun,
  createBody,
  type Difference,
  following,
  LOCAL,
  nameInOrder,
  POLYGON,
  RADIUS,
  REACH,
  reservePoints,
  X,
  Y,
} from './body.ts'
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
    difference.fromA = new Int32Array(2 * most)
    difference.fromB = new Int32Array(2 * most)
  }
  const { fromA, fromB } = difference
  const count = mergeEdges(a, b, fromA, fromB, out.numbers, out.normals)
  out.count = count
  out.kind = POLYGON
  const { vertices, normals, offsets, numbers } = out
  const anchorX = b.numbers[LOCAL + 2 * fromB[0]] - a.numbers[LOCAL + 2 * fromA[0]]
  const anchorY = b.numbers[LOCAL + 2 * fromB[0] + 1] - a.numbers[LOCAL + 2 * fromA[0] + 1]
  out.numbers[ANCHOR_X] = anchorX
  out.numbers[ANCHOR_Y] = anchorY
  for (let k = 0; k < count; k++) {
    const x = b.numbers[LOCAL + 2 * fromB[k]] - a.numbers[LOCAL + 2 * fromA[k]]
    const y = b.numbers[LOCAL + 2 * fromB[k] + 1] - a.numbers[LOCAL + 2 * fromA[k] + 1]
    numbers[vertices + 2 * k] = x
    numbers[vertices + 2 * k + 1] = y
    numbers[LOCAL + 2 * k] = x - anchorX
    numbers[LOCAL + 2 * k + 1] = y - anchorY
    numbers[offsets + k] = numbers[normals + 2 * k] * (x - anchorX) + numbers[normals + 2 * k + 1] * (y - anchorY)
  }
}

/** Fills `out` with B − A for a circle A: B, seen from A's centre, with both radii. */
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
  reservePoints(out, count)
  nameInOrder(out, count)
  // Its core points are those of B as seen from the anchor.
  out.vertices = LOCAL
  const { numbers } = b
  const to = out.numbers
  copyRun(numbers, LOCAL, to, LOCAL, 2 * count)
  copyRun(numbers, b.normals, to, out.normals, 2 * count)
  copyRun(numbers, b.offsets, to, out.offsets, count)
  to[ANCHOR_X] = 0
  to[ANCHOR_Y] = 0
}

function setPlace(a: Body, b: Body, { dx, dy, error }: Frame, out: Body, difference: Difference): void {
  difference.a = a
  difference.b = b
  difference.error = error
  out.numbers[X] = dx
  out.numbers[Y] = dy
  out.numbers[RADIUS] = a.numbers[RADIUS] + b.numbers[RADIUS]
  out.numbers[REACH] = a.numbers[REACH] + b.numbers[REACH]
}

/** The vertex where edges of direction 0 … π begin: lowest, then leftmost; a body's vertices share their position. */
export function bottomVertex({ vertices, count, numbers }: Body): number {
  let best = 0
  for (let i = 1; i < count; i++) {
    const dy = numbers[vertices + 2 * i + 1] - numbers[vertices + 2 * best + 1]
    if (dy < 0 || (dy === 0 && numbers[vertices + 2 * i] < numbers[vertices + 2 * best])) best = i
  }
  return best
}

/** The first vertex of −A: highest, then rightmost. */
export function topVertex({ vertices, count, numbers }: Body): number {
  let best = 0
  for (let i = 1; i < count; i++) {
    const dy = numbers[vertices + 2 * i + 1] - numbers[vertices + 2 * best + 1]
    if (dy > 0 || (dy === 0 && numbers[vertices + 2 * i] > numbers[vertices + 2 * best])) best = i
  }
  return best
}

/**
 * Walks the outlines of B and −A by direction of their edges: core point k of B − A is vertex fromB[k] of B less vertex
 * fromA[k] of A, counter-clockwise; `to` gets the normals of the edges between them, from `at` on. Returns how many they are, at most the two
 * counts together; 0 for two points, which have no edges.
 */
export function mergeEdges(a: Body, b: Body, fromA: Int32Array, fromB: Int32Array, to: number[], at: number): number {
  const { numbers: numbersA, normals: normalsA } = a
  const { numbers: numbersB, normals: normalsB } = b
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
      to[at + 2 * count] = numbersB[normalsB + 2 * j]
      to[at + 2 * count + 1] = numbersB[normalsB + 2 * j + 1]
      j = following(b, j)
      leftB--
    }
    if (turn <= 0) {
      if (turn < 0) {
        to[at + 2 * count] = -numbersA[normalsA + 2 * i]
        to[at + 2 * count + 1] = -numbersA[normalsA + 2 * i + 1]
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
  const ax = -a.numbers[a.normals + 2 * i]
  const ay = -a.numbers[a.normals + 2 * i + 1]
  const bx = b.numbers[b.normals + 2 * j]
  const by = b.numbers[b.normals + 2 * j + 1]
  const cross = bx * ay - by * ax
  if (Math.abs(cross) > RAY_PARALLEL_RATIO && ax * bx > 0) return cross > 0 ? 1 : -1
  const { numbers: A, vertices: startA } = a
  const { numbers: B, vertices: startB } = b
  const i1 = startA + 2 * i
  const j1 = startB + 2 * j
  const i2 = startA + 2 * following(a, i)
  const j2 = startB + 2 * following(b, j)
  const ex = A[i1] - A[i2]
  const ey = A[i1 + 1] - A[i2 + 1]
  const fx = B[j2] - B[j1]
  const fy = B[j2 + 1] - B[j1 + 1]
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
/** Of the merged edges; not looked at. */
const normals: number[] = []

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
  const merged = Math.max(1, mergeEdges(first, second, fromFirst, fromSecond, normals, 0))
  for (let k = 0; k < merged; k++) {
    const i = 2 * fromFirst[k]
    const j = 2 * fromSecond[k]
    corners[2 * k] = sumOfFour(
      second.numbers[X],
      second.numbers[second.vertices + j],
      -first.numbers[X],
      -first.numbers[first.vertices + i],
    )
    corners[2 * k + 1] = sumOfFour(
      second.numbers[Y],
      second.numbers[second.vertices + j + 1],
      -first.numbers[Y],
      -first.numbers[first.vertices + i + 1],
    )
  }
  out.count = convexHull(corners, merged, kept)
  if (out.vertices.length < 2 * out.count) out.vertices = new Float64Array(corners.length)
  for (let k = 0; k < out.count; k++) {
    out.vertices[2 * k] = corners[2 * kept[k]]
    out.vertices[2 * k + 1] = corners[2 * kept[k] + 1]
  }
  out.radius = first.numbers[RADIUS] + second.numbers[RADIUS]
}

function reserve(capacity: number): void {
  fromFirst = new Int32Array(capacity)
  fromSecond = new Int32Array(capacity)
  kept = new Int32Array(capacity)
  corners = new Float64Array(2 * capacity)
}

/** Fills `reflected` with the body seen through the origin: half a turn, so the order stays. */
function reflect({ count, vertices, normals: outward, numbers }: Body): void {
  const x = numbers[X]
  const y = numbers[Y]
  const radius = numbers[RADIUS]
  reservePoints(reflected, count)
  reflected.numbers[X] = -x
  reflected.numbers[Y] = -y
  reflected.numbers[RADIUS] = radius
  reflected.count = count
  for (let i = 0; i < 2 * count; i++) {
    reflected.numbers[reflected.vertices + i] = -numbers[vertices + i]
    reflected.numbers[reflected.normals + i] = -numbers[outward + i]
  }
}
