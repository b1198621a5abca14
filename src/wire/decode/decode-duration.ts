// How long things move.

import { type DecodeProblem, inRange, outOfRange } from '../problems/decode-problem.ts'

/** Null when all is well. */
export function checkDuration(duration: number): DecodeProblem | null {
  return inRange(duration) ? null : outOfRange(duration, '/duration', 'Durations')
}
