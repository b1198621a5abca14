/**
 * Pairs of leaves of two bodies that may meet while at least one turns, and leaves that turn about the position of their whole body.
 *
 * Method: time is cut into slabs in which neither body turns by more than a quarter of a radian. In each both trees are walked with boxes
 * that cover the nodes all through it: those of the middle of the slab, widened by how far any point of the node moves in half of it. A slab
 * in which many pairs come near each other is halved until few do, so that what is hit early is found before what comes near later.
 * Leaves turn as bodies of their own (`spin-sweep.ts`), about the position of their whole body.
 * Frame: world axes; boxes from the first body's position. Times are seconds from the start.
 */

import { vectorLength3d } from '../../numeric/safe-range.ts'
import { turnBox } from '../mesh/mesh.ts'
import {
  type CompositeFrame,
  END,
  gapBetween,
  heightMeasure,
  leafOf,
  type Measure,
  type Side,
  visitLeafPairs,
} from '../narrow-phase/composite-walk.ts'
import { createDepth } from '../narrow-phase/depth.ts'
import { createSeparation, pairInRange } from '../narrow-phase/pair-frame.ts'
import { measure } from '../narrow-phase/separate.ts'
import {
  ANCHOR,
  type Body,
  COMPOSITE,
  createBody,
  HALFSPACE,
  OFFSET,
  POSITION,
  REACH,
  ROTATION,
  UNIT,
  VERTICES,
} from '../shape/body.ts'
import { isTurnedBy, type Motion, turnBody, turningRate } from '../shape/motion.ts'
import { setPoint } from '../shape/shapes.ts'
import {
  MOVED_SLAB_SHARES,
  SEPARATION_ERROR_RATIO,
  SLAB_COUNT,
  SLAB_HALVING_COUNT,
  SLAB_PAIR_COUNT,
  SLAB_SHARE,
  SLAB_TURN,
  TOUCHING_COUNT,
} from '../tolerances.ts'

/** The ordered pair and how its bodies move. */
export interface TurningPair {
  frame: CompositeFrame
  motionA: Motion
  motionB: Motion
  duration: number
}

/** Whether a spin moves any point of either body. */
export function anyTurns({ frame, motionA, motionB }: Omit<TurningPair, 'duration'>): boolean {
  return isTurnedBy(frame.first.body, motionA) || isTurnedBy(frame.second.body, motionB)
}

/** The turn of one body at the middle of a slab. */
interface Turn {
  rotation: Float64Array
  /** How far points at a distance of 1 from the position move in half of the slab. */
  swing: number
}

const turnA: Turn = { rotation: new Float64Array(9), swing: 0 }
const turnB: Turn = { rotation: new Float64Array(9), swing: 0 }

function setTurn({ body }: Side, motion: Motion, from: number, to: number, out: Turn): void {
  const rate = turningRate(body, motion)
  setRotationAt(motion, rate > 0 ? from + (to - from) / 2 : 0, out.rotation)
  out.swing = rate * ((to - from) / 2)
}

const axes = createBody()
const turnedAxes = createBody()

/** Sets a matrix, row by row, to how a motion has turned by a time. */
export function setRotationAt(motion: Motion, time: number, out: Float64Array): void {
  setPoint(axes)
  axes.numbers.fill(0, ROTATION, ROTATION + 9)
  for (let k = 0; k < 3; k++) axes.numbers[ROTATION + 4 * k] = 1
  turnBody(axes, motion, time, turnedAxes)
  out.set(turnedAxes.numbers.subarray(ROTATION, ROTATION + 9))
}

const coverA = new Float64Array(6)
const coverB = new Float64Array(6)
/** The box of the second, from its own position. */
const ownB = new Float64Array(6)

/** Sets `out`, which must be another array, to the box about a box all through its turn about the origin. */
function cover(box: Float64Array, { rotation, swing }: Turn, out: Float64Array): void {
  let far = 0
  for (let k = 0; k < 3; k++) far = Math.max(far, Math.abs(box[k]), Math.abs(box[k + 3]))
  far *= Math.sqrt(3)
  // Half of the way is a chord of less than the arc.
  const pad = (swing + SEPARATION_ERROR_RATIO) * far
  turnBox(rotation, box, 0, out)
  for (let k = 0; k < 3; k++) {
    out[k] -= pad
    out[k + 3] += pad
  }
}

