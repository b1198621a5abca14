// The stateless queries of each dimension, and the schemas of their batches.

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
import type { Dimension, Query } from '../ask/query.ts'
import { queries } from '../stateless/all.ts'
import { queries3d } from '../stateless3d/all.ts'

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
