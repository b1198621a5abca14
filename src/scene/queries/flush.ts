/**
 * Puts a body where it touches another one and does not overlap it. Positions are doubles: a computed one may be off by its last
 * digits, to either side.
 *
 * Method: the computed position if the body touches there, and otherwise a bisection along the way out between a position where it
 * overlaps and one where it does not, down to adjacent doubles. Each position is judged exactly. A line has no inside: its wrong side
 * counts as an overlap. The rounded gap predicts where the bisection ends, and the two positions there are judged first; if the
 * prediction holds, no others are judged.
 * Frame: world.
 */

import type { FarSlices } from '../../containers/far-call.ts'
import type { RelatedGap } from '../../core2d/pair-queries/overlap.ts'
import {
  type Block,
  blockBy,
  finiteReach,
  gapTo,
  overlappedBy,
  putWalker,
  relationTo,
  roundingOf,
  type Walker,
} from './character.ts'
import { DEEPEST_ROUNDING_COUNT, LAST_PLACE_RATIO, LEAST_RISE_RATIO, NO_WAY_OUT_RATIO } from './tolerances.ts'

export interface FlushPlace {
  x: number
  y: number
  /** Unit vector, which way is out. */
  nx: number
  ny: number
}

/** Steps out of a place, each twice as far as the one before, and halvings of the last one. */
const STEP_COUNT = 6
const BISECTION_COUNT = 60
/** Places that are judged by what the gap foretells, before the bisection is left to itself; and how much of the gap may be wrong. */
const GUESS_COUNT = 4
const GAP_DOUBT_RATIO = 2 ** -20
/** How often a body is pushed off what it stands in, ever farther; to where it just touches, the first times. */
const PUSH_COUNT = 12
const EXACT_PUSH_COUNT = 4
/** Most times a walker goes back a step, twice as far each time, to find a place where it stands free. */
const RETREAT_COUNT = 24
/** Roundings from which a line that was gone through is looked for. */
const LOOK_COUNT = 2 ** 6
/** Most of what stops a walker in one place that it is brought to touch. */
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
  const isOut = yield* settle(walker, { x: body.x, y: body.y, nx: way.nx, ny: way.ny }, travel, true, judge, block)
  if (isOut && isLine && staysOff) {
    const rise = Math.max(way.nx * nx + way.ny * ny, LEAST_RISE_RATIO)
    const height = roundingOf(walker, travel, 0) / rise
    putWalker(walker, body.x + height * way.nx, body.y + height * way.ny)
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
  putWalker(walker, body.x + (step - gap) * nx, body.y + (step - gap) * ny)
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
  const { x, y } = walker.body
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
        const { x: beforeX, y: beforeY } = walker.body
        const isOut = yield* settleOn(walker, block, travel, true, block.isLine ? back : block)
        if (walker.body.x !== beforeX || walker.body.y !== beforeY) free = []
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
  const { x, y } = walker.body
  const gap = yield* gapTo(walker, line.slot)
  if (gap === null || Math.abs(gap.gap) > roundingOf(walker, travel, 0)) return
  const isOn = yield* settleOn(walker, line, travel, true)
  if (!isOn || (yield* overlappedBy(walker)).length > 0) putWalker(walker, x, y)
}
