/**
 * The part of a body that faces another: a corner, an edge, a face, or of a curved body a point, a line of its side, or a ring
 * of points round its disc.
 *
 * Method: of the faces at the farthest corner along the direction, the one with most corners as far, of these the one most turned
 * towards it: the incident face of E. Catto, "Contact Manifolds" (GDC 2007).
 * A disc is a ring that has, besides eight points well spread, those towards the other body's corners, where its edges or its rim
 * cross this one, and amid what they cut off: so the common part of the two loses no corner, however narrow it is.
 * Frame: world axes, from the body's anchor. Cost O(points and corners of faces). Patches are slots, overwritten in place.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import {
  type Body,
  CONE,
  type CoreSurface,
  CYLINDER,
  dot,
  ELLIPSOID,
  LENGTHS,
  POINTS,
  ROTATION,
  type Vector,
} from '../shape/body.ts'
import { PLANE_SIZE, planesWith, surfaceOf } from '../shape/core-surface.ts'
import { kindOf } from '../shape/kinds.ts'
import { CONTACT_DEPTH_RATIO, RIM_ANGLE, RIM_POINT_COUNT } from '../tolerances.ts'

export interface ContactPatch {
  count: number
  /** x, y, z of each, in order around the direction, one way or the other. */
  points: Float64Array
  /** The caller's index of each; −1 on what is curved. */
  names: Int32Array
  /** The places of those that lie as far along the direction as the farthest, as far as a direction's error lets one tell. */
  level: Int32Array
  levelCount: number
  /** Radius and middle of the disc that the points lie round, where it lies flat across the direction; else the radius is −1. */
  radius: number
  middle: Float64Array
  /** The points as seen along the normal of a contact: two coordinates across it and the height along it; set by `seePatch`. */
  u: Float64Array
  v: Float64Array
  h: Float64Array
}

export function createContactPatch(): ContactPatch {
  return { count: 0, levelCount: 0, radius: -1, middle: new Float64Array(3), ...roomFor(KEPT_SIZE) }
}

function roomFor(size: number): Pick<ContactPatch, 'points' | 'names' | 'level' | 'u' | 'v' | 'h'> {
  return {
    points: new Float64Array(3 * size),
    names: new Int32Array(size),
    level: new Int32Array(size),
    u: new Float64Array(size),
    v: new Float64Array(size),
    h: new Float64Array(size),
  }
}

function begin(patch: ContactPatch, count: number): void {
  patch.count = count
  patch.levelCount = 0
  patch.radius = -1
  const room = patch.names.length
  if (room < count || (room > KEPT_ENTRIES && count <= KEPT_ENTRIES)) Object.assign(patch, roomFor(2 * count))
}

const point = new Float64Array(3)

/** `other`: the other body's patch, whose anchor lies at `way` from this one's, for discs. `extent`: that of the pair. */
export function setPatch(
  patch: ContactPatch,
  body: Body,
  direction: Vector,
  extent: number,
  other: ContactPatch | null,
  way: Vector,
): void {
  const { kind } = body
  const margin = CONTACT_DEPTH_RATIO * extent
  if (kind === POINTS) setPointsPatch(patch, body, direction, margin)
  else if (kind === CYLINDER || kind === CONE) setTurnedPatch(patch, body, direction, margin, other, way)
  else if (kind !== ELLIPSOID) begin(patch, 0)
  else {
    point.fill(0)
    kindOf(body).support(body, direction[0], direction[1], direction[2], point)
    setCurved(patch, [[point[0], point[1], point[2]]], direction, margin)
  }
}

/** Of points without names. */
function setCurved(patch: ContactPatch, points: readonly Vector[], direction: Vector, margin: number): void {
  begin(patch, points.length)
  let top = -Infinity
  for (let k = 0; k < points.length; k++) {
    patch.points.set(points[k], 3 * k)
    patch.names[k] = -1
    top = Math.max(top, dot(points[k], direction))
  }
  for (let k = 0; k < points.length; k++) {
    if (dot(points[k], direction) >= top - margin) patch.level[patch.levelCount++] = k
  }
}

