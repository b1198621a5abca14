/**
 * Two bodies of which at least one is composite: their relation, and the leaves that decide it.
 *
 * Method: both box trees are walked together, nearer boxes first, and leaf pairs measured as convex pairs. Bodies whose
 * leaves are all apart still meet where a solid outline holds a part of the other; since nothing crosses the outline then,
 * one exact point of that part tells.
 * Frame: boxes in world axes relative to the first body's position. The pair is put in one order first, as
 * `narrow-phase/dispatch.ts` does.
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { type BoxTree, visitTreePairs } from '../broad-phase/box-tree.ts'
import type { Outline } from '../outline/outline.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  CENTER_X,
  CENTER_Y,
  COMPOSITE,
  type Composite,
  createBody,
  HALFPLANE,
  isCurved,
  type Part,
  POLYGON,
  RADIUS,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { createComposite, leafBody, setEdgeBody, viewAsComposite } from '../shape/composite.ts'
import { offsetX, offsetY } from '../shape/position.ts'
import {
  FEW_LEAF_PAIRS_COUNT,
  LEAF_PAIR_STEP_COUNT,
  MANY_TOUCHES_COUNT,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'
import { separate } from './dispatch.ts'
import { isClearlyInside, someHeld, vertexInOutline } from './holding.ts'
import { outerTree } from './outer-leaves.ts'
import { createSeparation } from './separation.ts'

/** The ordered pair, its bodies taken as composites. */
export interface CompositeFrame {
  first: Body
  second: Body
  firstView: Composite
  secondView: Composite
  /** The leaves of both that count: where they are many, the outer ones. */
  firstTree: BoxTree
  secondTree: BoxTree
  /** Whether `first` is the caller's B. */
  swapped: boolean
  /** Position of the second body from the first one's. */
  dx: number
  dy: number
}

/** The relation of the pair and its cause: two leaves, or a part within a solid outline. */
interface LeafPair {
  relation: Sign
  /** Distance when apart; else 0. */
  distance: number
  /** Distance when apart; where leaves overlap, minus the depth of the first ones that were found to. NaN where no leaves decide, or such as are not plump. */
  gap: number
  /** Leaves of the ordered pair's first and second body. */
  leafA: number
  leafB: number
  /** No leaves meet, but a part of one body lies in an outline of the other, about this point (world). */
  contained: boolean
  x: number
  y: number
}

export function createLeafPair(): LeafPair {
  return { relation: 1, distance: 0, gap: 0, leafA: 0, leafB: 0, contained: false, x: 0, y: 0 }
}

const viewOfFirst = createComposite()
const viewOfSecond = createComposite()
const leafSlotA = createBody()
const leafSlotB = createBody()
const separation = createSeparation()
/** Leaf pairs that only touch. */
const touches = createTouches()

/**
 * Whether the gap to the body changes as steadily as it moves, down to the last digits: not that of ellipses, whose signs are no finer
 * than their tolerance, and not that of points and segments, which slip past corners.
 */
export function isPlump({ kind, count, numbers }: Body): boolean {
  const radius = numbers[RADIUS]
  return !isCurved({ kind }) && (radius > 0 || count === 0 || count > 2)
}

/** Puts the pair in order and returns its frame; convex bodies are seen through views that the next pair takes. */
export function orderComposites(a: Body, b: Body): CompositeFrame {
  const swapped = compareBodies(a, b) > 0
  const first = swapped ? b : a
  const second = swapped ? a : b
  const firstView = viewAsComposite(first, viewOfFirst)
  const secondView = viewAsComposite(second, viewOfSecond)
  const isCrowded = firstView.leafCount * secondView.leafCount > FEW_LEAF_PAIRS_COUNT
  return {
    first,
    second,
    firstView,
    secondView,
    firstTree: isCrowded ? outerTree(firstView) : firstView.tree,
    secondTree: isCrowded ? outerTree(secondView) : secondView.tree,
    swapped,
    dx: second.numbers[X] - first.numbers[X],
    dy: second.numbers[Y] - first.numbers[Y],
  }
}

