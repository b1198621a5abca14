// Every stateless query of space, in the order in which the OpenAPI document lists them. All other lists of these queries are made
// from this one, or are records over its words that the type checker completes.

import { exchange, type RequestOf, type ResponseOf } from '../exchange.ts'
import { Hull3dRequest, Hull3dResponse } from './hull.ts'

export const exchanges3d = [exchange('hull', Hull3dRequest, Hull3dResponse)] as const

type AnyExchange = (typeof exchanges3d)[number]
export type Query3dOp = AnyExchange['op']
export type Query3dRequest<Op extends Query3dOp = Query3dOp> = RequestOf<AnyExchange, Op>
export type Query3dResponse<Op extends Query3dOp = Query3dOp> = ResponseOf<AnyExchange, Op>
