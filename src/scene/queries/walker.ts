/**
 * A body that moves through a scene and never overlaps another one: which bodies it may touch, which ones block it, and how it settles
 * where it touches. `move`, `separate`, `place`, `drop` and `snap` are made of this.
 *
 * Blocking: a body blocks a motion if the moving body would go into it, not if it only touches it on the way. The overlap of two convex
 * parts is concave in time, so the middle of the time for which they meet decides. A body that slides along a row of tiles therefore
 * does not catch on the seams: it touches a tile, and leaves it.
 *
 * Settling: positions are doubles, and a computed one may be off by its last digits, to either side. The body is put at the computed
 * position if it touches there, and otherwise where a bisection along the way out ends, between adjacent doubles of which one overlaps
 * and the other does not. Each position is judged exactly. A line has no inside: its wrong side counts as an overlap. The rounded gap
 * predicts where the bisection ends, and the two positions there are judged first; if the prediction holds, no others are judged.
 * Frame: world.
 */

import type { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { createEntry, firstEntry } from '../../core2d/motion/entry.ts'
import { measureOuterBox } from '../../core2d/queries/body-boxes.ts'
import { contact, createContact } from '../../core2d/queries/contact.ts'
import { type RelatedGap, type Relation, relateByGap } from '../../core2d/queries/overlap.ts'
import { type Body, COMPOSITE, type Composite, isCored, RADIUS, REACH, X, Y } from '../../core2d/shape/body.ts'
import { partCountOf } from '../../core2d/shape/composite.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import { createPlacement, moveTo, type Placement } from '../../core2d/shape/position.ts'
import type { Accepts } from '../state/filter.ts'
import { type Kinds, PLANE } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, heldBodyAt, type PlaneView, type View } from '../state/view.ts'
import { queueNoted, takeNext } from './candidates.ts'
import { type Describe, describeBody } from './described-body.ts'
import { costlyContact, costlyEntry, costlyRelation, fetchBody, isCostly, isLight } from './scene-tasks.ts'
import { noteBodiesOnTheWay } from './shape-cast.ts'
import {
  DEEPEST_ROUNDING_COUNT,
  LAST_PLACE_RATIO,
  LEAST_RISE_RATIO,
  NO_WAY_OUT_RATIO,
  ROUNDING_RATIO,
} from './tolerances.ts'

export interface Walker {
  view: PlaneView
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

export function createWalker(view: PlaneView, body: Body, accepts: Accepts, describe: Describe, pace: Pace): Walker {
  return { view, accepts, body, placement: createPlacement(body), describe, pace }
}

export function putWalker({ placement }: Walker, x: number, y: number): void {
  moveTo(placement, x, y)
}

/** Bound on the rounding error of positions of a walker that moves by (dx, dy). */
export function roundingOf({ body }: Walker, dx: number, dy: number): number {
  return (
    ROUNDING_RATIO *
    (Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]) + Math.abs(dx) + Math.abs(dy) + finiteReach(body))
  )
}

/** The reach of a body; 0 if it is unbounded. */
export function finiteReach({ numbers }: Body): number {
  const reach = numbers[REACH]
  return reach < Infinity ? reach : 0
}

