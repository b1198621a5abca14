// Every query of scenes, whole: what `schemas/scenes/exchanges.ts` lists, and how it is answered.

import {
  type SceneQuery3dOp,
  type SceneQueryOp,
  sceneExchanges,
  sceneExchanges3d,
} from '../../../schemas/scenes/exchanges.ts'
import type { SceneQuery, SceneQuery3dOf, SceneQueryOf } from '../ask/scene-query.ts'
import { sceneDropQuery } from './drop.ts'
import { sceneLineOfSightQuery } from './line-of-sight.ts'
import { sceneLintQuery } from './lint.ts'
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
  overlap: sceneOverlapQuery[2],
  'ray-cast': sceneRayCastQuery[2],
  'shape-cast': sceneShapeCastQuery[2],
  nearest: sceneNearestQuery[2],
  pairs: scenePairsQuery[2],
  'time-of-impact': sceneTimeOfImpactQuery[2],
  trajectory: sceneTrajectoryQuery[2],
  move: sceneMoveQuery[2],
  separate: sceneSeparateQuery[2],
  snap: sceneSnapQuery[2],
  place: scenePlaceQuery[2],
  drop: sceneDropQuery[2],
  'line-of-sight': sceneLineOfSightQuery[2],
  sectors: sceneSectorsQuery[2],
  lint: sceneLintQuery[2],
}

const BY_OP_3D: { readonly [Op in SceneQuery3dOp]: SceneQuery3dOf<Op> } = {
  overlap: sceneOverlapQuery[3],
  'ray-cast': sceneRayCastQuery[3],
  'shape-cast': sceneShapeCastQuery[3],
  nearest: sceneNearestQuery[3],
  pairs: scenePairsQuery[3],
  'time-of-impact': sceneTimeOfImpactQuery[3],
  trajectory: sceneTrajectoryQuery[3],
  move: sceneMoveQuery[3],
  separate: sceneSeparateQuery[3],
  snap: sceneSnapQuery[3],
  place: scenePlaceQuery[3],
  drop: sceneDropQuery[3],
  'line-of-sight': sceneLineOfSightQuery[3],
  sectors: sceneSectorsQuery[3],
  lint: sceneLintQuery[3],
}

export const sceneQueries: readonly SceneQuery[] = sceneExchanges.map(
  (exchange) => ({ ...exchange, ...BY_OP[exchange.op] }) as SceneQuery,
)

/** Those of scenes of space. */
export const sceneQueries3d: readonly SceneQuery[] = sceneExchanges3d.map(
  (exchange) => ({ ...exchange, ...BY_OP_3D[exchange.op] }) as SceneQuery,
)
