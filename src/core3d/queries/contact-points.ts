/**
 * Contact points: up to so many that span the region where two convex bodies meet.
 *
 * Method: the normal is known. A patch of either body that lies flat across it clips the other's facing patch, seen along the normal;
 * two edges that cross have one point, two in a line the ends of what they share; what is left is the one point that the answer has.
 * Each point lies midway between the surfaces, and has its own separation along the normal.
 * Frame: the answer is in world coordinates. What lies between is scratch: only the points that are returned are made.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { scaleBy, scaleNumbers, vectorLength } from '../../numeric/safe-range.ts'
import { putAcross } from '../narrow-phase/facing-feature.ts'
import { type PairFrame, pairInRange } from '../narrow-phase/pair-frame.ts'
import {
  ANCHOR,
  type Body,
  COMPOSITE,
  CONE,
  CYLINDER,
  HALFSPACE,
  OFFSET,
  POSITION,
  RADIUS,
  UNIT,
} from '../shape/body.ts'
import { CONTACT_DEPTH_RATIO, PARALLEL_SINE_RATIO, PATCH_GAP_RATIO } from '../tolerances.ts'
import { pointsOfComposites } from './composite-points.ts'
import {
  type ContactPatch,
  type ContactPoint,
  createContactPatch,
  type KnownContact,
  seePatch,
  setPatch,
} from './contact-patch.ts'
import { clipPatch, liesOver, OTHER, OWN, TAG_COUNT, turnOf } from './patch-clip.ts'

export type { ContactPoint }

/** The points no farther apart than `maxDistance` ≥ 0, the deepest first, at most `most`; none where there is no normal. */
export function contactPoints(
  a: Body,
  b: Body,
  found: KnownContact,
  maxDistance: number,
  most: number,
): ContactPoint[] {
  if (!found.hasNormal || found.separation > maxDistance) return []
  if (a.kind === COMPOSITE || b.kind === COMPOSITE) {
    return pointsOfComposites(a, b, found, maxDistance, most, patchPoints, facingPoint)
  }
  const frame = pairInRange(a, b)
  const { exponent } = frame
  if (exponent === 0) return pointsOf(frame, found, maxDistance, most)
  const scaled = { ...found }
  scaleNumbers(scaled, ['separation', 'px', 'py', 'pz'], -exponent)
  return pointsOf(frame, scaled, scaleBy(maxDistance, -exponent), most).map((point) => ({
    ...point,
    x: scaleBy(point.x, exponent),
    y: scaleBy(point.y, exponent),
    z: scaleBy(point.z, exponent),
    separation: scaleBy(point.separation, exponent),
  }))
}

/** The patches of the first and of the second body. */
const one = createContactPatch()
const other = createContactPatch()

/** Where the patches meet. */
interface Meetings {
  count: number
  /** Places across the contact. */
  u: Float64Array
  v: Float64Array
  /** Height on the surface of either core. */
  a: Float64Array
  b: Float64Array
  /** Their distance. */
  height: Float64Array
  /** Places in either patch that it is made of, two each: −1 for none, and `LEVEL` first for all that are level. */
  placesA: Int32Array
  placesB: Int32Array
}

const LEVEL = -2

function createMeetings(size: number): Meetings {
  return {
    count: 0,
    u: new Float64Array(size),
    v: new Float64Array(size),
    a: new Float64Array(size),
    b: new Float64Array(size),
    height: new Float64Array(size),
    placesA: new Int32Array(2 * size),
    placesB: new Int32Array(2 * size),
  }
}

const meetings = createMeetings(64)

function reserveMeetings(size: number): void {
  const room = meetings.u.length
  if (room < size || (room > KEPT_ENTRIES && size <= KEPT_ENTRIES)) Object.assign(meetings, createMeetings(2 * size))
  meetings.count = 0
}

function putMeeting(u: number, v: number, a: number, b: number): number {
  const k = meetings.count++
  meetings.u[k] = u
  meetings.v[k] = v
  meetings.a[k] = a
  meetings.b[k] = b
  return k
}

function putPlaces(places: Int32Array, k: number, first: number, second: number): void {
  places[2 * k] = first
  places[2 * k + 1] = second
}

/** A meeting of the edges or corners that are level. */
function putLevelMeeting(u: number, v: number, a: number, b: number): void {
  const k = putMeeting(u, v, a, b)
  putPlaces(meetings.placesA, k, LEVEL, -1)
  putPlaces(meetings.placesB, k, LEVEL, -1)
}

