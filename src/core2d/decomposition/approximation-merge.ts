/**
 * At most so many convex pieces that cover an outline, by joining the pieces of its exact decomposition: two neighbours become
 * their hull, together with every other piece that this hull reaches into, until few enough are left.
 *
 * Method: greedy, by the area that is gained for each piece that goes. Hulls have the outline's own vertices for corners, and
 * whether two overlap is decided exactly, so nothing here is rounded but the areas that choose.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { exactEvaluations } from '../../numeric/exact-ring.ts'
import { EXACT_STEP_COUNT } from '../../numeric/roundoff.ts'
import { convexHull } from '../points/convex-hull.ts'
import { turnAt } from '../points/orientation.ts'
import { JOINING_WORK_COUNT } from '../tolerances.ts'
import type { Scale } from './approximation-rings.ts'
import type { Pieces } from './convex-decomposition.ts'

/** Neighbours that a piece is tried with, and the most pieces that become one at a time. */
const NEIGHBOUR_COUNT = 12
const MEMBER_COUNT = 16

interface Part {
  ring: number[]
  minX: number
  minY: number
  maxX: number
  maxY: number
  /** In square units. */
  area: number
  neighbours: Part[]
  /** The part that it has become a part of, if it has. */
  into: Part | null
  best: Joining | null
}

interface Joining {
  members: Part[]
  hull: Part
  /** Area gained for each piece that goes. */
  price: number
}

interface Pool {
  vertices: Float64Array
  scale: Scale
  parts: Part[]
  /** Turns that may still be looked at. */
  budget: number
}

/** Rings of vertices, at most `mostPieces`, or null where that cannot be reached, or not soon enough. */
export function joinPieces(vertices: Float64Array, pieces: Pieces, mostPieces: number, scale: Scale): Pieces | null {
  const pool: Pool = { vertices, scale, parts: [], budget: JOINING_WORK_COUNT }
  for (const ring of pieces) pool.parts.push(createPart(pool, ring))
  for (const part of pool.parts) part.neighbours = nearest(part, pool.parts)
  for (const part of pool.parts) {
    part.best = bestJoining(pool, part)
    if (pool.budget < 0) return null
  }
  while (pool.parts.length > mostPieces) {
    const part = cheapest(pool.parts)
    if (part === null || pool.budget < 0) return null
    const { members } = part.best as Joining
    const joining = members.some(({ into }) => into !== null) ? null : joined(pool, members)
    if (joining !== null && joining.members.length === members.length) join(pool, joining)
    else part.best = bestJoining(pool, part)
  }
  return pool.parts.map(({ ring }) => ring)
}

function createPart({ vertices, scale }: Pool, ring: number[]): Part {
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (const i of ring) {
    minX = Math.min(minX, vertices[2 * i])
    minY = Math.min(minY, vertices[2 * i + 1])
    maxX = Math.max(maxX, vertices[2 * i])
    maxY = Math.max(maxY, vertices[2 * i + 1])
  }
  const area = ringArea(vertices, ring, scale.unit)
  return { ring, minX, minY, maxX, maxY, area, neighbours: [], into: null, best: null }
}

/** In square units. */
function ringArea(vertices: Float64Array, ring: readonly number[], unit: number): number {
  const origin = ring[0]
  const x = (i: number): number => (vertices[2 * i] - vertices[2 * origin]) / unit
  const y = (i: number): number => (vertices[2 * i + 1] - vertices[2 * origin + 1]) / unit
  let doubled = 0
  for (let k = 2; k < ring.length; k++) doubled += x(ring[k - 1]) * y(ring[k]) - y(ring[k - 1]) * x(ring[k])
  return doubled / 2
}

/** The parts that lie nearest, by the gap between the boxes and then by their middles. */
function nearest(part: Part, parts: readonly Part[]): Part[] {
  const found: { other: Part; gap: number; way: number }[] = []
  spend(parts.length)
  for (const other of parts) {
    if (other === part) continue
    const gapX = Math.max(0, other.minX - part.maxX, part.minX - other.maxX)
    const gapY = Math.max(0, other.minY - part.maxY, part.minY - other.maxY)
    const gap = Math.max(gapX, gapY)
    const last = found.length < NEIGHBOUR_COUNT ? null : found[NEIGHBOUR_COUNT - 1]
    if (last !== null && gap > last.gap) continue
    const wayX = Math.abs(other.minX / 2 + other.maxX / 2 - (part.minX / 2 + part.maxX / 2))
    const wayY = Math.abs(other.minY / 2 + other.maxY / 2 - (part.minY / 2 + part.maxY / 2))
    const way = Math.max(wayX, wayY)
    let at = found.length
    while (at > 0 && (gap < found[at - 1].gap || (gap === found[at - 1].gap && way < found[at - 1].way))) at--
    found.splice(at, 0, { other, gap, way })
    if (found.length > NEIGHBOUR_COUNT) found.pop()
  }
  return found.map(({ other }) => other)
}

