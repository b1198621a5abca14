// A vector of the plane: a point, a direction or a translation, as the field that holds it says.

import { type Static, Type } from '@sinclair/typebox'
import { real } from './quantity.ts'
import { named } from './reference.ts'

export const Vec2 = Type.Object(
  {
    x: real('Component along x, in the caller’s own unit of length; at most 1e100 in magnitude.'),
    y: real('Component along y, in the caller’s own unit of length; at most 1e100 in magnitude.'),
  },
  named(
    'Vec2',
    'A vector of the plane. Counter-clockwise is positive in a frame with y up; in a y-down editor the same numbers simply look clockwise.',
  ),
)
export type Vec2 = Static<typeof Vec2>
