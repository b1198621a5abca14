// Answers as they are sent: the same bytes whether the main thread or a worker has worked them out.

import type { ProblemCode } from '../../../schemas/problem.ts'
import { type DecodeProblem, problemExtras, problemOf } from '../../wire/problems/decode-problem.ts'
import { PROBLEM_TYPE, type ProblemExtras, problemDetails } from '../../wire/problems/problems.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
/** Of the answers to batches. */
export const LIST_TYPE = 'application/json'

export interface Sent {
  readonly status: number
  /** The media type. */
  readonly type: string
  /** A string only where the media type names the charset: to others the server would add one. */
  readonly body: string | Uint8Array
}

export function sentProblem(code: ProblemCode, detail: string, requestId: string, extras?: ProblemExtras): Sent {
  const problem = problemDetails(code, detail, requestId, extras)
  return { status: problem.status, type: PROBLEM_TYPE, body: Buffer.from(JSON.stringify(problem)) }
}

export function tooManyQueries(actual: number, limit: number): DecodeProblem {
  const detail = `queries must have at most ${limit} items, got ${actual}.`
  return problemOf('too-many-queries', detail, { limit, actual })
}

export function sentTooMany(actual: number, limit: number, requestId: string): Sent {
  const problem = tooManyQueries(actual, limit)
  return sentProblem(problem.code, problem.detail, requestId, problemExtras(problem))
}
