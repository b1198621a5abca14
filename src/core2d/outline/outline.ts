/**
 * Outlines: the rings of a region, or the vertices of a chain, as flat arrays.
 *
 * Frame: world axes, origin at the position of the part that owns the outline; its rotation is already applied.
 * Edge i starts at vertex i. Rings are closed and lie one after the other; of a chain without loop the last vertex starts no
 * edge. The rings of a solid outline are stored with the outside to the right of their edges: outer counter-clockwise, holes
 * clockwise, whatever order the user gave them in; names are the user's (index over outer, then the holes in order; edge i
 * runs from vertex i to the next one of its ring in the user's order).
 * Where a region touches itself, within an edge or not, its rings are cut and linked anew so that each passage bounds one wedge of
 * the inside (`region.ts`): then it does not matter how they were drawn.
 * Consecutive repeated vertices are merged; the lowest name stays. Collinear vertices stay. What has no area is the flat set
 * that it is: a flat outer ring is line work, a flat hole removes nothing and is left out, an outline that is a single point
 * has one edge from vertex 0 to vertex 0.
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { type Expansion, expansionOf, expansionSign, expansionSum } from '../../numeric/expansion.ts'
import { SMALLEST_SAFE_DETERMINANT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { edgeFeature, vertexFeature } from '../feature.ts'
import { TURN_ERROR_RATIO } from '../tolerances.ts'
import { orientation, turnAt } from './orientation.ts'

export interface Outline {
  /** A region with an inside; chains and flat regions are line work. */
  solid: boolean
  vertexCount: number
  /** Vertices x0, y0, x1, y1, … */
  vertices: Float64Array
  /** Edges 0 … edgeCount − 1; equal to vertexCount for closed rings. */
  edgeCount: number
  /** Whether it is a region whose outline passes some point more than once. */
  touchesItself: boolean
  /** The first edge; where it touches itself, also an edge of each other loop of edges that passes such a point. */
  loops: readonly number[]
  /** Vertex at which edge i ends. */
  edgeEnd: Int32Array
  /** Edge before edge i in its ring; −1 at the open end of a chain. */
  edgeBefore: Int32Array
  /** Features: the user's names. */
  vertexNames: Int32Array
  edgeNames: Int32Array
  /** Of every EDGES_PER_BAND edges in a row: lowest y, highest y, rightmost x. */
  bands: Float64Array
}

/** Rings with a vertex wherever the outline touches itself, in the user's order. */
export interface SplitRings {
  /** x0, y0, … of all rings, ring r from vertex ringStarts[r] to ringStarts[r + 1]; one without an area has none. */
  points: Float64Array
  ringStarts: number[]
  /** The user's index of each vertex, and of the edge that leaves it. */
  vertexIndices: Int32Array
  edgeIndices: Int32Array
  /** For whoever sets an outline from the rings: the vertex of the outline that each has become. */
  slots: Int32Array
  rounds: Round[]
}

/** The ends of edges about one point, counter-clockwise: the vertex at the point, and 1 where the edge leaves it, in the user's order. */
export interface Round {
  vertices: Int32Array
  leaves: Uint8Array
}

export const EDGES_PER_BAND = 16

export function createOutline(): Outline {
  return {
    solid: false,
    vertexCount: 0,
    edgeCount: 0,
    touchesItself: false,
    loops: ONE_LOOP,
    ...createOutlineArrays(8),
  }
}

const ONE_LOOP: readonly number[] = [0]

type OutlineArrays = Pick<Outline, 'vertices' | 'edgeEnd' | 'edgeBefore' | 'vertexNames' | 'edgeNames' | 'bands'>

export function createOutlineArrays(capacity: number): OutlineArrays {
  return {
    vertices: new Float64Array(2 * capacity),
    edgeEnd: new Int32Array(capacity),
    edgeBefore: new Int32Array(capacity),
    vertexNames: new Int32Array(capacity),
    edgeNames: new Int32Array(capacity),
    bands: new Float64Array(3 * Math.ceil(capacity / EDGES_PER_BAND)),
  }
}

/**
 * Fills `rings` with those rings (as `setRegion` takes them) that have an area and are not `skipped`, in the user's order and
 * not turned, and `ringOf`, which has room for as many as there are vertices, with the ring of each edge.
 */
export function setRings(
  rings: Outline,
  ringOf: Int32Array,
  points: Float64Array,
  ringStarts: readonly number[],
  skipped?: Uint8Array,
): void {
  beginOutline(rings, ringStarts[ringStarts.length - 1])
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    if (skipped?.[ring] === 1) continue
    const first = rings.edgeCount
    addPath(rings, points, ringStarts[ring], ringStarts[ring + 1], true, 1, 0)
    closePath(rings)
    if (isFlat(rings, first)) {
      rings.vertexCount = first
      rings.edgeCount = first
    }
    ringOf.fill(ring, first, rings.edgeCount)
  }
}

/** Whether the vertices from `first` on lie on one line; neighbours among them differ. */
function isFlat({ vertices, vertexCount }: Outline, first: number): boolean {
  for (let i = first + 2; i < vertexCount; i++) {
    if (turnAt(vertices, first, first + 1, i) !== 0) return false
  }
  return true
}

