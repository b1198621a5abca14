// A result of a batch about a scene: the answer of any of its queries, or a problem, and which of them it is.

import type { Static } from '@sinclair/typebox'
import { ProblemResult, resultOf } from '../queries/batch-result.ts'
import { taggedUnion } from '../tagged-union.ts'
import { SceneLineOfSightResponse } from './scene-line-of-sight.ts'
import { SceneMoveResponse } from './scene-move.ts'
import { SceneNearestResponse } from './scene-nearest.ts'
import { SceneOverlapResponse } from './scene-overlap.ts'
import { ScenePairsResponse } from './scene-pairs.ts'
import { SceneRayCastResponse } from './scene-ray-cast.ts'
import { SceneSeparateResponse } from './scene-separate.ts'
import { SceneShapeCastResponse } from './scene-shape-cast.ts'
import { SceneTimeOfImpactResponse } from './scene-time-of-impact.ts'
import { SceneTrajectoryResponse } from './scene-trajectory.ts'

/** One for each query of scenes. */
export const sceneBatchResults = [
  resultOf('overlap', SceneOverlapResponse),
  resultOf('ray-cast', SceneRayCastResponse),
  resultOf('shape-cast', SceneShapeCastResponse),
  resultOf('nearest', SceneNearestResponse),
  resultOf('pairs', ScenePairsResponse),
  resultOf('time-of-impact', SceneTimeOfImpactResponse),
  resultOf('trajectory', SceneTrajectoryResponse),
  resultOf('move', SceneMoveResponse),
  resultOf('separate', SceneSeparateResponse),
  resultOf('line-of-sight', SceneLineOfSightResponse),
] as const

export const SceneBatchResult = taggedUnion('op', [...sceneBatchResults, ProblemResult] as const, {
  $id: 'SceneBatchResult',
  description:
    'What the path of the query itself would have answered, and op, which is that of the query, or problem where it has no answer.',
})
export type SceneBatchResult = Static<typeof SceneBatchResult>
