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

interface Corner extends PatchPoint {
  /** The edge from here on: two places in the clipped patch, or a side of the clipping one. */
  next: readonly number[]
  side: number
}

export interface Spot {
  u: number
  v: number
  h: number
}

/** `sides`: the corners of a convex polygon, either way round. `ring`: one point, two, or a convex polygon. */
export function clipPatch(ring: readonly Spot[], sides: readonly Spot[]): PatchPoint[] {
  const size = ring.length
  const turn = areaOf(sides) < 0 ? -1 : 1
  let kept: Corner[] = ring.map((spot, k) => ({ ...spot, own: [k], other: [], next: [k, (k + 1) % size], side: -1 }))
  for (let j = 0; j < sides.length && kept.length > 0; j++) {
    spend(1 + kept.length)
    kept = clipBy(kept, sides, j, turn)
  }
  return kept
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

function clipBy(ring: readonly Corner[], sides: readonly Spot[], j: number, turn: number): Corner[] {
  const from = sides[j]
  const to = sides[(j + 1) % sides.length]
  const outside = ring.map((spot) => -turn * turnOf(from, to, spot))
  const kept: Corner[] = []
  for (let k = 0; k < ring.length; k++) {
    const here = ring[k]
    const m = (k + 1) % ring.length
    const leaves = outside[k] < 0 && outside[m] > 0
    if (outside[k] <= 0) kept.push(here)
    // Of two points the way back is the same edge.
    if (!leaves && !(outside[k] > 0 && outside[m] < 0)) continue
    const there = ring[m]
    const t = outside[k] / (outside[k] - outside[m])
    const isCorner = here.side >= 0
    const sharesEnd = here.side === (j + sides.length - 1) % sides.length
    kept.push({
      u: here.u + t * (there.u - here.u),
      v: here.v + t * (there.v - here.v),
      h: here.h + t * (there.h - here.h),
      own: isCorner ? [] : here.next,
      other: isCorner ? [sharesEnd ? j : (j + 1) % sides.length] : [j, (j + 1) % sides.length],
      next: leaves ? [] : here.next,
      side: leaves ? j : here.side,
    })
  }
  return kept
}