function pointsOf(frame: PairFrame, found: KnownContact, maxDistance: number, most: number): ContactPoint[] {
  const points = patchPoints(frame, found, maxDistance, most)
  if (points.length === 0) points.push(onlyPoint(frame, found))
  return points
}

/**
 * Those of `contactPoints` in which the patches meet, of a pair in order and of a size whose products stay in range. It need not lie
 * where its bodies say: places count from where the first is.
 */
export function patchPoints(frame: PairFrame, found: KnownContact, maxDistance: number, most: number): ContactPoint[] {
  const { first, second, swapped, extent, error } = frame
  setSides(frame, found)
  findMeetings(frame)
  if (meetings.count === 0) findNearest(PATCH_GAP_RATIO * extent)
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  const shift = (first.numbers[RADIUS] - second.numbers[RADIUS]) / 2
  // A touching pair's points may come out a rounding error apart.
  keepNear(skins, maxDistance + error)
  // Below the other surface is none of a pair that only touches, but by rounding.
  if (found.separation === 0) settleHeights(error)
  reducePoints(most, extent)
  if (takenCount === 0) return []
  const points = [pointOf(first, taken[0], shift, swapped)]
  for (let i = 1; i < takenCount; i++) points.push(pointOf(first, taken[i], shift, swapped))
  return points
}

/** Meeting k, moved along the normal by so much. */
function pointOf(first: Body, k: number, shift: number, swapped: boolean): ContactPoint {
  const { u, v, a, b, height, placesA, placesB } = meetings
  const up = (a[k] + b[k]) / 2 + shift
  const namesA = namesOf(one, placesA[2 * k], placesA[2 * k + 1])
  const namesB = namesOf(other, placesB[2 * k], placesB[2 * k + 1])
  return {
    x: placeAlong(first, 0, u[k] * across[0] + v[k] * across[3] + up * normal[0]),
    y: placeAlong(first, 1, u[k] * across[1] + v[k] * across[4] + up * normal[1]),
    z: placeAlong(first, 2, u[k] * across[2] + v[k] * across[5] + up * normal[2]),
    separation: height[k],
    featureA: swapped ? namesB : namesA,
    featureB: swapped ? namesA : namesB,
    leafA: -1,
    leafB: -1,
  }
}

/** A coordinate that counts from the body's anchor, in the world. */
function placeAlong({ numbers }: Body, axis: number, local: number): number {
  return numbers[POSITION + axis] + (numbers[ANCHOR + axis] + local)
}

/** Leaves those that are no farther apart, with their distances. */
function keepNear(skins: number, most: number): void {
  const { u, v, a, b, height, placesA, placesB, count } = meetings
  let kept = 0
  for (let k = 0; k < count; k++) {
    const gap = b[k] - a[k] - skins
    if (!(gap <= most)) continue
    u[kept] = u[k]
    v[kept] = v[k]
    a[kept] = a[k]
    b[kept] = b[k]
    height[kept] = gap
    putPlaces(placesA, kept, placesA[2 * k], placesA[2 * k + 1])
    putPlaces(placesB, kept, placesB[2 * k], placesB[2 * k + 1])
    kept++
  }
  meetings.count = kept
}

function settleHeights(error: number): void {
  for (let k = 0; k < meetings.count; k++) if (meetings.height[k] <= error) meetings.height[k] = 0
}

/** The point of the answer itself, with what faces along its normal. */
function facingPoint(frame: PairFrame, found: KnownContact): ContactPoint {
  setSides(frame, found)
  return onlyPoint(frame, found)
}

/** The point of the answer itself, of a pair whose patches have just been found not to meet. */
function onlyPoint({ swapped }: PairFrame, found: KnownContact): ContactPoint {
  const { px: x, py: y, pz: z, separation } = found
  const namesA = namesOf(one, LEVEL, -1)
  const namesB = namesOf(other, LEVEL, -1)
  return {
    x,
    y,
    z,
    separation,
    featureA: swapped ? namesB : namesA,
    featureB: swapped ? namesA : namesB,
    leafA: -1,
    leafB: -1,
  }
}

/** The caller's vertices at these places of the patch, all of it if none; none where it is curved. */
function namesOf({ names, level, levelCount, count }: ContactPatch, first: number, second: number): readonly number[] {
  if (first >= 0 && names[first] < 0) return NONE
  if (first >= 0) return second < 0 ? [names[first]] : [names[first], names[second]]
  const isLevel = first === LEVEL && levelCount > 0
  const size = isLevel ? levelCount : count
  if (size === 0 || names[0] < 0) return NONE
  const order = isLevel ? level : EACH
  // Of so many at once, as most have: arrays that grow take more room and time.
  if (size === 1) return [names[order[0]]]
  if (size === 2) return [names[order[0]], names[order[1]]]
  if (size === 3) return [names[order[0]], names[order[1]], names[order[2]]]
  if (size === 4) return [names[order[0]], names[order[1]], names[order[2]], names[order[3]]]
  const found: number[] = []
  for (let k = 0; k < size; k++) found.push(names[isLevel ? level[k] : k])
  return found
}

