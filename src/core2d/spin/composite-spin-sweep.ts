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
import { sharedSteps, shareSteps, takeSharedStep } from '../../numeric/step-budget.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { orderComposites } from '../composite/leaf-pairs.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { createSeparation, swapWitnesses } from '../narrow-phase/separation.ts'
import { type Body, type Composite, createBody } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { isMovedBySpin, type Motion, moveTurning } from '../shape/motion.ts'
import { ELLIPSE_ERROR_RATIO } from '../tolerances.ts'
import { createDiscSpan, period, setDiscSpan } from './moving-pair.ts'
import { type SlabPair, setSlab, visitSlabPairs } from './slab-boxes.ts'
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

/** Puts the pair in order. The views are module scratch of `composite/leaf-pairs.ts`. */
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
    dx: dx + (second.xLow - first.xLow),
    dy: dy + (second.yLow - first.yLow),
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

/** The same for an ordered pair, answered in its order. */
export function sweepPair(pair: SpinPair, from: number, to: number, leaving: boolean, out: SpinHit): boolean {
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
  out.ax = first.x + time * motionA.vx
  out.ay = first.y + time * motionA.vy
  out.bx = second.x + time * motionB.vx
  out.by = second.y + time * motionB.vy
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
    Math.abs(first.x) +
    Math.abs(first.y) +
    Math.abs(second.x) +
    Math.abs(second.y) +
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
