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
import type { BoxTree } from '../bvh/box-tree.ts'
import { visitTreePairs } from '../bvh/dual-traversal.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import type { Outline } from '../outline/outline.ts'
import { type Body, COMPOSITE, type Composite, createBody, type Part } from '../shape/body.ts'
import { createComposite, leafBody, setEdgeBody, viewAsComposite } from '../shape/composite.ts'
import { isCurved } from '../shape/kinds.ts'
import {
  FEW_LEAF_PAIRS_COUNT,
  LEAF_PAIR_STEP_COUNT,
  MANY_TOUCHES_COUNT,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'
import { edgesApart } from './edges-apart.ts'
import { someHeld } from './holding.ts'
import { outerTree } from './outer-leaves.ts'
import { clearTouches, createTouches, forgetTouches, interiorsMeet, noteTouch } from './touching-interiors.ts'
import { vertexInOutline } from './vertex-in-outline.ts'

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

/** What decides the relation of the pair: two leaves, or a part within a solid outline. */
export interface LeafPair {
  relation: Sign
  /** Distance when apart; else 0. */
  distance: number
  /** The same; where leaves overlap, minus the depth of the first ones that were found to. NaN where no leaves decide, or such as are not plump. */
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

export function isComposite(body: Body): boolean {
  return body.kind === COMPOSITE
}

/**
 * Whether the gap to the body changes as steadily as it moves, down to the last digits: not that of ellipses, whose signs are no finer
 * than their tolerance, and not that of points and segments, which slip past corners.
 */
export function isPlump({ kind, count, radius }: Body): boolean {
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
    dx: second.x - first.x,
    dy: second.y - first.y,
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
    if (la.radius !== lb.radius) return la.radius - lb.radius
    for (let i = 0; i < 2 * la.count; i++) {
      if (la.vertices[i] !== lb.vertices[i]) return la.vertices[i] - lb.vertices[i]
    }
  }
  return a.x !== b.x ? a.x - b.x : a.y - b.y
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
    const { x, y, xLow, yLow, count, vertices } = point
    out.x = count > 0 ? x + (vertices[0] + xLow) : x
    out.y = count > 0 ? y + (vertices[1] + yLow) : y
    return true
  })
}

/** The part, or its first edge when it is an outline. */
function bodyOfPart(part: Part): Body {
  if (part.outline === null) return part.body
  setEdgeBody(part.outline, 0, part.body, leafSlotB)
  return leafSlotB
}
