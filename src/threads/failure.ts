// What is said of work that came to no answer.

import type { ProblemCode } from '../../schemas/problem.ts'
import { TOO_COMPLEX } from '../queries/ask/steps.ts'
import { type DecodeProblem, problemOf } from '../wire/problems/decode-problem.ts'
import type { Failure, PoolOptions } from './pool.ts'

/** `advice`: what to make smaller, as a sentence. */
export function describeFailure(
  { is, ending }: Pick<Failure, 'is' | 'ending'>,
  advice: string,
  { deadline, memory }: PoolOptions,
): DecodeProblem {
  if (ending === 'closing') return problem('draining', 'The service is shutting down.')
  if (ending === 'deadline-exceeded') {
    return { ...problem('deadline-exceeded', `The work was ended after ${deadline} ms. ${advice}`), limit: deadline }
  }
  if (is === 'out-of-memory') {
    const detail = `The work needs more than ${memory / 2 ** 20} MiB of memory. ${advice}`
    return { ...problem('out-of-memory', detail), limit: memory }
  }
  if (is === 'too-complex') return problem('too-complex', TOO_COMPLEX)
  return problem('internal-error', 'The service failed to answer; this is no fault of the request.')
}

function problem(code: ProblemCode, detail: string): DecodeProblem {
  return problemOf(code, detail)
}
