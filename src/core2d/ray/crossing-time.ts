/**
 * When two bodies that move without spin begin or cease to meet, or where a ray does with a body: the time of a crossing that is
 * known but for its last digits, rounded once.
 *
 * Method: the crossing names the features that meet. Where they are the right ones for certain, the time is theirs
 * (`closed-forms/closed-time.ts`). Next to the end of an edge, or where the other body runs nearly along it, the neighbours are
 * asked too: of polygons the last face that is crossed inward (the first outward), of rounded ones the first (last) of what
 * there is.
 * Frame: A moves at v as seen from B.
 */

import type { Twofold } from '../../numeric/twofold.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import {
  circleTime,
  createVelocity,
  edgeTime,
  type Place,
  putPlace,
  reverseVelocity,
  slopeSign,
  type Velocity,
} from '../closed-forms/closed-time.ts'
import { lowestVertex } from '../narrow-phase/sat.ts'
import type { Body } from '../shape/body.ts'
import { type Direction, following, isBehind, preceding } from '../shape/edge.ts'
import { CLEAR_COSINE_RATIO, SLOPE_ERROR_RATIO } from '../tolerances.ts'

/** Core points of A and of B between which they meet: the same twice for a corner. Edges run counter-clockwise. */
export interface Meeting {
  a0: number
  a1: number
  b0: number
  b1: number
}

const opposite = createVelocity()
const normal: Direction = { nx: 0, ny: 0 }
const place: Place = { x: 0, y: 0, toX: 0, toY: 0 }
const time: Twofold = { high: 0, low: 0 }

/** Sets `out` to the time at which they begin (end −1) or cease (end 1) to meet, in the unit of `v`. */
export function crossingTime(a: Body, b: Body, at: Meeting, v: Velocity, end: -1 | 1, out: Twofold): void {
  const { a0, a1, b0, b1 } = at
  // Two edges that meet along each other are parallel to the last bit.
  if (a0 !== a1 && b0 !== b1 && a.radius + b.radius === 0) {
    edgeTime(b, b0, a, a0, v, out)
    return
  }
  let isSure: boolean
  if (b0 !== b1) isSure = faceTime(b, b0, a, a0, v, out)
  else if (a0 === a1) isSure = cornerTime(a, a0, b, b0, v, end, out)
  else {
    reverseVelocity(v, opposite)
    isSure = faceTime(a, a0, b, b0, opposite, out)
  }
  if (isSure) return
  if (a.radius + b.radius > 0) searchRounded(a, b, at, v, end, out)
  else searchFaces(a, b, at, v, end, out)
}

/** Corners, and whether their neighbours are farther away for certain. */
function cornerTime(a: Body, i: number, b: Body, j: number, v: Velocity, end: -1 | 1, out: Twofold): boolean {
  circleTime(b, j, a, i, v, end, out)
  if (a.radius + b.radius === 0 || (a.count === 1 && b.count === 1)) return true
  putPlace(v, out, place)
  const { x, y } = place
  const length = vectorLength(x, y)
  normal.nx = x / length
  normal.ny = y / length
  return isBehind(a, i, normal, 1) && isBehind(b, j, normal, -1)
}

/** An edge of `owner` and a corner of `other`, which moves at v; and whether it is these that meet for certain. */
function faceTime(owner: Body, edge: number, other: Body, vertex: number, v: Velocity, out: Twofold): boolean {
  edgeTime(owner, edge, other, vertex, v, out)
  normal.nx = owner.normals[2 * edge]
  normal.ny = owner.normals[2 * edge + 1]
  return isBehind(other, vertex, normal, 1) && standsOver(owner, edge, v, out)
}

/** Whether the corner of the last `edgeTime` stands between the ends of the edge at time t, for certain. */
function standsOver({ vertices, count }: Body, edge: number, v: Velocity, t: Twofold): boolean {
  putPlace(v, t, place)
  const { x, y, toX, toY } = place
  const next = edge + 1 === count ? 0 : edge + 1
  const ex = vertices[2 * next] - vertices[2 * edge]
  const ey = vertices[2 * next + 1] - vertices[2 * edge + 1]
  const pastX = ex * x
  const pastY = ey * y
  const leftX = ex * toX
  const leftY = ey * toY
  return (
    pastX + pastY > SLOPE_ERROR_RATIO * (Math.abs(pastX) + Math.abs(pastY)) &&
    leftX + leftY > SLOPE_ERROR_RATIO * (Math.abs(leftX) + Math.abs(leftY))
  )
}

/** The features at both ends of a meeting and next to them. */
function around(body: Body, i: number, j: number): number[] {
  return [...new Set([i, j, preceding(body, i), following(body, j)])]
}

