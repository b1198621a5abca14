// POST /v1/2d/scenes/{sceneId}/batch and /v1/3d/…: many queries of one scene in one request.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { queriesOf, resultsOf } from '../exchange.ts'
import { ProblemResult, queryList, resultList } from '../queries/batch.ts'
import { named, taggedUnion } from '../reference.ts'
import { sceneExchanges, sceneExchanges3d } from './exchanges.ts'
import { version } from './probe.ts'

const ANY_QUERY = 'Any query of a scene; op says which.'
const ANY_RESULT =
  'What the path of the query itself would have answered, and op, which is that of the query, or problem where it has no answer.'

export const sceneBatchQueries = queriesOf(sceneExchanges)

export const SceneBatchQuery = taggedUnion('op', sceneBatchQueries, { $id: 'SceneBatchQuery', description: ANY_QUERY })
export type SceneBatchQuery = Static<typeof SceneBatchQuery>

export const SceneBatchResult = taggedUnion('op', [...resultsOf(sceneExchanges), ProblemResult] as const, {
  $id: 'SceneBatchResult',
  description: ANY_RESULT,
})
export type SceneBatchResult = Static<typeof SceneBatchResult>

export const sceneBatch3dQueries = queriesOf(sceneExchanges3d)

export const SceneBatch3dQuery = taggedUnion('op', sceneBatch3dQueries, {
  $id: 'SceneBatch3dQuery',
  description: ANY_QUERY,
})

export const SceneBatch3dResult = taggedUnion('op', [...resultsOf(sceneExchanges3d), ProblemResult] as const, {
  $id: 'SceneBatch3dResult',
  description: ANY_RESULT,
})

interface Example {
  readonly queries: readonly object[]
  readonly results: readonly object[]
}

function sceneBatch<Q extends TSchema, R extends TSchema>(tag: string, query: Q, result: R, example: Example) {
  const request = Type.Object(
    { queries: queryList(query) },
    named(`SceneBatch${tag}Request`, 'Queries that are answered together, about one version of the scene.', {
      'two-queries': { queries: example.queries },
    }),
  )
  const response = Type.Object(
    { version, results: resultList(result) },
    named(`SceneBatch${tag}Response`, 'What each of the queries came to.', [{ version: 2, results: example.results }]),
  )
  return { request, response }
}

const MET = { op: 'overlap', version: 2, bodies: [{ id: 'crate', relation: 'overlapping' }], truncated: false }

export const { request: SceneBatchRequest, response: SceneBatchResponse } = sceneBatch(
  '',
  SceneBatchQuery,
  SceneBatchResult,
  {
    queries: [
      { op: 'nearest', point: { x: 4, y: 1 }, filter: { tags: { none: ['wall'] } } },
      { op: 'overlap', point: { x: 8, y: 1 } },
    ],
    results: [
      {
        op: 'nearest',
        version: 2,
        bodies: [{ id: 'crate', distance: 3, pointA: { x: 4, y: 1 }, pointB: { x: 7, y: 1 }, normal: { x: 1, y: 0 } }],
        truncated: false,
      },
      MET,
    ],
  },
)
export type SceneBatchRequest = Static<typeof SceneBatchRequest>
export type SceneBatchResponse = Static<typeof SceneBatchResponse>

export const { request: SceneBatch3dRequest, response: SceneBatch3dResponse } = sceneBatch(
  '3d',
  SceneBatch3dQuery,
  SceneBatch3dResult,
  {
    queries: [
      { op: 'nearest', point: { x: 4, y: 1, z: 0 }, filter: { tags: { none: ['wall'] } } },
      { op: 'overlap', point: { x: 8, y: 1, z: 0 } },
    ],
    results: [
      {
        op: 'nearest',
        version: 2,
        bodies: [
          {
            id: 'crate',
            distance: 3,
            pointA: { x: 4, y: 1, z: 0 },
            pointB: { x: 7, y: 1, z: 0 },
            normal: { x: 1, y: 0, z: 0 },
          },
        ],
        truncated: false,
      },
      MET,
    ],
  },
)
