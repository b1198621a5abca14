/**
 * A shape that is no compound as a geometry of GeoJSON: points, lines, and areas with holes, whose curves are chords.
 *
 * Method: arcs are cut in equal parts whose chords lie no farther from them than the tolerance, r (1 − cos(t / 2)); the corners of
 * outlines are on the curve. Outlines run counter-clockwise and holes clockwise (RFC 7946, 3.1.6), as the sign of their area tells.
 */

import type { Vec2 } from '../../schemas/vector.ts'
import { turnedTo } from '../import/drawing/closed-shape.ts'
import { corePoints, hullOf } from '../pictures/marks/shape-parts.ts'
import { flatEnds } from './flat-points.ts'
import type { Leaf } from './leaves.ts'
import { simpleRings } from './simple-rings.ts'

export interface FlatGeometry {
  type: 'Point' | 'LineString' | 'Polygon'
  /** Of a point one of one, of a line one. */
  rings: readonly (readonly Vec2[])[]
}

/** How curves are cut. */
interface Cut {
  tolerance: number
  /** Of a full turn. */
  mostChords: number
}

const TURN = 2 * Math.PI
/** Chords of a full turn, however small it is. */
const FEWEST_CHORDS = 8

/** Null of what has no end. */
export function flatGeometry({ shape, pose }: Leaf, cut: Cut): FlatGeometry | null {
  const place = new Place(pose.x, pose.y, pose.angle)
  switch (shape.type) {
    case 'halfplane':
      return null
    case 'ellipse':
      return { type: 'Polygon', rings: [closed(ellipse(shape.rx, shape.ry, place, cut))] }
    case 'chain': {
      const { vertices, loop } = shape
      return line(place.all(loop === true && vertices.length > 2 ? closed(vertices) : vertices))
    }
    case 'region': {
      const [outer, ...holes] = place.rings([shape.outer, ...(shape.holes ?? [])])
      return area(
        outer,
        holes.map((hole) => turning(hole, -1)),
      )
    }
    default: {
      const { points, radius } = corePoints(shape)
      return radius === 0 ? area(place.all(points), []) : area(rounded(points, radius, place, cut), [])
    }
  }
}

/** Where the shape stands. */
class Place {
  readonly angle: number
  readonly #x: number
  readonly #y: number
  readonly #cos: number
  readonly #sin: number

  constructor(x: number, y: number, angle: number) {
    this.angle = angle
    this.#x = x
    this.#y = y
    this.#cos = angle === 0 ? 1 : Math.cos(angle)
    this.#sin = angle === 0 ? 0 : Math.sin(angle)
  }

  of({ x, y }: Vec2): Vec2 {
    if (this.angle === 0) return { x: this.#x + x, y: this.#y + y }
    return { x: this.#x + (this.#cos * x - this.#sin * y), y: this.#y + (this.#sin * x + this.#cos * y) }
  }

  all(points: readonly Vec2[]): Vec2[] {
    return points.map((point) => this.of(point))
  }

  /** Of a region: rounding does not make them cross. */
  rings(rings: readonly (readonly Vec2[])[]): Vec2[][] {
    const placed = rings.map((ring) => this.all(ring))
    const isAsItWas = this.angle === 0 && this.#x === 0 && this.#y === 0
    return isAsItWas ? placed : simpleRings(placed)
  }
}

/** The hull of the points and what lies within `radius` of it, counter-clockwise. */
function rounded(points: readonly Vec2[], radius: number, place: Place, cut: Cut): Vec2[] {
  const hull = points.length === 1 ? points : hullOf(points)
  const count = hull.length
  const ring: Vec2[] = []
  // The direction of edge i, turned clockwise, is where the skin lies beside it.
  const angles = hull.map((p, i) => {
    const q = hull[(i + 1) % count]
    return Math.atan2(p.x - q.x, q.y - p.y) + place.angle
  })
  for (let i = 0; i < count; i++) {
    const { x, y } = place.of(hull[i])
    const start = angles[(i + count - 1) % count]
    const turn = count === 1 ? TURN : (angles[i] - start + 2 * TURN) % TURN
    // Rounded angles may turn back by next to nothing, which reads as a full turn.
    const parts = count > 1 && turn > (3 / 4) * TURN ? 0 : chordsOf(radius, turn, cut)
    for (let k = 0; k <= parts; k++) {
      if (count === 1 && k === parts) break
      const t = start + (parts === 0 ? 0 : (turn * k) / parts)
      ring.push({ x: x + radius * Math.cos(t), y: y + radius * Math.sin(t) })
    }
  }
  return ring
}

function ellipse(rx: number, ry: number, place: Place, cut: Cut): Vec2[] {
  const parts = chordsOf(Math.max(rx, ry), TURN, cut)
  return Array.from({ length: parts }, (_, k) => {
    const t = (TURN * k) / parts
    return place.of({ x: rx * Math.cos(t), y: ry * Math.sin(t) })
  })
}

function chordsOf(radius: number, turn: number, { tolerance, mostChords }: Cut): number {
  const part = 2 * Math.acos(Math.max(-1, 1 - tolerance / radius))
  const share = turn / TURN
  return Math.ceil(Math.min(share * mostChords, Math.max(share * FEWEST_CHORDS, turn / part)))
}

function line(points: Vec2[]): FlatGeometry {
  const [{ x, y }] = points
  return points.every((point) => point.x === x && point.y === y)
    ? { type: 'Point', rings: [points] }
    : { type: 'LineString', rings: [points] }
}

/** What is flat is the line that it is. */
function area(outer: Vec2[], holes: Vec2[][]): FlatGeometry {
  const ends = flatEnds(outer)
  if (ends !== null) return line(ends)
  return { type: 'Polygon', rings: [turning(outer, 1), ...holes] }
}

function closed(points: readonly Vec2[]): Vec2[] {
  return [...points, points[0]]
}

/** Closed, and counter-clockwise or clockwise. */
function turning(ring: readonly Vec2[], way: 1 | -1): Vec2[] {
  return closed(turnedTo(way, ring))
}
