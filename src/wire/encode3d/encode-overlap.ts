// core overlap record → wire answer, in space.

import type { Overlap3dResponse, OverlapCertificate3d } from '../../../schemas/queries/overlap.ts'
import type { Containment } from '../../core3d/pair-queries/containment.ts'
import type { Overlap, Relation } from '../../core3d/pair-queries/overlap.ts'
import { encodeVec3, finite } from '../bodies/encode.ts'

/** Without a certificate. */
export function encodeRelation(relation: Relation): Overlap3dResponse {
  if (relation > 0) return { overlap: false, relation: 'separated' }
  return { overlap: true, relation: relation < 0 ? 'overlapping' : 'touching' }
}

export function encodeOverlap(found: Overlap, { aContainsB, bContainsA }: Containment): Overlap3dResponse {
  return { ...encodeRelation(found.relation), aContainsB, bContainsA, certificate: encodeCertificate(found) }
}

function encodeCertificate({ relation, nx, ny, nz, gap, px, py, pz }: Overlap): OverlapCertificate3d {
  if (relation <= 0) return { kind: 'common-point', point: encodeVec3(px, py, pz) }
  return { kind: 'separating-axis', normal: encodeVec3(nx, ny, nz), gap: finite(gap) }
}
