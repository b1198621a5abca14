// Every query of scenes, in the order of the OpenAPI document. All other lists of them are derived from this one, or are records over
// their names, which the type checker completes.

import { exchange, type RequestOf, type ResponseOf } from '../exchange.ts'
import { SceneDropRequest, SceneDropResponse } from './drop.ts'
import { SceneLineOfSightRequest, SceneLineOfSightResponse } from './line-of-sight.ts'
import { SceneMoveRequest, SceneMoveResponse } from './move.ts'
import { SceneNearestRequest, SceneNearestResponse } from './nearest.ts'
import { SceneOverlapRequest, SceneOverlapResponse } from './overlap.ts'
import { ScenePairsRequest, ScenePairsResponse } from './pairs.ts'
import { ScenePlaceRequest, ScenePlaceResponse } from './place.ts'
import { SceneRayCastRequest, SceneRayCastResponse } from './ray-cast.ts'
import { SceneSectorsRequest, SceneSectorsResponse } from './sectors.ts'
import { SceneSeparateRequest, SceneSeparateResponse } from './separate.ts'
import { SceneShapeCastRequest, SceneShapeCastResponse } from './shape-cast.ts'
import { SceneSnapRequest, SceneSnapResponse } from './snap.ts'
import { SceneTimeOfImpactRequest, SceneTimeOfImpactResponse } from './time-of-impact.ts'
import { SceneTrajectoryRequest, SceneTrajectoryResponse } from './trajectory.ts'

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
  exchange('sectors', SceneSectorsRequest, SceneSectorsResponse),
] as const

type AnyExchange = (typeof sceneExchanges)[number]
export type SceneQueryOp = AnyExchange['op']
export type SceneQueryRequest<Op extends SceneQueryOp = SceneQueryOp> = RequestOf<AnyExchange, Op>
export type SceneQueryResponse<Op extends SceneQueryOp = SceneQueryOp> = ResponseOf<AnyExchange, Op>
