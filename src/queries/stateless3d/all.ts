// Every stateless query of space, whole: what `schemas/queries3d/exchanges.ts` lists, and how it is answered.

import { exchanges3d, type Query3dOp } from '../../../schemas/queries3d/exchanges.ts'
import type { Query, Query3dOf } from '../ask/query.ts'
import { hull3dQuery } from './hull.ts'

const BY_OP: { readonly [Op in Query3dOp]: Query3dOf<Op> } = {
  hull: hull3dQuery,
}

export const queries3d: readonly Query[] = exchanges3d.map(
  (exchange) => ({ dimension: '3d', ...exchange, ...BY_OP[exchange.op] }) as Query,
)
