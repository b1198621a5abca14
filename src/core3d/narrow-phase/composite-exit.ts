/**
 * How far the second of two bodies, of which at least one is composite, has to move along a direction until they no longer overlap.
 *
 * Method: two convex leaves meet in one span of the way. Its ends are roots of their gap, which is convex: Newton's steps from outside never
 * pass them, and end within the error of a height. The spans are joined from the start on, as far as they reach without a gap. Both trees give
 * the leaf pairs by when their boxes meet and part: what meets beyond the spans joined so far waits until they reach it, and is never opened
 * where they do not; triangles have closer bounds than their boxes (`triangle-span.ts`). In a gap the bodies overlap still where a solid holds a piece of
 * the other: up to the next span. Leaves that only touch all along their span, as level ones do, count only if asked for.
 * Frame: world axes; ways of the second body. Cost: that of the leaf pairs that may lengthen what is joined.
 */

import { spend } from '../../containers/budget.ts'
import {
  addToQueue,
  clearQueue,
  createPriorityQueue,
  leastKey,
  takeFromQueue,
} from '../../containers/priority-queue.ts'
import { beginWalk, endWalk, extendWalk, type WalkStack } from '../../containers/scratch.ts'
import { sumError } from '../../numeric/expansion.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  createBody,
  HALFSPACE,
  type Part,
  POINTS,
  POSITION,
  RADIUS,
  scaled,
  type Vector,
} from '../shape/body.ts'
import { EXIT_STEP_COUNT, LEAF_SWEEP_STEP_COUNT, SEPARATION_ERROR_RATIO, TOUCHING_COUNT } from '../tolerances.ts'
import { holdsSomething } from './composite-holding.ts'
import {
  type BoxMeasure,
  type CompositeFrame,
  createCompositeFrame,
  farthestIn,
  leafOf,
  leafPair,
  type NodeVisit,
  openLarger,
  orderComposites,
  visitRoots,
  wayMeasure,
} from './composite-walk.ts'
import { createDepth, measureDepth, measureHalfspaceDepth } from './depth.ts'
import { boundDistance, createBounds } from './gjk.ts'
import { separateHalfspace } from './halfspace-any.ts'
import { createPairFrame, createSeparation, type PairFrame } from './pair-frame.ts'
import { partAtCorner } from './shared-corner.ts'
import { boundCurved } from './smooth-contact.ts'
import { isTriangle, narrowSpan, type WayBounds } from './triangle-span.ts'

const bounds = createBounds()
const depth = createDepth()
const separation = createSeparation()
const now = createPairFrame()

/** One pair of leaves on its way; `side`: 1 where the leaf that moves is its second, −1 where it is its first. */
interface LeafWay {
  pair: PairFrame
  side: 1 | -1
  way: Vector
}

/** Of the surfaces at the place last posed, and how fast it opens on the way. */
const gap = { height: 0, rate: 0, error: 0 }

function poseAt({ pair, side, way }: LeafWay, length: number): void {
  Object.assign(now, pair)
  const step = side * length
  now.dx = pair.dx + step * way[0]
  now.dy = pair.dy + step * way[1]
  now.dz = pair.dz + step * way[2]
  now.extent = pair.extent + Math.abs(length) * 2
  now.error = SEPARATION_ERROR_RATIO * now.extent
}

function gapAt(leaves: LeafWay, length: number): void {
  poseAt(leaves, length)
  const { first, second } = now
  const { side, way } = leaves
  gap.error = now.error
  if (second.kind === HALFSPACE) {
    separateHalfspace(now, separation)
    if (separation.meet) {
      measureHalfspaceDepth(now, depth)
      setGap(-depth.depth, depth.nx, depth.ny, depth.nz, side, way)
    } else setGap(separation.distance, separation.normal[0], separation.normal[1], separation.normal[2], side, way)
    return
  }
  if (first.kind === POINTS && second.kind === POINTS) boundDistance(now, bounds)
  else boundCurved(now, bounds)
  setGap(bounds.lower - first.numbers[RADIUS] - second.numbers[RADIUS], -bounds.nx, -bounds.ny, -bounds.nz, side, way)
}

function setGap(height: number, x: number, y: number, z: number, side: number, way: Vector): void {
  gap.height = height
  gap.rate = side * (x * way[0] + y * way[1] + z * way[2])
}

const span = { enter: 0, leave: 0 }

