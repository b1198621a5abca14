/**
 * Contact points: up to so many that span the region where two convex bodies meet.
 *
 * Method: the normal is known. A patch of either body that lies flat across it clips the other's facing patch, seen along the normal;
 * two edges that cross have one point, two in a line the ends of what they share; what is left is the one point that the answer has.
 * Each point lies midway between the surfaces, and has its own separation along the normal.
 * Frame: the answer is in world coordinates.
 */

import { spend } from '../../containers/budget.ts'
import { scaleBy, scaleNumbers, vectorLength } from '../../numeric/safe-range.ts'
import { type PairFrame, pairInRange } from '../narrow-phase/pair-frame.ts'
import {
  ANCHOR,
  type Body,
  CONE,
  CYLINDER,
  dot,
  HALFSPACE,
  OFFSET,
  POSITION,
  RADIUS,
  UNIT,
  type Vector,
} from '../shape/body.ts'
import { CONTACT_DEPTH_RATIO, PARALLEL_SINE_RATIO, PATCH_GAP_RATIO } from '../tolerances.ts'
import { type ContactPatch, clipPatch, contactPatch, type OtherPatch, type Spot, turnOf } from './contact-patch.ts'

/** A known contact: normal from A to B, signed separation, and a point midway between the surfaces. */
interface KnownContact {
  separation: number
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
  px: number
  py: number
  pz: number
}

export interface ContactPoint {
  x: number
  y: number
  z: number
  /** Signed distance of the surfaces here, along the normal. */
  separation: number
  /** The caller's vertices that the features are made of: one, the two of an edge, those of a face; none on what is curved. */
  featureA: readonly number[]
  featureB: readonly number[]
}

/** The points no farther apart than `maxDistance` ≥ 0, the deepest first, at most `most`; none where there is no normal. */
export function contactPoints(
  a: Body,
  b: Body,
  found: KnownContact,
  maxDistance: number,
  most: number,
): ContactPoint[] {
  if (!found.hasNormal || found.separation > maxDistance) return []
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

/** A point with its height on the surface of either core. */
interface Meeting extends Spot {
  a: number
  b: number
  placesA: readonly number[]
  placesB: readonly number[]
}

interface Side {
  patch: ContactPatch
  spots: Spot[]
  level: Spot[]
  isFlat: boolean
}

function pointsOf(frame: PairFrame, found: KnownContact, maxDistance: number, most: number): ContactPoint[] {
  const points = patchPoints(frame, found, maxDistance, most)
  return points.length > 0 ? points : [onlyPoint(frame, found)]
}

/**
 * Those of `contactPoints` in which the patches meet, of a pair in order and of a size whose products stay in range. It need not lie
 * where its bodies say: places count from where the first is.
 */
export function patchPoints(frame: PairFrame, found: KnownContact, maxDistance: number, most: number): ContactPoint[] {
  const { first, second, swapped, extent, error } = frame
  const n = normalOf(frame, found)
  const [u, v] = acrossAxes(n)
  const { one, other } = sidesOf(frame, n, u, v)
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  const shift = (first.numbers[RADIUS] - second.numbers[RADIUS]) / 2
  // A touching pair's points may come out a rounding error apart.
  const meetings = meetingsOf(frame, n, one, other)
  if (meetings.length === 0) meetings.push(...nearestPlaces(one, other, PATCH_GAP_RATIO * extent))
  const near = meetings.filter(({ a, b }) => b - a - skins <= maxDistance + error)
  // Below the other surface is none of a pair that only touches, but by rounding.
  const isTouch = found.separation === 0
  const heights = near.map(({ a, b }) => {
    const height = b - a - skins
    return isTouch && height <= error ? 0 : height
  })
  const taken = reducePoints(near, heights, most, extent)
  return taken.map((k) => {
    const { a, b, placesA, placesB } = near[k]
    const up = (a + b) / 2 + shift
    const along = (i: number): number =>
      first.numbers[POSITION + i] + (first.numbers[ANCHOR + i] + (near[k].u * u[i] + near[k].v * v[i] + up * n[i]))
    const names = [namesOf(one.patch, placesA), namesOf(other.patch, placesB)]
    return {
      x: along(0),
      y: along(1),
      z: along(2),
      separation: heights[k],
      featureA: names[swapped ? 1 : 0],
      featureB: names[swapped ? 0 : 1],
    }
  })
}

/** From the first to the second. */
function normalOf({ swapped }: PairFrame, { nx, ny, nz }: KnownContact): Vector {
  const sign = swapped ? -1 : 1
  return [sign * nx, sign * ny, sign * nz]
}

/** The point of the answer itself. */
function onlyPoint(frame: PairFrame, found: KnownContact): ContactPoint {
  const n = normalOf(frame, found)
  const [u, v] = acrossAxes(n)
  const { one, other } = sidesOf(frame, n, u, v)
  const [a, b] = frame.swapped ? [other, one] : [one, other]
  const { px: x, py: y, pz: z, separation } = found
  return { x, y, z, separation, featureA: namesOf(a.patch, levelPlaces(a)), featureB: namesOf(b.patch, levelPlaces(b)) }
}

function levelPlaces({ patch }: Side): number[] {
  return patch.points.map((_, k) => k).filter((k) => patch.isLevel[k])
}

/** The caller's vertices at these places of the patch, all of it if none; none where it is curved. */
function namesOf({ names, points }: ContactPatch, places: readonly number[]): number[] {
  const all = places.length > 0 ? places : points.map((_, k) => k)
  return all.map((k) => names[k]).filter((name) => name >= 0)
}

function acrossAxes([x, y, z]: Vector): readonly [Vector, Vector] {
  const isFlat = Math.abs(x) < Math.abs(y)
  const length = isFlat ? vectorLength(y, z) : vectorLength(x, z)
  const u: Vector = isFlat ? [0, z / length, -y / length] : [-z / length, 0, x / length]
  return [u, [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]]]
}

