// A body: a shape placed in the world.

import { type Static, Type } from '@sinclair/typebox'
import { real } from './quantity.ts'
import { named, reference } from './reference.ts'
import { Shape2d } from './shape.ts'
import { Vec2 } from './vec2.ts'

export const Body2d = Type.Object(
  {
    shape: reference(Shape2d, 'The shape, in its own local frame.'),
    position: Type.Optional(reference(Vec2, 'Where the shape’s local origin lies in the world; (0, 0) when absent.')),
    rotation: Type.Optional(
      real(
        'Angle in radians, counter-clockwise positive, about the shape’s local origin, before position is added; 0 when absent. At most 1e100 in magnitude.',
      ),
    ),
  },
  named('Body2d', 'A shape placed in the world: rotated about its local origin, then moved to position.'),
)
export type Body2d = Static<typeof Body2d>
