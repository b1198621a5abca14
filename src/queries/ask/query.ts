// A stateless query as one value: what it takes and answers, what can go wrong, and how it is answered. It is asked
// over a path of its own, in batches by its `op`, and answered with numbers or with a picture.

import type { Exchange } from '../../../schemas/exchange.ts'
import type { ProblemCode } from '../../../schemas/problem.ts'
import type {
  Query3dOp,
  Query3dRequest,
  Query3dResponse,
  QueryOp,
  QueryRequest,
  QueryResponse,
} from '../../../schemas/queries/exchanges.ts'
import type { DecodeProblem } from '../../wire/decode-problem.ts'
import type { ShapeSource } from '../../wire/shape-source.ts'

/** Of the plane or of space: the words of paths. */
export type Dimension = '2d' | '3d'

/** Configured bounds on the size of a request and the time that it takes. */
export interface QueryLimits {
  readonly maxVertices: number
  readonly maxParts: number
  readonly maxTargets: number
  readonly maxImpacts: number
  readonly maxBodies: number
  readonly maxPairs: number
  readonly maxCells: number
}

/** Bounds of queries that may refer to kept shapes. */
export interface AskedLimits extends QueryLimits {
  /** Where those are; none are kept where absent. */
  readonly shapes?: ShapeSource
}

/** The definition of a query, except for its `op` and its schemas. */
interface Answering<Request, Response> {
  /** The group of the OpenAPI document, in each dimension. */
  readonly tag: 'pairs' | 'rays' | 'motion' | 'many' | 'shapes'
  /** The question, as a sentence. */
  readonly summary: string
  readonly description: string
  /** Advice for a request that takes too long, as a sentence. */
  readonly advice: string
  readonly problems: readonly ProblemCode[]
  /** The answer, or the first problem, with pointers into the request. Takes requests that fit the schema. */
  answer(request: Request, limits: QueryLimits): Response | DecodeProblem
}

/** The definition of a 2D query, except for its `op` and its schemas, which are in `schemas/queries/exchanges.ts`. */
export type QueryOf<Op extends QueryOp> = Answering<QueryRequest<Op>, QueryResponse<Op>>
/** The definition of a 3D query, except for its `op` and its schemas, which are in the same file. */
export type Query3dOf<Op extends Query3dOp> = Answering<Query3dRequest<Op>, Query3dResponse<Op>>

export interface Query extends Exchange, Omit<Answering<never, never>, 'answer'> {
  readonly dimension: Dimension
  answer(request: object, limits: QueryLimits): object
}

// Names of queries in the OpenAPI document, which has one list for both dimensions.

/** The id of the operation: ray-cast of space is rayCast3d. */
export function operationName(op: string, dimension: Dimension): string {
  const name = op.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return dimension === '2d' ? name : `${name}3d`
}

export function tagName(tag: string, dimension: Dimension): string {
  return dimension === '2d' ? tag : `${tag}-3d`
}
