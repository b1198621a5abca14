/**
 * Where an exact point lies in a region, and which way leads out of the region there.
 *
 * Method: the crossing number of the ray to the right, as in `outline/point-in-outline.ts`; edges in doubt are asked with
 * integers.
 * Frame: as `placed-parts.ts` has it. −1 inside, 0 on the boundary, 1 outside.
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { rootSign, scaleRoot, subtractRoots, whole } from '../../numeric/root-number.ts'
import { SMALLEST_SAFE_DETERMINANT } from '../../numeric/roundoff.ts'
import { EDGES_PER_BAND, type Outline } from '../outline/outline.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type Outward, setRightOf } from './place-in-convex.ts'
import { endOf, exactVertex, type Grid, type PlacedPart, spendExact } from './placed-parts.ts'
import type { Spot } from './spots.ts'

/** Fills `out` where the answer is 0 and the point is not a corner. Cost O(edges), with a small factor. */
export function placeInRegion(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  const { bands, edgeCount } = part.outline as Outline
  const error = part.error + spot.slack
  const left = spot.roundedX - part.x - error
  const low = spot.roundedY - part.y - error
  const high = spot.roundedY - part.y + error
  let crossings = 0
  spend(1 + (edgeCount >>> 5))
  for (let start = 0, band = 0; start < edgeCount; start += EDGES_PER_BAND, band += 3) {
    if (bands[band] > high || bands[band + 1] < low || bands[band + 2] < left) continue
    spend(EDGES_PER_BAND >>> 3)
    const end = Math.min(start + EDGES_PER_BAND, edgeCount)
    for (let edge = start; edge < end; edge++) {
      const count = crossingsOf(part, edge, spot, error, grid)
      if (count < 0) {
        setRightOf(part, edge, grid, out)
        return 0
      }
      crossings += count
    }
  }
  return crossings % 2 === 1 ? -1 : 1
}

/** 1 when the ray from the spot to the right crosses the edge, −1 when the spot is on it. */
function crossingsOf(part: PlacedPart, edge: number, spot: Spot, error: number, grid: Grid): number {
  const { vertices } = part
  const x = spot.roundedX - part.x
  const y = spot.roundedY - part.y
  const end = endOf(part, edge)
  const ay = vertices[2 * edge + 1] - y
  const by = vertices[2 * end + 1] - y
  if ((ay > error && by > error) || (ay < -error && by < -error)) return 0
  const ax = vertices[2 * edge] - x
  const bx = vertices[2 * end] - x
  if (ax < -error && bx < -error) return 0
  const heightA = ay > error ? 1 : ay < -error ? -1 : compareY(part, edge, spot, grid)
  const heightB = by > error ? 1 : by < -error ? -1 : compareY(part, end, spot, grid)
  if (heightA <= 0 && heightB <= 0) {
    if (heightA < 0 && heightB < 0) return 0
    return isOnLevelEnd(part, edge, heightA, end, heightB, spot, grid) ? -1 : 0
  }
  if (heightA > 0 && heightB > 0) return 0
  if (ax > error && bx > error) return 1
  const first = ax * by
  const second = ay * bx
  const turn = first - second
  const doubt =
    SEPARATION_ERROR_RATIO * (Math.abs(first) + Math.abs(second)) +
    2 * error * (Math.abs(ax) + Math.abs(ay) + Math.abs(bx) + Math.abs(by) + error) +
    SMALLEST_SAFE_DETERMINANT
  const side = turn > doubt ? 1 : turn < -doubt ? -1 : exactSide(part, edge, end, spot, grid)
  if (side === 0) return -1
  return side > 0 === heightB > 0 ? 1 : 0
}

/** Sign of the vertex's y minus the spot's. */
function compareY(part: PlacedPart, i: number, spot: Spot, grid: Grid): Sign {
  spendExact(grid, 1)
  return rootSign(subtractRoots(whole(exactVertex(part, i, grid).y * spot.w), spot.y), spot.root)
}

function compareX(part: PlacedPart, i: number, spot: Spot, grid: Grid): Sign {
  spendExact(grid, 1)
  return rootSign(subtractRoots(whole(exactVertex(part, i, grid).x * spot.w), spot.x), spot.root)
}

/** Whether the spot is on an edge with both ends at or below its height (−1 below, 0 level), one of them level. */
function isOnLevelEnd(
  part: PlacedPart,
  edge: number,
  heightA: Sign,
  end: number,
  heightB: Sign,
  spot: Spot,
  grid: Grid,
): boolean {
  if (heightA < 0) return compareX(part, end, spot, grid) === 0
  const a = compareX(part, edge, spot, grid)
  if (heightB < 0) return a === 0
  return a === 0 || a !== compareX(part, end, spot, grid)
}

/** 1 when the spot lies to the left of the edge, 0 on its line. */
function exactSide(part: PlacedPart, edge: number, end: number, spot: Spot, grid: Grid): Sign {
  spendExact(grid, 1)
  const p = exactVertex(part, edge, grid)
  const q = exactVertex(part, end, grid)
  const x = subtractRoots(spot.x, whole(p.x * spot.w))
  const y = subtractRoots(spot.y, whole(p.y * spot.w))
  return rootSign(subtractRoots(scaleRoot(y, q.x - p.x), scaleRoot(x, q.y - p.y)), spot.root)
}
