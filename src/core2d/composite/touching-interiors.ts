/**
 * Whether the interiors of two bodies meet although none of their leaves penetrate each other: where an edge runs through a
 * vertex of the other outline, where outlines coincide, and where a part lies inside and touches from there.
 *
 * Method: a convex part that no edge enters is inside or outside as a whole. An edge is cut where the other outline touches
 * it; each piece that does not run along that outline is inside or outside as a whole. Edges of two solid outlines that run
 * along each other in one direction have their insides on one side.
 * Frame: of the outline that is asked. Pieces shorter than rounding are passed over.
 */

import { spend } from '../../containers/budget.ts'
import type { Outline } from '../outline/outline.ts'
import { type Body, type Composite, createBody, HALFPLANE, type Part, POLYGON } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { isCurved } from '../shape/kinds.ts'
import { offsetX, offsetY } from '../shape/position.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { isClearlyInside } from './clearly-inside.ts'
import { vertexInOutline } from './vertex-in-outline.ts'

/** Pairs of leaves that touch: of the first and of the second body. */
export interface LeafTouches {
  count: number
  leavesA: Int32Array
  leavesB: Int32Array
}

/** Touches up to which the memory for them is kept. */
const KEPT_COUNT = 2 ** 12

export function createTouches(): LeafTouches {
  return { count: 0, leavesA: new Int32Array(16), leavesB: new Int32Array(16) }
}

export function clearTouches(touches: LeafTouches): void {
  touches.count = 0
}

export function noteTouch(touches: LeafTouches, leafA: number, leafB: number): void {
  const { count, leavesA, leavesB } = touches
  if (count === leavesA.length) {
    touches.leavesA = new Int32Array(2 * count)
    touches.leavesB = new Int32Array(2 * count)
    touches.leavesA.set(leavesA)
    touches.leavesB.set(leavesB)
  }
  touches.leavesA[count] = leafA
  touches.leavesB[count] = leafB
  touches.count++
}

/** Gives back what many touches needed. */
export function forgetTouches(touches: LeafTouches): void {
  if (touches.leavesA.length > KEPT_COUNT) Object.assign(touches, createTouches())
}

/** An edge and what of it the other outline touches, as shares of its length. */
interface TouchedEdge {
  leaf: number
  holder: Part
  cuts: number[]
  /** Stretches along which the outline runs: start, end, start, end, … */
  along: number[]
}

const slotA = createBody()
const slotB = createBody()
/** A single point. */
const middle = createBody()

export function interiorsMeet(first: Composite, second: Composite, touches: LeafTouches): boolean {
  return (
    runSomewhereTogether(first, second, touches) ||
    entersOutline(first, second, touches, false) ||
    entersOutline(second, first, touches, true)
  )
}

function runSomewhereTogether(first: Composite, second: Composite, touches: LeafTouches): boolean {
  for (let i = 0; i < touches.count; i++) {
    spend(1)
    if (runTogether(first, second, touches.leavesA[i], touches.leavesB[i])) return true
  }
  return false
}

/** Whether two edges of solid outlines run along each other in one direction. */
function runTogether(first: Composite, second: Composite, leafA: number, leafB: number): boolean {
  if (!isSolidEdge(first, leafA) || !isSolidEdge(second, leafB)) return false
  const a = leafBody(first, leafA, slotA)
  const b = leafBody(second, leafB, slotB)
  if (a.normals[0] * b.normals[0] + a.normals[1] * b.normals[1] <= 0) return false
  const edge: TouchedEdge = { leaf: leafB, holder: partOf(first, leafA), cuts: [], along: [] }
  cut(edge, b, a)
  const length = lengthOf(b)
  return edge.along.length > 0 && (edge.along[1] - edge.along[0]) * length > 4 * errorOf(a, b)
}

function isSolidEdge(composite: Composite, leaf: number): boolean {
  return partOf(composite, leaf).outline?.solid === true
}

function partOf(composite: Composite, leaf: number): Part {
  return composite.parts[composite.leafPart[leaf]]
}

function lengthOf({ vertices }: Body): number {
  return Math.hypot(vertices[2] - vertices[0], vertices[3] - vertices[1])
}

/** Bound on how far rounding moves the ends of one leaf against the other. */
function errorOf(a: Body, b: Body): number {
  return 4 * SEPARATION_ERROR_RATIO * (Math.abs(a.x - b.x) + Math.abs(a.y - b.y) + size(a) + size(b))
}

function size({ anchorX, anchorY, reach }: Body): number {
  return Math.abs(anchorX) + Math.abs(anchorY) + reach
}

