/**
 * A body that moves through a scene in space and never overlaps another one: which bodies block a motion, and how it settles where it
 * touches them. The twin of `walker.ts`.
 *
 * Blocking: a body blocks a motion if the moving body would go into it (`core3d/motion/entry.ts`), not if it only touches it on the way.
 *
 * Settling: positions are doubles, and a computed one may be off by its last digits, to either side. The body is put where a bisection
 * along the normal ends, between adjacent doubles of which one overlaps and the other does not, or just touches. Each position is judged
 * exactly. What has no inside is kept off by more than rounding, as only the place tells on which side of it the body is.
 * Frame: world.
 */

import type { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { createEntry, firstEntry } from '../../core3d/motion/entry.ts'
import { type Body, CENTER, createBody, plus, positionOf, REACH, type Vector } from '../../core3d/shape/body.ts'
import { createMotion } from '../../core3d/shape/motion.ts'
import { type Carried, carry, carryTo } from '../../core3d/shape/position.ts'
import type { Accepts } from '../state/filter.ts'
import { SPACE, type Space } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, type View } from '../state/view.ts'
import { queueNoted, takeNext } from './candidates.ts'
import { type Describe, describeBody, shapeOfDescribed, UNDESCRIBED } from './described-body.ts'
import { costlyContact, costlyEntry3d, costlyRelation, fetchBody, isCostly, isLight } from './scene-tasks.ts'
import { noteBodiesOnTheWay } from './shape-cast.ts'
import {
  DEEPEST_ROUNDING_COUNT,
  LAST_PLACE_RATIO,
  LEAST_RISE_RATIO,
  OFF_FLAT_RATIO,
  ROUNDING_RATIO,
} from './tolerances.ts'

export type SpaceView = View<Space>

export interface Walker3d {
  view: SpaceView
  accepts: Accepts
  body: Body
  carried: Carried
  describe: Describe
  pace: Pace
}

/** A body that stops a motion, and when, as a fraction of the motion. */
export interface Block3d {
  slot: number
  time: number
  /** Where they touch then, and the unit normal, from the obstacle. */
  point: Vector
  normal: Vector
  /** Neither of the parts that meet has an inside, nor have both together. */
  isFlat: boolean
}

const motion = createMotion()
const entryFound = createEntry()
const contactFound = SPACE.createContact()
const box = new Float64Array(6)
const near = createItemList()

/** Of a body at its position; its parts are moved along with it. */
export function createWalker3d(view: SpaceView, own: Body, accepts: Accepts, describe: Describe, pace: Pace): Walker3d {
  const carried = own.kind === SPACE.compositeKind ? carryAlong(view, own, describe) : carry(own)
  return walkerOf(view, carried, accepts, describe, pace)
}

/** Of a body that is carried already. It is described by where it is, as if it had been prepared there. */
export function walkerOf(
  view: SpaceView,
  carried: Carried,
  accepts: Accepts,
  describe: Describe,
  pace: Pace,
): Walker3d {
  const { body } = carried
  const describeHere: Describe = () => {
    const described = describe()
    const position = positionOf(body)
    return { ...described, position, pose: [...position, ...described.pose.slice(3)] }
  }
  return { view, accepts, body, carried, describe: describe === UNDESCRIBED ? describe : describeHere, pace }
}

/** The body as it is prepared at the origin, put where it is. Without a description its parts are taken as they lie. */
function carryAlong({ table }: SpaceView, own: Body, describe: Describe): Carried {
  const position = positionOf(own)
  if (describe === UNDESCRIBED) {
    const carried = carry(own)
    for (let at = 0; at < carried.offsets.length; at++) carried.offsets[at] -= position[at % 3]
    return carried
  }
  const { shape, pose } = describe()
  const body = createBody()
  table.prepare(shapeOfDescribed(shape), [0, 0, 0, ...pose.slice(3)], 0, body, shape.isPlain)
  const carried = carry(body)
  carryTo(carried, position)
  return carried
}

