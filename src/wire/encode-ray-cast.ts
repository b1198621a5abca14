// core ray hit record → wire answer.

import type { RayExit, RayHit } from '../../schemas/ray-hit.ts'
import type { Body } from '../core2d/body.ts'
import type { RayHit as CoreHit } from '../core2d/ray-cast.ts'
import { encodeFeature } from './encode-feature.ts'
import { encodeVec2 } from './encode-vec2.ts'
import { finite } from './finite.ts'

/** `target` is the index of `body`, which was hit. */
export function encodeRayHit(target: number, hit: CoreHit, body: Body): RayHit {
  return { target, ...encodeRay(hit, body) }
}

/** The same without a name for the body. */
export function encodeRay(hit: CoreHit, body: Body): Omit<RayHit, 'target'> {
  return {
    distance: finite(hit.distance),
    fraction: finite(hit.fraction),
    point: encodeVec2(hit.x, hit.y),
    normal: hit.hasNormal ? encodeVec2(hit.nx, hit.ny) : null,
    feature: encodeFeature(hit.feature, body, hit.part),
    startedInside: hit.startedInside,
    exit: hit.hasExit ? encodeExit(hit) : null,
  }
}

function encodeExit(hit: CoreHit): RayExit {
  return {
    distance: finite(hit.exitDistance),
    point: encodeVec2(hit.exitX, hit.exitY),
    normal: encodeVec2(hit.exitNx, hit.exitNy),
  }
}