/** Distances of boxes all through a slab, from below; 0 where nothing is known. */
export function slabMeasure({ frame, motionA, motionB }: TurningPair, from: number, to: number): Measure {
  const { first, second, dx, dy, dz, slack } = frame
  setTurn(first, motionA, from, to, turnA)
  setTurn(second, motionB, from, to, turnB)
  const middle = from + (to - from) / 2
  const half = (to - from) / 2
  const velocity = [motionB.vx - motionA.vx, motionB.vy - motionA.vy, motionB.vz - motionA.vz]
  const start = [dx, dy, dz]
  const plane = planeOf(frame)
  const height =
    plane === null ? null : heightMeasure(turnedFrame(frame, plane, plane === first ? motionA : motionB, middle))
  // How far a boundary without end may move says nothing.
  if (plane !== null && (plane === first ? turnA : turnB).swing > 0) return () => 0
  return (a, b) => {
    // The walk has put the second where it stood at the start.
    for (let k = 0; k < 6; k++) ownB[k] = b[k] - start[k % 3]
    if (plane === second) coverB.set(b)
    else cover(ownB, turnB, coverB)
    if (plane === first) coverA.set(a)
    else cover(a, turnA, coverA)
    const moved = plane === second ? coverA : coverB
    const side = plane === second ? -1 : 1
    let size = 0
    for (let k = 0; k < 3; k++) {
      const shift = side * (start[k] + velocity[k] * middle)
      const reach = Math.abs(velocity[k]) * half
      moved[k] += shift - reach
      moved[k + 3] += shift + reach
      size = Math.max(size, Math.abs(shift) + reach)
    }
    const gap = height === null ? gapBetween(coverA, coverB) : height(coverA, coverB)
    return gap - slack - 4 * SEPARATION_ERROR_RATIO * size > 0 ? Infinity : 0
  }
}

const turnedPlane = createBody()

/** The frame, whose half-space has been turned until a time. */
function turnedFrame(frame: CompositeFrame, plane: Side, motion: Motion, time: number): CompositeFrame {
  if (!isTurnedBy(plane.body, motion)) return frame
  turnBody(plane.body, motion, time, turnedPlane)
  const turned = { ...plane, body: turnedPlane }
  return plane === frame.first ? { ...frame, first: turned } : { ...frame, second: turned }
}

/** The side that is a half-space. */
function planeOf({ first, second }: CompositeFrame): Side | null {
  return first.body.kind === HALFSPACE ? first : second.body.kind === HALFSPACE ? second : null
}

/**
 * Calls `visit` once for each pair of leaves that may meet from a time on, those of earlier slabs first. It returns the time up to which pairs matter.
 * Returns Infinity, or, where there are too many slabs, the time up to which all pairs have been visited.
 */
export function visitTurningPairs(
  pair: TurningPair,
  start: number,
  visit: (leafA: number, leafB: number) => number,
): number {
  const { length, end } = slabsOf(pair)
  const search: Search = { pair, visit, seen: new Set(), limit: end }
  for (let k = 0, from = start; from <= search.limit; k++) {
    if (k === SLAB_COUNT) return from
    const to = Math.min(search.limit, from + length)
    lookThrough(search, from, to, SLAB_HALVING_COUNT)
    if (to === end || to >= search.limit || !(to > from)) break
    from = to
  }
  return Infinity
}

interface Search {
  pair: TurningPair
  visit: (leafA: number, leafB: number) => number
  /** Pairs that have been visited. */
  seen: Set<number>
  /** The time up to which pairs matter. */
  limit: number
}

export function leavesOf({ body }: Side): number {
  return body.kind === COMPOSITE ? (body.composite?.leafCount ?? 1) : 1
}

/** How long slabs are, and when the last one ends: at the duration, or when the bodies have passed each other for good. */
export function slabsOf({ frame, motionA, motionB, duration }: TurningPair): { length: number; end: number } {
  const { first, second, dx, dy, dz } = frame
  const rateA = turningRate(first.body, motionA)
  const rateB = turningRate(second.body, motionB)
  const speed = vectorLength3d(motionB.vx - motionA.vx, motionB.vy - motionA.vy, motionB.vz - motionA.vz)
  const sizes = [reachOf(first), reachOf(second)].filter((reach) => reach < Infinity)
  const size = sizes.reduce((sum, reach) => sum + reach, 0)
  const turn = SLAB_TURN / Math.max(rateA, rateB)
  const travel = speed > 0 && size > 0 ? (SLAB_SHARE * size) / speed : Infinity
  const isBounded = sizes.length === 2
  const passed = isBounded && speed > 0 ? (vectorLength3d(dx, dy, dz) + size) / speed : Infinity
  const length = Math.min(turn, travel)
  return { length, end: Math.min(duration, passed * (1 + SLAB_SHARE)) }
}

