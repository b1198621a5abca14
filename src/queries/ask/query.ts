// A stateless query as one value: what it takes and answers, what can go wrong, and how it is answered. It is asked
// over a path of its own, in batches by its `op`, and answered with numbers or with a picture.

import type { Static, TObject, TUnsafe } from '@sinclair/typebox'
import type { ProblemCode } from '../../../schemas/problem-code.ts'
import type { DecodeProblem } from '../../wire/problems/decode-problem.ts'

/** What bounds the size of a request and the time that it takes, as configured. */
export interface QueryLimits {
  readonly maxVertices: number
  readonly maxParts: number
  readonly maxTargets: number
  readonly maxImpacts: number
  readonly maxBodies: number
  readonly maxPairs: number
  readonly maxCells: number
}

export interface Query<Request extends TObject = TObject, Response extends TObject | TUnsafe<object> = TObject> {
  /** The last word of the path. */
  readonly op: string
  /** The group of the OpenAPI document. */
  readonly tag: 'pairs' | 'rays' | 'motion' | 'many' | 'shapes'
  /** The question, as a sentence. */
  readonly summary: string
  readonly description: string
  /** What to make smaller where it takes too long, as a sentence. */
  readonly advice: string
  readonly request: Request
  readonly response: Response
  readonly problems: readonly ProblemCode[]
  /** The answer, or the first problem, with pointers into the request. Takes requests that fit the schema. */
  answer(request: Static<Request>, limits: QueryLimits): Static<Response> | DecodeProblem
}
