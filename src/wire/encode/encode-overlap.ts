// core overlap record → wire answer.

import type { OverlapCertificate, OverlapResponse } from '../../../schemas/queries/overlap.ts'
import type { Containment } from '../../core2d/containment/containment.ts'
import type { Overlap, Relation } from '../../core2d/pair-queries/overlap.ts'
import { encodeVec2, finite } from '../bodies/encode.ts'

/** Without a certificate. */
export function encodeRelation(relation: Relation): OverlapResponse {
  if (relation > 0) return { overlap: false, relation: 'separated' }
  return { overlap: true, relation: relation < 0 ? 'overlapping' : 'touching' }
}

export function encodeOverlap(found: Overlap, { aContainsB, bContainsA }: Containment): OverlapResponse {
  const certificate = encodeCertificate(found)
  const answer = { ...encodeRelation(found.relation), aContainsB, bContainsA }
  return certificate === null ? answer : { ...answer, certificate }
}

function encodeCertificate(found: Overlap): OverlapCertificate | null {
  if (found.hasAxis) return { kind: 'separating-axis', normal: encodeVec2(found.nx, found.ny), gap: finite(found.gap) }
  // concave bodies can be apart without a line between them
  return found.relation > 0 ? null : { kind: 'common-point', point: encodeVec2(found.px, found.py) }
}
