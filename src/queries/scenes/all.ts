// Every query of scenes, whole: what `schemas/scenes/exchanges.ts` lists, and how it is answered.

import { type SceneQueryOp, sceneExchanges } from '../../../schemas/scenes/exchanges.ts'
import type { SceneQuery, SceneQueryOf } from '../ask/scene-query.ts'
import { sceneDropQuery } from './drop.ts'
import { sceneLineOfSightQuery } from './line-of-sight.ts'
import { sceneMoveQuery } from './move.ts'
import { sceneNearestQuery } from './nearest.ts'
import { sceneOverlapQuery } from './overlap.ts'
import { scenePairsQuery } from './pairs.ts'
import { scenePlaceQuery } from './place.ts'
import { sceneRayCastQuery } from './ray-cast.ts'
import { sceneSectorsQuery } from './sectors.ts'
import { sceneSeparateQuery } from './separate.ts'
import { sceneShapeCastQuery } from './shape-cast.ts'
import { sceneSnapQuery } from './snap.ts'
import { sceneTimeOfImpactQuery } from './time-of-impact.ts'
import { sceneTrajectoryQuery } from './trajectory.ts'

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
  sectors: sceneSectorsQuery,
}

export const sceneQueries: readonly SceneQuery[] = sceneExchanges.map(
  (exchange) => ({ ...exchange, ...BY_OP[exchange.op] }) as SceneQuery,
)
