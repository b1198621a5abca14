/**
 * The core points of a body that lie at a contact, as the corners of the flat polygon that they nearly are.
 *
 * Method: of those about as far as the farthest along the direction of the contact, the convex hull in the plane across it (A. Andrew,
 * "Another efficient algorithm for convex hulls in two dimensions", Information Processing Letters 9 (1979)).
 * Frame: local to the body. Cost O(points log points).
 */

import { spend } from '../../containers/budget.ts'
import type { Body } from '../shape/body.ts'

interface Spot {
  index: number
  u: number
  v: number
}

/** Indices of the core points that are the farthest along the unit vector to within `margin`, in order around it. */
export function contactRing(body: Body, nx: number, ny: number, nz: number, margin: number): number[] {
  const { numbers, local, count } = body
  spend(1 + count)
  const heights: number[] = []
  let top = -Infinity
  for (let i = 0; i < count; i++) {
    const at = local + 3 * i
    const height = numbers[at] * nx + numbers[at + 1] * ny + numbers[at + 2] * nz
    heights.push(height)
    if (height > top) top = height
  }
  const [u, v] = acrossAxes(nx, ny, nz)
  const spots: Spot[] = []
  for (let i = 0; i < count; i++) {
    if (heights[i] < top - margin) continue
    const at = local + 3 * i
    const along = (axis: readonly number[]): number =>
      numbers[at] * axis[0] + numbers[at + 1] * axis[1] + numbers[at + 2] * axis[2]
    spots.push({ index: i, u: along(u), v: along(v) })
  }
  return hullOf(spots).map(({ index }) => index)
}

/** Two directions across the given one and each other. */
function acrossAxes(nx: number, ny: number, nz: number): readonly [readonly number[], readonly number[]] {
  const u = Math.abs(nx) < Math.abs(ny) ? [0, nz, -ny] : [-nz, 0, nx]
  const v = [ny * u[2] - nz * u[1], nz * u[0] - nx * u[2], nx * u[1] - ny * u[0]]
  return [u, v]
}

function hullOf(spots: Spot[]): Spot[] {
  spend(spots.length)
  if (spots.length < 3) return spots
  spots.sort((p, q) => p.u - q.u || p.v - q.v || p.index - q.index)
  const lower = chain(spots)
  const upper = chain(spots.reverse())
  const corners = [...lower.slice(0, -1), ...upper.slice(0, -1)]
  return corners.length > 0 ? corners : [spots[0]]
}

function chain(spots: readonly Spot[]): Spot[] {
  const kept: Spot[] = []
  for (const spot of spots) {
    while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], spot) <= 0) kept.pop()
    kept.push(spot)
  }
  return kept
}

function turn(p: Spot, q: Spot, r: Spot): number {
  return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u)
}