const EACH = Int32Array.of(0, 1, 2, 3)

const NONE: readonly number[] = []

/** Unit vector from the first to the second, and the other way; two vectors across it, at right angles to each other. */
const normal = new Float64Array(3)
const against = new Float64Array(3)
const across = new Float64Array(6)
/** The way between the anchors, from the first to the second, and back. */
const way = new Float64Array(3)
const back = new Float64Array(3)
const STILL = new Float64Array(3)

/** Sets these vectors and both patches, as seen along the normal. */
function setSides({ first, second, swapped, dx, dy, dz, extent }: PairFrame, { nx, ny, nz }: KnownContact): void {
  const side = swapped ? -1 : 1
  setVector(normal, side * nx, side * ny, side * nz)
  setVector(against, -normal[0], -normal[1], -normal[2])
  setVector(way, dx, dy, dz)
  setVector(back, -dx, -dy, -dz)
  putAcross(normal[0], normal[1], normal[2], across)
  // Core points, which need no look at the other, come first in order; discs of both know each other's even points.
  setPatch(one, first, normal, extent, null, way)
  setPatch(other, second, against, extent, hasRim(second) ? one : null, back)
  if (hasRim(first)) setPatch(one, first, normal, extent, other, way)
  seePatch(one, STILL, across, normal)
  seePatch(other, way, across, normal)
}

function setVector(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x
  out[1] = y
  out[2] = z
}

/** Whether its patch hangs on that of the other. */
function hasRim({ kind }: Body): boolean {
  return kind === CYLINDER || kind === CONE
}

function isFlat({ levelCount, count }: ContactPatch): boolean {
  return levelCount > 2 && levelCount === count
}

function findMeetings({ second, dx, dy, dz }: PairFrame): void {
  reserveMeetings(2 * (one.count + other.count))
  if (second.kind === HALFSPACE) {
    const { numbers } = second
    const x = normal[0]
    const y = normal[1]
    const z = normal[2]
    const side = x * numbers[UNIT] + y * numbers[UNIT + 1] + z * numbers[UNIT + 2] < 0 ? -1 : 1
    const b = dx * x + dy * y + dz * z + side * numbers[OFFSET]
    for (let k = 0; k < one.count; k++) {
      putMeeting(one.u[k], one.v[k], one.h[k], b)
      putPlaces(meetings.placesA, k, k, -1)
      putPlaces(meetings.placesB, k, -1, -1)
    }
  } else if (isFlat(one)) meetOverFlat(other, one, false)
  else if (isFlat(other)) meetOverFlat(one, other, true)
  else meetEdges()
}

/** The part of a patch that lies over a flat one, with the height of the flat one there. */
function meetOverFlat(patch: ContactPatch, flat: ContactPatch, isFirst: boolean): void {
  if (patch.count === 1) {
    meetPointOverFlat(patch, flat, isFirst)
    return
  }
  const clipped = clipPatch(patch, flat)
  if (clipped.count === 0) return
  setPlane(flat)
  const ownPlaces = isFirst ? meetings.placesA : meetings.placesB
  const otherPlaces = isFirst ? meetings.placesB : meetings.placesA
  for (let k = 0; k < clipped.count; k++) {
    const at = clipped.order[k]
    const u = clipped.u[at]
    const v = clipped.v[at]
    const h = clipped.h[at]
    const on = heightOver(u, v)
    putMeeting(u, v, isFirst ? h : on, isFirst ? on : h)
    const tag = TAG_COUNT * at
    putPlaces(ownPlaces, k, clipped.tags[tag + OWN], clipped.tags[tag + OWN + 1])
    putPlaces(otherPlaces, k, clipped.tags[tag + OTHER], clipped.tags[tag + OTHER + 1])
  }
}

/** `meetOverFlat` of a patch that is a point. */
function meetPointOverFlat({ u, v, h }: ContactPatch, flat: ContactPatch, isFirst: boolean): void {
  if (!liesOver(u[0], v[0], flat)) return
  setPlane(flat)
  const on = heightOver(u[0], v[0])
  const k = putMeeting(u[0], v[0], isFirst ? h[0] : on, isFirst ? on : h[0])
  putPlaces(isFirst ? meetings.placesA : meetings.placesB, k, 0, -1)
  putPlaces(isFirst ? meetings.placesB : meetings.placesA, k, -1, -1)
}

