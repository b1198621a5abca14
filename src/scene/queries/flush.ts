/**
 * Bringing a body to where it touches without going in. Places are doubles, and one that was computed may lie in something by its
 * last digits, or off it.
 *
 * Method: the place itself, where the body touches as it should, or else the nearest double along the way out between one where it
 * overlaps and one where it does not, found by bisection; each is judged exactly. On a line there is no overlap: there, the wrong
 * side counts as in.
 * Frame: world.
 */

import type { FarSlices } from '../../containers/far-call.ts'
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
/** How often a body is pushed off what it stands in, ever farther; to where it just touches, the first times. */
const PUSH_COUNT = 12
const EXACT_PUSH_COUNT = 4
/** Most times a walker goes back a step, twice as far each time, to find a place where it stands free. */
const RETREAT_COUNT = 24
/** Roundings from which a line that was gone through is looked for. */
const LOOK_COUNT = 2 ** 6
/** Most of what stops a walker in one place that it is brought to touch. */
const MOST_TOUCHED = 8

/** How a walker stands: −1 in something, 0 touching what it should, 1 free. */
type Standing = FarSlices<-1 | 0 | 1>

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
  function* judge(): Standing {
    return (yield* overlappedBy(walker)).length > 0 ? -1 : 1
  }
  if (yield* settle(walker, place, 0, seeksTouch, judge)) return true
  return isPushed && (yield* settleWalker(walker, roundingOf(walker, 0, 0)))
}

/**
 * The same with regard to one body that stopped the walker, on a way so long; `block`'s normal is the way out unless one is given.
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
  function* judge(): Standing {
    const { relation } = yield* relationTo(walker, slot)
    if (!isLine || relation < 0) return relation
    if (relation === 0) return staysOff ? -1 : 0
    // gaps like these have no sure normal, but it is sure what is met on a way
    const look = LOOK_COUNT * roundingOf(walker, travel, 0)
    return (yield* blockBy(walker, [slot], look * nx, look * ny, true)) === null ? 1 : -1
  }
  const { body } = walker
  const isOut = yield* settle(walker, { x: body.x, y: body.y, nx: way.nx, ny: way.ny }, travel, true, judge)
  if (isOut && isLine && staysOff) {
    const rise = Math.max(way.nx * nx + way.ny * ny, LEAST_RISE_RATIO)
    const height = roundingOf(walker, travel, 0) / rise
    putWalker(walker, body.x + height * way.nx, body.y + height * way.ny)
  }
  return isOut
}

function* settle(
  walker: Walker,
  { x, y, nx, ny }: FlushPlace,
  travel: number,
  seeksTouch: boolean,
  judge: () => Standing,
): FarSlices<boolean> {
  // what rounding does across the way out moves nothing along it
  const size = Math.abs(nx * x) + Math.abs(ny * y) + travel + finiteReach(walker.body)
  const unit = Math.max(LAST_PLACE_RATIO * size, Number.MIN_VALUE)
  const most = Math.max(Math.abs(nx), Math.abs(ny))
  // what hardly leads that way is no way out
  const stepX = Math.abs(nx) < NO_WAY_OUT_RATIO ? 0 : (nx / most) * unit
  const stepY = Math.abs(ny) < NO_WAY_OUT_RATIO ? 0 : (ny / most) * unit
  function* standingAt(steps: number): Standing {
    putWalker(walker, x + steps * stepX, y + steps * stepY)
    return yield* judge()
  }
  const standing = yield* standingAt(0)
  if (standing === 0 || (standing > 0 && !seeksTouch)) return true
  let bad = 0
  let good = 0
  const side = standing < 0 ? 1 : -1
  let isBetween = false
  for (let k = 0; k <= STEP_COUNT && !isBetween; k++) {
    const steps = side * 2 ** k
    const next = yield* standingAt(steps)
    if (next === 0) return true
    isBetween = next !== standing
    if (next < 0) bad = steps
    else good = steps
  }
  if (!isBetween) {
    if (standing > 0) putWalker(walker, x, y)
    return standing > 0
  }
  for (let k = 0; k < BISECTION_COUNT; k++) {
    const middle = (bad + good) / 2
    putWalker(walker, x + middle * stepX, y + middle * stepY)
    if (isAt(walker, x + bad * stepX, y + bad * stepY) || isAt(walker, x + good * stepX, y + good * stepY)) break
    const next = yield* judge()
    if (next === 0) return true
    if (next < 0) bad = middle
    else good = middle
  }
  putWalker(walker, x + good * stepX, y + good * stepY)
  return true
}

function isAt({ body }: Walker, x: number, y: number): boolean {
  return body.x === x && body.y === y
}

/** Moves the walker off what rounding has put it in; false, and it stands anywhere, when that takes more than roundings. */
export function* settleWalker(walker: Walker, rounding: number): FarSlices<boolean> {
  let step = rounding
  for (let i = 0; i < PUSH_COUNT; i++) {
    const overlapped = yield* overlappedBy(walker)
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
    if (i === 0) {
      // off a line by the way it came: in a corner, straight off the one would lead through the other
      const back = { nx: -dx / speed, ny: -dy / speed }
      for (const block of blocks.slice(0, MOST_TOUCHED)) {
        yield* settleOn(walker, block, travel, true, block.isLine ? back : block)
      }
    }
    if (yield* settleWalker(walker, rounding)) return passed
    passed = time - back
    back *= 2
  }
  putWalker(walker, x, y)
  return 0
}

/** The same on a line that the walker has come along: where it has left it by no more than rounding it is brought back, to its side. */
export function* settleBeside(walker: Walker, line: Block, travel: number): FarSlices<void> {
  const { x, y } = walker.body
  const gap = yield* gapTo(walker, line.slot)
  if (gap === null || Math.abs(gap.gap) > roundingOf(walker, travel, 0)) return
  const isOn = yield* settleOn(walker, line, travel, true)
  if (!isOn || (yield* overlappedBy(walker)).length > 0) putWalker(walker, x, y)
}
