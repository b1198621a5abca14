/**
 * The part of a body that faces another: a corner, an edge, a face, or of a curved body a point, a line of its side, or a ring
 * of points round its disc.
 *
 * Method: of the faces at the farthest corner along the direction, the one with most corners as far, of these the one most turned
 * towards it: the incident face of E. Catto, "Contact Manifolds" (GDC 2007).
 * A disc is a ring that has, besides eight points well spread, those towards the other body's corners, where its edges or its rim
 * cross this one, and amid what they cut off: so the common part of the two loses no corner, however narrow it is.
 * Frame: world axes, from the body's anchor. Cost O(points and corners of faces).
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { type Body, CONE, CYLINDER, ELLIPSOID, LENGTHS, POINTS, ROTATION, type Vector } from '../shape/body.ts'
import { PLANE_SIZE, planesOf, surfaceOf } from '../shape/core-surface.ts'
import { kindOf } from '../shape/kinds.ts'
import { CONTACT_DEPTH_RATIO, RIM_ANGLE, RIM_POINT_COUNT } from '../tolerances.ts'

export interface ContactPatch {
  /** In order around the direction, one way or the other. */
  points: Vector[]
  /** The caller's index of each; −1 on what is curved. */
  names: number[]
  /** Whether each lies as far along the direction as the farthest, as far as a direction's error lets one tell. */
  isLevel: boolean[]
  /** The disc that the points lie round, where it lies flat across the direction. */
  disc: Disc | null
}

interface Disc {
  middle: Vector
  radius: number
}

/** The other body's patch, which a rim must serve: its corners, in order, or its disc lose nothing of what the two share. */
export interface OtherPatch {
  points: readonly Vector[]
  disc: Disc | null
}

const point = new Float64Array(3)

/** `other`: the other body's patch, from this one's anchor; for discs. `extent`: that of the pair. */
export function contactPatch(body: Body, direction: Vector, extent: number, other: OtherPatch): ContactPatch {
  const { kind } = body
  const margin = CONTACT_DEPTH_RATIO * extent
  if (kind === POINTS) return pointsPatch(body, direction, margin)
  if (kind === CYLINDER || kind === CONE) return turnedPatch(body, direction, margin, other)
  if (kind !== ELLIPSOID) return { points: [], names: [], isLevel: [], disc: null }
  point.fill(0)
  kindOf(body).support(body, direction[0], direction[1], direction[2], point)
  return patchOf([[point[0], point[1], point[2]]], direction, margin)
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/** Of points without names. */
function patchOf(points: Vector[], direction: Vector, margin: number): ContactPatch {
  const heights = points.map((p) => dot(p, direction))
  const top = Math.max(...heights)
  return { points, names: points.map(() => -1), isLevel: heights.map((height) => height >= top - margin), disc: null }
}

/** Heights of the core points along the direction; module scratch. */
let heights = new Float64Array(64)

function pointsPatch(body: Body, direction: Vector, margin: number): ContactPatch {
  const { count, numbers, local, names } = body
  spend(1 + (count >> 1))
  const least = setHeights(body, direction) - margin
  const corners = count < 3 ? FEW[count] : facing(body, direction, least)
  const patch: ContactPatch = { points: [], names: [], isLevel: [], disc: null }
  for (let k = 0; k < corners.length; k++) {
    const i = corners[k]
    const at = local + 3 * i
    patch.points.push([numbers[at], numbers[at + 1], numbers[at + 2]])
    patch.names.push(names[i])
    patch.isLevel.push(heights[i] >= least)
  }
  return patch
}

const FEW: readonly (readonly number[])[] = [[], [0], [0, 1]]

/** Returns the greatest of the heights. */
function setHeights({ count, numbers, local }: Body, [x, y, z]: Vector): number {
  if (heights.length < count) heights = new Float64Array(2 * count)
  let top = -Infinity
  for (let i = 0, at = local; i < count; i++, at += 3) {
    const height = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z
    heights[i] = height
    if (height > top) top = height
  }
  return top
}

/** Core points of the face, or of the one edge, that faces the direction; those of at least this height count as the farthest. */
function facing(body: Body, [x, y, z]: Vector, least: number): ArrayLike<number> {
  const surface = surfaceOf(body)
  const { starts, corners } = surface
  // Of a segment these are its ends.
  if (starts.length < 2) return corners.length > 1 ? [corners[0], corners[1]] : [0]
  const planes = planesOf(body, surface)
  spend(corners.length)
  let best = -1
  let most = 0
  let closest = -Infinity
  for (let f = 0; f + 1 < starts.length; f++) {
    let level = 0
    const end = starts[f + 1]
    for (let c = starts[f]; c < end; c++) if (heights[corners[c]] >= least) level++
    if (level < most || level === 0) continue
    const at = PLANE_SIZE * f
    const cosine = planes[at] * x + planes[at + 1] * y + planes[at + 2] * z
    if (level === most && cosine <= closest) continue
    best = f
    most = level
    closest = cosine
  }
  return corners.subarray(starts[best], starts[best + 1])
}

function turnedPatch(body: Body, direction: Vector, margin: number, other: OtherPatch): ContactPatch {
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
    return patchOf([rim, end], direction, margin)
  }
  if (!isCap) return patchOf([place(0, half, 0)], direction, margin)
  const shadow = (p: Vector): Shadow => [dot(p, ex), dot(p, ez)]
  const angles = other.disc === null ? [] : lensAngles(shadow(other.disc.middle), other.disc.radius, radius)
  if (flat > 0) angles.push(Math.atan2(z, x))
  angles.push(...rimAngles(other.points.map(shadow), radius))
  for (let k = 0; k < RIM_POINT_COUNT; k++) angles.push((2 * Math.PI * k) / RIM_POINT_COUNT)
  const points = apartInOrder(angles).map((angle) =>
    place(radius * Math.cos(angle), y > 0 ? half : -half, radius * Math.sin(angle)),
  )
  return capPatch(points, { middle: place(0, y > 0 ? half : -half, 0), radius }, direction, margin)
}

