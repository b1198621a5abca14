import type { FarCall } from '../../../src/containers/far-call.ts'
import { doFarTask } from '../../../src/queries/ask/worker-tasks.ts'

/** The result of work that is done in slices, all of them at once. */
export function finished<Result>(slices: Generator<FarCall | undefined, Result, undefined>): Result {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    answerCall(value)
  }
}

/** Answers what work calls for, if it does, with what comes through to another thread and back. */
export function answerCall(call: FarCall | undefined): void {
  if (call !== undefined) call.result = structuredClone(doFarTask(structuredClone(call.task)))
}
