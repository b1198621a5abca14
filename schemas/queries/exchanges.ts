// Every stateless query of the plane and of space, in the order of the OpenAPI document. All other lists of queries are derived from
// these two, or are records over their names, which the type checker completes.

import { exchange, type RequestOf, type ResponseOf } from '../exchange.ts'
import { Bounds3dRequest, Bounds3dResponse, BoundsRequest, BoundsResponse } from './bounds.ts'
import { Contact3dRequest, Contact3dResponse, ContactRequest, ContactResponse } from './contact.ts'
import {
  Decompose3dRequest,
  Decompose3dResponse,
  DecomposeRequest,
  DecomposeResponse,
  decompose3dProgress,
} from './decompose.ts'
import { Distance3dRequest, Distance3dResponse, DistanceRequest, DistanceResponse } from './distance.ts'
import { Fit3dRequest, Fit3dResponse, FitRequest, FitResponse } from './fit.ts'
import { Hull3dRequest, Hull3dResponse, HullRequest, HullResponse } from './hull.ts'
import { Mass3dRequest, Mass3dResponse, MassRequest, MassResponse } from './mass.ts'
import { Minkowski3dRequest, Minkowski3dResponse, MinkowskiRequest, MinkowskiResponse } from './minkowski.ts'
import { Overlap3dRequest, Overlap3dResponse, OverlapRequest, OverlapResponse } from './overlap.ts'
import { Pairs3dRequest, Pairs3dResponse, PairsRequest, PairsResponse } from './pairs.ts'
import { RayCast3dRequest, RayCast3dResponse, RayCastRequest, RayCastResponse } from './ray-cast.ts'
import { RepairRequest, RepairResponse } from './repair.ts'
import { Sectors3dRequest, Sectors3dResponse, SectorsRequest, SectorsResponse } from './sectors.ts'
import { ShapeCast3dRequest, ShapeCast3dResponse, ShapeCastRequest, ShapeCastResponse } from './shape-cast.ts'
import { Slice3dRequest, Slice3dResponse } from './slice.ts'
import { Support3dRequest, Support3dResponse, SupportRequest, SupportResponse } from './support.ts'
import { AnyTable, Table3dRequest, Table3dResponse, TableRequest, TableResponse } from './table.ts'
import {
  TimeOfImpact3dRequest,
  TimeOfImpact3dResponse,
  TimeOfImpactRequest,
  TimeOfImpactResponse,
} from './time-of-impact.ts'
import { Trajectory3dRequest, Trajectory3dResponse, TrajectoryRequest, TrajectoryResponse } from './trajectory.ts'
import { Validate3dRequest, Validate3dResponse, ValidateRequest, ValidateResponse } from './validate.ts'

export const exchanges = [
  exchange('overlap', OverlapRequest, OverlapResponse),
  exchange('distance', DistanceRequest, DistanceResponse),
  exchange('contact', ContactRequest, ContactResponse),
  exchange('time-of-impact', TimeOfImpactRequest, TimeOfImpactResponse),
  exchange('ray-cast', RayCastRequest, RayCastResponse),
  exchange('shape-cast', ShapeCastRequest, ShapeCastResponse),
  exchange('trajectory', TrajectoryRequest, TrajectoryResponse),
  // The response is one of several objects; see `AnyTable` for its result.
  { op: 'table', request: TableRequest, response: TableResponse, result: AnyTable },
  exchange('pairs', PairsRequest, PairsResponse),
  exchange('sectors', SectorsRequest, SectorsResponse),
  exchange('bounds', BoundsRequest, BoundsResponse),
  exchange('support', SupportRequest, SupportResponse),
  exchange('mass', MassRequest, MassResponse),
  exchange('hull', HullRequest, HullResponse),
  exchange('fit', FitRequest, FitResponse),
  exchange('minkowski', MinkowskiRequest, MinkowskiResponse),
  exchange('decompose', DecomposeRequest, DecomposeResponse),
  exchange('validate', ValidateRequest, ValidateResponse),
  exchange('repair', RepairRequest, RepairResponse),
] as const

type AnyExchange = (typeof exchanges)[number]
export type QueryOp = AnyExchange['op']
export type QueryRequest<Op extends QueryOp = QueryOp> = RequestOf<AnyExchange, Op>
export type QueryResponse<Op extends QueryOp = QueryOp> = ResponseOf<AnyExchange, Op>

export const exchanges3d = [
  exchange('overlap', Overlap3dRequest, Overlap3dResponse),
  exchange('distance', Distance3dRequest, Distance3dResponse),
  exchange('contact', Contact3dRequest, Contact3dResponse),
  exchange('time-of-impact', TimeOfImpact3dRequest, TimeOfImpact3dResponse),
  exchange('ray-cast', RayCast3dRequest, RayCast3dResponse),
  exchange('shape-cast', ShapeCast3dRequest, ShapeCast3dResponse),
  exchange('trajectory', Trajectory3dRequest, Trajectory3dResponse),
  // The response is one of several objects; see `AnyTable` for its result.
  { op: 'table', request: Table3dRequest, response: Table3dResponse, result: AnyTable },
  exchange('pairs', Pairs3dRequest, Pairs3dResponse),
  exchange('sectors', Sectors3dRequest, Sectors3dResponse),
  exchange('bounds', Bounds3dRequest, Bounds3dResponse),
  exchange('support', Support3dRequest, Support3dResponse),
  exchange('mass', Mass3dRequest, Mass3dResponse),
  exchange('hull', Hull3dRequest, Hull3dResponse),
  exchange('fit', Fit3dRequest, Fit3dResponse),
  exchange('minkowski', Minkowski3dRequest, Minkowski3dResponse),
  exchange('slice', Slice3dRequest, Slice3dResponse),
  { ...exchange('decompose', Decompose3dRequest, Decompose3dResponse), progress: decompose3dProgress },
  exchange('validate', Validate3dRequest, Validate3dResponse),
] as const

type AnyExchange3d = (typeof exchanges3d)[number]
export type Query3dOp = AnyExchange3d['op']
export type Query3dRequest<Op extends Query3dOp = Query3dOp> = RequestOf<AnyExchange3d, Op>
export type Query3dResponse<Op extends Query3dOp = Query3dOp> = ResponseOf<AnyExchange3d, Op>
