/**
 * The overlap query: do two closed bodies meet, decided exactly, with a certificate that can be checked by itself.
 * Frame: the answer is in world coordinates; the axis points from A to B.
 */

import { isSafeExtent, scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import { createLeafPair, isComposite, isPlump, nearestLeaves } from '../composite/leaf-pairs.ts'
import { gapAlong } from '../composite/separating-gap.ts'
import { certify } from '../narrow-phase/certified-point.ts'
import { commonPoint, createPoint } from '../narrow-phase/common-point.ts'
import { type PairFrame, separate, toWorld } from '../narrow-phase/dispatch.ts'
import { refine } from '../narrow-phase/refine-separation.ts'
import { createSeparation, type Relation } from '../narrow-phase/separation.ts'
import { type Body, createBody } from '../shape/body.ts'
import { extentOf, inSafeRange } from '../shape/body-scaling.ts'
import { leafBody } from '../shape/composite.ts'

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
  return relateByGap(a, b, related)
}

export interface RelatedGap {
  /** The rounded gap, or minus the depth, of the two parts that decided the relation: an estimate to search by. NaN: unknown. */
  gap: number
}

const related: RelatedGap = { gap: 0 }

/** The same, and how far apart they are there. */
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
  if (frame !== null && isSafeExtent(frame.extent)) overlapConvex(frame, out)
  else inSafeRange(a, b, frame === null ? extentOf(a, b) : frame.extent, out, measure, scaleBack)
}

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
  const { first, second, swapped, dx, dy, error, extent } = frame
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
  commonPoint(first, second, dx, dy, error, separation, shared)
  setShared(first, second, extent, out)
}

/** The common point in `shared`, in the world. */
function setShared(first: Body, second: Body, extent: number, out: Overlap): void {
  shared.x = toWorld(first.x, first.anchorX, shared.x)
  shared.y = toWorld(first.y, first.anchorY, shared.y)
  certify(first, second, extent, separation, shared)
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
  const { first, second, swapped: leavesSwapped, dx, dy, error, extent } = separate(leafA, leafB, separation)
  if (leaves.relation <= 0) {
    commonPoint(first, second, dx, dy, error, separation, shared)
    setShared(first, second, extent, out)
    return
  }
  const side = swapped === leavesSwapped ? 1 : -1
  out.nx = side * separation.nx
  out.ny = side * separation.ny
  out.gap = gapAlong(a, b, out.nx, out.ny)
  out.hasAxis = out.gap > 0
}
