// POST /v1/2d/scenes/{sceneId}/batch: many queries of one scene in one request.

import { type Static, Type } from '@sinclair/typebox'
import { MAX_BATCH_QUERIES } from '../queries/batch.ts'
import { asked } from '../queries/batch-query.ts'
import { named, reference } from '../reference.ts'
import { taggedUnion } from '../tagged-union.ts'
import { SceneBatchResult } from './scene-batch-result.ts'
import { SceneLineOfSightRequest } from './scene-line-of-sight.ts'
import { SceneMoveRequest } from './scene-move.ts'
import { SceneNearestRequest } from './scene-nearest.ts'
import { SceneOverlapRequest } from './scene-overlap.ts'
import { ScenePairsRequest } from './scene-pairs.ts'
import { version } from './scene-probe.ts'
import { SceneRayCastRequest } from './scene-ray-cast.ts'
import { SceneSeparateRequest } from './scene-separate.ts'
import { SceneShapeCastRequest } from './scene-shape-cast.ts'
import { SceneTimeOfImpactRequest } from './scene-time-of-impact.ts'
import { SceneTrajectoryRequest } from './scene-trajectory.ts'

/** One for each query of scenes. */
export const sceneBatchQueries = [
  asked('overlap', SceneOverlapRequest),
  asked('ray-cast', SceneRayCastRequest),
  asked('shape-cast', SceneShapeCastRequest),
  asked('nearest', SceneNearestRequest),
  asked('pairs', ScenePairsRequest),
  asked('time-of-impact', SceneTimeOfImpactRequest),
  asked('trajectory', SceneTrajectoryRequest),
  asked('move', SceneMoveRequest),
  asked('separate', SceneSeparateRequest),
  asked('line-of-sight', SceneLineOfSightRequest),
] as const

export const SceneBatchQuery = taggedUnion('op', sceneBatchQueries, {
  $id: 'SceneBatchQuery',
  description: 'Any query of a scene; op says which.',
})
export type SceneBatchQuery = Static<typeof SceneBatchQuery>

export const SceneBatchRequest = Type.Object(
  {
    queries: Type.Array(reference(SceneBatchQuery), {
      maxItems: MAX_BATCH_QUERIES,
      description:
        'The queries. Each is checked by itself: one that is wrong has a problem for its result and does not fail the others.',
    }),
  },
  named('SceneBatchRequest', 'Queries that are answered together, about one version of the scene.', [
    {
      queries: [
        { op: 'nearest', point: { x: 4, y: 1 }, filter: { tags: { none: ['wall'] } } },
        { op: 'overlap', point: { x: 8, y: 1 } },
      ],
    },
  ]),
)
export type SceneBatchRequest = Static<typeof SceneBatchRequest>

export const SceneBatchResponse = Type.Object(
  {
    version,
    results: Type.Array(reference(SceneBatchResult), { description: 'The results, in the order of the queries.' }),
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
