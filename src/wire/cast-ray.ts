// A ray against many bodies: each target is decoded into the one slot, met, and its hit encoded.

import type { RayCastRequest } from '../../schemas/ray-cast.ts'
import type { RayHit } from '../../schemas/ray-hit.ts'
import { createBody } from '../core2d/body.ts'
import { createRayHit, type Ray, rayCast } from '../core2d/ray-cast.ts'
import { type DecodeProblem, decodeBody } from './decode-body.ts'
import { decodeRay } from './decode-ray.ts'
import { encodeRayHit } from './encode-ray-cast.ts'

export interface RayCastLimits {
  maxTargets: number
  maxVertices: number
}

const ray: Ray = { ox: 0, oy: 0, dx: 0, dy: 0, maxDistance: 0 }
const body = createBody()
const found = createRayHit()

/**
 * The hits as the answer lists them, or the first problem, with a pointer into the request. Every
 * target is checked, also where the answer is known before the last one.
 */
export function castRay(request: RayCastRequest, { maxTargets, maxVertices }: RayCastLimits): RayHit[] | DecodeProblem {
  const { targets, mode = 'closest', startInside = 'hit' } = request
  const actual = targets.length
  if (actual > maxTargets) {
    const detail = `targets must have at most ${maxTargets} items, got ${actual}.`
    return { code: 'too-many-targets', pointer: '/targets', detail, limit: maxTargets, actual }
  }
  const wrongRay = decodeRay(request.ray, ray)
  if (wrongRay !== null) return { ...wrongRay, pointer: `/ray${wrongRay.pointer}` }
  const hits: RayHit[] = []
  for (let i = 0; i < targets.length; i++) {
    const problem = decodeBody(targets[i], body, maxVertices)
    if (problem !== null) return { ...problem, pointer: `/targets/${i}${problem.pointer}` }
    if (mode === 'any' && hits.length > 0) continue
    if (!rayCast(ray, body, startInside, found)) continue
    if (mode === 'closest' && hits.length > 0) {
      if (hits[0].distance <= found.distance) continue
      hits.length = 0
    }
    hits.push(encodeRayHit(i, found))
  }
  // stable: ties stay in the order of the targets
  return hits.sort((a, b) => a.distance - b.distance)
}
