// Every stateless query of the plane, whole: what `schemas/queries/exchanges.ts` lists, and how it is answered.

import { exchanges, type QueryOp } from '../../../schemas/queries/exchanges.ts'
import type { Query, QueryOf } from '../ask/query.ts'
import { boundsQuery } from './bounds.ts'
import { contactQuery } from './contact.ts'
import { decomposeQuery } from './decompose.ts'
import { distanceQuery } from './distance.ts'
import { hullQuery } from './hull.ts'
import { massQuery } from './mass.ts'
import { minkowskiQuery } from './minkowski.ts'
import { overlapQuery } from './overlap.ts'
import { pairsQuery } from './pairs.ts'
import { rayCastQuery } from './ray-cast.ts'
import { repairQuery } from './repair.ts'
import { shapeCastQuery } from './shape-cast.ts'
import { supportQuery } from './support.ts'
import { tableQuery } from './table.ts'
import { timeOfImpactQuery } from './time-of-impact.ts'
import { trajectoryQuery } from './trajectory.ts'
import { validateQuery } from './validate.ts'

const BY_OP: { readonly [Op in QueryOp]: QueryOf<Op> } = {
  overlap: overlapQuery,
  distance: distanceQuery,
  contact: contactQuery,
  'time-of-impact': timeOfImpactQuery,
  'ray-cast': rayCastQuery,
  'shape-cast': shapeCastQuery,
  trajectory: trajectoryQuery,
  table: tableQuery,
  pairs: pairsQuery,
  bounds: boundsQuery,
  support: supportQuery,
  mass: massQuery,
  hull: hullQuery,
  minkowski: minkowskiQuery,
  decompose: decomposeQuery,
  validate: validateQuery,
  repair: repairQuery,
}

export const queries: readonly Query[] = exchanges.map(
  (exchange) => ({ dimension: '2d', ...exchange, ...BY_OP[exchange.op] }) as Query,
)
