/**
 * The dispatcher: relation, separation, normal and witness points of any two bodies.
 *
 * A literal kind × kind table holds one function per unordered pair; cells that no ordered pair of convex bodies reaches throw.
 * Every pair is put in one order first, by kind and then by content; queries work in that order and swap the roles in their
 * answer at the end, so that swapping A and B swaps the answer to the last bit.
 * Frame: world axes, origin at the anchor of the first body of the ordered pair.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, scaleNumbers } from '../../numeric/safe-range.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  COMPOSITE,
  createBody,
  type Direction,
  following,
  HALFPLANE,
  isBehind,
  isCurved,
  type Kind,
  LOCAL,
  POLYGON,
  preceding,
  RADIUS,
  REACH,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { copyScaled, exponentFor } from '../shape/body-scaling.ts'
import { kindOf } from '../shape/kinds.ts'
import { compensatedOffset, type Frame } from '../shape/position.ts'
import { CLEAR_DISTANCE_RATIO, CLOSED_CORNER_COUNT, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { circleCircle } from './circle-circle.ts'
import { circleEllipse } from './circle-ellipse.ts'
import { circlePolygon } from './circle-polygon.ts'
import { coreEdgeGap, edgeGap, planeGap, pointGap, standsOver } from './closed-gap.ts'
import { ellipseEllipse } from './ellipse-ellipse.ts'
import { ellipseHalfplane } from './ellipse-halfplane.ts'
import { exactCoreSeparation } from './exact-convex.ts'
import { exactOppositeGap, halfplaneHalfplane } from './halfplane-halfplane.ts'
import { polygonEllipse } from './polygon-ellipse.ts'
import { polygonHalfplane } from './polygon-halfplane.ts'
import { polygonPolygon } from './polygon-polygon.ts'
import { lowestVertex } from './sat.ts'
import { type Separation, swapWitnesses } from './separation.ts'

type PairFunction = (a: Body, b: Body, frame: Frame, out: Separation) => void

type PairRow = Readonly<Record<Kind, PairFunction>>

/** Row: kind of the first body, column: kind of the second, in the order circle, polygon, ellipse, half-plane, composite. */
const TABLE: Readonly<Record<Kind, PairRow>> = [
  [circleCircle, circlePolygon, circleEllipse, polygonHalfplane, notConvex],
  [outOfOrder, polygonPolygon, polygonEllipse, polygonHalfplane, notConvex],
  [outOfOrder, outOfOrder, ellipseEllipse, ellipseHalfplane, notConvex],
  [outOfOrder, outOfOrder, outOfOrder, halfplaneHalfplane, notConvex],
  [notConvex, notConvex, notConvex, notConvex, notConvex],
]

/** Bodies in an order that `orderPair` does not put them in. */
function outOfOrder(a: Body, b: Body): never {
  throw new Error(`A pair of ${nameOf(b)} and ${nameOf(a)} came in the wrong order`)
}

/** Composites are measured leaf by leaf (`leaf-pairs.ts`). */
function notConvex(a: Body, b: Body): never {
  throw new Error(`A pair of ${nameOf(a)} and ${nameOf(b)} has no separation: only convex bodies do`)
}

function nameOf(body: Body): string {
  return body.kind === COMPOSITE ? 'composite' : kindOf(body).name
}

/** The ordered pair and its frame. */
export interface PairFrame extends Frame {
  first: Body
  second: Body
  /** Whether `first` is the caller's B. */
  swapped: boolean
}

const nobody = createBody()
const frame: PairFrame = { first: nobody, second: nobody, swapped: false, dx: 0, dy: 0, extent: 0, error: 0, limit: 0 }

/**
 * Fills `out` for the ordered pair and returns its frame (module scratch: read it before the next call). Of a pair farther apart than
 * `limit` only that may be said, with a value of Infinity.
 */
export function separate(a: Body, b: Body, out: Separation, limit = Infinity): PairFrame {
  orderPair(a, b)
  frame.limit = limit
  const { extent, first, second } = frame
  if (isSafeExtent(extent)) TABLE[first.kind][second.kind](first, second, frame, out)
  else separateScaled(first, second, out)
  return frame
}

/** The frame of two convex bodies in the order given (module scratch). */
export function pairAsGiven(a: Body, b: Body): PairFrame {
  setFrame(a, b)
  frame.swapped = false
  frame.first = a
  frame.second = b
  return frame
}

