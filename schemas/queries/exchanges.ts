// Every stateless query of the plane, in the order in which the OpenAPI document lists them. All other lists of queries are made from this one,
// or are records over its words that the type checker completes.

import { exchange, type RequestOf, type ResponseOf } from '../exchange.ts'
import { AnyTable } from './any-table.ts'
import { BoundsRequest, BoundsResponse } from './bounds.ts'
import { ContactRequest, ContactResponse } from './contact.ts'
import { DecomposeRequest, DecomposeResponse } from './decompose.ts'
import { DistanceRequest, DistanceResponse } from './distance.ts'
import { HullRequest, HullResponse } from './hull.ts'
import { MassRequest, MassResponse } from './mass.ts'
import { MinkowskiRequest, MinkowskiResponse } from './minkowski.ts'
import { OverlapRequest, OverlapResponse } from './overlap.ts'
import { PairsRequest, PairsResponse } from './pairs.ts'
import { RayCastRequest, RayCastResponse } from './ray-cast.ts'
import { RepairRequest, RepairResponse } from './repair.ts'
import { ShapeCastRequest, ShapeCastResponse } from './shape-cast.ts'
import { SupportRequest, SupportResponse } from './support.ts'
import { TableRequest, TableResponse } from './table.ts'
import { TimeOfImpactRequest, TimeOfImpactResponse } from './time-of-impact.ts'
import { TrajectoryRequest, TrajectoryResponse } from './trajectory.ts'
import { ValidateRequest, ValidateResponse } from './validate.ts'

export const exchanges = [
  exchange('overlap', OverlapRequest, OverlapResponse),
  exchange('distance', DistanceRequest, DistanceResponse),
  exchange('contact', ContactRequest, ContactResponse),
  exchange('time-of-impact', TimeOfImpactRequest, TimeOfImpactResponse),
  exchange('ray-cast', RayCastRequest, RayCastResponse),
  exchange('shape-cast', ShapeCastRequest, ShapeCastResponse),
  exchange('trajectory', TrajectoryRequest, TrajectoryResponse),
  // The answer is one of several objects, which a result cannot be that is told by its op.
  { op: 'table', request: TableRequest, response: TableResponse, result: AnyTable },
  exchange('pairs', PairsRequest, PairsResponse),
  exchange('bounds', BoundsRequest, BoundsResponse),
  exchange('support', SupportRequest, SupportResponse),
  exchange('mass', MassRequest, MassResponse),
  exchange('hull', HullRequest, HullResponse),
  exchange('minkowski', MinkowskiRequest, MinkowskiResponse),
  exchange('decompose', DecomposeRequest, DecomposeResponse),
  exchange('validate', ValidateRequest, ValidateResponse),
  exchange('repair', RepairRequest, RepairResponse),
] as const

type AnyExchange = (typeof exchanges)[number]
export type QueryOp = AnyExchange['op']
export type QueryRequest<Op extends QueryOp = QueryOp> = RequestOf<AnyExchange, Op>
export type QueryResponse<Op extends QueryOp = QueryOp> = ResponseOf<AnyExchange, Op>
