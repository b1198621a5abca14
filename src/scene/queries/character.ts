/**
 * A body that is moved about a scene without ever standing in another: what it may meet, what blocks it, and how it gets off
 * what rounding has put it in.
 *
 * Method: what blocks a motion is what it would go into, not what it touches on the way. Of two convex parts the overlap is
 * concave in time, so the middle of the time that they meet tells. Sliding along a row of tiles therefore meets no seam, whatever
 * the tiles are made of: a tile is touched, and left.
 * Frame: world.
 */

import type { FarSlices } from '../../containers/far-call.ts'
import type { Pace } from '../../containers/pace.ts'
import { createItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import { createTimeOfImpact, type TimeOfImpact } from '../../core2d/impact/impact.ts'
import { timeOfImpact } from '../../core2d/impact/time-of-impact.ts'
import { measureOuterBox } from '../../core2d/measures/outer-box.ts'
import { separate } from '../../core2d/narrow-phase/dispatch.ts'
import { createSeparation } from '../../core2d/narrow-phase/separation.ts'
import { contact } from '../../core2d/pair-queries/contact.ts'
import { createContact } from '../../core2d/pair-queries/contact-record.ts'
import { relate } from '../../core2d/pair-queries/overlap.ts'
import { type Body, COMPOSITE, type Composite, createBody } from '../../core2d/shape/body.ts'
import { leafBody } from '../../core2d/shape/composite.ts'
import { isCored } from '../../core2d/shape/kinds.ts'
import { createMotion, type Motion, moveAlong } from '../../core2d/shape/motion.ts'
import { createPlacement, moveTo, type Placement } from '../../core2d/shape/placement.ts'
import { fetchBody, isDear } from '../state/dear-body.ts'
import { type Described, farBodyAt } from '../state/far-body.ts'
import type { Accepts } from '../state/filter.ts'
import { bodiesInBox, bodyAt, type View } from '../state/view.ts'
import { bodyWeight } from '../table/body-cache.ts'
import { queueNoted, takeNext } from './candidates.ts'
import { leavesAlong } from './leaves-along.ts'
import { contactHeavy, isLight, relateHeavy } from './narrowing.ts'
import { noteBodiesOnTheWay } from './shape-cast.ts'
import { DEEPEST_ROUNDING_COUNT, ROUNDING_RATIO } from './tolerances.ts'

export interface Walker {
  view: View
  accepts: Accepts
  body: Body
  placement: Placement
  far: Described
  pace: Pace
}

/** What a motion is stopped by, its time a fraction of the motion. */
export interface Block {
  slot: number
  time: number
  /** Point of contact at that time, and the unit normal, from the obstacle. */
  x: number
  y: number
  nx: number
  ny: number
}

/** How often a body is pushed off what it stands in, ever farther. */
const PUSH_COUNT = 12
/** Most times a walker goes back a step, twice as far each time, to find a place where it stands free. */
const RETREAT_COUNT = 24

const AT_REST = createMotion()
const motion: Motion = createMotion()
const found = createTimeOfImpact()
const separation = createSeparation()
const contactFound = createContact()
const box = new Float64Array(4)
const near = createItemList()
/** Refilled after each pause. */
const ownLeaf = createBody()
const otherLeaf = createBody()
const moved = createBody()

export function createWalker(view: View, body: Body, accepts: Accepts, far: Described, pace: Pace): Walker {
  return { view, accepts, body, placement: createPlacement(body), far, pace }
}

export function putWalker({ placement }: Walker, x: number, y: number): void {
  moveTo(placement, x, y)
}

/** What rounding does to places of a walker that moves by (dx, dy). */
export function roundingOf({ body }: Walker, dx: number, dy: number): number {
  return ROUNDING_RATIO * (Math.abs(body.x) + Math.abs(body.y) + Math.abs(dx) + Math.abs(dy) + finiteReach(body))
}

/** Of an unbounded body 0. */
export function finiteReach({ reach }: Body): number {
  return reach < Infinity ? reach : 0
}

/** Everything that would stop the motion (dx, dy) of the walker up to the earliest, and as late as that or `instant` later. */
export function* blocksOf(walker: Walker, dx: number, dy: number, instant: number): FarSlices<Block[]> {
  const { view, accepts, body, pace } = walker
  setMotion(dx, dy)
  const blocks: Block[] = []
  let earliest = Infinity
  noteBodiesOnTheWay(view, body, motion)
  const queue = yield* queueNoted(accepts, 1, pace)
  while (takeNext(queue) && queue.time <= earliest + instant) {
    const block = yield* blockBy(walker, queue.slot, dx, dy)
    if (block === null) continue
    blocks.push(block)
    earliest = Math.min(earliest, block.time)
  }
  return blocks.filter(({ time }) => time <= earliest + instant)
}

function setMotion(dx: number, dy: number): void {
  motion.vx = dx
  motion.vy = dy
  motion.spin = 0
}

/** How one body would stop the motion; null when it does not. */
export function* blockBy(walker: Walker, slot: number, dx: number, dy: number): FarSlices<Block | null> {
  const { view, body, pace } = walker
  const rounding = roundingOf(walker, dx, dy)
  const obstacle = isDear(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const isWhole = obstacle.kind !== COMPOSITE
  if (isWhole && body.kind !== COMPOSITE) {
    setMotion(dx, dy)
    const time = blockTime(obstacle, body, rounding, found)
    const block = time === Infinity ? null : blockOf(slot, time, found)
    if (pace.isDue(bodyWeight(obstacle) + bodyWeight(body))) yield
    return block
  }
  let first: Block | null = null
  for (const [leaf, owns] of leavesAlong(obstacle, body, dx, dy)) {
    for (const own of owns) {
      // a body that is no composite may be another one after a pause
      const other = isWhole ? bodyAt(view, slot) : leafBody(obstacle.composite as Composite, leaf, otherLeaf)
      const part = body.kind === COMPOSITE ? leafBody(body.composite as Composite, own, ownLeaf) : body
      setMotion(dx, dy)
      const time = blockTime(other, part, rounding, found)
      if (time !== Infinity && (first === null || time < first.time)) first = blockOf(slot, time, found)
      // two of extreme size may take milliseconds
      yield
    }
  }
  if (pace.isDue(1)) yield
  return first
}

/** When a convex part of an obstacle stops one of the walker, which moves by `motion`; Infinity when it does not. */
function blockTime(leaf: Body, own: Body, rounding: number, out: TimeOfImpact): number {
  timeOfImpact(leaf, AT_REST, own, motion, 1, false, out)
  if (!out.hit) return Infinity
  const end = out.hasExit ? out.exitTime : 1
  const isInstant = (end - out.time) * Math.hypot(motion.vx, motion.vy) <= rounding
  if (isThin(leaf) && isThin(own) && isInstant) return thinBlockTime(out, rounding)
  const middle = out.time + (end - out.time) / 2
  const { error } = separate(leaf, moveAlong(own, motion, middle, moved), separation)
  return separation.value < -(2 * error + rounding) ? out.time : Infinity
}

/** Neither has an inside, and they cross in an instant: they are stopped a little before that. */
function thinBlockTime({ time, hasNormal, nx, ny, startedOverlapping }: TimeOfImpact, rounding: number): number {
  if (startedOverlapping) return Infinity
  const speed = Math.hypot(motion.vx, motion.vy)
  const approach = hasNormal ? Math.abs(motion.vx * nx + motion.vy * ny) : speed
  return Math.max(0, time - (4 * rounding) / approach)
}

function isThin({ kind, count, radius }: Body): boolean {
  return isCored({ kind }) && count <= 2 && radius === 0
}

function blockOf(slot: number, time: number, { hasNormal, nx, ny, ax, ay }: TimeOfImpact): Block {
  // Adding 0 turns −0 into 0.
  if (hasNormal && nx * motion.vx + ny * motion.vy < 0) return { slot, time, x: ax, y: ay, nx: nx + 0, ny: ny + 0 }
  // What is gone into can only be met head on.
  const speed = Math.hypot(motion.vx, motion.vy)
  return { slot, time, x: ax, y: ay, nx: -motion.vx / speed, ny: -motion.vy / speed }
}

/** A body, and how many points it has. */
export interface Overlapped {
  slot: number
  points: number
}

/** The bodies that the walker overlaps where it stands. Touching is none. */
export function* overlappedBy({ view, accepts, body, far, pace }: Walker): FarSlices<Overlapped[]> {
  measureOuterBox(body, box, 0)
  bodiesInBox(view, box[0], box[1], box[2], box[3], near)
  const slots = near.items.slice(0, near.count)
  const weight = bodyWeight(body)
  const overlapped: Overlapped[] = []
  for (const slot of slots) {
    let looked = 1
    if (accepts(slot)) {
      const other = isDear(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
      const points = bodyWeight(other)
      looked = weight + points
      const relation = isLight(other, body)
        ? relate(other, body)
        : yield* relateHeavy(other, () => farBodyAt(view, slot), body, far)
      if (relation < 0) overlapped.push({ slot, points })
    }
    if (pace.isDue(looked)) yield
  }
  return overlapped
}

/** Moves the walker off what rounding has put it in; false, and it stands anywhere, when that takes more than roundings. */
export function* settleWalker(walker: Walker, rounding: number): FarSlices<boolean> {
  let step = rounding
  for (let i = 0; i < PUSH_COUNT; i++) {
    const overlapped = yield* overlappedBy(walker)
    if (overlapped.length === 0) return true
    for (const { slot } of overlapped) if (!(yield* pushOff(walker, slot, step, rounding))) return false
    step *= 2
  }
  return false
}

/** Moves the walker off one body; false when it stands deeper in that than roundings do. */
function* pushOff(walker: Walker, slot: number, step: number, rounding: number): FarSlices<boolean> {
  const { view, body, far, pace } = walker
  const describe = () => farBodyAt(view, slot)
  const obstacle = isDear(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const points = bodyWeight(obstacle) + bodyWeight(body)
  if (isLight(obstacle, body)) {
    if (relate(obstacle, body) < 0) contact(obstacle, body, 0, contactFound)
    else contactFound.relation = 1
  } else {
    contactFound.relation = yield* relateHeavy(obstacle, describe, body, far)
    if (contactFound.relation < 0) yield* contactHeavy(bodyAt(view, slot), describe, body, far, contactFound)
  }
  const { relation, hasNormal, separation: gap, nx, ny } = contactFound
  if (relation < 0) {
    if (!hasNormal || -gap > DEEPEST_ROUNDING_COUNT * rounding) return false
    putWalker(walker, body.x + (step - gap) * nx, body.y + (step - gap) * ny)
  }
  if (pace.isDue(points)) yield
  return true
}

/**
 * Moves the walker by `time` times (dx, dy), or as much less as rounding asks for, to where it stands free; it must stand free
 * where it is.
 */
export function* advance(walker: Walker, dx: number, dy: number, time: number): FarSlices<void> {
  const { x, y } = walker.body
  const rounding = roundingOf(walker, dx, dy)
  const speed = Math.hypot(dx, dy)
  let back = 0
  for (let i = 0; i < RETREAT_COUNT; i++) {
    const passed = time - back
    if (!(passed > 0)) break
    putWalker(walker, x + passed * dx, y + passed * dy)
    if (yield* settleWalker(walker, rounding)) return
    back = back === 0 ? rounding / speed : 2 * back
  }
  putWalker(walker, x, y)
}
