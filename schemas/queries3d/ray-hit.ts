// A ray's hit on one target in space.

import { type Static, Type } from '@sinclair/typebox'
import { ShapeFeature3d } from '../feature3d.ts'
import { index, length } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Vec3 } from '../vec3.ts'

export const RayExit3d = Type.Object(
  {
    distance: length('World length from the origin to where the ray leaves.'),
    point: reference(Vec3, 'Where it leaves, world frame.'),
    normal: reference(Vec3, 'Outward unit normal of the target there, world frame.'),
  },
  named('RayExit3d', 'Where a ray leaves the target that it hit.'),
)

export const RayHit3d = Type.Object(
  {
    target: index('Index of the body in targets.'),
    distance: length('World length from the origin to the hit; 0 when the origin is in the target, boundary included.'),
    fraction: length(
      'The hit in multiples of direction: point = origin + fraction · direction. The greatest double where a very short direction would take more.',
    ),
    point: reference(Vec3, 'Where the ray meets the target, world frame.'),
    normal: nullable(
      Vec3,
      'Outward unit normal of the target at the hit, against the ray, world frame; null when the origin is in the target.',
    ),
    feature: nullable(ShapeFeature3d, 'The part of the target that was hit; null when the origin is in the target.'),
    startedInside: Type.Boolean({ description: 'True when the origin is in the target, boundary included.' }),
    exit: nullable(
      RayExit3d,
      'Where the ray leaves the target; null when that lies beyond maxDistance or never happens.',
    ),
  },
  named(
    'RayHit3d',
    'One target that was hit. With `startInside: "exit"` and the origin in the target, distance, fraction, point, normal and feature speak of the way out.',
  ),
)
export type RayHit3d = Static<typeof RayHit3d>