/** Puts two convex bodies in order and returns their frame (module scratch). */
export function orderPair(a: Body, b: Body): PairFrame {
  setFrame(a, b)
  const swapped = a.kind > b.kind || (a.kind === b.kind && !isInOrder(a, b))
  frame.swapped = swapped
  frame.first = swapped ? b : a
  frame.second = swapped ? a : b
  if (swapped) {
    frame.dx = -frame.dx
    frame.dy = -frame.dy
  }
  return frame
}

/** World coordinate of a point of the frame along one axis. */
export function toWorld(position: number, anchor: number, coordinate: number): number {
  return position + (anchor + coordinate)
}

function dispatch(a: Body, b: Body, out: Separation): void {
  TABLE[a.kind][b.kind](a, b, frame, out)
}

/** (b.x + b.xLow + b.anchorX) − (a.x + a.xLow + a.anchorX), rounded as a sum that does not cancel. */
function setFrame(a: Body, b: Body): void {
  const positionX = b.numbers[X] - a.numbers[X]
  const positionY = b.numbers[Y] - a.numbers[Y]
  const lowX = b.numbers[X_LOW] - a.numbers[X_LOW]
  const lowY = b.numbers[Y_LOW] - a.numbers[Y_LOW]
  const anchorX = b.numbers[ANCHOR_X] - a.numbers[ANCHOR_X]
  const anchorY = b.numbers[ANCHOR_Y] - a.numbers[ANCHOR_Y]
  const dx = positionX + anchorX + lowX
  const dy = positionY + anchorY + lowY
  const distance = Math.abs(dx) + Math.abs(dy)
  if (4 * distance < Math.abs(positionX) + Math.abs(positionY) + Math.abs(anchorX) + Math.abs(anchorY)) {
    setCancelledFrame(a, b)
    return
  }
  const extent = distance + a.numbers[REACH] + b.numbers[REACH]
  frame.dx = dx
  frame.dy = dy
  frame.extent = extent
  frame.error = SEPARATION_ERROR_RATIO * extent
}

/** `setFrame` where the positions nearly cancel. A function of its own, because engines allocate numbers that may come from a call. */
function setCancelledFrame({ numbers: a }: Body, { numbers: b }: Body): void {
  frame.dx = compensatedOffset(a[X], a[ANCHOR_X], b[X], b[ANCHOR_X], b[X_LOW] - a[X_LOW])
  frame.dy = compensatedOffset(a[Y], a[ANCHOR_Y], b[Y], b[ANCHOR_Y], b[Y_LOW] - a[Y_LOW])
  frame.extent = Math.abs(frame.dx) + Math.abs(frame.dy) + a[REACH] + b[REACH]
  frame.error = SEPARATION_ERROR_RATIO * (frame.extent + UNIT_ROUNDOFF * (largestInput(a) + largestInput(b)))
}

/** Canonical order of two bodies of one kind; any total order on their contents does. */
function isInOrder(a: Body, b: Body): boolean {
  if (a.count !== b.count) return a.count < b.count
  if (a.numbers[RADIUS] !== b.numbers[RADIUS]) return a.numbers[RADIUS] < b.numbers[RADIUS]
  for (let i = 2; i < 2 * a.count; i++)
    if (a.numbers[LOCAL + i] !== b.numbers[LOCAL + i]) return a.numbers[LOCAL + i] < b.numbers[LOCAL + i]
  if (a.kind > POLYGON && a.kind !== COMPOSITE) {
    const order = kindOf(a).compare(a, b)
    if (order !== 0) return order < 0
  }
  return frame.dx > 0 || (frame.dx === 0 && frame.dy >= 0)
}

const scaledA = createBody()
const scaledB = createBody()

/** Runs a pair too small or too large for squares at another scale, and scales the answer back. */
function separateScaled(a: Body, b: Body, out: Separation): void {
  const exponent = exponentFor(frame.extent, a, b)
  frame.limit = Infinity
  if (exponent === 0) {
    dispatch(a, b, out)
    return
  }
  copyScaled(a, exponent, scaledA)
  copyScaled(b, exponent, scaledB)
  const { dx, dy, extent, error } = frame
  setFrame(scaledA, scaledB)
  // At its own scale, points that a turn has rounded to one are one: a polygon may have become a circle.
  if (scaledA.kind <= scaledB.kind) dispatch(scaledA, scaledB, out)
  else dispatchReversed(scaledA, scaledB, out)
  scaleNumbers(out, ['value', 'ax', 'ay', 'bx', 'by'], exponent)
  if (out.value === 0) out.value = out.relation * Number.MIN_VALUE
  frame.dx = dx
  frame.dy = dy
  frame.extent = extent
  frame.error = error
}