/** Keeps the later time for end −1, the earlier for 1; `isFirst`: there is none yet. */
function isBetter(candidate: Twofold, best: Twofold, later: boolean): boolean {
  const difference = candidate.high - best.high + (candidate.low - best.low)
  return later ? difference > 0 : difference < 0
}

function copyTime(from: Twofold, to: Twofold): void {
  to.high = from.high
  to.low = from.low
}

/** Among polygons: they meet from when the last face has been crossed inward until the first is crossed outward. */
function searchFaces(a: Body, b: Body, { a0, a1, b0, b1 }: Meeting, v: Velocity, end: -1 | 1, out: Twofold): void {
  const best: Twofold = { high: end * Infinity, low: 0 }
  reverseVelocity(v, opposite)
  tryFaces(b, around(b, b0, b1), a, v, end, best)
  tryFaces(a, around(a, a0, a1), b, opposite, end, best)
  if (Number.isFinite(best.high)) copyTime(best, out)
}

function tryFaces(owner: Body, edges: readonly number[], other: Body, v: Velocity, end: -1 | 1, best: Twofold): void {
  if (owner.count === 1) return
  const { normals } = owner
  for (const edge of edges) {
    const nx = normals[2 * edge]
    const ny = normals[2 * edge + 1]
    if (end * slopeSign(owner, edge, v) <= 0) continue
    const lowest = lowestVertex(other, normals, edge, 1, 0)
    const own: Twofold = { high: -end * Infinity, low: 0 }
    for (const k of around(other, lowest, lowest)) {
      if (k !== lowest && !isLevel(other, lowest, k, nx, ny)) continue
      edgeTime(owner, edge, other, k, v, time)
      // The lowest corner comes to the face first, and leaves it last.
      if (isBetter(time, own, end > 0)) copyTime(time, own)
    }
    if (isBetter(own, best, end < 0)) copyTime(own, best)
  }
}

/** Whether vertex k lies as high as the lowest as far as rounding tells. */
function isLevel({ vertices }: Body, lowest: number, k: number, nx: number, ny: number): boolean {
  const ex = vertices[2 * k] - vertices[2 * lowest]
  const ey = vertices[2 * k + 1] - vertices[2 * lowest + 1]
  return nx * ex + ny * ey <= CLEAR_COSINE_RATIO * (Math.abs(ex) + Math.abs(ey))
}

/** Among bodies with skins: they meet from the first time at which any two features do until the last. */
function searchRounded(a: Body, b: Body, { a0, a1, b0, b1 }: Meeting, v: Velocity, end: -1 | 1, out: Twofold): void {
  const best: Twofold = { high: -end * Infinity, low: 0 }
  const nearA = around(a, a0, a1)
  const nearB = around(b, b0, b1)
  const isNamed = (i: number, j: number): boolean => a0 === a1 && b0 === b1 && i === a0 && j === b0
  for (const i of nearA) {
    for (const j of nearB) {
      if (!isNamed(i, j) && !crossesDisc(a, i, b, j, v)) continue
      circleTime(b, j, a, i, v, end, time)
      if (isBetter(time, best, end > 0)) copyTime(time, best)
    }
  }
  reverseVelocity(v, opposite)
  tryEdges(b, nearB, a, nearA, v, end, best)
  tryEdges(a, nearA, b, nearB, opposite, end, best)
  if (Number.isFinite(best.high)) copyTime(best, out)
}

/** Whether the way of corner i of `a` crosses the disc about corner j of `b`, and does not only graze it. */
function crossesDisc(a: Body, i: number, b: Body, j: number, v: Velocity): boolean {
  const x = a.x - b.x + (a.vertices[2 * i] - b.vertices[2 * j])
  const y = a.y - b.y + (a.vertices[2 * i + 1] - b.vertices[2 * j + 1])
  const side = Math.abs(v.x * y - v.y * x) / vectorLength(v.x, v.y)
  return side < (a.radius + b.radius) * (1 - CLEAR_COSINE_RATIO)
}

function tryEdges(
  owner: Body,
  edges: readonly number[],
  other: Body,
  vertices: readonly number[],
  v: Velocity,
  end: -1 | 1,
  best: Twofold,
): void {
  if (owner.count === 1) return
  for (const edge of edges) {
    if (end * slopeSign(owner, edge, v) <= 0) continue
    for (const k of vertices) {
      edgeTime(owner, edge, other, k, v, time)
      if (isBetter(time, best, end > 0) && standsOver(owner, edge, v, time)) copyTime(time, best)
    }
  }
}
