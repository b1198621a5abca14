// Bodies: shapes placed in the world, at rest or moving.

import { Type } from '@sinclair/typebox'
import { real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'
import { Shape2d } from './shape.ts'

const placement = {
  shape: reference(Shape2d, 'The shape, in its own local frame.'),
  position: Type.Optional(reference(Vec2, 'Where the shape’s local origin lies in the world; (0, 0) when absent.')),
  rotation: Type.Optional(
    real(
      'Angle in radians, counter-clockwise positive, about the shape’s local origin, before position is added; 0 when absent. At most 1e100 in magnitude.',
    ),
  ),
}

export const Body2d = Type.Object(
  placement,
  named(
    'Body2d',
    'A shape placed in the world, or in the frame of the compound that holds it: rotated about its local origin, then moved to position.',
  ),
)
/** An interface, because shapes hold bodies; a test compares it with the schema. */
export interface Body2d {
  shape: Shape2d
  position?: Vec2
  rotation?: number
}

export const MovingBody2d = Type.Object(
  {
    ...placement,
    velocity: Type.Optional(
      reference(Vec2, 'Constant velocity of the body’s position, length per second, world frame; (0, 0) when absent.'),
    ),
    angularVelocity: Type.Optional(
      real(
        'Constant angular velocity about the body’s position, radians per second, counter-clockwise positive; 0 when absent. At most 1e100 in magnitude.',
      ),
    ),
  },
  named('MovingBody2d', 'A body that moves and turns at constant speed from where it is placed at time 0.'),
)
export interface MovingBody2d extends Body2d {
  velocity?: Vec2
  angularVelocity?: number
}
