// Bounds of the work for a request, and slices: between the slices of long work other requests have their turn.

import { type FarSlices, type FarTask, goingOn } from '../../containers/far-call.ts'
import { doFarTask } from './worker-tasks.ts'

/** Length of a slice in milliseconds. */
export const SLICE_MS = 3

/**
 * Has a worker do a task; resolves with a structured clone of the result. Rejects with `DeadlineExceeded` if that is not there by the
 * deadline, and with `OutOfBudget` if the task takes too many steps.
 */
export type Far = (task: FarTask, deadline: number) => Promise<unknown>

/** Thrown when work is cancelled because of the time that it has taken. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('the work takes longer than it may')
  }
}

/** Does the task on this thread, where there are no workers. */
const near: Far = async (task) => doFarTask(task)

export function isSlices<Result = object>(outcome: object): outcome is FarSlices<Result> {
  return typeof (outcome as Partial<FarSlices<Result>>).next === 'function'
}

/** The result if the work does not pause, and otherwise the rest of the work. */
export function atOnce<Result extends object>(slices: FarSlices<Result>): Result | FarSlices<Result> {
  const { done, value } = slices.next()
  if (done) return value
  return value === undefined ? slices : goingOn(value, slices)
}

/** When the slice of this turn of the event loop is over, by `performance.now()`; 0 where none has begun. */
let sliceEnd = 0
/** Work that waits for a slice, first come first served. */
const waiting: (() => void)[] = []

/** All work together has one slice in a turn of the event loop, so that other requests wait for `SLICE_MS` at most. */
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

/** Tells when the slice is over, and when the deadline of the work has passed. */
export class SliceClock {
  /** Of `performance.now()`. */
  readonly deadline: number

  constructor(deadline = Infinity) {
    this.deadline = deadline
  }

  /** Whether it is time to let other requests have their turn. */
  get isOver(): boolean {
    return performance.now() >= beginSlice()
  }

  get isLate(): boolean {
    return performance.now() >= this.deadline
  }

  /** Waits for the next slice, while other requests and other work in slices have their turn. */
  nextTurn(): Promise<void> {
    beginSlice()
    return new Promise((resolve) => waiting.push(resolve))
  }
}

/**
 * Runs the work to its end. Resolves with null, and cancels the work, as soon as `isWanted` is false: the client is gone. Rejects with
 * `DeadlineExceeded` if the clock's deadline passes first. `far`: does the tasks for workers.
 */
export async function finishSlices<Result>(
  slices: FarSlices<Result>,
  isWanted: () => boolean,
  clock = new SliceClock(),
  far: Far = near,
): Promise<Result | null> {
  try {
    for (;;) {
      // also before the first slice, and after a task: many may come back in one turn
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
    // cancelled work releases what it holds; at its end this does nothing
    slices.return(undefined as never)
  }
}

/** Steps (see containers/budget.ts) on the main thread, before a request goes to a worker: about two milliseconds. */
export const MAIN_STEPS = 2 ** 16
/** Steps on the main thread while the workers are so busy that they would refuse the request. */
export const BUSY_MAIN_STEPS = 2 ** 13
/** Steps of a piece of a list, which workers would do as well: light queries take a tenth of it. */
export const PIECE_STEPS = 2 ** 13
/** Bytes of a request up to which the main thread tries at all. */
export const MAIN_BYTES = 2 ** 15
/** Steps of one query, on whatever thread: what takes more is too complex. */
export const MOST_STEPS = 2 ** 30

export const TOO_COMPLEX = `The question takes more than ${MOST_STEPS} steps. Ask about fewer or simpler shapes at a time.`

/** Advice for a batch, or one of its lines, that takes too long. */
export const LIST_ADVICE =
  'Send fewer queries at a time, or send them as lines (application/x-ndjson), which have a deadline each.'
export const LINE_ADVICE = 'Ask about shapes with fewer vertices or parts, or for fewer results, in one query.'
