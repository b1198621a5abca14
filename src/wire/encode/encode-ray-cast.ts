// core ray hit record → wire answer.

import type { RayExit, RayHit } from '../../../schemas/queries/ray-cast.ts'
import type { SceneRayHit } from '../../../schemas/scenes/ray-cast.ts'
import type { RayHit as CoreHit } from '../../core2d/ray/ray-cast.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { encodeFeature, encodeVec2, finite } from '../bodies/encode.ts'

/** `target` is the index of `body`, which was hit. */
export function encodeRayHit(target: number, hit: CoreHit, body: Body): RayHit {
  return named({ target }, hit, body)
}

/** The same of a body of a scene. */
export function encodeSceneRayHit(id: string, hit: CoreHit, body: Body): SceneRayHit {
  return named({ id }, hit, body)
}

/** Fields are added one by one: copying them over from another object takes longer than the ray. */
function named<Name extends object>(name: Name, hit: CoreHit, body: Body): Name & Omit<RayHit, 'target'> {
  const out = name as Name & Omit<RayHit, 'target'>
  out.distance = finite(hit.distance)
  out.fraction = finite(hit.fraction)
  out.point = encodeVec2(hit.x, hit.y)
  out.normal = hit.hasNormal ? encodeVec2(hit.nx, hit.ny) : null
  out.feature = encodeFeature(hit.feature, body, hit.part)
  out.startedInside = hit.startedInside
  out.exit = hit.hasExit ? encodeExit(hit) : null
  return out
}

function encodeExit(hit: CoreHit): RayExit {
  return {
    distance: finite(hit.exitDistance),
    point: encodeVec2(hit.exitX, hit.exitY),
    normal: encodeVec2(hit.exitNx, hit.exitNy),
  }
}
