/** Requests to the queries of space that are right in form, with wild numbers and sizes. */
import fc, { type Arbitrary } from 'fast-check'
import type { Query3dOp } from '../../schemas/queries3d/exchanges.ts'
import type { Vec3 } from '../../schemas/vec3.ts'
import type { Source } from '../support/families/arbitraries.ts'
import { source } from './wild-values.ts'

export function vec3({ coordinate }: Source): Arbitrary<Vec3> {
  return fc.record({ x: coordinate, y: coordinate, z: coordinate })
}

/** By the last word of the path. */
export const QUERIES_3D: Readonly<Record<Query3dOp, Arbitrary<object>>> = {
  hull: fc.record({ points: source.chain((s) => fc.array(vec3(s), { minLength: 1, maxLength: 16 })) }),
}
