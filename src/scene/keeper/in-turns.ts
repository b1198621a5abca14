// Work in slices that nobody waits for at the other end of a connection: others have their turn after a millisecond or two.

import { setImmediate } from 'node:timers/promises'
import type { Slices } from '../../containers/budget.ts'

/** Time for which nothing else has its turn, in milliseconds: of several such works, each has a slice in a turn. */
const SLICE_MS = 1

/** For work that waits for other things now and then, but may not for long. */
export class Turns {
  #end = performance.now() + SLICE_MS

  /** Others have their turn when a slice is over. */
  async pause(): Promise<void> {
    if (performance.now() < this.#end) return
    await setImmediate()
    this.#end = performance.now() + SLICE_MS
  }
}

/** The result; at once when the work is done within the first slice. */
export async function inTurns<Result>(slices: Slices<Result>): Promise<Result> {
  let end = performance.now() + SLICE_MS
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    if (performance.now() < end) continue
    await setImmediate()
    end = performance.now() + SLICE_MS
  }
}
