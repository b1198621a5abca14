// Every stateless query of space, in the order in which the OpenAPI document lists them. All other lists of these queries are made
// from this one, or are records over its words that the type checker completes.

import { exchange, type RequestOf, type ResponseOf } from '../exchange.ts'
import { AnyTable } from '../queries/any-table.ts'
import { Bounds3dRequest, Bounds3dResponse } from './bounds.ts'
import { Contact3dRequest, Contact3dResponse } from './contact.ts'
import { Distance3dRequest, Distance3dResponse } from './distance.ts'
import { Hull3dRequest, Hull3dResponse } from './hull.ts'
import { Mass3dRequest, Mass3dResponse } from './mass.ts'
import { Minkowski3dRequest, Minkowski3dResponse } from './minkowski.ts'
import { Overlap3dRequest, Overlap3dResponse } from './overlap.ts'
import { Pairs3dRequest, Pairs3dResponse } from './pairs.ts'
import { RayCast3dRequest, RayCast3dResponse } from './ray-cast.ts'
import { ShapeCast3dRequest, ShapeCast3dResponse } from './shape-cast.ts'
import { Support3dRequest, Support3dResponse } from './support.ts'
import { Table3dRequest, Table3dResponse } from './table.ts'
import { TimeOfImpact3dRequest, TimeOfImpact3dResponse } from './time-of-impact.ts'
import { Trajectory3dRequest, Trajectory3dResponse } from './trajectory.ts'
import { Validate3dRequest, Validate3dResponse } from './validate.ts'

export const exchanges3d = [
  exchange('overlap', Overlap3dRequest, Overlap3dResponse),
  exchange('distance', Distance3dRequest, Distance3dResponse),
  exchange('contact', Contact3dRequest, Contact3dResponse),
  exchange('time-of-impact', TimeOfImpact3dRequest, TimeOfImpact3dResponse),
  exchange('ray-cast', RayCast3dRequest, RayCast3dResponse),
  exchange('shape-cast', ShapeCast3dRequest, ShapeCast3dResponse),
  exchange('trajectory', Trajectory3dRequest, Trajectory3dResponse),
  // The answer is one of several objects, which a result cannot be that is told by its op.
  { op: 'table', request: Table3dRequest, response: Table3dResponse, result: AnyTable },
  exchange('pairs', Pairs3dRequest, Pairs3dResponse),
  exchange('bounds', Bounds3dRequest, Bounds3dResponse),
  exchange('support', Support3dRequest, Support3dResponse),
  exchange('mass', Mass3dRequest, Mass3dResponse),
  exchange('hull', Hull3dRequest, Hull3dResponse),
  exchange('minkowski', Minkowski3dRequest, Minkowski3dResponse),
  exchange('validate', Validate3dRequest, Validate3dResponse),
] as const

type AnyExchange = (typeof exchanges3d)[number]
export type Query3dOp = AnyExchange['op']
export type Query3dRequest<Op extends Query3dOp = Query3dOp> = RequestOf<AnyExchange, Op>
export type Query3dResponse<Op extends Query3dOp = Query3dOp> = ResponseOf<AnyExchange, Op>
