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

import { spend } from '../containers/budget.ts'
import { type ConvexRing, type Cut, cutRing, hullRing, sideOfCut } from './approximation-cut.ts'
import { joinPieces } from './approximation-merge.ts'
import { hullArea, type Scale, type Score, type ScoredPart, scoreCut, scoredPart } from './approximation-score.ts'
import type { Pieces } from './convex-decomposition.ts'
import { binaryExponent } from './exact-ring.ts'
import { turnAt } from './orientation.ts'
import type { Outline } from './outline.ts'
import { APPROXIMATION_WORK_COUNT, LEAST_CONCAVITY_RATIO, NEGLIGIBLE_SAVING_RATIO } from './tolerances.ts'

/** Notches of a part that lines are laid through, and those of them that are joined with each other. */
const PIVOT_COUNT = 24
const JOINED_PIVOT_COUNT = 8
/** Points times lines, for one part and between two pauses. */
const WORK_PER_PART = 2 ** 19
const WORK_PER_SLICE = 2 ** 17
const RINGS_PER_SLICE = 2048
const POINTS_PER_HULL = 4096
/** Directions in which the depth of a notch is measured. */
const DEPTH_DIRECTION_COUNT = 16

interface Part {
  rings: ConvexRing[]
  /** Reflex vertices of the outline in it. */
  notches: number[]
  hull: ConvexRing
  /** Area of the hull less that of the part, in square units. */
  error: number
  /** The best cut, or null when there is none, and how much of the error it saves. */
  cut: Cut | null
  saving: number
}

const score: Score = { left: 0, right: 0 }

/** Pieces of an exact decomposition up to which it is also tried to join them. */
const JOINED_PIECE_COUNT = 512

/**
 * At most `mostPieces` convex pieces that cover the outline and do not overlap; `pieces` are more, and make it up exactly.
 * Both ways are gone, and what has the lesser area is given. Pauses every few milliseconds.
 */
export function* convexApproximation(
  outline: Outline,
  pieces: Pieces,
  mostPieces: number,
): Generator<undefined, ConvexRing[], undefined> {
  const scale = scaleOf(outline)
  const hulls = yield* cellHulls(outline, pieces, mostPieces, scale)
  if (pieces.length > JOINED_PIECE_COUNT) return hulls
  const joined = yield* joinPieces(outline.vertices, pieces, mostPieces, scale)
  if (joined === null) return hulls
  const rings = joined.map((piece) => ringOf(outline, piece))
  const total = (some: ConvexRing[]): number => some.reduce((sum, ring) => sum + ringArea(ring, scale.unit), 0)
  return total(rings) <= total(hulls) ? rings : hulls
}

/** The hulls of what lies in the cells that at most `mostPieces` − 1 cuts make. */
function* cellHulls(
  outline: Outline,
  pieces: Pieces,
  mostPieces: number,
  scale: Scale,
): Generator<undefined, ConvexRing[], undefined> {
  const { vertices } = outline
  const whole = yield* createPart(
    pieces.map((piece) => ringOf(outline, piece)),
    notchesOf(outline),
    scale,
  )
  const parts = [whole]
  let budget = yield* findCut(outline, whole, scale, APPROXIMATION_WORK_COUNT)
  while (parts.length < mostPieces) {
    const at = nextPart(parts)
    if (at < 0) break
    const { rings, notches } = parts[at]
    const cut = parts[at].cut as Cut
    const lefts: ConvexRing[] = []
    const rights: ConvexRing[] = []
    for (const [k, ring] of rings.entries()) {
      if (k % RINGS_PER_SLICE === 0) yield
      cutRing(cut, ring, scale.unit, lefts, rights)
    }
    parts[at].cut = null
    if (lefts.length === 0 || rights.length === 0) continue
    const side = (i: number): number => sideOfCut(cut, vertices[2 * i], vertices[2 * i + 1])
    const onLeft = notches.filter((i) => side(i) >= 0)
    const onRight = notches.filter((i) => side(i) <= 0)
    const halves = [yield* createPart(lefts, onLeft, scale), yield* createPart(rights, onRight, scale)]
    for (const half of halves) budget = yield* findCut(outline, half, scale, budget)
    parts.splice(at, 1, ...halves)
  }
  return parts.map(({ hull }) => hull)
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
  return Float64Array.from(piece.flatMap((i) => [vertices[2 * i], vertices[2 * i + 1]]))
}

function notchesOf({ vertices, edgeCount, edgeBefore, edgeEnd }: Outline): number[] {
  const notches: number[] = []
  for (let i = 0; i < edgeCount; i++) if (turnAt(vertices, edgeBefore[i], i, edgeEnd[i]) < 0) notches.push(i)
  return notches
}