/**
 * The bodies that block the motion (dx, dy) of the walker first, and those that block it at most `instant` later. `isHeld`: whether a
 * line that it lies on stops it at once; otherwise it may leave the line to either side. `isStrict`: bodies that it would enter by no
 * more than rounding block it too.
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

function isThin({ kind, count, numbers }: Body): boolean {
  const radius = numbers[RADIUS]
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
  let points = PLANE.points(body)
  let entry = found
  /** The number of parts of each body. */
  const parts: number[] = []
  const [slot] = slots
  const only = slots.length > 1 ? null : isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  setMotion(dx, dy)
  if (only !== null && isLight(PLANE, only, body)) {
    points += PLANE.points(only)
    firstEntry({ a: only, b: body, motion, duration: 1, isHeld, isStrict }, found)
  } else {
    const bodies = only === null ? yield* bodiesOf(walker, slots) : [only]
    for (const each of bodies) {
      parts.push(partCountOf(each))
      points += PLANE.points(each)
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
export function* bodiesOf<K extends Kinds>(
  { view, pace }: { view: View<K>; pace: Pace },
  slots: Iterable<number>,
): FarSlices<K['body'][]> {
  const { geometry } = view.table
  const bodies: K['body'][] = []
  for (const slot of slots) {
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, geometry.createBody())
    bodies.push(body)
    if (pace.isDue(geometry.points(body))) yield
  }
  return bodies
}

/** An overlapped body, how many points it has, and how deep one part of it is in the walker, see `RelatedGap`. */
interface Overlapped extends RelatedGap {
  slot: number
  points: number
}

/** The bodies that the walker overlaps; `free` are known not to be. Touching does not count. */
export function* overlappedBy(walker: Walker, free: readonly number[] = []): FarSlices<Overlapped[]> {
  const { view, accepts, body, pace } = walker
  measureOuterBox(body, box, 0)
  bodiesInBox(view, box, near)
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
interface Related extends RelatedGap {
  relation: Relation
  points: number
}

function* relationTo({ view, body, describe, pace }: Walker, slot: number): FarSlices<Related> {
  const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const related: Related = { relation: 1, gap: Number.NaN, points: PLANE.points(other) }
  related.relation = isLight(PLANE, other, body)
    ? relateByGap(other, body, related)
    : yield* costlyRelation(PLANE, other, () => describeBody(view, slot), body, describe, related)
  if (pace.isDue(PLANE.points(body) + related.points)) yield
  return related
}

/** The gap from one body to the walker, negative for an overlap, and the normal from the body; null: no way leads out of it. */
interface Gap {
  gap: number
  nx: number
  ny: number
}

export function* gapTo({ view, body, describe, pace }: Walker, slot: number): FarSlices<Gap | null> {
  const obstacle = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const points = PLANE.points(obstacle) + PLANE.points(body)
  if (isLight(PLANE, obstacle, body)) contact(obstacle, body, 0, contactFound)
  else yield* costlyContact(PLANE, obstacle, () => describeBody(view, slot), body, describe, contactFound)
  const { hasNormal, separation, nx, ny } = contactFound
  if (pace.isDue(points)) yield
  return hasNormal ? { gap: separation, nx, ny } : null
}

interface FlushPlace {
  x: number
  y: number
  /** Unit vector of the way out. */
  nx: number
  ny: number
}

/** Steps out of a position, each twice as long as the one before, and halvings of the last one. */
const STEP_COUNT = 6
const BISECTION_COUNT = 60
/** Positions that are judged by the prediction from the gap before the plain bisection; and the relative error of the gap. */
const GUESS_COUNT = 4
const GAP_DOUBT_RATIO = 2 ** -20
/** How often a body is pushed out of an overlap, farther each time; and how many of the first pushes end where it just touches. */
const PUSH_COUNT = 12
const EXACT_PUSH_COUNT = 4
/** Most steps back, each twice as long, to find a position where the walker is free. */
const RETREAT_COUNT = 24
/** Multiple of the rounding error within which a crossed line is looked for. */
const LOOK_COUNT = 2 ** 6
/** Most of the bodies that stop a walker that it is made to touch. */
const MOST_TOUCHED = 8

/** −1: the walker overlaps something, 0: it touches what it should, 1: it is free. */
type Standing = -1 | 0 | 1

/** With the gap, or minus the depth; NaN if unknown. */
interface Judged extends RelatedGap {
  relation: Standing
}
type Judge = () => FarSlices<Judged>

const IN_SOMETHING: Judged = { relation: -1, gap: Number.NaN }
const TOUCHING: Judged = { relation: 0, gap: Number.NaN }
const FREE: Judged = { relation: 1, gap: Number.NaN }

/**
 * Puts the walker at the place, or the next one out where it overlaps nothing; `seeksTouch`: or the next one in where it still does
 * not. `isPushed`: whether it is pushed off what it still overlaps in the end. False: it stands anywhere, in something.
 */
export function* settleFlush(
  walker: Walker,
  place: FlushPlace,
  seeksTouch = false,
  isPushed = true,
): FarSlices<boolean> {
  function* judge(): FarSlices<Judged> {
    return (yield* overlappedBy(walker)).length > 0 ? IN_SOMETHING : FREE
  }
  if (yield* settle(walker, place, 0, seeksTouch, judge, place)) return true
  return isPushed && (yield* settleWalker(walker, roundingOf(walker, 0, 0)))
}

/**
 * Puts the walker where it just touches one body that stopped it, after a way of length `travel`. The way out is the normal of the
 * block unless one is given.
 * `staysOff`: a line is not touched, but kept off by a rounding; so it is known on which side of it the walker is, also when it slides.
 */
export function* settleOn(
  walker: Walker,
  block: Block,
  travel: number,
  staysOff: boolean,
  way: { nx: number; ny: number } = block,
): FarSlices<boolean> {
  const { slot, isLine, nx, ny } = block
  function* judge(): FarSlices<Judged> {
    const judged = yield* relationTo(walker, slot)
    if (!isLine) return judged
    if (judged.relation < 0) return IN_SOMETHING
    if (judged.relation === 0) return staysOff ? IN_SOMETHING : TOUCHING
    // gaps like these have no sure normal, but it is sure what is met on a way
    const look = LOOK_COUNT * roundingOf(walker, travel, 0)
    return (yield* blockBy(walker, [slot], look * nx, look * ny, true)) === null ? FREE : IN_SOMETHING
  }
  const { body } = walker
  const isOut = yield* settle(
    walker,
    { x: body.numbers[X], y: body.numbers[Y], nx: way.nx, ny: way.ny },
    travel,
    true,
    judge,
    block,
  )
  if (isOut && isLine && staysOff) {
    const rise = Math.max(way.nx * nx + way.ny * ny, LEAST_RISE_RATIO)
    const height = roundingOf(walker, travel, 0) / rise
    putWalker(walker, body.numbers[X] + height * way.nx, body.numbers[Y] + height * way.ny)
  }
  return isOut
}

/** Positions along the way out, counted in steps. */
interface WayOut {
  x: number
  y: number
  stepX: number
  stepY: number
}

interface Normal {
  nx: number
  ny: number
}

/** `normal`: unit vector along which the gaps that are judged grow. */
function* settle(
  walker: Walker,
  { x, y, nx, ny }: FlushPlace,
  travel: number,
  seeksTouch: boolean,
  judge: Judge,
  normal: Normal,
): FarSlices<boolean> {
  // what rounding does across the way out moves nothing along it
  const size = Math.abs(nx * x) + Math.abs(ny * y) + travel + finiteReach(walker.body)
  const unit = Math.max(LAST_PLACE_RATIO * size, Number.MIN_VALUE)
  const most = Math.max(Math.abs(nx), Math.abs(ny))
  // a component this small does not lead out
  const stepX = Math.abs(nx) < NO_WAY_OUT_RATIO ? 0 : (nx / most) * unit
  const stepY = Math.abs(ny) < NO_WAY_OUT_RATIO ? 0 : (ny / most) * unit
  const way: WayOut = { x, y, stepX, stepY }
  putOn(walker, way, 0)
  const { relation: standing, gap } = yield* judge()
  if (standing === 0 || (standing > 0 && !seeksTouch)) return true
  if (yield* settleByGap(walker, way, standing, gap, judge, normal)) return true
  const search = bracket(way, standing)
  let found = search.next()
  while (!found.done) {
    putOn(walker, way, found.value)
    const { relation } = yield* judge()
    if (relation === 0) return true
    found = search.next(relation)
  }
  if (found.value !== null) putOn(walker, way, found.value.good)
  else if (standing > 0) putOn(walker, way, 0)
  return found.value !== null || standing > 0
}

function putOn(walker: Walker, { x, y, stepX, stepY }: WayOut, steps: number): void {
  putWalker(walker, x + steps * stepX, y + steps * stepY)
}

function isOnePlace({ x, y, stepX, stepY }: WayOut, a: number, b: number): boolean {
  return x + a * stepX === x + b * stepX && y + a * stepY === y + b * stepY
}

/** Steps out to places next to each other, in something and free. */
interface Bracket {
  bad: number
  good: number
}

/** Yields a number of steps and receives the standing there, which is not 0, until it has found where that changes; null: not near. */
function* bracket(way: WayOut, standing: Standing): Generator<number, Bracket | null, Standing> {
  let bad = 0
  let good = 0
  const side = standing < 0 ? 1 : -1
  let isBetween = false
  for (let k = 0; k <= STEP_COUNT && !isBetween; k++) {
    const steps = side * 2 ** k
    const next = yield steps
    isBetween = next !== standing
    if (next < 0) bad = steps
    else good = steps
  }
  if (!isBetween) return null
  for (let k = 0; k < BISECTION_COUNT; k++) {
    const middle = (bad + good) / 2
    if (isOnePlace(way, middle, bad) || isOnePlace(way, middle, good)) break
    if ((yield middle) < 0) bad = middle
    else good = middle
  }
  return { bad, good }
}

/** Puts the walker where the bisection would, judging only the places where it would end; false: that has to look itself. */
function* settleByGap(
  walker: Walker,
  way: WayOut,
  standing: Standing,
  firstGap: number,
  judge: Judge,
  normal: Normal,
): FarSlices<boolean> {
  let at = 0
  let gap = firstGap
  for (let k = 0; k < GUESS_COUNT && !Number.isNaN(gap); k++) {
    const guess = guessBracket(way, standing, at, gap, normal)
    if (guess === null) return false
    const { bad, good } = guess
    const isGood = at === good && gap > 0
    if (!isGood || bad !== 0) {
      at = isGood ? bad : good
      putOn(walker, way, at)
      const judged = yield* judge()
      gap = judged.relation === 0 ? 0 : judged.gap
      // where it touches in several places, it is put on the one that the bisection meets first
      if (gap === 0) return guessBracket(way, standing, at, 0, normal)?.good === at
      if (!isGood || judged.relation > 0) continue
    }
    putOn(walker, way, good)
    return true
  }
  return false
}

/** How the bisection would end where the gap, `at` steps out, is that: twice the same place where it might touch; null: not near. */
function guessBracket(way: WayOut, standing: Standing, at: number, gap: number, { nx, ny }: Normal): Bracket | null {
  const { x, y, stepX, stepY } = way
  const atX = x + at * stepX
  const atY = y + at * stepY
  const search = bracket(way, standing)
  let found = search.next()
  while (!found.done) {
    const steps = found.value
    const there = gap + (x + steps * stepX - atX) * nx + (y + steps * stepY - atY) * ny
    if (Math.abs(there) <= GAP_DOUBT_RATIO * Math.abs(gap)) return { bad: steps, good: steps }
    found = search.next(there < 0 ? -1 : 1)
  }
  return found.value
}

/**
 * Moves the walker off what rounding has put it in; false, and it stands anywhere, when that takes more than roundings. `free`: what it
 * is known not to overlap.
 */
export function* settleWalker(walker: Walker, rounding: number, free: readonly number[] = []): FarSlices<boolean> {
  let step = rounding
  for (let i = 0; i < PUSH_COUNT; i++) {
    const overlapped = yield* overlappedBy(walker, i === 0 ? free : [])
    if (overlapped.length === 0) return true
    for (const { slot } of overlapped) {
      if (!(yield* pushOff(walker, slot, i < EXACT_PUSH_COUNT ? 0 : step, rounding))) return false
    }
    step *= 2
  }
  return false
}

/** Moves the walker off one body, and so much farther; false when it stands deeper in that than roundings do. */
function* pushOff(walker: Walker, slot: number, step: number, rounding: number): FarSlices<boolean> {
  const { body } = walker
  if ((yield* relationTo(walker, slot)).relation >= 0) return true
  const found = yield* gapTo(walker, slot)
  if (found === null || -found.gap > DEEPEST_ROUNDING_COUNT * rounding) return false
  const { gap, nx, ny } = found
  putWalker(walker, body.numbers[X] + (step - gap) * nx, body.numbers[Y] + (step - gap) * ny)
  if (step > 0) return true
  yield* settleOn(walker, { slot, time: 0, x: 0, y: 0, nx, ny, isLine: false }, 0, false)
  return true
}

/**
 * Moves the walker by `time` times (dx, dy), to where it touches what stops it (or is next to a line), or as much less as rounding asks for, to where it
 * stands free; it must stand free where it is. Returns the share of the motion that it has made: 0 where no place on the way is free.
 */
export function* advance(
  walker: Walker,
  dx: number,
  dy: number,
  time: number,
  blocks: readonly Block[],
): FarSlices<number> {
  const { numbers } = walker.body
  const x = numbers[X]
  const y = numbers[Y]
  const rounding = roundingOf(walker, dx, dy)
  const travel = time * (Math.abs(dx) + Math.abs(dy))
  const speed = Math.hypot(dx, dy)
  let passed = time
  let back = rounding / speed
  for (let i = 0; i < RETREAT_COUNT && passed >= 0; i++) {
    putWalker(walker, x + passed * dx, y + passed * dy)
    let free: number[] = []
    if (i === 0) {
      // off a line by the way it came: in a corner, straight off the one would lead through the other
      const back = { nx: -dx / speed, ny: -dy / speed }
      for (const block of blocks.slice(0, MOST_TOUCHED)) {
        const { numbers: bodyNumbers } = walker.body
        const beforeX = bodyNumbers[X]
        const beforeY = bodyNumbers[Y]
        const isOut = yield* settleOn(walker, block, travel, true, block.isLine ? back : block)
        if (walker.body.numbers[X] !== beforeX || walker.body.numbers[Y] !== beforeY) free = []
        if (isOut && !block.isLine) free.push(block.slot)
      }
    }
    if (yield* settleWalker(walker, rounding, free)) return passed
    passed = time - back
    back *= 2
  }
  putWalker(walker, x, y)
  return 0
}

/** Brings the walker back to the side of a line that it has slid along, if it has left the line by no more than rounding. */
export function* settleBeside(walker: Walker, line: Block, travel: number): FarSlices<void> {
  const { numbers } = walker.body
  const x = numbers[X]
  const y = numbers[Y]
  const gap = yield* gapTo(walker, line.slot)
  if (gap === null || Math.abs(gap.gap) > roundingOf(walker, travel, 0)) return
  const isOn = yield* settleOn(walker, line, travel, true)
  if (!isOn || (yield* overlappedBy(walker)).length > 0) putWalker(walker, x, y)
}
