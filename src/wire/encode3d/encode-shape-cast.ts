// core time-of-impact record → wire hit of a cast in space, whose whole motion takes one unit of time.

import type { CastExit, CastHit3d } from '../../../schemas/queries/shape-cast.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { TimeOfImpact } from '../../core3d/impact/time-of-impact.ts'
import { encodeNames, encodeVec3, finite } from '../bodies/encode.ts'
import { encodeStatus } from '../encode/encode-time-of-impact.ts'

/** `target` is the index of the body with this shape, which was hit as A; `length` that of the translation. */
export function encodeCastHit(target: number, found: TimeOfImpact, shape: Shape3d, length: number): CastHit3d {
  const midway = (a: number, b: number): number => a + (b - a) / 2
  return {
    target,
    ...travelled(found.time, length),
    point: encodeVec3(midway(found.ax, found.bx), midway(found.ay, found.by), midway(found.az, found.bz)),
    normal: found.hasNormal ? encodeVec3(found.nx, found.ny, found.nz) : null,
    feature: found.hasNormal ? encodeNames(found.featureA, shape) : null,
    startedInside: found.startedOverlapping,
    exit: found.hasExit ? travelled(found.exitTime, length) : null,
    status: encodeStatus(found.converged),
  }
}

function travelled(time: number, length: number): CastExit {
  return { distance: finite(time * length), fraction: finite(time) }
}
