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
import { type PairFrame, pairInRange } from '../narrow-phase/pair-frame.ts'
import {
  ANCHOR,
  acrossAxes,
  type Body,
  COMPOSITE,
  CONE,
  CYLINDER,
  HALFSPACE,
  OFFSET,
  POSITION,
  RADIUS,
  UNIT,
  type Vector,
} from '../shape/body.ts'
import { CONTACT_DEPTH_RATIO, PARALLEL_SINE_RATIO, PATCH_GAP_RATIO } from '../tolerances.ts'
import { pointsOfComposites } from './composite-points.ts'
import {
  type ContactPatch,
  type ContactPoint,
  clipPatch,
  createContactPatch,
  type KnownContact,
  OTHER,
  OWN,
  type Seen,
  seePatch,
  setPatch,
  TAG_COUNT,
  turnOf,
} from './contact-patch.ts'

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
interface Meetings extends Seen {
  count: number
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
  const { n, u, v } = setSides(frame, found)
  findMeetings(frame, n)
  if (meetings.count === 0) findNearest(PATCH_GAP_RATIO * extent)
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  const shift = (first.numbers[RADIUS] - second.numbers[RADIUS]) / 2
  // A touching pair's points may come out a rounding error apart.
  keepNear(skins, maxDistance + error)
  // Below the other surface is none of a pair that only touches, but by rounding.
  if (found.separation === 0) settleHeights(error)
  reducePoints(most, extent)
  const points: ContactPoint[] = []
  for (let i = 0; i < takenCount; i++) {
    const k = taken[i]
    const up = (meetings.a[k] + meetings.b[k]) / 2 + shift
    const namesA = namesOf(one, meetings.placesA[2 * k], meetings.placesA[2 * k + 1])
    const namesB = namesOf(other, meetings.placesB[2 * k], meetings.placesB[2 * k + 1])
    points.push({
      x: placeAlong(first, 0, meetings.u[k] * u[0] + meetings.v[k] * v[0] + up * n[0]),
      y: placeAlong(first, 1, meetings.u[k] * u[1] + meetings.v[k] * v[1] + up * n[1]),
      z: placeAlong(first, 2, meetings.u[k] * u[2] + meetings.v[k] * v[2] + up * n[2]),
      separation: meetings.height[k],
      featureA: swapped ? namesB : namesA,
      featureB: swapped ? namesA : namesB,
      leafA: -1,
      leafB: -1,
    })
  }
  return points
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
function namesOf({ names, level, levelCount, count }: ContactPatch, first: number, second: number): number[] {
  if (first >= 0 && names[first] < 0) return []
  if (first >= 0) return second < 0 ? [names[first]] : [names[first], names[second]]
  const isLevel = first === LEVEL && levelCount > 0
  const found: number[] = []
  for (let k = 0; k < (isLevel ? levelCount : count); k++) {
    const name = names[isLevel ? level[k] : k]
    if (name >= 0) found.push(name)
  }
  return found
}

/** Sets both patches, as seen along the normal; returns that, from the first to the second, and the axes across it. */
function setSides(
  { first, second, swapped, dx, dy, dz, extent }: PairFrame,
  { nx, ny, nz }: KnownContact,
): { n: Vector; u: Vector; v: Vector } {
  const n: Vector = swapped ? [-nx, -ny, -nz] : [nx, ny, nz]
  const [u, v] = acrossAxes(n)
  const against: Vector = [-n[0], -n[1], -n[2]]
  const way: Vector = [dx, dy, dz]
  // Core points, which need no look at the other, come first in order; discs of both know each other's even points.
  setPatch(one, first, n, extent, null, way)
  setPatch(other, second, against, extent, hasRim(second) ? one : null, [-dx, -dy, -dz])
  if (hasRim(first)) setPatch(one, first, n, extent, other, way)
  seePatch(one, STILL, u, v, n)
  seePatch(other, way, u, v, n)
  return { n, u, v }
}

const STILL: Vector = [0, 0, 0]

/** Whether its patch hangs on that of the other. */
function hasRim({ kind }: Body): boolean {
  return kind === CYLINDER || kind === CONE
}

function isFlat({ levelCount, count }: ContactPatch): boolean {
  return levelCount > 2 && levelCount === count
}

function findMeetings({ second, dx, dy, dz }: PairFrame, n: Vector): void {
  reserveMeetings(2 * (one.count + other.count))
  if (second.kind === HALFSPACE) {
    const { numbers } = second
    const side = n[0] * numbers[UNIT] + n[1] * numbers[UNIT + 1] + n[2] * numbers[UNIT + 2] < 0 ? -1 : 1
    const b = dx * n[0] + dy * n[1] + dz * n[2] + side * numbers[OFFSET]
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
  const clipped = clipPatch(patch, flat)
  const corner = widestCorner(flat)
  const ownPlaces = isFirst ? meetings.placesA : meetings.placesB
  const otherPlaces = isFirst ? meetings.placesB : meetings.placesA
  for (let k = 0; k < clipped.count; k++) {
    const u = clipped.u[k]
    const v = clipped.v[k]
    const h = clipped.h[k]
    const on = heightOver(flat, corner, u, v)
    putMeeting(u, v, isFirst ? h : on, isFirst ? on : h)
    const tag = TAG_COUNT * k
    putPlaces(ownPlaces, k, clipped.tags[tag + OWN], clipped.tags[tag + OWN + 1])
    putPlaces(otherPlaces, k, clipped.tags[tag + OTHER], clipped.tags[tag + OTHER + 1])
  }
}

/** The first corner of the side of a polygon that spans the largest triangle with its corner 0. */
function widestCorner(patch: ContactPatch): number {
  let best = 1
  let largest = 0
  for (let k = 1; k + 1 < patch.count; k++) {
    const area = Math.abs(turnOf(patch, 0, k, k + 1))
    if (area <= largest) continue
    largest = area
    best = k
  }
  return best
}

/** Height of the plane through corners 0, q and q + 1 of a flat polygon. */
function heightOver(patch: ContactPatch, q: number, atU: number, atV: number): number {
  const { u, v, h } = patch
  const area = turnOf(patch, 0, q, q + 1)
  if (area === 0) return h[0]
  const pu = u[0]
  const pv = v[0]
  const toR = (atU - pu) * (v[q + 1] - pv) - (atV - pv) * (u[q + 1] - pu)
  const toQ = (u[q] - pu) * (atV - pv) - (v[q] - pv) * (atU - pu)
  return h[0] + ((h[q] - h[0]) * toR + (h[q + 1] - h[0]) * toQ) / area
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
  let found = -1
  let largest = least
  let after = 0
  for (let k = 0; k < meetings.count; k++) {
    while (after < takenCount && inOrder[after] < k) after++
    const next = inOrder[after % takenCount]
    if (next === k) continue
    const before = inOrder[(after + takenCount - 1) % takenCount]
    const area = Math.abs(turnOf(meetings, before, k, next))
    if (!(area > largest)) continue
    largest = area
    found = k
  }
  return found
}
