// Every query of scenes, in the order in which the OpenAPI document lists them.

import type { SceneQuery } from '../ask/scene-query.ts'
import { sceneLineOfSightQuery } from './scene-line-of-sight.ts'
import { sceneMoveQuery } from './scene-move.ts'
import { sceneNearestQuery } from './scene-nearest.ts'
import { sceneOverlapQuery } from './scene-overlap.ts'
import { scenePairsQuery } from './scene-pairs.ts'
import { sceneRayCastQuery } from './scene-ray-cast.ts'
import { sceneSeparateQuery } from './scene-separate.ts'
import { sceneShapeCastQuery } from './scene-shape-cast.ts'
import { sceneTimeOfImpactQuery } from './scene-time-of-impact.ts'
import { sceneTrajectoryQuery } from './scene-trajectory.ts'

export const sceneQueries = [
  sceneOverlapQuery,
  sceneRayCastQuery,
  sceneShapeCastQuery,
  sceneNearestQuery,
  scenePairsQuery,
  sceneTimeOfImpactQuery,
  sceneTrajectoryQuery,
  sceneMoveQuery,
  sceneSeparateQuery,
  sceneLineOfSightQuery,
] as unknown as readonly SceneQuery[]