export function putWalker3d({ carried }: Walker3d, position: Vector): void {
  carryTo(carried, position)
}

/** Size of the coordinates of a walker that moves so far. */
export function sizeOf({ body }: Walker3d, length: number): number {
  return SPACE.positionSize(body) + reachOf(body) + length
}

/** No point of the body is farther from its position. */
export function reachOf({ numbers }: Body): number {
  return Math.hypot(numbers[CENTER], numbers[CENTER + 1], numbers[CENTER + 2]) + numbers[REACH]
}

export function vectorOf([x, y, z]: readonly number[]): Vector {
  return [x, y, z]
}

/**
 * The bodies that block the motion of the walker first, and those that block it at most `instant` later. `isHeld`: whether what has no
 * inside and touches it stops it at once; otherwise it may leave that to either side.
 */
export function* blocksOf3d(walker: Walker3d, way: Vector, instant: number, isHeld = false): FarSlices<Block3d[]> {
  const { view, accepts, body, pace } = walker
  const blocks: Block3d[] = []
  let earliest = Infinity
  setMotion(way)
  noteBodiesOnTheWay(view, body, motion)
  const queue = yield* queueNoted(accepts, 1, pace)
  while (takeNext(queue) && queue.time <= earliest + instant) {
    const block = yield* blockBy3d(walker, queue.slot, way, isHeld)
    if (block === null) continue
    blocks.push(block)
    earliest = Math.min(earliest, block.time)
  }
  return blocks.filter(({ time }) => time <= earliest + instant)
}

function setMotion([x, y, z]: Vector): void {
  motion.vx = x
  motion.vy = y
  motion.vz = z
}

/** How one body would stop a motion; null if it does not. */
export function* blockBy3d(
  { view, body, describe, pace }: Walker3d,
  slot: number,
  way: Vector,
  isHeld = false,
): FarSlices<Block3d | null> {
  const obstacle = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const points = SPACE.points(obstacle) + SPACE.points(body)
  let entry = entryFound
  setMotion(way)
  if (isLight(SPACE, obstacle, body)) firstEntry(obstacle, body, motion, isHeld, entryFound)
  else {
    const asked = { motion: { ...motion }, isHeld }
    entry = yield* costlyEntry3d(obstacle, () => describeBody(view, slot), body, describe, asked, entryFound)
  }
  const { isBlocked, time, x, y, z, nx, ny, nz, isFlat } = entry
  const block: Block3d | null = isBlocked ? { slot, time, point: [x, y, z], normal: [nx, ny, nz], isFlat } : null
  if (pace.isDue(points)) yield
  return block
}

/** −1: the walker overlaps the body, 0: it touches it, 1: it is apart. */
export function* relationTo({ view, body, describe, pace }: Walker3d, slot: number): FarSlices<number> {
  const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const points = SPACE.points(other) + SPACE.points(body)
  const relation = isLight(SPACE, other, body)
    ? SPACE.relate(other, body)
    : yield* costlyRelation(SPACE, other, () => describeBody(view, slot), body, describe)
  if (pace.isDue(points)) yield
  return relation
}

/** The bodies that the walker overlaps; touching does not count. */
export function* overlappedBy3d(walker: Walker3d): FarSlices<number[]> {
  const { view, accepts, body, pace } = walker
  SPACE.measureOuterBox(body, box, 0)
  bodiesInBox(view, box, near)
  const overlapped: number[] = []
  for (const slot of near.items.slice(0, near.count)) {
    if (!accepts(slot)) {
      if (pace.isDue(1)) yield
    } else if ((yield* relationTo(walker, slot)) < 0) overlapped.push(slot)
  }
  return overlapped
}

/** How deep the walker is in a body, and the shortest way out as far as it is known; null: no way leads out of it. */
interface Depth {
  depth: number
  normal: Vector
  reach: number
}

