/**
 * Contact points of composite bodies: up to two, over all leaves that touch.
 *
 * Method: every pair of leaves that is as near as the whole pair and faces along its normal gives the points of its own
 * manifold. Of those that touch the two outermost are kept, so that a box on a floor of many edges stands on its own two
 * corners; beside a single one, the far end of the edge that lies flattest on the other body's face, over all leaves that go on
 * with that face.
 * Frame: world coordinates; the second body is taken as moved by the translation, points lie midway between the surfaces
 * as they stand.
 */

import { spend } from '../../containers/budget.ts'
import { edgesApart } from '../composite/edges-apart.ts'
import { type CompositeFrame, visitLeafPairs } from '../composite/leaf-pairs.ts'
import { type PairFrame, separate, toWorld } from '../narrow-phase/dispatch.ts'
import { type ContactPoint, contactManifold, createContactPoint } from '../narrow-phase/manifold.ts'
import { supportVertex } from '../narrow-phase/sat.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { type Body, createBody, POLYGON } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { isCored } from '../shape/kinds.ts'
import { moveBy } from '../shape/placement.ts'
import { LEAF_PAIR_STEP_COUNT, SAME_NORMAL_RATIO } from '../tolerances.ts'
import type { Contact } from './contact-record.ts'

/** How the ordered pair touches once its second body is moved. */
export interface Touch {
  nx: number
  ny: number
  /** The move and its length, and the distance at which the pair then touches (0 but for a pair that is apart). */
  tx: number
  ty: number
  depth: number
  distance: number
  /** Up to which distances are equal, and up to which separation points are wanted. */
  error: number
  limit: number
}

export function createTouch(): Touch {
  return { nx: 0, ny: 0, tx: 0, ty: 0, depth: 0, distance: 0, error: 0, limit: 0 }
}

/** A contact point with its place along the contact; `slope`: how far it lies off, per length from a point that touches. */
interface PlacedPoint {
  found: boolean
  along: number
  slope: number
  point: ContactPoint
}

function createPlacedPoint(): PlacedPoint {
  return { found: false, along: 0, slope: 0, point: createContactPoint() }
}

const leafSlotA = createBody()
const leafSlotB = createBody()
const moved = createBody()
const separation = createSeparation()
const pairPoints: [ContactPoint, ContactPoint] = [createContactPoint(), createContactPoint()]
const lowest = createPlacedPoint()
const highest = createPlacedPoint()
const flattest = createPlacedPoint()

/** Fills the points of `out`, features and parts in the order of the frame. */
export function setCompositePoints(frame: CompositeFrame, touch: Touch, out: Contact): void {
  lowest.found = false
  highest.found = false
  flattest.found = false
  out.count = 0
  let aligned = gatherTouching(frame, touch)
  if (!lowest.found) {
    // Moved by a bound, the pair may come to rest a little apart.
    touch.distance = leastDistance(frame, touch)
    aligned = gatherTouching(frame, touch)
  }
  if (!lowest.found) return
  add(out, lowest, touch)
  if (highest.along - lowest.along > touch.error) {
    add(out, highest, touch)
  } else if (aligned && flattest.found) {
    gather(frame, touch, BEYOND)
    if (flattest.point.separation - touch.depth <= touch.limit + touch.error) add(out, flattest, touch)
  }
}

/** Whether the points found are ones along the normal of the touch. */
function gatherTouching(frame: CompositeFrame, touch: Touch): boolean {
  gather(frame, touch, ALONG_NORMAL)
  if (lowest.found) return true
  // Held in a corner, the pair touches along several normals, none of which is the way it was moved.
  gather(frame, touch, ALL)
  return false
}

/** Signed distance of the nearest leaves once the second body is moved. */
function leastDistance(
  { first, firstView, firstTree, second, secondView, secondTree }: CompositeFrame,
  { tx, ty }: Touch,
): number {
  let least = Infinity
  visitLeafPairs(firstTree, secondTree, second.x - first.x + tx, second.y - first.y + ty, Infinity, (a, b) => {
    if (edgesApart(firstView, a, secondView, b, Math.max(least, 0), tx, ty)) return Math.max(least, 0)
    spend(LEAF_PAIR_STEP_COUNT)
    const leafB = moveBy(leafBody(secondView, b, leafSlotB), tx, ty, moved)
    separate(leafBody(firstView, a, leafSlotA), leafB, separation)
    if (separation.value < least) least = separation.value
    return Math.max(least, 0)
  })
  return least
}

function add(out: Contact, { point }: PlacedPoint, { tx, ty, depth }: Touch): void {
  const target = out.points[out.count++]
  Object.assign(target, point)
  target.x -= tx / 2
  target.y -= ty / 2
  target.separation -= depth
}

/** Which pairs of leaves are asked for points: those that touch along the normal, all that touch, or those beside them. */
const ALONG_NORMAL = 0
const ALL = 1
const BEYOND = 2

