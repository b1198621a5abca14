/**
 * Regions: outlines with an inside, set from rings that have been found to bound one.
 *
 * Frame: as `outline.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { featureIndex } from '../feature.ts'
import { compareVertices } from './edge-intersection.ts'
import {
  addPath,
  beginOutline,
  closePath,
  createOutline,
  createOutlineArrays,
  type Outline,
  type Round,
  type SplitRings,
  setBands,
  setRings,
} from './outline.ts'
import { checkRings, type OutlineFault } from './ring-check.ts'
import { createTouching, releaseSweep, type TouchingPoint } from './sweep-line.ts'

/** The rings of the region that is being set, before turning. */
const unturned = createOutline()
let ringOf = new Int32Array(8)
let touching = createTouching()

/**
 * Fills `outline` with a region turned by (cos, sin). `points`: x0, y0, … of all rings, ring r (0: outer, 1…: holes) from
 * vertex ringStarts[r] to ringStarts[r + 1]. Returns false with `fault` set when they do not bound a region; that is decided
 * on the unturned vertices. Cost O(n log n). `isPlain`: they have been found before to bound a region that does not touch itself;
 * that is not decided again then, and the cost is O(n). `asDrawn`: where it touches itself it is left as the user has linked it, for
 * whoever does not ask which passage is followed by which.
 */
export function setRegion(
  outline: Outline,
  points: Float64Array,
  ringStarts: readonly number[],
  cos: number,
  sin: number,
  fault: OutlineFault,
  isPlain = false,
  asDrawn = false,
): boolean {
  const ringCount = ringStarts.length - 1
  spend(4 * ringStarts[ringCount] + ringCount)
  try {
    gatherRings(points, ringStarts)
    const known = isPlain ? knownWindings(unturned, ringOf, ringCount) : null
    const windings = known ?? checkRings(unturned, ringOf, ringCount, fault, touching)
    if (windings === null) return false
    if (asDrawn || touching.all.length === 0) setSolid(outline, points, ringStarts, windings, cos, sin)
    else setTouching(outline, splitRings(unturned, ringOf, ringCount, touching.all), windings, cos, sin)
    return true
  } finally {
    if (touching.edges.length > 0) touching = createTouching()
    if (ringOf.length > KEPT_ENTRIES) {
      Object.assign(unturned, createOutlineArrays(8))
      ringOf = new Int32Array(8)
    }
    releaseSweep()
  }
}

function setSolid(
  outline: Outline,
  points: Float64Array,
  ringStarts: readonly number[],
  windings: Int8Array,
  cos: number,
  sin: number,
  split: SplitRings | null = null,
): void {
  const ringCount = ringStarts.length - 1
  // `points` may have room for far more
  beginOutline(outline, ringStarts[ringCount])
  outline.solid = windings[0] !== 0
  for (let ring = 0; ring < ringCount; ring++) {
    if (ring > 0 && windings[ring] === 0) continue
    const first = outline.edgeCount
    addPath(outline, points, ringStarts[ring], ringStarts[ring + 1], runsForward(windings, ring), cos, sin, split)
    closePath(outline)
    if (split !== null) mergeEnds(split, ringStarts[ring], ringStarts[ring + 1], first, outline.vertexCount)
  }
  setBands(outline)
}

/** The last vertices of a closed path may have been merged with its first one. */
function mergeEnds({ slots }: SplitRings, start: number, end: number, first: number, count: number): void {
  for (let i = start; i < end; i++) if (slots[i] >= count) slots[i] = first
}

/** Whether a ring has the inside of the region to its left in the user's order. */
function runsForward(windings: Int8Array, ring: number): boolean {
  return ring === 0 ? windings[ring] >= 0 : windings[ring] < 0
}

function setTouching(outline: Outline, split: SplitRings, windings: Int8Array, cos: number, sin: number): void {
  const { points, ringStarts } = split
  setSolid(outline, points, ringStarts, windings, cos, sin, split)
  outline.touchesItself = true
  linkWedges(
    outline,
    split,
    Array.from({ length: ringStarts.length - 1 }, (_, ring) => runsForward(windings, ring)),
  )
}