/** Sets `span` to where the leaves meet between two places, at the second of which they are apart; false where they do not. */
function findSpan(leaves: LeafWay, from: number, to: number): boolean {
  spend(LEAF_SWEEP_STEP_COUNT)
  if (leaves.pair.second.kind === HALFSPACE) return findHalfspaceSpan(leaves, from)
  span.leave = to
  for (let step = 0; ; step++) {
    gapAt(leaves, span.leave)
    if (gap.height <= 0) break
    // As long as the gap is clear the next place keeps a little of it, so that the last step is a short one.
    const isLast = gap.height <= 4 * gap.error || step === EXIT_STEP_COUNT
    const next = span.leave - (isLast ? gap.height : gap.height - 2 * gap.error) / gap.rate
    if (!(gap.rate > 0) || next < from) return false
    if (!(next < span.leave)) break
    span.leave = next
    if (isLast) break
  }
  span.enter = from
  for (let step = 0; span.enter < span.leave; step++) {
    gapAt(leaves, span.enter)
    if (gap.height <= gap.error) break
    const next = span.enter - gap.height / gap.rate
    if (!(gap.rate < 0) || !(next > span.enter) || step === EXIT_STEP_COUNT) break
    span.enter = Math.min(next, span.leave)
  }
  return true
}

/** Of a leaf and a half-space, whose gap changes evenly. */
function findHalfspaceSpan(leaves: LeafWay, from: number): boolean {
  gapAt(leaves, 0)
  const { height, rate, error } = gap
  const root = rate === 0 ? Infinity : -height / rate
  // Those that meet where the way begins do so there, whatever rounding makes of the root.
  const begin = rate < 0 && height + rate * from <= error ? Math.min(root, from) : root
  span.enter = height > 0 ? begin : 0
  span.leave = rate > 0 ? root : Infinity
  return span.enter <= span.leave && span.enter >= 0 && (rate < 0 || height <= 0)
}

/** Whether the leaves overlap in the middle of `span` by more than rounding. */
function sinksIn(leaves: LeafWay): boolean {
  if (span.leave === Infinity) return gap.rate !== 0 || gap.height < -TOUCHING_COUNT * gap.error
  poseAt(leaves, span.enter + (span.leave - span.enter) / 2)
  const { first, second } = now
  const margin = TOUCHING_COUNT * now.error
  if (second.kind === HALFSPACE) return (span.leave - span.enter) * gap.rate > 2 * margin
  if (first.kind === POINTS && second.kind === POINTS) boundDistance(now, bounds)
  else boundCurved(now, bounds)
  if (bounds.upper - first.numbers[RADIUS] - second.numbers[RADIUS] > margin) return false
  measureDepth(now, bounds, depth)
  return depth.depth > margin
}

/** A search under way: `end` is how far the spans found reach without a gap. */
interface Search {
  frame: CompositeFrame
  way: Vector
  limit: number
  countsTouching: boolean
  start: number
  end: number
  /** Of the pair of boxes that `measure` has just seen. */
  measure: BoxMeasure
  leave: number
  /** Pairs of nodes whose boxes meet on what is joined, to be opened last in first out, and where they part. */
  ready: WalkStack
  readyCount: number
  /** Pairs that meet beyond it, in `queue` by where they do so, and where they part; `SPAN` stands for leaves that have been looked at. */
  later: WalkStack
  laterCount: number
}

const queue = createPriorityQueue()
const SPAN = 2 ** 31 - 1

/** Pairs for which a search has room at first. */
const PAIR_COUNT = 256

/** Steps of keeping a pair for later: what it takes of memory. */
const LATER_STEPS = 4

/** Steps of bounds on two triangles. */
const BOUND_STEPS = 4

/**
 * The least way along the unit vector, of the second body of the frame, after which the two do not overlap but for rounding; Infinity where it is
 * more than `limit`, or where there is none. `countsTouching`: leaves that only touch hold them too. `start`: a place where they meet.
 */
export function exitAlong(
  frame: CompositeFrame,
  way: Vector,
  limit: number,
  countsTouching: boolean,
  start = 0,
): number {
  const ready = beginWalk(2 * PAIR_COUNT)
  const later = beginWalk(2 * PAIR_COUNT)
  try {
    const search: Search = {
      ...{ frame, way, limit, countsTouching, start, end: start },
      ...{ measure: () => 0, leave: 0, ready, readyCount: 0, later, laterCount: 0 },
    }
    search.measure = wayMeasure(way, 0, Infinity, padOf(frame), (enter, leave) => {
      search.leave = leave
      return enter
    })
    return exitBy(search)
  } finally {
    clearQueue(queue)
    endWalk()
    endWalk()
  }
}

/** What rounding may do to where boxes meet and to where leaves do. */
function padOf({ first, second, slack }: CompositeFrame): number {
  return slack + SEPARATION_ERROR_RATIO * (farthestIn(first.box) + farthestIn(second.box))
}

