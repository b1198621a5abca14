// core feature code → wire feature, in space.

import type { ShapeFeature3d } from '../../../schemas/feature.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import { type FeatureCode, featureIndex, featureKind } from '../../core3d/feature.ts'

/** Of one vertex, or of what has none; null for the code that names no feature. */
export function encodeFeature(code: FeatureCode): ShapeFeature3d | null {
  const kind = featureKind(code)
  if (kind === null) return null
  return { kind, vertices: kind === 'vertex' ? [featureIndex(code)] : [] }
}

/** What is made of so many of the caller's vertices: none where it is bent. */
export function encodeNames(vertices: readonly number[], { type }: Shape3d): ShapeFeature3d {
  if (type === 'halfspace') return { kind: 'face', vertices: [] }
  if (type === 'sphere') return { kind: 'surface', vertices: [] }
  return { kind: KINDS[vertices.length] ?? 'face', vertices: [...vertices] }
}

const KINDS = ['surface', 'vertex', 'edge'] as const
