// A query of a batch: the request of any stateless query, and which one it is.

import { type Static, type TObject, Type } from '@sinclair/typebox'
import { named } from '../reference.ts'
import { taggedUnion } from '../tagged-union.ts'
import { BoundsRequest } from './bounds.ts'
import { ContactRequest } from './contact.ts'
import { DecomposeRequest } from './decompose.ts'
import { DistanceRequest } from './distance.ts'
import { HullRequest } from './hull.ts'
import { MassRequest } from './mass.ts'
import { MinkowskiRequest } from './minkowski.ts'
import { OverlapRequest } from './overlap.ts'
import { PairsRequest } from './pairs.ts'
import { RayCastRequest } from './ray-cast.ts'
import { ShapeCastRequest } from './shape-cast.ts'
import { SupportRequest } from './support.ts'
import { TableRequest } from './table.ts'
import { TimeOfImpactRequest } from './time-of-impact.ts'
import { TrajectoryRequest } from './trajectory.ts'
import { ValidateRequest } from './validate.ts'

/** A request as a query of a batch. */
export const asked = <Op extends string, Request extends TObject>(op: Op, request: Request) => {
  const name = String(request.$id).replace(/Request$/, 'Query')
  const word = Type.Literal(op, { description: 'Which query this is: the last word of its path.' })
  const description = `The fields of ${request.$id}, and which query it is.`
  return Type.Object({ op: word, ...request.properties } as { op: typeof word } & Request['properties'], {
    ...named(name, description),
  })
}

/** One for each stateless query. */
export const batchQueries = [
  asked('overlap', OverlapRequest),
  asked('distance', DistanceRequest),
  asked('contact', ContactRequest),
  asked('time-of-impact', TimeOfImpactRequest),
  asked('ray-cast', RayCastRequest),
  asked('shape-cast', ShapeCastRequest),
  asked('trajectory', TrajectoryRequest),
  asked('table', TableRequest),
  asked('pairs', PairsRequest),
  asked('bounds', BoundsRequest),
  asked('support', SupportRequest),
  asked('mass', MassRequest),
  asked('hull', HullRequest),
  asked('minkowski', MinkowskiRequest),
  asked('decompose', DecomposeRequest),
  asked('validate', ValidateRequest),
] as const

export const BatchQuery = taggedUnion('op', batchQueries, {
  $id: 'BatchQuery',
  description: 'Any stateless query; op says which.',
})
export type BatchQuery = Static<typeof BatchQuery>
