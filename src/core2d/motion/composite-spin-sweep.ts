/**
 * Time of impact of two bodies of which at least one is composite and at least one spins.
 *
 * Method: time is cut into slabs in which neither body turns by more than a quarter of a radian. In each, both box trees
 * are walked with boxes that cover the nodes all through the slab, and the leaf pairs that are left are swept as convex
 * pairs (`spin-sweep.ts`), each up to the earliest contact so far; the first slab with a contact has the answer. A slab in
 * which many leaf pairs come near each other is halved until few do. Leaf
 * pairs that touch at the start of a motion that leaves are followed one by one over the whole time instead.
 * Frame: as `spin-sweep.ts`; leaves turn about the composite's position.
 */

import { spend } from '../../containers/budget.ts'
import { ADVANCEMENT_COUNT } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { sharedSteps, shareSteps, takeSharedStep } from '../../numeric/step-budget.ts'
import { type BoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { holdsPart } from '../narrow-phase/holding.ts'
import { orderComposites } from '../narrow-phase/leaf-pairs.ts'
import { createSeparation, swapWitnesses } from '../narrow-phase/separation.ts'
import { type Body, type Composite, createBody, X, X_LOW, Y, Y_LOW } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { isMovedBySpin, type Motion, moveTurning } from '../shape/motion.ts'
import { ELLIPSE_ERROR_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { createDiscSpan, period, setDiscSpan } from './moving-pair.ts'
import { createSpinExit, exitSpin, type SpinExit } from './spin-exit.ts'
import { createSpinHit, type SpinHit, sweepSpin } from './spin-sweep.ts'

/** The ordered pair and how its bodies move. */
export interface SpinPair extends SlabPair {
  first: Body
  second: Body
  motionA: Motion
  motionB: Motion
  /** Whether `first` is the caller's B. */
  swapped: boolean
  /** Farthest points from the positions. */
  reachA: number
  reachB: number
}

/** Radians that a body may turn by in one slab, and the share of the pair's size that it may travel by. */
const SLAB_TURN = 0.25
const SLAB_SHARE = 0.5

/** Leaf pairs up to which a slab is swept as it is, and how many times one with more is halved. */
const FEW_LEAF_PAIRS = 64
const HALVING_COUNT = 20

/** Rounding errors of a distance up to which a leaf pair at the start counts as touching. */
const TOUCHING_COUNT = 4

/** Steps of posing or sweeping a pair of leaves, the steps on its way not counted. */
const LEAF_STEPS = 8

const leafSlotA = createBody()
const leafSlotB = createBody()
const posedA = createBody()
const posedB = createBody()
const separation = createSeparation()
const span = createDiscSpan()
const found = createSpinHit()
const NOTHING: Readonly<SpinHit> = { ...createSpinHit(), converged: false }
/** Leaf pairs that are followed on their own. */
const followed = new Set<number>()

/** Puts the pair in order. The views are module scratch of `narrow-phase/leaf-pairs.ts`. */
export function orderSpinPair(a: Body, motionA: Motion, b: Body, motionB: Motion): SpinPair {
  const { first, second, firstView, secondView, swapped, dx, dy } = orderComposites(a, b)
  const motionOfFirst = swapped ? motionB : motionA
  const motionOfSecond = swapped ? motionA : motionB
  return {
    first,
    second,
    viewA: firstView,
    viewB: secondView,
    motionA: motionOfFirst,
    motionB: motionOfSecond,
    swapped,
    spinA: turningOf(first, motionOfFirst),
    spinB: turningOf(second, motionOfSecond),
    dx: dx + (second.numbers[X_LOW] - first.numbers[X_LOW]),
    dy: dy + (second.numbers[Y_LOW] - first.numbers[Y_LOW]),
    vx: motionOfSecond.vx - motionOfFirst.vx,
    vy: motionOfSecond.vy - motionOfFirst.vy,
    reachA: reachOf(firstView),
    reachB: reachOf(secondView),
  }
}

function turningOf(body: Body, { spin }: Motion): number {
  return isMovedBySpin(body, body) ? spin : 0
}

/** Infinite when a half-plane is among the parts. */
function reachOf({ tree }: Composite): number {
  const { boxes, nodeCount } = tree
  if (nodeCount === 0) return 0
  return vectorLength(Math.max(-boxes[0], boxes[2]), Math.max(-boxes[1], boxes[3]))
}

/** As `sweepSpin`, for whole bodies of any kind. `leaving`: no leaf pair overlaps at `from`; those that touch are let go. */
export function sweepSpinComposite(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  from: number,
  to: number,
  leaving: boolean,
  out: SpinHit,
): boolean {
  const pair = orderSpinPair(a, motionA, b, motionB)
  const found = shareSteps(() => sweepPair(pair, from, to, leaving, out))
  if (!found) return false
  if (pair.swapped) swapHit(out)
  return true
}

/** Sweeps an ordered pair and answers in its order. */
function sweepPair(pair: SpinPair, from: number, to: number, leaving: boolean, out: SpinHit): boolean {
  const { spinA, spinB, dx, dy, vx, vy, reachA, reachB } = pair
  const size = reachA + reachB
  if (pair.viewA.leafCount === 0 || pair.viewB.leafCount === 0) return false
  let start = from
  let end = to
  out.time = Infinity
  followed.clear()
  if (leaving) {
    followTouching(pair, from, to, out)
    end = Math.min(end, out.time)
  }
  if (size < Infinity) {
    if (!setDiscSpan(dx, dy, vx, vy, size, span)) return out.time < Infinity
    start = Math.max(start, span.enter)
    end = Math.min(end, span.leave)
  }
  if (vx === 0 && vy === 0) end = Math.min(end, start + period(spinA, spinB))
  const slab = slabLength(pair, size)
  let before = start
  for (let k = 0; start <= end; k++) {
    const stop = Math.min(end, start + slab)
    if (k === ADVANCEMENT_COUNT || sharedSteps() <= 0 || (stop === start && stop < end)) {
      return giveUp(pair, start, out)
    }
    takeSharedStep()
    if (sweepSlab(pair, before, start, start, stop, HALVING_COUNT, out)) return true
    if (stop === end) break
    before = start
    start = stop
  }
  return out.time < Infinity
}

function slabLength({ spinA, spinB, vx, vy, reachA, reachB }: SpinPair, size: number): number {
  const turn = SLAB_TURN / Math.max(Math.abs(spinA), Math.abs(spinB))
  const room = size < Infinity ? size : Math.min(reachA, reachB)
  const travel = (SLAB_SHARE * room) / vectorLength(vx, vy)
  return travel > 0 ? Math.min(turn, travel) : turn
}

/**
 * Earliest contact in [from, to] into `out`, if it is earlier than what is there; of leaf pairs that are swept from `start` on.
 * A time in which very many may meet is halved, `halvings` times at most, and its second half only looked at when nothing
 * meets in the first.
 */
function sweepSlab(
  pair: SpinPair,
  before: number,
  start: number,
  from: number,
  to: number,
  halvings: number,
  out: SpinHit,
): boolean {
  let near = leavesNear(pair, from, to, FEW_LEAF_PAIRS)
  if (near === null) {
    const middle = from + (to - from) / 2
    const atOnce = leavesNear(pair, middle, middle, sharedSteps())
    if (atOnce === null) return giveUp(pair, from, out)
    // Halving helps while many fewer are near at one instant.
    const most = halvings > 0 ? FEW_LEAF_PAIRS + atOnce.length : Infinity
    near = leavesNear(pair, from, to, Math.min(most, sharedSteps()))
    if (near === null) {
      if (halvings === 0) return giveUp(pair, from, out)
      return (
        sweepSlab(pair, before, start, from, middle, halvings - 1, out) ||
        sweepSlab(pair, before, start, middle, to, halvings - 1, out)
      )
    }
  }
  let any = false
  for (let k = 0; k < near.length; k += 2) {
    const leafA = near[k]
    const leafB = near[k + 1]
    const latest = Math.min(to, out.time)
    if (!sweepLeaves(pair, leafA, leafB, start, latest, false, found)) continue
    // Touching just now: what it came from tells the side it was met on.
    if (found.time === start && before < start && !sweepLeaves(pair, leafA, leafB, before, latest, false, found)) {
      sweepLeaves(pair, leafA, leafB, start, latest, false, found)
    }
    if (found.time < out.time || (found.time === out.time && isBefore(found, out))) {
      copyHit(found, out)
      any = true
    }
  }
  return any
}

/**
 * No steps are left, or more leaf pairs are near than are: until `time` there is no contact, and nothing is known beyond. For
 * points of the two there are their positions.
 */
function giveUp({ first, second, motionA, motionB }: SpinPair, time: number, out: SpinHit): true {
  Object.assign(out, NOTHING)
  out.time = time
  out.ax = first.numbers[X] + time * motionA.vx
  out.ay = first.numbers[Y] + time * motionA.vy
  out.bx = second.numbers[X] + time * motionB.vx
  out.by = second.numbers[Y] + time * motionB.vy
  return true
}

/** Leaves, in twos, that may meet in [from, to] and are not followed on their own; null when more than `most` pairs do. */
function leavesNear(pair: SpinPair, from: number, to: number, most: number): number[] | null {
  const { leafCount } = pair.viewB
  const near: number[] = []
  setSlab(pair, from, to)
  visitSlabPairs(pair, (leafA, leafB) => {
    if (!followed.has(leafA * leafCount + leafB)) near.push(leafA, leafB)
    return near.length <= 2 * most
  })
  return near.length > 2 * most ? null : near
}

/** Order of contacts at one instant. */
function isBefore(p: SpinHit, q: SpinHit): boolean {
  return p.leafA !== q.leafA ? p.leafA < q.leafA : p.leafB < q.leafB
}

/** Sweeps the leaf pairs that touch at `from` over the whole time, and notes them in `followed`. */
function followTouching(pair: SpinPair, from: number, to: number, out: SpinHit): void {
  setSlab(pair, from, from)
  visitSlabPairs(pair, (leafA, leafB) => {
    if (separationAt(pair, leafA, leafB, from) > touchingDistance(pair, from)) return true
    followed.add(leafA * pair.viewB.leafCount + leafB)
    if (sweepLeaves(pair, leafA, leafB, from, Math.min(to, out.time), true, found) && found.time < out.time) {
      copyHit(found, out)
    }
    return true
  })
}

/** Separation of a leaf pair at time t. */
export function separationAt(pair: SpinPair, leafA: number, leafB: number, t: number): number {
  spend(LEAF_STEPS)
  const { first, second, viewA, viewB, motionA, motionB } = pair
  const a = leafBody(viewA, leafA, leafSlotA)
  const b = leafBody(viewB, leafB, leafSlotB)
  separate(moveTurning(a, motionA, first, t, posedA), moveTurning(b, motionB, second, t, posedB), separation)
  return separation.value
}

/** Up to which distance a pair is looked at as one that may touch at time t: a few rounding errors, ellipses' included. */
export function touchingDistance({ first, second, motionA, motionB, reachA, reachB }: SpinPair, t: number): number {
  const size = (reachA < Infinity ? reachA : 0) + (reachB < Infinity ? reachB : 0)
  const places =
    Math.abs(first.numbers[X]) +
    Math.abs(first.numbers[Y]) +
    Math.abs(second.numbers[X]) +
    Math.abs(second.numbers[Y]) +
    t * (Math.abs(motionA.vx) + Math.abs(motionA.vy) + Math.abs(motionB.vx) + Math.abs(motionB.vy))
  return TOUCHING_COUNT * ELLIPSE_ERROR_RATIO * (size + places)
}

/** Sweep of one leaf pair; the answer names it. */
function sweepLeaves(
  { first, second, viewA, viewB, motionA, motionB }: SpinPair,
  leafA: number,
  leafB: number,
  from: number,
  to: number,
  leaving: boolean,
  out: SpinHit,
): boolean {
  takeSharedStep()
  spend(LEAF_STEPS)
  const a = leafBody(viewA, leafA, leafSlotA)
  const b = leafBody(viewB, leafB, leafSlotB)
  if (!sweepSpin(a, motionA, first, b, motionB, second, from, to, leaving, out)) return false
  out.leafA = leafA
  out.leafB = leafB
  return true
}

function copyHit(from: SpinHit, to: SpinHit): void {
  Object.assign(to, from)
}

/** Swaps the roles of A and B. */
export function swapHit(hit: SpinHit): void {
  const { leafA } = hit
  swapWitnesses(hit)
  hit.leafA = hit.leafB
  hit.leafB = leafA
}

// When two bodies that meet part again, of which at least one is composite and at least one spins.
//
// Method: the bodies meet as long as some leaf pair does, so the time moves on from the exit of one leaf pair to that of
// another that meets then (`spin-exit.ts`). When no leaf pair does, a part may still lie wholly in a solid outline
// of the other body; it stays there until leaves meet again, which the sweep finds.
// Frame: as `composite-spin-sweep.ts`.

const exitSlotA = createBody()
const exitSlotB = createBody()
const leafExit = createSpinExit()
const next = createSpinHit()

/** As `exitSpin`, for whole bodies of any kind. */
export function exitSpinComposite(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  from: number,
  to: number,
  out: SpinExit,
): boolean {
  return shareSteps(() => exitOfPair(orderSpinPair(a, motionA, b, motionB), from, to, out))
}

function exitOfPair(pair: SpinPair, from: number, to: number, out: SpinExit): boolean {
  out.converged = true
  let t = from
  while (sharedSteps() > 0) {
    takeSharedStep()
    const latest = lastExit(pair, t, to, out)
    if (latest === Infinity) return false
    // Leaf pairs that part at once hold nothing; rounding must not make them a stairway.
    if (latest > t + instant(pair, t)) {
      t = latest
      continue
    }
    const again = sweepPair(pair, t, to, true, next)
    // In an instant of a slow spin all the time may pass.
    const until = again ? Math.min(Math.max(next.time, t + instant(pair, t)), to) : to
    if (!isHeld(pair, t + (until - t) / 2)) {
      out.time = t
      return true
    }
    if (!(until < to)) return false
    t = until
  }
  out.time = t
  out.converged = false
  return true
}

/** In how much time a point of the pair moves by what counts as touching. */
function instant(pair: SpinPair, t: number): number {
  const { vx, vy, spinA, spinB, reachA, reachB } = pair
  const turning = (spinA === 0 ? 0 : Math.abs(spinA) * reachA) + (spinB === 0 ? 0 : Math.abs(spinB) * reachB)
  return (4 * touchingDistance(pair, t)) / (Math.abs(vx) + Math.abs(vy) + turning)
}

/** Latest exit of the leaf pairs that meet at time t; t when none does, Infinity when one meets to the end. */
function lastExit(pair: SpinPair, t: number, to: number, out: SpinExit): number {
  const { first, second, viewA, viewB, motionA, motionB } = pair
  let latest = t
  setSlab(pair, t, t)
  visitSlabPairs(pair, (leafA, leafB) => {
    // Leaves that are apart when the latest of the others part have parted before.
    if (latest > t && separationAt(pair, leafA, leafB, latest) > touchingDistance(pair, latest)) return true
    if (separationAt(pair, leafA, leafB, t) > touchingDistance(pair, t)) return true
    const a = leafBody(viewA, leafA, exitSlotA)
    const b = leafBody(viewB, leafB, exitSlotB)
    const parts = exitSpin(a, motionA, first, b, motionB, second, t, to, leafExit)
    out.converged &&= leafExit.converged
    latest = parts ? Math.max(latest, leafExit.time) : Infinity
    return parts
  })
  return latest
}

/** Whether at time t, when no leaves meet, a solid outline of one body holds a part of the other. */
function isHeld({ first, second, viewA, viewB, spinA, spinB, dx, dy, vx, vy }: SpinPair, t: number): boolean {
  const a = { body: first, view: viewA, turn: spinA * t }
  const b = { body: second, view: viewB, turn: spinB * t }
  return holdsPart(a, b, dx + vx * t, dy + vy * t)
}

// Pairs of leaves of two composites whose boxes may meet within a slab of time in which both move and turn.
//
// Method: a node's box is turned to the middle of the slab and widened by the arc that its farthest point sweeps on either
// side, and by half of the travel of the second body against the first. What is left out is certainly apart.
// Frame: world axes, origin at the first body's position at the middle of the slab.

interface SlabPair {
  viewA: Composite
  viewB: Composite
  /** Radians per second, counter-clockwise. */
  spinA: number
  spinB: number
  /** Position of the second body from the first one's at time 0, and its velocity against it. */
  dx: number
  dy: number
  vx: number
  vy: number
}

/** One body in the slab. */
interface Side {
  cos: number
  sin: number
  /** Half of the angle it turns by. */
  arc: number
}

/** A node's box in the slab: centre and half extents; NaN where it is unbounded. */
interface Swept {
  x: number
  y: number
  halfX: number
  halfY: number
}

const sideA: Side = { cos: 1, sin: 0, arc: 0 }
const sideB: Side = { cos: 1, sin: 0, arc: 0 }
const sweptA: Swept = { x: 0, y: 0, halfX: 0, halfY: 0 }
const sweptB: Swept = { x: 0, y: 0, halfX: 0, halfY: 0 }
const stack = new Int32Array(4 * (TREE_DEPTH_COUNT + 1))

/** The second body in the slab: place at the middle, and how far it strays from there; module scratch. */
let middleX = 0
let middleY = 0
let strayX = 0
let strayY = 0

/** The slab [start, stop] for `visitSlabPairs`. */
export function setSlab(pair: SlabPair, start: number, stop: number): void {
  const middle = start + (stop - start) / 2
  const half = (stop - start) / 2
  setSide(sideA, pair.spinA, middle, half)
  setSide(sideB, pair.spinB, middle, half)
  middleX = pair.dx + pair.vx * middle
  middleY = pair.dy + pair.vy * middle
  const slack =
    SEPARATION_ERROR_RATIO * (Math.abs(pair.dx) + Math.abs(pair.dy) + (Math.abs(pair.vx) + Math.abs(pair.vy)) * stop)
  strayX = Math.abs(pair.vx) * half + slack
  strayY = Math.abs(pair.vy) * half + slack
}

function setSide(side: Side, spin: number, middle: number, half: number): void {
  side.cos = spin === 0 ? 1 : Math.cos(spin * middle)
  side.sin = spin === 0 ? 0 : Math.sin(spin * middle)
  side.arc = Math.abs(spin) * half
}

/** Calls `visit` for the leaf pairs that may meet in the slab, until it returns false. */
export function visitSlabPairs(pair: SlabPair, visit: (leafA: number, leafB: number) => boolean): void {
  const treeA = pair.viewA.tree
  const treeB = pair.viewB.tree
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return
  let top = 0
  stack[top++] = 0
  stack[top++] = 0
  while (top > 0) {
    spend(2)
    const j = stack[--top]
    const i = stack[--top]
    setSwept(sideA, treeA, i, sweptA)
    setSwept(sideB, treeB, j, sweptB)
    if (areApart()) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      if (!visit(~childA, ~childB)) return
      continue
    }
    // The larger one; an unbounded box compares as false and is split while it can be.
    const smaller = sweptA.halfX + sweptA.halfY < sweptB.halfX + sweptB.halfY
    const splitA = childB < 0 || (childA >= 0 && !smaller)
    stack[top++] = splitA ? childA + 1 : i
    stack[top++] = splitA ? j : childB + 1
    stack[top++] = splitA ? childA : i
    stack[top++] = splitA ? j : childB
  }
}

function areApart(): boolean {
  return (
    Math.abs(middleX + sweptB.x - sweptA.x) > sweptA.halfX + sweptB.halfX + strayX ||
    Math.abs(middleY + sweptB.y - sweptA.y) > sweptA.halfY + sweptB.halfY + strayY
  )
}

function setSwept({ cos, sin, arc }: Side, { boxes }: BoxTree, node: number, out: Swept): void {
  const at = 4 * node
  const x = 0.5 * boxes[at] + 0.5 * boxes[at + 2]
  const y = 0.5 * boxes[at + 1] + 0.5 * boxes[at + 3]
  const halfX = 0.5 * boxes[at + 2] - 0.5 * boxes[at]
  const halfY = 0.5 * boxes[at + 3] - 0.5 * boxes[at + 1]
  const far = vectorLength(Math.abs(x) + halfX, Math.abs(y) + halfY)
  const wide = (arc + SEPARATION_ERROR_RATIO) * far
  out.x = cos * x - sin * y
  out.y = sin * x + cos * y
  out.halfX = Math.abs(cos) * halfX + Math.abs(sin) * halfY + wide
  out.halfY = Math.abs(sin) * halfX + Math.abs(cos) * halfY + wide
}