/** Fills `unturned` with all rings that have an area, as the user gave them, and `ringOf` with the ring of each edge. */
function gatherRings(points: Float64Array, ringStarts: readonly number[]): void {
  beginOutline(unturned, points.length / 2)
  if (ringOf.length < unturned.edgeEnd.length) ringOf = new Int32Array(unturned.edgeEnd.length)
  setRings(unturned, ringOf, points, ringStarts)
}

// Which way the rings of a region run, for rings that are known to bound one.
//
// Method: the sign of the area by the shoelace formula, relative to a vertex of the ring, where that is beyond rounding.

let windings = new Int8Array(8)

/**
 * The winding of each ring, as `checkRings` gives it, to be read before the next call; null where rounding leaves one open.
 * `ringOf`: the ring of each edge; a ring without edges has no area. Cost O(n).
 */
function knownWindings(
  { vertices, edgeCount, edgeEnd }: Outline,
  ringOf: Int32Array,
  ringCount: number,
): Int8Array | null {
  spend(edgeCount)
  if (windings.length < ringCount) windings = new Int8Array(2 * ringCount)
  windings.fill(0, 0, ringCount)
  for (let first = 0; first < edgeCount; ) {
    const ring = ringOf[first]
    const originX = vertices[2 * first]
    const originY = vertices[2 * first + 1]
    let area = 0
    let size = 0
    let edge = first
    for (; edge < edgeCount && ringOf[edge] === ring; edge++) {
      const i = 2 * edge
      const j = 2 * edgeEnd[edge]
      const left = (vertices[i] - originX) * (vertices[j + 1] - originY)
      const right = (vertices[i + 1] - originY) * (vertices[j] - originX)
      area += left - right
      size += Math.abs(left) + Math.abs(right)
    }
    // Two roundings of each factor, one of each product and difference, and those of the sum.
    const error = (edge - first + 8) * 2 * UNIT_ROUNDOFF * size
    if (!(size < LARGEST_SAFE_SQUARE && Math.abs(area) > Math.max(error, SMALLEST_SAFE_SQUARE))) return null
    windings[ring] = area > 0 ? 1 : -1
    first = edge
  }
  return windings
}

// Regions that touch themselves: their rings, cut and linked anew so that they say no more than the set does.
//
// A ring may pass through a point that another passage of the outline goes through too, within an edge even. Such an edge is
// split there. Then every passage is linked so that it bounds one wedge of the inside: from the edge that arrives last before
// the wedge, seen clockwise, on along the one that leaves. So what is an outer side at the point is told by two edges that follow
// each other, as anywhere else, and nothing hangs on the way in which the user drew the rings.
// Frame: as `outline.ts`. All decisions are made before turning, on exact signs.

/** A point within an edge. */
interface Split {
  edge: number
  point: number
}

/** `rings`: all edges of ring r, those with ringOf[e] = r, lie together. Cost O(n + k log k), k edges that meet at touching points. */
function splitRings(
  rings: Outline,
  ringOf: Int32Array,
  ringCount: number,
  touching: readonly TouchingPoint[],
): SplitRings {
  const { vertices, vertexNames, edgeNames, edgeCount } = rings
  const splits = findSplits(rings, touching)
  const count = edgeCount + splits.length
  spend(2 * count + ringCount)
  const split: SplitRings = {
    points: new Float64Array(2 * count),
    ringStarts: [],
    vertexIndices: new Int32Array(count),
    edgeIndices: new Int32Array(count),
    slots: new Int32Array(count),
    rounds: [],
  }
  /** Where each vertex has come to, and each split, by its edge and its point. */
  const placeOf = new Int32Array(edgeCount)
  const placeOfSplit = new Map<number, number>()
  let place = 0
  let next = 0
  const put = (vertex: number, edge: number): void => {
    split.points[2 * place] = vertices[2 * vertex]
    split.points[2 * place + 1] = vertices[2 * vertex + 1]
    split.vertexIndices[place] = featureIndex(vertexNames[vertex])
    split.edgeIndices[place++] = featureIndex(edgeNames[edge])
  }
  for (let edge = 0; edge < edgeCount; edge++) {
    while (split.ringStarts.length <= ringOf[edge]) split.ringStarts.push(place)
    placeOf[edge] = place
    put(edge, edge)
    for (; next < splits.length && splits[next].edge === edge; next++) {
      placeOfSplit.set(edge * edgeCount + splits[next].point, place)
      put(splits[next].point, edge)
    }
  }
  while (split.ringStarts.length <= ringCount) split.ringStarts.push(place)
  for (const each of touching) split.rounds.push(roundOf(rings, each, placeOf, placeOfSplit))
  return split
}

