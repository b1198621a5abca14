/**
 * Convexity of a vertex list, decided exactly, and its reduction to strictly convex counter-clockwise order.
 *
 * Turn signs come from J. R. Shewchuk's adaptive orientation test (robust-predicates). A closed chain whose turns all
 * have one sign is convex only if it winds once: then the x-direction of travel changes sign exactly twice.
 * Frame: the shape's own; the coordinates are the user's doubles.
 */
import { orient2d } from 'robust-predicates'
import { type Body, finishPoints, putVertex, reservePoints } from './body.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from './exact-ring.ts'
import { SMALLEST_SAFE_DETERMINANT } from './tolerances.ts'

/** Indices (in the user's list) of the points that are left; module scratch, never escapes. */
let kept = new Int32Array(64)

/**
 * Fills `body` (whose pose is set) with the polygon x0, y0, x1, y1, … of `count` points. Either winding; repeated and
 * collinear vertices are merged; a polygon without area becomes the segment or point that it is.
 * Returns −1, or the index of the first reflex vertex, with the body left unusable. Cost O(count).
 */
export function setPolygon(body: Body, points: Float64Array, count: number, radius: number): number {
  if (kept.length < count) kept = new Int32Array(2 * count)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const previous = distinct === 0 ? -1 : kept[distinct - 1]
    if (previous < 0 || !samePoint(points, previous, i)) kept[distinct++] = i
  }
  while (distinct > 1 && samePoint(points, kept[0], kept[distinct - 1])) distinct--
  body.radius = radius
  const winding = distinct < 3 ? 0 : windingOf(points, distinct)
  if (winding === 0) {
    setFlat(body, points, distinct)
    return -1
  }
  return setStrictlyConvex(body, points, distinct, winding)
}

function samePoint(points: Float64Array, i: number, j: number): boolean {
  return points[2 * i] === points[2 * j] && points[2 * i + 1] === points[2 * j + 1]
}

/** Sign of the turn at `i` on the way from `h` to `j`: 1 to the left, −1 to the right, 0 straight on or back. */
function turn(points: Float64Array, h: number, i: number, j: number): Sign {
  const hx = points[2 * h]
  const hy = points[2 * h + 1]
  const ix = points[2 * i]
  const iy = points[2 * i + 1]
  const jx = points[2 * j]
  const jy = points[2 * j + 1]
  const clockwise = orient2d(hx, hy, ix, iy, jx, jy)
  if (clockwise > SMALLEST_SAFE_DETERMINANT) return -1
  if (clockwise < -SMALLEST_SAFE_DETERMINANT) return 1
  return exactTurn([hx, hy, ix, iy, jx, jy])
}

/** The same where a product may have underflowed. */
function exactTurn(points: number[]): Sign {
  const range = createInputRange()
  for (const value of points) includeInput(range, value)
  return exactly(range, 2, <T>(ring: Ring<T>) => {
    const [hx, hy, ix, iy, jx, jy] = points.map(ring.of)
    const { sub, mul } = ring
    return ring.sign(sub(mul(sub(ix, hx), sub(jy, hy)), mul(sub(iy, hy), sub(jx, hx))))
  })
}

/** Winding of a convex chain: the turn at its lowest, then leftmost point; 0 when all points lie on one line. */
function windingOf(points: Float64Array, distinct: number): number {
  let lowest = 0
  for (let i = 1; i < distinct; i++) {
    const a = kept[i]
    const b = kept[lowest]
    const dy = points[2 * a + 1] - points[2 * b + 1]
    if (dy < 0 || (dy === 0 && points[2 * a] < points[2 * b])) lowest = i
  }
  // Straight passages over the lowest point say nothing: go on to the first real turn on either side of it.
  for (let step = 0; step < distinct; step++) {
    const i = (lowest + step) % distinct
    const h = kept[(i + distinct - 1) % distinct]
    const sign = turn(points, h, kept[i], kept[(i + 1) % distinct])
    if (sign !== 0) return sign
  }
  return 0
}

/** All points on one line: keeps the two extreme ones. */
function setFlat(body: Body, points: Float64Array, distinct: number): void {
  let first = kept[0]
  let last = kept[0]
  for (let k = 1; k < distinct; k++) {
    const i = kept[k]
    if (lexicographicallyLess(points, i, first)) first = i
    if (lexicographicallyLess(points, last, i)) last = i
  }
  putVertex(body, 0, points[2 * first], points[2 * first + 1], first)
  if (last !== first) putVertex(body, 1, points[2 * last], points[2 * last + 1], last)
  body.count = last === first ? 1 : 2
  finishPoints(body)
}

function lexicographicallyLess(points: Float64Array, i: number, j: number): boolean {
  const dx = points[2 * i] - points[2 * j]
  return dx < 0 || (dx === 0 && points[2 * i + 1] < points[2 * j + 1])
}

function setStrictlyConvex(body: Body, points: Float64Array, distinct: number, winding: number): number {
  reservePoints(body, distinct)
  const first = kept[0]
  let slot = 0
  let flips = 0
  let previous = kept[distinct - 1]
  let direction = directionOf(points, previous, first)
  for (let k = 0; k < distinct; k++) {
    const i = kept[k]
    const next = k + 1 === distinct ? first : kept[k + 1]
    const sign = turn(points, previous, i, next)
    const nextDirection = directionOf(points, i, next)
    if (sign === -winding || (sign === 0 && direction !== nextDirection)) return i
    if (direction !== nextDirection && ++flips > 2) return i
    if (sign !== 0) kept[slot++] = i // slot ≤ k: only read positions are overwritten
    previous = i
    direction = nextDirection
  }
  const last = slot - 1
  for (let k = 0; k < slot; k++) {
    const i = kept[winding > 0 ? k : last - k]
    putVertex(body, k, points[2 * i], points[2 * i + 1], i)
  }
  if (winding < 0) {
    // Reversed, edge k runs from the user's vertex i back to the one before it: it is that one's edge.
    for (let k = 0; k < slot; k++) body.edgeFeatures[k] = body.vertexFeatures[k + 1 === slot ? 0 : k + 1] + 1
  }
  body.count = slot
  finishPoints(body)
  return -1
}

/** 1 when travel from i to j goes right (or straight up), −1 when left (or straight down). */
function directionOf(points: Float64Array, i: number, j: number): number {
  return lexicographicallyLess(points, i, j) ? 1 : -1
}
