// Answers as they are sent: the same bytes whether the main thread or a worker has worked them out.

import { type DecodeProblem, problemExtras, problemOf } from '../../wire/decode-problem.ts'
import { PROBLEM_TYPE, problemDetails } from '../../wire/problems.ts'

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

export function sentProblem(problem: DecodeProblem, requestId: string): Sent {
  const details = problemDetails(problem.code, problem.detail, requestId, problemExtras(problem))
  return { status: details.status, type: PROBLEM_TYPE, body: Buffer.from(JSON.stringify(details)) }
}

export function tooManyQueries(actual: number, limit: number): DecodeProblem {
  const detail = `queries must have at most ${limit} items, got ${actual}.`
  return problemOf('too-many-queries', detail, { limit, actual })
}
