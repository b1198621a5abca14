/**
 * The dispatcher: relation, separation, normal and witness points of any two bodies.
 *
 * What: a literal kind × kind table holds one function per unordered pair; what no ordered pair of convex bodies asks for throws.
 * Every pair is put in one order first, by kind and then by content; queries work in that order and swap the roles in their
 * answer at the end, so that swapping A and B swaps the answer to the last bit.
 * Frame: world axes, origin at the anchor of the first body of the ordered pair.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, scaleNumbers } from '../../numeric/safe-range.ts'
import { type Body, COMPOSITE, createBody, type Kind, POLYGON } from '../shape/body.ts'
import { copyScaled, exponentFor } from '../shape/body-scaling.ts'
import type { Frame } from '../shape/frame.ts'
import { kindOf } from '../shape/kinds.ts'
import { compensatedOffset } from '../shape/position.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { circleCircle } from './circle-circle.ts'
import { circleEllipse } from './circle-ellipse.ts'
import { circlePolygon } from './circle-polygon.ts'
import { ellipseEllipse } from './ellipse-ellipse.ts'
import { ellipseHalfplane } from './ellipse-halfplane.ts'
import { halfplaneHalfplane } from './halfplane-halfplane.ts'
import { polygonEllipse } from './polygon-ellipse.ts'
import { polygonHalfplane } from './polygon-halfplane.ts'
import { polygonPolygon } from './polygon-polygon.ts'
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

/** Composites are measured leaf by leaf (`composite/leaf-pairs.ts`). */
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
const frame: PairFrame = { first: nobody, second: nobody, swapped: false, dx: 0, dy: 0, extent: 0, error: 0 }

/** Fills `out` for the ordered pair and returns its frame (module scratch: read it before the next call). */
export function separate(a: Body, b: Body, out: Separation): PairFrame {
  orderPair(a, b)
  const { extent, first, second } = frame
  if (isSafeExtent(extent)) dispatch(first, second, out)
  else separateScaled(first, second, out)
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
  const positionX = b.x - a.x
  const positionY = b.y - a.y
  const lowX = b.xLow - a.xLow
  const lowY = b.yLow - a.yLow
  const anchorX = b.anchorX - a.anchorX
  const anchorY = b.anchorY - a.anchorY
  let dx = positionX + anchorX + lowX
  let dy = positionY + anchorY + lowY
  let doubt = 0
  const size = Math.abs(positionX) + Math.abs(positionY) + Math.abs(anchorX) + Math.abs(anchorY)
  if (4 * (Math.abs(dx) + Math.abs(dy)) < size) {
    dx = compensatedOffset(a.x, a.anchorX, b.x, b.anchorX, lowX)
    dy = compensatedOffset(a.y, a.anchorY, b.y, b.anchorY, lowY)
    doubt = UNIT_ROUNDOFF * (largestInput(a) + largestInput(b))
  }
  frame.dx = dx
  frame.dy = dy
  frame.extent = Math.abs(dx) + Math.abs(dy) + a.reach + b.reach
  frame.error = SEPARATION_ERROR_RATIO * (frame.extent + doubt)
}

/** Canonical order of two bodies of one kind; any total order on their contents does. */
function isInOrder(a: Body, b: Body): boolean {
  if (a.count !== b.count) return a.count < b.count
  if (a.radius !== b.radius) return a.radius < b.radius
  for (let i = 2; i < 2 * a.count; i++) if (a.local[i] !== b.local[i]) return a.local[i] < b.local[i]
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

function largestInput(body: Body): number {
  return Math.max(Math.abs(body.x), Math.abs(body.y), Math.abs(body.anchorX), Math.abs(body.anchorY), body.reach)
}