/** Runs a pair that is in the wrong order, and answers in that order. */
function dispatchReversed(a: Body, b: Body, out: Separation): void {
  const { dx, dy } = frame
  frame.dx = -dx
  frame.dy = -dy
  dispatch(b, a, out)
  swapWitnesses(out)
  out.ax += dx
  out.ay += dy
  out.bx += dx
  out.by += dy
  if (out.face !== 0) out.face = out.face === 1 ? 2 : 1
}

function largestInput(numbers: readonly number[]): number {
  return Math.max(
    Math.abs(numbers[X]),
    Math.abs(numbers[Y]),
    Math.abs(numbers[ANCHOR_X]),
    Math.abs(numbers[ANCHOR_Y]),
    numbers[REACH],
  )
}

// The last step of a separation: computes its value again, within one unit in the last place of the true one.
//
// Method: a pair function leaves the features between which the gap lies. Where they are the right ones for certain, the gap
// is theirs (`closed-gap.ts`). Where rounding may have mistaken a feature for its neighbour (nearly parallel edges
// that face each other, faces equally deep, cores that nearly touch), all features that it cannot rule out are measured: the
// greatest height over the faces where the cores overlap, the least distance where they do not.
// Curves, and polygons with more corners than a box, keep their value. A rotated body
// is measured by its rounded vertices and its rounded normal.

const upward: Direction = { nx: 0, ny: 0 }

/** Rounds the value of the ordered pair's separation, as `separate` has filled it, to within one unit in the last place. */
export function refine(frame: PairFrame, s: Separation): void {
  const { first, second } = frame
  if (s.relation === 0 || isCurved(first) || isCurved(second) || s.value === -Infinity) return
  if (first.count > CLOSED_CORNER_COUNT || second.count > CLOSED_CORNER_COUNT) return
  const value = closedValue(first, second, frame, s)
  // The sign is decided; a value without one would be of an underflow.
  if (s.relation > 0 ? value > 0 : value < 0) s.value = value
}

function closedValue(a: Body, b: Body, frame: Frame, s: Separation): number {
  if (b.kind === HALFPLANE) return a.kind === HALFPLANE ? exactOppositeGap(a, b) : lowestGap(a, b, frame, s)
  if (a.count === 1 && b.count === 1) return pointGap(a, 0, b, 0)
  const { extent, error } = frame
  const core = s.value + (a.numbers[RADIUS] + b.numbers[RADIUS])
  if (core > 8 * error) {
    // An end of an edge that rounding takes for its inside, or the other way round, tells in the second order only.
    const isFar = core * Math.abs(s.value) > CLEAR_DISTANCE_RATIO * extent * extent
    const gap = isFar && isClear(a, b, s) ? gapOf(a, b, s) : Number.NaN
    return Math.abs(gap - s.value) <= 8 * error ? gap : leastGap(a, b, frame, s)
  }
  if (core < -8 * error) {
    if (core - s.rival > 8 * error && isClear(a, b, s)) return gapOf(a, b, s)
    return deepestGap(a, b, frame, core)
  }
  const isApart =
    a.numbers[RADIUS] + b.numbers[RADIUS] === 0
      ? s.relation > 0
      : exactCoreSeparation(a, b, frame.dx, frame.dy, error).sign >= 0
  return isApart ? leastGap(a, b, frame, s) : deepestGap(a, b, frame, -16 * error)
}

/** Between the features that the separation names. */
function gapOf(a: Body, b: Body, { a0, a1, b0, b1, nx, ny }: Separation): number {
  if (a0 !== a1) return edgeGap(a, edgeBetween(a, a0, a1, nx, ny), b, b0)
  return b0 === b1 ? pointGap(a, a0, b, b0) : edgeGap(b, edgeBetween(b, b0, b1, -nx, -ny), a, a0)
}

/** The edge between two vertices that follow one another, whichever comes first; of a segment the side that (nx, ny) points to. */
function edgeBetween(body: Body, i: number, j: number, nx: number, ny: number): number {
  const { normals, count, numbers } = body
  if (count === 2) return numbers[normals] * nx + numbers[normals + 1] * ny > 0 ? 0 : 1
  return following(body, i) === j ? i : j
}

/**
 * Whether the neighbours of the named features are farther away for certain: those of a corner lie behind it, seen along the
 * normal.
 */
function isClear(a: Body, b: Body, s: Separation): boolean {
  const { a0, a1, b0, b1 } = s
  if (a0 !== a1) return b0 === b1 && isNext(a, a0, a1) && isBehind(b, b0, s, 1)
  if (b0 !== b1) return isNext(b, b0, b1) && isBehind(a, a0, s, -1)
  return isBehind(a, a0, s, -1) && isBehind(b, b0, s, 1)
}

