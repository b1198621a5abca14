// Every stateless query of the plane and of space, whole: what `schemas/queries/exchanges.ts` lists, and how it is answered.

import type { TObject, TSchema } from '@sinclair/typebox'
import {
  Batch3dQuery,
  Batch3dRequest,
  Batch3dResponse,
  Batch3dResult,
  BatchQuery,
  BatchRequest,
  BatchResponse,
  BatchResult,
} from '../../../schemas/queries/batch.ts'
import { exchanges, exchanges3d, type Query3dOp, type QueryOp } from '../../../schemas/queries/exchanges.ts'
import type { Dimension, Query, Query3dOf, QueryOf } from '../ask/query.ts'
import { boundsQuery } from './bounds.ts'
import { contactQuery } from './contact.ts'
import { decomposeQuery } from './decompose.ts'
import { distanceQuery } from './distance.ts'
import { fitQuery } from './fit.ts'
import type { InBoth } from './geometry.ts'
import { hullQuery } from './hull.ts'
import { massQuery } from './mass.ts'
import { minkowskiQuery } from './minkowski.ts'
import { overlapQuery } from './overlap.ts'
import { pairsQuery } from './pairs.ts'
import { rayCastQuery } from './ray-cast.ts'
import { repairQuery } from './repair.ts'
import { sectorsQuery } from './sectors.ts'
import { shapeCastQuery } from './shape-cast.ts'
import { sliceQuery } from './slice.ts'
import { supportQuery } from './support.ts'
import { tableQuery } from './table.ts'
import { timeOfImpactQuery } from './time-of-impact.ts'
import { trajectoryQuery } from './trajectory.ts'
import { validateQuery } from './validate.ts'

const IN_BOTH: { readonly [Op in QueryOp & Query3dOp]: InBoth<Op> } = {
  overlap: overlapQuery,
  distance: distanceQuery,
  contact: contactQuery,
  'time-of-impact': timeOfImpactQuery,
  'ray-cast': rayCastQuery,
  'shape-cast': shapeCastQuery,
  trajectory: trajectoryQuery,
  table: tableQuery,
  pairs: pairsQuery,
  sectors: sectorsQuery,
  bounds: boundsQuery,
  support: supportQuery,
  mass: massQuery,
  hull: hullQuery,
  fit: fitQuery,
  minkowski: minkowskiQuery,
  decompose: decomposeQuery,
  validate: validateQuery,
}

const OF_THE_PLANE: { readonly [Op in Exclude<QueryOp, Query3dOp>]: QueryOf<Op> } = {
  repair: repairQuery,
}

const OF_SPACE: { readonly [Op in Exclude<Query3dOp, QueryOp>]: Query3dOf<Op> } = {
  slice: sliceQuery,
}

export const queries: readonly Query[] = exchanges.map((exchange) => {
  const { op } = exchange
  const query =
    op in OF_THE_PLANE ? OF_THE_PLANE[op as keyof typeof OF_THE_PLANE] : IN_BOTH[op as keyof typeof IN_BOTH]['2d']
  return { dimension: '2d', ...exchange, ...query } as Query
})

export const queries3d: readonly Query[] = exchanges3d.map((exchange) => {
  const { op } = exchange
  const query = op in OF_SPACE ? OF_SPACE[op as keyof typeof OF_SPACE] : IN_BOTH[op as keyof typeof IN_BOTH]['3d']
  return { dimension: '3d', ...exchange, ...query } as Query
})

export interface Catalogue {
  readonly dimension: Dimension
  readonly queries: readonly Query[]
  readonly batch: {
    /** Any of the queries, and any of their results. */
    readonly query: TSchema
    readonly result: TSchema
    readonly request: TObject
    readonly response: TObject
  }
}

export const catalogues: { readonly [D in Dimension]: Catalogue } = {
  '2d': {
    dimension: '2d',
    queries,
    batch: { query: BatchQuery, result: BatchResult, request: BatchRequest, response: BatchResponse },
  },
  '3d': {
    dimension: '3d',
    queries: queries3d,
    batch: { query: Batch3dQuery, result: Batch3dResult, request: Batch3dRequest, response: Batch3dResponse },
  },
}
