/**
 * How two edges of a region's rings meet. They must not cross, share a stretch, or be part of two passages through one point that
 * cross there. Rings may touch themselves and each other at single points, which are reported too.
 *
 * Method: exact orientation signs; where edges meet at a point, the directions in which the outline leaves it decide.
 * Frame: the outline's own.
 */
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import {
  addTwofold,
  divideTwofold,
  multiplyTwofold,
  negateTwofold,
  type Twofold,
  twofold,
} from '../../numeric/twofold.ts'
import { CROSSING_ERROR_RATIO } from '../tolerances.ts'
import { turnAt } from './orientation.ts'
import type { Outline } from './outline.ts'

export interface EdgeIntersection {
  /** touching is no conflict. */
  kind: 'crossing' | 'overlap' | 'touching'
  /** The common point; of a stretch its end that lies further left, or lower. */
  x: number
  y: number
  /** The other end of a stretch; otherwise the same point. */
  endX: number
  endY: number
  /** The vertex of each edge at which the outline goes through the common point; −1 where that lies inside the edge. */
  vertex: number
  otherVertex: number
}

export function createEdgeIntersection(): EdgeIntersection {
  return { kind: 'crossing', x: 0, y: 0, endX: 0, endY: 0, vertex: -1, otherVertex: -1 }
}

/** −1 when vertex i lies left of vertex j, or below it at the same x; 1 the other way round; 0 when they coincide. */
export function compareVertices(vertices: Float64Array, i: number, j: number): Sign {
  const x = vertices[2 * i]
  const otherX = vertices[2 * j]
  if (x !== otherX) return x < otherX ? -1 : 1
  const y = vertices[2 * i + 1]
  const otherY = vertices[2 * j + 1]
  return y < otherY ? -1 : y > otherY ? 1 : 0
}

/** Whether the insides of two edges cross at one point. */
export function edgesCross(
  { vertices, edgeEnd }: Pick<Outline, 'vertices' | 'edgeEnd'>,
  edge: number,
  other: number,
): boolean {
  const end = edgeEnd[edge]
  const otherEnd = edgeEnd[other]
  if (turnAt(vertices, edge, end, other) * turnAt(vertices, edge, end, otherEnd) >= 0) return false
  return turnAt(vertices, other, otherEnd, edge) * turnAt(vertices, other, otherEnd, end) < 0
}

/** Whether two edges of closed rings are in conflict; if so `out` says how and where. */
export function edgesConflict(outline: Outline, edge: number, other: number, out: EdgeIntersection): boolean {
  if (!edgesMeet(outline, edge, other, out) || out.kind === 'touching') return false
  setMeetingPlace(outline, edge, other, out)
  return true
}

/**
 * Whether two edges of closed rings meet elsewhere than in the vertex at which one follows the other; if so `out` says how, and
 * `setMeetingPlace` where. Of passages through one point that share a direction, only the edges that overlap there meet, and the tip of
 * a spike meets nothing.
 */
export function edgesMeet(outline: Outline, edge: number, other: number, out: EdgeIntersection): boolean {
  const { vertices, edgeEnd } = outline
  const end = edgeEnd[edge]
  const otherEnd = edgeEnd[other]
  const sideStart = turnAt(vertices, edge, end, other)
  const sideEnd = turnAt(vertices, edge, end, otherEnd)
  if (sideStart * sideEnd > 0) return false
  const otherSideStart = turnAt(vertices, other, otherEnd, edge)
  const otherSideEnd = turnAt(vertices, other, otherEnd, end)
  if (otherSideStart * otherSideEnd > 0) return false
  if (sideStart === 0 && sideEnd === 0) return collinearEdgesMeet(outline, edge, other, out)
  if (sideStart * sideEnd < 0 && otherSideStart * otherSideEnd < 0) {
    out.kind = 'crossing'
    out.vertex = -1
    out.otherVertex = -1
    return true
  }
  const meeting = sideStart === 0 ? other : sideEnd === 0 ? otherEnd : otherSideStart === 0 ? edge : end
  return passagesMeet(outline, edge, other, meeting, out)
}

function collinearEdgesMeet(outline: Outline, edge: number, other: number, out: EdgeIntersection): boolean {
  const { vertices, edgeEnd } = outline
  const low = upper(vertices, lowerEnd(outline, edge), lowerEnd(outline, other))
  const high = lower(vertices, upper(vertices, edge, edgeEnd[edge]), upper(vertices, other, edgeEnd[other]))
  const order = compareVertices(vertices, low, high)
  if (order === 0) return passagesMeet(outline, edge, other, low, out)
  if (order > 0) return false
  out.kind = 'overlap'
  out.x = vertices[2 * low]
  out.y = vertices[2 * low + 1]
  out.endX = vertices[2 * high]
  out.endY = vertices[2 * high + 1]
  out.vertex = -1
  out.otherVertex = -1
  return true
}

