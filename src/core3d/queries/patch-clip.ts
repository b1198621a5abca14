/**
 * One patch cut to what lies over another, seen along the normal of a contact.
 *
 * Method: the polygon is clipped by one side of the convex polygon after the other (I. Sutherland, G. Hodgman, "Reentrant polygon
 * clipping", Communications of the ACM 17 (1974)). Each point remembers the edge that leads on from it, and so of which corners of
 * either patch it is made.
 * Frame: u, v across the contact, h along it. Cost O(points · sides).
 */

import { spend } from '../../containers/budget.ts'
import type { ContactPatch } from './contact-patch.ts'

/** The points of a patch while it is clipped: those that are left, by their places among all that there were. */
export interface ClippedPatch {
  count: number
  order: Int32Array
  /** Room for the order that comes next. */
  spare: Int32Array
  /** How far each of those left lies beyond the side that cuts next. */
  beyond: Float64Array
  /** All points that there were. */
  size: number
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
  order: new Int32Array(size),
  spare: new Int32Array(size),
  beyond: new Float64Array(size),
  size: 0,
  u: new Float64Array(size),
  v: new Float64Array(size),
  h: new Float64Array(size),
  tags: new Int32Array(TAG_COUNT * size),
})

/** Points that module scratch has room for; larger patches, of hulls and not of boxes, have their own. */
const KEPT_SIZE = 256
const kept = createClipped(KEPT_SIZE)

/** `sides`: a convex polygon, either way round. `ring`: one point, two, or a convex polygon. The answer is scratch. */
export function clipPatch(ring: ContactPatch, sides: ContactPatch): ClippedPatch {
  // A side crosses a convex ring twice, and one that is convex but for rounding hardly more.
  const size = 2 * ring.count + 4 * sides.count
  const clipped = size <= KEPT_SIZE ? kept : createClipped(size)
  setRing(clipped, ring)
  const turn = areaOf(sides) < 0 ? -1 : 1
  for (let j = 0; j < sides.count && clipped.count > 0; j++) {
    spend(1 + clipped.count)
    if (!setBeyond(clipped, sides, j, turn)) continue
    // No more crossings than points.
    if (clipped.size + clipped.count > clipped.order.length) grow(clipped)
    clipBy(clipped, j, sides.count)
  }
  return clipped
}

function grow(ring: ClippedPatch): void {
  const { count, size, order, beyond, u, v, h, tags } = ring
  const room = createClipped(2 * (size + count))
  room.order.set(order)
  room.beyond.set(beyond)
  room.u.set(u)
  room.v.set(v)
  room.h.set(h)
  room.tags.set(tags)
  Object.assign(ring, room, { count, size })
}

/** Whether the place is what `clipPatch` leaves of it. */
export function liesOver(u: number, v: number, sides: ContactPatch): boolean {
  spend(1 + sides.count)
  const turn = areaOf(sides) < 0 ? -1 : 1
  for (let j = 0; j < sides.count; j++) {
    const end = j + 1 === sides.count ? 0 : j + 1
    const eu = sides.u[end] - sides.u[j]
    const ev = sides.v[end] - sides.v[j]
    if (!(-turn * (eu * (v - sides.v[j]) - ev * (u - sides.u[j])) <= 0)) return false
  }
  return true
}

function setRing(out: ClippedPatch, { count, u, v, h }: ContactPatch): void {
  for (let k = 0; k < count; k++) {
    out.order[k] = k
    put(out, k, u[k], v[k], h[k])
    setTags(out, k, OWN, k, -1)
    setTags(out, k, OTHER, -1, -1)
    setTags(out, k, NEXT, k, k + 1 === count ? 0 : k + 1)
    out.tags[TAG_COUNT * k + SIDE] = -1
  }
  out.count = count
  out.size = count
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
function areaOf({ count, u, v }: ContactPatch): number {
  let area = 0
  for (let k = 1; k + 1 < count; k++) area += turnOf(u, v, 0, k, k + 1)
  return area
}

/** Twice the signed area of a triangle of points that are seen. */
export function turnOf(u: Float64Array, v: Float64Array, p: number, q: number, r: number): number {
  return (u[q] - u[p]) * (v[r] - v[p]) - (v[q] - v[p]) * (u[r] - u[p])
}

/** Sets how far each point lies beyond the side, times its length; false where none does. */
function setBeyond(
  { order, u, v, count, beyond }: ClippedPatch,
  sides: ContactPatch,
  j: number,
  turn: number,
): boolean {
  const end = j + 1 === sides.count ? 0 : j + 1
  const pu = sides.u[j]
  const pv = sides.v[j]
  const eu = sides.u[end] - pu
  const ev = sides.v[end] - pv
  let isCut = false
  for (let k = 0; k < count; k++) {
    const at = order[k]
    const far = -turn * (eu * (v[at] - pv) - ev * (u[at] - pu))
    beyond[k] = far
    if (!(far <= 0)) isCut = true
  }
  return isCut
}

/** Leaves what does not lie beyond side j, with the places where the ring crosses it. */
function clipBy(ring: ClippedPatch, j: number, sideCount: number): void {
  const { count, beyond, order, spare } = ring
  let left = 0
  for (let k = 0; k < count; k++) {
    const m = k + 1 === count ? 0 : k + 1
    const here = beyond[k]
    const there = beyond[m]
    if (here <= 0) spare[left++] = order[k]
    // Of two points the way back is the same edge.
    if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
      addOnEdge(ring, order[k], order[m], here / (here - there))
      tagCrossing(ring, order[k], j, sideCount, here < 0)
      spare[left++] = ring.size++
    }
  }
  ring.count = left
  ring.order = spare
  ring.spare = order
}

function addOnEdge({ size, u, v, h }: ClippedPatch, k: number, m: number, t: number): void {
  u[size] = u[k] + t * (u[m] - u[k])
  v[size] = v[k] + t * (v[m] - v[k])
  h[size] = h[k] + t * (h[m] - h[k])
}

/** Of the newest point, where the edge from point k crosses side j. */
function tagCrossing(ring: ClippedPatch, k: number, j: number, sideCount: number, leaves: boolean): void {
  const { tags, size: to } = ring
  const end = j + 1 === sideCount ? 0 : j + 1
  const from = TAG_COUNT * k
  const side = tags[from + SIDE]
  if (side >= 0) {
    // Along a side of the clipping patch: a corner of that.
    setTags(ring, to, OWN, -1, -1)
    setTags(ring, to, OTHER, side === (j === 0 ? sideCount - 1 : j - 1) ? j : end, -1)
  } else {
    setTags(ring, to, OWN, tags[from + NEXT], tags[from + NEXT + 1])
    setTags(ring, to, OTHER, j, end)
  }
  if (leaves) setTags(ring, to, NEXT, -1, -1)
  else setTags(ring, to, NEXT, tags[from + NEXT], tags[from + NEXT + 1])
  tags[TAG_COUNT * to + SIDE] = leaves ? j : side
}