/** Heights of the core points along the direction; module scratch. */
let heights = new Float64Array(64)

function setPointsPatch(patch: ContactPatch, body: Body, direction: Vector, margin: number): void {
  const { count } = body
  spend(1 + (count >> 1))
  const least = setHeights(body, direction) - margin
  if (count > 2) {
    setFacing(patch, body, direction, least)
    return
  }
  begin(patch, count)
  for (let i = 0; i < count; i++) putCorner(patch, body, i, i, least)
}

/** Core point i is the k-th of the patch. */
function putCorner(patch: ContactPatch, { numbers, local, names }: Body, k: number, i: number, least: number): void {
  const { points } = patch
  const at = local + 3 * i
  points[3 * k] = numbers[at]
  points[3 * k + 1] = numbers[at + 1]
  points[3 * k + 2] = numbers[at + 2]
  patch.names[k] = names[i]
  if (heights[i] >= least) patch.level[patch.levelCount++] = k
}

/** Returns the greatest of the heights. */
function setHeights({ count, numbers, local }: Body, [x, y, z]: Vector): number {
  if (heights.length < count || (heights.length > KEPT_ENTRIES && count <= KEPT_ENTRIES)) {
    heights = new Float64Array(2 * count)
  }
  let top = -Infinity
  for (let i = 0, at = local; i < count; i++, at += 3) {
    const height = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z
    heights[i] = height
    if (height > top) top = height
  }
  return top
}

/** Core points of the face, or of the one edge, that faces the direction; those of at least this height count as the farthest. */
function setFacing(patch: ContactPatch, body: Body, [x, y, z]: Vector, least: number): void {
  const surface = surfaceOf(body)
  const { starts, corners } = surface
  if (starts.length < 2) {
    // Of a segment these are its ends.
    begin(patch, corners.length > 1 ? 2 : 1)
    for (let k = 0; k < patch.count; k++) putCorner(patch, body, k, patch.count > 1 ? corners[k] : 0, least)
    return
  }
  spend(corners.length)
  const most = setLevels(surface, least)
  let best = -1
  let closest = -Infinity
  for (let f = 0; f + 1 < starts.length; f++) {
    if (levels[f] < most) continue
    const planes = planesWith(body, surface, f)
    const at = PLANE_SIZE * f
    const cosine = planes[at] * x + planes[at + 1] * y + planes[at + 2] * z
    if (best >= 0 && cosine <= closest) continue
    best = f
    closest = cosine
  }
  const from = starts[best]
  begin(patch, starts[best + 1] - from)
  for (let k = 0; k < patch.count; k++) putCorner(patch, body, k, corners[from + k], least)
}

/** Of each face how many of its corners are as high as that; module scratch. */
let levels = new Int32Array(64)

/** Returns the greatest of the levels. */
function setLevels({ starts, corners }: CoreSurface, least: number): number {
  const count = starts.length - 1
  if (levels.length < count || (levels.length > KEPT_ENTRIES && count <= KEPT_ENTRIES)) {
    levels = new Int32Array(2 * count)
  }
  let most = 0
  let c = 0
  for (let f = 0; f < count; f++) {
    const end = starts[f + 1]
    let level = 0
    for (; c < end; c++) if (heights[corners[c]] >= least) level++
    levels[f] = level
    if (level > most) most = level
  }
  return most
}

