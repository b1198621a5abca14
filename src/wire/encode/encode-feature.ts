// core feature code → wire feature.

import type { ShapeFeature } from '../../../schemas/feature.ts'
import { type FeatureCode, featureIndex, featureKind } from '../../core2d/feature.ts'
import { type Body, COMPOSITE, type Composite } from '../../core2d/shape/body.ts'

/** Null for the code that names no feature. `part`: the one of `body` whose feature it is, when the body is composite. */
export function encodeFeature(code: FeatureCode, body: Body, part: number): ShapeFeature | null {
  const kind = featureKind(code)
  if (kind === null) return null
  const feature: ShapeFeature = { kind, index: featureIndex(code) }
  if (body.kind !== COMPOSITE) return feature
  const { path } = (body.composite as Composite).parts[part]
  // only compounds have paths
  return path.length === 0 ? feature : { ...feature, path: [...path] }
}