/** The first corner of the side of a polygon that spans the largest triangle with its corner 0. */
function widestCorner({ count, u, v }: ContactPatch): number {
  let best = 1
  let largest = 0
  for (let k = 1; k + 1 < count; k++) {
    const area = Math.abs(turnOf(u, v, 0, k, k + 1))
    if (area <= largest) continue
    largest = area
    best = k
  }
  return best
}

/** The plane of a flat polygon: its corner 0, two edges from there, and twice the area that these span, seen along the normal. */
const plane = { u: 0, v: 0, h: 0, toU: 0, toV: 0, rise: 0, nextU: 0, nextV: 0, nextRise: 0, area: 0 }

function setPlane(patch: ContactPatch): void {
  const q = widestCorner(patch)
  const { u, v, h } = patch
  plane.u = u[0]
  plane.v = v[0]
  plane.h = h[0]
  plane.toU = u[q] - u[0]
  plane.toV = v[q] - v[0]
  plane.rise = h[q] - h[0]
  plane.nextU = u[q + 1] - u[0]
  plane.nextV = v[q + 1] - v[0]
  plane.nextRise = h[q + 1] - h[0]
  plane.area = turnOf(u, v, 0, q, q + 1)
}

/** Height of the plane. */
function heightOver(atU: number, atV: number): number {
  const { u, v, h, toU, toV, rise, nextU, nextV, nextRise, area } = plane
  if (area === 0) return h
  const toNext = (atU - u) * nextV - (atV - v) * nextU
  const to = toU * (atV - v) - toV * (atU - u)
  return h + (rise * toNext + nextRise * to) / area
}

/** Where two patches come nearest to each other, that should meet and miss each other by rounding; of others nothing. */
function findNearest(most: number): void {
  spend(one.levelCount * other.levelCount)
  nearest.square = most * most
  nearest.isFound = false
  lookFrom(one, other, true)
  lookFrom(other, one, false)
  if (nearest.isFound) putLevelMeeting(nearest.u, nearest.v, nearest.a, nearest.b)
}

const nearest = { square: 0, isFound: false, u: 0, v: 0, a: 0, b: 0 }

/** Looks from each corner of a patch at each edge of another. */
function lookFrom(corners: ContactPatch, edges: ContactPatch, isFirst: boolean): void {
  for (let c = 0; c < corners.levelCount; c++) {
    const at = corners.level[c]
    const u = corners.u[at]
    const v = corners.v[at]
    const h = corners.h[at]
    for (let k = 0; k < edges.levelCount; k++) {
      setOnEdge(edges, edges.level[k], edges.level[(k + 1) % edges.levelCount], u, v)
      const far = (on.u - u) ** 2 + (on.v - v) ** 2
      if (far > nearest.square) continue
      nearest.square = far
      nearest.isFound = true
      nearest.u = (on.u + u) / 2
      nearest.v = (on.v + v) / 2
      nearest.a = isFirst ? h : on.h
      nearest.b = isFirst ? on.h : h
    }
  }
}

const on = { u: 0, v: 0, h: 0 }

/** Sets `on` to the place of the edge that is nearest to (u, v), seen along the normal. */
function setOnEdge(patch: ContactPatch, p: number, q: number, u: number, v: number): void {
  const pu = patch.u[p]
  const pv = patch.v[p]
  const ph = patch.h[p]
  const eu = patch.u[q] - pu
  const ev = patch.v[q] - pv
  const square = eu * eu + ev * ev
  const t = square > 0 ? clamp(((u - pu) * eu + (v - pv) * ev) / square) : 0
  on.u = pu + t * eu
  on.v = pv + t * ev
  on.h = ph + t * (patch.h[q] - ph)
}

/** Edges and corners that face each other. */
function meetEdges(): void {
  if (one.levelCount === 2 && other.levelCount === 2) meetTwoEdges()
  else if (one.levelCount === 1) meetCorner(one, other, true)
  else if (other.levelCount === 1) meetCorner(other, one, false)
}

/**
 * A corner, and the place on a corner or edge of core points that is nearest to it, seen along the normal: what is curved has no corner
 * there, and is off by no more than the square of what the normal is.
 */