/** Where edges pass through points that are not theirs, by the edge and along it. */
function findSplits({ vertices, edgeEnd }: Outline, touching: readonly TouchingPoint[]): Split[] {
  const splits: Split[] = []
  for (const { point, edges, rightCount } of touching) {
    spend(edges.length)
    for (let k = 0; k < rightCount; k++) {
      const edge = edges[k]
      const isEnd = isAt(vertices, edge, point) || isAt(vertices, edgeEnd[edge], point)
      if (!isEnd) splits.push({ edge, point })
    }
  }
  spend(2 * sortingSteps(splits.length))
  return splits.sort((p, q) => {
    if (p.edge !== q.edge) return p.edge - q.edge
    return compareVertices(vertices, p.point, q.point) * -compareVertices(vertices, p.edge, edgeEnd[p.edge])
  })
}

function isAt(vertices: Float64Array, vertex: number, point: number): boolean {
  return compareVertices(vertices, vertex, point) === 0
}

function roundOf(
  { vertices, edgeEnd, edgeCount }: Outline,
  { point, edges, rightCount }: TouchingPoint,
  placeOf: Int32Array,
  placeOfSplit: ReadonlyMap<number, number>,
): Round {
  const round: Round = { vertices: new Int32Array(edges.length), leaves: new Uint8Array(edges.length) }
  spend(edges.length)
  for (let k = 0; k < edges.length; k++) {
    const edge = edges[k]
    const end = edgeEnd[edge]
    if (isAt(vertices, edge, point)) round.vertices[k] = placeOf[edge]
    else if (isAt(vertices, end, point)) round.vertices[k] = placeOf[end]
    else round.vertices[k] = placeOfSplit.get(edge * edgeCount + point) as number
    const runsRight = compareVertices(vertices, edge, end) < 0
    round.leaves[k] = runsRight === k < rightCount ? 1 : 0
  }
  return round
}

/**
 * Links the passages of `outline` through the touching points anew, and sets its loops. It has been set from `split`, ring r in the
 * user's order where isForward[r]. Where turning has made vertices of one point one, the passages through it stay as they are.
 */
function linkWedges(outline: Outline, { rounds, slots, ringStarts }: SplitRings, isForward: boolean[]): void {
  const { edgeEnd, edgeBefore, edgeCount } = outline
  const isMerged = edgeCount < slots.length
  spend(slots.length)
  const touched: number[] = []
  const keepsOrder = new Uint8Array(slots.length)
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    if (isForward[ring]) keepsOrder.fill(1, ringStarts[ring], ringStarts[ring + 1])
  }
  for (const { vertices, leaves } of rounds) {
    const count = vertices.length
    spend(2 * count)
    const own = Array.from(vertices, (vertex) => slots[vertex])
    const isLeaving = (k: number): boolean => (leaves[k] === 1) === (keepsOrder[vertices[k]] === 1)
    const arriving = own.map((vertex) => edgeBefore[vertex])
    // Each vertex is there twice, once with the edge that arrives and once with the one that leaves.
    if (isMerged && 2 * new Set(own).size !== count) continue
    for (let k = 0; k < count; k++) {
      if (!isLeaving(k)) continue
      // The inside lies to the left of all edges, so the wedge after one that leaves ends with one that arrives.
      const before = arriving[k + 1 === count ? 0 : k + 1]
      edgeBefore[own[k]] = before
      edgeEnd[before] = own[k]
      touched.push(own[k])
    }
  }
  outline.loops = loopsOf(outline, touched)
}

/** The first edge, and one of each other loop of edges through these vertices. */
function loopsOf({ edgeEnd, edgeCount }: Outline, touched: readonly number[]): number[] {
  const isSeen = new Uint8Array(edgeCount)
  const loops: number[] = []
  spend(edgeCount)
  for (const first of [0, ...touched]) {
    if (isSeen[first] === 1) continue
    loops.push(first)
    for (let edge = first; isSeen[edge] === 0; edge = edgeEnd[edge]) isSeen[edge] = 1
  }
  return loops
}
