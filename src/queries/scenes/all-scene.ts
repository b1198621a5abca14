// Every query of scenes, whole: what `schemas/scenes/scene-exchanges.ts` lists, and how it is answered.

import { type SceneQueryOp, sceneExchanges } from '../../../schemas/scenes/exchanges.ts'
import type { SceneQuery, SceneQueryOf } from '../ask/scene-query.ts'
import { sceneDropQuery } from './scene-drop.ts'
import { sceneLineOfSightQuery } from './scene-line-of-sight.ts'
import { sceneMoveQuery } from './scene-move.ts'
import { sceneNearestQuery } from './scene-nearest.ts'
import { sceneOverlapQuery } from './scene-overlap.ts'
import { scenePairsQuery } from './scene-pairs.ts'
import { scenePlaceQuery } from './scene-place.ts'
import { sceneRayCastQuery } from './scene-ray-cast.ts'
import { sceneSeparateQuery } from './scene-separate.ts'
import { sceneShapeCastQuery } from './scene-shape-cast.ts'
import { sceneSnapQuery } from './scene-snap.ts'
import { sceneTimeOfImpactQuery } from './scene-time-of-impact.ts'
import { sceneTrajectoryQuery } from './scene-trajectory.ts'

const BY_OP: { readonly [Op in SceneQueryOp]: SceneQueryOf<Op> } = {
  overlap: sceneOverlapQuery,
  'ray-cast': sceneRayCastQuery,
  'shape-cast': sceneShapeCastQuery,
  nearest: sceneNearestQuery,
  pairs: scenePairsQuery,
  'time-of-impact': sceneTimeOfImpactQuery,
  trajectory: sceneTrajectoryQuery,
  move: sceneMoveQuery,
  separate: sceneSeparateQuery,
  snap: sceneSnapQuery,
  place: scenePlaceQuery,
  drop: sceneDropQuery,
  'line-of-sight': sceneLineOfSightQuery,
}

export const sceneQueries: readonly SceneQuery[] = sceneExchanges.map(
  (exchange) => ({ ...exchange, ...BY_OP[exchange.op] }) as SceneQuery,
)
