// Bodies in space: shapes placed in the world, at rest or moving.

import { type Static, Type } from '@sinclair/typebox'
import { named, reference } from '../reference.ts'
import { Quaternion, Vec3 } from '../vec3.ts'
import { Shape3d } from './shape.ts'

const placement = {
  shape: reference(Shape3d, 'The shape, in its own local frame.'),
  position: Type.Optional(reference(Vec3, 'Where the shape’s local origin lies in the world; (0, 0, 0) when absent.')),
  orientation: Type.Optional(
    reference(
      Quaternion,
      'How the shape is turned about its local origin, before position is added; not at all when absent. Its length must be within 1e-3 of 1 (problem `orientation-not-unit`).',
    ),
  ),
}

export const Body3d = Type.Object(
  placement,
  named('Body3d', 'A shape placed in the world: turned about its local origin, then moved to position.'),
)
export type Body3d = Static<typeof Body3d>

export const MovingBody3d = Type.Object(
  {
    ...placement,
    velocity: Type.Optional(
      reference(
        Vec3,
        'Constant velocity of the body’s position, length per second, world frame; (0, 0, 0) when absent.',
      ),
    ),
    angularVelocity: Type.Optional(
      reference(
        Vec3,
        'Constant angular velocity about the body’s position: the axis, in the world frame, times radians per second, right-handed; (0, 0, 0) when absent.',
      ),
    ),
  },
  named('MovingBody3d', 'A body that moves and turns at constant speed from where it is placed at time 0.'),
)
export type MovingBody3d = Static<typeof MovingBody3d>
