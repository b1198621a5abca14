// Work that takes long, done in slices: between them other requests have their turn.

import { type FarSlices, type FarTask, goingOn } from '../../containers/far-call.ts'
import { doFarTask } from './far-tasks.ts'

/** Time for which nothing else has its turn, in milliseconds. */
export const SLICE_MS = 3

/**
 * Does a task elsewhere, from a record that says all about it; what it resolves with has come back as structured cloning leaves
 * it. Rejects with `DeadlineExceeded` when that is not there by the deadline, and with `OutOfBudget` when it takes too many steps.
 */
export type Far = (task: FarTask, deadline: number) => Promise<unknown>

/** Thrown where work is given up because of the time it has taken. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('the work takes longer than it may')
  }
}

/** Does the task here and now, where nobody else does. */
const near: Far = async (task) => doFarTask(task)

export function isSlices<Result = object>(outcome: object): outcome is FarSlices<Result> {
  return typeof (outcome as Partial<FarSlices<Result>>).next === 'function'
}

/** The result if the work does not pause, or what is left of it. */
export function atOnce<Result extends object>(slices: FarSlices<Result>): Result | FarSlices<Result> {
  const { done, value } = slices.next()
  if (done) return value
  return value === undefined ? slices : goingOn(value, slices)
}

/** When the slice of this turn of the event loop is over, by `performance.now()`; 0 where none has begun. */
let sliceEnd = 0
/** Work that waits for a slice, in order. */
const waiting: (() => void)[] = []

/** One slice a turn for all work together: however much of it there is, others have their turn after so many milliseconds. */
function beginSlice(): number {
  if (sliceEnd === 0) {
    sliceEnd = performance.now() + SLICE_MS
    setImmediate(endSlice)
  }
  return sliceEnd
}

function endSlice(): void {
  sliceEnd = 0
  const next = waiting.shift()
  if (next === undefined) return
  beginSlice()
  next()
}

/** Says when a slice is over, and when all of the work must be. */
export class SliceClock {
  /** Of `performance.now()`. */
  readonly deadline: number

  constructor(deadline = Infinity) {
    this.deadline = deadline
  }

  /** Whether it is time to give others their turn; they may take as long as they need. */
  get isOver(): boolean {
    return performance.now() >= beginSlice()
  }

  get isLate(): boolean {
    return performance.now() >= this.deadline
  }

  /** Others have their turn, other work in slices among them: whoever waits longest comes next. */
  nextTurn(): Promise<void> {
    beginSlice()
    return new Promise((resolve) => waiting.push(resolve))
  }
}

/**
 * The result, or null as soon as `isWanted` says that nobody waits for it any more; the work is given up then. Rejects with
 * `DeadlineExceeded` when the clock's deadline has passed before the end. `far`: does what the work calls for elsewhere.
 */
export async function finishSlices<Result>(
  slices: FarSlices<Result>,
  isWanted: () => boolean,
  clock = new SliceClock(),
  far: Far = near,
): Promise<Result | null> {
  try {
    for (;;) {
      // also before it begins, and when something has come back: much may in one turn
      if (clock.isOver) {
        await clock.nextTurn()
        if (!isWanted()) return null
        if (clock.isLate) throw new DeadlineExceeded()
      }
      const { done, value } = slices.next()
      if (done) return value
      if (value === undefined) continue
      value.result = await far(value.task, clock.deadline)
      if (!isWanted()) return null
      if (clock.isLate) throw new DeadlineExceeded()
    }
  } finally {
    // given up, it lets go of whatever it holds on to; at its end this does nothing
    slices.return(undefined as never)
  }
}