function setTurnedPatch(
  patch: ContactPatch,
  body: Body,
  direction: Vector,
  margin: number,
  other: ContactPatch | null,
  way: Vector,
): void {
  const { numbers, kind } = body
  const axis = (column: number): Vector => [
    numbers[ROTATION + column],
    numbers[ROTATION + 3 + column],
    numbers[ROTATION + 6 + column],
  ]
  const [ex, ey, ez] = [axis(0), axis(1), axis(2)]
  const radius = numbers[LENGTHS]
  const half = numbers[LENGTHS + 1]
  const [x, y, z] = [dot(direction, ex), dot(direction, ey), dot(direction, ez)]
  const flat = vectorLength(x, z)
  const place = (px: number, py: number, pz: number): Vector => [
    px * ex[0] + py * ey[0] + pz * ez[0],
    px * ex[1] + py * ey[1] + pz * ez[1],
    px * ex[2] + py * ey[2] + pz * ez[2],
  ]
  const isCap = kind === CYLINDER ? Math.abs(y) > flat : -y > flat
  if (!isCap && flat > 0) {
    const rim = place((radius * x) / flat, -half, (radius * z) / flat)
    const end = kind === CYLINDER ? place((radius * x) / flat, half, (radius * z) / flat) : place(0, half, 0)
    setCurved(patch, [rim, end], direction, margin)
    return
  }
  if (!isCap) {
    setCurved(patch, [place(0, half, 0)], direction, margin)
    return
  }
  const shadow = (points: Float64Array, k: number): Shadow => {
    const p: Vector = [points[k] + way[0], points[k + 1] + way[1], points[k + 2] + way[2]]
    return [dot(p, ex), dot(p, ez)]
  }
  const angles = other === null || other.radius < 0 ? [] : lensAngles(shadow(other.middle, 0), other.radius, radius)
  if (flat > 0) angles.push(Math.atan2(z, x))
  const corners: Shadow[] = []
  for (let k = 0; other !== null && k < other.count; k++) corners.push(shadow(other.points, 3 * k))
  angles.push(...rimAngles(corners, radius))
  for (let k = 0; k < RIM_POINT_COUNT; k++) angles.push((2 * Math.PI * k) / RIM_POINT_COUNT)
  const points = apartInOrder(angles).map((angle) =>
    place(radius * Math.cos(angle), y > 0 ? half : -half, radius * Math.sin(angle)),
  )
  setCurved(patch, points, direction, margin)
  setCap(patch, place(0, y > 0 ? half : -half, 0), radius, direction)
}

/** Of a rim: it faces the direction with all of it, or with one point, near which others lie nearly as far. */
function setCap(patch: ContactPatch, middle: Vector, radius: number, direction: Vector): void {
  const { count, points } = patch
  if (patch.levelCount === count) {
    patch.radius = radius
    patch.middle.set(middle)
    return
  }
  let farthest = -1
  let top = -Infinity
  for (let k = 0; k < count; k++) {
    const height = dot([points[3 * k], points[3 * k + 1], points[3 * k + 2]], direction)
    if (height <= top) continue
    top = height
    farthest = k
  }
  patch.level[0] = farthest
  patch.levelCount = 1
}

/** Angles in order, none of them near another: of those that are near each other the first. */
function apartInOrder(angles: readonly number[]): number[] {
  spend(angles.length)
  const order = angles
    .map((angle, k) => ({ angle: angle - 2 * Math.PI * Math.floor(angle / (2 * Math.PI)), k }))
    .sort((p, q) => p.angle - q.angle)
  const kept: { angle: number; k: number }[] = []
  for (const one of order) {
    const last = kept.at(-1)
    if (last === undefined || one.angle - last.angle > RIM_ANGLE) kept.push(one)
    else if (one.k < last.k) kept[kept.length - 1] = one
  }
  // The last one may be near the first, once round.
  if (kept.length > 1 && kept[0].angle + 2 * Math.PI - kept[kept.length - 1].angle <= RIM_ANGLE) {
    if (kept[0].k < kept[kept.length - 1].k) kept.pop()
    else kept.shift()
  }
  return kept.map(({ angle }) => angle)
}

type Shadow = readonly [number, number]

/** Angles of corners, of where the edges between them cross the rim, and of the middle of the arc that they cut off. */
function rimAngles(corners: readonly Shadow[], radius: number): number[] {
  spend(1 + corners.length)
  const angles: number[] = []
  corners.forEach(([x, y], k) => {
    if (x !== 0 || y !== 0) angles.push(Math.atan2(y, x))
    const [toX, toY] = corners[(k + 1) % corners.length]
    const dx = toX - x
    const dy = toY - y
    const a = dx * dx + dy * dy
    const b = x * dx + y * dy
    const root = Math.sqrt(b * b - a * (x * x + y * y - radius * radius))
    let isCrossed = false
    for (const t of [(-b - root) / a, (-b + root) / a]) {
      if (!(t > 0 && t < 1)) continue
      angles.push(Math.atan2(y + t * dy, x + t * dx))
      isCrossed = true
    }
    const across = x * dy - y * dx
    if (isCrossed && across !== 0) angles.push(Math.atan2(-across * dx, across * dy))
  })
  return angles
}

