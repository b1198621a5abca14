// core overlap record → wire answer.

import type { OverlapCertificate, OverlapResponse } from '../../schemas/overlap.ts'
import type { Overlap, Relation } from '../core2d/overlap.ts'
import { encodeVec2 } from './encode-vec2.ts'
import { finite } from './finite.ts'

/** Without a certificate. */
export function encodeRelation(relation: Relation): OverlapResponse {
  if (relation > 0) return { overlap: false, relation: 'separated' }
  return { overlap: true, relation: relation < 0 ? 'overlapping' : 'touching' }
}

export function encodeOverlap(found: Overlap): OverlapResponse {
  const certificate: OverlapCertificate = found.hasAxis
    ? { kind: 'separating-axis', normal: encodeVec2(found.nx, found.ny), gap: finite(found.gap) }
    : { kind: 'common-point', point: encodeVec2(found.px, found.py) }
  return { ...encodeRelation(found.relation), certificate }
}
