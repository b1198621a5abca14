/**
 * Whether a point lies inside an outline, on it, or outside, decided exactly.
 *
 * Method: crossing number of the ray from the point to the right; edges count with their lower end and without their upper
 * one, so a ray through a vertex counts right. The side of an edge comes from Shewchuk's orientation test; where the point is
 * a sum that is no double, from expansions of its terms whenever rounding leaves it open.
 * Frame: the outline's own (its part's position is the origin).
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { type Expansion, expansionOf, expansionSign, expansionSum } from '../../numeric/expansion.ts'
import { SMALLEST_SAFE_DETERMINANT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { orientation } from '../points/orientation.ts'
import { TURN_ERROR_RATIO } from '../tolerances.ts'
import { EDGES_PER_BAND, type Outline } from './outline.ts'

/** The point asked about: x, y, or where its coordinates are no doubles a box of doubles around it and what they are. */
interface Place {
  x: number
  y: number
  slackX: number
  slackY: number
  /** Terms of the coordinates; null where x and y are exact. */
  sumX: Expansion | null
  sumY: Expansion | null
}

const place: Place = { x: 0, y: 0, slackX: 0, slackY: 0, sumX: null, sumY: null }

/** −1 inside, 0 on the boundary, 1 outside. An outline that is not solid has no inside. Cost O(edges), with a small factor. */
export function pointInOutline(outline: Outline, px: number, py: number): Sign {
  place.x = px
  place.y = py
  place.slackX = 0
  place.slackY = 0
  place.sumX = null
  place.sumY = null
  return placeInOutline(outline)
}

/** The same for a point whose coordinates are sums. */
export function sumInOutline(outline: Outline, x: Expansion, y: Expansion): Sign {
  if (x.length <= 1 && y.length <= 1) return pointInOutline(outline, x[0] ?? 0, y[0] ?? 0)
  place.x = x[x.length - 1] ?? 0
  place.y = y[y.length - 1] ?? 0
  // The last term is off by less than one unit in the last place.
  place.slackX = 2 * UNIT_ROUNDOFF * Math.abs(place.x)
  place.slackY = 2 * UNIT_ROUNDOFF * Math.abs(place.y)
  place.sumX = x
  place.sumY = y
  return placeInOutline(outline)
}

function placeInOutline(outline: Outline): Sign {
  const { bands, edgeCount } = outline
  const left = place.x - place.slackX
  const low = place.y - place.slackY
  const high = place.y + place.slackY
  let crossings = 0
  spend(1 + (edgeCount >>> 5))
  for (let edge = 0, band = 0; edge < edgeCount; edge += EDGES_PER_BAND, band += 3) {
    if (bands[band] > high || bands[band + 1] < low || bands[band + 2] < left) continue
    spend(EDGES_PER_BAND >>> 3)
    const count = bandCrossings(outline, edge, Math.min(edge + EDGES_PER_BAND, edgeCount))
    if (count < 0) return 0
    crossings += count
  }
  return outline.solid && crossings % 2 === 1 ? -1 : 1
}

/** How many of the edges start … end − 1 the ray to the right crosses; −1 when the place is on one of them. */
function bandCrossings({ vertices, edgeEnd }: Outline, start: number, end: number): number {
  const left = place.x - place.slackX
  const right = place.x + place.slackX
  const low = place.y - place.slackY
  const high = place.y + place.slackY
  let crossings = 0
  for (let edge = start; edge < end; edge++) {
    const i = 2 * edge
    const j = 2 * edgeEnd[edge]
    const ay = vertices[i + 1]
    const by = vertices[j + 1]
    if ((ay > high && by > high) || (ay < low && by < low)) continue
    const ax = vertices[i]
    const bx = vertices[j]
    if (ax < left && bx < left) continue
    const heightA = ay > high ? 1 : ay < low ? -1 : compareY(ay)
    const heightB = by > high ? 1 : by < low ? -1 : compareY(by)
    if (heightA <= 0 && heightB <= 0) {
      if ((heightA === 0 || heightB === 0) && onLevelEdge(ax, heightA, bx, heightB)) return -1
      continue
    }
    if (heightA > 0 && heightB > 0) continue
    if (ax > right && bx > right) {
      crossings++
      continue
    }
    const side = place.sumX === null ? orientation(ax, ay, bx, by, place.x, place.y) : sideOfSum(ax, ay, bx, by)
    if (side === 0) return -1
    // Seen upwards, an edge to the right of the point has it on its left.
    if (side > 0 === heightB > 0) crossings++
  }
  return crossings
}

/** Whether the place is on an edge with both ends at or below its height (−1 below, 0 level). */
function onLevelEdge(ax: number, heightA: number, bx: number, heightB: number): boolean {
  const offsetA = compareX(ax)
  const offsetB = compareX(bx)
  if (heightA < 0) return offsetB === 0
  if (heightB < 0) return offsetA === 0
  return offsetA !== offsetB || offsetA === 0
}

/** Sign of value − x of the place. */
function compareX(value: number): Sign {
  return place.sumX === null ? (Math.sign(value - place.x) as Sign) : compare(value, place.sumX)
}

function compareY(value: number): Sign {
  return place.sumY === null ? (Math.sign(value - place.y) as Sign) : compare(value, place.sumY)
}

function compare(value: number, sum: Expansion): Sign {
  return -expansionSign(expansionSum(sum, expansionOf(-value))) as Sign
}

/** Orientation of an edge and the place, whose coordinates are sums. */
function sideOfSum(ax: number, ay: number, bx: number, by: number): Sign {
  const { x, y, slackX, slackY, sumX, sumY } = place
  const left = (ax - x) * (by - y)
  const right = (ay - y) * (bx - x)
  const turn = left - right
  const moved = slackX * Math.abs(by - ay) + slackY * Math.abs(bx - ax)
  const error = TURN_ERROR_RATIO * (Math.abs(left) + Math.abs(right)) + 2 * moved + SMALLEST_SAFE_DETERMINANT
  if (Math.abs(turn) > error) return turn > 0 ? 1 : -1
  const termsX = sumX as Expansion
  const termsY = sumY as Expansion
  const range = createInputRange()
  for (const value of [ax, ay, bx, by, ...termsX, ...termsY]) includeInput(range, value)
  return exactly(range, 2, <T>({ of, integer, add, sub, mul, sign }: Ring<T>) => {
    const px = termsX.reduce((sum, term) => add(sum, of(term)), integer(0))
    const py = termsY.reduce((sum, term) => add(sum, of(term)), integer(0))
    const toLeft = mul(sub(of(ax), px), sub(of(by), py))
    return sign(sub(toLeft, mul(sub(of(ay), py), sub(of(bx), px))))
  })
}