export function* depthIn({ view, body, describe, pace }: Walker3d, slot: number): FarSlices<Depth | null> {
  const obstacle = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const points = SPACE.points(obstacle) + SPACE.points(body)
  const reach = obstacle.numbers[REACH]
  if (isLight(SPACE, obstacle, body)) SPACE.contact(obstacle, body, contactFound)
  else yield* costlyContact(SPACE, obstacle, () => describeBody(view, slot), body, describe, contactFound)
  const { hasNormal, separation, nx, ny, nz } = contactFound
  if (pace.isDue(points)) yield
  if (!hasNormal || !Number.isFinite(separation)) return null
  return { depth: -separation, normal: [nx, ny, nz], reach: reach < Infinity ? reach : 0 }
}

/** Steps along the normal, each twice as long as the one before: out of what is overlapped, and back to what is not touched; then halvings. */
const OUT_COUNT = 16
const BACK_COUNT = 6
const BISECTION_COUNT = 60

/**
 * Puts the walker where it just touches a body, from next to it; false: it is in the body, and stands anywhere. `judge`: how it stands to
 * the body.
 */
export function* settleOn3d(
  walker: Walker3d,
  slot: number,
  normal: Vector,
  travel: number,
  judge: Line['judge'] = () => relationTo(walker, slot),
): FarSlices<boolean> {
  const from = positionOf(walker.body)
  const most = Math.max(...normal.map(Math.abs))
  // what rounding does across the normal moves nothing along it
  const size = normal.reduce((sum, n, k) => sum + Math.abs(n * from[k]), travel + walker.body.numbers[REACH])
  const unit = Math.max(LAST_PLACE_RATIO * size, Number.MIN_VALUE) / most
  const standing = yield* judge()
  if (standing === 0) return true
  const line: Line = { placeAt: (steps) => plus(from, normal, steps * unit), judge }
  if (yield* settleOnLine(walker, line, standing, standing < 0 ? OUT_COUNT : BACK_COUNT)) return true
  putWalker3d(walker, from)
  return standing > 0
}

/** Places along a way out of something. */
export interface Line {
  placeAt(steps: number): Vector
  /** −1: the walker overlaps something where it is, 0: it stands as it shall, 1: it is free. */
  judge(): FarSlices<number>
}

/**
 * Puts the walker, which at 0 steps stands as `standing` says, where it stands as it shall, or else at the last double where it is free:
 * looked for at 1, 2, 4 … steps, at most 2^most. False, and it stands anywhere: it stands the same at all of them.
 */
export function* settleOnLine(walker: Walker3d, line: Line, standing: number, most: number): FarSlices<boolean> {
  let bad = 0
  let good = 0
  for (let k = 0; k <= most; k++) {
    const steps = standing < 0 ? 2 ** k : -(2 ** k)
    putWalker3d(walker, line.placeAt(steps))
    const next = yield* line.judge()
    if (next === 0) return true
    if (next < 0) bad = steps
    else good = steps
    if (next === standing) continue
    yield* settleBetween(walker, line, bad, good)
    return true
  }
  return false
}

/** Puts the walker between places where it overlaps something and where it is free: where it stands as it shall, or is free by a double. */
export function* settleBetween(walker: Walker3d, { placeAt, judge }: Line, bad: number, good: number): FarSlices<void> {
  for (let k = 0; k < BISECTION_COUNT; k++) {
    const middle = (bad + good) / 2
    const place = placeAt(middle)
    if ([bad, good].some((end) => placeAt(end).every((x, axis) => x === place[axis]))) break
    putWalker3d(walker, place)
    const next = yield* judge()
    if (next === 0) return
    if (next < 0) bad = middle
    else good = middle
  }
  putWalker3d(walker, placeAt(good))
}

/** How often a body is pushed out of an overlap; after the first pushes by more than it takes, twice as much each time. */
const PUSH_COUNT = 16
const EXACT_PUSH_COUNT = 4

