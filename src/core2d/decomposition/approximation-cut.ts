/**
 * Cuts of convex rings by a line.
 *
 * Sides are exact. Points where the line crosses an edge are rounded, never into the ring: to its edge or out of it. So the
 * two parts of a ring cover it to the last bit. A point on a vertical or horizontal line keeps that line's coordinate, so what
 * such a line parts has no inside in common; of other lines parts can overlap by some units in the last place.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent, type Sign } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { convexHull } from '../points/convex-hull.ts'
import { orientation } from '../points/orientation.ts'
import { NUDGE_COUNT } from '../tolerances.ts'

/** The line through p, vertical (axis 0, upwards), horizontal (axis 1, to the right), or on to q (axis −1). */
export interface Cut {
  axis: -1 | 0 | 1
  px: number
  py: number
  qx: number
  qy: number
}

/** Vertices x0, y0, …, counter-clockwise, strictly convex. */
export type ConvexRing = Float64Array

/** 1 for points left of the line, −1 right of it, 0 on it. */
export function sideOfCut({ axis, px, py, qx, qy }: Cut, x: number, y: number): Sign {
  if (axis < 0) return orientation(px, py, qx, qy, x, y)
  return Math.sign(axis === 0 ? px - x : y - py) as Sign
}

// The two parts of the ring in hand.
const left: number[] = []
const right: number[] = []

/** Appends the parts of a ring on the two sides of the line, as far as they have an area. `unit`: a power of two near its size. */
export function cutRing(cut: Cut, ring: ConvexRing, unit: number, lefts: ConvexRing[], rights: ConvexRing[]): void {
  left.length = 0
  right.length = 0
  const size = ring.length
  spend(size)
  let before = sideOfCut(cut, ring[size - 2], ring[size - 1])
  let crossings = 0
  for (let i = 0; i < size; i += 2) {
    const x = ring[i]
    const y = ring[i + 1]
    const side = sideOfCut(cut, x, y)
    if (side * before < 0) {
      const h = i === 0 ? size - 2 : i - 2
      setCrossing(cut, ring[h], ring[h + 1], x, y, unit)
      left.push(crossingX, crossingY)
      right.push(crossingX, crossingY)
      crossings++
    }
    if (side >= 0) left.push(x, y)
    if (side <= 0) right.push(x, y)
    before = side
  }
  if (crossings > 0 || (left.length > 4 && right.length > 4)) {
    addHull(left, lefts)
    addHull(right, rights)
  } else if (left.length > right.length) lefts.push(ring)
  else rights.push(ring)
}

function addHull(points: readonly number[], rings: ConvexRing[]): void {
  const hull = hullRing(Float64Array.from(points))
  if (hull.length >= 6) rings.push(hull)
}

/** The hull of points x0, y0, …; fewer than three vertices where they have no area. */
export function hullRing(points: Float64Array): ConvexRing {
  const count = points.length / 2
  const corners = new Int32Array(count)
  const size = convexHull(points, count, corners)
  const ring = new Float64Array(2 * size)
  for (let k = 0; k < size; k++) {
    ring[2 * k] = points[2 * corners[k]]
    ring[2 * k + 1] = points[2 * corners[k] + 1]
  }
  return ring
}

let crossingX = 0
let crossingY = 0

/** Sets the point at which the line crosses the edge from a to b, on that edge or to the right of it. */
function setCrossing(cut: Cut, ax: number, ay: number, bx: number, by: number, unit: number): void {
  const { axis } = cut
  // The ends lie on different sides, whatever rounding makes of their heights.
  const heightA = Math.abs(heightOver(cut, ax, ay, unit))
  const heightB = Math.abs(heightOver(cut, bx, by, unit))
  const height = heightA + heightB
  const t = height > 0 ? heightA / height : 1 / 2
  const alongX = bx - ax
  const alongY = by - ay
  crossingX = axis === 0 ? cut.px : ax + t * alongX
  crossingY = axis === 1 ? cut.py : ay + t * alongY
  // Out is towards (alongY, −alongX). The line's own coordinate stays.
  const movesX = axis === 1 || (axis < 0 && Math.abs(alongY) > Math.abs(alongX))
  for (let k = 0, step = 1; k < NUDGE_COUNT; k++, step *= 4) {
    if (orientation(ax, ay, bx, by, crossingX, crossingY) <= 0) return
    if (movesX) crossingX += Math.sign(alongY) * step * lastPlace(crossingX)
    else crossingY -= Math.sign(alongX) * step * lastPlace(crossingY)
  }
  // An end of the edge does as well: the parts are others then, but cover the ring.
  crossingX = ax
  crossingY = ay
}

/** How far a point lies over the line, times the line's length, in units. */
function heightOver({ axis, px, py, qx, qy }: Cut, x: number, y: number, unit: number): number {
  if (axis === 0) return (px - x) / unit
  if (axis === 1) return (y - py) / unit
  return ((qx - px) / unit) * ((y - py) / unit) - ((qy - py) / unit) * ((x - px) / unit)
}

/** The unit in the last place of a double. */
function lastPlace(x: number): number {
  return Math.max(Number.MIN_VALUE, 2 ** binaryExponent(x) * 2 * UNIT_ROUNDOFF)
}
