// Encodes what many answers have in common: numbers, vectors and features, of both dimensions.

import type { ShapeFeature, ShapeFeature3d } from '../../schemas/feature.ts'
import type { Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec2, Vec3 } from '../../schemas/vector.ts'
import { type FeatureCode, featureIndex, featureKind } from '../core2d/feature.ts'
import { type Body, COMPOSITE, type Composite } from '../core2d/shape/body.ts'
import {
  type FeatureCode as FeatureCode3d,
  featureIndex as featureIndex3d,
  featureKind as featureKind3d,
} from '../core3d/feature.ts'

/** The value. JSON has no number that is not finite, so such a number throws: it is a fault of the service. */
export function finite(value: number): number {
  if (value - value !== 0) throw new RangeError(`An answer holds the non-finite number ${value}`)
  return value
}

export function encodeVec2(x: number, y: number): Vec2 {
  return { x: finite(x), y: finite(y) }
}

export function encodeVec3(x: number, y: number, z: number): Vec3 {
  return { x: finite(x), y: finite(y), z: finite(z) }
}

export function encodeQuaternion([x, y, z, w]: readonly [number, number, number, number]): Quaternion {
  return { x: finite(x), y: finite(y), z: finite(z), w: finite(w) }
}

/** Null for the code that names no feature. `part`: the part of a composite `body` whose feature it is. */
export function encodeFeature(code: FeatureCode, body: Body, part: number): ShapeFeature | null {
  const kind = featureKind(code)
  if (kind === null) return null
  const feature: ShapeFeature = { kind, index: featureIndex(code) }
  if (body.kind !== COMPOSITE) return feature
  const { path } = (body.composite as Composite).parts[part]
  // only compounds have paths
  return path.length === 0 ? feature : { ...feature, path: [...path] }
}

/** A vertex, or a feature without vertices; null for the code that names no feature. */
export function encodeFeature3d(code: FeatureCode3d): ShapeFeature3d | null {
  const kind = featureKind3d(code)
  if (kind === null) return null
  return { kind, vertices: kind === 'vertex' ? [featureIndex3d(code)] : [] }
}

/** The feature that the vertices of a shape span. A bent surface has none. */
export function encodeNames(vertices: readonly number[], { type }: Shape3d): ShapeFeature3d {
  if (type === 'halfspace') return { kind: 'face', vertices: [] }
  if (type === 'sphere') return { kind: 'surface', vertices: [] }
  return { kind: KINDS[vertices.length] ?? 'face', vertices: [...vertices] }
}

const KINDS = ['surface', 'vertex', 'edge'] as const
