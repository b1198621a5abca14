/**
 * Ray casts: whether, where and how a ray meets a body, and where it leaves it.
 *
 * The ray is the closed set of points up to `maxDistance` from its origin along its direction; bodies are closed too, so that touching
 * a vertex, an edge or a rim is a hit. Convex bodies: `ray-convex.ts`; meshes and compounds: `ray-composite.ts`.
 * Frame: world, in and out.
 */

import { type Body, COMPOSITE, createBody } from '../shape/body.ts'
import { setLeaf } from '../shape/composite.ts'
import { rayComposite } from './ray-composite.ts'
import { convexFeatureVertices, type RayHit, rayConvex, type StartInside } from './ray-convex.ts'
import type { Ray } from './ray-line.ts'

export { createRayHit, type RayHit } from './ray-convex.ts'
export { createRay, type Ray } from './ray-line.ts'

/** Fills `out` and returns true when the ray hits. `out` is left as it was on a miss. */
export function rayCast(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  return body.kind === COMPOSITE ? rayComposite(ray, body, startInside, out) : rayConvex(ray, body, startInside, out)
}

const slot = createBody()

/** The caller's indices of the vertex hit, of an edge's ends, or around a face, counter-clockwise from outside; none of surfaces and half-spaces. */
export function featureVertices(body: Body, hit: RayHit): number[] {
  return convexFeatureVertices(body.kind === COMPOSITE ? setLeaf(body, hit.leaf, slot) : body, hit)
}
