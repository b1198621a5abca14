// core time-of-impact record → wire hit of a cast, whose whole motion takes one unit of time.

import type { CastExit, CastHit } from '../../../schemas/queries/shape-cast.ts'
import type { TimeOfImpact } from '../../core2d/impact/time-of-impact.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { encodeFeature, encodeVec2, finite } from '../bodies/encode.ts'
import { encodeStatus } from './encode-time-of-impact.ts'

/** `target` is the index of `body`, which was hit as A; `length` that of the translation. */
export function encodeCastHit(target: number, found: TimeOfImpact, body: Body, length: number): CastHit {
  return { target, ...encodeCast(found, body, length) }
}

/** The same without a name for the body. */
export function encodeCast(found: TimeOfImpact, body: Body, length: number): Omit<CastHit, 'target'> {
  return {
    ...travelled(found.time, length),
    point: encodeVec2(midway(found.ax, found.bx), midway(found.ay, found.by)),
    normal: found.hasNormal ? encodeVec2(found.nx, found.ny) : null,
    feature: encodeFeature(found.featureA, body, found.partA),
    startedInside: found.startedOverlapping,
    exit: found.hasExit ? travelled(found.exitTime, length) : null,
    status: encodeStatus(found.converged),
  }
}

function travelled(time: number, length: number): CastExit {
  return { distance: finite(time * length), fraction: finite(time) }
}

function midway(a: number, b: number): number {
  return a + (b - a) / 2
}