function lower(vertices: Float64Array, i: number, j: number): number {
  return compareVertices(vertices, i, j) < 0 ? i : j
}

function upper(vertices: Float64Array, i: number, j: number): number {
  return compareVertices(vertices, i, j) > 0 ? i : j
}

/** The vertex where an edge begins when it is seen from left to right (upwards when it is vertical). */
export function lowerEnd({ vertices, edgeEnd }: Outline, edge: number): number {
  return lower(vertices, edge, edgeEnd[edge])
}

/**
 * Whether the outline meets itself at vertex `meeting`, where the two edges have one point in common, going through it once
 * along each of them: it crosses itself there or touches. Passages that share a direction are left to the edges that overlap.
 */
function passagesMeet(outline: Outline, edge: number, other: number, meeting: number, out: EdgeIntersection): boolean {
  const { vertices, edgeEnd, edgeBefore } = outline
  const visit = visited(outline, edge, meeting)
  const otherVisit = visited(outline, other, meeting)
  if (visit >= 0 && visit === otherVisit) return false
  const from = visit < 0 ? edge : edgeBefore[visit]
  const to = visit < 0 ? edgeEnd[edge] : edgeEnd[visit]
  const otherFrom = otherVisit < 0 ? other : edgeBefore[otherVisit]
  const otherTo = otherVisit < 0 ? edgeEnd[other] : edgeEnd[otherVisit]
  const sector = sectorSide(vertices, meeting, from, to, otherFrom)
  const otherSector = sector === 0 ? 0 : sectorSide(vertices, meeting, from, to, otherTo)
  if (otherSector === 0) return false
  if (sector !== otherSector) out.kind = 'crossing'
  else if (isSpike(vertices, meeting, otherFrom, otherTo)) return false
  else out.kind = 'touching'
  setPoint(out, vertices[2 * meeting], vertices[2 * meeting + 1])
  out.vertex = visit
  out.otherVertex = otherVisit
  return true
}

function setPoint(out: EdgeIntersection, x: number, y: number): void {
  out.x = x
  out.y = y
  out.endX = x
  out.endY = y
}

/** The end of `edge` that coincides with vertex `meeting`; −1 when that lies inside the edge. */
function visited({ vertices, edgeEnd }: Outline, edge: number, meeting: number): number {
  if (compareVertices(vertices, edge, meeting) === 0) return edge
  return compareVertices(vertices, edgeEnd[edge], meeting) === 0 ? edgeEnd[edge] : -1
}

/**
 * 1 when, seen from vertex `center`, the direction of `other` lies strictly between those of `from` and `to` counter-clockwise,
 * −1 strictly outside, 0 along one of them (or where these two are the same).
 */
function sectorSide(vertices: Float64Array, center: number, from: number, to: number, other: number): Sign {
  const opening = turnAt(vertices, center, from, to)
  if (opening < 0) return -sectorSide(vertices, center, to, from, other) as Sign
  const first = turnAt(vertices, center, from, other)
  const second = turnAt(vertices, center, other, to)
  if (opening === 0) return sameDirection(vertices, center, from, to) ? 0 : first
  if (first === 0 && sameDirection(vertices, center, from, other)) return 0
  if (second === 0 && sameDirection(vertices, center, to, other)) return 0
  return first > 0 && second > 0 ? 1 : -1
}

/** Whether the way from i over `center` to j goes back along itself. */
function isSpike(vertices: Float64Array, center: number, i: number, j: number): boolean {
  return turnAt(vertices, center, i, j) === 0 && sameDirection(vertices, center, i, j)
}

/** For two vertices on one line through `center`: whether they lie on the same side of it. */
function sameDirection(vertices: Float64Array, center: number, i: number, j: number): boolean {
  return compareVertices(vertices, center, i) === compareVertices(vertices, center, j)
}

/** Completes what `edgesMeet` said about the same edges: a crossing inside both costs more to place than to decide. */
export function setMeetingPlace(
  { vertices, edgeEnd }: Outline,
  edge: number,
  other: number,
  out: EdgeIntersection,
): void {
  if (out.kind !== 'crossing' || out.vertex >= 0 || out.otherVertex >= 0) return
  setCrossing(vertices, edge, edgeEnd[edge], other, edgeEnd[other], out)
}

