// Every query of scenes, in the order of the OpenAPI document. All other lists of them are derived from this one, or are records over
// their names, which the type checker completes.

import { exchange, type RequestOf, type ResponseOf } from '../exchange.ts'
import { SceneDrop3dRequest, SceneDrop3dResponse, SceneDropRequest, SceneDropResponse } from './drop.ts'
import {
  SceneLineOfSight3dRequest,
  SceneLineOfSight3dResponse,
  SceneLineOfSightRequest,
  SceneLineOfSightResponse,
} from './line-of-sight.ts'
import { lintProgress, SceneLint3dRequest, SceneLint3dResponse, SceneLintRequest, SceneLintResponse } from './lint.ts'
import { SceneMove3dRequest, SceneMove3dResponse, SceneMoveRequest, SceneMoveResponse } from './move.ts'
import { SceneNearest3dRequest, SceneNearest3dResponse, SceneNearestRequest, SceneNearestResponse } from './nearest.ts'
import { SceneOverlap3dRequest, SceneOverlap3dResponse, SceneOverlapRequest, SceneOverlapResponse } from './overlap.ts'
import { ScenePairs3dRequest, ScenePairs3dResponse, ScenePairsRequest, ScenePairsResponse } from './pairs.ts'
import { ScenePlace3dRequest, ScenePlace3dResponse, ScenePlaceRequest, ScenePlaceResponse } from './place.ts'
import { SceneRayCast3dRequest, SceneRayCast3dResponse, SceneRayCastRequest, SceneRayCastResponse } from './ray-cast.ts'
import { SceneSectors3dRequest, SceneSectors3dResponse, SceneSectorsRequest, SceneSectorsResponse } from './sectors.ts'
import {
  SceneSeparate3dRequest,
  SceneSeparate3dResponse,
  SceneSeparateRequest,
  SceneSeparateResponse,
} from './separate.ts'
import {
  SceneShapeCast3dRequest,
  SceneShapeCast3dResponse,
  SceneShapeCastRequest,
  SceneShapeCastResponse,
} from './shape-cast.ts'
import { SceneSnap3dRequest, SceneSnap3dResponse, SceneSnapRequest, SceneSnapResponse } from './snap.ts'
import {
  SceneTimeOfImpact3dRequest,
  SceneTimeOfImpact3dResponse,
  SceneTimeOfImpactRequest,
  SceneTimeOfImpactResponse,
} from './time-of-impact.ts'
import {
  SceneTrajectory3dRequest,
  SceneTrajectory3dResponse,
  SceneTrajectoryRequest,
  SceneTrajectoryResponse,
} from './trajectory.ts'

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
  { ...exchange('lint', SceneLintRequest, SceneLintResponse), progress: lintProgress },
] as const

/** Those of scenes of space. */
export const sceneExchanges3d = [
  exchange('overlap', SceneOverlap3dRequest, SceneOverlap3dResponse),
  exchange('ray-cast', SceneRayCast3dRequest, SceneRayCast3dResponse),
  exchange('shape-cast', SceneShapeCast3dRequest, SceneShapeCast3dResponse),
  exchange('nearest', SceneNearest3dRequest, SceneNearest3dResponse),
  exchange('pairs', ScenePairs3dRequest, ScenePairs3dResponse),
  exchange('time-of-impact', SceneTimeOfImpact3dRequest, SceneTimeOfImpact3dResponse),
  exchange('trajectory', SceneTrajectory3dRequest, SceneTrajectory3dResponse),
  exchange('move', SceneMove3dRequest, SceneMove3dResponse),
  exchange('separate', SceneSeparate3dRequest, SceneSeparate3dResponse),
  exchange('snap', SceneSnap3dRequest, SceneSnap3dResponse),
  exchange('place', ScenePlace3dRequest, ScenePlace3dResponse),
  exchange('drop', SceneDrop3dRequest, SceneDrop3dResponse),
  exchange('line-of-sight', SceneLineOfSight3dRequest, SceneLineOfSight3dResponse),
  exchange('sectors', SceneSectors3dRequest, SceneSectors3dResponse),
  { ...exchange('lint', SceneLint3dRequest, SceneLint3dResponse), progress: lintProgress },
] as const

type AnyExchange = (typeof sceneExchanges)[number]
type AnyExchange3d = (typeof sceneExchanges3d)[number]
export type SceneQueryOp = AnyExchange['op']
export type SceneQueryRequest<Op extends SceneQueryOp = SceneQueryOp> = RequestOf<AnyExchange, Op>
export type SceneQueryResponse<Op extends SceneQueryOp = SceneQueryOp> = ResponseOf<AnyExchange, Op>
export type SceneQuery3dOp = AnyExchange3d['op']
export type SceneQuery3dRequest<Op extends SceneQuery3dOp = SceneQuery3dOp> = RequestOf<AnyExchange3d, Op>
export type SceneQuery3dResponse<Op extends SceneQuery3dOp = SceneQuery3dOp> = ResponseOf<AnyExchange3d, Op>
