/**
 * When long work pauses, so that others have their turn: after so many points looked at, whatever the clock says.
 */
import { spend } from './budget.ts'

/** Work that pauses now and then and returns its result at the end. No slot that others use is held over a pause. */
export type Slices<Result> = Generator<undefined, Result, undefined>

const PAUSE_POINTS = 2 ** 11

export class Pace {
  #left = PAUSE_POINTS

  /** Counts work, in points of bodies, which are steps of the budget; whether it is time to pause. */
  isDue(points: number): boolean {
    spend(points)
    this.#left -= points
    if (this.#left > 0) return false
    this.#left = PAUSE_POINTS
    return true
  }
}

/** Numbers that are written in one go: memory that was never touched takes milliseconds to fill. */
const FILL_COUNT = 2 ** 16

/** Fills numbers from an index on. */
export function* fillInSlices(numbers: Int32Array, value: number, from = 0): Slices<void> {
  for (let at = from; at < numbers.length; at += FILL_COUNT) {
    numbers.fill(value, at, at + FILL_COUNT)
    yield
  }
}

/** Does work that pauses without a pause. */
export function finishAtOnce<Result>(work: Slices<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
