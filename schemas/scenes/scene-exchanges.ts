// Every query of scenes, in the order in which the OpenAPI document lists them. All other lists of them are made from this one, or
// are records over its words that the type checker completes.

import { exchange, type RequestOf, type ResponseOf } from '../exchange.ts'
import { SceneDropRequest, SceneDropResponse } from './scene-drop.ts'
import { SceneLineOfSightRequest, SceneLineOfSightResponse } from './scene-line-of-sight.ts'
import { SceneMoveRequest, SceneMoveResponse } from './scene-move.ts'
import { SceneNearestRequest, SceneNearestResponse } from './scene-nearest.ts'
import { SceneOverlapRequest, SceneOverlapResponse } from './scene-overlap.ts'
import { ScenePairsRequest, ScenePairsResponse } from './scene-pairs.ts'
import { ScenePlaceRequest, ScenePlaceResponse } from './scene-place.ts'
import { SceneRayCastRequest, SceneRayCastResponse } from './scene-ray-cast.ts'
import { SceneSeparateRequest, SceneSeparateResponse } from './scene-separate.ts'
import { SceneShapeCastRequest, SceneShapeCastResponse } from './scene-shape-cast.ts'
import { SceneSnapRequest, SceneSnapResponse } from './scene-snap.ts'
import { SceneTimeOfImpactRequest, SceneTimeOfImpactResponse } from './scene-time-of-impact.ts'
import { SceneTrajectoryRequest, SceneTrajectoryResponse } from './scene-trajectory.ts'

export const sceneExchanges = [
  exchange('overlap', SceneOverlapRequest, SceneOverlapResponse),
  exchange('ray-cast', SceneRayCastRequest, SceneRayCastResponse),
  exchange('shape-cast', SceneShapeCastRequest, SceneShapeCastResponse),
  exchange('nearest', SceneNearestRequest, SceneNearestResponse),
  exchange('pairs', ScenePairsRequest, ScenePairsResponse),
  exchange('time-of-impact', SceneTimeOfImpactRequest, SceneTimeOfImpactResponse),
  exchange('trajectory', SceneTrajectoryRequest, SceneTrajectoryResponse),
  exchange('move', SceneMoveRequest, SceneMoveResponse),
  exchange('separate', SceneSeparateRequest, SceneSeparateResponse),
  exchange('snap', SceneSnapRequest, SceneSnapResponse),
  exchange('place', ScenePlaceRequest, ScenePlaceResponse),
  exchange('drop', SceneDropRequest, SceneDropResponse),
  exchange('line-of-sight', SceneLineOfSightRequest, SceneLineOfSightResponse),
] as const

type AnyExchange = (typeof sceneExchanges)[number]
export type SceneQueryOp = AnyExchange['op']
export type SceneQueryRequest<Op extends SceneQueryOp = SceneQueryOp> = RequestOf<AnyExchange, Op>
export type SceneQueryResponse<Op extends SceneQueryOp = SceneQueryOp> = ResponseOf<AnyExchange, Op>
