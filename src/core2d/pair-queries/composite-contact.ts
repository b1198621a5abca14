/**
 * The contact query where at least one body is composite: separation, normal and translation of the whole, and contact
 * points over all leaves that take part.
 *
 * Method: apart, the nearest pair of leaves; else the minimum translation (`minimum-translation/minimum-translation.ts`). The
 * contact points come from the leaves that touch at that pose (`composite-manifold.ts`).
 * Frame: the answer is in world coordinates.
 */

import { type CompositeFrame, createLeafPair, nearestLeaves } from '../composite/leaf-pairs.ts'
import { minimumTranslation } from '../minimum-translation/minimum-translation.ts'
import { createTranslation } from '../minimum-translation/translation.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { refine } from '../narrow-phase/refine-separation.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { type Body, createBody } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { isCurved } from '../shape/kinds.ts'
import { ELLIPSE_ERROR_RATIO, LEAST_GAP_RATIO, SEPARATION_ERROR_RATIO, TOUCH_ERROR_COUNT } from '../tolerances.ts'
import { createTouch, setCompositePoints } from './composite-manifold.ts'
import type { Contact } from './contact-record.ts'

const leafSlotA = createBody()
const leafSlotB = createBody()
const nearest = createLeafPair()
const separation = createSeparation()
const translation = createTranslation()
const touch = createTouch()

/** As `contact`, for two bodies of which at least one is composite. */
export function contactComposites(a: Body, b: Body, maxDistance: number, out: Contact): void {
  const frame = nearestLeaves(a, b, nearest)
  const { relation } = nearest
  out.relation = relation
  out.exact = true
  out.count = 0
  touch.tx = 0
  touch.ty = 0
  touch.depth = 0
  touch.distance = nearest.distance
  touch.limit = maxDistance
  if (relation > 0) touchNearest(frame)
  else touchMoved(frame, out)
  const side = frame.swapped ? -1 : 1
  out.separation = relation > 0 ? nearest.distance : 0 - touch.depth
  out.hasNormal = touch.nx !== 0 || touch.ny !== 0
  // A sum with 0, because −0 is not an answer.
  out.nx = side * touch.nx + 0
  out.ny = side * touch.ny + 0
  out.tx = side * touch.tx + 0
  out.ty = side * touch.ty + 0
  if (!out.hasNormal || out.separation > maxDistance) return
  setCompositePoints(frame, touch, out)
  if (frame.swapped) swapRoles(out)
}

/** The pair touches as it stands, along the normal of the nearest leaves. */
function touchNearest({ firstView, secondView }: CompositeFrame): void {
  const { leafA, leafB } = nearest
  const leaf = leafBody(firstView, leafA, leafSlotA)
  const pair = separate(leaf, leafBody(secondView, leafB, leafSlotB), separation)
  if (nearest.relation > 0) {
    refine(pair, separation)
    nearest.distance = separation.value
    touch.distance = separation.value
  }
  const side = pair.swapped ? -1 : 1
  touch.nx = side * separation.nx
  touch.ny = side * separation.ny
  const curved = isCurved(pair.first) || isCurved(pair.second)
  touch.error = TOUCH_ERROR_COUNT * Math.max(pair.error, curved ? ELLIPSE_ERROR_RATIO * pair.extent : 0)
}

/** The pair touches once the second body has made the minimum translation. */
function touchMoved(frame: CompositeFrame, out: Contact): void {
  minimumTranslation(frame, translation)
  const { found, exact, error, length } = translation
  out.exact = exact
  touch.nx = found ? translation.nx : 0
  touch.ny = found ? translation.ny : 0
  const extent = error / SEPARATION_ERROR_RATIO
  touch.error = TOUCH_ERROR_COUNT * (translation.curved ? ELLIPSE_ERROR_RATIO * extent : error)
  if (nearest.relation < 0) {
    const least = LEAST_GAP_RATIO * extent
    touch.depth = found ? Math.max(length, least) : Infinity
    // What overlaps is moved, if rounding leaves nothing of the way: as far as its depth says.
    touch.tx = !found ? 0 : length > least ? translation.tx : least * translation.nx
    touch.ty = !found ? 0 : length > least ? translation.ty : least * translation.ny
  } else if (!found || length > touch.error) {
    // Flat sets that cross without an inside to part.
    out.exact = true
    touchNearest(frame)
  }
}

function swapRoles(out: Contact): void {
  for (let i = 0; i < out.count; i++) {
    const point = out.points[i]
    const { featureA, partA } = point
    point.featureA = point.featureB
    point.featureB = featureA
    point.partA = point.partB
    point.partB = partA
  }
}
