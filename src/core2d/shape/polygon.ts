/**
 * Convexity of a vertex list, decided exactly, and its reduction to strictly convex counter-clockwise order.
 *
 * Turn signs are those of `outline/orientation.ts`. A closed chain whose turns all have one sign is convex only if it winds
 * once: then the x-direction of travel changes sign exactly twice.
 * Frame: the shape's own; the coordinates are the user's doubles.
 */

import { SMALLEST_SAFE_DETERMINANT } from '../../numeric/roundoff.ts'
import { edgeFeature, vertexFeature } from '../feature.ts'
import { turnAt } from '../outline/orientation.ts'
import { TURN_ERROR_RATIO } from '../tolerances.ts'
import {
  type Body,
  COS,
  finishPoints,
  nameInOrder,
  putVertex,
  RADIUS,
  reserveNames,
  reservePoints,
  SIN,
} from './body.ts'

/** Indices (in the user's list) of the points that are left; module scratch, never escapes. */
let kept = new Int32Array(64)

/**
 * Fills `body` (whose pose is set) with the polygon x0, y0, x1, y1, … of `count` points. Either winding; repeated and
 * collinear vertices are merged; a polygon without area becomes the segment or point that it is.
 * Returns −1, or the index of the first reflex vertex (where there is none but the polygon winds twice, of the one where it winds
 * on), with the body left unusable. Cost O(count).
 */
export function setPolygon(body: Body, points: Float64Array, count: number, radius: number): number {
  body.numbers[RADIUS] = radius
  const plain = plainWinding(points, count)
  if (plain !== 0) {
    setInOrder(body, points, count, plain)
    return -1
  }
  if (kept.length < count) kept = new Int32Array(2 * count)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const previous = distinct === 0 ? -1 : kept[distinct - 1]
    if (previous < 0 || !samePoint(points, previous, i)) kept[distinct++] = i
  }
  while (distinct > 1 && samePoint(points, kept[0], kept[distinct - 1])) distinct--
  const winding = distinct < 3 ? 0 : windingOf(points, distinct)
  if (winding === 0) {
    setFlat(body, points, distinct)
    return -1
  }
  return setStrictlyConvex(body, points, distinct, winding)
}

/**
 * Winding of a strictly convex chain whose every turn is clear of rounding; 0 when the general way must decide.
 * The error bound is that of Shewchuk's ccwerrboundA.
 */
function plainWinding(points: Float64Array, count: number): number {
  let x = points[0]
  let y = points[1]
  let ex = x - points[2 * count - 2]
  let ey = y - points[2 * count - 1]
  let goesRight = ex >= 0
  let flips = 0
  let left = 0
  for (let i = 0; i < count; i++) {
    const j = i + 1 === count ? 0 : 2 * i + 2
    const nextX = points[j]
    const nextY = points[j + 1]
    const fx = nextX - x
    const fy = nextY - y
    const l = ex * fy
    const r = ey * fx
    const turn = l - r
    if (!(Math.abs(turn) > TURN_ERROR_RATIO * (Math.abs(l) + Math.abs(r)) + SMALLEST_SAFE_DETERMINANT)) return 0
    if (turn > 0) left++
    const nextGoesRight = fx >= 0
    if (nextGoesRight !== goesRight) flips++
    goesRight = nextGoesRight
    x = nextX
    y = nextY
    ex = fx
    ey = fy
  }
  if (flips !== 2) return 0
  return left === count ? 1 : left === 0 ? -1 : 0
}

/** Takes over all vertices, turned by the body's rotation and put in counter-clockwise order. */
function setInOrder(body: Body, points: Float64Array, count: number, winding: number): void {
  reservePoints(body, count)
  const { vertices, numbers } = body
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const turned = sin !== 0 || cos !== 1
  for (let k = 0; k < count; k++) {
    const i = winding > 0 ? k : count - 1 - k
    const x = points[2 * i]
    const y = points[2 * i + 1]
    numbers[vertices + 2 * k] = turned ? cos * x - sin * y : x
    numbers[vertices + 2 * k + 1] = turned ? sin * x + cos * y : y
  }
  if (winding > 0) nameInOrder(body, count)
  else nameReversed(body, count)
  body.count = count
  finishPoints(body)
}

function nameReversed(body: Body, count: number): void {
  reserveNames(body, count)
  const { vertexFeatures, edgeFeatures } = body
  for (let k = 0; k < count; k++) {
    const i = count - 1 - k
    vertexFeatures[k] = vertexFeature(i)
    // Reversed, the edge runs from the user's vertex i back to the one before it: it is that one's edge.
    edgeFeatures[k] = edgeFeature(i === 0 ? count - 1 : i - 1)
  }
}

function samePoint(points: Float64Array, i: number, j: number): boolean {
  return points[2 * i] === points[2 * j] && points[2 * i + 1] === points[2 * j + 1]
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
    const sign = turnAt(points, h, kept[i], kept[(i + 1) % distinct])
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
  reservePoints(body, 2)
  nameInOrder(body, 2)
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
  let windsOn = -1
  let previous = kept[distinct - 1]
  let direction = directionOf(points, previous, first)
  for (let k = 0; k < distinct; k++) {
    const i = kept[k]
    const next = k + 1 === distinct ? first : kept[k + 1]
    const sign = turnAt(points, previous, i, next)
    const nextDirection = directionOf(points, i, next)
    if (sign === -winding || (sign === 0 && direction !== nextDirection)) return i
    // A reflex vertex makes for flips as well, some of them before it: those count only where there is none.
    if (direction !== nextDirection && ++flips === 3) windsOn = i
    if (sign !== 0) kept[slot++] = i // slot ≤ k: only read positions are overwritten
    previous = i
    direction = nextDirection
  }
  if (windsOn >= 0) return windsOn
  const last = slot - 1
  nameInOrder(body, slot)
  for (let k = 0; k < slot; k++) {
    const i = kept[winding > 0 ? k : last - k]
    putVertex(body, k, points[2 * i], points[2 * i + 1], i)
  }
  if (winding < 0) {
    // Reversed, edge k runs from the user's vertex i back to the one before it: it is that one's edge.
    for (let k = 0; k < slot; k++) body.edgeFeatures[k] = body.vertexFeatures[k + 1 === slot ? 0 : k + 1] + 1
    body.namedInOrder = 0
  }
  body.count = slot
  finishPoints(body)
  return -1
}

/** 1 when travel from i to j goes right (or straight up), −1 when left (or straight down). */
function directionOf(points: Float64Array, i: number, j: number): number {
  return lexicographicallyLess(points, i, j) ? 1 : -1
}