function* createPart(rings: ConvexRing[], notches: number[], scale: Scale): Generator<undefined, Part, undefined> {
  let area = 0
  for (const ring of rings) area += ringArea(ring, scale.unit)
  let corners = rings
  // Hulls of hulls, as long as that leaves fewer points.
  for (let size = pointCount(rings), before = Infinity; size > POINTS_PER_HULL && size < before; ) {
    before = size
    const hulls: ConvexRing[] = []
    for (let start = 0; start < corners.length; ) {
      const from = start
      let count = 0
      while (start < corners.length && count < POINTS_PER_HULL) count += corners[start++].length / 2
      hulls.push(hullOfRings(corners.slice(from, start)))
      yield
    }
    corners = hulls
    size = pointCount(corners)
  }
  const hull = hullOfRings(corners)
  return { rings, notches, hull, error: ringArea(hull, scale.unit) - area, cut: null, saving: 0 }
}

function pointCount(rings: readonly ConvexRing[]): number {
  return rings.reduce((count, ring) => count + ring.length / 2, 0)
}

function hullOfRings(rings: readonly ConvexRing[]): ConvexRing {
  const points = new Float64Array(2 * pointCount(rings))
  let at = 0
  for (const ring of rings) {
    points.set(ring, at)
    at += ring.length
  }
  return hullRing(points)
}

/** In square units. */
function ringArea(ring: ConvexRing, unit: number): number {
  let doubled = 0
  for (let i = 4; i < ring.length; i += 2) {
    const ax = (ring[i - 2] - ring[0]) / unit
    const ay = (ring[i - 1] - ring[1]) / unit
    const bx = (ring[i] - ring[0]) / unit
    const by = (ring[i + 1] - ring[1]) / unit
    doubled += ax * by - ay * bx
  }
  return doubled / 2
}

/** The part whose cut saves most; where none saves much, that with the greatest error; −1 when none can be cut. */
function nextPart(parts: readonly Part[]): number {
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
function* findCut(outline: Outline, part: Part, scale: Scale, budget: number): Generator<undefined, number, undefined> {
  yield
  const scored = scoredPart(part.rings, scale)
  yield
  const area = hullArea(scored)
  if (part.error <= LEAST_CONCAVITY_RATIO * area || budget <= 0) return budget
  yield
  const lines = linesThrough(outline, part, scored)
  let bestSum = Infinity
  let bestLarger = Infinity
  let work = 0
  for (const line of lines) {
    scoreCut(scored, line, score)
    work += scored.count
    if (work % WORK_PER_SLICE < scored.count) yield
    const { left, right } = score
    if (left === 0 || right === 0) continue
    const sum = left + right
    const larger = Math.max(left, right)
    // Among lines that save the same, the one that halves.
    const slack = LEAST_CONCAVITY_RATIO * area
    if (sum > bestSum + slack || (sum > bestSum - slack && larger >= bestLarger)) continue
    bestSum = sum
    bestLarger = larger
    part.cut = line
  }
  part.saving = area - bestSum
  return budget - work
}

/** Lines that may cut a part well, as many as its size allows. */
function linesThrough({ vertices, edgeBefore, edgeEnd }: Outline, { notches, hull }: Part, scored: ScoredPart): Cut[] {
  const most = WORK_PER_PART / scored.count / (4 + JOINED_PIVOT_COUNT / 2)
  const pivots = pivotsOf(vertices, notches, hull, scored.scale, Math.max(2, Math.min(PIVOT_COUNT, most)))
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
function pivotsOf(vertices: Float64Array, notches: number[], hull: ConvexRing, scale: Scale, most: number): number[] {
  const depths = Float64Array.from(notches, () => Infinity)
  spend((notches.length + hull.length) * DEPTH_DIRECTION_COUNT)
  for (let k = 0; k < DEPTH_DIRECTION_COUNT; k++) {
    const angle = (2 * Math.PI * k) / DEPTH_DIRECTION_COUNT
    const dx = Math.cos(angle) / scale.unit
    const dy = Math.sin(angle) / scale.unit
    let support = -Infinity
    for (let i = 0; i < hull.length; i += 2) {
      support = Math.max(support, (hull[i] - scale.originX) * dx + (hull[i + 1] - scale.originY) * dy)
    }
    for (let n = 0; n < notches.length; n++) {
      const i = 2 * notches[n]
      const height = (vertices[i] - scale.originX) * dx + (vertices[i + 1] - scale.originY) * dy
      depths[n] = Math.min(depths[n], support - height)
    }
  }
  const pivots: number[] = []
  while (pivots.length < Math.min(most, notches.length)) {
    let deepest = 0
    spend(2 * notches.length)
    for (let n = 1; n < notches.length; n++) if (depths[n] > depths[deepest]) deepest = n
    const pivot = notches[deepest]
    pivots.push(pivot)
    for (let n = 0; n < notches.length; n++) {
      const dx = (vertices[2 * notches[n]] - vertices[2 * pivot]) / scale.unit
      const dy = (vertices[2 * notches[n] + 1] - vertices[2 * pivot + 1]) / scale.unit
      depths[n] = Math.min(depths[n], Math.sqrt(dx * dx + dy * dy))
    }
    depths[deepest] = -1
  }
  return pivots
}
