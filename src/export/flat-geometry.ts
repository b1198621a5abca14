/**
 * A shape that is no compound as a geometry of GeoJSON: points, lines, and areas with holes, whose curves are chords.
 *
 * Method: arcs are cut in equal parts whose chords lie no farther from them than the tolerance, r (1 − cos(t / 2)); the corners of
 * outlines are on the curve. Outlines run counter-clockwise and holes clockwise (RFC 7946, 3.1.6), as the sign of their area tells.
 */

import type { Vec2 } from '../../schemas/vec2.ts'
import { orientation } from '../core2d/points/orientation.ts'
import { arcPoint, type DrawnArc, type DrawnRing } from '../pictures/marks/outline.ts'
import { drawnParts } from '../pictures/marks/shape-parts.ts'
import { flatEnds } from './flat-points.ts'
import type { Leaf } from './leaves.ts'

export interface FlatGeometry {
  type: 'Point' | 'LineString' | 'Polygon'
  /** Of a point one of one, of a line one. */
  rings: readonly (readonly Vec2[])[]
}

const TURN = 2 * Math.PI
/** Chords of a full turn, however small it is. */
const FEWEST_CHORDS = 8

/** Null of what has no end. `mostChords`: of a full turn. */
export function flatGeometry({ shape, pose }: Leaf, tolerance: number, mostChords: number): FlatGeometry | null {
  const [part] = drawnParts(shape, pose)
  if (part.kind === 'halfplane') return null
  if (part.kind === 'point') return { type: 'Point', rings: [[part]] }
  const rings = part.rings.map((ring) => cornersOf(ring, tolerance, mostChords))
  const [outer, ...holes] = rings
  if (!part.filled) return { type: 'LineString', rings: [part.rings[0].closed ? closed(outer) : outer] }
  const ends = flatEnds(outer)
  if (ends !== null) return { type: ends.length === 1 ? 'Point' : 'LineString', rings: [ends] }
  return { type: 'Polygon', rings: [turning(outer, 1), ...holes.map((hole) => turning(hole, -1))] }
}

function cornersOf({ x, y, steps }: DrawnRing, tolerance: number, mostChords: number): Vec2[] {
  const corners: Vec2[] = [{ x, y }]
  let hasArcs = false
  for (const { x, y, arc } of steps) {
    if (arc !== null) {
      hasArcs = true
      const parts = chordsOf(arc, tolerance, mostChords)
      for (let k = 1; k < parts; k++) corners.push(arcPoint(arc, (arc.turn * k) / parts))
    }
    corners.push({ x, y })
  }
  // what has arcs comes back to its start, but for rounding
  if (hasArcs) corners.pop()
  return corners
}

function chordsOf({ rx, ry, turn }: DrawnArc, tolerance: number, most: number): number {
  const part = 2 * Math.acos(Math.max(-1, 1 - tolerance / Math.max(rx, ry)))
  const share = Math.abs(turn) / TURN
  return Math.ceil(Math.min(share * most, Math.max(share * FEWEST_CHORDS, Math.abs(turn) / part)))
}

function closed(points: readonly Vec2[]): Vec2[] {
  return [...points, points[0]]
}

/** Closed, and counter-clockwise or clockwise. */
function turning(ring: readonly Vec2[], way: 1 | -1): Vec2[] {
  return closed(turnOf(ring) === -way ? [...ring].reverse() : ring)
}

/** 1 of a ring that runs counter-clockwise, −1 of one that does not; 0 of one without an area. */
function turnOf(ring: readonly Vec2[]): number {
  const [{ x, y }] = ring
  let area = 0
  for (let k = 1; k + 1 < ring.length; k++) {
    const p = ring[k]
    const q = ring[k + 1]
    area += (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x)
  }
  return area === 0 ? turnAtLowest(ring) : Math.sign(area)
}

/** Where areas are too small for doubles. */
function turnAtLowest(ring: readonly Vec2[]): number {
  let low = 0
  for (let k = 1; k < ring.length; k++) {
    if (ring[k].x < ring[low].x || (ring[k].x === ring[low].x && ring[k].y < ring[low].y)) low = k
  }
  const p = ring[(low + ring.length - 1) % ring.length]
  const q = ring[low]
  const r = ring[(low + 1) % ring.length]
  return Math.sign(orientation(p.x, p.y, q.x, q.y, r.x, r.y))
}
