// core feature code → wire feature, in space.

import type { ShapeFeature3d } from '../../../schemas/feature3d.ts'
import { type FeatureCode, featureIndex, featureKind } from '../../core3d/feature.ts'

/** Of one vertex, or of what has none; null for the code that names no feature. */
export function encodeFeature(code: FeatureCode): ShapeFeature3d | null {
  const kind = featureKind(code)
  if (kind === null) return null
  return { kind, vertices: kind === 'vertex' ? [featureIndex(code)] : [] }
}
