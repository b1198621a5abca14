/**
 * Approximate convex decomposition: at most so many convex pieces that cover an outline, the hulls of its parts in the cells that
 * lines cut it into.
 *
 * Method: in the spirit of K. Mamou and F. Ghorbel, "A simple and efficient approach for 3D mesh approximate convex
 * decomposition", ICIP 2009, and of its successor V-HACD, with lines for planes. Again and again, the cut that saves most area
 * is made: through a notch along one of its edges, to another notch, upright or level. What is cut are the pieces of the exact
 * decomposition, so no cut has to care about holes. Each hull lies in the cell of its part; `approximation-cut.ts` says what that means
 * after rounding. Where the exact pieces are few, they are joined as well, and the better
 * answer is taken.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent, exactEvaluations } from '../../numeric/exact-ring.ts'
import { EXACT_STEP_COUNT } from '../../numeric/roundoff.ts'
import {
  APPROXIMATION_WORK_COUNT,
  JOINING_WORK_COUNT,
  LEAST_CONCAVITY_RATIO,
  NEGLIGIBLE_SAVING_RATIO,
} from '../tolerances.ts'
import {
  addRing,
  buildPointTree,
  type ConvexRing,
  type Cut,
  createPointStore,
  createRingPool,
  type RingPool,
  ringArea,
  type Scale,
  sortedPoints,
} from './approximation-cut.ts'
import {
  beginPart,
  type CutPart,
  createPart,
  createScorer,
  cutPart,
  hullArea,
  type Score,
  type Scorer,
  scoreCut,
} from './approximation-score.ts'
import { buildRingTree } from './approximation-tree.ts'
import type { Pieces } from './convex-decomposition.ts'
import { convexHull } from './convex-hull.ts'
import { turnAt } from './orientation.ts'
import type { Outline } from './outline.ts'

/** Notches of a part that lines are laid through, and those of them that are joined with each other. */
const PIVOT_COUNT = 24
const JOINED_PIVOT_COUNT = 8
/** Points times lines, for one part. */
const WORK_PER_PART = 2 ** 19
/** Directions in which the depth of a notch is measured. */
const DEPTH_DIRECTION_COUNT = 16

const score: Score = { left: 0, right: 0 }

/** Pieces of an exact decomposition up to which it is also tried to join them. */
const JOINED_PIECE_COUNT = 512

/**
 * At most `mostPieces` convex pieces that cover the outline and do not overlap; `pieces` are more, and make it up exactly.
 * Both ways are gone, and what has the lesser area is given.
 */
export function convexApproximation(outline: Outline, pieces: Pieces, mostPieces: number): ConvexRing[] {
  const scale = scaleOf(outline)
  const hulls = cellHulls(outline, pieces, mostPieces, scale)
  if (pieces.length > JOINED_PIECE_COUNT) return hulls
  const joined = joinPieces(outline.vertices, pieces, mostPieces, scale)
  if (joined === null) return hulls
  const rings = joined.map((piece) => ringOf(outline, piece))
  const total = (some: ConvexRing[]): number => some.reduce((sum, ring) => sum + ringArea(ring, scale.unit), 0)
  return total(rings) <= total(hulls) ? rings : hulls
}

/** The hulls of what lies in the cells that at most `mostPieces` − 1 cuts make. */
function cellHulls(outline: Outline, pieces: Pieces, mostPieces: number, scale: Scale): ConvexRing[] {
  const pool = poolOf(outline, pieces, scale)
  const rings = Int32Array.from(pieces, (_, ring) => ring)
  const root = buildRingTree(pool, pieces.length)
  const { vertices } = outline
  const store = createPointStore(scale, vertices, outline.vertexCount)
  const order = sortedPoints(
    store,
    Int32Array.from({ length: store.count }, (_, i) => i),
  )
  const points = { root: buildPointTree(store, order), order }
  const whole = createPart(pool, store, root, rings, points, notchesOf(outline))
  const scorer = createScorer(pool, store)
  const parts = [whole]
  let budget = findCut(outline, whole, scorer, APPROXIMATION_WORK_COUNT)
  while (parts.length < mostPieces) {
    spend(parts.length)
    const at = nextPart(parts)
    if (at < 0) break
    const halves = cutPart(pool, store, vertices, parts[at], parts[at].cut as Cut)
    parts[at].cut = null
    if (halves === null) continue
    for (const half of halves) budget = findCut(outline, half, scorer, budget)
    parts.splice(at, 1, ...halves)
  }
  return parts.map(({ hull }) => hull)
}

