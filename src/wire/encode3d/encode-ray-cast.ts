// core ray hit record → wire answer, in space.

import type { RayHit3d } from '../../../schemas/queries/ray-cast.ts'
import { featureVertices, type RayHit } from '../../core3d/ray/ray-cast.ts'
import type { Body } from '../../core3d/shape/body.ts'
import { encodeVec3, finite } from '../bodies/encode.ts'

/** `target` is the index of `body`, which was hit. */
export function encodeRayHit(target: number, hit: RayHit, body: Body): RayHit3d {
  return {
    target,
    distance: finite(hit.distance),
    fraction: finite(hit.fraction),
    point: encodeVec3(hit.x, hit.y, hit.z),
    normal: hit.hasNormal ? encodeVec3(hit.nx, hit.ny, hit.nz) : null,
    feature: hit.feature === null ? null : { kind: hit.feature, vertices: featureVertices(body, hit) },
    startedInside: hit.startedInside,
    exit: hit.hasExit ? encodeExit(hit) : null,
  }
}

function encodeExit(hit: RayHit): RayHit3d['exit'] {
  return {
    distance: finite(hit.exitDistance),
    point: encodeVec3(hit.exitX, hit.exitY, hit.exitZ),
    normal: encodeVec3(hit.exitNx, hit.exitNy, hit.exitNz),
  }
}