/** A total order on the contents of two bodies, composite ones first. */
function compareBodies(a: Body, b: Body): number {
  const difference = b.kind - a.kind
  if (difference !== 0 || a.kind !== COMPOSITE) return difference
  const ca = a.composite as Composite
  const cb = b.composite as Composite
  if (ca.leafCount !== cb.leafCount) return ca.leafCount - cb.leafCount
  if (ca.partCount !== cb.partCount) return ca.partCount - cb.partCount
  spend(ca.leafCount)
  for (let i = 0; i < 4 * ca.leafCount; i++) {
    if (ca.boxes[i] !== cb.boxes[i]) return ca.boxes[i] - cb.boxes[i]
  }
  for (let leaf = 0; leaf < ca.leafCount; leaf++) {
    const la = leafBody(ca, leaf, leafSlotA)
    const lb = leafBody(cb, leaf, leafSlotB)
    if (la.kind !== lb.kind) return la.kind - lb.kind
    if (la.count !== lb.count) return la.count - lb.count
    if (la.numbers[RADIUS] !== lb.numbers[RADIUS]) return la.numbers[RADIUS] - lb.numbers[RADIUS]
    for (let i = 0; i < 2 * la.count; i++) {
      if (la.numbers[la.vertices + i] !== lb.numbers[lb.vertices + i])
        return la.numbers[la.vertices + i] - lb.numbers[lb.vertices + i]
    }
  }
  return a.numbers[X] !== b.numbers[X] ? a.numbers[X] - b.numbers[X] : a.numbers[Y] - b.numbers[Y]
}

/** Distance of boxes i and j, the second shifted by (dx, dy). */
function gapBetween(boxesA: Float64Array, i: number, boxesB: Float64Array, j: number, dx: number, dy: number): number {
  const toRight = boxesB[4 * j] + dx - boxesA[4 * i + 2]
  const toLeft = boxesA[4 * i] - (boxesB[4 * j + 2] + dx)
  const above = boxesB[4 * j + 1] + dy - boxesA[4 * i + 3]
  const below = boxesA[4 * i + 1] - (boxesB[4 * j + 3] + dy)
  const x = Math.max(toRight, toLeft, 0)
  const y = Math.max(above, below, 0)
  // Squares that underflow only make less of the gap.
  return x === 0 ? y : y === 0 ? x : Math.sqrt(x * x + y * y)
}

/**
 * Calls `visit` for leaf pairs, nearer ones first as a rule, skipping those whose boxes are farther apart than what it last
 * returned (`limit` at first); a negative return ends the walk. `dx`, `dy`: second tree from the first.
 */
export function visitLeafPairs(
  treeA: BoxTree,
  treeB: BoxTree,
  dx: number,
  dy: number,
  limit: number,
  visit: (leafA: number, leafB: number) => number,
): void {
  // The shift is rounded; boxes speak for certain only beyond that.
  const slack = SEPARATION_ERROR_RATIO * (Math.abs(dx) + Math.abs(dy))
  const gap = (i: number, j: number): number => gapBetween(treeA.boxes, i, treeB.boxes, j, dx, dy) - slack
  visitTreePairs(treeA, treeB, limit, gap, visit)
}

/**
 * Outlines that coincide touch in thousands of places, and any few of them tell. Asked each time there are twice as many, so that
 * it does not cost more than the walk.
 */
function isTimeToAsk(touchCount: number): boolean {
  return touchCount >= MANY_TOUCHES_COUNT && (touchCount & (touchCount - 1)) === 0
}

/** Relation of the pair and what decides it; leaves and `swapped` speak of the returned frame. */
export function nearestLeaves(a: Body, b: Body, out: LeafPair): CompositeFrame {
  const frame = orderComposites(a, b)
  const { firstView, secondView, firstTree, secondTree, dx, dy } = frame
  out.relation = 1
  out.distance = Infinity
  out.gap = Number.NaN
  out.contained = false
  clearTouches(touches)
  let overlapping = false
  visitLeafPairs(firstTree, secondTree, dx, dy, Infinity, (leafA, leafB) => {
    if (edgesApart(firstView, leafA, secondView, leafB, out.distance, 0, 0)) return out.distance
    spend(LEAF_PAIR_STEP_COUNT)
    const a = leafBody(firstView, leafA, leafSlotA)
    const b = leafBody(secondView, leafB, leafSlotB)
    separate(a, b, separation)
    const { relation, value } = separation
    if (relation === 0 && (isSolid(firstView, leafA) || isSolid(secondView, leafB))) {
      noteTouch(touches, leafA, leafB)
      if (isTimeToAsk(touches.count)) overlapping = interiorsMeet(firstView, secondView, touches)
    }
    if (relation < out.relation || (relation > 0 && value < out.distance)) {
      out.relation = relation
      out.distance = relation > 0 ? value : 0
      const isSteady = (isPlump(a) || isSolid(firstView, leafA)) && (isPlump(b) || isSolid(secondView, leafB))
      out.gap = isSteady ? value : Number.NaN
      out.leafA = leafA
      out.leafB = leafB
    }
    return relation < 0 || overlapping ? -1 : out.distance
  })
  const least = out.relation as Sign
  if (least < 0) {
    forgetTouches(touches)
    return frame
  }
  const held = overlapping || setHeldPoint(firstView, secondView, out) || setHeldPoint(secondView, firstView, out)
  if (held || (least === 0 && interiorsMeet(firstView, secondView, touches))) {
    // Touching leaves share a point of the boundaries, which is as good as one inside.
    out.contained = least > 0
    out.relation = -1
    out.distance = 0
    out.gap = Number.NaN
  }
  forgetTouches(touches)
  return frame
}

