/**
 * The contact query: signed separation, normal, contact points and the translation that just separates the pair.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */

import { spend } from '../../containers/budget.ts'
import { isSafeExtent, scaleLimit, scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import { minimumTranslation } from '../minimum-translation/minimum-translation.ts'
import { createTranslation } from '../minimum-translation/refine.ts'
import { type PairFrame, refine, separate, toWorld } from '../narrow-phase/dispatch.ts'
import {
  type CompositeFrame,
  createLeafPair,
  edgesApart,
  nearestLeaves,
  visitLeafPairs,
} from '../narrow-phase/leaf-pairs.ts'
import { type ContactPoint, contactManifold, createContactPoint } from '../narrow-phase/manifold.ts'
import { areClearlyFar, supportVertex } from '../narrow-phase/sat.ts'
import { createSeparation, type Relation } from '../narrow-phase/separation.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  createBody,
  isComposite,
  isCored,
  isCurved,
  LOCAL,
  POLYGON,
  RADIUS,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { extentOf, inSafeRange } from '../shape/body-scaling.ts'
import { leafBody } from '../shape/composite.ts'
import { moveBy } from '../shape/position.ts'
import {
  ELLIPSE_ERROR_RATIO,
  LEAF_PAIR_STEP_COUNT,
  LEAST_GAP_RATIO,
  SAME_NORMAL_RATIO,
  SEPARATION_ERROR_RATIO,
  TOUCH_ERROR_COUNT,
} from '../tolerances.ts'

const separation = createSeparation()

/**
 * `maxDistance` ≥ 0: a pair farther apart gets no points, and no point's own separation exceeds it. Without `wantsGap`, its separation and
 * normal may be missing as well (Infinity, and none), which takes half the time.
 */
export function contact(a: Body, b: Body, maxDistance: number, out: Contact, wantsGap = true): void {
  if (!wantsGap && areClearlyFar(a, b, maxDistance)) {
    setFarApart(out)
    return
  }
  const limit = wantsGap ? Infinity : maxDistance
  const frame = isComposite(a) || isComposite(b) ? null : separate(a, b, separation, limit)
  if (frame !== null && isSafeExtent(frame.extent)) contactConvex(frame, maxDistance, out)
  else contactInSafeRange(a, b, frame === null ? extentOf(a, b) : frame.extent, maxDistance, out)
}

function contactInSafeRange(a: Body, b: Body, extent: number, maxDistance: number, out: Contact): void {
  const measure = (first: Body, second: Body, _: Contact, exponent: number): void => {
    const limit = exponent === 0 ? maxDistance : scaleLimit(maxDistance, exponent)
    if (isComposite(first) || isComposite(second)) contactComposites(first, second, limit, out)
    else contactConvex(separate(first, second, separation), limit, out)
  }
  inSafeRange(a, b, extent, out, measure, scaleBack)
}

function scaleBack(out: Contact, exponent: number): void {
  out.separation = scaleSigned(out.separation, exponent)
  scaleNumbers(out, ['tx', 'ty'], exponent)
  for (let i = 0; i < out.count; i++) scaleNumbers(out.points[i], ['x', 'y', 'separation'], exponent)
}

/** The pair in `separation`. */
function contactConvex(frame: PairFrame, maxDistance: number, out: Contact): void {
  const { first, second, swapped, error } = frame
  if (separation.value === Infinity) {
    setFarApart(out)
    return
  }
  refine(frame, separation)
  const { relation, value } = separation
  const side = swapped ? -1 : 1
  out.exact = true
  out.relation = relation
  out.separation = value
  out.nx = side * separation.nx
  out.ny = side * separation.ny
  out.hasNormal = out.nx !== 0 || out.ny !== 0
  const pushed = value < 0 && out.hasNormal
  out.tx = pushed ? -value * out.nx : 0
  out.ty = pushed ? -value * out.ny : 0
  out.count = 0
  if (value > maxDistance || !out.hasNormal) return
  // A touching pair's points may come out a rounding error apart.
  out.count = contactManifold(first, second, frame, separation, maxDistance + error, out.points)
  for (let i = 0; i < out.count; i++) {
    const point = out.points[i]
    point.x = toWorld(first.numbers[X], first.numbers[ANCHOR_X], point.x)
    point.y = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], point.y)
    if (!swapped) continue
    const { featureA } = point
    point.featureA = point.featureB
    point.featureB = featureA
  }
}

function setFarApart(out: Contact): void {
  out.exact = true
  out.relation = 1
  out.separation = Infinity
  out.hasNormal = false
  out.nx = 0
  out.ny = 0
  out.tx = 0
  out.ty = 0
  out.count = 0
}

// Pairs with a composite body: separation, normal and translation of the whole, and contact points over all leaves that take part.
//
// Method: apart, the nearest pair of leaves; else the minimum translation (`minimum-translation/minimum-translation.ts`). The
// contact points come from the leaves that touch at that pose.

const nearestSlotA = createBody()
const nearestSlotB = createBody()
const nearest = createLeafPair()
const nearestSeparation = createSeparation()
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
  const leaf = leafBody(firstView, leafA, nearestSlotA)
  const pair = separate(leaf, leafBody(secondView, leafB, nearestSlotB), nearestSeparation)
  if (nearest.relation > 0) {
    refine(pair, nearestSeparation)
    nearest.distance = nearestSeparation.value
    touch.distance = nearestSeparation.value
  }
  const side = pair.swapped ? -1 : 1
  touch.nx = side * nearestSeparation.nx
  touch.ny = side * nearestSeparation.ny
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
    // Where rounding leaves nothing of the translation, an overlapping body moves as far as its depth.
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