/**
 * Sets the point where the insides of the edges a b and c d cross, each coordinate rounded once from the exact one. It lies in the boxes
 * of both edges.
 */
export function setCrossing(
  vertices: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  out: EdgeIntersection,
): void {
  if (setCloseCrossing(vertices, a, b, c, d, out)) return
  const range = createInputRange()
  for (const i of [a, b, c, d]) {
    includeInput(range, vertices[2 * i])
    includeInput(range, vertices[2 * i + 1])
  }
  exactly(range, 3, <T>({ of, sub, mul, quotient }: Ring<T>) => {
    const x = (i: number): T => of(vertices[2 * i])
    const y = (i: number): T => of(vertices[2 * i + 1])
    const alongX = sub(x(d), x(c))
    const alongY = sub(y(d), y(c))
    const height = (i: number): T => sub(mul(alongX, sub(y(i), y(c))), mul(alongY, sub(x(i), x(c))))
    const heightA = height(a)
    const heightB = height(b)
    const fall = sub(heightA, heightB)
    const crossingX = quotient(sub(mul(heightA, x(b)), mul(heightB, x(a))), fall, 1).high
    const crossingY = quotient(sub(mul(heightA, y(b)), mul(heightB, y(a))), fall, 1).high
    // The last digit may be off where products are close to underflow.
    setPoint(out, betweenEnds(crossingX, vertices, 0, a, b, c, d), betweenEnds(crossingY, vertices, 1, a, b, c, d))
  })
}

/**
 * Sets the same point in twofold arithmetic, which takes a fraction of the time. False where its error leaves the last digit open: then
 * nothing is set.
 */
function setCloseCrossing(
  vertices: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  out: EdgeIntersection,
): boolean {
  const less = (i: number, j: number, axis: 0 | 1): Twofold => twofold(vertices[2 * i + axis], -vertices[2 * j + axis])
  const alongX = less(d, c, 0)
  const alongY = less(d, c, 1)
  const upA = multiplyTwofold(alongX, less(a, c, 1))
  const downA = multiplyTwofold(alongY, less(a, c, 0))
  const upB = multiplyTwofold(alongX, less(b, c, 1))
  const downB = multiplyTwofold(alongY, less(b, c, 0))
  const size = Math.max(Math.abs(upA.high), Math.abs(downA.high), Math.abs(upB.high), Math.abs(downB.high))
  const heightA = addTwofold(upA, negateTwofold(downA))
  const fall = addTwofold(heightA, negateTwofold(addTwofold(upB, negateTwofold(downB))))
  if (!(size < LARGEST_SAFE_SQUARE && Math.abs(heightA.high) > SMALLEST_SAFE_SQUARE * 2 ** 106)) return false
  const share = divideTwofold(heightA, fall)
  const error = (CROSSING_ERROR_RATIO * size) / Math.abs(fall.high)
  const x = closeCoordinate(vertices[2 * a], less(b, a, 0), share, error)
  const y = closeCoordinate(vertices[2 * a + 1], less(b, a, 1), share, error)
  if (Number.isNaN(x + y)) return false
  setPoint(out, betweenEnds(x, vertices, 0, a, b, c, d), betweenEnds(y, vertices, 1, a, b, c, d))
  return true
}

/** NaN where the double nearest to start + share · along is open. `error`: of the share. */
function closeCoordinate(start: number, along: Twofold, share: Twofold, error: number): number {
  const way = multiplyTwofold(share, along)
  const sum = addTwofold({ high: start, low: 0 }, way)
  const slack = error * Math.abs(along.high) + CROSSING_ERROR_RATIO * (Math.abs(start) + Math.abs(way.high))
  const value = sum.high + (sum.low + slack)
  return value === sum.high + (sum.low - slack) ? value : Number.NaN
}

/** The value, or the nearest one within the boxes of both edges. `axis`: 0 for x, 1 for y. */
function betweenEnds(
  value: number,
  vertices: Float64Array,
  axis: 0 | 1,
  a: number,
  b: number,
  c: number,
  d: number,
): number {
  const [p, q] = [vertices[2 * a + axis], vertices[2 * b + axis]]
  const [r, s] = [vertices[2 * c + axis], vertices[2 * d + axis]]
  return Math.min(Math.max(value, Math.min(p, q), Math.min(r, s)), Math.max(p, q), Math.max(r, s))
}
