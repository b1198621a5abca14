/**
 * Some of the points of a contact, so that they span what all of them do.
 *
 * Method: the deepest, the one farthest from it, then again and again the one that adds most area to those taken. Points that add
 * none are left out. Frame: u, v across the contact. Cost O(points · taken).
 */

import { spend } from '../../containers/budget.ts'
import { CONTACT_DEPTH_RATIO } from '../tolerances.ts'
import { type Spot, turnOf } from './clip-patch.ts'

/** Places of at most `most` points, the deepest first. `points` go round a convex polygon; `heights` are least where deepest. */
export function reducePoints(
  points: readonly Spot[],
  heights: readonly number[],
  most: number,
  extent: number,
): number[] {
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
