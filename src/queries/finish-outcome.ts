// Runs a query to its end, without pauses: within a grant of steps, or on a thread where nobody else waits.

import type { Outcome } from './query.ts'
import { isSlices } from './slices.ts'

export function finishOutcome<Answer extends object>(outcome: Outcome<Answer>): object {
  if (!isSlices(outcome)) return outcome
  for (;;) {
    const { done, value } = outcome.next()
    if (done) return value as object
  }
}
