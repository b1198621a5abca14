/** Random shapes and bodies of space of every type, degenerate ones included, from a source of coordinates. */
import fc, { type Arbitrary } from 'fast-check'
import type { ConvexShape3d } from '../../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../../schemas/vector.ts'
import type { Source } from './arbitraries.ts'

export type ShapeType3d = ConvexShape3d['type']
export const SHAPE_TYPES_3D: readonly ShapeType3d[] = [
  'point',
  'sphere',
  'segment',
  'capsule',
  'triangle',
  'box',
  'aabb',
  'cylinder',
  'cone',
  'ellipsoid',
  'hull',
  'halfspace',
]

export function vec3({ coordinate }: Source): Arbitrary<Vec3> {
  return fc.record({ x: coordinate, y: coordinate, z: coordinate })
}

export function shapeOf3d(type: ShapeType3d, source: Source): Arbitrary<object> {
  const vector = vec3(source)
  const { size } = source
  const kind = fc.constant(type)
  switch (type) {
    case 'point':
      return fc.record({ type: kind })
    case 'sphere':
      return fc.record({ type: kind, radius: size })
    case 'segment':
      return fc.record({ type: kind, a: vector, b: vector })
    case 'capsule':
      return fc.record({ type: kind, a: vector, b: vector, radius: size })
    case 'triangle':
      return fc.record({ type: kind, a: vector, b: vector, c: vector })
    case 'box':
      return fc.record(
        { type: kind, size: fc.record({ x: size, y: size, z: size }), radius: size },
        { requiredKeys: ['type', 'size'] },
      )
    case 'aabb':
      return fc.tuple(vector, vector).map(([p, q]) => ({
        type,
        min: { x: Math.min(p.x, q.x), y: Math.min(p.y, q.y), z: Math.min(p.z, q.z) },
        max: { x: Math.max(p.x, q.x), y: Math.max(p.y, q.y), z: Math.max(p.z, q.z) },
      }))
    case 'cylinder':
    case 'cone':
      return fc.record(
        { type: kind, radius: size, height: size, axis: fc.constantFrom('x', 'y', 'z') },
        { requiredKeys: ['type', 'radius', 'height'] },
      )
    case 'ellipsoid': {
      const radius = size.map((r) => (r > 0 ? r : 1))
      return fc.record({ type: kind, radii: fc.record({ x: radius, y: radius, z: radius }) })
    }
    case 'hull':
      return fc.record(
        { type: kind, points: fc.array(vector, { minLength: 1, maxLength: 12 }), radius: size },
        { requiredKeys: ['type', 'points'] },
      )
    case 'halfspace':
      return fc.record({ type: kind, normal: vector, offset: source.coordinate })
  }
}

/** Turns that go from axes to axes, and any others. */
export const orientation: Arbitrary<Quaternion> = fc.oneof(
  fc.constantFrom(
    { x: 0, y: 0, z: 0, w: 1 },
    { x: 1, y: 0, z: 0, w: 0 },
    { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 },
    { x: 0.5, y: 0.5, z: 0.5, w: 0.5 },
  ),
  fc
    .tuple(...[0, 1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
    .filter((q) => Math.hypot(...q) > 0)
    .map((q) => q.map((c) => c / Math.hypot(...q)))
    .filter((q) => Math.abs(Math.hypot(...q) - 1) < 2 ** -40)
    .map(([x, y, z, w]) => ({ x, y, z, w })),
)

/** Anywhere, turned or not; aabbs take no turn. */
export function bodyOf3d(type: ShapeType3d, source: Source): Arbitrary<object> {
  const shape = shapeOf3d(type, source)
  const position = vec3(source)
  if (type === 'aabb') return fc.record({ shape, position }, { requiredKeys: ['shape'] })
  return fc.record({ shape, position, orientation }, { requiredKeys: ['shape'] })
}