/** Angles of where the rim crosses that of another disc, and of its point that lies deepest in that. */
function lensAngles([x, y]: Shadow, other: number, radius: number): number[] {
  const far = vectorLength(x, y)
  if (far === 0) return []
  const middle = Math.atan2(y, x)
  // The square of the sine of half the angle from there to a crossing, without cancellation where the lens is thin.
  const square = ((other - (far - radius)) * (other + (far - radius))) / (4 * far * radius)
  if (!(square > 0 && square < 1)) return [middle]
  const turn = 2 * Math.asin(Math.sqrt(square))
  return turn > RIM_ANGLE ? [middle - turn, middle + turn, middle] : [middle]
}

/** Sets how the patch, `way` from where it is, is seen along the third of three vectors at right angles. */
export function seePatch(patch: ContactPatch, way: Vector, across: Vector, aside: Vector, along: Vector): void {
  const { count, points, u, v, h } = patch
  for (let k = 0; k < count; k++) {
    const x = points[3 * k] + way[0]
    const y = points[3 * k + 1] + way[1]
    const z = points[3 * k + 2] + way[2]
    u[k] = x * across[0] + y * across[1] + z * across[2]
    v[k] = x * aside[0] + y * aside[1] + z * aside[2]
    h[k] = x * along[0] + y * along[1] + z * along[2]
  }
}

// One patch cut to what lies over another, seen along the normal of a contact.
//
// Method: the polygon is clipped by one side of the convex polygon after the other (I. Sutherland, G. Hodgman, "Reentrant polygon
// clipping", Communications of the ACM 17 (1974)). Each point remembers the edge that leads on from it, and so of which corners of
// either patch it is made.
// Frame: u, v across the contact, h along it. Cost O(points · sides).

/** The points of a patch while it is clipped. */
export interface ClippedPatch {
  count: number
  u: Float64Array
  v: Float64Array
  h: Float64Array
  /** `TAG_COUNT` for each point. */
  tags: Int32Array
}

/** Tags: the places in the clipped patch that a point is made of, two, and −1 for none: one place a corner, two an edge, none within. */
export const OWN = 0
/** Those in the clipping patch. */
export const OTHER = 2
/** Those of the edge of the clipped patch from here on. */
const NEXT = 4
/** The side of the clipping patch that this edge lies along, or −1. */
const SIDE = 6
export const TAG_COUNT = 7

const createClipped = (size: number): ClippedPatch => ({
  count: 0,
  u: new Float64Array(size),
  v: new Float64Array(size),
  h: new Float64Array(size),
  tags: new Int32Array(TAG_COUNT * size),
})

/** Points that module scratch has room for; larger patches, of hulls and not of boxes, have their own. */
const KEPT_SIZE = 64
const kept = [createClipped(KEPT_SIZE), createClipped(KEPT_SIZE)] as const

/** `sides`: a convex polygon, either way round. `ring`: one point, two, or a convex polygon. The answer is scratch. */
export function clipPatch(ring: ContactPatch, sides: ContactPatch): ClippedPatch {
  // Each side adds one point at most, of a convex ring.
  const size = 2 * ring.count + sides.count
  let [from, to] = size <= KEPT_SIZE ? kept : [createClipped(size), createClipped(size)]
  setRing(from, ring)
  const turn = areaOf(sides) < 0 ? -1 : 1
  for (let j = 0; j < sides.count && from.count > 0; j++) {
    spend(1 + from.count)
    clipBy(from, to, sides, j, turn)
    const clipped = to
    to = from
    from = clipped
  }
  return from
}

function setRing(out: ClippedPatch, { count, u, v, h }: ContactPatch): void {
  for (let k = 0; k < count; k++) {
    put(out, k, u[k], v[k], h[k])
    setTags(out, k, OWN, k, -1)
    setTags(out, k, OTHER, -1, -1)
    setTags(out, k, NEXT, k, k + 1 === count ? 0 : k + 1)
    out.tags[TAG_COUNT * k + SIDE] = -1
  }
  out.count = count
}

