// POST /v1/2d/scenes/{sceneId}/batch: many queries of one scene in one request.

import { type Static, Type } from '@sinclair/typebox'
import { queriesOf, resultsOf } from '../exchange.ts'
import { ProblemResult, queryList, resultList } from '../queries/batch.ts'
import { named, taggedUnion } from '../reference.ts'
import { sceneExchanges } from './exchanges.ts'
import { version } from './probe.ts'

export const sceneBatchQueries = queriesOf(sceneExchanges)

export const SceneBatchQuery = taggedUnion('op', sceneBatchQueries, {
  $id: 'SceneBatchQuery',
  description: 'Any query of a scene; op says which.',
})
export type SceneBatchQuery = Static<typeof SceneBatchQuery>

export const SceneBatchResult = taggedUnion('op', [...resultsOf(sceneExchanges), ProblemResult] as const, {
  $id: 'SceneBatchResult',
  description:
    'What the path of the query itself would have answered, and op, which is that of the query, or problem where it has no answer.',
})
export type SceneBatchResult = Static<typeof SceneBatchResult>

export const SceneBatchRequest = Type.Object(
  {
    queries: queryList(SceneBatchQuery),
  },
  named('SceneBatchRequest', 'Queries that are answered together, about one version of the scene.', {
    'two-queries': {
      queries: [
        { op: 'nearest', point: { x: 4, y: 1 }, filter: { tags: { none: ['wall'] } } },
        { op: 'overlap', point: { x: 8, y: 1 } },
      ],
    },
  }),
)
export type SceneBatchRequest = Static<typeof SceneBatchRequest>

export const SceneBatchResponse = Type.Object(
  {
    version,
    results: resultList(SceneBatchResult),
  },
  named('SceneBatchResponse', 'What each of the queries came to.', [
    {
      version: 2,
      results: [
        {
          op: 'nearest',
          version: 2,
          bodies: [
            { id: 'crate', distance: 3, pointA: { x: 4, y: 1 }, pointB: { x: 7, y: 1 }, normal: { x: 1, y: 0 } },
          ],
          truncated: false,
        },
        { op: 'overlap', version: 2, bodies: [{ id: 'crate', relation: 'overlapping' }], truncated: false },
      ],
    },
  ]),
)
export type SceneBatchResponse = Static<typeof SceneBatchResponse>
