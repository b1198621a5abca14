/**
 * Features: the vertex, edge, face or surface of a caller's shape that takes part in an answer, packed into one integer so that hot
 * records hold numbers only. The index is the one of the caller's own shape, before any reduction.
 */

export type FeatureCode = number
export type FeatureKind = 'vertex' | 'edge' | 'face' | 'surface'

export const NO_FEATURE: FeatureCode = 0

/** The curved boundary of a sphere, cylinder, cone or ellipsoid. */
export const SURFACE_FEATURE: FeatureCode = 4

/** The one face of a half-space. */
export const FACE_FEATURE: FeatureCode = 3

export function vertexFeature(index: number): FeatureCode {
  return index * 8 + 1
}

const FEATURE_KINDS: readonly (FeatureKind | null)[] = [null, 'vertex', 'edge', 'face', 'surface']

export function featureKind(code: FeatureCode): FeatureKind | null {
  return FEATURE_KINDS[code & 7] ?? null
}

export function featureIndex(code: FeatureCode): number {
  return code >> 3
}
