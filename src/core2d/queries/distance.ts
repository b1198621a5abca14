/**
 * The distance query: how far apart two bodies are, and their nearest points; a common point when they meet.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */

import { isSafeExtent, scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import { createPoint, type Point } from '../narrow-phase/common-point.ts'
import { type PairFrame, refine, separate, toWorld } from '../narrow-phase/dispatch.ts'
import { findSharedPoint, isTooSmallToPierce } from '../narrow-phase/inner-point.ts'
import { createLeafPair, nearestLeaves } from '../narrow-phase/leaf-pairs.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { ANCHOR_X, ANCHOR_Y, type Body, createBody, isComposite, X, Y } from '../shape/body.ts'
import { extentOf, inSafeRange } from '../shape/body-scaling.ts'
import { leafBody } from '../shape/composite.ts'

export interface Distance {
  distance: number
  ax: number
  ay: number
  bx: number
  by: number
  /** False when the distance is 0: points that coincide have no direction. */
  hasNormal: boolean
  nx: number
  ny: number
}

export function createDistance(): Distance {
  return { distance: 0, ax: 0, ay: 0, bx: 0, by: 0, hasNormal: false, nx: 0, ny: 0 }
}

const leafSlotA = createBody()
const leafSlotB = createBody()
const separation = createSeparation()
const shared = createPoint()
const leaves = createLeafPair()

export function distance(a: Body, b: Body, out: Distance): void {
  const frame = isComposite(a) || isComposite(b) ? null : separate(a, b, separation)
  const extent = frame === null ? extentOf(a, b) : frame.extent
  isMinute = isTooSmallToPierce(extent)
  if (frame !== null && isSafeExtent(extent)) answer(frame, false, out)
  else inSafeRange(a, b, extent, out, measure, scaleBack)
}

/** Whether the pair is too small for a point that is proven at another scale. */
let isMinute = false

function measure(a: Body, b: Body, out: Distance): void {
  if (!isComposite(a) && !isComposite(b)) {
    answer(separate(a, b, separation), false, out)
    return
  }
  const { firstView, secondView, swapped } = nearestLeaves(a, b, leaves)
  if (leaves.contained) setCommon(leaves, out)
  else {
    const leafA = leafBody(firstView, leaves.leafA, leafSlotA)
    const leafB = leafBody(secondView, leaves.leafB, leafSlotB)
    answer(separate(leafA, leafB, separation), swapped, out)
  }
}

function scaleBack(out: Distance, exponent: number): void {
  out.distance = scaleSigned(out.distance, exponent)
  scaleNumbers(out, ['ax', 'ay', 'bx', 'by'], exponent)
}

function setCommon({ x, y }: Point, out: Distance): void {
  out.distance = 0
  out.hasNormal = false
  out.nx = 0
  out.ny = 0
  out.ax = x
  out.ay = y
  out.bx = x
  out.by = y
}

/** The convex pair in `separation`; `flipped`: what was measured as A is the caller's B. */
function answer(frame: PairFrame, flipped: boolean, out: Distance): void {
  const { first } = frame
  const swapped = frame.swapped !== flipped
  const apart = separation.relation > 0
  if (!apart) {
    findSharedPoint(frame, separation, isMinute, shared)
    setCommon(shared, out)
    return
  }
  refine(frame, separation)
  const side = swapped ? -1 : 1
  out.distance = separation.value
  out.hasNormal = true
  out.nx = side * separation.nx
  out.ny = side * separation.ny
  out.ax = toWorld(first.numbers[X], first.numbers[ANCHOR_X], swapped ? separation.bx : separation.ax)
  out.ay = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], swapped ? separation.by : separation.ay)
  out.bx = toWorld(first.numbers[X], first.numbers[ANCHOR_X], swapped ? separation.ax : separation.bx)
  out.by = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], swapped ? separation.ay : separation.by)
}