function sidesOf(frame: PairFrame, n: Vector, u: Vector, v: Vector): { one: Side; other: Side } {
  const { first, second, dx, dy, dz, extent } = frame
  const against: Vector = [-n[0], -n[1], -n[2]]
  const moved = ({ points, disc }: ContactPatch, side: 1 | -1): OtherPatch => {
    const move = ([x, y, z]: Vector): Vector => [x + side * dx, y + side * dy, z + side * dz]
    return { points: points.map(move), disc: disc === null ? null : { ...disc, middle: move(disc.middle) } }
  }
  // Core points, which need no look at the other, come first in order; discs of both know each other's even points.
  const rough = contactPatch(first, n, extent, NONE)
  const patch = contactPatch(second, against, extent, hasRim(second) ? moved(rough, -1) : NONE)
  const exact = hasRim(first) ? contactPatch(first, n, extent, moved(patch, 1)) : rough
  return { one: sideOf(exact, 0, 0, 0, n, u, v), other: sideOf(patch, dx, dy, dz, n, u, v) }
}

/** The patch moved by (x, y, z), as seen along the normal. */
function sideOf(patch: ContactPatch, x: number, y: number, z: number, n: Vector, u: Vector, v: Vector): Side {
  const { points, isLevel } = patch
  const spots: Spot[] = []
  const level: Spot[] = []
  for (let k = 0; k < points.length; k++) {
    const p: Vector = [points[k][0] + x, points[k][1] + y, points[k][2] + z]
    const spot = { u: dot(p, u), v: dot(p, v), h: dot(p, n) }
    spots.push(spot)
    if (isLevel[k]) level.push(spot)
  }
  return { patch, spots, level, isFlat: level.length > 2 && level.length === spots.length }
}

const NONE: OtherPatch = { points: [], disc: null }

/** Whether its patch hangs on that of the other. */
function hasRim({ kind }: Body): boolean {
  return kind === CYLINDER || kind === CONE
}

