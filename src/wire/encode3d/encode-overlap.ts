// core overlap record → wire answer, in space.

import type { Overlap3dResponse } from '../../../schemas/queries3d/overlap.ts'
import type { Overlap } from '../../core3d/pair-queries/overlap.ts'
import { finite } from '../encode/finite.ts'
import { encodeVec3 } from './encode-vec3.ts'

export function encodeOverlap({ overlap, nx, ny, nz, gap, px, py, pz }: Overlap): Overlap3dResponse {
  if (overlap) return { overlap, certificate: { kind: 'common-point', point: encodeVec3(px, py, pz) } }
  return { overlap, certificate: { kind: 'separating-axis', normal: encodeVec3(nx, ny, nz), gap: finite(gap) } }
}
