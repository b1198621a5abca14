/**
 * The overlap query: do two closed bodies meet, decided exactly, with a certificate that can be checked by itself.
 * Frame: the answer is in world coordinates; the axis points from A to B.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import { createPoint } from '../narrow-phase/common-point.ts'
import { orderPair, type PairFrame, pairAsGiven, refine, separate } from '../narrow-phase/dispatch.ts'
import { findSharedPoint, isTooSmallToPierce } from '../narrow-phase/inner-point.ts'
import { createLeafPair, isPlump, nearestLeaves } from '../narrow-phase/leaf-pairs.ts'
import { clearSign } from '../narrow-phase/polygon-polygon.ts'
import { areClearlyFar } from '../narrow-phase/sat.ts'
import { createSeparation, type Relation } from '../narrow-phase/separation.ts'
import {
  type Body,
  CENTER_X,
  CENTER_Y,
  COMPOSITE,
  type Composite,
  createBody,
  ELLIPSE,
  HALFPLANE,
  isComposite,
  POLYGON,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { extentOf, inSafeRange } from '../shape/body-scaling.ts'
import { leafBody } from '../shape/composite.ts'
import { ellipseHolds } from '../shape/ellipse.ts'
import { kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

export type { Relation }

export interface Overlap {
  /** −1 overlapping, 0 touching, 1 separated. */
  relation: Relation
  /** When separated: unit axis and the gap between the two bodies' supports along it. */
  hasAxis: boolean
  nx: number
  ny: number
  gap: number
  /** Otherwise, unless the bodies are concave and no one axis separates them: a point of both. */
  hasPoint: boolean
  px: number
  py: number
}

export function createOverlap(): Overlap {
  return { relation: 1, hasAxis: false, nx: 0, ny: 0, gap: 0, hasPoint: false, px: 0, py: 0 }
}

const leafSlotA = createBody()
const leafSlotB = createBody()
const separation = createSeparation()
const shared = createPoint()
const leaves = createLeafPair()

/** Exact sign of the separation alone. */
export function relate(a: Body, b: Body): Relation {
  if (isComposite(a) || isComposite(b)) return relateByGap(a, b, related)
  separate(a, b, separation, 0)
  return separation.relation
}

export interface RelatedGap {
  /** The rounded gap, or minus the depth, of the two parts that decided the relation: an estimate to search by. NaN: unknown. */
  gap: number
}

const related: RelatedGap = { gap: 0 }

/** Exact sign of the separation, and an estimate of the gap in `out`. */
export function relateByGap(a: Body, b: Body, out: RelatedGap): Relation {
  if (!isComposite(a) && !isComposite(b)) {
    separate(a, b, separation)
    out.gap = isPlump(a) && isPlump(b) ? separation.value : Number.NaN
    return separation.relation
  }
  inSafeRange(a, b, extentOf(a, b), out, relateLeaves, forgetGap)
  return leaves.relation
}

function relateLeaves(a: Body, b: Body, out: RelatedGap): void {
  nearestLeaves(a, b, leaves)
  out.gap = leaves.gap
}

/** A gap at another scale is not worth scaling back: nobody searches by it. */
function forgetGap(out: RelatedGap): void {
  out.gap = Number.NaN
}

export function overlap(a: Body, b: Body, out: Overlap): void {
  const frame = isComposite(a) || isComposite(b) ? null : separate(a, b, separation)
  const extent = frame === null ? extentOf(a, b) : frame.extent
  isMinute = isTooSmallToPierce(extent)
  if (frame !== null && isSafeExtent(extent)) overlapConvex(frame, out)
  else inSafeRange(a, b, extent, out, measure, scaleBack)
}

/** Whether the pair is too small for a point that is proven at another scale. */
let isMinute = false

function measure(a: Body, b: Body, out: Overlap): void {
  if (isComposite(a) || isComposite(b)) overlapComposites(a, b, out)
  else overlapConvex(separate(a, b, separation), out)
}

function scaleBack(out: Overlap, exponent: number): void {
  out.gap = scaleSigned(out.gap, exponent)
  scaleNumbers(out, ['px', 'py'], exponent)
}

/** The pair in `separation`. */
function overlapConvex(frame: PairFrame, out: Overlap): void {
  const { swapped } = frame
  out.relation = separation.relation
  out.hasAxis = separation.relation > 0
  out.hasPoint = !out.hasAxis
  if (out.hasAxis) {
    // The direction of the nearest points is the axis of the widest gap, which is the distance.
    out.nx = swapped ? -separation.nx : separation.nx
    out.ny = swapped ? -separation.ny : separation.ny
    refine(frame, separation)
    out.gap = separation.value
    return
  }
  setShared(frame, out)
}

/** Sets a common point of the convex pair in `separation`, which meets. */
function setShared(frame: PairFrame, out: Overlap): void {
  findSharedPoint(frame, separation, isMinute, shared)
  out.px = shared.x
  out.py = shared.y
}

