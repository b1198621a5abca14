// Every stateless query of space, whole: what `schemas/queries3d/exchanges.ts` lists, and how it is answered.

import { exchanges3d, type Query3dOp } from '../../../schemas/queries/exchanges.ts'
import type { Query, Query3dOf } from '../ask/query.ts'
import { bounds3dQuery } from './bounds.ts'
import { contact3dQuery } from './contact.ts'
import { distance3dQuery } from './distance.ts'
import { hull3dQuery } from './hull.ts'
import { mass3dQuery } from './mass.ts'
import { minkowski3dQuery } from './minkowski.ts'
import { overlap3dQuery } from './overlap.ts'
import { pairs3dQuery } from './pairs.ts'
import { rayCast3dQuery } from './ray-cast.ts'
import { shapeCast3dQuery } from './shape-cast.ts'
import { support3dQuery } from './support.ts'
import { table3dQuery } from './table.ts'
import { timeOfImpact3dQuery } from './time-of-impact.ts'
import { trajectory3dQuery } from './trajectory.ts'
import { validate3dQuery } from './validate.ts'

const BY_OP: { readonly [Op in Query3dOp]: Query3dOf<Op> } = {
  overlap: overlap3dQuery,
  distance: distance3dQuery,
  contact: contact3dQuery,
  'time-of-impact': timeOfImpact3dQuery,
  'ray-cast': rayCast3dQuery,
  'shape-cast': shapeCast3dQuery,
  trajectory: trajectory3dQuery,
  table: table3dQuery,
  pairs: pairs3dQuery,
  bounds: bounds3dQuery,
  support: support3dQuery,
  mass: mass3dQuery,
  hull: hull3dQuery,
  minkowski: minkowski3dQuery,
  validate: validate3dQuery,
}

export const queries3d: readonly Query[] = exchanges3d.map(
  (exchange) => ({ dimension: '3d', ...exchange, ...BY_OP[exchange.op] }) as Query,
)
