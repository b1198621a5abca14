/**
 * A body that moves through a scene and never overlaps another one: which bodies it may touch, which ones block it, and how it
 * leaves overlaps that rounding has caused.
 *
 * Method: a body blocks a motion if the moving body would go into it, not if it only touches it on the way. The overlap of two
 * convex parts is concave in time, so the middle of the time for which they meet decides. A body that slides along a row of tiles
 * therefore does not catch on the seams: it touches a tile, and leaves it.
 * Frame: world.
 */

import type { FarSlices } from '../../containers/far-call.ts'
import type { Pace } from '../../containers/pace.ts'
import { createItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import { createEntry, firstEntry } from '../../core2d/impact/entry.ts'
import { measureOuterBox } from '../../core2d/measures/body-boxes.ts'
import { contact, createContact } from '../../core2d/pair-queries/contact.ts'
import { type RelatedGap, type Relation, relateByGap } from '../../core2d/pair-queries/overlap.ts'
import { type Body, COMPOSITE, type Composite, createBody } from '../../core2d/shape/body.ts'
import { partCountOf } from '../../core2d/shape/composite.ts'
import { isCored } from '../../core2d/shape/kinds.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import { createPlacement, moveTo, type Placement } from '../../core2d/shape/position.ts'
import { type Describe, describeBody } from '../offload/described-body.ts'
import { costlyContact, costlyEntry, costlyRelation, fetchBody, isCostly, isLight } from '../offload/scene-tasks.ts'
import type { Accepts } from '../state/filter.ts'
import { bodiesInBox, bodyAt, heldBodyAt, type View } from '../state/view.ts'
import { bodyWeight } from '../table/body-cache.ts'
import { queueNoted, takeNext } from './candidates.ts'
import { noteBodiesOnTheWay } from './shape-cast.ts'
import { ROUNDING_RATIO } from './tolerances.ts'

export interface Walker {
  view: View
  accepts: Accepts
  body: Body
  placement: Placement
  describe: Describe
  pace: Pace
}

/** A body that stops a motion, and when, as a fraction of the motion. */
export interface Block {
  slot: number
  time: number
  /** Point of contact at that time, and the unit normal, from the obstacle. */
  x: number
  y: number
  nx: number
  ny: number
  /** Neither of the parts that meet has an inside. */
  isLine: boolean
}

const motion: Motion = createMotion()
const found = createEntry()
const contactFound = createContact()
const box = new Float64Array(4)
const near = createItemList()

export function createWalker(view: View, body: Body, accepts: Accepts, describe: Describe, pace: Pace): Walker {
  return { view, accepts, body, placement: createPlacement(body), describe, pace }
}

export function putWalker({ placement }: Walker, x: number, y: number): void {
  moveTo(placement, x, y)
}

/** Bound on the rounding error of positions of a walker that moves by (dx, dy). */
export function roundingOf({ body }: Walker, dx: number, dy: number): number {
  return ROUNDING_RATIO * (Math.abs(body.x) + Math.abs(body.y) + Math.abs(dx) + Math.abs(dy) + finiteReach(body))
}

/** The reach of a body; 0 if it is unbounded. */
export function finiteReach({ reach }: Body): number {
  return reach < Infinity ? reach : 0
}

/**
 * Everything that would stop the motion (dx, dy) of the walker up to the earliest, and as late as that or `instant` later. `isHeld`:
 * whether a line that it lies on stops it at once; else it may leave that to either side. `isStrict`: what it would go into by no more
 * than rounding stops it too.
 */
export function* blocksOf(
  walker: Walker,
  dx: number,
  dy: number,
  instant: number,
  isHeld: boolean,
  isStrict = false,
): FarSlices<Block[]> {
  const { view, accepts, body, pace } = walker
  const blocks: Block[] = []
  let earliest = Infinity
  setMotion(dx, dy)
  const maySlip = isBare(body)
  noteBodiesOnTheWay(view, body, motion, maySlip ? roundingOf(walker, dx, dy) : 0)
  const queue = yield* queueNoted(accepts, 1, pace)
  const met: number[] = []
  while (takeNext(queue) && queue.time <= earliest + instant) {
    const { slot } = queue
    const block = yield* blockBy(walker, [slot], dx, dy, isHeld, isStrict)
    met.push(slot)
    if (block === null) continue
    blocks.push(block)
    earliest = Math.min(earliest, block.time)
  }
  // a body that slips between two others goes into neither
  if (earliest > 0 && met.length > 1 && maySlip) {
    const block = yield* blockBy(walker, met, dx, dy, isHeld, isStrict)
    if (block !== null && block.time < earliest) {
      earliest = block.time
      blocks.push(block)
    }
  }
  return blocks.filter(({ time }) => time <= earliest + instant)
}

/** Whether a part of the body has no inside and bounds none: such a part may slip through where bodies touch. */
export function isBare(body: Body): boolean {
  if (body.kind !== COMPOSITE) return isThin(body)
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { outline, body: part } = parts[p]
    if (outline === null ? isThin(part) : !outline.solid) return true
  }
  return false
}