function gather(
  { first, firstView, firstTree, second, secondView, secondTree }: CompositeFrame,
  touch: Touch,
  which: 0 | 1 | 2,
): void {
  const { tx, ty, distance, error } = touch
  // The flattest edge, extended over a whole body, rises so far at most.
  const rise = which === BEYOND ? flattest.slope * 2 * Math.max(first.reach, second.reach) : 0
  const reach = distance + error + rise
  visitLeafPairs(firstTree, secondTree, second.x - first.x + tx, second.y - first.y + ty, reach, (a, b) => {
    if (edgesApart(firstView, a, secondView, b, reach, tx, ty)) return reach
    spend(LEAF_PAIR_STEP_COUNT)
    const leafB = moveBy(leafBody(secondView, b, leafSlotB), tx, ty, moved)
    const pair = separate(leafBody(firstView, a, leafSlotA), leafB, separation)
    if (separation.value > reach || separation.value < distance - error) return reach
    if (which !== ALL && !aim(pair, touch)) return reach
    const count = contactManifold(pair.first, pair.second, pair, separation, Infinity, pairPoints)
    for (let i = 0; i < count; i++) {
      finishPoint(pairPoints[i], pair, firstView.leafPart[a], secondView.leafPart[b])
    }
    if (which === BEYOND) extend(count, first, touch)
    else place(count, first, touch)
    return reach
  })
}

/** From the pair's own order and frame into the world and the order of the bodies. */
function finishPoint(point: ContactPoint, { first, swapped }: PairFrame, partA: number, partB: number): void {
  point.x = toWorld(first.x, first.xLow + first.anchorX, point.x)
  point.y = toWorld(first.y, first.yLow + first.anchorY, point.y)
  point.partA = partA
  point.partB = partB
  if (!swapped) return
  const { featureA } = point
  point.featureA = point.featureB
  point.featureB = featureA
}

/** Sorts the pair's points in: those that touch, and the other point of one that does. */
function place(count: number, first: Body, touch: Touch): void {
  const { distance, error } = touch
  let touching = -1
  for (let i = 0; i < count; i++) {
    const point = pairPoints[i]
    if (point.separation > distance + error) continue
    touching = i
    const along = alongTouch(point, first, touch)
    if (!lowest.found || along < lowest.along) keep(lowest, point, along, 0)
    if (!highest.found || along > highest.along) keep(highest, point, along, 0)
  }
  if (count < 2 || touching < 0) return
  const point = pairPoints[touching]
  const other = pairPoints[1 - touching]
  const along = alongTouch(other, first, touch)
  const way = Math.abs(along - alongTouch(point, first, touch))
  const slope = (other.separation - point.separation) / way
  if (way > error && (!flattest.found || slope < flattest.slope)) keep(flattest, other, along, slope)
}

/** Moves the flattest point outward along the line from the one that touches. */
function extend(count: number, first: Body, touch: Touch): void {
  for (let i = 0; i < count; i++) {
    const point = pairPoints[i]
    const along = alongTouch(point, first, touch)
    const way = along - lowest.along
    const wayBefore = flattest.along - lowest.along
    if (way * wayBefore <= 0 || Math.abs(way) <= Math.abs(wayBefore)) continue
    const height = lowest.point.separation + flattest.slope * Math.abs(way)
    if (Math.abs(point.separation - height) <= touch.error) keep(flattest, point, along, flattest.slope)
  }
}

function alongTouch(point: ContactPoint, first: Body, { nx, ny }: Touch): number {
  return (point.y - first.y) * nx - (point.x - first.x) * ny
}

function keep(placed: PlacedPoint, point: ContactPoint, along: number, slope: number): void {
  placed.found = true
  placed.along = along
  placed.slope = slope
  Object.assign(placed.point, point)
}

/** Makes `separation` face along the normal of the touch; false when the leaves do not touch along it. */
function aim(pair: PairFrame, touch: Touch): boolean {
  const { first, second, swapped, dx, dy } = pair
  const nx = swapped ? -touch.nx : touch.nx
  const ny = swapped ? -touch.ny : touch.ny
  const s = separation
  if (!isCored(first) || !isCored(second)) return 1 - (s.nx * nx + s.ny * ny) <= SAME_NORMAL_RATIO
  const i = supportVertex(first, nx, ny)
  const j = supportVertex(second, -nx, -ny)
  const x = dx + second.local[2 * j] - first.local[2 * i]
  const y = dy + second.local[2 * j + 1] - first.local[2 * i + 1]
  if (nx * x + ny * y - first.radius - second.radius < touch.distance - touch.error) return false
  s.nx = nx
  s.ny = ny
  if (first.kind !== POLYGON || second.kind !== POLYGON) return true
  const faceA = facing(first, nx, ny)
  const faceB = facing(second, -nx, -ny)
  const ownedByB = faceB >= 0 && (faceA < 0 || cosine(second, faceB, -nx, -ny) > cosine(first, faceA, nx, ny))
  s.face = ownedByB ? 2 : faceA >= 0 ? 1 : 0
  s.edge = ownedByB ? faceB : faceA
  s.vertex = ownedByB ? i : j
  return true
}

function cosine({ normals }: Body, edge: number, nx: number, ny: number): number {
  return normals[2 * edge] * nx + normals[2 * edge + 1] * ny
}

/** The edge that faces along (nx, ny); −1 when none does. */
function facing(body: Body, nx: number, ny: number): number {
  let best = 0
  for (let edge = 1; edge < body.count; edge++) {
    if (cosine(body, edge, nx, ny) > cosine(body, best, nx, ny)) best = edge
  }
  return 1 - cosine(body, best, nx, ny) <= SAME_NORMAL_RATIO ? best : -1
}