/** Of a rim: it faces the direction with all of it, or with one point, near which others lie nearly as far. */
function capPatch(points: Vector[], disc: Disc, direction: Vector, margin: number): ContactPatch {
  const patch = patchOf(points, direction, margin)
  if (patch.isLevel.every((isLevel) => isLevel)) return { ...patch, disc }
  const heights = points.map((p) => dot(p, direction))
  const farthest = heights.indexOf(Math.max(...heights))
  return { ...patch, isLevel: points.map((_, k) => k === farthest) }
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

// One patch cut to what lies over another, seen along the direction of a contact.
//
// Method: the polygon is clipped by one side of the convex polygon after the other (I. Sutherland, G. Hodgman, "Reentrant polygon
// clipping", Communications of the ACM 17 (1974)). Each point remembers the edge that leads on from it, and so of which corners of
// either patch it is made.
// Frame: u, v across the contact, h along it. Cost O(points · sides).

interface PatchPoint {
  u: number
  v: number
  h: number
  /** The places in the clipped patch that it lies at: one a corner, two an edge, none within. */
  own: readonly number[]
  /** The index in the clipping patch. */
  other: readonly number[]
}

export interface Spot {
  u: number
  v: number
  h: number
}

/** The points of a patch while it is clipped. */
interface Columns {
  count: number
  u: Float64Array
  v: Float64Array
  h: Float64Array
  /** `TAG_COUNT` for each point. */
  tags: Int32Array
}

// Places in the clipped patch and in the clipping one, two each and −1 for none; those of the edge from here on; and the side of the
// clipping patch that it lies along, or −1.
const OWN = 0
const OTHER = 2
const NEXT = 4
const SIDE = 6
const TAG_COUNT = 7

const createColumns = (size: number): Columns => ({
  count: 0,
  u: new Float64Array(size),
  v: new Float64Array(size),
  h: new Float64Array(size),
  tags: new Int32Array(TAG_COUNT * size),
})

/** Points that module scratch has room for; larger patches, of hulls and not of boxes, have their own. */
const KEPT_SIZE = 64
const kept = [createColumns(KEPT_SIZE), createColumns(KEPT_SIZE)] as const

/** `sides`: the corners of a convex polygon, either way round. `ring`: one point, two, or a convex polygon. */
export function clipPatch(ring: readonly Spot[], sides: readonly Spot[]): PatchPoint[] {
  // Each side adds one point at most, of a convex ring.
  const size = 2 * ring.length + sides.length
  let [from, to] = size <= KEPT_SIZE ? kept : [createColumns(size), createColumns(size)]
  setRing(from, ring)
  const turn = areaOf(sides) < 0 ? -1 : 1
  for (let j = 0; j < sides.length && from.count > 0; j++) {
    spend(1 + from.count)
    clipBy(from, to, sides, j, turn)
    const clipped = to
    to = from
    from = clipped
  }
  const points: PatchPoint[] = []
  for (let k = 0; k < from.count; k++) {
    const { u, v, h } = from
    points.push({ u: u[k], v: v[k], h: h[k], own: placesAt(from, k, OWN), other: placesAt(from, k, OTHER) })
  }
  return points
}

function setRing(out: Columns, ring: readonly Spot[]): void {
  const size = ring.length
  for (let k = 0; k < size; k++) {
    const { u, v, h } = ring[k]
    put(out, k, u, v, h)
    setTags(out, k, OWN, k, -1)
    setTags(out, k, OTHER, -1, -1)
    setTags(out, k, NEXT, k, k + 1 === size ? 0 : k + 1)
    out.tags[TAG_COUNT * k + SIDE] = -1
  }
  out.count = size
}

function put(out: Columns, k: number, u: number, v: number, h: number): void {
  out.u[k] = u
  out.v[k] = v
  out.h[k] = h
}

function setTags({ tags }: Columns, k: number, at: number, first: number, second: number): void {
  tags[TAG_COUNT * k + at] = first
  tags[TAG_COUNT * k + at + 1] = second
}

function placesAt({ tags }: Columns, k: number, at: number): number[] {
  const first = tags[TAG_COUNT * k + at]
  const second = tags[TAG_COUNT * k + at + 1]
  return first < 0 ? [] : second < 0 ? [first] : [first, second]
}

/** Twice the signed area. */
function areaOf(ring: readonly Spot[]): number {
  let area = 0
  for (let k = 1; k + 1 < ring.length; k++) area += turnOf(ring[0], ring[k], ring[k + 1])
  return area
}

export function turnOf(p: Spot, q: Spot, r: Spot): number {
  return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u)
}