function meetCorner(corner: ContactPatch, edge: ContactPatch, isFirst: boolean): void {
  const at = corner.level[0]
  on.u = corner.u[at]
  on.v = corner.v[at]
  on.h = edge.h[edge.level[0]]
  if (edge.levelCount === 2 && edge.names[0] >= 0) setOnEdge(edge, edge.level[0], edge.level[1], on.u, on.v)
  putLevelMeeting(on.u, on.v, isFirst ? corner.h[at] : on.h, isFirst ? on.h : corner.h[at])
}

function meetTwoEdges(): void {
  const p = one.level[0]
  const q = one.level[1]
  const r = other.level[0]
  const s = other.level[1]
  const pu = one.u[p]
  const pv = one.v[p]
  const ru = other.u[r]
  const rv = other.v[r]
  const eu = one.u[q] - pu
  const ev = one.v[q] - pv
  const fu = other.u[s] - ru
  const fv = other.v[s] - rv
  const rise = one.h[q] - one.h[p]
  const otherRise = other.h[s] - other.h[r]
  const cross = eu * fv - ev * fu
  const lengths = vectorLength(eu, ev) * vectorLength(fu, fv)
  if (Math.abs(cross) > PARALLEL_SINE_RATIO * lengths) {
    const t = clamp(((ru - pu) * fv - (rv - pv) * fu) / cross)
    const w = clamp(((ru - pu) * ev - (rv - pv) * eu) / cross)
    putLevelMeeting(pu + t * eu, pv + t * ev, one.h[p] + t * rise, other.h[r] + w * otherRise)
    return
  }
  // In a line: the ends of what they share.
  const square = eu * eu + ev * ev
  const from = ((ru - pu) * eu + (rv - pv) * ev) / square
  const to = ((other.u[s] - pu) * eu + (other.v[s] - pv) * ev) / square
  const start = clamp(from)
  const end = clamp(to)
  for (let i = 0; i < (start === end ? 1 : 2); i++) {
    const t = i === 0 ? start : end
    const w = to === from ? 0 : clamp((t - from) / (to - from))
    putLevelMeeting(pu + t * eu, pv + t * ev, one.h[p] + t * rise, other.h[r] + w * otherRise)
  }
}

function clamp(t: number): number {
  return Math.max(0, Math.min(1, t))
}

// Some of the points of a contact, so that they span what all of them do.
//
// Method: the deepest, the one farthest from it, then again and again the one that adds most area to those taken. Points that add
// none are left out. Frame: u, v across the contact. Cost O(points · taken).

/** Places of the meetings that are taken, the deepest first, and in order; module scratch. */
let taken = new Int32Array(64)
let inOrder = new Int32Array(64)
let takenCount = 0

/** Takes `most` meetings at most. They go round a convex polygon; heights are least where deepest. */
function reducePoints(most: number, extent: number): void {
  const { count, height } = meetings
  takenCount = 0
  if (count === 0) return
  if (taken.length < count || (taken.length > KEPT_ENTRIES && count <= KEPT_ENTRIES)) {
    taken = new Int32Array(2 * count)
    inOrder = new Int32Array(2 * count)
  }
  let deepest = 0
  for (let k = 1; k < count; k++) if (height[k] < height[deepest]) deepest = k
  take(deepest)
  const least = CONTACT_DEPTH_RATIO * CONTACT_DEPTH_RATIO * extent * extent
  while (takenCount < most) {
    spend(1 + count)
    const found = takenCount === 1 ? farthestFrom(deepest, least) : widest(least)
    if (found < 0) return
    take(found)
  }
}

function take(found: number): void {
  taken[takenCount] = found
  let k = takenCount++
  for (; k > 0 && inOrder[k - 1] > found; k--) inOrder[k] = inOrder[k - 1]
  inOrder[k] = found
}

function farthestFrom(from: number, least: number): number {
  const { u, v, count } = meetings
  let found = -1
  let farthest = least
  for (let k = 0; k < count; k++) {
    const square = (u[k] - u[from]) ** 2 + (v[k] - v[from]) ** 2
    if (!(square > farthest)) continue
    farthest = square
    found = k
  }
  return found
}

function widest(least: number): number {
  const { u, v, count } = meetings
  let found = -1
  let largest = least
  let after = 0
  for (let k = 0; k < count; k++) {
    while (after < takenCount && inOrder[after] < k) after++
    const next = inOrder[after % takenCount]
    if (next === k) continue
    const before = inOrder[(after + takenCount - 1) % takenCount]
    const area = Math.abs(turnOf(u, v, before, k, next))
    if (!(area > largest)) continue
    largest = area
    found = k
  }
  return found
}
