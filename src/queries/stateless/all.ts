// Every stateless query, in the order in which the OpenAPI document lists them.

import type { Query } from '../ask/query.ts'
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
import { shapeCastQuery } from './shape-cast.ts'
import { supportQuery } from './support.ts'
import { tableQuery } from './table.ts'
import { timeOfImpactQuery } from './time-of-impact.ts'
import { trajectoryQuery } from './trajectory.ts'
import { validateQuery } from './validate.ts'

export const queries = [
  overlapQuery,
  distanceQuery,
  contactQuery,
  timeOfImpactQuery,
  rayCastQuery,
  shapeCastQuery,
  trajectoryQuery,
  tableQuery,
  pairsQuery,
  boundsQuery,
  supportQuery,
  massQuery,
  hullQuery,
  minkowskiQuery,
  decomposeQuery,
  validateQuery,
] as unknown as readonly Query[]