function poolOf(outline: Outline, pieces: Pieces, scale: Scale): RingPool {
  let pointCount = 0
  for (const piece of pieces) pointCount += piece.length
  const pool = createRingPool(scale, pointCount, pieces.length)
  spend(2 * pointCount)
  for (const piece of pieces) addRing(pool, ringOf(outline, piece))
  return pool
}

/** A power of two near the size of the outline, and a corner of the box around it. */
function scaleOf({ vertices, vertexCount }: Outline): Scale {
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let i = 0; i < vertexCount; i++) {
    minX = Math.min(minX, vertices[2 * i])
    maxX = Math.max(maxX, vertices[2 * i])
    minY = Math.min(minY, vertices[2 * i + 1])
    maxY = Math.max(maxY, vertices[2 * i + 1])
  }
  return { originX: minX, originY: minY, unit: 2 ** binaryExponent(Math.max(maxX - minX, maxY - minY)) }
}

function ringOf({ vertices }: Outline, piece: readonly number[]): ConvexRing {
  const ring = new Float64Array(2 * piece.length)
  for (let k = 0; k < piece.length; k++) {
    ring[2 * k] = vertices[2 * piece[k]]
    ring[2 * k + 1] = vertices[2 * piece[k] + 1]
  }
  return ring
}

function notchesOf({ vertices, edgeCount, edgeBefore, edgeEnd }: Outline): Int32Array {
  const notches: number[] = []
  spend(edgeCount)
  for (let i = 0; i < edgeCount; i++) if (turnAt(vertices, edgeBefore[i], i, edgeEnd[i]) < 0) notches.push(i)
  return Int32Array.from(notches)
}

/** The part whose cut saves most; where none saves much, that with the greatest error; −1 when none can be cut. */
function nextPart(parts: readonly CutPart[]): number {
  let best = -1
  let worst = -1
  for (let k = 0; k < parts.length; k++) {
    if (parts[k].cut === null) continue
    if (best < 0 || parts[k].saving > parts[best].saving) best = k
    if (worst < 0 || parts[k].error > parts[worst].error) worst = k
  }
  return best >= 0 && parts[best].saving < NEGLIGIBLE_SAVING_RATIO * parts[worst].error ? worst : best
}

/** Sets the best cut of a part that is not convex, as long as there is a budget; returns what is left of it. */
function findCut(outline: Outline, part: CutPart, scorer: Scorer, budget: number): number {
  beginPart(scorer, part)
  const area = hullArea(scorer)
  if (part.error <= LEAST_CONCAVITY_RATIO * area || budget <= 0) return budget
  const lines = linesThrough(outline, part, scorer)
  let bestSum = Infinity
  let bestLarger = Infinity
  const slack = LEAST_CONCAVITY_RATIO * area
  const start = scorer.work
  for (const line of lines) {
    scoreCut(scorer, line, bestSum + slack, score)
    const { left, right } = score
    if (left === 0 || right === 0) continue
    const sum = left + right
    const larger = Math.max(left, right)
    // Among lines that save the same, the one that halves.
    if (sum > bestSum + slack || (sum > bestSum - slack && larger >= bestLarger)) continue
    bestSum = sum
    bestLarger = larger
    part.cut = line
  }
  part.saving = area - bestSum
  return budget - (scorer.work - start)
}

/** Lines that may cut a part well, as many as its size allows. */
function linesThrough({ vertices, edgeBefore, edgeEnd }: Outline, { notches, hull }: CutPart, scorer: Scorer): Cut[] {
  const most = WORK_PER_PART / scorer.count / (4 + JOINED_PIVOT_COUNT / 2)
  const pivots = pivotsOf(vertices, notches, hull, scorer.pool.scale, Math.max(2, Math.min(PIVOT_COUNT, most)))
  const lines: Cut[] = []
  const add = (axis: -1 | 0 | 1, i: number, j: number): void => {
    const [px, py, qx, qy] = [vertices[2 * i], vertices[2 * i + 1], vertices[2 * j], vertices[2 * j + 1]]
    lines.push({ axis, px, py, qx, qy })
  }
  for (const [k, pivot] of pivots.entries()) {
    add(0, pivot, pivot)
    add(1, pivot, pivot)
    add(-1, edgeBefore[pivot], pivot)
    add(-1, pivot, edgeEnd[pivot])
    for (let l = 0; l < Math.min(k, JOINED_PIVOT_COUNT); l++) add(-1, pivots[l], pivot)
  }
  return lines
}