/** Joins spans until there is a gap that no solid bridges, or they pass the limit. */
function exitBy(search: Search): number {
  const { frame, way, limit, ready, later } = search
  let heldAt = -1
  const put = (i: number, j: number, a: Float64Array, b: Float64Array): void => putBoxes(search, i, j, a, b)
  visitRoots(frame, put)
  for (;;) {
    while (search.readyCount > 0) {
      const at = --search.readyCount
      if (!(ready.keys[at] < search.end)) lookAt(search, ready.nodes[2 * at], ready.nodes[2 * at + 1], 0, put)
      if (search.end > limit) return Infinity
    }
    if (queue.count === 0) return search.end
    const enter = leastKey(queue)
    if (enter > search.end && heldAt !== search.end) {
      // A gap, in which a solid may hold a piece up to the next span.
      if (!isHeldAt(frame, way, search.end)) return search.end
      heldAt = search.end
    }
    const at = takeFromQueue(queue)
    const leave = later.keys[at]
    if (leave <= search.end) continue
    const i = later.nodes[2 * at]
    if (i === SPAN) search.end = leave
    else lookAt(search, i, later.nodes[2 * at + 1], enter, put)
    if (search.end > limit) return Infinity
  }
}

/** Puts two nodes where they belong by their boxes, if these meet in time. */
function putBoxes(search: Search, i: number, j: number, a: Float64Array, b: Float64Array): void {
  const enter = search.measure(a, b)
  const { leave, end, limit, ready } = search
  if (!(enter <= limit) || leave < end) return
  if (enter > end) putLater(search, i, j, enter, leave)
  else {
    const at = search.readyCount++
    if (2 * at + 2 > ready.nodes.length) extendWalk(ready)
    ready.nodes[2 * at] = i
    ready.nodes[2 * at + 1] = j
    ready.keys[at] = leave
  }
}

function putLater(search: Search, i: number, j: number, enter: number, leave: number): void {
  spend(LATER_STEPS)
  const { later } = search
  const at = search.laterCount++
  if (2 * at + 2 > later.nodes.length) extendWalk(later)
  later.nodes[2 * at] = i
  later.nodes[2 * at + 1] = j
  later.keys[at] = leave
  addToQueue(queue, enter, at)
}

/** Opens two nodes, or joins the span of two leaves, which is known to begin no earlier than `earliest`. */
function lookAt(search: Search, i: number, j: number, earliest: number, put: NodeVisit): void {
  spend(1)
  const { frame, way, limit, countsTouching, start, end } = search
  if (i >= 0 || j >= 0) {
    openLarger(frame, i, j, put)
    return
  }
  // Of such a pair nothing is held but the place where the way begins.
  if (partAtCorner(leafOf(frame.first, ~i), leafOf(frame.second, ~j), way)) return
  const pair = leafPair(frame, ~i, ~j)
  const { exponent } = pair
  const leaves: LeafWay = { pair, side: pair.swapped ? -1 : 1, way }
  if (isTriangle(pair.first) && isTriangle(pair.second)) {
    spend(BOUND_STEPS)
    rough.enter = 0
    rough.leave = Infinity
    if (!narrowSpan(pair, leaves.side, way, rough)) return
    const enter = scaleBy(rough.enter, exponent)
    const leave = scaleBy(rough.leave, exponent)
    if (enter > limit || leave <= end) return
    if (enter > Math.max(end, earliest)) {
      putLater(search, i, j, enter, leave)
      return
    }
  }
  const from = scaleBy(start, -exponent)
  // Beyond that they are apart, however they lie.
  if (!findSpan(leaves, from, 2 * pair.extent + from)) return
  const enter = scaleBy(span.enter, exponent)
  const leave = scaleBy(span.leave, exponent)
  if (leave <= end || (!countsTouching && !sinksIn(leaves))) return
  if (enter > end) putLater(search, SPAN, SPAN, enter, leave)
  else search.end = leave
}

const rough: WayBounds = { enter: 0, leave: 0 }

const held = createCompositeFrame()

function isHeldAt({ first, second }: CompositeFrame, way: Vector, length: number): boolean {
  orderComposites(first.body, movedBody(second.body, scaled(way, length)), held)
  return holdsSomething(held)
}

// Bodies at other places.

/** The body moved by a vector, as one that shares all else with it. */
export function movedBody(body: Body, by: Vector): Body {
  const numbers = body.numbers.slice()
  for (let k = 0; k < 3; k++) numbers[POSITION + k] += by[k]
  const moved = { ...body, numbers }
  if (body.kind === COMPOSITE) moved.composite = movedParts(body.composite as Composite, by)
  return moved
}

function movedParts(composite: Composite, by: Vector): Composite {
  const { partCount } = composite
  spend(partCount)
  return { ...composite, parts: composite.parts.slice(0, partCount).map((part) => movedPart(part, by)) }
}

function movedPart(part: Part, by: Vector): Part {
  if (part.mesh === null) return { ...part, body: movedBody(part.body, by) }
  const position = part.placement.position.slice()
  for (let k = 0; k < 3; k++) {
    const sum = position[k] + by[k]
    const rest = position[k + 3] + sumError(position[k], by[k], sum)
    position[k] = sum + rest
    position[k + 3] = sumError(sum, rest, position[k])
  }
  return { ...part, body: SPARE, placement: { ...part.placement, position } }
}

const SPARE = createBody()
