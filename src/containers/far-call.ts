/**
 * Work that pauses, part of which may be done elsewhere: on another thread, from a record that says all about it.
 *
 * The work yields a call and finds the result in it when it goes on; whoever runs the work sees to that.
 */

/** A plain record that structured cloning keeps exactly: −0, infinities and typed arrays too. So is its result. */
export interface FarTask {
  readonly kind: string
  /** Memory in it that is handed over and not copied: whoever makes the task has no more use for it. */
  readonly given?: readonly ArrayBuffer[]
}

export class FarCall<Result = unknown> {
  readonly task: FarTask
  /** Set before the work goes on. */
  result: Result | undefined = undefined

  constructor(task: FarTask) {
    this.task = task
  }
}

/** Work that pauses now and then, for others to have their turn or for a call, and returns its result at the end. */
export type FarSlices<Result> = Generator<FarCall | undefined, Result, undefined>

/** Has a task done elsewhere; the result. */
export function* callFar<Result>(task: FarTask): FarSlices<Result> {
  const call = new FarCall<Result>(task)
  yield call as FarCall
  return call.result as Result
}

/** The work goes on from its first pause, whose call, if it is one, has not been made yet. */
export function goingOn<Result>(paused: FarCall | undefined, work: FarSlices<Result>): FarSlices<Result> {
  const going = resumed(paused, work)
  // one that has not begun would not let go of anything when it is given up
  going.next()
  return going
}

function* resumed<Result>(paused: FarCall | undefined, work: FarSlices<Result>): FarSlices<Result> {
  let goesOn = false
  try {
    yield
    yield paused
    goesOn = true
    return yield* work
  } finally {
    // given up before it went on: whatever the work holds on to is let go
    if (!goesOn) work.return(undefined as never)
  }
}
