// core distance record → wire answer.

import type { DistanceResponse } from '../../../schemas/queries/distance.ts'
import type { Distance } from '../../core2d/pair-queries/distance.ts'
import { encodeVec2, finite } from '../bodies/encode.ts'

export function encodeDistance(found: Distance): DistanceResponse {
  return {
    distance: finite(found.distance),
    pointA: encodeVec2(found.ax, found.ay),
    pointB: encodeVec2(found.bx, found.by),
    normal: found.hasNormal ? encodeVec2(found.nx, found.ny) : null,
  }
}