/** Moves the walker off what rounding has put it in; false, and it stands anywhere, when that takes more than roundings. */
export function* settleFree3d(walker: Walker3d, travel: number): FarSlices<boolean> {
  for (let i = 0; i < PUSH_COUNT; i++) {
    const overlapped = yield* overlappedBy3d(walker)
    if (overlapped.length === 0) return true
    for (const slot of overlapped) {
      if ((yield* relationTo(walker, slot)) >= 0) continue
      const out = yield* depthIn(walker, slot)
      const rounding = ROUNDING_RATIO * (sizeOf(walker, travel) + (out?.reach ?? 0))
      if (out === null || out.depth > DEEPEST_ROUNDING_COUNT * rounding) return false
      const extra = i < EXACT_PUSH_COUNT ? 0 : rounding * 2 ** (i - EXACT_PUSH_COUNT)
      putWalker3d(walker, plus(positionOf(walker.body), out.normal, out.depth + extra))
      if (extra === 0) yield* settleOn3d(walker, slot, out.normal, travel)
    }
  }
  return false
}

/** Multiple of the rounding error within which a crossed surface is looked for. */
const LOOK_COUNT = 2 ** 6

/** Puts the walker where it just touches what stops it, or back along the way to where it just does not, on its side of that. */
export function settleBack3d(walker: Walker3d, { slot, normal, isFlat }: Block3d, back: Vector, travel: number) {
  function* judge(): FarSlices<number> {
    const relation = yield* relationTo(walker, slot)
    if (relation <= 0 || !isFlat) return relation
    // a surface that it has crossed is in the way back
    const look = LOOK_COUNT * ROUNDING_RATIO * sizeOf(walker, travel)
    return (yield* blockBy3d(walker, slot, plus([0, 0, 0], normal, look))) === null ? 1 : -1
  }
  return settleOn3d(walker, slot, back, travel, judge)
}

/** Most steps back, each twice as long, to find a position where the walker is free. */
const RETREAT_COUNT = 24
/** Most of the bodies that stop a walker that it is made to touch. */
const MOST_TOUCHED = 8

/**
 * Moves the walker by `time` times a way, to where it touches what stops it, or as much less as rounding asks for, to where it stands
 * free; it must stand free where it is. Returns the share of the way that it has made: 0 where no place on the way is free.
 */
export function* advance3d(walker: Walker3d, way: Vector, time: number, blocks: readonly Block3d[]): FarSlices<number> {
  const from = positionOf(walker.body)
  const length = Math.hypot(...way)
  const size = sizeOf(walker, length)
  let passed = time
  let back = (ROUNDING_RATIO * size) / length
  for (let i = 0; i < RETREAT_COUNT && passed >= 0; i++) {
    putWalker3d(walker, plus(from, way, passed))
    if (i === 0) yield* settleOnBlocks(walker, way, length, time, blocks)
    if ((yield* settleFree3d(walker, time * length)) && (yield* isOffFlats(walker, blocks))) return passed
    passed = Math.min(passed, time) - back
    back *= 2
  }
  putWalker3d(walker, from)
  return 0
}

function* settleOnBlocks(
  walker: Walker3d,
  way: Vector,
  length: number,
  time: number,
  blocks: readonly Block3d[],
): FarSlices<void> {
  for (const { slot, normal, isFlat } of blocks.slice(0, MOST_TOUCHED)) {
    if (!isFlat) {
      yield* settleOn3d(walker, slot, normal, time * length)
      continue
    }
    const rise = -(normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2]) / length
    const back = (OFF_FLAT_RATIO * sizeOf(walker, length)) / Math.max(rise, LEAST_RISE_RATIO)
    putWalker3d(walker, plus(positionOf(walker.body), way, -Math.min(back / length, time)))
  }
}

/** Whether the walker does not even touch those that have no inside. */
function* isOffFlats(walker: Walker3d, blocks: readonly Block3d[]): FarSlices<boolean> {
  for (const { slot, isFlat } of blocks) if (isFlat && (yield* relationTo(walker, slot)) <= 0) return false
  return true
}
