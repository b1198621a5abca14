/**
 * One patch cut to what lies over another, seen along the direction of a contact.
 *
 * Method: the polygon is clipped by one side of the convex polygon after the other (I. Sutherland, G. Hodgman, "Reentrant polygon
 * clipping", Communications of the ACM 17 (1974)). Each point remembers the edge that leads on from it, and so of which corners of
 * either patch it is made.
 * Frame: u, v across the contact, h along it. Cost O(points · sides).
 */

import { spend } from '../../containers/budget.ts'

export interface PatchPoint {
  u: number
  v: number
  h: number
  /** The places in the clipped patch that it lies at: one a corner, two an edge, none within. */
  own: readonly number[]
  /** The same in the clipping patch. */
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
export function areaOf(ring: readonly Spot[]): number {
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
