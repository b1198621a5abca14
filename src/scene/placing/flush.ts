/**
 * Bringing a body to where it touches without going in: places are doubles, and the one that was computed may lie in something by a
 * last digit, or off it by one.
 *
 * Method: the place itself, then those that are one, two, four … units in the last place farther out, each judged exactly; then by
 * pushing off what it still overlaps. Places farther in may be tried before.
 * Frame: world.
 */

import type { FarSlices } from '../../containers/far-call.ts'
import { overlappedBy, putWalker, roundingOf, settleWalker, type Walker } from '../queries/character.ts'

export interface FlushPlace {
  x: number
  y: number
  /** Unit vector, which way is out. */
  nx: number
  ny: number
}

/** Places that are tried, each twice as far out as the one before. */
const STEP_COUNT = 4

/**
 * Puts the walker at the place, or the next one out where it overlaps nothing; `from` −1 begins with the next one in. `isPushed`: whether
 * it is pushed off what it still overlaps in the end. False: it
 * stands anywhere, in something.
 */
export function* settleFlush(
  walker: Walker,
  { x, y, nx, ny }: FlushPlace,
  from: 0 | -1 = 0,
  isPushed = true,
): FarSlices<boolean> {
  for (let step = from as number; step <= STEP_COUNT; step++) {
    const ulps = step < 1 ? step : 2 ** (step - 1)
    putWalker(walker, beyond(x, nx, ulps), beyond(y, ny, ulps))
    if ((yield* overlappedBy(walker)).length === 0) return true
  }
  return isPushed && (yield* settleWalker(walker, roundingOf(walker, 0, 0)))
}

/** The coordinate so many units in its last place farther along a direction that has a part in it. */
function beyond(coordinate: number, along: number, ulps: number): number {
  const unit = Math.max(Math.abs(coordinate) * 2 ** -52, Number.MIN_VALUE)
  // what hardly leads that way is no way out
  return Math.abs(along) < 2 ** -20 ? coordinate : coordinate + Math.sign(along) * ulps * unit
}
