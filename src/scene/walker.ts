/**
 * A body that is moved about a scene without ever standing in another: what it may meet, what blocks it, and how it gets off
 * what rounding has put it in.
 *
 * Method: what blocks a motion is what it would go into, not what it touches on the way. Of two convex parts the overlap is
 * concave in time, so the middle of the time that they meet tells. Sliding along a row of tiles therefore meets no seam, whatever
 * the tiles are made of: a tile is touched, and left.
 * Frame: world.
 */
import { type Body, CIRCLE, COMPOSITE, createBody, POLYGON } from '../core2d/body.ts'
import { type Composite, leafBody } from '../core2d/composite.ts'
import { contact, createContact } from '../core2d/contact.ts'
import { createItemList } from '../core2d/dynamic-tree-queries.ts'
import { createMotion, type Motion, moveTo } from '../core2d/motion.ts'
import { relate } from '../core2d/overlap.ts'
import { separate } from '../core2d/pair.ts'
import { createPlacement, type Placement, place } from '../core2d/placement.ts'
import { createSeparation } from '../core2d/separation.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../core2d/time-of-impact.ts'
import { measureBody } from './boxes.ts'
import type { Accepts } from './filter.ts'
import { compareTimes } from './on-the-way.ts'
import { bodiesOnTheWay } from './query-shape-cast.ts'
import { DEEPEST_ROUNDING_COUNT, ROUNDING_RATIO } from './slack.ts'
import { bodiesInBox, bodyAt, type View } from './view.ts'

