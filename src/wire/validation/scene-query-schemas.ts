// The named schemas of the queries of scenes.

import type { TSchema } from '@sinclair/typebox'
import {
  SceneBatchQuery,
  SceneBatchRequest,
  SceneBatchResponse,
  sceneBatchQueries,
} from '../../../schemas/scenes/scene-batch.ts'
import { SceneBatchResult, sceneBatchResults } from '../../../schemas/scenes/scene-batch-result.ts'
import {
  SceneLineOfSightRequest,
  SceneLineOfSightResponse,
  SceneOccluder,
  SceneSight,
  SceneSightTarget,
} from '../../../schemas/scenes/scene-line-of-sight.ts'
import { SceneMoveContact, SceneMoveRequest, SceneMoveResponse } from '../../../schemas/scenes/scene-move.ts'
import { SceneNearBody, SceneNearestRequest, SceneNearestResponse } from '../../../schemas/scenes/scene-nearest.ts'
import { SceneMetBody, SceneOverlapRequest, SceneOverlapResponse } from '../../../schemas/scenes/scene-overlap.ts'
import { SceneMetPair, ScenePairsRequest, ScenePairsResponse } from '../../../schemas/scenes/scene-pairs.ts'
import { SceneAabb, ScenePose } from '../../../schemas/scenes/scene-probe.ts'
import {
  SceneRayCastRequest,
  SceneRayCastResponse,
  SceneRayHit,
  SceneRayResult,
} from '../../../schemas/scenes/scene-ray-cast.ts'
import { SceneSeparateRequest, SceneSeparateResponse, SceneSeparation } from '../../../schemas/scenes/scene-separate.ts'
import {
  SceneCastHit,
  SceneShapeCastRequest,
  SceneShapeCastResponse,
} from '../../../schemas/scenes/scene-shape-cast.ts'
import {
  SceneImpact,
  SceneTimeOfImpactRequest,
  SceneTimeOfImpactResponse,
} from '../../../schemas/scenes/scene-time-of-impact.ts'
import {
  SceneBounce,
  SceneTrajectoryRequest,
  SceneTrajectoryResponse,
} from '../../../schemas/scenes/scene-trajectory.ts'

export const sceneQuerySchemas: readonly TSchema[] = [
  SceneAabb,
  ScenePose,
  SceneOverlapRequest,
  SceneMetBody,
  SceneOverlapResponse,
  SceneRayCastRequest,
  SceneRayHit,
  SceneRayResult,
  SceneRayCastResponse,
  SceneShapeCastRequest,
  SceneCastHit,
  SceneShapeCastResponse,
  SceneNearestRequest,
  SceneNearBody,
  SceneNearestResponse,
  ScenePairsRequest,
  SceneMetPair,
  ScenePairsResponse,
  SceneTimeOfImpactRequest,
  SceneImpact,
  SceneTimeOfImpactResponse,
  SceneTrajectoryRequest,
  SceneBounce,
  SceneTrajectoryResponse,
  SceneMoveRequest,
  SceneMoveContact,
  SceneSeparation,
  SceneMoveResponse,
  SceneSeparateRequest,
  SceneSeparateResponse,
  SceneLineOfSightRequest,
  SceneSightTarget,
  SceneOccluder,
  SceneSight,
  SceneLineOfSightResponse,
  ...sceneBatchQueries,
  SceneBatchQuery,
  SceneBatchRequest,
  ...sceneBatchResults,
  SceneBatchResult,
  SceneBatchResponse,
]