/** Whether the leaf is an edge of a region. */
function isSolid({ parts, leafPart }: Composite, leaf: number): boolean {
  return parts[leafPart[leaf]].outline?.solid === true
}

/** Whether a solid outline of `holder` has the first point of a part of `guest` inside, exactly. Sets `out`'s point. */
function setHeldPoint(holder: Composite, guest: Composite, out: LeafPair): boolean {
  return someHeld(holder, guest, ({ outline, body }, part) => {
    const point = bodyOfPart(part)
    if (vertexInOutline(outline as Outline, body, point, 0) >= 0) return false
    const { count, vertices, numbers } = point
    const x = numbers[X]
    const y = numbers[Y]
    const xLow = numbers[X_LOW]
    const yLow = numbers[Y_LOW]
    out.x = count > 0 ? x + (numbers[vertices] + xLow) : x
    out.y = count > 0 ? y + (numbers[vertices + 1] + yLow) : y
    return true
  })
}

/** The part, or its first edge when it is an outline. */
function bodyOfPart(part: Part): Body {
  if (part.outline === null) return part.body
  setEdgeBody(part.outline, 0, part.body, leafSlotB)
  return leafSlotB
}

// Whether the interiors of two bodies meet although none of their leaves penetrate each other: where an edge runs through a
// vertex of the other outline, where outlines coincide, and where a part lies inside and touches from there.
//
// Method: a convex part that no edge enters is inside or outside as a whole. An edge is cut where the other outline touches
// it; each piece that does not run along that outline is inside or outside as a whole. Edges of two solid outlines that run
// along each other in one direction have their insides on one side.
// Frame: of the outline that is asked. Pieces shorter than rounding are passed over.

/** Pairs of leaves that touch: of the first and of the second body. */
interface LeafTouches {
  count: number
  leavesA: Int32Array
  leavesB: Int32Array
}

/** Touches up to which the memory for them is kept. */
const KEPT_COUNT = 2 ** 12

function createTouches(): LeafTouches {
  return { count: 0, leavesA: new Int32Array(16), leavesB: new Int32Array(16) }
}

function clearTouches(touches: LeafTouches): void {
  touches.count = 0
}