function meetingsOf({ second, dx, dy, dz }: PairFrame, n: Vector, one: Side, other: Side): Meeting[] {
  if (second.kind === HALFSPACE) {
    const { numbers } = second
    const side = n[0] * numbers[UNIT] + n[1] * numbers[UNIT + 1] + n[2] * numbers[UNIT + 2] < 0 ? -1 : 1
    const b = dx * n[0] + dy * n[1] + dz * n[2] + side * numbers[OFFSET]
    return one.spots.map((spot, k) => ({ ...spot, a: spot.h, b, placesA: [k], placesB: [] }))
  }
  if (one.isFlat) return overFlat(other, one, false)
  if (other.isFlat) return overFlat(one, other, true)
  return edgesMeet(one, other)
}

/** The part of a patch that lies over a flat one, with the height of the flat one there. */
function overFlat(patch: Side, flat: Side, isFirst: boolean): Meeting[] {
  const height = heightOver(flat.spots)
  const meetings: Meeting[] = []
  for (const point of clipPatch(patch.spots, flat.spots)) {
    const { h, own, other } = point
    const on = height(point)
    meetings.push(isFirst ? meeting(point, h, on, own, other) : meeting(point, on, h, other, own))
  }
  return meetings
}

function meeting(
  { u, v, h }: Spot,
  a: number,
  b: number,
  placesA: readonly number[],
  placesB: readonly number[],
): Meeting {
  return { u, v, h, a, b, placesA, placesB }
}

/** Height of the plane through a flat polygon. */
function heightOver(spots: readonly Spot[]): (at: Spot) => number {
  const [p] = spots
  let best = 1
  let largest = 0
  for (let k = 1; k + 1 < spots.length; k++) {
    const area = Math.abs(turnOf(p, spots[k], spots[k + 1]))
    if (area <= largest) continue
    largest = area
    best = k
  }
  const q = spots[best]
  const r = spots[best + 1]
  const area = turnOf(p, q, r)
  return (at) => {
    if (area === 0) return p.h
    return p.h + ((q.h - p.h) * turnOf(p, at, r) + (r.h - p.h) * turnOf(p, q, at)) / area
  }
}

/** Where two patches come nearest to each other, that should meet and miss each other by rounding; of others nothing. */
function nearestPlaces(one: Side, other: Side, most: number): Meeting[] {
  spend(one.level.length * other.level.length)
  let nearest = most * most
  const found: Meeting[] = []
  const look = (corner: Spot, p: Spot, q: Spot, isFirst: boolean): void => {
    const ex = q.u - p.u
    const ey = q.v - p.v
    const square = ex * ex + ey * ey
    const t = square > 0 ? clamp(((corner.u - p.u) * ex + (corner.v - p.v) * ey) / square) : 0
    const at = { u: p.u + t * ex, v: p.v + t * ey, h: p.h + t * (q.h - p.h) }
    const far = (at.u - corner.u) ** 2 + (at.v - corner.v) ** 2
    if (far > nearest) return
    nearest = far
    const middle = { u: (at.u + corner.u) / 2, v: (at.v + corner.v) / 2, h: 0 }
    found[0] = meeting(
      middle,
      isFirst ? corner.h : at.h,
      isFirst ? at.h : corner.h,
      levelPlaces(one),
      levelPlaces(other),
    )
  }
  for (const [corners, edges, isFirst] of [
    [one.level, other.level, true],
    [other.level, one.level, false],
  ] as const) {
    for (const corner of corners) {
      for (let k = 0; k < edges.length; k++) look(corner, edges[k], edges[(k + 1) % edges.length], isFirst)
    }
  }
  return found
}

/** Edges and corners that face each other. */
function edgesMeet(one: Side, other: Side): Meeting[] {
  const placesA = levelPlaces(one)
  const placesB = levelPlaces(other)
  if (placesA.length !== 2 || placesB.length !== 2) {
    const isPoint = placesA.length === 1
    if (!isPoint && placesB.length !== 1) return []
    const corner = isPoint ? one.level[0] : other.level[0]
    const on = nearestOn(isPoint ? other : one, corner)
    return [meeting(on, isPoint ? corner.h : on.h, isPoint ? on.h : corner.h, placesA, placesB)]
  }
  const [p, q] = one.level
  const [r, s] = other.level
  const ex = q.u - p.u
  const ey = q.v - p.v
  const fx = s.u - r.u
  const fy = s.v - r.v
  const cross = ex * fy - ey * fx
  const lengths = vectorLength(ex, ey) * vectorLength(fx, fy)
  if (Math.abs(cross) > PARALLEL_SINE_RATIO * lengths) {
    const t = clamp(((r.u - p.u) * fy - (r.v - p.v) * fx) / cross)
    const w = clamp(((r.u - p.u) * ey - (r.v - p.v) * ex) / cross)
    const at = { u: p.u + t * ex, v: p.v + t * ey, h: p.h }
    return [meeting(at, p.h + t * (q.h - p.h), r.h + w * (s.h - r.h), placesA, placesB)]
  }
  return alongLine(one, other, placesA, placesB)
}

