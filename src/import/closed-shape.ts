/**
 * Makes shapes of closed outlines: a polygon if convex, else a region, or a chain if it has no area. Joins several shapes of one object
 * in a file in one body, and repairs outlines that cross.
 */

import { type Body2d, MAX_POLYGON_VERTICES, type Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { type FilledRegion, filledRegions } from '../core2d/outline/filled-regions.ts'
import { type FillRule, TooManyCrossings } from '../core2d/outline/noded-edges.ts'
import { orientation } from '../core2d/outline/orientation.ts'

/** Whether a line ends where it starts. */
export function endsAtStart(points: readonly Vec2[]): boolean {
  const first = points[0]
  const last = points[points.length - 1]
  return first.x === last.x && first.y === last.y
}

export function closedShape(points: readonly Vec2[]): Shape2d {
  const ring = withoutRepeats(points)
  if (ring.length < 3 || isFlat(ring)) return { type: 'chain', vertices: [...ring, ring[0] ?? points[0]] }
  return isConvex(ring) ? { type: 'polygon', vertices: ring } : { type: 'region', outer: ring }
}

function withoutRepeats(points: readonly Vec2[]): Vec2[] {
  return points.filter(({ x, y }, k) => {
    const before = points[(k + points.length - 1) % points.length]
    return points.length === 1 || x !== before.x || y !== before.y
  })
}

function turnAt(ring: readonly Vec2[], k: number): number {
  const p = ring[k]
  const q = ring[(k + 1) % ring.length]
  const r = ring[(k + 2) % ring.length]
  return orientation(p.x, p.y, q.x, q.y, r.x, r.y)
}

function isFlat(ring: readonly Vec2[]): boolean {
  return ring.every((_, k) => turnAt(ring, k) === 0)
}

/** Whether all turns have one sign, and x and y reverse twice at most (a star's reverse more often). */
function isConvex(ring: readonly Vec2[]): boolean {
  if (ring.length > MAX_POLYGON_VERTICES) return false
  let side = 0
  for (let k = 0; k < ring.length; k++) {
    const sign = Math.sign(turnAt(ring, k))
    if (sign === 0) continue
    if (side !== 0 && sign !== side) return false
    side = sign
  }
  return reversals(ring, 'x') <= 2 && reversals(ring, 'y') <= 2
}

function reversals(ring: readonly Vec2[], axis: 'x' | 'y'): number {
  const steps = ring
    .map((point, k) => Math.sign(ring[(k + 1) % ring.length][axis] - point[axis]))
    .filter((step) => step !== 0)
  return steps.filter((step, k) => step !== steps[(k + 1) % steps.length]).length
}

/** Returns the ring, reversed if necessary, so that it runs counter-clockwise (1) or clockwise (−1) if y points up. */
export function turnedTo(way: 1 | -1, ring: readonly Vec2[]): readonly Vec2[] {
  return turnOf(ring) === -way ? [...ring].reverse() : ring
}

/** Bound on the rounding error of an area, for each corner, relative to the sum of the terms' magnitudes. */
const AREA_ERROR_RATIO = 4 * Number.EPSILON

/** 1 for a counter-clockwise ring, −1 for a clockwise one, 0 for one without an area. */
function turnOf(ring: readonly Vec2[]): number {
  const [{ x, y }] = ring
  let area = 0
  let sum = 0
  for (let k = 1; k + 1 < ring.length; k++) {
    const p = ring[k]
    const q = ring[k + 1]
    const right = (p.x - x) * (q.y - y)
    const left = (p.y - y) * (q.x - x)
    area += right - left
    sum += Math.abs(right) + Math.abs(left)
  }
  return Math.abs(area) > AREA_ERROR_RATIO * ring.length * sum ? Math.sign(area) : turnAtLowest(ring)
}

/** The turn at the leftmost corner, exactly: for rings whose areas are too small, or too large, for doubles. */
function turnAtLowest(ring: readonly Vec2[]): number {
  let low = 0
  for (let k = 1; k < ring.length; k++) {
    if (ring[k].x < ring[low].x || (ring[k].x === ring[low].x && ring[k].y < ring[low].y)) low = k
  }
  const q = ring[low]
  const beside = (step: number): Vec2 => {
    let at = low
    do at = (at + step + ring.length) % ring.length
    while (at !== low && ring[at].x === q.x && ring[at].y === q.y)
    return ring[at]
  }
  const [p, r] = [beside(-1), beside(1)]
  return Math.sign(orientation(p.x, p.y, q.x, q.y, r.x, r.y))
}

/** A compound of several bodies; a single one stays as it is. */
export function compoundOf(parts: Body2d[]): Body2d {
  return parts.length === 1 ? parts[0] : { shape: { type: 'compound', children: parts } }
}

// Repair: turns outlines that cross into the simple regions that a fill rule fills.

/** The regions that the rule fills, or a sentence if it fills none. `points`, `ringStarts`: as in `filledRegions`. */
export function filledBodies(points: Float64Array, ringStarts: readonly number[], rule: FillRule): Body2d[] | string {
  try {
    const bodies = filledRegions(points, ringStarts, rule).map(bodyOf)
    return bodies.length === 0 ? `the rule ${rule} fills nothing of it.` : bodies
  } catch (error) {
    if (error instanceof TooManyCrossings) return 'there are too many crossings to be repaired.'
    throw error
  }
}

export function countedOutlines(count: number): string {
  return count === 1 ? 'one outline' : `${count} outlines`
}

function bodyOf({ outer, holes }: FilledRegion): Body2d {
  const ring = pointsOf(outer)
  return { shape: holes.length === 0 ? closedShape(ring) : { type: 'region', outer: ring, holes: holes.map(pointsOf) } }
}

function pointsOf(ring: Float64Array): Vec2[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => ({ x: ring[2 * i], y: ring[2 * i + 1] }))
}

/** Replaces each region in a shape by the regions that the rule evenodd fills; a sentence if that fails. */
export function repairedShape(shape: Shape2d): Shape2d | string {
  const children: Body2d[] = []
  const fault = addRepaired({ shape }, children)
  if (fault !== null) return fault
  return compoundOf(children).shape
}

/** Adds the repaired body to a list; returns a sentence if that fails. */
function addRepaired(body: Body2d, list: Body2d[]): string | null {
  const { shape } = body
  if (shape.type === 'compound') {
    const children: Body2d[] = []
    for (const child of shape.children) {
      const fault = addRepaired(child, children)
      if (fault !== null) return fault
    }
    list.push({ ...body, shape: { ...shape, children } })
    return null
  }
  if (shape.type !== 'region') {
    list.push(body)
    return null
  }
  const rings = [shape.outer, ...(shape.holes ?? [])]
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const parts = filledBodies(Float64Array.from(rings.flat().flatMap(({ x, y }) => [x, y])), starts, 'evenodd')
  if (typeof parts === 'string') return parts
  for (const part of parts) list.push({ ...body, shape: part.shape })
  return null
}