function clipBy(ring: Columns, out: Columns, sides: readonly Spot[], j: number, turn: number): void {
  const { u, v, count } = ring
  const p = sides[j]
  const q = sides[j + 1 === sides.length ? 0 : j + 1]
  const eu = q.u - p.u
  const ev = q.v - p.v
  const outside = (k: number): number => -turn * (eu * (v[k] - p.v) - ev * (u[k] - p.u))
  out.count = 0
  const first = outside(0)
  let here = first
  for (let k = 0; k < count; k++) {
    const m = k + 1 === count ? 0 : k + 1
    const there = m === 0 ? first : outside(m)
    if (here <= 0) copyPoint(ring, k, out)
    // Of two points the way back is the same edge.
    if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
      addCrossing(ring, k, m, here / (here - there), out)
      tagCrossing(ring, k, out, j, sides.length, here < 0)
    }
    here = there
  }
}

function copyPoint(ring: Columns, k: number, out: Columns): void {
  const to = out.count++
  put(out, to, ring.u[k], ring.v[k], ring.h[k])
  for (let tag = 0; tag < TAG_COUNT; tag++) out.tags[TAG_COUNT * to + tag] = ring.tags[TAG_COUNT * k + tag]
}

function addCrossing({ u, v, h }: Columns, k: number, m: number, t: number, out: Columns): void {
  put(out, out.count++, u[k] + t * (u[m] - u[k]), v[k] + t * (v[m] - v[k]), h[k] + t * (h[m] - h[k]))
}

/** Of the newest point, where the edge from point k crosses side j. */
function tagCrossing({ tags }: Columns, k: number, out: Columns, j: number, sideCount: number, leaves: boolean): void {
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