function cheapest(parts: readonly Part[]): Part | null {
  let best: Part | null = null
  let least = Infinity
  for (const part of parts) {
    if (part.best === null || part.best.price >= least) continue
    best = part
    least = part.best.price
  }
  return best
}

/** The cheapest way to join a part with a neighbour; null when it has none left, or too much would go with it. */
function bestJoining(pool: Pool, part: Part): Joining | null {
  let best: Joining | null = null
  for (const neighbour of neighboursNow(part)) {
    const joining = joined(pool, [part, neighbour])
    if (joining !== null && (best === null || joining.price < best.price)) best = joining
  }
  return best
}

/** The neighbours of a part, those that have become part of another as that one. */
function neighboursNow(part: Part): Part[] {
  const found = new Set<Part>()
  for (const neighbour of part.neighbours) {
    let now = neighbour
    while (now.into !== null) now = now.into
    if (now !== part) found.add(now)
  }
  part.neighbours = [...found]
  return part.neighbours
}

/** Joins parts and every other one that their hull reaches into; null when these are too many. */
function joined(pool: Pool, some: readonly Part[]): Joining | null {
  const members = [...some]
  for (;;) {
    const hull = createPart(pool, hullRing(pool.vertices, members))
    const count = members.length
    spend(pool.parts.length)
    for (const part of pool.parts) {
      if (!boxesOverlap(hull, part) || members.includes(part)) continue
      const exact = exactEvaluations()
      if (ringsOverlap(pool.vertices, hull.ring, part.ring)) members.push(part)
      spend(hull.ring.length * part.ring.length)
      pool.budget -= hull.ring.length * part.ring.length + EXACT_STEP_COUNT * (exactEvaluations() - exact)
    }
    pool.budget -= pool.parts.length + hull.ring.length
    if (members.length > MEMBER_COUNT) return null
    if (members.length > count) continue
    const gained = members.reduce((area, member) => area - member.area, hull.area)
    return { members, hull, price: gained / (count - 1) }
  }
}

function join(pool: Pool, { members, hull }: Joining): void {
  for (const member of members) {
    member.into = hull
    hull.neighbours.push(...member.neighbours)
    member.neighbours = []
    member.best = null
  }
  pool.parts = pool.parts.filter(({ into }) => into === null)
  pool.parts.push(hull)
  hull.best = bestJoining(pool, hull)
}

function hullRing(vertices: Float64Array, members: readonly Part[]): number[] {
  const all = members.flatMap(({ ring }) => ring)
  const points = new Float64Array(2 * all.length)
  for (let k = 0; k < all.length; k++) {
    points[2 * k] = vertices[2 * all[k]]
    points[2 * k + 1] = vertices[2 * all[k] + 1]
  }
  const corners = new Int32Array(all.length)
  const size = convexHull(points, all.length, corners)
  return Array.from(corners.subarray(0, size), (k) => all[k])
}

function boxesOverlap(one: Part, other: Part): boolean {
  return one.minX < other.maxX && other.minX < one.maxX && one.minY < other.maxY && other.minY < one.maxY
}

/** Whether the insides of two convex rings have a point in common: no edge of either has the other on its outer side. */
function ringsOverlap(vertices: Float64Array, one: readonly number[], other: readonly number[]): boolean {
  return !hasSeparatingEdge(vertices, one, other) && !hasSeparatingEdge(vertices, other, one)
}

function hasSeparatingEdge(vertices: Float64Array, ring: readonly number[], other: readonly number[]): boolean {
  return ring.some((a, k) => {
    const b = ring[k + 1 === ring.length ? 0 : k + 1]
    return other.every((i) => turnAt(vertices, a, b, i) <= 0)
  })
}
