/**
 * Features: the vertex, edge or surface of a user's shape that takes part in an answer, packed into one integer so
 * that hot records hold numbers only. The index is the one of the user's own shape, before any reduction.
 */

export type FeatureCode = number
type FeatureKind = 'vertex' | 'edge' | 'surface'

export const NO_FEATURE: FeatureCode = 0

export function vertexFeature(index: number): FeatureCode {
  return index * 4 + 1
}

export function edgeFeature(index: number): FeatureCode {
  return index * 4 + 2
}

/** The curved boundary of a circle or an ellipse. */
export const SURFACE_FEATURE: FeatureCode = 3

export function featureKind(code: FeatureCode): FeatureKind | null {
  const kind = code & 3
  return kind === 1 ? 'vertex' : kind === 2 ? 'edge' : kind === 3 ? 'surface' : null
}

export function featureIndex(code: FeatureCode): number {
  return code >> 2
}