/** The axis is that of the nearest leaves, when it separates the whole bodies. */
function overlapComposites(a: Body, b: Body, out: Overlap): void {
  const { firstView, secondView, swapped } = nearestLeaves(a, b, leaves)
  out.relation = leaves.relation
  out.hasAxis = false
  out.hasPoint = leaves.relation <= 0
  if (leaves.contained) {
    out.px = leaves.x
    out.py = leaves.y
    return
  }
  const leafA = leafBody(firstView, leaves.leafA, leafSlotA)
  const leafB = leafBody(secondView, leaves.leafB, leafSlotB)
  const frame = separate(leafA, leafB, separation)
  if (leaves.relation <= 0) {
    setShared(frame, out)
    return
  }
  const side = swapped === frame.swapped ? 1 : -1
  out.nx = side * separation.nx
  out.ny = side * separation.ny
  out.gap = gapAlong(a, b, out.nx, out.ny)
  out.hasAxis = out.gap > 0
}

// How far bodies of any kind reach along a direction, and the gap that leaves between two of them.
// Frame: world. Cost O(vertices).

/** Lower bound on the gap between A and B along the unit vector (nx, ny) from A to B: the gap less its rounding error. */
function gapAlong(a: Body, b: Body, nx: number, ny: number): number {
  const dx = b.numbers[X] - a.numbers[X]
  const dy = b.numbers[Y] - a.numbers[Y]
  const gap = dx * nx + dy * ny - heightAlong(a, nx, ny) - heightAlong(b, -nx, -ny)
  const size =
    Math.abs(dx) +
    Math.abs(dy) +
    a.numbers[REACH] +
    b.numbers[REACH] +
    UNIT_ROUNDOFF * (Math.abs(a.numbers[X]) + Math.abs(b.numbers[X]))
  return gap - SEPARATION_ERROR_RATIO * size
}

/** Height of the body over its own position along the unit vector (nx, ny); infinite for half-planes, as a rule. */
function heightAlong(body: Body, nx: number, ny: number): number {
  if (body.kind !== COMPOSITE) return convexHeight(body, nx, ny)
  const { parts, partCount } = body.composite as Composite
  let highest = -Infinity
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    const base =
      (part.numbers[X] - body.numbers[X] + part.numbers[X_LOW]) * nx +
      (part.numbers[Y] - body.numbers[Y] + part.numbers[Y_LOW]) * ny
    const height =
      outline === null ? convexHeight(part, nx, ny) : highestOf(outline.vertices, outline.vertexCount, nx, ny)
    highest = Math.max(highest, base + height)
  }
  return highest
}

function convexHeight(body: Body, nx: number, ny: number): number {
  return kindOf(body).height(body, nx, ny)
}

function highestOf(vertices: Float64Array, count: number, nx: number, ny: number): number {
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const height = vertices[2 * i] * nx + vertices[2 * i + 1] * ny
    if (height > highest) highest = height
  }
  return highest
}

// Whether two bodies meet, and nothing else: the question of a narrow phase.
//
// Method: bodies that overlap deeply are the costliest to measure and the easiest to see through. Where the middle of one lies in
// the other by more than rounding can move it, they meet. Of two polygons the face search alone tells as a rule: no nearest points
// are looked for. All others are decided exactly.

/** Polygons with fewer corners are measured as fast as looked at. */
const LEAST_CORNER_COUNT = 12

/** Whether the bodies overlap or touch: `relate(a, b) <= 0`, often faster. */
export function bodiesMeet(a: Body, b: Body): boolean {
  if (areClearlyFar(a, b, 0)) return false
  if (isCostly(a, b) && isMiddleInside(orderPair(a, b))) return true
  if (a.kind === POLYGON && b.kind === POLYGON) {
    const frame = pairAsGiven(a, b)
    const sign = isSafeExtent(frame.extent) ? clearSign(a, b, frame) : 0
    if (sign !== 0) return sign < 0
  }
  return relate(a, b) <= 0
}

/** Bodies without core points are curves here. */
function isCostly(a: Body, b: Body): boolean {
  if (a.kind >= HALFPLANE || b.kind >= HALFPLANE) return false
  return a.count === 0 || b.count === 0 || a.count + b.count >= LEAST_CORNER_COUNT
}

function isMiddleInside({ first, second, dx, dy, extent, error }: PairFrame): boolean {
  if (!isSafeExtent(extent)) return false
  const fromX = middle(first.numbers[CENTER_X], first)
  const fromY = middle(first.numbers[CENTER_Y], first)
  const toX = middle(second.numbers[CENTER_X], second)
  const toY = middle(second.numbers[CENTER_Y], second)
  // A middle is the mean of the corners: one roundoff for each.
  const margin = error + UNIT_ROUNDOFF * extent * (first.count + second.count)
  return isWithin(first, dx + toX, dy + toY, margin) || isWithin(second, fromX - dx, fromY - dy, margin)
}

/** Relative to the anchor; of a curve that is its middle. */
function middle(center: number, { count }: Body): number {
  return count === 0 ? 0 : center
}

/** Whether a point, relative to the body's anchor, lies in the body by more than `margin`. */
function isWithin(body: Body, x: number, y: number, margin: number): boolean {
  if (body.kind === ELLIPSE) return ellipseHolds(body, x, y, margin)
  if (body.kind !== POLYGON || body.count < 3) return false
  const { normals, offsets, count, numbers } = body
  for (let i = 0; i < count; i++) {
    if (numbers[normals + 2 * i] * x + numbers[normals + 2 * i + 1] * y - numbers[offsets + i] + margin > 0)
      return false
  }
  return true
}