// Contact points of composite bodies: up to two, over all leaves that touch.
//
// Method: every pair of leaves that is as near as the whole pair and faces along its normal gives the points of its own
// manifold. Of those that touch the two outermost are kept, so that a box on a floor of many edges stands on its own two
// corners; beside a single one, the far end of the edge that lies flattest on the other body's face, over all leaves that go on
// with that face.
// Frame: world coordinates; the second body is taken as moved by the translation, points lie midway between the surfaces
// as they stand.

/** How the ordered pair touches once its second body is moved. */
interface Touch {
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

const touchSlotA = createBody()
const touchSlotB = createBody()
const moved = createBody()
const touchSeparation = createSeparation()
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
  visitLeafPairs(
    firstTree,
    secondTree,
    second.numbers[X] - first.numbers[X] + tx,
    second.numbers[Y] - first.numbers[Y] + ty,
    Infinity,
    (a, b) => {
      if (edgesApart(firstView, a, secondView, b, Math.max(least, 0), tx, ty)) return Math.max(least, 0)
      spend(LEAF_PAIR_STEP_COUNT)
      const leafB = moveBy(leafBody(secondView, b, touchSlotB), tx, ty, moved)
      separate(leafBody(firstView, a, touchSlotA), leafB, touchSeparation)
      if (touchSeparation.value < least) least = touchSeparation.value
      return Math.max(least, 0)
    },
  )
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
  const rise = which === BEYOND ? flattest.slope * 2 * Math.max(first.numbers[REACH], second.numbers[REACH]) : 0
  const reach = distance + error + rise
  visitLeafPairs(
    firstTree,
    secondTree,
    second.numbers[X] - first.numbers[X] + tx,
    second.numbers[Y] - first.numbers[Y] + ty,
    reach,
    (a, b) => {
      if (edgesApart(firstView, a, secondView, b, reach, tx, ty)) return reach
      spend(LEAF_PAIR_STEP_COUNT)
      const leafB = moveBy(leafBody(secondView, b, touchSlotB), tx, ty, moved)
      const pair = separate(leafBody(firstView, a, touchSlotA), leafB, touchSeparation)
      if (touchSeparation.value > reach || touchSeparation.value < distance - error) return reach
      if (which !== ALL && !aim(pair, touch)) return reach
      const count = contactManifold(pair.first, pair.second, pair, touchSeparation, Infinity, pairPoints)
      for (let i = 0; i < count; i++) {
        finishPoint(pairPoints[i], pair, firstView.leafPart[a], secondView.leafPart[b])
      }
      if (which === BEYOND) extend(count, first, touch)
      else place(count, first, touch)
      return reach
    },
  )
}

/** From the pair's own order and frame into the world and the order of the bodies. */
function finishPoint(point: ContactPoint, { first, swapped }: PairFrame, partA: number, partB: number): void {
  point.x = toWorld(first.numbers[X], first.numbers[X_LOW] + first.numbers[ANCHOR_X], point.x)
  point.y = toWorld(first.numbers[Y], first.numbers[Y_LOW] + first.numbers[ANCHOR_Y], point.y)
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
  return (point.y - first.numbers[Y]) * nx - (point.x - first.numbers[X]) * ny
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
  const s = touchSeparation
  if (!isCored(first) || !isCored(second)) return 1 - (s.nx * nx + s.ny * ny) <= SAME_NORMAL_RATIO
  const i = supportVertex(first, nx, ny)
  const j = supportVertex(second, -nx, -ny)
  const x = dx + second.numbers[LOCAL + 2 * j] - first.numbers[LOCAL + 2 * i]
  const y = dy + second.numbers[LOCAL + 2 * j + 1] - first.numbers[LOCAL + 2 * i + 1]
  if (nx * x + ny * y - first.numbers[RADIUS] - second.numbers[RADIUS] < touch.distance - touch.error) return false
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

function cosine({ normals, numbers }: Body, edge: number, nx: number, ny: number): number {
  return numbers[normals + 2 * edge] * nx + numbers[normals + 2 * edge + 1] * ny
}

/** The edge that faces along (nx, ny); −1 when none does. */
function facing(body: Body, nx: number, ny: number): number {
  let best = 0
  for (let edge = 1; edge < body.count; edge++) {
    if (cosine(body, edge, nx, ny) > cosine(body, best, nx, ny)) best = edge
  }
  return 1 - cosine(body, best, nx, ny) <= SAME_NORMAL_RATIO ? best : -1
}

/** The answer of a contact query. */
export interface Contact {
  /** Exact sign of the separation: −1 overlapping, 0 touching, 1 apart. */
  relation: Relation
  /** Signed distance of the surfaces, negative for a penetration depth; −Infinity when nothing separates the pair. */
  separation: number
  hasNormal: boolean
  nx: number
  ny: number
  count: number
  points: [ContactPoint, ContactPoint]
  /** Shortest vector that, added to B, leaves the pair touching; zero when apart. */
  tx: number
  ty: number
  /** False where separation and translation of an overlapping concave pair are only the best bound found. */
  exact: boolean
}

export function createContact(): Contact {
  return {
    relation: 1,
    separation: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    count: 0,
    points: [createContactPoint(), createContactPoint()],
    tx: 0,
    ty: 0,
    exact: true,
  }
}