function noteTouch(touches: LeafTouches, leafA: number, leafB: number): void {
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
function forgetTouches(touches: LeafTouches): void {
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

function interiorsMeet(first: Composite, second: Composite, touches: LeafTouches): boolean {
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
  if (a.numbers[a.normals] * b.numbers[b.normals] + a.numbers[a.normals + 1] * b.numbers[b.normals + 1] <= 0)
    return false
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

function lengthOf({ vertices, numbers }: Body): number {
  return Math.hypot(numbers[vertices + 2] - numbers[vertices], numbers[vertices + 3] - numbers[vertices + 1])
}

/** Bound on how far rounding moves the ends of one leaf against the other. */
function errorOf(a: Body, b: Body): number {
  return (
    4 *
    SEPARATION_ERROR_RATIO *
    (Math.abs(a.numbers[X] - b.numbers[X]) + Math.abs(a.numbers[Y] - b.numbers[Y]) + size(a) + size(b))
  )
}

function size({ numbers }: Body): number {
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  const reach = numbers[REACH]
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
      const isEdge = body.kind === POLYGON && body.count <= 2 && body.numbers[RADIUS] <= 0
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
  const x = centered ? 0 : body.numbers[ANCHOR_X] + body.numbers[CENTER_X]
  const y = centered ? 0 : body.numbers[ANCHOR_Y] + body.numbers[CENTER_Y]
  return isInside(outline, x + offsetX(holder.body, body), y + offsetY(holder.body, body))
}

/** The middle of a segment is a sum of doubles too: position + half of either end. */
function isMiddleInside(holder: Part, { vertices, numbers }: Body): boolean {
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  if (xLow !== 0 || yLow !== 0) return false
  middle.numbers[X] = x
  middle.numbers[Y] = y
  middle.numbers[middle.vertices] = numbers[vertices] / 2
  middle.numbers[middle.vertices + 1] = numbers[vertices + 1] / 2
  middle.numbers[X_LOW] = numbers[vertices + 2] / 2
  middle.numbers[Y_LOW] = numbers[vertices + 3] / 2
  return vertexInOutline(holder.outline as Outline, holder.body, middle, 0) < 0
}

/** Notes where the ends of `other`, an edge, lie on `edge`, whose body is `body`. */
function cut(edge: TouchedEdge, body: Body, other: Body): void {
  const dx = offsetX(body, other) - body.numbers[body.vertices]
  const dy = offsetY(body, other) - body.numbers[body.vertices + 1]
  const length = lengthOf(body)
  const ux = (body.numbers[body.vertices + 2] - body.numbers[body.vertices]) / length
  const uy = (body.numbers[body.vertices + 3] - body.numbers[body.vertices + 1]) / length
  const error = errorOf(body, other)
  const shares: number[] = []
  for (let i = 0; i < other.count; i++) {
    const x = other.numbers[other.vertices + 2 * i] + dx
    const y = other.numbers[other.vertices + 2 * i + 1] + dy
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
  const x0 = body.numbers[body.vertices] + offsetX(holder.body, body)
  const y0 = body.numbers[body.vertices + 1] + offsetY(holder.body, body)
  const ex = body.numbers[body.vertices + 2] - body.numbers[body.vertices]
  const ey = body.numbers[body.vertices + 3] - body.numbers[body.vertices + 1]
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

// A quick look at two edges of outlines before they are measured: most of those whose boxes are near each other are farther
// apart than the nearest ones found so far.
//
// Method: two segments that do not cross are nearest at an end of one of them. In doubles, with a bound on the rounding error.
// Frame: world axes, origin at the position of the first edge's part.

/** Ends of the two edges. */
let ax = 0
let ay = 0
let bx = 0
let by = 0
let px = 0
let py = 0
let qx = 0
let qy = 0

/** True only when both leaves are edges and more than `distance` apart for certain, the second one moved by (tx, ty). */
export function edgesApart(
  a: Composite,
  leafA: number,
  b: Composite,
  leafB: number,
  distance: number,
  tx: number,
  ty: number,
): boolean {
  if (distance === Infinity) return false
  const partA = a.parts[a.leafPart[leafA]]
  const partB = b.parts[b.leafPart[leafB]]
  if (partA.outline === null || partB.outline === null) return false
  spend(1)
  const dx = partB.body.numbers[X] - partA.body.numbers[X] + tx
  const dy = partB.body.numbers[Y] - partA.body.numbers[Y] + ty
  const lowX = partB.body.numbers[X_LOW] - partA.body.numbers[X_LOW]
  const lowY = partB.body.numbers[Y_LOW] - partA.body.numbers[Y_LOW]
  const edgeA = a.leafEdge[leafA]
  const edgeB = b.leafEdge[leafB]
  const endA = partA.outline.edgeEnd[edgeA]
  const endB = partB.outline.edgeEnd[edgeB]
  const fromA = partA.outline.vertices
  const fromB = partB.outline.vertices
  ax = fromA[2 * edgeA]
  ay = fromA[2 * edgeA + 1]
  bx = fromA[2 * endA]
  by = fromA[2 * endA + 1]
  px = fromB[2 * edgeB] + (dx + lowX)
  py = fromB[2 * edgeB + 1] + (dy + lowY)
  qx = fromB[2 * endB] + (dx + lowX)
  qy = fromB[2 * endB + 1] + (dy + lowY)
  const size =
    Math.abs(dx) +
    Math.abs(dy) +
    Math.abs(ax) +
    Math.abs(ay) +
    Math.abs(bx) +
    Math.abs(by) +
    Math.abs(px - dx) +
    Math.abs(py - dy) +
    Math.abs(qx - dx) +
    Math.abs(qy - dy)
  const least = distance + SEPARATION_ERROR_RATIO * size
  const square = least * least
  return (
    !cross() &&
    squareToEdge(ax, ay, px, py, qx, qy) > square &&
    squareToEdge(bx, by, px, py, qx, qy) > square &&
    squareToEdge(px, py, ax, ay, bx, by) > square &&
    squareToEdge(qx, qy, ax, ay, bx, by) > square
  )
}

/** Whether the edges cross; rounding may say no where an end of one is as good as on the other. */
function cross(): boolean {
  const ex = bx - ax
  const ey = by - ay
  const fx = qx - px
  const fy = qy - py
  const sideP = ex * (py - ay) - ey * (px - ax)
  const sideQ = ex * (qy - ay) - ey * (qx - ax)
  if (sideP > 0 === sideQ > 0) return false
  const sideA = fx * (ay - py) - fy * (ax - px)
  const sideB = fx * (by - py) - fy * (bx - px)
  return sideA > 0 !== sideB > 0
}

/** Square of the distance from (x, y) to the segment from (ux, uy) to (vx, vy). */
function squareToEdge(x: number, y: number, ux: number, uy: number, vx: number, vy: number): number {
  const ex = vx - ux
  const ey = vy - uy
  const dx = x - ux
  const dy = y - uy
  const along = dx * ex + dy * ey
  const length = ex * ex + ey * ey
  if (!(along > 0)) return dx * dx + dy * dy
  if (along >= length) return (x - vx) * (x - vx) + (y - vy) * (y - vy)
  const t = along / length
  const ox = dx - t * ex
  const oy = dy - t * ey
  return ox * ox + oy * oy
}
