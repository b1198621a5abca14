// core distance record → wire answer, in space.

import type { Distance3dResponse } from '../../../schemas/queries/distance.ts'
import type { Distance } from '../../core3d/pair-queries/distance.ts'
import { encodeVec3, finite } from '../bodies/encode.ts'

export function encodeDistance(found: Distance): Distance3dResponse {
  return {
    distance: finite(found.distance),
    pointA: encodeVec3(found.ax, found.ay, found.az),
    pointB: encodeVec3(found.bx, found.by, found.bz),
    normal: found.hasNormal ? encodeVec3(found.nx, found.ny, found.nz) : null,
  }
}
