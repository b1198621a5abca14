// core feature code → wire feature, in space.

import type { ShapeFeature3d } from '../../../schemas/feature3d.ts'
import { type FeatureCode, featureIndex, featureKind } from '../../core3d/feature.ts'

/** Null for the code that names no feature. */
export function encodeFeature(code: FeatureCode): ShapeFeature3d | null {
  const kind = featureKind(code)
  return kind === null ? null : { kind, index: featureIndex(code) }
}