/** Fills `outline` with line work: a chain of `count` ≥ 1 vertices turned by (cos, sin), closed with `loop`. Cost O(n). */
export function setChain(
  outline: Outline,
  points: Float64Array,
  count: number,
  loop: boolean,
  cos: number,
  sin: number,
): void {
  spend(2 * count)
  beginOutline(outline, count)
  outline.solid = false
  addPath(outline, points, 0, count, true, cos, sin)
  if (loop || outline.vertexCount === 1) closePath(outline)
  else endPath(outline)
  setBands(outline)
}

/** The outline with every coordinate passed through `scale`, which keeps their order, as a new one that shares its names and links. */
export function scaleOutline(outline: Outline, scale: (coordinate: number) => number): Outline {
  const { vertices, vertexCount, bands } = outline
  return { ...outline, vertices: vertices.subarray(0, 2 * vertexCount).map(scale), bands: bands.map(scale) }
}

export function beginOutline(outline: Outline, capacity: number): void {
  if (outline.edgeEnd.length < capacity)
    Object.assign(outline, createOutlineArrays(2 ** Math.ceil(Math.log2(capacity))))
  outline.vertexCount = 0
  outline.edgeCount = 0
  outline.touchesItself = false
  outline.loops = ONE_LOOP
}

/**
 * Appends the vertices start … end − 1, backwards as start, end − 1, …, start + 1. A vertex that falls on the one before
 * (before turning or after it) is merged with it: the edge that leaves it goes on from there. `split`: where `points` are not the
 * user's own but these.
 */
export function addPath(
  outline: Outline,
  points: Float64Array,
  start: number,
  end: number,
  forward: boolean,
  cos: number,
  sin: number,
  split: SplitRings | null = null,
): void {
  const { vertices, vertexNames, edgeNames } = outline
  const turned = sin !== 0 || cos !== 1
  const first = outline.edgeCount
  let slot = first
  for (let k = start; k < end; k++) {
    const i = forward || k === start ? k : start + end - k
    const px = points[2 * i]
    const py = points[2 * i + 1]
    const x = turned ? cos * px - sin * py : px
    const y = turned ? sin * px + cos * py : py
    const name = vertexFeature(split === null ? i : split.vertexIndices[i])
    // Backwards, the edge that leaves vertex i is the user's edge that arrives there.
    const leaving = forward ? i : i === start ? end - 1 : i - 1
    const edge = edgeFeature(split === null ? leaving : split.edgeIndices[leaving])
    if (split !== null) split.slots[i] = slot
    if (slot > first && vertices[2 * slot - 2] === x && vertices[2 * slot - 1] === y) {
      edgeNames[slot - 1] = edge
      if (split !== null) split.slots[i] = slot - 1
      if (name < vertexNames[slot - 1]) vertexNames[slot - 1] = name
      continue
    }
    vertices[2 * slot] = x
    vertices[2 * slot + 1] = y
    vertexNames[slot] = name
    edgeNames[slot++] = edge
  }
  outline.vertexCount = slot
}

/** Makes a ring of the vertices added last; last ones that fall on the first are merged with it. */
export function closePath(outline: Outline): void {
  const { vertices, edgeEnd, edgeBefore } = outline
  const first = outline.edgeCount
  let last = outline.vertexCount - 1
  while (
    last > first &&
    vertices[2 * last] === vertices[2 * first] &&
    vertices[2 * last + 1] === vertices[2 * first + 1]
  ) {
    last--
  }
  linkEdges(outline, first, last + 1)
  edgeEnd[last] = first
  edgeBefore[first] = last
  outline.vertexCount = last + 1
  outline.edgeCount = last + 1
}

/** Leaves the path of the vertices added last open. */
function endPath(outline: Outline): void {
  linkEdges(outline, 0, outline.vertexCount)
  outline.edgeBefore[0] = -1
  outline.edgeCount = outline.vertexCount - 1
}

function linkEdges({ edgeEnd, edgeBefore }: Outline, first: number, end: number): void {
  for (let edge = first; edge < end; edge++) {
    edgeEnd[edge] = edge + 1
    edgeBefore[edge] = edge - 1
  }
}

export function setBands({ vertices, edgeEnd, edgeCount, bands }: Outline): void {
  for (let start = 0, band = 0; start < edgeCount; start += EDGES_PER_BAND, band += 3) {
    let low = Infinity
    let high = -Infinity
    let right = -Infinity
    const end = Math.min(start + EDGES_PER_BAND, edgeCount)
    for (let edge = start; edge < end; edge++) {
      const i = 2 * edge
      const j = 2 * edgeEnd[edge]
      low = Math.min(low, vertices[i + 1], vertices[j + 1])
      high = Math.max(high, vertices[i + 1], vertices[j + 1])
      right = Math.max(right, vertices[i], vertices[j])
    }
    bands[band] = low
    bands[band + 1] = high
    bands[band + 2] = right
  }
}

// Whether a point lies inside an outline, on it, or outside, decided exactly.
//
// Method: crossing number of the ray from the point to the right; edges count with their lower end and without their upper
// one, so a ray through a vertex counts right. The side of an edge comes from Shewchuk's orientation test; where the point is
// a sum that is no double, from expansions of its terms whenever rounding leaves it open.
// Frame: the outline's own (its part's position is the origin).

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

/** `pointInOutline` for a point whose coordinates are sums. */
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
