/**
 * At most so many convex pieces that cover an outline: the hulls of what lies in the cells that lines cut it into.
 *
 * Method: in the spirit of K. Mamou and F. Ghorbel, "A simple and efficient approach for 3D mesh approximate convex
 * decomposition", ICIP 2009, and of its successor V-HACD, with lines for planes. Again and again, the cut that saves most area
 * is made: through a notch along one of its edges, to another notch, upright or level. What is cut are the pieces of the exact
 * decomposition, so no cut has to care about holes. Each hull lies in the cell of its part; what that means after rounding is
 * said in `approximation-cut.ts`. Where the exact pieces are few, they are joined as well (`approximation-merge.ts`), and the
 * better answer is taken.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import type { Outline } from '../outline/outline.ts'
import { turnAt } from '../points/orientation.ts'
import { APPROXIMATION_WORK_COUNT, LEAST_CONCAVITY_RATIO, NEGLIGIBLE_SAVING_RATIO } from '../tolerances.ts'
import type { ConvexRing, Cut } from './approximation-cut.ts'
import { joinPieces } from './approximation-merge.ts'
import { type CutPart, createPart, cutPart } from './approximation-part.ts'
import { buildPointTree, createPointStore, sortedPoints } from './approximation-points.ts'
import { addRing, createRingPool, type RingPool, ringArea, type Scale } from './approximation-rings.ts'
import { beginPart, createScorer, hullArea, type Score, type Scorer, scoreCut } from './approximation-score.ts'
import { buildRingTree } from './approximation-tree.ts'
import type { Pieces } from './convex-decomposition.ts'

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