function put(out: ClippedPatch, k: number, u: number, v: number, h: number): void {
  out.u[k] = u
  out.v[k] = v
  out.h[k] = h
}

function setTags({ tags }: ClippedPatch, k: number, at: number, first: number, second: number): void {
  tags[TAG_COUNT * k + at] = first
  tags[TAG_COUNT * k + at + 1] = second
}

/** Twice the signed area. */
function areaOf(ring: ContactPatch): number {
  let area = 0
  for (let k = 1; k + 1 < ring.count; k++) area += turnOf(ring, 0, k, k + 1)
  return area
}

/** Twice the signed area of a triangle of points that are seen. */
export function turnOf({ u, v }: Seen, p: number, q: number, r: number): number {
  return (u[q] - u[p]) * (v[r] - v[p]) - (v[q] - v[p]) * (u[r] - u[p])
}

/** Points as seen along the normal of a contact. */
export interface Seen {
  u: Float64Array
  v: Float64Array
}

function clipBy(ring: ClippedPatch, out: ClippedPatch, sides: ContactPatch, j: number, turn: number): void {
  const { u, v, count } = ring
  const end = j + 1 === sides.count ? 0 : j + 1
  const pu = sides.u[j]
  const pv = sides.v[j]
  const eu = sides.u[end] - pu
  const ev = sides.v[end] - pv
  out.count = 0
  const first = -turn * (eu * (v[0] - pv) - ev * (u[0] - pu))
  let here = first
  for (let k = 0; k < count; k++) {
    const m = k + 1 === count ? 0 : k + 1
    const there = m === 0 ? first : -turn * (eu * (v[m] - pv) - ev * (u[m] - pu))
    if (here <= 0) copyPoint(ring, k, out)
    // Of two points the way back is the same edge.
    if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
      addCrossing(ring, k, m, here / (here - there), out)
      tagCrossing(ring, k, out, j, sides.count, here < 0)
    }
    here = there
  }
}

function copyPoint(ring: ClippedPatch, k: number, out: ClippedPatch): void {
  const to = out.count++
  put(out, to, ring.u[k], ring.v[k], ring.h[k])
  for (let tag = 0; tag < TAG_COUNT; tag++) out.tags[TAG_COUNT * to + tag] = ring.tags[TAG_COUNT * k + tag]
}

function addCrossing({ u, v, h }: ClippedPatch, k: number, m: number, t: number, out: ClippedPatch): void {
  put(out, out.count++, u[k] + t * (u[m] - u[k]), v[k] + t * (v[m] - v[k]), h[k] + t * (h[m] - h[k]))
}

/** Of the newest point, where the edge from point k crosses side j. */
function tagCrossing(
  { tags }: ClippedPatch,
  k: number,
  out: ClippedPatch,
  j: number,
  sideCount: number,
  leaves: boolean,
): void {
  const to = out.count - 1
  const end = j + 1 === sideCount ? 0 : j + 1
  const from = TAG_COUNT * k
  const side = tags[from + SIDE]
  if (side >= 0) {
    // Along a side of the clipping patch: a corner of that.
    setTags(out, to, OWN, -1, -1)
    setTags(out, to, OTHER, side === (j === 0 ? sideCount - 1 : j - 1) ? j : end, -1)
  } else {
    setTags(out, to, OWN, tags[from + NEXT], tags[from + NEXT + 1])
    setTags(out, to, OTHER, j, end)
  }
  if (leaves) setTags(out, to, NEXT, -1, -1)
  else setTags(out, to, NEXT, tags[from + NEXT], tags[from + NEXT + 1])
  out.tags[TAG_COUNT * to + SIDE] = leaves ? j : side
}

/** A known contact: normal from A to B, signed separation, and a point midway between the surfaces. */
export interface KnownContact {
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
  /** The leaves of composite bodies that they are of; −1 of a convex one. */
  leafA: number
  leafB: number
}
