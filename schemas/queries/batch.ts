// POST /v1/2d/batch and /v1/3d/batch: many queries in one request.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { queriesOf, resultsOf } from '../exchange.ts'
import { ProblemDetails } from '../problem.ts'
import { named, reference, taggedUnion } from '../reference.ts'
import { exchanges, exchanges3d } from './exchanges.ts'

/** Hard limit of the list; the configured limit is at most this. */
export const MAX_BATCH_QUERIES = 1_000_000

export function queryList<Q extends TSchema>(query: Q) {
  return Type.Array(reference(query), {
    maxItems: MAX_BATCH_QUERIES,
    description:
      'The queries. Each is checked by itself: one that is wrong has a problem for its result and does not fail the others.',
  })
}

export function resultList<R extends TSchema>(result: R) {
  return Type.Array(reference(result), { description: 'The results, in the order of the queries.' })
}

export const batchQueries = queriesOf(exchanges)

export const BatchQuery = taggedUnion('op', batchQueries, {
  $id: 'BatchQuery',
  description: 'Any stateless query; op says which.',
})
export type BatchQuery = Static<typeof BatchQuery>

/** The `op` of a result that is a problem. */
export const PROBLEM_OP = 'problem'

export const ProblemResult = Type.Object(
  {
    op: Type.Literal(PROBLEM_OP, { description: 'That the query has no answer.' }),
    ...ProblemDetails.properties,
  },
  named('ProblemResult', 'The fields of ProblemDetails in place of an answer. Pointers lead into the query.'),
)

export const BatchResult = taggedUnion('op', [...resultsOf(exchanges), ProblemResult] as const, {
  $id: 'BatchResult',
  description:
    'What the path of the query itself would have answered, and op, which is that of the query, or problem where it has no answer.',
})
export type BatchResult = Static<typeof BatchResult>

const point = { shape: { type: 'point' } }
const circle = { shape: { type: 'circle', radius: 1 }, position: { x: 3, y: 0 } }

export const BatchRequest = Type.Object(
  {
    queries: queryList(BatchQuery),
  },
  named('BatchRequest', 'Queries that are answered together.', {
    'two-queries': {
      queries: [
        { op: 'distance', a: point, b: circle },
        { op: 'overlap', a: point, b: circle },
      ],
    },
  }),
)
export type BatchRequest = Static<typeof BatchRequest>

export const BatchResponse = Type.Object(
  { results: resultList(BatchResult) },
  named('BatchResponse', 'What each of the queries came to.', [
    {
      results: [
        { op: 'distance', distance: 2, pointA: { x: 0, y: 0 }, pointB: { x: 2, y: 0 }, normal: { x: 1, y: 0 } },
        { op: 'overlap', overlap: false, relation: 'separated' },
      ],
    },
  ]),
)
export type BatchResponse = Static<typeof BatchResponse>

export const batch3dQueries = queriesOf(exchanges3d)

export const Batch3dQuery = taggedUnion('op', batch3dQueries, {
  $id: 'Batch3dQuery',
  description: 'Any stateless query of space; op says which.',
})
export type Batch3dQuery = Static<typeof Batch3dQuery>

export const Batch3dResult = taggedUnion('op', [...resultsOf(exchanges3d), ProblemResult] as const, {
  $id: 'Batch3dResult',
  description:
    'What the path of the query itself would have answered, and op, which is that of the query, or problem where it has no answer.',
})
export type Batch3dResult = Static<typeof Batch3dResult>

const point3d = { shape: { type: 'point' } }
const ball = { shape: { type: 'sphere', radius: 1 }, position: { x: 3, y: 0, z: 0 } }

export const Batch3dRequest = Type.Object(
  {
    queries: queryList(Batch3dQuery),
  },
  named('Batch3dRequest', 'Queries of space that are answered together.', {
    'two-queries': {
      queries: [
        { op: 'distance', a: point3d, b: ball },
        { op: 'overlap', a: point3d, b: ball },
      ],
    },
  }),
)
export type Batch3dRequest = Static<typeof Batch3dRequest>

export const Batch3dResponse = Type.Object(
  { results: resultList(Batch3dResult) },
  named('Batch3dResponse', 'What each of the queries came to.', [
    {
      results: [
        {
          op: 'distance',
          distance: 2,
          pointA: { x: 0, y: 0, z: 0 },
          pointB: { x: 2, y: 0, z: 0 },
          normal: { x: 1, y: 0, z: 0 },
        },
        { op: 'overlap', overlap: false, relation: 'separated' },
      ],
    },
  ]),
)
export type Batch3dResponse = Static<typeof Batch3dResponse>
