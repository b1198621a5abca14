/** Features of composite bodies in space: what a leaf adds to the feature of its own. */

import type { ShapeFeature3d } from '../../schemas/feature.ts'
import { barycentricAt } from '../core3d/mesh/barycentric.ts'
import { type Body, COMPOSITE, type Composite } from '../core3d/shape/body.ts'
import { createLeafOwner, leafOwner } from '../core3d/shape/composite.ts'
import { finite } from './encode.ts'

const owner = createLeafOwner()

/** Adds the triangle, where on it the point lies, its group, and the path to it, of a feature of a leaf; of a convex body nothing. */
export function encodeLeafFeature(
  feature: ShapeFeature3d,
  body: Body,
  leaf: number,
  { x, y, z }: { readonly x: number; readonly y: number; readonly z: number },
): ShapeFeature3d {
  if (body.kind !== COMPOSITE) return feature
  leafOwner(body, leaf, owner)
  const { part, path, triangle, group } = owner
  const { mesh, placement, firstLeaf } = (body.composite as Composite).parts[part]
  if (mesh !== null) {
    feature.triangle = triangle
    const { u, v, w } = barycentricAt(mesh, placement, leaf - firstLeaf, x, y, z)
    feature.barycentric = { u: finite(u), v: finite(v), w: finite(w) }
    if (group !== null) feature.group = group
  }
  if (path.length > 0) feature.path = [...path]
  return feature
}