/**
 * The place on a corner or edge of core points that is nearest to a corner of the other body, seen along the normal: what is curved has no corner
 * there, and is off by no more than the square of what the normal is.
 */
function nearestOn({ level, patch }: Side, corner: Spot): Spot {
  const [p, q] = level
  if (level.length !== 2 || patch.names[0] < 0) return { ...corner, h: p.h }
  const ex = q.u - p.u
  const ey = q.v - p.v
  const square = ex * ex + ey * ey
  const t = square > 0 ? clamp(((corner.u - p.u) * ex + (corner.v - p.v) * ey) / square) : 0
  return { u: p.u + t * ex, v: p.v + t * ey, h: p.h + t * (q.h - p.h) }
}

/** The ends of what two edges in a line share. */
function alongLine(one: Side, other: Side, placesA: number[], placesB: number[]): Meeting[] {
  const [p, q] = one.level
  const [r, s] = other.level
  const ex = q.u - p.u
  const ey = q.v - p.v
  const square = ex * ex + ey * ey
  const along = (spot: Spot): number => ((spot.u - p.u) * ex + (spot.v - p.v) * ey) / square
  const from = along(r)
  const to = along(s)
  const ends = [clamp(from), clamp(to)]
  return (ends[0] === ends[1] ? [ends[0]] : ends).map((t) => {
    const at = { u: p.u + t * ex, v: p.v + t * ey, h: p.h }
    const w = to === from ? 0 : clamp((t - from) / (to - from))
    return meeting(at, p.h + t * (q.h - p.h), r.h + w * (s.h - r.h), placesA, placesB)
  })
}

function clamp(t: number): number {
  return Math.max(0, Math.min(1, t))
}

// Some of the points of a contact, so that they span what all of them do.
//
// Method: the deepest, the one farthest from it, then again and again the one that adds most area to those taken. Points that add
// none are left out. Frame: u, v across the contact. Cost O(points · taken).

/** Places of at most `most` points, the deepest first. `points` go round a convex polygon; `heights` are least where deepest. */
function reducePoints(points: readonly Spot[], heights: readonly number[], most: number, extent: number): number[] {
  if (points.length === 0) return []
  let deepest = 0
  heights.forEach((height, k) => {
    if (height < heights[deepest]) deepest = k
  })
  const taken = [deepest]
  const least = CONTACT_DEPTH_RATIO * CONTACT_DEPTH_RATIO * extent * extent
  while (taken.length < most) {
    spend(1 + points.length)
    const found = taken.length === 1 ? farthestFrom(points, deepest, least) : widest(points, taken, least)
    if (found < 0) break
    taken.push(found)
  }
  return taken
}

function farthestFrom(points: readonly Spot[], from: number, least: number): number {
  let found = -1
  let farthest = least
  points.forEach(({ u, v }, k) => {
    const square = (u - points[from].u) ** 2 + (v - points[from].v) ** 2
    if (square > farthest) {
      farthest = square
      found = k
    }
  })
  return found
}

function widest(points: readonly Spot[], taken: readonly number[], least: number): number {
  const order = [...taken].sort((p, q) => p - q)
  let found = -1
  let largest = least
  let after = 0
  for (let k = 0; k < points.length; k++) {
    while (after < order.length && order[after] < k) after++
    const next = order[after % order.length]
    if (next === k) continue
    const before = order[(after + order.length - 1) % order.length]
    const area = Math.abs(turnOf(points[before], points[k], points[next]))
    if (area > largest) {
      largest = area
      found = k
    }
  }
  return found
}