export interface Walker {
  view: View
  accepts: Accepts
  body: Body
  placement: Placement
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
const ownLeaf = createBody()
const otherLeaf = createBody()
const moved = createBody()

export function createWalker(view: View, body: Body, accepts: Accepts): Walker {
  return { view, accepts, body, placement: createPlacement(body) }
}

export function putWalker({ placement }: Walker, x: number, y: number): void {
  place(placement, x, y)
}

/** What rounding does to places of a walker that moves by (dx, dy). */
export function roundingOf({ body }: Walker, dx: number, dy: number): number {
  return ROUNDING_RATIO * (Math.abs(body.x) + Math.abs(body.y) + Math.abs(dx) + Math.abs(dy) + finiteReach(body))
}

function finiteReach({ reach }: Body): number {
  return reach < Infinity ? reach : 0
}

/** Everything that would stop the motion (dx, dy) of the walker up to the earliest, and as late as that or `instant` later. */
export function blocksOf(walker: Walker, dx: number, dy: number, instant: number): Block[] {
  const { view, accepts, body } = walker
  motion.vx = dx
  motion.vy = dy
  motion.spin = 0
  const blocks: Block[] = []
  let earliest = Infinity
  for (const { slot, time } of bodiesOnTheWay(view, body, motion, accepts).sort(compareTimes)) {
    if (time > earliest + instant) break
    const block = blockBy(walker, slot, dx, dy)
    if (block === null) continue
    blocks.push(block)
    earliest = Math.min(earliest, block.time)
  }
  return blocks.filter(({ time }) => time <= earliest + instant)
}

/** How one body would stop the motion; null when it does not. */
export function blockBy(walker: Walker, slot: number, dx: number, dy: number): Block | null {
  const { view, body } = walker
  const obstacle = bodyAt(view, slot)
  const rounding = roundingOf(walker, dx, dy)
  motion.vx = dx
  motion.vy = dy
  motion.spin = 0
  let first: Block | null = null
  visitLeaves(obstacle, otherLeaf, (leaf) => {
    visitLeaves(body, ownLeaf, (own) => {
      const time = blockTime(leaf, own, rounding, found)
      if (time === Infinity || (first !== null && first.time <= time)) return
      first = blockOf(slot, time, found)
    })
  })
  return first
}

function visitLeaves(body: Body, slot: Body, visit: (leaf: Body) => void): void {
  if (body.kind !== COMPOSITE) {
    visit(body)
    return
  }
  const composite = body.composite as Composite
  for (let leaf = 0; leaf < composite.leafCount; leaf++) visit(leafBody(composite, leaf, slot))
}

/** When a convex part of an obstacle stops one of the walker, which moves by `motion`; Infinity when it does not. */
function blockTime(leaf: Body, own: Body, rounding: number, out: TimeOfImpact): number {
  timeOfImpact(leaf, AT_REST, own, motion, 1, false, out)
  if (!out.hit) return Infinity
  const end = out.hasExit ? out.exitTime : 1
  if (isThin(leaf) && isThin(own)) return thinBlockTime(out, end, rounding)
  const middle = out.time + (end - out.time) / 2
  const { error } = separate(leaf, moveTo(own, motion, middle, moved), separation)
  return separation.value < -(2 * error + rounding) ? out.time : Infinity
}

/** Neither has an inside: they cross, and are stopped a little before that, or run along each other. */
function thinBlockTime(
  { time, hasNormal, nx, ny, startedOverlapping }: TimeOfImpact,
  end: number,
  rounding: number,
): number {
  const speed = Math.hypot(motion.vx, motion.vy)
  if (startedOverlapping || (end - time) * speed > rounding) return Infinity
  const approach = hasNormal ? Math.abs(motion.vx * nx + motion.vy * ny) : speed
  return Math.max(0, time - (4 * rounding) / approach)
}

function isThin({ kind, count, radius }: Body): boolean {
  return (kind === CIRCLE || kind === POLYGON) && count <= 2 && radius === 0
}

function blockOf(slot: number, time: number, { hasNormal, nx, ny, ax, ay }: TimeOfImpact): Block {
  // Adding 0 turns −0 into 0.
  if (hasNormal && nx * motion.vx + ny * motion.vy < 0) return { slot, time, x: ax, y: ay, nx: nx + 0, ny: ny + 0 }
  // What is gone into can only be met head on.
  const speed = Math.hypot(motion.vx, motion.vy)
  return { slot, time, x: ax, y: ay, nx: -motion.vx / speed, ny: -motion.vy / speed }
}

/** The bodies that the walker overlaps where it stands. Touching is none. */
export function overlappedBy({ view, accepts, body }: Walker): number[] {
  measureBody(body, box, 0)
  bodiesInBox(view, box[0], box[1], box[2], box[3], near)
  return [...near.items.subarray(0, near.count)].filter((slot) => accepts(slot) && relate(bodyAt(view, slot), body) < 0)
}

/** Moves the walker off what rounding has put it in; false, and it stands anywhere, when that takes more than roundings. */
export function settle(walker: Walker, rounding: number): boolean {
  const { view, body } = walker
  let step = rounding
  for (let i = 0; i < PUSH_COUNT; i++) {
    const slots = overlappedBy(walker)
    if (slots.length === 0) return true
    for (const slot of slots) {
      const obstacle = bodyAt(view, slot)
      if (relate(obstacle, body) >= 0) continue
      contact(obstacle, body, 0, contactFound)
      const { hasNormal, separation: gap, nx, ny } = contactFound
      if (!hasNormal || -gap > DEEPEST_ROUNDING_COUNT * rounding) return false
      putWalker(walker, body.x + (step - gap) * nx, body.y + (step - gap) * ny)
    }
    step *= 2
  }
  return false
}

/**
 * Moves the walker by `time` times (dx, dy), or as much less as rounding asks for, to where it stands free; it must stand free
 * where it is.
 */
export function advance(walker: Walker, dx: number, dy: number, time: number): void {
  const { x, y } = walker.body
  const rounding = roundingOf(walker, dx, dy)
  const speed = Math.hypot(dx, dy)
  let back = 0
  for (let i = 0; i < RETREAT_COUNT; i++) {
    const passed = time - back
    if (!(passed > 0)) break
    putWalker(walker, x + passed * dx, y + passed * dy)
    if (settle(walker, rounding)) return
    back = back === 0 ? rounding / speed : 2 * back
  }
  putWalker(walker, x, y)
}