function isNext(body: Body, i: number, j: number): boolean {
  return following(body, i) === j || following(body, j) === i
}

/** Core points above a half-plane: the lowest, or all that rounding may have taken for it. */
function lowestGap(a: Body, plane: Body, { error }: Frame, s: Separation): number {
  const { numbers } = plane
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  upward.nx = unitX
  upward.ny = unitY
  if (isBehind(a, s.vertex, upward, 1)) return planeGap(a, s.vertex, plane)
  const { count, numbers: numbersA } = a
  spend(count)
  const limit = unitX * numbersA[LOCAL + 2 * s.vertex] + unitY * numbersA[LOCAL + 2 * s.vertex + 1] + 4 * error
  let least = Infinity
  for (let i = 0; i < count; i++) {
    if (unitX * numbersA[LOCAL + 2 * i] + unitY * numbersA[LOCAL + 2 * i + 1] <= limit)
      least = Math.min(least, planeGap(a, i, plane))
  }
  return least
}

/** The greatest height over the faces that may be the best. `core`: height that the best one reaches, as far as rounding tells. */
function deepestGap(a: Body, b: Body, { dx, dy, error }: Frame, core: number): number {
  return Math.max(highestFace(a, b, dx, dy, error, core), highestFace(b, a, -dx, -dy, error, core))
}

/** Greatest height over the edges of `owner` alone; `other` stands at (dx, dy) from it. Cost O(edges + vertices) for each face near the best. */
function highestFace(owner: Body, other: Body, dx: number, dy: number, error: number, core: number): number {
  const { count, normals, offsets, numbers } = owner
  const { numbers: otherNumbers } = other
  if (count === 1) return -Infinity
  let best = -Infinity
  let vertex = 0
  for (let i = 0; i < count; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    vertex = lowestVertex(other, numbers, normals + 2 * i, 1, vertex)
    const lowest = nx * otherNumbers[LOCAL + 2 * vertex] + ny * otherNumbers[LOCAL + 2 * vertex + 1]
    if (nx * dx + ny * dy + lowest - numbers[offsets + i] < core - 4 * error) continue
    spend(other.count)
    let least = Infinity
    for (let k = 0; k < other.count; k++) {
      if (nx * otherNumbers[LOCAL + 2 * k] + ny * otherNumbers[LOCAL + 2 * k + 1] <= lowest + 4 * error)
        least = Math.min(least, edgeGap(owner, i, other, k))
    }
    best = Math.max(best, least)
  }
  return best
}

/** The least distance between disjoint cores, less the radii, over all features that may be the nearest. */
function leastGap(a: Body, b: Body, { dx, dy, error }: Frame, s: Separation): number {
  const { nx, ny } = s
  const heightsA = heightsAlong(a, nx, ny)
  const heightsB = heightsAlong(b, -nx, -ny)
  const between = nx * dx + ny * dy - Math.max(...heightsA) - Math.max(...heightsB)
  // The cores lie on both sides of the slab between their supports.
  const slack = Math.max(s.value + (a.numbers[RADIUS] + b.numbers[RADIUS]) - between, 0) + 8 * error
  const nearA = highestOf(heightsA, slack)
  const nearB = highestOf(heightsB, slack)
  spend(nearA.length * nearB.length)
  let least = Infinity
  for (const i of nearA) for (const j of nearB) least = Math.min(least, pointGap(a, i, b, j))
  return Math.min(least, leastOverEdges(a, nearA, b, nearB), leastOverEdges(b, nearB, a, nearA))
}

function heightsAlong({ count, numbers }: Body, nx: number, ny: number): number[] {
  spend(count)
  return Array.from({ length: count }, (_, i) => nx * numbers[LOCAL + 2 * i] + ny * numbers[LOCAL + 2 * i + 1])
}

function highestOf(heights: readonly number[], slack: number): number[] {
  const limit = Math.max(...heights) - slack
  return [...heights.keys()].filter((i) => heights[i] >= limit)
}

/** Of the given vertices that stand over edges at the owner's. */
function leastOverEdges(owner: Body, near: readonly number[], other: Body, vertices: readonly number[]): number {
  if (owner.count === 1) return Infinity
  const edges = new Set(near.flatMap((i) => [i, preceding(owner, i)]))
  let least = Infinity
  for (const i of edges) {
    for (const k of vertices) {
      if (!standsOver(owner, i, other, k)) continue
      const gap = edgeGap(owner, i, other, k)
      if (gap < least && coreEdgeGap(owner, i, other, k) >= 0) least = gap
    }
  }
  return least
}
