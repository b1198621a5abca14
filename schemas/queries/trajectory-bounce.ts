// The pieces of a trajectory: its bounces and its end.

import { type Static, Type } from '@sinclair/typebox'
import { index, real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'

export const TrajectoryBounce = Type.Object(
  {
    time: real('Instant of the impact, seconds from the start.', { minimum: 0 }),
    point: reference(Vec2, 'Where the two touch, world frame.'),
    normal: reference(
      Vec2,
      'Unit vector from the obstacle to the body, world frame; the velocity is reflected about it.',
    ),
    obstacle: index('Index of the body in obstacles.'),
    velocityBefore: reference(Vec2, 'Velocity just before the impact.'),
    velocityAfter: reference(Vec2, 'Velocity just after it.'),
  },
  named('TrajectoryBounce', 'One bounce.'),
)
export type TrajectoryBounce = Static<typeof TrajectoryBounce>

export const TrajectoryEnd = Type.Object(
  {
    time: real('Seconds from the start; the duration unless the body was stopped earlier.', { minimum: 0 }),
    position: reference(Vec2, 'Position of the body then, world frame.'),
    velocity: reference(Vec2, 'Velocity of the body then.'),
  },
  named('TrajectoryEnd', 'Where the trajectory ends.'),
)
export type TrajectoryEnd = Static<typeof TrajectoryEnd>
