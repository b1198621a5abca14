// What is said of work that came to no answer.

import type { ProblemCode } from '../../schemas/problem-code.ts'
import { adviceFor } from '../queries/advice.ts'
import type { ProblemExtras } from '../wire/problems.ts'
import type { Failure, PoolOptions } from './pool.ts'

export interface FailureProblem {
  code: ProblemCode
  detail: string
  extras?: ProblemExtras
}

/** `op`: what the work was for. */
export function describeFailure(failure: Failure, op: string, options: PoolOptions): FailureProblem {
  const { deadline, memory } = options
  if (failure.ending === 'closing') return { code: 'draining', detail: 'The service is shutting down.' }
  if (failure.ending === 'deadline-exceeded') {
    const detail = `The work was ended after ${deadline} ms. ${adviceFor(op)}`
    return { code: 'deadline-exceeded', detail, extras: { limit: deadline } }
  }
  if (failure.is === 'out-of-memory') {
    const detail = `The work needs more than ${memory / 2 ** 20} MiB of memory. ${adviceFor(op)}`
    return { code: 'out-of-memory', detail, extras: { limit: memory } }
  }
  return { code: 'internal-error', detail: 'The service failed to answer; this is no fault of the request.' }
}