/** No point of a body is farther from its position. */
function reachOf({ box }: Side): number {
  let square = 0
  for (let k = 0; k < 3; k++) square += Math.max(Math.abs(box[k]), Math.abs(box[k + 3])) ** 2
  return Math.sqrt(square)
}

function lookThrough(search: Search, from: number, to: number, halvings: number): void {
  const { pair, visit, seen } = search
  if (from > search.limit) return
  const columns = leavesOf(pair.frame.second)
  const near: number[] = []
  const most = halvings > 0 ? SLAB_PAIR_COUNT : Infinity
  visitLeafPairs(pair.frame, 0, slabMeasure(pair, from, to), (leafA, leafB) => {
    if (!seen.has(leafA * columns + leafB)) near.push(leafA, leafB)
    return near.length > 2 * most ? END : 0
  })
  if (near.length > 2 * most) {
    const middle = from + (to - from) / 2
    lookThrough(search, from, middle, halvings - 1)
    lookThrough(search, middle, to, halvings - 1)
    return
  }
  for (let k = 0; k < near.length; k += 2) {
    seen.add(near[k] * columns + near[k + 1])
    search.limit = Math.min(search.limit, visit(near[k], near[k + 1]))
  }
}

/** The leaf as one that turns about the position of its whole body. */
export function turningLeaf(side: Side, leaf: number): Body {
  const own = leafOf(side, leaf)
  const { body } = side
  if (own === body) return own
  const by = [0, 1, 2].map((k) => own.numbers[POSITION + k] - body.numbers[POSITION + k])
  if (by.every((x) => x === 0)) return own
  const numbers = own.numbers.slice()
  for (let k = 0; k < 3; k++) {
    numbers[POSITION + k] = body.numbers[POSITION + k]
    if (own.kind === HALFSPACE) numbers[OFFSET] += by[k] * numbers[UNIT + k]
    else numbers[ANCHOR + k] += by[k]
    for (let at = VERTICES + k; at < VERTICES + 3 * own.count; at += 3) numbers[at] += by[k]
  }
  if (own.kind === HALFSPACE) numbers[REACH] = Math.abs(numbers[OFFSET])
  const { surface } = own
  return { ...own, numbers, surface: surface === null ? null : { ...surface, extremes: null, planes: null } }
}

// Leaves as they lie at a time.

const posedA = createBody()
const posedB = createBody()
const separation = createSeparation()
const depth = createDepth()

function poseLeaf(side: Side, leaf: number, motion: Motion, time: number, out: Body): void {
  const own = turningLeaf(side, leaf)
  turnBody(own, motion, time, out)
  const velocity = [motion.vx, motion.vy, motion.vz]
  for (let k = 0; k < 3; k++) out.numbers[POSITION + k] = own.numbers[POSITION + k] + velocity[k] * time
}

/** Sets both leaves as they lie at a time, and returns those of the first and the second body: good until the next ones. */
export function poseLeaves(
  { frame, motionA, motionB }: TurningPair,
  leafA: number,
  leafB: number,
  time: number,
): [Body, Body] {
  poseLeaf(frame.first, leafA, motionA, time, posedA)
  poseLeaf(frame.second, leafB, motionB, time, posedB)
  return [posedA, posedB]
}

/** Whether two leaves that touch at a time have gone into each other soon after; level ones that turn on each other have not. */
export function sinkAfter(pair: TurningPair, leafA: number, leafB: number, time: number): boolean {
  const { length } = slabsOf(pair)
  for (const share of MOVED_SLAB_SHARES) {
    poseLeaves(pair, leafA, leafB, time + share * length)
    const now = pairInRange(posedA, posedB)
    if (measure(now, separation, depth) && depth.depth > TOUCHING_COUNT * now.error) return true
  }
  return false
}