/** Whether a leaf of `guest` that touches a solid outline of `holder` lies in it somewhere. `swapped`: holder is second. */
function entersOutline(holder: Composite, guest: Composite, touches: LeafTouches, swapped: boolean): boolean {
  const holderLeaves = swapped ? touches.leavesB : touches.leavesA
  const guestLeaves = swapped ? touches.leavesA : touches.leavesB
  /** By leaf and holding part; null for leaves that are not cut. */
  const edges = new Map<number, TouchedEdge | null>()
  for (let i = 0; i < touches.count; i++) {
    spend(1)
    const holderLeaf = holderLeaves[i]
    const guestLeaf = guestLeaves[i]
    if (!isSolidEdge(holder, holderLeaf)) continue
    const part = partOf(holder, holderLeaf)
    const body = leafBody(guest, guestLeaf, slotB)
    const key = guestLeaf * holder.partCount + holder.leafPart[holderLeaf]
    let edge = edges.get(key)
    if (edge === undefined) {
      if (liesInside(part, body)) return true
      const isEdge = body.kind === POLYGON && body.count <= 2 && body.radius <= 0
      edge = isEdge ? { leaf: guestLeaf, holder: part, cuts: [0, 1], along: [] } : null
      edges.set(key, edge)
    }
    if (edge !== null) cut(edge, body, leafBody(holder, holderLeaf, slotA))
  }
  for (const edge of edges.values()) {
    if (edge !== null && hasPieceInside(edge, leafBody(guest, edge.leaf, slotB))) return true
  }
  return false
}

/** Whether a vertex or the middle of a convex body lies inside the outline, which does not enter the body's own inside. */
function liesInside(holder: Part, body: Body): boolean {
  const outline = holder.outline as Outline
  if (body.kind === HALFPLANE) return false
  const count = Math.max(body.count, 1)
  for (let i = 0; i < count; i++) if (vertexInOutline(outline, holder.body, body, i) < 0) return true
  if (body.count === 2 && isMiddleInside(holder, body)) return true
  const centered = isCurved(body)
  const x = centered ? 0 : body.anchorX + body.centerX
  const y = centered ? 0 : body.anchorY + body.centerY
  return isInside(outline, x + offsetX(holder.body, body), y + offsetY(holder.body, body))
}

/** The middle of a segment is a sum of doubles too: position + half of either end. */
function isMiddleInside(holder: Part, { x, y, xLow, yLow, vertices }: Body): boolean {
  if (xLow !== 0 || yLow !== 0) return false
  middle.x = x
  middle.y = y
  middle.vertices[0] = vertices[0] / 2
  middle.vertices[1] = vertices[1] / 2
  middle.xLow = vertices[2] / 2
  middle.yLow = vertices[3] / 2
  return vertexInOutline(holder.outline as Outline, holder.body, middle, 0) < 0
}

/** Notes where the ends of `other`, an edge, lie on `edge`, whose body is `body`. */
function cut(edge: TouchedEdge, body: Body, other: Body): void {
  const dx = offsetX(body, other) - body.vertices[0]
  const dy = offsetY(body, other) - body.vertices[1]
  const length = lengthOf(body)
  const ux = (body.vertices[2] - body.vertices[0]) / length
  const uy = (body.vertices[3] - body.vertices[1]) / length
  const error = errorOf(body, other)
  const shares: number[] = []
  for (let i = 0; i < other.count; i++) {
    const x = other.vertices[2 * i] + dx
    const y = other.vertices[2 * i + 1] + dy
    if (Math.abs(ux * y - uy * x) > error) continue
    const share = Math.min(Math.max((x * ux + y * uy) / length, 0), 1)
    shares.push(share)
    edge.cuts.push(share)
  }
  if (shares.length === 2) edge.along.push(Math.min(...shares), Math.max(...shares))
}

/** Whether a piece of the edge between its cuts lies inside the outline. */
function hasPieceInside({ holder, cuts, along }: TouchedEdge, body: Body): boolean {
  const outline = holder.outline as Outline
  const x0 = body.vertices[0] + offsetX(holder.body, body)
  const y0 = body.vertices[1] + offsetY(holder.body, body)
  const ex = body.vertices[2] - body.vertices[0]
  const ey = body.vertices[3] - body.vertices[1]
  const least = errorOf(holder.body, body) / Math.hypot(ex, ey)
  cuts.sort((p, q) => p - q)
  for (let i = 1; i < cuts.length; i++) {
    if (cuts[i] - cuts[i - 1] <= least) continue
    const middle = (cuts[i - 1] + cuts[i]) / 2
    let runsAlong = false
    for (let k = 0; k < along.length; k += 2) runsAlong ||= along[k] <= middle && middle <= along[k + 1]
    if (!runsAlong && isInside(outline, x0 + middle * ex, y0 + middle * ey)) return true
  }
  return false
}

/** Whether the rounded point (in the frame of the outline) lies inside by more than rounding. */
function isInside(outline: Outline, x: number, y: number): boolean {
  return isClearlyInside(outline, x, y, SEPARATION_ERROR_RATIO * (Math.abs(x) + Math.abs(y)))
}
