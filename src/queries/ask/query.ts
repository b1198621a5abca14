// A stateless query as one value: what it takes and answers, what can go wrong, and how it is answered. It is asked
// over a path of its own, in batches by its `op`, and answered with numbers or with a picture.

import type { Exchange } from '../../../schemas/exchange.ts'
import type { ProblemCode } from '../../../schemas/problem-code.ts'
import type { QueryOp, QueryRequest, QueryResponse } from '../../../schemas/queries/exchanges.ts'
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

/** What a query is besides its word and its schemas, which `schemas/queries/exchanges.ts` has. */
export interface QueryOf<Op extends QueryOp> {
  /** The group of the OpenAPI document. */
  readonly tag: 'pairs' | 'rays' | 'motion' | 'many' | 'shapes'
  /** The question, as a sentence. */
  readonly summary: string
  readonly description: string
  /** What to make smaller where it takes too long, as a sentence. */
  readonly advice: string
  readonly problems: readonly ProblemCode[]
  /** The answer, or the first problem, with pointers into the request. Takes requests that fit the schema. */
  answer(request: QueryRequest<Op>, limits: QueryLimits): QueryResponse<Op> | DecodeProblem
}

export interface Query extends Exchange, Omit<QueryOf<QueryOp>, 'answer'> {
  answer(request: object, limits: QueryLimits): object
}