/** Notches that lie deep in the hull and far from each other: each next one as far as can be from all before and from the hull. */
function pivotsOf(vertices: Float64Array, notches: Int32Array, hull: ConvexRing, scale: Scale, most: number): number[] {
  const depths = depthsOf(vertices, notches, hull, scale)
  const pivots: number[] = []
  while (pivots.length < Math.min(most, notches.length)) {
    let deepest = 0
    spend(notches.length)
    for (let n = 1; n < notches.length; n++) if (depths[n] > depths[deepest]) deepest = n
    const pivot = notches[deepest]
    pivots.push(pivot)
    const x = vertices[2 * pivot]
    const y = vertices[2 * pivot + 1]
    for (let n = 0; n < notches.length; n++) {
      const dx = (vertices[2 * notches[n]] - x) / scale.unit
      const dy = (vertices[2 * notches[n] + 1] - y) / scale.unit
      const distance = Math.sqrt(dx * dx + dy * dy)
      if (distance < depths[n]) depths[n] = distance
    }
    depths[deepest] = -1
  }
  return pivots
}

/** How far each notch lies below the hull along that one of a few directions in which it lies least deep. */
function depthsOf(vertices: Float64Array, notches: Int32Array, hull: ConvexRing, scale: Scale): Float64Array {
  const { originX, originY, unit } = scale
  spend(((notches.length + hull.length) * DEPTH_DIRECTION_COUNT) >> 2)
  const along = new Float64Array(2 * DEPTH_DIRECTION_COUNT)
  const supports = new Float64Array(DEPTH_DIRECTION_COUNT).fill(-Infinity)
  for (let k = 0; k < DEPTH_DIRECTION_COUNT; k++) {
    const angle = (2 * Math.PI * k) / DEPTH_DIRECTION_COUNT
    const dx = Math.cos(angle) / unit
    const dy = Math.sin(angle) / unit
    along[2 * k] = dx
    along[2 * k + 1] = dy
    for (let i = 0; i < hull.length; i += 2) {
      supports[k] = Math.max(supports[k], (hull[i] - originX) * dx + (hull[i + 1] - originY) * dy)
    }
  }
  const depths = new Float64Array(notches.length)
  for (let n = 0; n < notches.length; n++) {
    const x = vertices[2 * notches[n]] - originX
    const y = vertices[2 * notches[n] + 1] - originY
    let least = Infinity
    for (let k = 0; k < DEPTH_DIRECTION_COUNT; k++) {
      const depth = supports[k] - (x * along[2 * k] + y * along[2 * k + 1])
      if (depth < least) least = depth
    }
    depths[n] = least
  }
  return depths
}

// At most so many convex pieces that cover an outline, by joining the pieces of its exact decomposition: two neighbours become
// their hull, together with every other piece that this hull reaches into, until few enough are left.
//
// Method: greedy, by the area that is gained for each piece that goes. Hulls have the outline's own vertices for corners, and
// whether two overlap is decided exactly, so nothing here is rounded but the areas that choose.
// Frame: the outline's own.

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
function joinPieces(vertices: Float64Array, pieces: Pieces, mostPieces: number, scale: Scale): Pieces | null {
  const pool: Pool = { vertices, scale, parts: [], budget: JOINING_WORK_COUNT }
  for (const ring of pieces) pool.parts.push(createFlatPart(pool, ring))
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

function createFlatPart({ vertices, scale }: Pool, ring: number[]): Part {
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
  const area = flatRingArea(vertices, ring, scale.unit)
  return { ring, minX, minY, maxX, maxY, area, neighbours: [], into: null, best: null }
}

/** In square units. */
function flatRingArea(vertices: Float64Array, ring: readonly number[], unit: number): number {
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
    const hull = createFlatPart(pool, hullRing(pool.vertices, members))
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
