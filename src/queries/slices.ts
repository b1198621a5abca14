// Work that takes long, done in slices: between them other requests have their turn.

import { setImmediate } from 'node:timers/promises'
import type { Slices } from '../containers/pace.ts'

/** Time for which nothing else has its turn, in milliseconds. */
const SLICE_MS = 3

export function isSlices<Result = object>(outcome: object): outcome is Slices<Result> {
  return typeof (outcome as Partial<Slices<Result>>).next === 'function'
}

/** The result if the work does not pause, or what is left of it. */
export function atOnce<Result extends object>(slices: Slices<Result>): Result | Slices<Result> {
  const { done, value } = slices.next()
  return done ? value : slices
}

/** Says when a slice is over. */
export class SliceClock {
  #end = performance.now() + SLICE_MS

  /** Whether it is time to give others their turn; they may take as long as they need. */
  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  async nextTurn(): Promise<void> {
    await setImmediate()
    this.#end = performance.now() + SLICE_MS
  }
}

/** The result, or null as soon as `isWanted` says that nobody waits for it any more; the work is given up then. */
export async function finishSlices<Result>(
  slices: Slices<Result>,
  isWanted: () => boolean,
  clock = new SliceClock(),
): Promise<Result | null> {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    if (!clock.isOver) continue
    await clock.nextTurn()
    if (isWanted()) continue
    // whatever the work holds on to is let go
    slices.return(undefined as never)
    return null
  }
}