function isThin({ kind, count, radius }: Body): boolean {
  return isCored({ kind }) && count <= 2 && radius === 0
}

function setMotion(dx: number, dy: number): void {
  motion.vx = dx
  motion.vy = dy
  motion.spin = 0
}

/** How the union of some bodies would stop a motion; null if it does not. */
export function* blockBy(
  walker: Walker,
  slots: readonly number[],
  dx: number,
  dy: number,
  isHeld: boolean,
  isStrict = false,
): FarSlices<Block | null> {
  const { view, body, describe, pace } = walker
  let points = bodyWeight(body)
  let entry = found
  /** Of the bodies, how many parts each has. */
  const parts: number[] = []
  const [slot] = slots
  const only = slots.length > 1 ? null : isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  setMotion(dx, dy)
  if (only !== null && isLight(only, body)) {
    points += bodyWeight(only)
    firstEntry({ a: only, b: body, motion, duration: 1, isHeld, isStrict }, found)
  } else {
    const bodies = only === null ? yield* bodiesOf(walker, slots) : [only]
    for (const each of bodies) {
      parts.push(partCountOf(each))
      points += bodyWeight(each)
    }
    const way: Motion = { vx: dx, vy: dy, spin: 0 }
    entry = yield* costlyEntry(view, slots, bodies, { b: body, motion: way, isHeld, isStrict }, describe, found)
  }
  const { isBlocked, time, x, y, nx, ny, isLine, part } = entry
  let index = 0
  for (let first = 0; index + 1 < slots.length && part >= first + parts[index]; index++) first += parts[index]
  const block = isBlocked ? { slot: slots[index], time, x, y, nx, ny, isLine } : null
  if (pace.isDue(points)) yield
  return block
}

/** Prepared copies of bodies, which stay valid over pauses. */
export function* bodiesOf({ view, pace }: Walker, slots: Iterable<number>): FarSlices<Body[]> {
  const bodies: Body[] = []
  for (const slot of slots) {
    bodies.push(isCostly(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, createBody()))
    if (pace.isDue(bodyWeight(bodies[bodies.length - 1]))) yield
  }
  return bodies
}

/** A body, how many points it has, and how deep one part of it is in the walker, as `RelatedGap` has it. */
export interface Overlapped extends RelatedGap {
  slot: number
  points: number
}

/** The bodies that the walker overlaps where it stands, except for `free`, which it is known not to. Touching is none. */
export function* overlappedBy(walker: Walker, free: readonly number[] = []): FarSlices<Overlapped[]> {
  const { view, accepts, body, pace } = walker
  measureOuterBox(body, box, 0)
  bodiesInBox(view, box[0], box[1], box[2], box[3], near)
  const slots = near.items.slice(0, near.count)
  const overlapped: Overlapped[] = []
  for (const slot of slots) {
    if (free.includes(slot) || !accepts(slot)) {
      if (pace.isDue(1)) yield
      continue
    }
    const { relation, points, gap } = yield* relationTo(walker, slot)
    if (relation < 0) overlapped.push({ slot, points, gap })
  }
  return overlapped
}

/** The relation of the walker to one body, and how many points that body has. */
export interface Related extends RelatedGap {
  relation: Relation
  points: number
}

export function* relationTo({ view, body, describe, pace }: Walker, slot: number): FarSlices<Related> {
  const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const related: Related = { relation: 1, gap: Number.NaN, points: bodyWeight(other) }
  related.relation = isLight(other, body)
    ? relateByGap(other, body, related)
    : yield* costlyRelation(other, () => describeBody(view, slot), body, describe, related)
  if (pace.isDue(bodyWeight(body) + related.points)) yield
  return related
}

/** How far the walker is from one body, or how deep in it, along which normal from that; null: no way leads out of it. */
export interface Gap {
  gap: number
  nx: number
  ny: number
}

export function* gapTo({ view, body, describe, pace }: Walker, slot: number): FarSlices<Gap | null> {
  const obstacle = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const points = bodyWeight(obstacle) + bodyWeight(body)
  if (isLight(obstacle, body)) contact(obstacle, body, 0, contactFound)
  else yield* costlyContact(obstacle, () => describeBody(view, slot), body, describe, contactFound)
  const { hasNormal, separation, nx, ny } = contactFound
  if (pace.isDue(points)) yield
  return hasNormal ? { gap: separation, nx, ny } : null
}
