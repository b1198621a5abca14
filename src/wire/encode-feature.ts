import type { ShapeFeature } from '../../schemas/feature.ts'
import { type FeatureCode, featureIndex, featureKind } from '../core2d/feature.ts'

/** Null for the code that names no feature. */
export function encodeFeature(code: FeatureCode): ShapeFeature | null {
  const kind = featureKind(code)
  return kind === null ? null : { kind, index: featureIndex(code) }
}
