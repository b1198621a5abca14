// core time-of-impact record → wire answer, in space.

import type { TimeOfImpact3dResponse } from '../../../schemas/queries/time-of-impact.ts'
import type { TimeOfImpact } from '../../core3d/impact/time-of-impact.ts'
import { encodeVec3, finite } from '../bodies/encode.ts'
import { encodeStatus, fractionOf } from '../encode/encode-time-of-impact.ts'

export function encodeTimeOfImpact(found: TimeOfImpact, duration: number): TimeOfImpact3dResponse {
  const { hit } = found
  return {
    hit,
    time: hit ? finite(found.time) : null,
    fraction: hit ? fractionOf(found.time, duration) : null,
    normal: hit && found.hasNormal ? encodeVec3(found.nx, found.ny, found.nz) : null,
    pointA: hit ? encodeVec3(found.ax, found.ay, found.az) : null,
    pointB: hit ? encodeVec3(found.bx, found.by, found.bz) : null,
    exitTime: hit && found.hasExit ? finite(found.exitTime) : null,
    startedOverlapping: found.startedOverlapping,
    status: encodeStatus(found.converged),
  }
}
